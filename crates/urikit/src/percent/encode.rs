//! Encoding: converts data to text.

use super::place::{ADDRESS_LITERAL, Place};
use super::{escape, escaped_octet};
use crate::bytes::char_at;
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{Beyond, ByteSet, Class, Rule, rfc1630};
use crate::layout::offset_u32;
use crate::parse::{is_address_literal, rfc1630_host, rfc1738_host};
use crate::{MAX_LEN, ParseError, Standard};
use core::fmt;

/// The meaning of a `%` in the data that is encoded.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, Reading, encode};
/// // RFC 3986, 2.4: "Implementations must not percent-encode or decode the same string more than
/// // once".
/// let text = encode("%7Efoo 5%", Place::Segment, Standard::Rfc3986)?;
/// assert_eq!(text.to_string(), "%257Efoo%205%25");
/// let kept = text.reading(Reading::Partly);
/// assert_eq!(kept.to_string(), "%7Efoo%205%25"); // `%7E` is an escape, the last `%` is data
/// # Ok::<(), urikit::percent::EncodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// A `%` is data, and becomes `%25`.
    #[default]
    Data,
    /// A `%` followed by two hexadecimal digits is kept as an escape. Any other `%` is data. A `+`
    /// that means a space, under the standard or in a form, is kept too. Encoding twice gives the
    /// same result as encoding once.
    Partly,
}

/// The reason why data cannot be encoded for a component.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{EncodeError, Place, encode};
/// // RFC 1738, 5: a `hostname` has no escapes.
/// let error = encode("a_b", Place::Host, Standard::Rfc1738).unwrap_err();
/// assert!(matches!(error, EncodeError::NoEscapes(error) if error.offset() == 1));
/// // RFC 1630 has no parameters.
/// let error = encode("v=1", Place::Params, Standard::Rfc1630).unwrap_err();
/// assert!(matches!(error, EncodeError::NoSuchPlace { .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EncodeError {
    /// The standard does not define the component.
    NoSuchPlace {
        /// The component.
        component: Place,
        /// The standard.
        standard: Standard,
    },
    /// The component does not allow escapes, and a byte of the data would need one. The error
    /// contains the offset of that byte and the production.
    NoEscapes(ParseError),
    /// The data cannot be a host of the standard, escaped or not: RFC 1630 restricts the first
    /// character of a host, and RFC 1738 the first and last characters of each label.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::percent::{EncodeError, Place, encode};
    /// let error = encode("1a", Place::Host, Standard::Rfc1738).unwrap_err();
    /// assert!(matches!(error, EncodeError::InvalidHost(error) if error.offset() == 2));
    /// ```
    InvalidHost(ParseError),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPlace {
                component,
                standard,
            } => write!(f, "{} has no {component}", standard.document()),
            Self::NoEscapes(error) => write!(f, "escapes are not allowed here: {error}"),
            Self::InvalidHost(error) => write!(f, "not a valid host: {error}"),
        }
    }
}

impl core::error::Error for EncodeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::NoEscapes(error) | Self::InvalidHost(error) => Some(error),
            Self::NoSuchPlace { .. } => None,
        }
    }
}

