//! From data to text.

use super::Component;
use super::chars::{escape, escaped_octet, is_fit_for_iris};
use super::classes::ADDRESS_LITERAL;
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{Beyond, Class, Rule};
use crate::parse::is_address_literal;
use crate::parse::parts::offset_u32;
use crate::parse::text::char_at;
use crate::{MAX_LEN, ParseError, Standard};
use core::fmt;

/// What a `%` in the data is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// Data as everything else: it becomes `%25`.
    #[default]
    Data,
    /// Where two hexadecimal digits follow, an escape, which stays as it is; else data. And a `+` that
    /// stands for a space by the standard or by the form stays one. Encoding twice is encoding once.
    Partly,
}

/// Why data cannot be put into a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EncodeError {
    /// The standard has no such component.
    NoSuchComponent {
        /// The component.
        component: Component,
        /// The standard.
        standard: Standard,
    },
    /// The component takes no escapes, and the data has a byte that cannot stand for itself: where,
    /// and by which production.
    NoEscapes(ParseError),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchComponent {
                component,
                standard,
            } => write!(f, "{} has no {component}", standard.document()),
            Self::NoEscapes(error) => write!(f, "no escapes here: {error}"),
        }
    }
}

impl core::error::Error for EncodeError {}

/// Encodes `data` (text, or any bytes) for a component of a standard: the bytes that do not stand
/// for themselves there ([`Component::class`]) as escapes.
///
/// Under RFC 3987, a character that the component may hold stays as it is, unless it formats
/// bidirectional text or is white space (RFC 3987, 4.1 and 6.1).
///
/// A host that is an address in brackets, where the standard has them, stays as it is (RFC 2732, 3;
/// RFC 3986, 3.2.2): nobody means a registered name by it.
///
/// Dots stand for themselves, so that the segments `.` and `..` come out as they are, and are dot
/// segments in a path: no escape keeps them from that (RFC 3986, 6.2.2).
/// Who puts names into paths has to refuse them, as editing does.
///
/// ```
/// use urikit::Standard;
/// use urikit::op::percent::{Component, Reading, encode};
/// // RFC 3986, 2.5
/// let name = encode("Laguna Beach", Component::Segment, Standard::Rfc3986)?;
/// assert_eq!(name.to_string(), "Laguna%20Beach");
/// // RFC 2396, 2.4.2: a percent that is data
/// let data = encode("100%25", Component::Segment, Standard::Rfc2396)?;
/// assert_eq!(data.to_string(), "100%2525");
/// assert_eq!(data.reading(Reading::Partly).to_string(), "100%25");
/// # Ok::<(), urikit::op::percent::EncodeError>(())
/// ```
///
/// # Errors
///
/// Where the standard has no such component; where the component takes no escapes, at the first byte
/// that would need one: so in RFC 1630's `user` and `password` and in RFC 1738's `hostname`.
pub fn encode<T: AsRef<[u8]> + ?Sized>(
    data: &T,
    component: Component,
    standard: Standard,
) -> Result<Escaped<'_>, EncodeError> {
    let data = data.as_ref();
    let mut class = component
        .class(standard)
        .ok_or(EncodeError::NoSuchComponent {
            component,
            standard,
        })?;
    if component == Component::Host && is_address_literal(data, standard) {
        class = &ADDRESS_LITERAL;
    }
    if !class.has_escapes() {
        let allowed =
            |byte| class.set().contains(byte) || byte == b':' && component == Component::Userinfo;
        let second_colon = (component == Component::Userinfo)
            .then(|| colons(data).nth(1))
            .flatten();
        let strange = data.iter().position(|byte| !allowed(*byte));
        if let Some(at) = strange.into_iter().chain(second_colon).min() {
            let error = refused(data, at, component, class.rule());
            return Err(EncodeError::NoEscapes(error));
        }
    }
    Ok(Escaped {
        rest: data,
        previous: None,
        class,
        colon: component == Component::Userinfo,
        reading: Reading::Data,
        plus: if component.has_plus_for_space(standard) {
            Plus::SpaceBetweenWords
        } else {
            Plus::Data
        },
        form: false,
    })
}

fn colons(data: &[u8]) -> impl Iterator<Item = usize> {
    let colons = data.iter().enumerate().filter(|(_, byte)| **byte == b':');
    colons.map(|(at, _)| at)
}

