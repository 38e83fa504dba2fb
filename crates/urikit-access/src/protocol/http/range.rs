//! The range of a partial response (RFC 9110, 14.4).

use crate::protocol::digits::number;

/// The value of `Content-Range`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// A range of bytes.
    Part {
        /// The position of the first byte, from 0.
        first: u64,
        /// The position of the last byte.
        last: u64,
        /// The size of the complete body, if known.
        complete: Option<u64>,
    },
    /// None: the complete body has only this many bytes.
    Unsatisfied(u64),
}

impl Range {
    /// `"bytes" SP ( first-pos "-" last-pos "/" ( complete-length / "*" ) / "*/" complete-length
    /// )`
    pub(super) fn parse(value: &[u8]) -> Option<Self> {
        let (unit, rest) = split(value, b' ')?;
        let (range, complete) = split(rest, b'/')?;
        if !unit.eq_ignore_ascii_case(b"bytes") {
            return None;
        }
        if range == b"*" {
            return number(complete).map(Self::Unsatisfied);
        }
        let (first, last) = split(range, b'-')?;
        let (first, last) = (number(first)?, number(last)?);
        let complete = match complete {
            b"*" => None,
            digits => Some(number(digits)?),
        };
        let is_part = first <= last && complete.is_none_or(|complete| last < complete);
        is_part.then_some(Self::Part {
            first,
            last,
            complete,
        })
    }
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|octet| *octet == at)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn examples_of_rfc_9110_and_invalid_values() {
        let part = |first, last, complete| {
            Some(Range::Part {
                first,
                last,
                complete,
            })
        };
        // RFC 9110, 14.4
        for (value, range) in [
            ("bytes 42-1233/1234", part(42, 1233, Some(1234))),
            ("bytes 42-1233/*", part(42, 1233, None)),
            ("bytes */1234", Some(Range::Unsatisfied(1234))),
            ("bytes 0-499/1234", part(0, 499, Some(1234))),
            ("Bytes 734-1233/1234", part(734, 1233, Some(1234))),
            ("bytes 5-4/10", None),
            ("bytes 5-10/10", None),
            ("bytes 5-9", None),
            ("bytes=5-9/10", None),
            ("items 5-9/10", None),
            ("bytes +5-9/10", None),
            ("bytes 5-/10", None),
            ("bytes -9/10", None),
            ("bytes */*", None),
            ("bytes 5-99999999999999999999/*", None),
            ("", None),
        ] {
            assert_eq!(Range::parse(value.as_bytes()), range, "{value}");
        }
    }
}
