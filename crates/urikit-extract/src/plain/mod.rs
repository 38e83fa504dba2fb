//! Links in plain text.
//!
//! A byte of the text passes through these stages, in the order of the files:
//!
//! 1. **Candidates** (`text.rs`). [`Candidates`] finds the next byte that can be in a link. This is
//!    a colon between characters that a URL can have, found by the core's vectorized scanner. With
//!    the guesses enabled, a dot, an `@` or a bracket can also be a candidate. Most text has few
//!    candidates, so most bytes are only examined here. `text.rs` also defines the character
//!    classes, and [`Input`], through which all later stages read.
//! 2. **Decision** (this file). [`at_colon`] decides whether the candidate is in a link. It handles
//!    `http://` and `https://` first, since nearly all links have one of them.
//! 3. **Start** (`start.rs`). The decision reads backwards from the candidate to the start of the
//!    link: a scheme or, with the guesses enabled, a host name or the local part of an address.
//!    Without slashes after the colon, only some schemes are recognized, and only before text that
//!    fits the scheme: `tel:+1` is a link, but `tel:phone` and `note:this` are not.
//! 4. **End** (`end.rs`). It reads forwards from the scheme: over the authority, then over the
//!    path, the query and the fragment, up to the first character that ends a link. Trailing
//!    punctuation is not part of the link, and neither is another link that follows directly
//!    ([`adjacent_link`]). A link with a placeholder is a template (`template.rs`), and is read to
//!    the end of the template.
//! 5. **Restoring** (`restore.rs`). For most links the reference is the text itself. The lines of
//!    a wrapped link (`<URL:…>`) are joined, and a defanged one (`hxxp://a[.]example`) is
//!    restored.
//!
//! [`Links`] repeats this for a complete text. [`Stream`] does so for a text in pieces: if a stage
//! reads past the end of the buffer, the candidate is undecided and is examined again when more
//! text has arrived.
//!
//! Two offsets recur. `floor` is the end of the previous link: no link starts before it, so that
//! links never overlap. `limit` is the last offset to which a link may extend.
//!
//! Constants such as `LOOKAHEAD` and `MAX_WRAPPER` limit how far a stage reads beyond the link,
//! which keeps the search linear.

mod end;
mod restore;
mod start;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod uts58;

use crate::link::{Link, Marks, Source};
use end::{EndOfLink, bare_end, escaped_link, plain_link};
use memchr::{memchr, memchr2, memchr3};
use restore::{after_url, in_angles, in_quotes, is_defanged_scheme, is_defanging_mark};
use start::{
    Scheme, abbreviated_link, address_link, can_follow, is_host, is_known, is_scheme_byte,
    may_be_opaque, outer_start, scheme_before, scheme_run_start, scheme_within, web_scheme,
};
use template::{end_of_template, has_placeholder};
use text::{Candidates, ESCAPE_LENGTH, Input, Slashes, unicode_escape};
use urikit::Standard;

pub use text::Colons;

/// Finds links in plain text: wrapped links (`<URL:…>`, `<…>`) and bare ones, and, if enabled,
/// abbreviated URLs and mail addresses.
///
/// A bare link ends where a human reader would end it, according to Unicode's UTS #58 (link
/// detection): before white space, quotation marks and unmatched brackets, and without trailing
/// punctuation. Links do not overlap, and are returned in the order of the text. The search takes
/// linear time, and allocates only for links whose reference differs from the text.
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
    /// True if a host without a path may end in any word or be an IPv4 address.
    any_domain: bool,
    /// True if links with placeholders are returned.
    templates: bool,
    pub(crate) standard: Option<Standard>,
}

/// The kinds of links to find in addition to those with a scheme.
// A single byte, since the search compares it with 0 at each colon.
#[derive(Clone, Copy, Debug)]
struct Options(u8);

impl Options {
    const ABBREVIATED: u8 = 1;
    const ADDRESSES: u8 = 2;
    const DEFANGED: u8 = 4;
    /// Detection according to UTS #58.
    const UTS58: u8 = 8;