/// The byte at `at` cannot stand in the component, and no escape can.
#[cold]
fn refused(data: &[u8], at: usize, component: Component, production: &'static Rule) -> ParseError {
    if at > MAX_LEN {
        return ParseError::TooLong { length: data.len() };
    }
    let expected = match component {
        Component::Host => Expected::HOST_CHAR,
        _ => Expected::USERINFO_CHAR,
    };
    ParseError::Syntax(SyntaxError {
        offset: offset_u32(at),
        found: Found::at(data, at),
        expected: expected.or(Expected::END),
        production,
    })
}

/// As [`encode`], to the end of `out`, which holds what it held when there is an error.
///
/// ```
/// use urikit::Standard;
/// use urikit::op::percent::{Component, Reading, encode_into};
/// let mut out = String::from("http://h/");
/// // RFC 1630, Recommendations: a slash that delimits nothing is escaped.
/// encode_into("AC/DC", Component::Segment, Standard::Rfc1630, Reading::Data, &mut out)?;
/// assert_eq!(out, "http://h/AC%2FDC");
/// # Ok::<(), urikit::op::percent::EncodeError>(())
/// ```
///
/// # Errors
///
/// As [`encode`].
#[cfg(feature = "alloc")]
pub fn encode_into<T: AsRef<[u8]> + ?Sized>(
    data: &T,
    component: Component,
    standard: Standard,
    reading: Reading,
    out: &mut alloc::string::String,
) -> Result<(), EncodeError> {
    out.extend(encode(data, component, standard)?.reading(reading));
    Ok(())
}

/// Encoded data: its text in pieces, as an iterator; `Display` writes all of them.
#[derive(Clone)]
pub struct Escaped<'a> {
    rest: &'a [u8],
    /// The byte of data before the rest.
    previous: Option<u8>,
    class: &'static Class,
    /// Whether the colon between user and password is yet to come.
    colon: bool,
    reading: Reading,
    plus: Plus,
    /// Whether a space becomes a `+`.
    form: bool,
}

/// What a `+` means in the place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plus {
    /// Itself.
    Data,
    /// A space, of which RFC 1630 has no two in a row and none at an end (`xalphas [ + search ]`).
    SpaceBetweenWords,
    /// A space, anywhere.
    Space,
}

impl<'a> Escaped<'a> {
    /// The same, with what a `%` in the data is.
    #[must_use]
    pub const fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// The same with `+` for each space, and a real plus escaped, as HTML's forms have it in queries.
    /// Under RFC 1630, whose own shorthand this is, for each space between two words.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::percent::{Component, encode};
    /// let words = encode("C++ and C", Component::Query, Standard::Rfc1630)?;
    /// assert_eq!(words.to_string(), "C%2B%2B%20and%20C");
    /// assert_eq!(words.form().to_string(), "C%2B%2B+and+C");
    /// # Ok::<(), urikit::op::percent::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn form(mut self) -> Self {
        if matches!(self.plus, Plus::Data) {
            self.plus = Plus::Space;
        }
        self.form = true;
        self
    }

    /// How the byte before `rest`, its first, is written.
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

    /// How a byte is written that has no part of its own here.
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

    /// How many bytes at the front stand for themselves whatever surrounds them.
    fn run(&self) -> usize {
        let set = self.class.set();
        let is_end = |byte: &u8| !set.contains(*byte) || *byte == b'+';
        let end = self.rest.iter().position(is_end);
        end.unwrap_or(self.rest.len())
    }

    /// Leaves so many bytes behind.
    fn pass(&mut self, length: usize) {
        if let Some((passed, rest)) = self.rest.split_at_checked(length) {
            self.previous = passed.last().copied();
            self.rest = rest;
        }
    }

    fn is_partly(&self) -> bool {
        self.reading == Reading::Partly
    }

    /// Whether a `+` may stand where the byte before `rest` does.
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

/// How the next bytes of data are written.
enum Written {
    /// So many of them as they are.
    Plain(usize),
    /// One as an escape, which need not be its own.
    Escape(u8),
    /// One as a plus.
    Plus,
}

impl<'a> Iterator for Escaped<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let whole = self.rest;
        let mut plain = 0;
        while let [byte, behind @ ..] = self.rest {
            let run = self.run();
            if run > 0 {
                self.pass(run);
                plain += run;
                continue;
            }
            let piece = match self.written(*byte, behind) {
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
        // INVARIANT: plain bytes are US-ASCII or whole characters.
        let text = whole.get(..plain).map(core::str::from_utf8);
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
