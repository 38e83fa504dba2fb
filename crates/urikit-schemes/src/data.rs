//! `data`: data contained in the URL itself.
//!
//! ```text
//! dataurl   := "data:" [ mediatype ] [ ";base64" ] "," data      RFC 2397, 3
//! mediatype := [ type "/" subtype ] *( ";" parameter )
//! parameter := attribute "=" value
//! data      := *urlchar
//! ```
//!
//! Types, attributes and values follow RFC 2045, with escapes where a URL needs them. Everything
//! after the first comma is data, including a `?` and the text after it, so the URL has no query.
//! The fragment is not part of the data.
//!
//! No later RFC has replaced RFC 2397, which says only "encoded as base64". Base64 is decoded
//! strictly: RFC 4648 requires decoders to reject characters outside the alphabet (3.3) and missing
//! padding (3.2), and allows them to reject padding bits that are not zero (3.5). This module
//! rejects such characters, missing padding and nonzero padding bits.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, Mismatch, ReadError};
use urikit::AnyRef;
use urikit::component::{self, Encoded};
use urikit::grammar::{ByteSet, DIGITS, LETTERS, Rule};
use urikit::octet::escaped_octet;
use urikit_mime::base64::{self, Decode, DecodeError};
#[cfg(feature = "alloc")]
use {
    super::build::{
        self, BuildError, Parts, UNRESERVED, UrlText, are_pairs, build_methods, is, unchanged,
    },
    super::{Detail, Details},
    alloc::{borrow::Cow, format, string::String, string::ToString as _, vec, vec::Vec},
    urikit::{Standard, percent::Place},
};

const DEFINITION: Definition =
    Definition::new("data", Rule::new("dataurl", "RFC 2397, 3"), "RFC 2397");

pub(super) static DATA: Builtin = builtin!(DEFINITION, Data);

/// A data URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Data;
/// let url = Uri::parse("data:,A%20brief%20note")?; // RFC 2397, 4
/// let data = Data::read(url)?;
/// assert_eq!((data.type_name().as_str(), data.subtype().as_str()), ("text", "plain"));
/// assert_eq!(data.charset().unwrap(), "US-ASCII");
/// assert!(data.octets()?.eq(*b"A brief note"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    reference: AnyRef<'a>,
    media_type: Option<(Encoded<'a>, Encoded<'a>)>,
    /// The parameters, without the first semicolon. Empty if the URL has no parameters.
    parameters: Encoded<'a>,
    is_base64: bool,
    after: Encoded<'a>,
    read_by: ReadBy,
}

reading!(
    Data,
    "a data URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `media_type`,
    /// `charset`, `parameters`, `base64`, `size` in octets, and `data`, which is decoded if the
    /// octets are UTF-8, and as written otherwise.
    details
);

