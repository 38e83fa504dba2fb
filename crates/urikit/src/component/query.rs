//! The pairs of a query: names and values, as written.
//!
//! No URI standard says that a query consists of pairs; HTML forms do
//! (`application/x-www-form-urlencoded`). So pairs are only a view: any query has pairs, and
//! joined with their separators they are the query, byte for byte.

use super::encoded::{Encoded, Split};
use core::fmt;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair<'a> {
    text: Encoded<'a>,
}

impl<'a> Pair<'a> {
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
        self.text
            .split_once('=')
            .map_or(self.text, |(name, _)| name)
    }

    /// What follows the first `=`; `None` if there is no `=`, and empty if nothing follows it.
    pub fn value(self) -> Option<Encoded<'a>> {
        self.text.split_once('=').map(|(_, value)| value)
    }

    /// Whether the name decodes to these bytes. A `+` in it is a plus sign.
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
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    split: Option<Split<'a>>,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        let text = self.split.as_mut()?.next()?;
        Some(Pair { text })
    }
}

impl DoubleEndedIterator for Pairs<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let text = self.split.as_mut()?.next_back()?;
        Some(Pair { text })
    }
}

impl core::iter::FusedIterator for Pairs<'_> {}

impl<'a> Pairs<'a> {
    /// The pairs of a query that may be absent, between ampersands.
    pub(crate) fn of(query: Option<Encoded<'a>>) -> Self {
        query.map_or(Self { split: None }, |query| query.pairs(AMPERSAND))
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
        Pairs {
            split: (!self.is_empty()).then(|| self.split(separator)),
        }
    }
}
