//! Reads Thrift's compact protocol, in which Parquet writes its metadata.
//!
//! ```text
//! struct := *(field-header value) %x00
//! list   := size-and-type [varint] *value
//! binary := varint *OCTET
//! ```
//!
//! The reader does not allocate memory: it iterates over the bytes, and returns slices of them.

use crate::encoding::{unsigned, zigzag};
use crate::error::{Error, Invalid, Part};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    True,
    False,
    Byte,
    /// An integer of 16, 32 or 64 bits.
    Integer,
    Double,
    Binary,
    List,
    Map,
    Struct,
    Uuid,
}

/// The reason why metadata cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The input ends in the middle of a value.
    Short,
    /// A number has too many bytes or bits, a type does not exist, or values are nested too deeply.
    Malformed,
}

impl Fault {
    /// Creates the error that names this structure.
    pub(crate) fn of(self, part: Part) -> Error {
        Error::Invalid(match self {
            Self::Short => Invalid::Short(part),
            Self::Malformed => Invalid::Malformed(part),
        })
    }
}

/// The maximum nesting depth of unknown values. The format's own structures have seven levels.
const MAX_DEPTH: usize = 32;

/// A reader at a position in the metadata.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'t> {
    data: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) const fn new(data: &'t [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Returns the number of bytes read so far.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'t [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.rest().first().ok_or(Fault::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let rest = self.rest();
        let (number, length) = unsigned(rest, 10).ok_or({
            let is_short = rest.len() < 10 && rest.iter().all(|byte| *byte >= 0x80);
            if is_short {
                Fault::Short
            } else {
                Fault::Malformed
            }
        })?;
        self.at += length;
        Ok(number)
    }

    /// Skips `length` bytes, and returns them.
    fn pass(&mut self, length: usize) -> Result<&'t [u8], Fault> {
        let passed = self.rest().get(..length).ok_or(Fault::Short)?;
        self.at += length;
        Ok(passed)
    }

    /// Returns the number and the type of the next field, or `None` at the end of the structure.
    /// `last` is the number of the preceding field.
    pub(crate) fn field(&mut self, last: &mut i16) -> Result<Option<(i16, Kind)>, Fault> {
        let header = self.byte()?;
        if header == 0 {
            return Ok(None);
        }
        *last = match header >> 4 {
            0 => i16::try_from(zigzag(self.varint()?)).map_err(|_| Fault::Malformed)?,
            delta => last.checked_add(delta.into()).ok_or(Fault::Malformed)?,
        };
        Ok(Some((*last, kind(header & 0x0F)?)))
    }

    /// Reads an integer.
    pub(crate) fn integer(&mut self) -> Result<i64, Fault> {
        Ok(zigzag(self.varint()?))
    }

    /// Reads a byte string.
    pub(crate) fn binary(&mut self) -> Result<&'t [u8], Fault> {
        let length = usize::try_from(self.varint()?).map_err(|_| Fault::Short)?;
        self.pass(length)
    }

    /// Returns the number of elements of a list, and their type.
    pub(crate) fn list(&mut self) -> Result<(u64, Kind), Fault> {
        let header = self.byte()?;
        let kind = kind(header & 0x0F)?;
        let size = match header >> 4 {
            15 => self.varint()?,
            size => size.into(),
        };
        self.holds(size)?;
        Ok((size, kind))
    }

    /// Fails if fewer than `values` bytes remain, because each value takes at least one byte.
    fn holds(&self, values: u64) -> Result<(), Fault> {
        if values > self.rest().len() as u64 {
            return Err(Fault::Short);
        }
        Ok(())
    }

    /// Skips the value of a field.
    pub(crate) fn skip(&mut self, kind: Kind) -> Result<(), Fault> {
        match kind {
            Kind::True | Kind::False => Ok(()), // the type is the value
            _ => self.skip_within(kind, MAX_DEPTH),
        }
    }

    fn skip_within(&mut self, kind: Kind, depth: usize) -> Result<(), Fault> {
        let depth = depth.checked_sub(1).ok_or(Fault::Malformed)?;
        match kind {
            Kind::True | Kind::False | Kind::Byte => self.byte().map(drop),
            Kind::Integer => self.varint().map(drop),
            Kind::Double => self.pass(8).map(drop),
            Kind::Uuid => self.pass(16).map(drop),
            Kind::Binary => self.binary().map(drop),
            Kind::List => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.skip_within(kind, depth))
            }
            Kind::Map => {
                let size = self.varint()?;
                if size == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                let (key, value) = (self::kind(kinds >> 4)?, self::kind(kinds & 0x0F)?);
                self.holds(size)?;
                (0..size).try_for_each(|_| {
                    self.skip_within(key, depth)?;
                    self.skip_within(value, depth)
                })
            }
            Kind::Struct => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    if !matches!(kind, Kind::True | Kind::False) {
                        self.skip_within(kind, depth)?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// Returns the type with this number.
fn kind(number: u8) -> Result<Kind, Fault> {
    Ok(match number {
        1 => Kind::True,
        2 => Kind::False,
        3 => Kind::Byte,
        4..=6 => Kind::Integer,
        7 => Kind::Double,
        8 => Kind::Binary,
        9 | 10 => Kind::List, // 10 is a set
        11 => Kind::Map,
        12 => Kind::Struct,
        13 => Kind::Uuid,
        _ => return Err(Fault::Malformed),
    })
}

#[cfg(test)]
mod tests {
    use super::{Fault, Kind, Reader};

    #[test]
    fn values_are_skipped_to_their_end() {
        for (kind, bytes) in [
            (Kind::Integer, &[0x96, 1][..]),
            (Kind::Binary, &[2, b'a', b'b']),
            (Kind::List, &[0x25, 2, 4]),
            (Kind::List, &[0x21, 1, 2]),
            (Kind::Map, &[0]),
            (Kind::Map, &[1, 0x58, 2, 1, b'a']),
            (Kind::Struct, &[0x15, 2, 0x11, 0x1C, 0x15, 2, 0, 0]),
            (Kind::Double, &[0; 8]),
        ] {
            let mut reader = Reader::new(bytes);
            assert_eq!(reader.skip(kind), Ok(()), "{kind:?}");
            assert_eq!(reader.at(), bytes.len(), "{kind:?}");
            let mut cut = Reader::new(&bytes[..bytes.len() - 1]);
            assert_eq!(cut.skip(kind), Err(Fault::Short), "{kind:?}");
        }
    }

    #[test]
    fn false_numbers_and_depth_are_errors() {
        let list = [0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0];
        assert_eq!(Reader::new(&list).list(), Err(Fault::Short));
        assert_eq!(Reader::new(&[0xFF; 11]).integer(), Err(Fault::Malformed));
        assert_eq!(Reader::new(&[0xFF; 9]).integer(), Err(Fault::Short));
        // The values are lists in lists, and structures in structures.
        let deep = vec![0x19; 100_000];
        assert_eq!(Reader::new(&deep).skip(Kind::List), Err(Fault::Malformed));
        let deep = vec![0x1C; 100_000];
        assert_eq!(Reader::new(&deep).skip(Kind::Struct), Err(Fault::Malformed));
    }
}
