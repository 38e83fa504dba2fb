//! Percent-encoding and decoding, and the conversion of IRIs to URIs and back.

mod decode;
mod encode;

use crate::input::Unparsed;
use crate::reading::Failure;
use crate::record::{ErrorRecord, InputKeys, TextKeys};
use crate::{OptionError, Reader};
use std::borrow::Cow;
use std::str::FromStr;
use urikit::percent::{self, Place};
use urikit::{Standard, UnknownName};

/// The character encoding of escaped octets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Charset {
    /// UTF-8, as RFC 3986 and later standards recommend.
    #[default]
    Utf8,
    /// ISO Latin-1, as in RFC 1630.
    Latin1,
    /// No character encoding: the octets are used as they are.
    Bytes,
}

impl Charset {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Utf8, Self::Latin1, Self::Bytes];

    /// Returns the name: `utf-8`, `latin-1` or `bytes`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
            Self::Bytes => "bytes",
        }
    }

    /// Describes the encoding in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8, as RFC 3986 and later standards recommend",
            Self::Latin1 => "ISO Latin-1, as in RFC 1630",
            Self::Bytes => "No character encoding: the octets are used as they are",
        }
    }

    /// Returns the input as text, which must be UTF-8.
    fn text(bytes: &[u8]) -> Result<&str, Failure> {
        percent::utf8(bytes).map_err(|error| Failure::Charset(error, "UTF-8"))
    }

    /// Converts `bytes` from UTF-8 to octets in this encoding.
    fn octets(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        match self {
            Self::Bytes => Ok(Cow::Borrowed(bytes)),
            Self::Utf8 => Self::text(bytes).map(|text| Cow::Borrowed(text.as_bytes())),
            Self::Latin1 => percent::latin1(Self::text(bytes)?)
                .map_err(|error| Failure::Charset(error, "ISO Latin-1")),
        }
    }
}

impl FromStr for Charset {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &urikit::names_of_all!(Charset, name);
        let found = Self::ALL.into_iter().find(|charset| charset.name() == text);
        found.ok_or(UnknownName::new("charset", NAMES))
    }
}

/// The direction of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Percent-encodes data, or converts an IRI to a URI.
    Encode,
    /// Percent-decodes text, or converts a URI to an IRI.
    Decode,
}

impl Direction {
    /// Returns the keys of the result, as text and in base64.
    pub const fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Encode => ["encoded", "encoded_base64"],
            Self::Decode => ["decoded", "decoded_base64"],
        }
    }

    /// Returns the standard that complete references follow before the conversion.
    const fn complete(self) -> Standard {
        match self {
            Self::Encode => Standard::Rfc3987,
            Self::Decode => Standard::Rfc3986,
        }
    }
}

/// A conversion: the direction, and its options.
///
/// ```
/// use urikit_report::percent::{Direction, Options};
/// let options = Options {
///     component: Some("query-value".parse()?),
///     ..Options::new(Direction::Encode)
/// };
/// let conversion = options.check()?;
/// assert_eq!(*conversion.convert(b"a b&c")?, *b"a%20b%26c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate option
pub struct Options {
    /// The direction.
    pub direction: Direction,
    /// The standard, which must be an RFC. Conversions of complete references ignore the standard.
    pub reader: Reader,
    /// The component that contains the text.
    pub component: Option<Place>,
    /// The character encoding of escaped octets.
    pub charset: Charset,
    /// True if a `+` represents a space in a query.
    pub form: bool,
    /// True if existing escapes in data are kept. Otherwise, the `%` of each escape is escaped.
    pub partly: bool,
    /// True if a `%` that does not begin an escape is kept.
    pub is_lenient: bool,
    /// True if inputs are complete URIs or IRIs.
    pub is_complete: bool,
    /// True if hosts of complete IRIs are converted to their DNS form.
    pub idna: bool,
}

impl Options {
    /// Returns the default options for a direction.
    pub fn new(direction: Direction) -> Self {
        Self {
            direction,
            reader: Reader::default(),
            component: None,
            charset: Charset::default(),
            form: false,
            partly: false,
            is_lenient: false,
            is_complete: false,
            idna: false,
        }
    }

    /// Checks the options against each other and the standard.
    ///
    /// # Errors
    ///
    /// Fails if the standard is not an RFC, if the RFC does not define the component or escapes in
    /// it, or if `form` is set for a component other than a query. The message uses the names of
    /// the options on the command line.
    pub fn check(self) -> Result<Conversion, OptionError> {
        let standard = match self.reader {
            _ if self.is_complete => self.direction.complete(),
            Reader::Rfc(standard) => standard,
            Reader::Whatwg => {
                let message = "whatwg does not define escapes for single components; use an RFC";
                return Err(OptionError(message.to_owned()));
            }
        };
        if let Some(component) = self.component {
            let document = standard.document();
            let Some(class) = component.class(standard) else {
                let message = format!("{document} does not define the component {component}");
                return Err(OptionError(message));
            };
            if self.partly && !class.has_escapes() {
                let message =
                    format!("--partly keeps escapes, but a {component} of {document} has none");
                return Err(OptionError(message));
            }
            if self.form && !component.is_query() {
                let message = format!("--form applies only to queries, not to a {component}");
                return Err(OptionError(message));
            }
        }
        Ok(Conversion {
            options: self,
            standard,
        })
    }
}

/// A conversion whose options have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    options: Options,
    standard: Standard,
}

impl Conversion {
    /// Returns the standard.
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns the options.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Converts an input.
    ///
    /// # Errors
    ///
    /// Fails if the input is not valid, or has no result.
    pub fn convert<'a>(&self, input: &'a [u8]) -> Result<Cow<'a, [u8]>, Failure> {
        let complete = |text: String| Cow::Owned(text.into_bytes());
        match (self.options.direction, self.options.is_complete) {
            (Direction::Encode, true) => encode::complete(input, self).map(complete),
            (Direction::Encode, false) => encode::part(input, self),
            (Direction::Decode, true) => decode::complete(input, self).map(complete),
            (Direction::Decode, false) => decode::part(input, self),
        }
    }

    /// Returns the record of an input.
    pub fn record<'a>(
        &self,
        input: Unparsed<'a>,
        result: Result<&'a [u8], &Failure>,
    ) -> ConversionRecord<'a> {
        ConversionRecord {
            input: input.into(),
            component: self.options.component.map(Place::as_str),
            standard: self.standard.name(),
            valid: !result.is_err_and(Failure::is_of_input),
            result: TextKeys::exact(self.options.direction.keys(), result.ok()),
            error: result.err().map(ErrorRecord::from),
        }
    }
}

/// One result.
#[derive(serde::Serialize)]
pub struct ConversionRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    component: Option<&'static str>,
    standard: &'static str,
    valid: bool,
    #[serde(flatten)]
    result: TextKeys<'a>,
    error: Option<ErrorRecord>,
}