impl<'a> Data<'a> {
    /// Reads a reference as a data URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a data URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let head = read_head(&shape)?;
        Ok(Self {
            reference,
            media_type: head.media_type,
            parameters: head.parameters,
            is_base64: head.is_base64,
            after: head.data,
            read_by: shape.read_by(),
        })
    }

    /// Returns the top-level type of the media type, as written. The default is `text` (RFC 2397,
    /// 2).
    pub fn type_name(&self) -> Encoded<'a> {
        self.media_type
            .map_or(Encoded::assume_valid("text"), |given| given.0)
    }

    /// Returns the subtype of the media type, as written. The default is `plain` (RFC 2397, 2).
    pub fn subtype(&self) -> Encoded<'a> {
        self.media_type
            .map_or(Encoded::assume_valid("plain"), |given| given.1)
    }

    /// Returns true if the URL has a type and a subtype.
    pub const fn has_media_type(&self) -> bool {
        self.media_type.is_some()
    }

    /// Returns the parameters of the media type in order: attribute and value, as written. Quoted
    /// strings keep their quotation marks.
    pub fn parameters(&self) -> impl Iterator<Item = (Encoded<'a>, Encoded<'a>)> + use<'a> {
        let parameters = (!self.parameters.is_empty()).then(|| self.parameters.split(';'));
        let pair = |parameter: Encoded<'a>| parameter.split_once('=');
        parameters.into_iter().flatten().filter_map(pair)
    }

    /// Returns the value of the `charset` parameter, as written. The default is `US-ASCII` if the
    /// URL has no media type either (RFC 2397, 2).
    pub fn charset(&self) -> Option<Encoded<'a>> {
        let is_it = |name: Encoded<'_>| {
            let name = name
                .decode()
                .octets()
                .map(|octet| octet.to_ascii_lowercase());
            name.eq(*b"charset")
        };
        let given = self.parameters().find(|(name, _)| is_it(*name));
        match given {
            Some((_, value)) => Some(value),
            None => (!self.has_media_type()).then_some(Encoded::assume_valid("US-ASCII")),
        }
    }

    /// Returns true if the data is encoded as base64.
    pub const fn is_base64(&self) -> bool {
        self.is_base64
    }

    /// Returns everything after the first comma, as written.
    pub const fn data(&self) -> Encoded<'a> {
        self.after
    }

    /// Returns the octets of the data: decodes escapes, and then base64. Does not allocate. Base64
    /// data is checked completely before this method returns.
    ///
    /// # Errors
    ///
    /// Fails if the URL declares base64, but the data is not valid base64 (RFC 4648, 3 and 4).
    /// Examples of invalid data are white space, a missing `=`, and a different alphabet.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Data;
    /// let url = Uri::parse("data:;base64,Zm9vYg==")?; // RFC 4648, 10
    /// assert!(Data::read(url)?.octets()?.eq(*b"foob"));
    /// let url = Uri::parse("data:;base64,Zm9vYg")?;
    /// assert_eq!(
    ///     Data::read(url)?.octets().unwrap_err().to_string(),
    ///     "expected a base64 character or `=`, but the text ends at byte 19 \
    ///      (base64, RFC 4648, 4)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn octets(&self) -> Result<DataOctets<'a>, Mismatch> {
        DataOctets::new(self.reference.as_str(), self.after, self.is_base64)
    }

    /// The media type without its parameters, decoded.
    #[cfg(feature = "alloc")]
    fn media_type(&self) -> String {
        let part = |part: Encoded<'a>| part.decode_utf8().unwrap_or(Cow::Borrowed(part.as_str()));
        format!("{}/{}", part(self.type_name()), part(self.subtype()))
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let octets: Option<Vec<u8>> = self.octets().ok().map(Iterator::collect);
        let size = octets.as_ref().map(Vec::len);
        let text = octets.and_then(|octets| String::from_utf8(octets).ok());
        let parameter = |(name, value): (Encoded<'a>, Encoded<'a>)| {
            Detail::Fields(vec![("name", name.into()), ("value", value.into())])
        };
        details
            .with("media_type", self.media_type())
            .with("charset", self.charset())
            .with("parameters", Detail::list(self.parameters().map(parameter)))
            .with("base64", self.is_base64)
            .with("size", size.and_then(|size| u64::try_from(size).ok()))
            .with(
                "data",
                text.map_or(Detail::from(self.after.as_str()), Detail::from),
            )
    }
}

/// The characters allowed in RFC 2045's `token`, which exclude spaces, control characters and
/// `tspecials`.
static TOKEN: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"!#$%&'*+-.^_`{|}~"));

const MEDIATYPE: Rule = Rule::new("mediatype", "RFC 2397, 3");
const PARAMETER: Rule = Rule::new("parameter", "RFC 2397, 3");

/// The parts of a data URL, as written.
struct Head<'a> {
    media_type: Option<(Encoded<'a>, Encoded<'a>)>,
    parameters: Encoded<'a>,
    is_base64: bool,
    data: Encoded<'a>,
}

/// A position in the text before the comma.
struct HeadCursor<'r, 'a> {
    shape: &'r Shape<'a>,
    text: &'a str,
    at: usize,
}

