//! The `Content-Type` field (RFC 2045, 5).

use crate::boundary;
use crate::header::{Cursor, token};
use crate::parameter::{Parameters, Value};
use alloc::vec::Vec;

/// A media type with its parameters.
///
/// ```
/// use urikit_mime::ContentType;
/// // RFC 2045, 5.1, and RFC 2046, 5.1.1
/// let text = ContentType::parse(b"text/plain; charset=us-ascii (Plain text)").unwrap();
/// assert!(text.is("text", "plain"));
/// assert_eq!(&*text.parameter("charset").unwrap().octets, b"us-ascii");
/// let mixed = ContentType::parse(b"multipart/mixed; boundary=\"gc0pJq0M:08jU534c0p\"").unwrap();
/// assert_eq!(mixed.boundary().unwrap(), b"gc0pJq0M:08jU534c0p");
/// // RFC 2231, 4.1
/// let value = b"application/x-stuff;\r\n title*0*=us-ascii'en'This%20is%20even%20more%20;\r\n \
///     title*1*=%2A%2A%2Afun%2A%2A%2A%20;\r\n title*2=\"isn't it!\"";
/// let stuff = ContentType::parse(value).unwrap();
/// let title = stuff.parameter("title").unwrap();
/// assert_eq!(&*title.octets, b"This is even more ***fun*** isn't it!");
/// assert_eq!((title.charset, title.language), (Some(&b"us-ascii"[..]), Some(&b"en"[..])));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentType<'a> {
    type_name: &'a [u8],
    subtype: &'a [u8],
    parameters: Parameters<'a>,
}

impl<'a> ContentType<'a> {
    /// Reads the value of a field; `None` if it does not begin with a type. The subtype may be
    /// missing.
    pub fn parse(value: &'a [u8]) -> Option<Self> {
        let type_name = token(value);
        let mut cursor = Cursor { rest: value };
        cursor.blanks();
        cursor.rest = cursor.rest.get(type_name.len()..).unwrap_or_default();
        let after = cursor;
        cursor.blanks();
        let mut subtype = &b""[..];
        if cursor.take(b'/') {
            subtype = token(cursor.rest);
            cursor.blanks();
            cursor.rest = cursor.rest.get(subtype.len()..).unwrap_or_default();
        } else {
            cursor = after;
        }
        (!type_name.is_empty()).then(|| Self {
            type_name,
            subtype,
            parameters: Parameters::read(cursor),
        })
    }

    /// The type, as written.
    pub const fn type_name(&self) -> &'a [u8] {
        self.type_name
    }

    /// The subtype, as written; empty if it is missing.
    pub const fn subtype(&self) -> &'a [u8] {
        self.subtype
    }

    /// Whether it is this type, in any case.
    pub fn is(&self, type_name: &str, subtype: &str) -> bool {
        self.type_name.eq_ignore_ascii_case(type_name.as_bytes())
            && self.subtype.eq_ignore_ascii_case(subtype.as_bytes())
    }

    /// The value of a parameter, whose name is in any case.
    pub fn parameter(&self, name: &str) -> Option<Value<'_>> {
        self.parameters.get(name)
    }

    /// All parameters.
    pub const fn parameters(&self) -> &Parameters<'a> {
        &self.parameters
    }

    /// The boundary of a multipart, without white space at its end. `None` if it is empty or longer
    /// than [`boundary::MAX_LENGTH`], or if the type is another one.
    pub fn boundary(&self) -> Option<Vec<u8>> {
        if !self.type_name.eq_ignore_ascii_case(b"multipart") {
            return None;
        }
        let boundary = self.parameter("boundary")?.octets.trim_ascii_end().to_vec();
        (1..=boundary::MAX_LENGTH)
            .contains(&boundary.len())
            .then_some(boundary)
    }
}
