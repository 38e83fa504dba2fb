//! The `name=value` pairs of a query, as written.
//!
//! URI standards do not divide a query into pairs; HTML forms do
//! (`application/x-www-form-urlencoded`). Pairs are therefore only a view: any query can be split
//! into pairs, and joining the pairs with their separators gives the query, byte for byte.

use super::encoded::{Encoded, may_split};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

/// The name and the value of a pair, decoded as HTML form data. The name or value is borrowed if
/// it contains no escapes.
#[cfg(feature = "alloc")]
pub type FormPair<'a> = Result<(Cow<'a, str>, Cow<'a, str>), super::NotUtf8>;

/// The character that separates pairs in HTML form data.
pub const AMPERSAND: char = '&';

/// A pair of a query: `name=value`, or only a name.
///
/// ```text
/// q=caf%C3%A9+noir&page&=x
/// │ ╰────┬───────╯ ╰┬─╯ ╰─ an empty name, the value "x"
/// │    value        a name without a value
/// name
/// ```
///
/// ```
/// use urikit::Uri;
/// let query = Uri::parse("http://a/?q=caf%C3%A9+noir&page&=x")?.query().unwrap();
/// let pairs: Vec<_> = query.pairs('&').collect();
/// assert_eq!(pairs[0].decode_form_utf8()?, ("q".into(), "café noir".into()));
/// assert_eq!(pairs[1].value(), None); // absent rather than empty
/// assert_eq!((pairs[2].name().as_str(), pairs[2].value().unwrap().as_str()), ("", "x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair<'a> {
    text: Encoded<'a>,
    /// The offset of the first `=`, or the length of the pair if it has no `=`.
    name_end: usize,
}

impl<'a> Pair<'a> {
    fn new(text: &'a str) -> Self {
        let equals = text.bytes().position(|byte| byte == b'=');
        Self {
            text: Encoded::new(text),
            name_end: equals.unwrap_or(text.len()),
        }
    }

    /// Returns the pair as percent-encoded text.
    pub const fn encoded(self) -> Encoded<'a> {
        self.text
    }

    /// Returns the pair as written.
    pub const fn as_str(self) -> &'a str {
        self.text.as_str()
    }

    /// Returns whether the pair is empty, like the one between two adjacent separators.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the part before the first `=`, or the complete pair if it has no `=`.
    pub fn name(self) -> Encoded<'a> {
        Encoded::new(self.text.as_str().get(..self.name_end).unwrap_or_default())
    }

    /// Returns the part after the first `=`. Returns `None` if the pair has no `=`, and an empty
    /// value if nothing follows the `=`.
    pub fn value(self) -> Option<Encoded<'a>> {
        self.text
            .as_str()
            .get(self.name_end + 1..)
            .map(Encoded::new)
    }

    /// Decodes the name and the value as HTML form data: `+` is a space. The value is empty if the
    /// pair has no `=`.
    ///
    /// # Errors
    ///
    /// Fails if the name or the value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn decode_form_utf8(self) -> FormPair<'a> {
        let value = self.value().unwrap_or(Encoded::EMPTY);
        Ok((self.name().decode_form_utf8()?, value.decode_form_utf8()?))
    }

    /// Returns whether the name decodes to these bytes. A `+` in the name is a plus sign.
    ///
    /// ```
    /// use urikit::Uri;
    /// let query = Uri::parse("http://a/?caf%C3%A9=1")?.query().unwrap();
    /// let pair = query.pairs('&').next().unwrap();
    /// assert!(pair.is_named("café".as_bytes()));
    /// assert!(!pair.is_named(b"caf%C3%A9")); // expects the decoded name
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_named(self, name: &[u8]) -> bool {
        self.name().decode() == *name
    }
}