    const fn has(self, option: u8) -> bool {
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
/// scheme in every top-level domain, and ends links at the same position as other programs that
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
    /// Creates a finder of links with a scheme, wrapped or bare.
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
    /// such as `.org`. If a path follows, any top-level domain is accepted (`docs.rs/serde`). File
    /// names, and names in source code, are not found.
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
    /// `https[:]//a.example`, `jo[@]a.example`. Their kind is
    /// [`Kind::Defanged`](crate::Kind::Defanged). By default, they are not reported.
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
    /// or `<host>`. By default they are left out, because they do not identify a resource.
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

    /// Sets the rules for finding links in text. They do not affect links in markup.
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

    /// Lets hosts without a scheme and path end in any word, or be IPv4 addresses.
    const fn any_domain(mut self) -> Self {
        self.any_domain = true;
        self
    }

    /// Returns true if the link is one that the caller asked for.
    const fn returns(&self, link: &Link<'_>) -> bool {
        self.templates || !link.marks.is_template
    }

    /// Returns true if every link that is found has a colon.
    pub(crate) const fn needs_colon(&self) -> bool {
        self.options.0 == 0
    }

    /// Sets the standard that determines whether a link is [valid](Link::is_valid). The default is
    /// RFC 3986, or RFC 3987 for links with characters beyond US-ASCII. The standard does not
    /// affect which links are found, or where they end.
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

    /// Returns the links in a text, in order. The text need not be UTF-8: an invalid byte ends a
    /// link.
    pub fn links<'f, 't, T: Source + ?Sized>(&'f self, text: &'t T) -> Links<'f, 't> {
        Links {
            finder: self,
            text: Input::complete(text),
            candidates: Candidates::default(),
            at: 0,
            floor: 0,
        }
    }

    /// Returns the offset of the first byte that can be a candidate. Without one, the text has no
    /// links.
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

    /// Returns the next candidate from `at` on: a colon or, depending on the options, a dot, an `@`
    /// or a bracket. `candidates` must only be used with this text, and `at` must not decrease.
    #[inline]
    fn candidate(&self, text: &Input<'_>, candidates: &mut Candidates, at: usize) -> Option<usize> {
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
    fn at<'t>(&self, text: &Input<'t>, candidate: usize, floor: usize) -> Outcome<'t> {
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

// Stage 2: the decision.

/// The decision about a candidate.
enum Outcome<'t> {
    /// The candidate is not in a link.
    NoLink,
    /// The candidate is in a bare link, whose reference is the text in this range.
    Bare {
        start: usize,
        end: usize,
        marks: Marks,
    },
    /// The candidate is in this link.
    Link(Link<'t>),
    /// The candidate is in a defanged link, which is not returned. The search continues at this
    /// offset.
    Skip(usize),
}

impl<'t> Outcome<'t> {
    /// Converts [`Outcome::Bare`] to a [`Link`].
    fn with_link(self, text: &Input<'t>) -> Self {
        match self {
            Self::Bare { start, end, marks } => plain_link(text, start, end, marks).into(),
            outcome => outcome,
        }
    }
}

impl<'t> From<Option<Link<'t>>> for Outcome<'t> {
    fn from(link: Option<Link<'t>>) -> Self {
        link.map_or(Self::NoLink, Self::Link)
    }
}

/// Decides whether a colon that [`Colons`] found ends the scheme of a link. The link must not start
/// before `floor`.
#[allow(clippy::inline_always)] // on the path of nearly every link
#[inline(always)]
fn at_colon<'t>(max_length: usize, text: &Input<'t>, colon: usize, floor: usize) -> Outcome<'t> {
    if text.at(colon + 1) == Some(b'/') {
        if text.at(colon + 2) != Some(b'/') {
            return Outcome::NoLink;
        }
        if let Some(scheme) = web_scheme(text, colon, floor) {
            return link_from(max_length, text, scheme, colon, Slashes::Plain, floor);
        }
    }
    uncommon_scheme(max_length, text, colon, floor)
}

