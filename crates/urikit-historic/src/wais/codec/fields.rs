//! Reads and writes the elements of messages, such as headers, integers and fields.
//!
//! The reader checks every length against the number of remaining octets.

use std::fmt;

/// The length of a message header in octets.
pub const HEADER_LEN: usize = 25;

/// The maximum length of a compressed integer in octets, which corresponds to 28 bits.
const MAX_COMPRESSED: usize = 4;

/// The highest field number in a document-id.
const MAX_NUMBER: u32 = (1 << 28) - 1;

/// Prepends a message header to an APDU.
///
/// ```text
/// length (10 digits) type (1) version (1) server (10) compression (1) encoding (1) checksum (1)
/// 0000000042         z        2           wais        SP              SP           0
/// ```
pub fn message(apdu: &[u8]) -> Vec<u8> {
    let mut message = format!("{:010}z2wais        0", apdu.len()).into_bytes();
    message.extend_from_slice(apdu);
    message
}

/// Reads the header of a response. Returns the number of octets that follow the header.
///
/// The server chooses this number, which has up to ten digits, so check it before allocating
/// memory.
///
/// # Errors
///
/// Fails if the octets are not a header, or if the message is compressed or encoded.
pub fn decode_header(octets: &[u8; HEADER_LEN]) -> Result<u64, DecodeError> {
    let mut reader = Reader::new(octets);
    let digits = reader.take(10, "a length")?;
    let length = digits.rest().iter().try_fold(0, |value: u64, digit| {
        let digit = char::from(*digit).to_digit(10);
        let digit = digit.ok_or(digits.error("the header of a message: a length of ten digits"))?;
        Ok(value * 10 + u64::from(digit))
    })?;
    let place = reader;
    if reader.octet("a type")? != b'z' {
        return Err(place.error("a message of the type z, an APDU"));
    }
    // The version, the server and the checksum are ignored, as in other clients.
    reader.take(11, "a version and a server")?;
    let place = reader;
    if reader.take(2, "a compression and an encoding")?.rest() != b"  " {
        return Err(place.error("a message without compression and encoding"));
    }
    Ok(length)
}

/// The error for octets that are not a valid message or part of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The position in octets, counted from the beginning of the input.
    pub offset: usize,
    /// A description of what was expected at this position.
    pub expected: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at octet {}", self.expected, self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// A cursor over octets that remembers its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the beginning of the octets.
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self {
            rest: octets,
            offset: 0,
        }
    }

    /// Returns true at the end of the octets.
    pub(super) const fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the remaining octets.
    pub(super) const fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// Creates an error whose position is the next octet.
    pub(super) const fn error(self, expected: &'static str) -> DecodeError {
        DecodeError {
            offset: self.offset,
            expected,
        }
    }

    /// Splits off the next `count` octets.
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

    /// Reads one octet.
    pub(super) fn octet(&mut self, expected: &'static str) -> Result<u8, DecodeError> {
        let taken = self.take(1, expected)?;
        taken.rest.first().copied().ok_or(taken.error(expected))
    }

    /// Reads a binary integer of `count` octets, where `count` is at most eight.
    pub(super) fn binary(
        &mut self,
        count: usize,
        expected: &'static str,
    ) -> Result<u64, DecodeError> {
        self.take(count, expected)?.number()
    }

    /// Reads all remaining octets as one binary integer.
    pub(super) fn number(self) -> Result<u64, DecodeError> {
        self.rest.iter().try_fold(0_u64, |value, octet| {
            let value = value.checked_mul(256);
            value
                .map(|value| value | u64::from(*octet))
                .ok_or_else(|| self.error("a number of at most 64 bits"))
        })
    }

    /// Reads a compressed integer.
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

    /// Reads the length and the contents of a field, which follow its tag.
    pub(super) fn field(&mut self) -> Result<Self, DecodeError> {
        let length = usize::try_from(self.compressed()?);
        let length = length.unwrap_or(usize::MAX);
        self.take(length, "a field that ends within the message")
    }

    /// Reads the tag and the contents of a field. Returns `None` at the end of the octets.
    pub(super) fn tagged(&mut self) -> Result<Option<(u32, Self)>, DecodeError> {
        if self.is_empty() {
            return Ok(None);
        }
        let tag = self.compressed()?;
        Ok(Some((tag, self.field()?)))
    }

    /// Reads the header part of an APDU with the given type, and returns the header part without
    /// the type. `expected` describes the APDU.
    pub(super) fn header_part(
        &mut self,
        pdu_type: u8,
        expected: &'static str,
    ) -> Result<Self, DecodeError> {
        let length = self.binary(2, "the length of the APDU's header part")?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut header = self.take(length, "a header part that ends within the message")?;
        let place = header;
        if header.octet("the type of the APDU")? == pdu_type {
            return Ok(header);
        }
        Err(place.error(expected))
    }
}

