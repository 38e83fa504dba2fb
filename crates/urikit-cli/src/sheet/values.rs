//! Converts the values of Parquet columns to text.

use jiff::{SignedDuration, civil};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;
use std::fmt::Write as _;

/// The type of a column whose values can be written as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    Text,
    Flag,
    /// An integer of 4 or 8 bytes.
    Integer {
        is_signed: bool,
    },
    /// A floating-point number of 4 or 8 bytes.
    Float,
    /// A two's complement integer of at most 16 bytes, without the decimal point before its last
    /// digits. The value is big-endian if `is_big`, and otherwise a little-endian integer of 4 or 8
    /// bytes.
    Decimal {
        scale: usize,
        is_big: bool,
    },
    Date,
    /// A time of day, with the number of units per second.
    Time(i64),
    /// A date and time. If the value is not in UTC, its time zone is unknown.
    Timestamp {
        per_second: i64,
        is_utc: bool,
    },
    /// A date and time in Spark's old format: nanoseconds and a day number.
    Int96,
    Uuid,
}

/// The maximum number of digits in a 16-byte decimal.
const MAX_DIGITS: i32 = 38;

impl ValueKind {
    /// Returns the type of a column.
    ///
    /// # Errors
    ///
    /// Returns the reason why the values cannot be written as text.
    pub(super) fn of(column: &ColumnDescriptor) -> Result<Self, &'static str> {
        use ConvertedType as Converted;
        use LogicalType as Logical;
        if column.path().parts().len() > 1 || column.max_rep_level() > 0 {
            return Err("is nested");
        }
        let (logical, converted) = (column.logical_type_ref(), column.converted_type());
        let physical = column.physical_type();
        let is_decimal =
            converted == Converted::DECIMAL || matches!(logical, Some(Logical::Decimal(_)));
        if is_decimal {
            let scale = usize::try_from(column.type_scale()).ok();
            let scale = scale.filter(|_| column.type_precision() <= MAX_DIGITS);
            let scale = scale.filter(|scale| *scale <= 38);
            let is_big = !matches!(physical, Physical::INT32 | Physical::INT64);
            let scale = scale.ok_or("is a decimal with more than 38 digits")?;
            return Ok(Self::Decimal { scale, is_big });
        }
        let per_second = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        let timestamp = |per_second, is_utc| Self::Timestamp { per_second, is_utc };
        Ok(match (physical, logical, converted) {
            (Physical::BOOLEAN, ..) => Self::Flag,
            (Physical::FLOAT | Physical::DOUBLE, ..) => Self::Float,
            (Physical::INT96, ..) => Self::Int96,
            (Physical::BYTE_ARRAY, None, Converted::BSON)
            | (
                Physical::BYTE_ARRAY,
                Some(Logical::Bson | Logical::Geometry(_) | Logical::Geography(_)),
                _,
            ) => return Err("is binary"),
            (Physical::BYTE_ARRAY, ..) => Self::Text,
            (Physical::FIXED_LEN_BYTE_ARRAY, Some(Logical::Uuid), _) => Self::Uuid,
            (Physical::FIXED_LEN_BYTE_ARRAY, ..) => return Err("is binary"),
            (_, Some(Logical::Date), _) | (_, None, Converted::DATE) => Self::Date,
            (_, Some(Logical::Time(time)), _) => Self::Time(per_second(&time.unit)),
            (_, None, Converted::TIME_MILLIS) => Self::Time(1_000),
            (_, None, Converted::TIME_MICROS) => Self::Time(1_000_000),
            (_, Some(Logical::Timestamp(time)), _) => {
                timestamp(per_second(&time.unit), time.is_adjusted_to_u_t_c)
            }
            // In older files, all timestamps are in UTC.
            (_, None, Converted::TIMESTAMP_MILLIS) => timestamp(1_000, true),
            (_, None, Converted::TIMESTAMP_MICROS) => timestamp(1_000_000, true),
            (_, Some(Logical::Integer(integer)), _) => Self::Integer {
                is_signed: integer.is_signed,
            },
            (_, None, converted) => Self::Integer {
                is_signed: !matches!(
                    converted,
                    Converted::UINT_8
                        | Converted::UINT_16
                        | Converted::UINT_32
                        | Converted::UINT_64
                ),
            },
            (_, Some(Logical::Unknown), _) => Self::Integer { is_signed: true },
            _ => return Err("has an unknown type"),
        })
    }

    /// Returns true if the text of a value is a number or `true` or `false` in JSON.
    pub(super) const fn is_literal(self) -> bool {
        matches!(
            self,
            Self::Flag | Self::Integer { .. } | Self::Float | Self::Decimal { .. }
        )
    }

    /// Appends a value as text. The input is in Parquet's `PLAIN` encoding. Returns `None` if the
    /// value has no text: it is outside the years -9999 to 9999, or is not valid for its type.
    pub(super) fn write(self, value: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let mut text = String::new();
        let written = match self {
            Self::Text => {
                out.extend_from_slice(value);
                return Some(());
            }
            Self::Flag => {
                let flag = *value.first()? != 0;
                write!(text, "{flag}")
            }
            Self::Integer { is_signed: true } => write!(text, "{}", integer(value)?),
            Self::Integer { is_signed: false } => match value.len() {
                4 => write!(text, "{}", u32::from_le_bytes(*value.first_chunk()?)),
                _ => write!(text, "{}", u64::from_le_bytes(*value.first_chunk()?)),
            },
            // This form has an exponent for very large and very small numbers.
            Self::Float => match value.len() {
                4 => write!(text, "{:?}", f32::from_le_bytes(*value.first_chunk()?)),
                _ => write!(text, "{:?}", f64::from_le_bytes(*value.first_chunk()?)),
            },
            Self::Decimal { scale, is_big } => {
                let number = if is_big {
                    big(value)?
                } else {
                    integer(value)?.into()
                };
                decimal(number, scale, &mut text);
                Ok(())
            }
            Self::Date => {
                let seconds = integer(value)?.checked_mul(DAY)?;
                write!(text, "{}", date_time(seconds, 0)?.date())
            }
            Self::Time(per_second) => {
                let nanoseconds = integer(value)?.checked_mul(1_000_000_000 / per_second)?;
                let time = SignedDuration::from_nanos(nanoseconds);
                write!(text, "{}", civil::Time::midnight().checked_add(time).ok()?)
            }
            Self::Timestamp { per_second, is_utc } => {
                let units = integer(value)?;
                let rest = units.rem_euclid(per_second) * (SECOND / per_second);
                let time = date_time(units.div_euclid(per_second), rest)?;
                let zone = if is_utc { "Z" } else { "" };
                write!(text, "{time}{zone}")
            }
            Self::Int96 => {
                // The Julian day number of 1970-01-01
                const EPOCH: i64 = 2_440_588;
                let nanoseconds = i64::from_le_bytes(*value.first_chunk()?);
                let day = u32::from_le_bytes(*value.last_chunk()?);
                let time = date_time((i64::from(day) - EPOCH) * DAY, nanoseconds)?;
                write!(text, "{time}")
            }
            Self::Uuid => {
                let number = u128::from_be_bytes(*value.first_chunk()?);
                let digits = format!("{number:032x}");
                let parts = [0..8, 8..12, 12..16, 16..20, 20..32];
                let parts = parts.map(|part| digits.get(part).unwrap_or_default().to_owned());
                write!(text, "{}", parts.join("-"))
            }
        };
        written.ok()?;
        out.extend_from_slice(text.as_bytes());
        Some(())
    }
}