/// Decides whether a colon begins a link with a scheme other than `http` and `https`.
#[inline(never)]
fn uncommon_scheme<'t>(
    max_length: usize,
    text: &Input<'t>,
    colon: usize,
    floor: usize,
) -> Outcome<'t> {
    // A number, as in `12:34:56`, is not a scheme.
    if let [before, b'0'..=b'9', b'0'..=b'9'] = text.slice(colon.saturating_sub(3), colon)
        && !is_scheme_byte(*before)
    {
        return Outcome::NoLink;
    }
    let next = text.at(colon + 1);
    if colon <= floor || next.is_none() {
        return Outcome::NoLink;
    }
    let slashes = match next {
        Some(b'/' | b'\\') => Slashes::at(text, colon + 1),
        _ => Slashes::None,
    };
    if slashes == Slashes::None {
        if next == Some(b'\\') {
            return Outcome::NoLink;
        }
        if !may_be_opaque(text, colon) {
            return only_wrapped(text, colon, floor).into();
        }
    }
    let Some(scheme) = scheme_before(text, colon, floor, slashes) else {
        return Outcome::NoLink;
    };
    if text.slice(scheme.start, colon).eq_ignore_ascii_case(b"url") {
        // In `<URL:…` the scheme follows.
        return Outcome::NoLink;
    }
    if slashes == Slashes::None && !scheme.is_known {
        return only_wrapped(text, colon, floor).into();
    }
    if colon == scheme.start + 1 {
        // A single letter is a scheme only after `URL:`, which accepts any scheme.
        return after_url(text, scheme.start, floor).into();
    }
    link_from(max_length, text, scheme, colon, slashes, floor)
}

/// Returns a link without slashes that is only recognized in a wrapper: `<URL:x-y:z>`,
/// `<dns:example.org?a>`.
fn only_wrapped<'t>(text: &Input<'t>, colon: usize, floor: usize) -> Option<Link<'t>> {
    let start = scheme_run_start(text, colon, floor);
    match text.before(start)? {
        b'<' if start > floor && is_known(text.slice(start, colon)) => {
            in_angles(text, start, floor)
        }
        // Most of these are words in a sentence.
        b'\n' | b' ' if text.before(start - 1).is_some_and(is_scheme_byte) => None,
        b':' | b'/' | b'\t'..=b'\r' | b' ' => after_url(text, start, floor),
        _ => None,
    }
}

/// Returns the link that starts with this scheme, wrapped or bare.
#[allow(clippy::inline_always)] // one of the two callers is on the path of nearly every link
#[inline(always)]
fn link_from<'t>(
    max_length: usize,
    text: &Input<'t>,
    scheme: Scheme,
    colon: usize,
    slashes: Slashes,
    floor: usize,
) -> Outcome<'t> {
    let before = text.before(scheme.start).filter(|_| scheme.start > floor);
    if matches!(before, Some(b'<' | b':' | b'/' | b'\t'..=b'\r' | b' '))
        && let Some(link) = in_angles(text, scheme.start, floor)
    {
        return Outcome::Link(marked_as_template(link));
    }
    let bare = bare_end(text, scheme, colon, slashes, max_length);
    if slashes != Slashes::None {
        let rest = colon + 1 + slashes.len();
        let limit = scheme.start.saturating_add(max_length);
        if let Some(end) = end_of_template(text, rest, bare.ends(), limit) {
            return template(text, scheme.start, end).into();
        }
    }
    if let EndOfLink::At(ends) = bare
        && !scheme.is_common
        && is_defanged_scheme(text.slice(scheme.start, colon))
    {
        return Outcome::Skip(ends.end.max(colon + 1));
    }
    if before == Some(b'"')
        && may_continue(text, bare)
        && let Some(link) = in_quotes(text, scheme.start)
    {
        return Outcome::Link(link);
    }
    let EndOfLink::At(mut ends) = bare else {
        return Outcome::NoLink;
    };
    let mut start = scheme.start;
    if before == Some(b':') {
        start = outer_start(text, start, floor);
        ends.is_suspect |= start < scheme.start;
    }
    if ends.is_escaped {
        return escaped_link(text, start, ends).into();
    }
    Outcome::Bare {
        start,
        end: ends.end,
        marks: ends.marks(),
    }
}

/// Returns the template between two offsets.
#[cold]
fn template<'t>(text: &Input<'t>, start: usize, end: usize) -> Option<Link<'t>> {
    let marks = Marks {
        is_suspect: true,
        is_template: true,
        ..Marks::default()
    };
    plain_link(text, start, end, marks)
}

