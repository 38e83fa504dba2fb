//! The finder: its options, and the iterator over the links in a text.

use super::bare;
use super::candidate::Candidates;
use super::find;
use super::guess;
use super::input::Input;
use super::outcome::Outcome;
use crate::link::Link;
use crate::source::Source;
use memchr::{memchr, memchr2};
use urikit::Standard;

/// Finds links in plain text: wrapped links (`<URL:…>`, `<…>`) and bare ones, and, if enabled,
/// abbreviated URLs and mail addresses.
///
/// A bare link ends where a reader would end it, by the rules of Unicode's UTS #58 (link
/// detection): before white space, quotation marks and unmatched brackets, and without trailing
/// punctuation. Links do not overlap, and come in the order in which they appear. The search takes
/// linear time, and allocates only for links whose reference differs from what is written.
///
/// ```
/// use urikit_extract::{Finder, Kind};
/// // RFC 1738, Appendix
/// let text = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d> but \
///             you can probably pick it up from <URL:ftp://ds.internic.net/rfc>.";
/// let links: Vec<_> = Finder::new().links(text).collect();
/// assert_eq!(links[0].as_str(), "ftp://info.cern.ch/pub/www/doc;type=d");
/// assert_eq!(links[1].as_str(), "ftp://ds.internic.net/rfc");
/// assert_eq!(links[1].kind(), Kind::Wrapped);
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    /// The longest link that is found, in bytes.
    pub(crate) max_length: usize,
    finds_abbreviated: bool,
    finds_addresses: bool,
    pub(crate) standard: Option<Standard>,
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}

impl Finder {
    /// A finder of links with a scheme, wrapped or bare.
    pub const fn new() -> Self {
        Self {
            max_length: 1 << 20,
            finds_abbreviated: false,
            finds_addresses: false,
            standard: None,
        }
    }

    /// Skips links that are longer than this, in bytes. The default is 1 MiB.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let finder = Finder::new().max_length(20);
    /// let mut links = finder.links("http://a.example/long-path http://a.example/b");
    /// assert_eq!(links.next().unwrap().as_str(), "http://a.example/b");
    /// ```
    #[must_use]
    pub const fn max_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes;
        self
    }

    /// Sets whether abbreviated URLs are found: a host name and what follows, such as
    /// `www.w3.org/Addressing/` (RFC 2396, Appendix F). The name must begin with `www.`, `ftp.` or
    /// `gopher.`, or end in a common top-level domain such as `.org`; file names and names in
    /// programs do not count.
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

    /// Sets whether mail addresses are found (`local-part "@" domain`, RFC 5322, 3.4.1, without
    /// quoted strings and comments). Their reference is a `mailto` URL, percent-encoded where RFC
    /// 6068 requires it.
    ///
    /// ```
    /// use urikit_extract::{Finder, Kind};
    /// let finder = Finder::new().addresses(true);
    /// let link = finder.links("Write to jim@example.org.").next().unwrap();
    /// assert_eq!(link.as_str(), "mailto:jim@example.org");
    /// assert_eq!(link.kind(), Kind::Address);
    /// ```
    #[must_use]
    pub const fn addresses(mut self, yes: bool) -> Self {
        self.finds_addresses = yes;
        self
    }

    /// Whether only a text with a colon can have links.
    pub(crate) const fn needs_colon(&self) -> bool {
        !self.finds_abbreviated && !self.finds_addresses
    }

    /// Sets the standard under which links are [valid](Link::is_valid). Without one it is RFC 3986,
    /// or RFC 3987 for a link with characters beyond US-ASCII. Which links are found, and where they
    /// end, does not depend on it.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_extract::Finder;
    /// let finder = Finder::new().standard(Standard::Rfc2396);
    /// let link = finder.links("ldap://[2001:db8::7]/c=GB").next().unwrap();
    /// assert!(!link.is_valid()); // RFC 2732 added brackets
    /// ```
    #[must_use]
    pub const fn standard(mut self, standard: Standard) -> Self {
        self.standard = Some(standard);
        self
    }

    /// The links in a text, in order. The text need not be UTF-8; a byte that is not ends a link.
    pub fn links<'f, 't, T: Source + ?Sized>(&'f self, text: &'t T) -> Links<'f, 't> {
        Links {
            finder: self,
            text: Input::complete(text),
            candidates: Candidates::default(),
            at: 0,
            floor: 0,
        }
    }

    /// The next byte from `at` on that can be in a link: a colon, or a dot or `@` if those guesses
    /// are enabled. `candidates` must be used with this text only, and `at` must not decrease.
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

    /// Decides whether a candidate is in a link.
    #[inline]
    pub(crate) fn at<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        match text.at(candidate) {
            Some(b':') => find::at_colon(self.max_length, text, candidate, floor),
            Some(b'.') => guess::abbreviated(text, candidate, floor, self.max_length),
            _ => guess::address(text, candidate, floor).into(),
        }
    }
}

/// The iterator over the links in a text, made by [`Finder::links`].
pub struct Links<'f, 't> {
    finder: &'f Finder,
    text: Input<'t>,
    candidates: Candidates,
    /// Where the search continues.
    at: usize,
    /// Where the last link ended. No other link begins before.
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
