//! What precedes the comma: RFC 2397's `mediatype` and `;base64`.

use super::super::ReadError;
use super::super::shape::Shape;
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, DIGITS, LETTERS, Rule};
use urikit::internal::encoded;
use urikit::internal::escaped_octet;

/// RFC 2045's `token`: no spaces, control characters or `tspecials`.
static TOKEN: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"!#$%&'*+-.^_`{|}~"));

const MEDIATYPE: Rule = Rule::new("mediatype", "RFC 2397, 3");
const PARAMETER: Rule = Rule::new("parameter", "RFC 2397, 3");

/// The parts of a data URL, as written.
pub(super) struct Head<'a> {
    pub(super) media_type: Option<(Encoded<'a>, Encoded<'a>)>,
    pub(super) parameters: Encoded<'a>,
    pub(super) is_base64: bool,
    pub(super) data: Encoded<'a>,
}

/// A text that is read from the front.
struct Reader<'r, 'a> {
    shape: &'r Shape<'a>,
    text: &'a str,
    at: usize,
}

/// Reads up to the comma; the rest is data.
pub(super) fn read<'a>(shape: &Shape<'a>) -> Result<Head<'a>, ReadError> {
    let text = shape.scheme_part().as_str();
    let mut reader = Reader { shape, text, at: 0 };
    let media_type = match reader.next() {
        Some(b';' | b',') => None,
        _ => Some(reader.media_type()?),
    };
    let start = reader.at;
    let mut end = start;
    let mut is_base64 = false;
    loop {
        match reader.next() {
            Some(b';') if !is_base64 => {
                reader.at += 1;
                is_base64 = reader.parameter()?;
                end = if is_base64 { end } else { reader.at };
            }
            Some(b',') => break,
            _ => return Err(reader.refuse("`;` or `,`", MEDIATYPE)),
        }
    }
    let parameters = reader.since(start, end);
    Ok(Head {
        media_type,
        parameters: encoded(parameters.strip_prefix(';').unwrap_or(parameters)),
        is_base64,
        data: encoded(text.get(reader.at + 1..).unwrap_or_default()),
    })
}

impl<'a> Reader<'_, 'a> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn since(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn refuse(&self, expected: &'static str, rule: Rule) -> ReadError {
        let start = self.shape.offset(self.text);
        self.shape.mismatch_in(start + self.at, expected, rule)
    }

    /// `type "/" subtype`
    fn media_type(&mut self) -> Result<(Encoded<'a>, Encoded<'a>), ReadError> {
        let expected = "a media type, `;` or `,`";
        let type_name = self.one_or_more(is_token, expected, MEDIATYPE)?;
        if self.next() != Some(b'/') {
            return Err(self.refuse("`/` and a subtype", MEDIATYPE));
        }
        self.at += 1;
        let subtype = self.one_or_more(is_token, "a subtype", MEDIATYPE)?;
        Ok((type_name, subtype))
    }

    /// `attribute "=" value`; or `base64`, for which it returns `true`.
    fn parameter(&mut self) -> Result<bool, ReadError> {
        let attribute = self.one_or_more(is_token, "an attribute or `base64`", PARAMETER)?;
        match self.next() {
            Some(b'=') => self.at += 1,
            Some(b',') if attribute.as_str().eq_ignore_ascii_case("base64") => return Ok(true),
            _ => return Err(self.refuse("`=` and a value (`;base64` comes last)", PARAMETER)),
        }
        self.one_or_more(is_value, "a value", PARAMETER)?;
        Ok(false)
    }

    /// One or more characters, literal or escaped, that `is` accepts; its argument says whether it
    /// is an escape.
    fn one_or_more(
        &mut self,
        is: fn(u8, bool) -> bool,
        expected: &'static str,
        rule: Rule,
    ) -> Result<Encoded<'a>, ReadError> {
        let start = self.at;
        while let Some(byte) = self.next() {
            match self.text.as_bytes().get(self.at..).and_then(escaped_octet) {
                Some(octet) if is(octet, true) => self.at += 3,
                Some(octet) => {
                    // The offset of the digit at which the escape can no longer become a valid
                    // one.
                    let is_begin = |low| is(octet & 0xF0 | low, true);
                    self.at += if (0..16).any(is_begin) { 2 } else { 1 };
                    return Err(self.refuse("the escape of a character that may stand there", rule));
                }
                None if is(byte, false) => self.at += 1,
                None => break,
            }
        }
        if self.at == start {
            return Err(self.refuse(expected, rule));
        }
        Ok(encoded(self.since(start, self.at)))
    }
}

fn is_token(octet: u8, _is_escape: bool) -> bool {
    TOKEN.contains(octet)
}

/// A token. Other characters are escaped, where other specifications have quoted strings.
fn is_value(octet: u8, is_escape: bool) -> bool {
    TOKEN.contains(octet) || is_escape && octet.is_ascii()
}
