//! The finder: what is looked for, and the links in a text.

use super::bare;
use super::candidate::Candidates;
use super::find;
use super::guess;
use super::input::Input;
use super::outcome::Outcome;
use crate::link::Link;
use crate::source::Source;
use memchr::{memchr, memchr2};

/// Finds links in plain text.
///
/// ```
/// use urikit_extract::{Finder, Kind};
/// // RFC 1738, Appendix
/// let text = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d> but you can \
///             probably pick it up from <URL:ftp://ds.internic.net/rfc>.";
/// let links: Vec<_> = Finder::new().links(text).collect();
/// assert_eq!(links[0].as_str(), "ftp://info.cern.ch/pub/www/doc;type=d");
/// assert_eq!(links[1].as_str(), "ftp://ds.internic.net/rfc");
/// assert_eq!(links[1].kind(), Kind::Wrapped);
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    /// A link is no longer than this, in bytes.
    pub(crate) longest: usize,
    finds_abbreviated: bool,
    finds_addresses: bool,
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}

impl Finder {
    /// Finds what has a scheme: wrapped and bare links.
    pub const fn new() -> Self {
        Self {
            longest: 1 << 20,
            finds_abbreviated: false,
            finds_addresses: false,
        }
    }

    /// Passes over links that are longer than this, in bytes; a mebibyte where nothing is said.
    #[must_use]
    pub const fn longest(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    /// Finds abbreviated URLs too: a host and what follows, such as `www.w3.org/Addressing/` (RFC 2396, Appendix F).
    ///
    /// ```
    /// use urikit_extract::{Finder, Kind};
    /// let finder = Finder::new().abbreviated(true);
    /// let link = finder.links("see www.w3.org/Addressing/ for more").next().unwrap();
    /// assert_eq!(link.as_str(), "http://www.w3.org/Addressing/");
    /// assert_eq!(link.kind(), Kind::Abbreviated);
    /// assert_eq!(finder.links("README.md, 1.2.3.4, os.path.join").count(), 0);
    /// ```
    #[must_use]
    pub const fn abbreviated(mut self, yes: bool) -> Self {
        self.finds_abbreviated = yes;
        self
    }

    /// Finds mail addresses too, as `mailto` URLs.
    #[must_use]
    pub const fn addresses(mut self, yes: bool) -> Self {
        self.finds_addresses = yes;
        self
    }

    /// The links in a text, which need not be UTF-8: bytes that are none end a link.
    pub fn links<'f, 't, T: Source + ?Sized>(&'f self, text: &'t T) -> Links<'f, 't> {
        Links {
            finder: self,
            text: Input::complete(text),
            candidates: Candidates::default(),
            at: 0,
            floor: 0,
        }
    }

    /// The next byte from `at` on that can be in a link: a colon, and what is asked for besides.
    /// The candidates are those of this text, and `at` only grows.
    #[inline]
    pub(crate) fn candidate(
        &self,
        text: &Input<'_>,
        candidates: &mut Candidates,
        at: usize,
    ) -> Option<usize> {
        let bytes = text.bytes();
        match (self.finds_abbreviated, self.finds_addresses) {
            (false, false) => candidates.colon(bytes, at),
            (true, false) => candidates.colon_or(bytes, at, |rest| memchr(b'.', rest)),
            (false, true) => candidates.colon_or(bytes, at, |rest| memchr(b'@', rest)),
            (true, true) => candidates.colon_or(bytes, at, |rest| memchr2(b'.', b'@', rest)),
        }
    }

    /// What this byte is.
    #[inline]
    pub(crate) fn at<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        match text.at(candidate) {
            Some(b':') => find::at_colon(self.longest, text, candidate, floor),
            Some(b'.') => guess::abbreviated(text, candidate, floor, self.longest),
            _ => guess::address(text, candidate, floor).into(),
        }
    }
}

/// The links in a text, in order.
pub struct Links<'f, 't> {
    finder: &'f Finder,
    text: Input<'t>,
    candidates: Candidates,
    /// Where the search goes on.
    at: usize,
    /// Where the last link ended: no other begins before.
    floor: usize,
}

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        loop {
            let candidate = self
                .finder
                .candidate(&self.text, &mut self.candidates, self.at)?;
            self.at = candidate + 1;
            match self.finder.at(&self.text, candidate, self.floor) {
                Outcome::NoLink => {}
                Outcome::Bare { start, end } => {
                    if let Some(link) = bare::plain_link(&self.text, start, end) {
                        self.at = end;
                        self.floor = end;
                        return Some(link);
                    }
                }
                Outcome::Link(link) => {
                    self.at = link.range.end;
                    self.floor = self.at;
                    return Some(link);
                }
                Outcome::TooLong(end) => {
                    self.at = end;
                    self.floor = end;
                }
            }
        }
    }
}

impl core::iter::FusedIterator for Links<'_, '_> {}