/// Returns a signed integer of 4 or 8 bytes.
fn integer(value: &[u8]) -> Option<i64> {
    match value.len() {
        4 => Some(i32::from_le_bytes(*value.first_chunk()?).into()),
        _ => Some(i64::from_le_bytes(*value.first_chunk()?)),
    }
}

/// Returns a signed integer in big-endian order, if it fits in 16 bytes.
fn big(value: &[u8]) -> Option<i128> {
    let is_negative = value.first()? >> 7 == 1;
    let filling = if is_negative { u8::MAX } else { 0 };
    let (before, last) = if let Some((before, last)) = value.split_last_chunk::<16>() {
        (before, *last)
    } else {
        let mut last = [filling; 16];
        last.get_mut(16 - value.len()..)?.copy_from_slice(value);
        (&[][..], last)
    };
    let number = i128::from_be_bytes(last);
    let fits = before.iter().all(|byte| *byte == filling) && (number < 0) == is_negative;
    fits.then_some(number)
}

/// Appends a number with a decimal point before its last digits.
fn decimal(number: i128, scale: usize, out: &mut String) {
    if number < 0 {
        out.push('-');
    }
    let digits = number.unsigned_abs().to_string();
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (before, after) = digits.split_at(digits.len() - scale);
    out.push_str(before);
    if !after.is_empty() {
        out.push('.');
        out.push_str(after);
    }
}

/// The number of seconds in a day, and of nanoseconds in a second.
const DAY: i64 = 86_400;
const SECOND: i64 = 1_000_000_000;

/// Returns the date and time after this many seconds and nanoseconds since 1970, if it is in the
/// years -9999 to 9999.
// A `jiff::Timestamp` ends at 9999-12-30T22:00:00Z, so that it has a local time in every zone.
fn date_time(seconds: i64, nanoseconds: i64) -> Option<civil::DateTime> {
    let since = SignedDuration::from_secs(seconds);
    let since = since.checked_add(SignedDuration::from_nanos(nanoseconds))?;
    let epoch = civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    epoch.checked_add(since).ok()
}