/// Marks a wrapped link with a placeholder as a template.
#[cold]
fn marked_as_template(mut link: Link<'_>) -> Link<'_> {
    link.marks.is_template = link.marks.is_suspect && has_placeholder(&link.uri);
    link
}

/// Returns true if a link in double quotes may continue on the next line.
fn may_continue(text: &Input<'_>, bare: EndOfLink) -> bool {
    match bare {
        EndOfLink::None => true,
        EndOfLink::At(ends) => matches!(text.at(ends.stop), Some(b' ' | b'\t' | b'\r' | b'\n')),
    }
}

/// Returns the start of another link whose scheme ends with this colon, if it directly follows the
/// current link: after a separator such as a comma, or after a letter or punctuation mark in any
/// script. After other characters, such as a slash, an inner URL is part of the outer one.
fn adjacent_link(text: &Input<'_>, colon: usize, floor: usize) -> Option<usize> {
    let slashes = Slashes::at(text, colon + 1);
    if slashes == Slashes::None && !follows_separator(text, colon, floor) {
        return None;
    }
    let scheme = scheme_within(text, colon, floor)?;
    if is_within_escape(text, scheme.start) {
        return None;
    }
    let before = text.char_before(scheme.start);
    let is_separated = matches!(before, Some(',' | ';' | '|'));
    let is_another = if slashes == Slashes::None {
        let is_part = matches!(before, Some(c) if c.is_ascii()) && !is_separated;
        !is_part && scheme.is_known && can_follow(text, text.slice(scheme.start, colon), colon + 1)
    } else {
        let is_loose = match before {
            Some('!' | '*' | '\'') => true,
            Some(c) => scheme.is_glued || !c.is_ascii() || c.is_ascii_alphanumeric(),
            None => false,
        };
        (is_separated || scheme.is_known && (is_loose || scheme.start == floor))
            && is_host(text, colon + 1 + slashes.len())
    };
    (is_another && colon > scheme.start + 1).then_some(scheme.start)
}

/// Returns the end of a link that is followed by another link at `next`. In `%4ftp://…` the other
/// link starts within what looked like a percent-encoded octet, so the link ends before its `%`.
#[cold]
fn end_before(text: &Input<'_>, next: usize) -> usize {
    match text.slice(next.saturating_sub(2), next) {
        [_, b'%'] => next - 1,
        [b'%', _] => next - 2,
        _ => next,
    }
}

/// Returns true if this offset is within an escape `\u002F`. In `\u002Ftp://…` the `F` is part of a
/// slash.
fn is_within_escape(text: &Input<'_>, at: usize) -> bool {
    (at.saturating_sub(ESCAPE_LENGTH - 1)..at).any(|begin| unicode_escape(text, begin).is_some())
}

/// Returns true if a separator of links precedes the word that ends at this colon.
fn follows_separator(text: &Input<'_>, colon: usize, floor: usize) -> bool {
    let mut at = colon;
    while at > floor && colon - at < 8 {
        match text.before(at) {
            Some(b',' | b';' | b'|' | 0x80..) => return true,
            Some(byte) if is_scheme_byte(byte) => at -= 1,
            _ => return false,
        }
    }
    false
}

// The loops that visit the candidates.

/// An iterator over the links in a text, returned by [`Finder::links`].
pub struct Links<'f, 't> {
    finder: &'f Finder,
    text: Input<'t>,
    candidates: Candidates,
    /// The offset at which the search continues.
    at: usize,
    /// The end of the last link. The next link starts here or later.
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
                    if let Some(link) = plain_link(&self.text, start, end, marks) {
                        self.at = end;
                        self.floor = end;
                        return Some(link);
                    }
                }
                Outcome::Link(mut link) => {
                    link.marks.standard = self.finder.standard;
                    self.at = link.range.end;
                    self.floor = self.at;
                    if self.finder.returns(&link) {
                        return Some(link);
                    }
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

/// The number of bytes to keep before a candidate, since they may affect the decision: they may
/// include quotation marks on its line, its wrapper and its scheme.
const LOOKBEHIND: usize = 4096;

/// Finds links in a text that arrives in pieces, in constant memory. Returned by
/// [`Finder::stream`].
///
/// The text may be split anywhere, even within a link or a character. The stream keeps only the
/// text that the next piece may affect. This is at most the longest link, the 4 KiB before it, and
/// the piece itself. The stream finds the links that [`Finder::links`] returns for the complete
/// text.
///
/// ```
/// use urikit_extract::Finder;
/// let finder = Finder::new();
/// let mut stream = finder.stream();
/// let mut found = Vec::new();
/// for piece in ["at <URL:http://a.exa", "mple/b", "c> and"] {
///     stream.push(piece, |link| found.push((link.range(), link.as_str().to_owned())));
/// }
/// stream.finish(|link| found.push((link.range(), link.as_str().to_owned())));
/// assert_eq!(found, [(3..28, "http://a.example/bc".to_owned())]);
/// ```
#[derive(Clone, Debug)]
pub struct Stream<'f> {
    finder: &'f Finder,
    buffer: Vec<u8>,
    /// The offset of the buffer in the complete text.
    offset: usize,
    /// The offset in the buffer at which the search continues.
    at: usize,
    /// The end of the last link in the buffer.
    floor: usize,
    /// The buffer length at which the search continues. An undecided candidate is examined again
    /// once the input after it has doubled, so that small pieces cost no more than large ones.
    wait: usize,
}

impl Finder {
    /// Creates a stream for a text that arrives in pieces.
    pub const fn stream(&self) -> Stream<'_> {
        Stream {
            finder: self,
            buffer: Vec::new(),
            offset: 0,
            at: 0,
            floor: 0,
            wait: 0,
        }
    }
}

