//! The options of the search, and the candidates that these options select.

use super::guess::{abbreviated_link, address_link};
use super::restore::is_defanging_mark;
use super::text::{Candidates, Input};
use super::{Links, Outcome, at_colon, uts58};
use crate::link::{Link, Source};
use memchr::{memchr, memchr2, memchr3};
use urikit::Standard;

/// Finds links in plain text: wrapped links (`<URL:…>`, `<…>`) and bare ones, and, if enabled,
/// abbreviated URLs and mail addresses.
///
/// A bare link ends where a human reader would end it, according to Unicode's UTS #58 (link
/// detection): before white space, quotation marks and unmatched brackets, and without trailing
/// punctuation. Links do not overlap, and are returned in the order in which they appear. The
/// search takes linear time, and allocates only for links whose reference differs from the text.
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
    /// The maximum length of a link, in bytes. Longer links are cut off.
    pub(crate) max_length: usize,
    options: Options,
    /// True if a host without a path may also be an IPv4 address, or have a last label that is not
    /// a known top-level domain.
    any_domain: bool,
    /// True if links with placeholders are returned.
    templates: bool,
    pub(crate) standard: Option<Standard>,
}

/// The kinds of links to find in addition to those with a scheme.
// The options fit into a single byte, because the search compares them with 0 at each colon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options(u8);

impl Options {
    pub(super) const ABBREVIATED: u8 = 1;
    pub(super) const ADDRESSES: u8 = 2;
    pub(super) const DEFANGED: u8 = 4;
    /// Detection according to UTS #58.
    pub(super) const UTS58: u8 = 8;

    pub(super) const fn has(self, option: u8) -> bool {
        self.0 & option != 0
    }

    const fn set(self, option: u8, yes: bool) -> Self {
        Self(if yes {
            self.0 | option
        } else {
            self.0 & !option
        })
    }
}

/// The rules that a [`Finder`] uses to find links in text.
///
/// The default rules find more: wrapped and defanged links, links without a dot in the host
/// (`http://localhost/`, `urn:isbn:…`), and links with userinfo. UTS #58 finds hosts without a
/// scheme under every top-level domain, and ends links at the same position as other programs that
/// implement it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Detection {
    /// The rules of this crate.
    #[default]
    Urikit,
    /// Unicode's UTS #58, link detection. Finds only mail addresses, and links with a domain name
    /// whose top-level domain is in IANA's list. [`Finder::abbreviated`] and [`Finder::addresses`]
    /// select links without a scheme.
    Uts58,
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}

impl Finder {
    /// Creates a finder for links with a scheme, wrapped or bare.
    pub const fn new() -> Self {
        Self {
            max_length: 1 << 20,
            options: Options(0),
            any_domain: false,
            templates: false,
            standard: None,
        }
    }

    /// Sets the maximum length of a link, in bytes. Longer links are cut off (see
    /// [`Link::is_cut`]). The default is 1 MiB.
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