/// Reads `mediatype` and `;base64`, up to the comma. Everything after the comma is data.
fn read_head<'a>(shape: &Shape<'a>) -> Result<Head<'a>, ReadError> {
    let text = shape.scheme_part().as_str();
    let mut cursor = HeadCursor { shape, text, at: 0 };
    let media_type = match cursor.next() {
        Some(b';' | b',') => None,
        _ => Some(cursor.media_type()?),
    };
    let start = cursor.at;
    let mut end = start;
    let mut is_base64 = false;
    loop {
        match cursor.next() {
            Some(b';') if !is_base64 => {
                cursor.at += 1;
                is_base64 = cursor.parameter()?;
                end = if is_base64 { end } else { cursor.at };
            }
            Some(b',') => break,
            _ => return Err(cursor.refuse("`;` or `,`", MEDIATYPE)),
        }
    }
    let parameters = cursor.since(start, end);
    Ok(Head {
        media_type,
        parameters: Encoded::assume_valid(parameters.strip_prefix(';').unwrap_or(parameters)),
        is_base64,
        data: Encoded::assume_valid(text.get(cursor.at + 1..).unwrap_or_default()),
    })
}

impl<'a> HeadCursor<'_, 'a> {
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

    /// Reads `type "/" subtype`.
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

    /// Reads `attribute "=" value` and returns `false`, or reads `base64` and returns `true`.
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

    /// Reads one or more characters that `is` accepts, literal or escaped. `is` receives the
    /// character and a flag that is true if the character is escaped.
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
                    // The error is at the first digit that cannot belong to an allowed escape.
                    let is_begin = |low| is(octet & 0xF0 | low, true);
                    self.at += if (0..16).any(is_begin) { 2 } else { 1 };
                    return Err(self.refuse("the escape of an allowed character", rule));
                }
                None if is(byte, false) => self.at += 1,
                None => break,
            }
        }
        if self.at == start {
            return Err(self.refuse(expected, rule));
        }
        Ok(Encoded::assume_valid(self.since(start, self.at)))
    }
}

fn is_token(octet: u8, _is_escape: bool) -> bool {
    TOKEN.contains(octet)
}

/// Returns true if a value may contain the octet. RFC 2397 uses escapes where other RFCs use quoted
/// strings.
fn is_value(octet: u8, is_escape: bool) -> bool {
    TOKEN.contains(octet) || is_escape && octet.is_ascii()
}

const BASE64: Rule = Rule::new("base64", "RFC 4648, 4");

/// The octets of a data URL.
#[derive(Clone, Debug)]
pub struct DataOctets<'a> {
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Escapes(component::Octets<'a>),
    Base64(Decode<component::Octets<'a>>),
}

impl<'a> DataOctets<'a> {
    /// Decodes `data`, which is a part of `text`.
    fn new(text: &'a str, data: Encoded<'a>, is_base64: bool) -> Result<Self, Mismatch> {
        let octets = data.decode().octets();
        if !is_base64 {
            let source = Source::Escapes(octets);
            return Ok(Self { source });
        }
        let base64 = base64::decode(octets);
        match base64.clone().find_map(Result::err) {
            Some(error) => Err(mismatch(text, data.as_str(), error)),
            None => Ok(Self {
                source: Source::Base64(base64),
            }),
        }
    }
}

impl Iterator for DataOctets<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        match &mut self.source {
            Source::Escapes(octets) => octets.next(),
            // INVARIANT: `new` has checked the data, so errors are impossible.
            Source::Base64(base64) => base64.next()?.ok(),
        }
    }
}

impl core::iter::FusedIterator for DataOctets<'_> {}

/// Converts an error in `data`, which is a part of `text`. The index of the error counts decoded
/// characters, and each escape counts as one.
fn mismatch(text: &str, data: &str, error: DecodeError) -> Mismatch {
    let start = data.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let end = start + data.len();
    let mut rest = data.as_bytes();
    for _ in 0..error.index {
        let length = if escaped_octet(rest).is_some() { 3 } else { 1 };
        rest = rest.get(length..).unwrap_or_default();
    }
    // The input of the base64 decoder is only the data, even if a fragment follows.
    let text = text.get(..end).unwrap_or(text);
    Mismatch::new(text, end - rest.len(), error.expected.as_str(), BASE64)
}