/// Encodes `data` (text, or any bytes) for a component of a standard. Bytes that the component does
/// not allow literally ([`Place::class`]) become escapes.
///
/// Under RFC 3987, allowed non-ASCII characters stay literal, except for white space and characters
/// that format bidirectional text (RFC 3987, 4.1 and 6.1).
///
/// An address in brackets stays literal in a host if the standard defines this form (RFC 2732, 3;
/// RFC 3986, 3.2.2), because brackets never appear in a registered name.
///
/// Dots stay literal, so the segments `.` and `..` are dot segments in a path. Escaping the dots
/// would not prevent that (RFC 3986, 6.2.2). Programs that write names into paths must reject `.`
/// and `..`, as the builder does.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, Reading, encode};
/// // RFC 3986, 2.5
/// let name = encode("Laguna Beach", Place::Segment, Standard::Rfc3986)?;
/// assert_eq!(name.to_string(), "Laguna%20Beach");
/// // RFC 2396, 2.4.2: a percent sign that is data
/// let data = encode("100%25", Place::Segment, Standard::Rfc2396)?;
/// assert_eq!(data.to_string(), "100%2525");
/// assert_eq!(data.reading(Reading::Partly).to_string(), "100%25");
/// # Ok::<(), urikit::percent::EncodeError>(())
/// ```
///
/// # Errors
///
/// Fails if the standard does not define the component. Also fails at the first byte that needs an
/// escape if the component does not allow escapes, as in RFC 1630's `user` and `password` and in
/// RFC 1738's `hostname`, and if the data cannot be a host of RFC 1630 or RFC 1738.
pub fn encode<T: AsRef<[u8]> + ?Sized>(
    data: &T,
    component: Place,
    standard: Standard,
) -> Result<Escaped<'_>, EncodeError> {
    let data = data.as_ref();
    let mut class = component.class(standard).ok_or(EncodeError::NoSuchPlace {
        component,
        standard,
    })?;
    if component == Place::Host && is_address_literal(data, standard) {
        class = &ADDRESS_LITERAL;
    }
    if !class.has_escapes() {
        let allowed =
            |byte| class.set().contains(byte) || byte == b':' && component == Place::Userinfo;
        let second_colon = (component == Place::Userinfo)
            .then(|| colons(data).nth(1))
            .flatten();
        let strange = data.iter().position(|byte| !allowed(*byte));
        if let Some(at) = strange.into_iter().chain(second_colon).min() {
            let error = refused(data, at, component, class.rule());
            return Err(EncodeError::NoEscapes(error));
        }
    }
    if component == Place::Host {
        check_host(data, standard)?;
    }
    Ok(Escaped {
        rest: data,
        previous: None,
        class,
        colon: component == Place::Userinfo,
        reading: Reading::Data,
        plus: if component.has_plus_for_space(standard) {
            Plus::SpaceBetweenWords
        } else {
            Plus::Data
        },
        form: false,
    })
}

/// Encodes `data` (text, or any bytes) with a custom set. Every byte that is not in `literal`
/// becomes an escape, and `%` always does.
///
/// Some protocols have stricter rules than a component's production. Amazon S3 signatures, for
/// example, require an escape for every byte that is not unreserved.
///
/// ```
/// use urikit::grammar::ByteSet;
/// use urikit::grammar::rfc3986::UNRESERVED;
/// use urikit::percent::encode_with;
/// let key = encode_with("a b/c+d~", &UNRESERVED.set().or(ByteSet::of(b"/")));
/// assert_eq!(key.to_string(), "a%20b/c%2Bd~");
/// ```
pub fn encode_with<'d, T: AsRef<[u8]> + ?Sized>(data: &'d T, literal: &ByteSet) -> EscapedWith<'d> {
    let never = ByteSet::range(128, 255).or(ByteSet::of(b"%"));
    EscapedWith {
        data: data.as_ref(),
        literal: literal.without(never),
    }
}

/// Data encoded with a custom set of literal bytes, for `Display`. Returned by [`encode_with`].
#[derive(Clone, Copy, Debug)]
pub struct EscapedWith<'d> {
    data: &'d [u8],
    literal: ByteSet,
}

impl fmt::Display for EscapedWith<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.data;
        while let [byte, after @ ..] = rest {
            let run = rest.iter().take_while(|byte| self.literal.contains(**byte));
            let (literal, others) = rest.split_at_checked(run.count()).unwrap_or((rest, &[]));
            if literal.is_empty() {
                f.write_str(escape(*byte))?;
                rest = after;
            } else {
                // INVARIANT: literal bytes are US-ASCII.
                f.write_str(core::str::from_utf8(literal).unwrap_or_default())?;
                rest = others;
            }
        }
        Ok(())
    }
}