    /// Sets whether to find abbreviated URLs, which begin with a host name:
    /// `www.w3.org/Addressing/` (RFC 2396, Appendix F).
    ///
    /// The name must begin with `www.`, `ftp.` or `gopher.`, or end in a common top-level domain
    /// such as `.org`. If a path follows, any top-level domain is accepted (`docs.rs/serde`,
    /// `EXAMPLE.COM/x`). Labels may have letters of any script that separates words
    /// with spaces (`bücher.de/x`). File names, and names in source code, are not found.
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
        self.options = self.options.set(Options::ABBREVIATED, yes);
        self
    }

    /// Sets whether to find mail addresses (`local-part "@" domain`, RFC 5322, 3.4.1, without
    /// quoted strings and comments). The reference is a `mailto` URL, percent-encoded where RFC
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
        self.options = self.options.set(Options::ADDRESSES, yes);
        self
    }

    /// Sets whether to find defanged indicators: `hxxp://a[.]example`, `a(dot)example`,
    /// `https[:]//a.example`, `jo[@]a.example`. The kind of these links is
    /// [`Kind::Defanged`](crate::Kind::Defanged). By default, defanged indicators are not reported.
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
        self.options = self.options.set(Options::DEFANGED, yes);
        self
    }

    /// Sets whether to return templates: links with placeholders, such as `{id}`, `${HOST}`, `%s`
    /// or `<host>`. By default, templates are left out, because they do not identify a resource.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let text = "GET https://api-{env}.a.example/users/{id}.";
    /// assert_eq!(Finder::new().links(text).count(), 0);
    /// let finder = Finder::new().templates(true);
    /// let link = finder.links(text).next().unwrap();
    /// assert_eq!(link.as_str(), "https://api-{env}.a.example/users/{id}");
    /// assert!(link.is_template());
    /// ```
    #[must_use]
    pub const fn templates(mut self, yes: bool) -> Self {
        self.templates = yes;
        self
    }

    /// Sets the rules for finding links in text. Links in markup are not affected.
    ///
    /// ```
    /// use urikit_extract::{Detection, Finder};
    /// let text = "<URL:ftp://a.example/b c> http://a.invalid/";
    /// let links = |finder: Finder| finder.links(text).count();
    /// assert_eq!(links(Finder::new()), 2);
    /// assert_eq!(links(Finder::new().detection(Detection::Uts58)), 0);
    /// ```
    #[must_use]
    pub const fn detection(mut self, detection: Detection) -> Self {
        let is_uts58 = matches!(detection, Detection::Uts58);
        self.options = self.options.set(Options::UTS58, is_uts58);
        self
    }

    /// Accepts hosts without a scheme or path even if they are IPv4 addresses, or if their last
    /// label is not a known top-level domain.
    pub(super) const fn any_domain(mut self) -> Self {
        self.any_domain = true;
        self
    }

    /// Returns true if the finder returns this link: only some finders return templates.
    pub(super) const fn returns(&self, link: &Link<'_>) -> bool {
        self.templates || !link.marks.is_template
    }

    /// Returns true if every link found has a colon.
    pub(crate) const fn needs_colon(&self) -> bool {
        self.options.0 == 0
    }

    /// Sets the standard that determines whether a link is [valid](Link::is_valid). The default is
    /// RFC 3986, or RFC 3987 for links with non-ASCII characters. The standard does not affect
    /// which links are found, or where they end.
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

    /// Returns the links in the given text, in order. The text need not be UTF-8: an invalid byte
    /// ends a link.
    pub fn links<'f, 't, T: Source + ?Sized>(&'f self, text: &'t T) -> Links<'f, 't> {
        Links {
            finder: self,
            text: Input::complete(text),
            candidates: Candidates::default(),
            at: 0,
            floor: 0,
        }
    }

    /// Returns the offset of the first byte that can be a candidate. Returns `None` if the text has
    /// no links.
    pub(crate) fn may_find(&self, text: &[u8]) -> Option<usize> {
        if self.options.has(Options::UTS58) {
            return uts58::candidate(text);
        }
        if self.options.has(Options::DEFANGED) {
            return text.iter().position(|byte| b":[({.@".contains(byte));
        }
        match (
            self.options.has(Options::ABBREVIATED),
            self.options.has(Options::ADDRESSES),
        ) {
            (false, false) => memchr(b':', text),
            (true, false) => memchr2(b':', b'.', text),
            (false, true) => memchr2(b':', b'@', text),
            (true, true) => memchr3(b':', b'.', b'@', text),
        }
    }

    /// Returns the next candidate at or after `at`: a colon or, depending on the options, a dot, an
    /// `@` or a bracket. `candidates` must be used only with this text, and `at` must not decrease.
    #[inline]
    pub(super) fn candidate(
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
        if self.options.has(Options::UTS58) {
            return candidates.other(bytes, at, uts58::candidate);
        }
        if self.options.has(Options::DEFANGED) {
            return candidates.colon_or(bytes, at, |rest| {
                rest.iter().position(|byte| match byte {
                    b'[' | b'(' | b'{' => true,
                    b'.' => self.options.has(Options::ABBREVIATED),
                    b'@' => self.options.has(Options::ADDRESSES),
                    _ => false,
                })
            });
        }
        match (
            self.options.has(Options::ABBREVIATED),
            self.options.has(Options::ADDRESSES),
        ) {
            (true, false) => candidates.colon_or(bytes, at, |rest| memchr(b'.', rest)),
            (false, _) => candidates.colon_or(bytes, at, |rest| memchr(b'@', rest)),
            (true, true) => candidates.colon_or(bytes, at, |rest| memchr2(b'.', b'@', rest)),
        }
    }

    /// Decides whether a candidate is in a link.
    #[inline]
    pub(super) fn at<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        if self.needs_colon() {
            at_colon(self.max_length, text, candidate, floor)
        } else {
            self.at_any(text, candidate, floor)
        }
    }

    #[inline(never)]
    fn at_any<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
        if self.options.has(Options::UTS58) {
            return uts58::link_at(self.options, text, candidate, floor, self.max_length);
        }
        match text.at(candidate) {
            Some(b':') => match at_colon(self.max_length, text, candidate, floor) {
                Outcome::Skip(end) if self.options.has(Options::DEFANGED) => {
                    match self.indicator(text, candidate, floor) {
                        Outcome::NoLink => Outcome::Skip(end),
                        found => found,
                    }
                }
                found => found,
            },
            Some(b'[' | b'(' | b'{') if is_defanging_mark(text, candidate) => {
                self.indicator(text, candidate, floor)
            }
            Some(b'[' | b'(' | b'{') => Outcome::NoLink,
            Some(b'.') => {
                let any = self.any_domain;
                abbreviated_link(text, candidate, floor, self.max_length, any)
            }
            _ => address_link(text, candidate, floor).into(),
        }
    }
}