/// Appends a compressed integer of at most 28 bits, without leading zeros.
pub(super) fn write_compressed(to: &mut Vec<u8>, value: usize) {
    let low = |value: usize| u8::try_from(value & 0x7F).unwrap_or_default();
    for shift in [21, 14, 7] {
        if value >> shift != 0 {
            to.push(low(value >> shift) | 0x80);
        }
    }
    to.push(low(value));
}

/// Appends a field.
pub(super) fn write_field(to: &mut Vec<u8>, tag: u32, octets: &[u8]) {
    write_compressed(to, usize::try_from(tag).unwrap_or_default());
    write_compressed(to, octets.len());
    to.extend_from_slice(octets);
}

/// Appends a field with a binary integer of at least one octet, without leading zeros.
pub(super) fn write_number(to: &mut Vec<u8>, tag: u32, value: u64) {
    let octets = value.to_be_bytes();
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    let first = zeros.min(octets.len() - 1);
    write_field(to, tag, octets.get(first..).unwrap_or_default());
}

/// Joins the parts of an APDU. The header part begins with the type of the PDU.
///
/// INVARIANT: the header part is shorter than 64 KiB. Only the database names vary in length, and
/// `Databases` limits their length.
pub(super) fn apdu(header: &[u8], user_information: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap_or(u16::MAX);
    [&length.to_be_bytes(), header, user_information].concat()
}

/// The number and the contents of a field in a document-id.
pub type IdField<'a> = (u32, &'a [u8]);

/// Splits a document-id into its fields. Returns `None` if the document-id does not consist of
/// fields, or if [`encode_document_id`] would write them differently.
pub fn decode_document_id(id: &[u8]) -> Option<Vec<IdField<'_>>> {
    let (mut reader, mut fields) = (Reader::new(id), Vec::new());
    while let Some((number, value)) = reader.tagged().ok()? {
        fields.push((number, value.rest()));
    }
    let is_same = encode_document_id(fields.iter().copied()).is_some_and(|again| again == id);
    (is_same && !fields.is_empty()).then_some(fields)
}

/// Writes a document-id with the given fields. Returns `None` if a field number is too large.
pub fn encode_document_id<T: AsRef<[u8]>>(
    fields: impl IntoIterator<Item = (u32, T)>,
) -> Option<Vec<u8>> {
    let mut id = Vec::new();
    for (number, value) in fields {
        if number > MAX_NUMBER {
            return None;
        }
        write_field(&mut id, number, value.as_ref());
    }
    Some(id)
}