/// Checks data whose characters are allowed in a host, literally or escaped. Only RFC 1630 and RFC
/// 1738 have further rules: under RFC 1630, a `hostname` begins with a literal letter.
fn check_host(data: &[u8], standard: Standard) -> Result<(), EncodeError> {
    let host = match standard {
        Standard::Rfc1630 if !data.first().is_some_and(u8::is_ascii_alphabetic) => {
            rfc1630_host(data, 0)
        }
        Standard::Rfc1738 => rfc1738_host(data, 0),
        _ => return Ok(()),
    };
    let error = match host {
        Ok((end, _)) if end == data.len() => return Ok(()),
        // After RFC 1630's `hostnumber`.
        Ok((end, _)) => SyntaxError {
            offset: offset_u32(end),
            found: Found::at(data, end),
            expected: Expected::DIGIT.or(Expected::END),
            production: &rfc1630::HOSTNUMBER,
        },
        Err(error) => error,
    };
    Err(EncodeError::InvalidHost(ParseError::Syntax(error)))
}

fn colons(data: &[u8]) -> impl Iterator<Item = usize> {
    let colons = data.iter().enumerate().filter(|(_, byte)| **byte == b':');
    colons.map(|(at, _)| at)
}

/// Returns the error for the byte at `at` of a component that cannot contain escapes.
#[cold]
fn refused(data: &[u8], at: usize, component: Place, production: &'static Rule) -> ParseError {
    if at > MAX_LEN {
        return ParseError::TooLong { length: data.len() };
    }
    let expected = match component {
        Place::Host => Expected::HOST_CHAR,
        _ => Expected::USERINFO_CHAR,
    };
    ParseError::Syntax(SyntaxError {
        offset: offset_u32(at),
        found: Found::at(data, at),
        expected: expected.or(Expected::END),
        production,
    })
}

/// Encodes as [`encode`] does, and appends the text to `out`. After an error, `out` is unchanged.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, Reading, encode_into};
/// let mut out = String::from("http://h/");
/// // RFC 1630, Recommendations: a slash that delimits nothing is escaped.
/// encode_into("AC/DC", Place::Segment, Standard::Rfc1630, Reading::Data, &mut out)?;
/// assert_eq!(out, "http://h/AC%2FDC");
/// # Ok::<(), urikit::percent::EncodeError>(())
/// ```
///
/// # Errors
///
/// Fails for the same reasons as [`encode`].
#[cfg(feature = "alloc")]
pub fn encode_into<T: AsRef<[u8]> + ?Sized>(
    data: &T,
    component: Place,
    standard: Standard,
    reading: Reading,
    out: &mut alloc::string::String,
) -> Result<(), EncodeError> {
    out.extend(encode(data, component, standard)?.reading(reading));
    Ok(())
}

/// Encoded data, returned by [`encode`]: an iterator over pieces of text. `Display` writes all
/// pieces.
#[derive(Clone)]
pub struct Escaped<'a> {
    rest: &'a [u8],
    /// The byte of data that precedes `rest`.
    previous: Option<u8>,
    class: &'static Class,
    /// True if the colon between the user and the password has not been written yet.
    colon: bool,
    reading: Reading,
    plus: Plus,
    /// True if a space becomes a `+`.
    form: bool,
}

/// The meaning of a `+` in a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plus {
    /// A plus sign.
    Data,
    /// A space. RFC 1630 does not allow two spaces in a row, or a space at either end
    /// (`xalphas [ + search ]`).
    SpaceBetweenWords,
    /// A space, at any position.
    Space,
}