impl Stream<'_> {
    /// Reads the next piece, and calls `each` with the links that further input cannot change.
    /// Ranges are byte offsets in the complete text.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Link<'_>)) {
        self.push_written(piece.as_ref(), |link, _| each(link));
    }

    /// Does what [`push`](Self::push) does, and also passes the bytes in the link's range to
    /// `each`.
    pub(crate) fn push_written(&mut self, piece: &[u8], each: impl FnMut(Link<'_>, &[u8])) {
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= self.wait {
            self.search(false, each);
        }
    }

    /// Marks the end of the text, and calls `each` with the remaining links.
    pub fn finish(self, mut each: impl FnMut(Link<'_>)) {
        self.finish_written(|link, _| each(link));
    }

    /// Does what [`finish`](Self::finish) does, and also passes the bytes in the link's range to
    /// `each`.
    pub(crate) fn finish_written(mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
    }

    /// Ends a part of the text, and calls `each` with its remaining links. No link extends past
    /// this point.
    pub(crate) fn end_part(&mut self, each: impl FnMut(Link<'_>, &[u8])) {
        self.search(true, each);
        self.offset += self.buffer.len();
        self.buffer.clear();
        (self.at, self.floor, self.wait) = (0, 0, 0);
    }

    /// Returns the offset in the complete text before which no later link can start.
    pub(crate) const fn undecided_from(&self) -> usize {
        self.offset
    }

    fn search(&mut self, is_complete: bool, mut each: impl FnMut(Link<'_>, &[u8])) {
        let text = Input::new(&self.buffer, is_complete);
        let mut candidates = Candidates::default();
        let mut is_undecided = false;
        while let Some(candidate) = self.finder.candidate(&text, &mut candidates, self.at) {
            let found = self.finder.at(&text, candidate, self.floor);
            if text.take_ran_out() {
                self.at = candidate;
                is_undecided = true;
                break;
            }
            match found.with_link(&text) {
                Outcome::Link(mut link) => {
                    link.marks.standard = self.finder.standard;
                    self.at = link.range.end;
                    self.floor = self.at;
                    let written = text.slice(link.range.start, link.range.end);
                    link.range = link.range.start + self.offset..link.range.end + self.offset;
                    if self.finder.returns(&link) {
                        each(link, written);
                    }
                }
                Outcome::Skip(end) => {
                    self.at = end;
                    self.floor = end;
                }
                Outcome::NoLink | Outcome::Bare { .. } => self.at = candidate + 1,
            }
        }
        if !is_undecided {
            self.at = self.buffer.len();
        }
        let dropped = self.at.saturating_sub(LOOKBEHIND);
        self.buffer.drain(..dropped);
        self.offset += dropped;
        self.at -= dropped;
        self.floor = self.floor.saturating_sub(dropped);
        let undecided = self.buffer.len() - self.at;
        self.wait = self.buffer.len() + undecided;
    }
}