/// The characters that stay unescaped in a type, an attribute or a value: those of RFC 2045's
/// `token` that all standards allow.
#[cfg(feature = "alloc")]
const TOKEN_UNESCAPED: ByteSet = UNRESERVED.without(ByteSet::of(b"(),"));
/// The characters that stay unescaped in the data.
#[cfg(feature = "alloc")]
const DATA_UNESCAPED: ByteSet = UNRESERVED.or(ByteSet::of(b";:@&=/"));

/// Builds a data URL from octets.
///
/// ```
/// use urikit_schemes::Data;
/// let url = Data::builder("A brief note").build()?; // RFC 2397, 4
/// assert_eq!(url.as_str(), "data:,A%20brief%20note");
/// let url = Data::builder("foob").media_type("image/gif").base64().build()?;
/// assert_eq!(url.as_str(), "data:image/gif;base64,Zm9vYg==");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct DataBuilder<'a> {
    octets: build::Data<'a>,
    media_type: Option<&'a str>,
    parameters: Vec<(&'a str, &'a str)>,
    is_base64: bool,
}

#[cfg(feature = "alloc")]
impl Data<'_> {
    /// Starts building a URL with these octets as its data.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(octets: &T) -> DataBuilder<'_> {
        DataBuilder {
            octets: build::data(octets),
            media_type: None,
            parameters: Vec::new(),
            is_base64: false,
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a> DataBuilder<'a> {
    /// Sets the media type: the type, a slash and the subtype. The default is `text/plain`.
    #[must_use]
    pub const fn media_type(mut self, media_type: &'a str) -> Self {
        self.media_type = Some(media_type);
        self
    }

    /// Adds a parameter to the media type, such as `charset`. A value may be any US-ASCII text.
    #[must_use]
    pub fn parameter(mut self, attribute: &'a str, value: &'a str) -> Self {
        self.parameters.push((attribute, value));
        self
    }

    /// Writes the data as base64 instead of escapes.
    #[must_use]
    pub const fn base64(mut self) -> Self {
        self.is_base64 = true;
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    DataBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the media type or a parameter is not valid.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for DataBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        let token = |text: &mut UrlText, token: &str| {
            text.escape(token.as_bytes(), Place::Path, &TOKEN_UNESCAPED);
        };
        if let Some(media_type) = self.media_type {
            match media_type.split_once('/') {
                Some((type_name, subtype)) => {
                    token(text, type_name);
                    text.push("/");
                    token(text, subtype);
                }
                None => token(text, media_type),
            }
        }
        for (attribute, value) in &self.parameters {
            text.push(";");
            token(text, attribute);
            text.push("=");
            token(text, value);
        }
        if self.is_base64 {
            text.push(";base64,");
            let data = base64::encode(&self.octets).to_string();
            text.escape(data.as_bytes(), Place::Path, &DATA_UNESCAPED);
        } else {
            text.push(",");
            text.escape(&self.octets, Place::Path, &DATA_UNESCAPED);
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Data::read(url)?;
        let is_type = match self.media_type {
            Some(given) => {
                read.has_media_type()
                    && given.split_once('/').is_some_and(|(type_name, subtype)| {
                        is(read.type_name(), type_name.as_bytes())
                            && is(read.subtype(), subtype.as_bytes())
                    })
            }
            None => !read.has_media_type(),
        };
        unchanged("media type", is_type)?;
        let given = self.parameters.iter();
        let given: Vec<_> = given
            .map(|(name, value)| (name.as_bytes(), value.as_bytes()))
            .collect();
        unchanged("parameter", are_pairs(read.parameters(), &given))?;
        let octets = read.octets();
        let is_data = octets.is_ok_and(|octets| octets.eq(self.octets.iter().copied()));
        unchanged("data", is_data && read.is_base64() == self.is_base64)
    }
}
