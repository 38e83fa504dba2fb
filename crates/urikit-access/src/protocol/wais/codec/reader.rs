//! Reads octets, with every length checked against what remains.

use std::fmt;

/// The longest compressed integer: 28 bits.
const MAX_COMPRESSED: usize = 4;

/// Octets that are not a message, or not a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// Where, in octets from the beginning of what was decoded.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at octet {}", self.expected, self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// Octets that remain to be read, and where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Reads from the beginning of these octets.
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self {
            rest: octets,
            offset: 0,
        }
    }

    /// Whether nothing remains.
    pub(super) const fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// The octets that remain.
    pub(super) const fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// An error at the next octet.
    pub(super) const fn error(self, expected: &'static str) -> DecodeError {
        DecodeError {
            offset: self.offset,
            expected,
        }
    }

    /// The next octets, as many as `count` says.
    pub(super) fn take(
        &mut self,
        count: usize,
        expected: &'static str,
    ) -> Result<Self, DecodeError> {
        let taken = self.rest.split_at_checked(count);
        let (taken, rest) = taken.ok_or_else(|| self.error(expected))?;
        let offset = self.offset;
        *self = Self {
            rest,
            offset: offset + count,
        };
        Ok(Self {
            rest: taken,
            offset,
        })
    }

    /// The next octet.
    pub(super) fn octet(&mut self, expected: &'static str) -> Result<u8, DecodeError> {
        let taken = self.take(1, expected)?;
        taken.rest.first().copied().ok_or(taken.error(expected))
    }

    /// A binary integer of this many octets, at most eight.
    pub(super) fn binary(
        &mut self,
        count: usize,
        expected: &'static str,
    ) -> Result<u64, DecodeError> {
        self.take(count, expected)?.number()
    }

    /// What remains, as a number (a field of the kind `num`).
    pub(super) fn number(self) -> Result<u64, DecodeError> {
        self.rest.iter().try_fold(0_u64, |value, octet| {
            let value = value.checked_mul(256);
            value
                .map(|value| value | u64::from(*octet))
                .ok_or_else(|| self.error("a number of at most 64 bits"))
        })
    }

    /// A compressed integer.
    pub(super) fn compressed(&mut self) -> Result<u32, DecodeError> {
        let begin = *self;
        let mut value = 0;
        for _ in 0..MAX_COMPRESSED {
            let octet = self.octet("a tag or a length")?;
            value = value << 7 | u32::from(octet & 0x7F);
            if octet < 0x80 {
                return Ok(value);
            }
        }
        Err(begin.error("a compressed integer of at most four octets"))
    }

    /// A field after its tag: its length, and as many octets.
    pub(super) fn field(&mut self) -> Result<Self, DecodeError> {
        let length = usize::try_from(self.compressed()?);
        let length = length.unwrap_or(usize::MAX);
        self.take(length, "a field that ends within the message")
    }

    /// The tag and the contents of the next field; `None` at the end.
    pub(super) fn tagged(&mut self) -> Result<Option<(u32, Self)>, DecodeError> {
        if self.is_empty() {
            return Ok(None);
        }
        let tag = self.compressed()?;
        Ok(Some((tag, self.field()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::{DecodeError, Reader};

    #[test]
    fn compressed_integers() {
        for (octets, value) in [
            (&[0][..], 0),
            (&[0x7F], 127),
            (&[0x81, 0x03], 131),
            (&[0x80, 0x05], 5),
            (&[0xFF, 0xFF, 0xFF, 0x7F], (1 << 28) - 1),
        ] {
            let mut reader = Reader::new(octets);
            assert_eq!(reader.compressed(), Ok(value), "{octets:x?}");
            assert!(reader.is_empty());
        }
        for (octets, offset) in [
            (&[][..], 0),
            (&[0x81], 1),
            (&[0xFF, 0xFF, 0xFF, 0xFF, 0x01], 0),
        ] {
            let error = Reader::new(octets).compressed().unwrap_err();
            assert_eq!(error.offset, offset, "{octets:x?}");
        }
    }

    #[test]
    fn a_length_beyond_the_end_is_an_error() {
        let mut reader = Reader::new(&[106, 3, b'a', b'b']);
        let expected = "a field that ends within the message";
        let offset = 2;
        assert_eq!(reader.tagged(), Err(DecodeError { offset, expected }));
        let mut reader = Reader::new(&[106, 2, b'a', b'b']);
        let (tag, field) = reader.tagged().unwrap().unwrap();
        assert_eq!((tag, field.rest()), (106, &b"ab"[..]));
        assert_eq!(reader.tagged(), Ok(None));
    }

    #[test]
    fn numbers() {
        assert_eq!(Reader::new(&[1, 0x70, 0xD5]).number(), Ok(94421));
        assert_eq!(Reader::new(&[]).number(), Ok(0));
        assert_eq!(Reader::new(&[0xFF; 8]).number(), Ok(u64::MAX));
        assert_eq!(Reader::new(&[0, 0, 0, 0, 0, 0, 0, 0, 1]).number(), Ok(1));
        assert!(Reader::new(&[1; 9]).number().is_err());
    }
}