#[cfg(test)]
mod tests {
    use super::ValueKind;

    fn text(kind: ValueKind, value: &[u8]) -> Option<String> {
        let mut out = Vec::new();
        kind.write(value, &mut out)?;
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn values_as_text() {
        let decimal = |scale, is_big| ValueKind::Decimal { scale, is_big };
        let timestamp = |per_second, is_utc| ValueKind::Timestamp { per_second, is_utc };
        let signed = ValueKind::Integer { is_signed: true };
        let unsigned = ValueKind::Integer { is_signed: false };
        for (kind, value, expected) in [
            (ValueKind::Text, &b"a\xFF"[..1], "a"),
            (ValueKind::Flag, &[1], "true"),
            (ValueKind::Flag, &[0], "false"),
            (signed, &(-1_i32).to_le_bytes(), "-1"),
            (signed, &i64::MIN.to_le_bytes(), "-9223372036854775808"),
            (unsigned, &(-1_i32).to_le_bytes(), "4294967295"),
            (unsigned, &(-1_i64).to_le_bytes(), "18446744073709551615"),
            (ValueKind::Float, &0.1_f32.to_le_bytes(), "0.1"),
            (ValueKind::Float, &1e300_f64.to_le_bytes(), "1e300"),
            (ValueKind::Float, &(-2.0_f64).to_le_bytes(), "-2.0"),
            (ValueKind::Float, &f64::NAN.to_le_bytes(), "NaN"),
            (decimal(2, false), &(-5_i32).to_le_bytes(), "-0.05"),
            (decimal(0, false), &7_i64.to_le_bytes(), "7"),
            (decimal(3, true), &[0xFF, 0x00], "-0.256"),
            (decimal(1, true), &[0; 20], "0.0"),
            (decimal(1, true), &[0xFF; 20], "-0.1"),
            (ValueKind::Date, &(-1_i32).to_le_bytes(), "1969-12-31"),
            (ValueKind::Date, &19_723_i32.to_le_bytes(), "2024-01-01"),
            (ValueKind::Date, &2_932_896_i32.to_le_bytes(), "9999-12-31"),
            (
                ValueKind::Date,
                &(-4_371_587_i32).to_le_bytes(),
                "-009999-01-01",
            ),
            (
                ValueKind::Time(1_000),
                &1_500_i32.to_le_bytes(),
                "00:00:01.5",
            ),
            (
                timestamp(1_000_000, true),
                &1_500_000_i64.to_le_bytes(),
                "1970-01-01T00:00:01.5Z",
            ),
            (
                timestamp(1_000, false),
                &0_i64.to_le_bytes(),
                "1970-01-01T00:00:00",
            ),
            (
                timestamp(1_000, true),
                &253_402_300_799_999_i64.to_le_bytes(),
                "9999-12-31T23:59:59.999Z",
            ),
            (
                timestamp(1_000, false),
                &(-377_705_116_800_000_i64).to_le_bytes(),
                "-009999-01-01T00:00:00",
            ),
            (
                timestamp(1_000_000_000, true),
                &(-1_i64).to_le_bytes(),
                "1969-12-31T23:59:59.999999999Z",
            ),
            (
                ValueKind::Int96,
                &[0, 0, 0, 0, 0, 0, 0, 0, 0x2C, 0xFE, 0x51, 0],
                "9999-12-31T00:00:00",
            ),
            (
                ValueKind::Int96,
                &[0, 0, 0, 0, 0, 0, 0, 0, 0x8C, 0x3D, 0x25, 0],
                "1970-01-01T00:00:00",
            ),
            (
                ValueKind::Uuid,
                &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
                "00010203-0405-0607-0809-0a0b0c0d0e0f",
            ),
        ] {
            assert_eq!(text(kind, value).as_deref(), Some(expected), "{kind:?}");
        }
    }

    #[test]
    fn values_without_text() {
        let decimal = ValueKind::Decimal {
            scale: 0,
            is_big: true,
        };
        let timestamp = ValueKind::Timestamp {
            per_second: 1_000,
            is_utc: true,
        };
        for (kind, value) in [
            (ValueKind::Date, &i32::MAX.to_le_bytes()[..]),
            (ValueKind::Date, &2_932_897_i32.to_le_bytes()),
            (ValueKind::Date, &(-4_371_588_i32).to_le_bytes()),
            (timestamp, &253_402_300_800_000_i64.to_le_bytes()),
            (timestamp, &i64::MAX.to_le_bytes()),
            (decimal, &[0x7F; 17]),
            (decimal, &[]),
            (ValueKind::Uuid, &[0; 15]),
            (ValueKind::Int96, &[]),
        ] {
            assert_eq!(text(kind, value), None, "{kind:?}");
        }
    }
}
