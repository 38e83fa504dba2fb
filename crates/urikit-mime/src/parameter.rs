//! Reads the `Content-Type` field (RFC 2045, 5) and the parameters of structured fields (RFC 2045,
//! 5.1), including values in several sections and non-ASCII characters (RFC 2231).
//!
//! Invalid values are read as far as possible: unquoted values may contain white space, a `;` may
//! be missing at the end of a line, and text that is not a parameter is skipped.

use crate::boundary;
use crate::header::{Cursor, token};
use crate::transfer::escaped;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The maximum number of parameters that are read from a field. A value with more sections would be
/// longer than 15 KiB.
pub const MAX_PARAMETERS: usize = 256;

/// The parameters of a field.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Parameters<'a> {
    all: Vec<Parameter<'a>>,
    is_complete: bool,
}

/// A parameter, or a section of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parameter<'a> {
    name: &'a [u8],
    /// The section number (RFC 2231, 3), or zero for an extended value without sections.
    section: Option<u32>,
    /// True if the value may contain escaped octets (RFC 2231, 4).
    is_extended: bool,
    value: Cow<'a, [u8]>,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value<'a> {
    /// The octets of the value, encoded in the charset.
    pub octets: Cow<'a, [u8]>,
    /// The charset (RFC 2231, 4), or `None` for a value in US-ASCII.
    pub charset: Option<&'a [u8]>,
    /// The language (RFC 2231, 4).
    pub language: Option<&'a [u8]>,
}

impl<'a> Parameters<'a> {
    /// Reads the parameters, each of which follows a semicolon.
    pub(crate) fn read(mut cursor: Cursor<'a>) -> Self {
        let mut all = Vec::new();
        let mut is_next = false;
        loop {
            is_next |= cursor.blanks();
            if cursor.rest.is_empty() {
                let is_complete = true;
                return Self { all, is_complete };
            }
            if cursor.take(b';') {
                is_next = true;
                continue;
            }
            if !is_next {
                cursor.until(|octet| b";\n".contains(&octet));
                continue;
            }
            let name = cursor.until(|octet| b"=;(".contains(&octet) || octet.is_ascii_whitespace());
            is_next = cursor.blanks();
            if !cursor.take(b'=') {
                continue;
            }
            cursor.blanks();
            let value = if cursor.take(b'"') {
                cursor.quoted()
            } else {
                let value = cursor.until(|octet| b";(\n".contains(&octet));
                Cow::Borrowed(value.trim_ascii_end())
            };
            is_next = false;
            if all.len() == MAX_PARAMETERS {
                let is_complete = false;
                return Self { all, is_complete };
            }
            all.push(Parameter::new(name, value));
        }
    }

    /// Returns true if all parameters were read, and false if the field has more than
    /// [`MAX_PARAMETERS`].
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the value of the parameter with this name, ignoring case. If several parameters have
    /// this name, returns the first. If the value is split into sections (RFC 2231, 3), joins them,
    /// up to the first missing section.
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        let named = || {
            let is_named = |it: &&Parameter<'_>| it.name.eq_ignore_ascii_case(name.as_bytes());
            self.all.iter().filter(is_named)
        };
        if let Some(plain) = named().find(|it| it.section.is_none()) {
            return Some(Value {
                octets: Cow::Borrowed(&plain.value),
                charset: None,
                language: None,
            });
        }
        let mut sections: Vec<_> = named().collect();
        // The sort is stable, so the first section with each number remains first and is used.
        sections.sort_by_key(|it| it.section);
        sections.dedup_by_key(|it| it.section);
        let numbered = (0..)
            .zip(sections)
            .take_while(|(number, it)| it.section == Some(*number));
        let mut sections = numbered.map(|(_, section)| section);
        let mut value = sections.next()?.initial();
        for section in sections {
            section.append(&section.value, value.octets.to_mut());
        }
        Some(value)
    }
}

