//! The finder: its options, and the iterator over the links in a text.

use super::bare;
use super::candidate::Candidates;
use super::defang;
use super::find;
use super::guess;
use super::input::Input;
use super::outcome::Outcome;
use crate::link::Link;
use crate::source::Source;
use memchr::{memchr, memchr2, memchr3};
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
    finds: Finds,
    /// Whether a host may end in any top-level domain, or be an address, without a path.
    any_domain: bool,
    pub(crate) standard: Option<Standard>,
}

/// What is found besides links with a scheme, as bits: most searches ask at each colon whether there
/// is anything.
#[derive(Clone, Copy, Debug)]
struct Finds(u8);

impl Finds {
    const ABBREVIATED: u8 = 1;
    const ADDRESSES: u8 = 2;
    const DEFANGED: u8 = 4;

    const fn has(self, what: u8) -> bool {
        self.0 & what != 0
    }

    const fn set(self, what: u8, yes: bool) -> Self {
        Self(if yes { self.0 | what } else { self.0 & !what })
    }
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
            finds: Finds(0),
            any_domain: false,
            standard: None,
        }
    }

    /// Cuts links that are longer than this, in bytes (see [`Link::is_cut`]). The default is 1 MiB.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let finder = Finder::new().max_length(20);
    /// let links: Vec<_> = finder.links("http://a.example/long-path http://a.example/b").collect();
    /// assert_eq!((links[0].as_str(), links[0].is_cut()), ("http://a.example/lon", true));
    /// assert_eq!((links[1].as_str(), links[1].is_cut()), ("http://a.example/b", false));
    /// ```
    #[must_use]
    pub const fn max_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes;
        self
    }

    /// Sets whether abbreviated URLs are found: a host name and what follows, such as
    /// `www.w3.org/Addressing/` (RFC 2396, Appendix F). The name must begin with `www.`, `ftp.` or
    /// `gopher.`, or end in a common top-level domain such as `.org`, or, if a path follows it, in
    /// any (`docs.rs/serde`); file names and names in programs do not count.
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
        self.finds = self.finds.set(Finds::ABBREVIATED, yes);
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
        self.finds = self.finds.set(Finds::ADDRESSES, yes);
        self
    }

    /// Sets whether defanged indicators are found: `hxxp://a[.]example`, `a(dot)example`,
    /// `https[:]//a.example`, `jo[@]a.example`. They have a [kind](crate::Kind::Defanged) of their
    /// own. Without this they are left out.
    ///
    /// ```
    /// use urikit_extract::{Finder, Kind};
    /// let text = "It loads hxxps://evil[.]example/a.js from http://good.example/";
    /// let finder = Finder::new().refang(true);
    /// let links: Vec<_> = finder.links(text).collect();
    /// assert_eq!(links[0].as_str(), "https://evil.example/a.js");
    /// assert_eq!(&text[links[0].range()], "hxxps://evil[.]example/a.js");
    /// assert_eq!((links[0].kind(), links[1].kind()), (Kind::Defanged, Kind::Bare));
    /// assert_eq!(Finder::new().links(text).count(), 1);
    /// ```
    #[must_use]
    pub const fn refang(mut self, yes: bool) -> Self {
        self.finds = self.finds.set(Finds::DEFANGED, yes);
        self
    }

    /// Lets hosts without a scheme end in any top-level domain, or be addresses, without a path.
    pub(super) const fn any_domain(mut self) -> Self {
        self.any_domain = true;
        self
    }

    /// Whether only a text with a colon can have links.
    pub(crate) const fn needs_colon(&self) -> bool {
        self.finds.0 == 0
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

    /// Where the first character of a text is without which it has no link.
    pub(crate) fn may_find(&self, text: &[u8]) -> Option<usize> {
        if self.finds.has(Finds::DEFANGED) {
            return text.iter().position(|byte| b":[({.@".contains(byte));
        }
        match (
            self.finds.has(Finds::ABBREVIATED),
            self.finds.has(Finds::ADDRESSES),
        ) {
            (false, false) => memchr(b':', text),
            (true, false) => memchr2(b':', b'.', text),
            (false, true) => memchr2(b':', b'@', text),
            (true, true) => memchr3(b':', b'.', b'@', text),
        }
    }

    /// The next byte from `at` on that can be in a link: a colon, or a dot, an `@` or a bracket if
    /// what they are in is enabled. `candidates` must be used with this text only, and `at` must not
    /// decrease.
    #[inline]
    pub(crate) fn candidate(
        &self,
        text: &Input<'_>,
        candidates: &mut Candidates,
        at: usize,
    ) -> Option<usize> {
        if self.needs_colon() {
            candidates.colon(text.bytes(), at)
        } else {
            self.any_candidate(text.bytes(), candidates, at)
        }
    }

    fn any_candidate(&self, bytes: &[u8], candidates: &mut Candidates, at: usize) -> Option<usize> {
        if self.finds.has(Finds::DEFANGED) {
            return candidates.colon_or(bytes, at, |rest| {
                rest.iter().position(|byte| match byte {
                    b'[' | b'(' | b'{' => true,
                    b'.' => self.finds.has(Finds::ABBREVIATED),
                    b'@' => self.finds.has(Finds::ADDRESSES),
                    _ => false,
                })
            });
        }
        match (
            self.finds.has(Finds::ABBREVIATED),
            self.finds.has(Finds::ADDRESSES),
        ) {
            (true, false) => candidates.colon_or(bytes, at, |rest| memchr(b'.', rest)),
            (false, _) => candidates.colon_or(bytes, at, |rest| memchr(b'@', rest)),
            (true, true) => candidates.colon_or(bytes, at, |rest| memchr2(b'.', b'@', rest)),
        }
    }

    /// Decides whether a candidate is in a link.
    #[inline]
    pub(crate) fn at<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        if self.needs_colon() {
            find::at_colon(self.max_length, text, candidate, floor)
        } else {
            self.at_any(text, candidate, floor)
        }
    }

    #[inline(never)]
    fn at_any<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        match text.at(candidate) {
            Some(b':') => match find::at_colon(self.max_length, text, candidate, floor) {
                Outcome::Skip(end) if self.finds.has(Finds::DEFANGED) => {
                    match self.indicator(text, candidate, floor) {
                        Outcome::NoLink => Outcome::Skip(end),
                        found => found,
                    }
                }
                found => found,
            },
            Some(b'[' | b'(' | b'{') if defang::is_mark(text, candidate) => {
                self.indicator(text, candidate, floor)
            }
            Some(b'[' | b'(' | b'{') => Outcome::NoLink,
            Some(b'.') => {
                let any = self.any_domain;
                guess::abbreviated(text, candidate, floor, self.max_length, any)
            }
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
                Outcome::Bare {
                    start,
                    end,
                    mut marks,
                } => {
                    marks.standard = self.finder.standard;
                    if let Some(link) = bare::plain_link(&self.text, start, end, marks) {
                        self.at = end;
                        self.floor = end;
                        return Some(link);
                    }
                }
                Outcome::Link(mut link) => {
                    link.marks.standard = self.finder.standard;
                    self.at = link.range.end;
                    self.floor = self.at;
                    return Some(link);
                }
                Outcome::Skip(end) => {
                    self.at = end;
                    self.floor = end;
                }
            }
        }
    }
}

impl core::iter::FusedIterator for Links<'_, '_> {}