impl fmt::Display for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// An iterator over the pairs of a query, in order. An empty query has no pairs; two adjacent
/// separators have an empty pair between them.
///
/// ```
/// use urikit::Uri;
/// let count = |text| Uri::parse(text).unwrap().query().unwrap().pairs('&').count();
/// assert_eq!(count("http://a/?"), 0);
/// assert_eq!(count("http://a/?x=1&&y=2"), 3); // the second pair is empty
/// assert_eq!(count("http://a/?&"), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    rest: Option<&'a str>,
    /// The separator of pairs, or `None` if the complete query is one pair.
    separator: Option<u8>,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    // Searches for the `=` and the separator in one pass, eight bytes at a time. Pairs are so
    // short that two separate searches would cost more.
    fn next(&mut self) -> Option<Pair<'a>> {
        let rest = self.rest?;
        let bytes = rest.as_bytes();
        let (mut at, mut equals) = (0, None);
        let end = loop {
            let word = word_at(bytes, at);
            let ends = self.separator.map_or(0, |separator| marks(word, separator));
            if equals.is_none() {
                let before_end = if ends == 0 {
                    !0
                } else {
                    (ends & ends.wrapping_neg()) - 1
                };
                equals = first(marks(word, b'=') & before_end).map(|first| at + first);
            }
            if let Some(first) = first(ends) {
                break Some(at + first);
            }
            at += size_of::<u64>();
            if at >= bytes.len() {
                break None;
            }
        };
        self.rest = end.and_then(|end| rest.get(end + 1..));
        let text = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        Some(Pair {
            text: Encoded::new(text),
            name_end: equals.unwrap_or(text.len()),
        })
    }
}

/// Returns the eight bytes at `at`, padded with zeros at the end.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    match (rest.first_chunk(), bytes.last_chunk()) {
        (Some(word), _) => u64::from_le_bytes(*word),
        (None, _) if rest.is_empty() => 0,
        (None, Some(last)) => u64::from_le_bytes(*last) >> (8 * (size_of::<u64>() - rest.len())),
        (None, None) => rest
            .iter()
            .rfold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Returns 0x80 in place of the first byte of `word` that equals `byte`, and 0 in place of all
/// bytes before it. Returns 0 if `word` does not contain `byte`.
#[inline]
const fn marks(word: u64, byte: u8) -> u64 {
    // The subtraction may also mark bytes after the first one, because a zero byte borrows from the
    // next.
    let other = word ^ u64::from_le_bytes([byte; 8]);
    other.wrapping_sub(u64::from_le_bytes([1; 8])) & !other & u64::from_le_bytes([0x80; 8])
}

/// Returns the index of the first marked byte.
#[inline]
const fn first(marks: u64) -> Option<usize> {
    match marks {
        0 => None,
        marks => Some(marks.trailing_zeros() as usize / 8),
    }
}

impl<'a> DoubleEndedIterator for Pairs<'a> {
    fn next_back(&mut self) -> Option<Pair<'a>> {
        let rest = self.rest?;
        let is_separator = |byte: u8| self.separator == Some(byte);
        let separator = rest.bytes().rposition(is_separator);
        self.rest = separator.and_then(|at| rest.get(..at));
        let start = separator.map_or(0, |at| at + 1);
        rest.get(start..).map(Pair::new)
    }
}

impl core::iter::FusedIterator for Pairs<'_> {}

impl<'a> Pairs<'a> {
    /// Splits a query, which may be absent, into pairs at its ampersands.
    pub(crate) fn of(query: Option<Encoded<'a>>) -> Self {
        let none = Self {
            rest: None,
            separator: None,
        };
        query.map_or(none, |query| query.pairs(AMPERSAND))
    }
}

impl<'a> Encoded<'a> {
    /// Splits a query into pairs. The separator is [`AMPERSAND`] in forms; HTML 4.01, B.2.2
    /// proposed `;`. A separator that could be part of an escape does not split the query.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://www.example/?a=1;b=2")?;
    /// let pairs = url.query().unwrap().pairs(';');
    /// assert!(pairs.map(|pair| pair.as_str()).eq(["a=1", "b=2"]));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn pairs(self, separator: char) -> Pairs<'a> {
        let separator = u8::try_from(separator).ok().filter(u8::is_ascii);
        Pairs {
            rest: (!self.is_empty()).then_some(self.as_str()),
            separator: separator.filter(|byte| may_split(char::from(*byte))),
        }
    }
}