impl<'a> Escaped<'a> {
    /// Sets the meaning of a `%` in the data.
    #[must_use]
    pub const fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Writes `+` for each space and escapes plus signs, as HTML forms do. Under RFC 1630, which
    /// introduced this notation, only a space between two words becomes a `+`.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::percent::{Place, encode};
    /// let words = encode("C++ and C", Place::Query, Standard::Rfc1630)?;
    /// assert_eq!(words.to_string(), "C%2B%2B%20and%20C");
    /// assert_eq!(words.form().to_string(), "C%2B%2B+and+C");
    /// # Ok::<(), urikit::percent::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn form(mut self) -> Self {
        if matches!(self.plus, Plus::Data) {
            self.plus = Plus::Space;
        }
        self.form = true;
        self
    }

    /// Returns the written form of the first byte, which precedes `rest`.
    fn written(&mut self, byte: u8, rest: &'a [u8]) -> Written {
        match byte {
            b'%' if self.is_partly() && escaped_octet(self.rest).is_some() => Written::Plain(3),
            b':' if self.colon => {
                self.colon = false;
                Written::Plain(1)
            }
            b' ' if self.form && self.may_be_plus(rest) => Written::Plus,
            b'+' if self.plus == Plus::Data => self.other(byte),
            b'+' if !self.is_partly() => Written::Escape(byte),
            b'+' if self.may_be_plus(rest) => Written::Plus,
            b'+' => Written::Escape(b' '),
            _ => self.other(byte),
        }
    }

    /// Returns the written form of a byte that has no special meaning here.
    fn other(&self, byte: u8) -> Written {
        let beyond = self.class.beyond();
        if self.class.set().contains(byte) {
            return Written::Plain(1);
        }
        if byte >= 0x80
            && !matches!(beyond, Beyond::None)
            && let Some((c, length)) = char_at(self.rest, 0)
            && beyond.contains(c)
            && is_fit_for_iris(c)
        {
            return Written::Plain(length);
        }
        Written::Escape(byte)
    }

    /// Returns the number of bytes at the front that are literal in any context.
    fn run(&self) -> usize {
        let set = self.class.set();
        let is_end = |byte: &u8| !set.contains(*byte) || *byte == b'+';
        let end = self.rest.iter().position(is_end);
        end.unwrap_or(self.rest.len())
    }

    /// Skips `length` bytes.
    fn pass(&mut self, length: usize) {
        if let Some((passed, rest)) = self.rest.split_at_checked(length) {
            self.previous = passed.last().copied();
            self.rest = rest;
        }
    }

    fn is_partly(&self) -> bool {
        self.reading == Reading::Partly
    }

    /// Returns whether a `+` may replace the byte before `rest`.
    fn may_be_plus(&self, rest: &[u8]) -> bool {
        let is_word = |byte| match byte {
            None | Some(b' ') => false,
            Some(b'+') => !self.is_partly(),
            Some(_) => true,
        };
        self.plus != Plus::SpaceBetweenWords
            || is_word(self.previous) && is_word(rest.first().copied())
    }
}

/// The written form of the next bytes of data.
enum Written {
    /// The number of bytes to copy literally.
    Plain(usize),
    /// An escape of this octet.
    Escape(u8),
    /// A plus sign.
    Plus,
}

impl<'a> Iterator for Escaped<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let data = self.rest;
        let mut plain = 0;
        while let [byte, after @ ..] = self.rest {
            let run = self.run();
            if run > 0 {
                self.pass(run);
                plain += run;
                continue;
            }
            let piece = match self.written(*byte, after) {
                Written::Plain(length) => {
                    self.pass(length);
                    plain += length;
                    continue;
                }
                Written::Plus => "+",
                Written::Escape(octet) => escape(octet),
            };
            if plain > 0 {
                break;
            }
            self.pass(1);
            return Some(piece);
        }
        // INVARIANT: literal bytes are US-ASCII or form complete characters.
        let text = data.get(..plain).map(core::str::from_utf8);
        text.and_then(Result::ok).filter(|text| !text.is_empty())
    }
}

impl core::iter::FusedIterator for Escaped<'_> {}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clone().try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Debug for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", format_args!("{self}"))
    }
}

/// Returns whether a non-ASCII character should be literal in an IRI (RFC 3987, 3.2, step 4).
///
/// Bidirectional formatting characters should not be literal, because section 4.1 forbids them.
/// These are the seven characters that the section lists, and those that Unicode has added since
/// (U+061C, U+2066 to U+2069). White space should not be literal either, because it looks like the
/// space that section 6.1 discusses.
pub(crate) fn is_fit_for_iris(c: char) -> bool {
    !matches!(c,
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{061C}' | '\u{2066}'..='\u{2069}')
        && !c.is_whitespace()
}