/// The tags of fields. Tags below 99 come from Z39.50-1988, and all other tags from freeWAIS.
pub(super) mod tag {
    pub(crate) const PROTOCOL_VERSION: u32 = 3;
    pub(crate) const OPTIONS: u32 = 4;
    pub(crate) const PREFERRED_MESSAGE_SIZE: u32 = 5;
    pub(crate) const MAXIMUM_RECORD_SIZE: u32 = 6;
    pub(crate) const IMPLEMENTATION_ID: u32 = 8;
    pub(crate) const IMPLEMENTATION_NAME: u32 = 9;
    pub(crate) const IMPLEMENTATION_VERSION: u32 = 10;
    pub(crate) const RESULT_SET_NAME: u32 = 17;
    pub(crate) const DATABASE_NAMES: u32 = 18;
    pub(crate) const ELEMENT_SET_NAMES: u32 = 19;
    pub(crate) const QUERY_TYPE: u32 = 20;
    pub(crate) const QUERY: u32 = 21;
    pub(crate) const DATABASE_DIAGNOSTIC: u32 = 28;
    pub(crate) const ATTRIBUTE_LIST: u32 = 44;
    pub(crate) const TERM: u32 = 45;
    pub(crate) const OPERATOR: u32 = 46;
    pub(crate) const USER_INFORMATION: u32 = 99;
    pub(crate) const SEED_WORDS: u32 = 106;
    pub(crate) const DATE_FACTOR: u32 = 111;
    pub(crate) const MAX_DOCUMENTS_RETRIEVED: u32 = 114;
    pub(crate) const SEED_WORDS_USED: u32 = 115;
    pub(crate) const DOCUMENT_ID: u32 = 116;
    pub(crate) const SCORE: u32 = 118;
    pub(crate) const BEST_MATCH: u32 = 119;
    pub(crate) const DOCUMENT_LENGTH: u32 = 120;
    pub(crate) const SOURCE: u32 = 121;
    pub(crate) const DATE: u32 = 122;
    pub(crate) const HEADLINE: u32 = 123;
    pub(crate) const ORIGIN_CITY: u32 = 124;
    pub(crate) const TEXT: u32 = 127;
    pub(crate) const LINES: u32 = 131;
    pub(crate) const TYPE_BLOCK: u32 = 132;
    pub(crate) const TYPE: u32 = 133;
    pub(crate) const DOCUMENT_HEADER: u32 = 150;
    pub(crate) const DOCUMENT_SHORT_HEADER: u32 = 151;
    pub(crate) const DOCUMENT_LONG_HEADER: u32 = 152;
    pub(crate) const DOCUMENT_TEXT: u32 = 153;
    pub(crate) const DOCUMENT_HEADLINE: u32 = 154;
}

#[cfg(test)]
mod tests {
    use super::{
        DecodeError, HEADER_LEN, Reader, decode_document_id, decode_header, encode_document_id,
        message, write_compressed, write_number,
    };

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

    #[test]
    fn integers_read_back() {
        for value in [
            0,
            1,
            127,
            128,
            131,
            16_383,
            16_384,
            2_097_151,
            2_097_152,
            (1 << 28) - 1,
        ] {
            let mut octets = Vec::new();
            write_compressed(&mut octets, value);
            let mut reader = Reader::new(&octets);
            assert_eq!(
                usize::try_from(reader.compressed().unwrap()).unwrap(),
                value
            );
            assert!(reader.is_empty() && octets.first() != Some(&0x80));
        }
        for value in [0, 1, 255, 256, 94_421, u64::MAX] {
            let mut octets = Vec::new();
            write_number(&mut octets, 114, value);
            let (tag, field) = Reader::new(&octets).tagged().unwrap().unwrap();
            assert_eq!((tag, field.number()), (114, Ok(value)));
        }
    }

    fn decode(text: &str) -> Result<u64, usize> {
        let octets: &[u8; HEADER_LEN] = text.as_bytes().try_into().unwrap();
        decode_header(octets).map_err(|error| error.offset)
    }

    #[test]
    fn headers() {
        assert_eq!(message(b"abc"), b"0000000003z2wais        0abc");
        assert_eq!(decode("0000000003z2wais        0"), Ok(3));
        assert_eq!(decode("9999999999z1other      0x"), Err(22));
        assert_eq!(decode("9999999999z1other       x"), Ok(9_999_999_999));
        assert_eq!(decode("0000000000z2wais        0"), Ok(0));
        for (text, offset) in [
            ("-000000003z2wais        0", 0),
            ("         3z2wais        0", 0),
            ("0000000003n2wais        0", 10),
            ("0000000003z2wais      u 0", 22),
            ("0000000003z2wais       h0", 22),
            ("\0\0\0\0\0\0\0\0\0\0z2wais        0", 0),
        ] {
            assert_eq!(decode(text), Err(offset), "{text:?}");
        }
    }

    #[test]
    fn fields_that_are_written_otherwise_are_not_decoded() {
        let id = b"\x01\x05h:210\x02\x02db\x07\x01\x00";
        let fields = decode_document_id(id).unwrap();
        assert_eq!(fields, [(1, &b"h:210"[..]), (2, b"db"), (7, b"\0")]);
        assert_eq!(encode_document_id(fields).unwrap(), id);
        for id in [
            &b""[..],
            b"0 67 /a",
            b"\x80\x01\x01a",
            b"\x01\x80\x01a",
            b"\x01\x02a",
        ] {
            assert_eq!(decode_document_id(id), None, "{id:?}");
        }
        assert_eq!(encode_document_id([(1 << 28, "")]), None);
    }
}
