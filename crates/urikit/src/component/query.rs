//! The pairs of a query: names and values over the undecoded text.
//!
//! No RFC here says that a query is made of pairs; HTML's forms made it so (`application/x-www-form-urlencoded`). So a
//! pair is a view and never a verdict: any query has pairs, and put together again with their separators they are the
//! query, byte for byte.

use super::pct::{Encoded, Split};
use crate::AnyRef;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// The separator of pairs that forms use.
pub const AMPERSAND: char = '&';

/// One pair of a query: `name=value`, or a name alone.
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
    /// The pair as written.
    pub const fn as_str(self) -> &'a str {
        self.text.as_str()
    }

    /// Whether nothing stands between its separators.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// What stands before the first `=`, or all of it.
    pub fn name(self) -> Encoded<'a> {
        self.text
            .split_once('=')
            .map_or(self.text, |(name, _)| name)
    }

    /// What stands behind the first `=`; `None` where there is none, and empty where nothing follows it.
    pub fn value(self) -> Option<Encoded<'a>> {
        self.text.split_once('=').map(|(_, value)| value)
    }

    /// Whether the name stands for these bytes. A `+` in it is a `+`.
    pub fn is_named(self, name: &[u8]) -> bool {
        self.name().decode().eq(name.iter().copied())
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

/// The pairs of a query, in order. An empty query has none; between two separators that follow each
/// other stands an empty one.
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

impl core::iter::FusedIterator for Pairs<'_> {}

impl<'a> Encoded<'a> {
    /// The pairs of a query, between separators: [`AMPERSAND`] as forms have it, or `;` as HTML 4.01, B.2.2, proposed.
    /// A separator that may lie within an escape separates nothing.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://www.example/?a=1;b=2")?;
    /// let pairs = url.query().unwrap().pairs(';');
    /// assert!(pairs.map(|pair| pair.as_str()).eq(["a=1", "b=2"]));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn pairs(self, separator: char) -> Pairs<'a> {
        Pairs {
            split: (!self.is_empty()).then(|| self.split(separator)),
        }
    }

    /// The bytes that it stands for where a `+` stands for a space, as in forms and in RFC 1630's search part.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://www.example/?q=1%2B1+is")?;
    /// let value = url.query_get("q").unwrap().value().unwrap();
    /// assert!(value.decode_form().eq(*b"1+1 is"));
    /// assert!(value.decode().eq(*b"1+1+is"));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn decode_form(self) -> FormDecoded<'a> {
        FormDecoded {
            parts: self.split('+'),
            part: None,
            begun: false,
        }
    }

    /// The text in UTF-8 that [`decode_form`](Self::decode_form) gives; borrowed where it is what is written.
    ///
    /// # Errors
    ///
    /// When the bytes are no UTF-8.
    #[cfg(feature = "alloc")]
    pub fn to_form_utf8(self) -> Result<Cow<'a, str>, alloc::string::FromUtf8Error> {
        if self.as_str().contains(['%', '+']) {
            String::from_utf8(self.decode_form().collect::<Vec<u8>>()).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(self.as_str()))
        }
    }
}

/// The bytes that an [`Encoded`] part stands for, with a space for each `+`.
#[derive(Clone, Debug)]
pub struct FormDecoded<'a> {
    parts: Split<'a>,
    part: Option<super::Decoded<'a>>,
    begun: bool,
}

impl Iterator for FormDecoded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(byte) = self.part.as_mut().and_then(Iterator::next) {
            return Some(byte);
        }
        loop {
            self.part = Some(self.parts.next()?.decode());
            if self.begun {
                return Some(b' ');
            }
            self.begun = true;
            if let Some(byte) = self.part.as_mut().and_then(Iterator::next) {
                return Some(byte);
            }
        }
    }
}

impl core::iter::FusedIterator for FormDecoded<'_> {}

impl<'a> AnyRef<'a> {
    /// The pairs of the query, between ampersands, as written; none where there is no query.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://www.example/?q=caf%C3%A9&page&q=")?;
    /// let pairs: Vec<_> = url.query_pairs().collect();
    /// assert_eq!(pairs[0].value().unwrap().to_utf8().unwrap(), "café");
    /// assert_eq!((pairs[1].as_str(), pairs[1].value()), ("page", None)); // absent
    /// assert_eq!(pairs[2].value().unwrap(), ""); // and empty
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn query_pairs(self) -> Pairs<'a> {
        self.query()
            .map_or(Pairs { split: None }, |query| query.pairs(AMPERSAND))
    }

    /// The first pair whose name stands for `name`, which is compared decoded.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("mailto:joe@example.com?cc=bob@example.com&body=hello")?; // RFC 6068, 6.1
    /// assert_eq!(url.query_get("body").unwrap().value().unwrap(), "hello");
    /// assert!(url.query_get("subject").is_none());
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn query_get(self, name: &str) -> Option<Pair<'a>> {
        self.query_pairs()
            .find(|pair| pair.is_named(name.as_bytes()))
    }
}