impl Parameters<'_> {
    /// Returns the value of a parameter. Prefers the extended form, such as `filename*`, to the
    /// plain form, as RFC 6266, 4.3 requires for HTTP header fields.
    ///
    /// ```
    /// use urikit_mime::parameter::ContentType;
    /// let value = b"attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates";
    /// let disposition = ContentType::parse(value).unwrap(); // RFC 6266, 5
    /// let name = disposition.parameters().get_extended("filename").unwrap();
    /// assert_eq!(&*name.octets, "\u{20AC} rates".as_bytes());
    /// ```
    pub fn get_extended(&self, name: &str) -> Option<Value<'_>> {
        let is_it = |it: &&Parameter<'_>| {
            it.name.eq_ignore_ascii_case(name.as_bytes()) && it.is_extended && it.section == Some(0)
        };
        let extended = self.all.iter().find(is_it).map(Parameter::initial);
        extended.or_else(|| self.get(name))
    }
}

impl<'a> Parameter<'a> {
    /// ```text
    /// name ["*" number] ["*"]      RFC 2231, 7
    /// ```
    fn new(written: &'a [u8], value: Cow<'a, [u8]>) -> Self {
        let extended = written.strip_suffix(b"*");
        let base = extended.unwrap_or(written);
        let mut parts = base.rsplitn(2, |octet| *octet == b'*');
        let (last, first) = (parts.next().unwrap_or_default(), parts.next());
        let number = first.and_then(|_| number(last));
        Self {
            name: first.filter(|_| number.is_some()).unwrap_or(base),
            section: number.or(extended.map(|_| 0)),
            is_extended: extended.is_some(),
            value,
        }
    }

    /// Decodes the first section, which may begin with a charset and a language.
    fn initial(&self) -> Value<'_> {
        let mut value = Value {
            octets: Cow::Borrowed(&self.value),
            charset: None,
            language: None,
        };
        if self.is_extended {
            let mut parts = self.value.splitn(3, |octet| *octet == b'\'');
            let (first, second, text) = (parts.next(), parts.next(), parts.next());
            let text = text.unwrap_or(&self.value);
            if text.len() < self.value.len() {
                value.charset = first.filter(|it| !it.is_empty());
                value.language = second.filter(|it| !it.is_empty());
            }
            let mut octets = Vec::with_capacity(text.len());
            self.append(text, &mut octets);
            value.octets = Cow::Owned(octets);
        }
        value
    }

    /// Appends text from this section, with its escapes decoded. Invalid escapes are copied
    /// unchanged.
    fn append(&self, text: &[u8], out: &mut Vec<u8>) {
        if !self.is_extended {
            out.extend_from_slice(text);
            return;
        }
        let mut rest = text;
        while let [octet, after @ ..] = rest {
            let escape = match rest {
                [b'%', high, low, after @ ..] => escaped(*high, *low).zip(Some(after)),
                _ => None,
            };
            let (octet, after) = escape.unwrap_or((*octet, after));
            out.push(octet);
            rest = after;
        }
    }
}

/// Parses the number of a section, which must not have leading zeros.
fn number(digits: &[u8]) -> Option<u32> {
    let is_canonical = digits == b"0" || !digits.starts_with(b"0");
    let digits = digits.iter().all(u8::is_ascii_digit).then_some(digits)?;
    let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
    is_canonical.then_some(number)
}

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
    /// Parses the value of a header field. Returns `None` if the value does not begin with a type.
    /// The subtype may be missing.
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

    /// Returns the type, as written.
    pub const fn type_name(&self) -> &'a [u8] {
        self.type_name
    }

    /// Returns the subtype, as written. The result is empty if the subtype is missing.
    pub const fn subtype(&self) -> &'a [u8] {
        self.subtype
    }

    /// Returns true if this is the given media type, ignoring case.
    pub fn is(&self, type_name: &str, subtype: &str) -> bool {
        self.type_name.eq_ignore_ascii_case(type_name.as_bytes())
            && self.subtype.eq_ignore_ascii_case(subtype.as_bytes())
    }

    /// Returns the value of the parameter with this name, ignoring case.
    pub fn parameter(&self, name: &str) -> Option<Value<'_>> {
        self.parameters.get(name)
    }

    /// Returns all parameters.
    pub const fn parameters(&self) -> &Parameters<'a> {
        &self.parameters
    }

    /// Returns the boundary of a multipart, without trailing white space. Returns `None` if the
    /// boundary is empty or longer than [`boundary::MAX_LENGTH`], or if the media type is not a
    /// multipart.
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
