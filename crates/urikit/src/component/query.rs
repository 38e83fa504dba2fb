//! The pairs of a query: names and values, as written.
//!
//! No URI standard says that a query consists of pairs; HTML forms do
//! (`application/x-www-form-urlencoded`). So pairs are only a view: any query has pairs, and
//! joined with their separators they are the query, byte for byte.

use super::encoded::{Encoded, may_split};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

/// A pair decoded as HTML forms write it: name and value, borrowed where nothing is escaped.
#[cfg(feature = "alloc")]
pub type FormPair<'a> = Result<(Cow<'a, str>, Cow<'a, str>), super::NotUtf8>;

/// The separator of pairs that forms use.
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
/// assert_eq!(pairs[0].to_form_utf8()?, ("q".into(), "café noir".into()));
/// assert_eq!(pairs[1].value(), None); // absent, and not empty
/// assert_eq!((pairs[2].name().as_str(), pairs[2].value().unwrap().as_str()), ("", "x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair<'a> {
    text: Encoded<'a>,
    /// Where the first `=` is; the length where there is none.
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

    /// The pair as percent-encoded text.
    pub const fn encoded(self) -> Encoded<'a> {
        self.text
    }

    /// The pair as written.
    pub const fn as_str(self) -> &'a str {
        self.text.as_str()
    }

    /// Whether it is empty: nothing is between its separators.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// What precedes the first `=`, or all of it.
    pub fn name(self) -> Encoded<'a> {
        Encoded::new(self.text.as_str().get(..self.name_end).unwrap_or_default())
    }

    /// What follows the first `=`; `None` if there is no `=`, and empty if nothing follows it.
    pub fn value(self) -> Option<Encoded<'a>> {
        self.text
            .as_str()
            .get(self.name_end + 1..)
            .map(Encoded::new)
    }

    /// The name and the value, both decoded as HTML forms write them: `+` is a space. The value is
    /// empty if there is no `=`.
    ///
    /// # Errors
    ///
    /// If the name or the value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn to_form_utf8(self) -> FormPair<'a> {
        let value = self.value().unwrap_or(Encoded::EMPTY);
        Ok((self.name().to_form_utf8()?, value.to_form_utf8()?))
    }

    /// Whether the name decodes to these bytes. A `+` in it is a plus sign.
    ///
    /// ```
    /// use urikit::Uri;
    /// let query = Uri::parse("http://a/?caf%C3%A9=1")?.query().unwrap();
    /// let pair = query.pairs('&').next().unwrap();
    /// assert!(pair.is_named("café".as_bytes()));
    /// assert!(!pair.is_named(b"caf%C3%A9")); // data, and not as written
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

/// The pairs of a query, in order. An empty query has no pairs; between two adjacent separators
/// there is an empty pair.
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
    /// `None` where no separator separates.
    separator: Option<u8>,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    // Both delimiters in one pass, eight bytes at a time: pairs are short, so that a search for
    // each costs more.
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

/// The eight bytes at `at`, with zeros for those after the end.
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

/// 0x80 for the first byte of the word that is `byte`, and 0 for the bytes before it; 0 if there is
/// none.
#[inline]
const fn marks(word: u64, byte: u8) -> u64 {
    // A zero byte borrows from those after it, which are marked too, perhaps.
    let other = word ^ u64::from_le_bytes([byte; 8]);
    other.wrapping_sub(u64::from_le_bytes([1; 8])) & !other & u64::from_le_bytes([0x80; 8])
}

/// The index of the first marked byte.
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
    /// The pairs of a query that may be absent, between ampersands.
    pub(crate) fn of(query: Option<Encoded<'a>>) -> Self {
        let none = Self {
            rest: None,
            separator: None,
        };
        query.map_or(none, |query| query.pairs(AMPERSAND))
    }
}

impl<'a> Encoded<'a> {
    /// The pairs of a query, between separators: [`AMPERSAND`] as in forms, or `;` as HTML 4.01,
    /// B.2.2, proposed. A separator that may occur within an escape does not separate.
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
