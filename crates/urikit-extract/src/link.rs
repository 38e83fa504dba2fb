//! A link found in text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urikit::op::Repaired;
use urikit::op::repair::repair;
use urikit::{AnyRef, ParseError, Standard};

/// How a link was recognized.
///
/// The kinds from text are [`Wrapped`](Self::Wrapped) and [`Bare`](Self::Bare), and, as guesses
/// that a [`Finder`](crate::Finder) makes only when enabled, [`Abbreviated`](Self::Abbreviated)
/// and [`Address`](Self::Address), and [`Defanged`](Self::Defanged), also if enabled. [`Link`](Self::Link) comes from the markup of documents.
///
/// ```
/// use urikit_extract::{Finder, Kind};
/// let finder = Finder::new().abbreviated(true).addresses(true);
/// let text = "<URL:ftp://a.example/b> http://a.example/ www.example.org jim@example.org";
/// let kinds: Vec<Kind> = finder.links(text).map(|link| link.kind()).collect();
/// assert_eq!(kinds, [Kind::Wrapped, Kind::Bare, Kind::Abbreviated, Kind::Address]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// In a wrapper: `<URL:…>` or `<…>` (RFC 1738, Appendix; RFC 2396, Appendix E), or in double
    /// quotes and broken over lines (RFC 3986, Appendix C).
    Wrapped,
    /// By its scheme: `http://a.example/b`, `mailto:a@b.example`.
    Bare,
    /// Without a scheme: `www.w3.org/Addressing/`. The scheme is guessed from the host name (RFC
    /// 2396, Appendix F; RFC 3986, 4.5, calls this a suffix reference).
    Abbreviated,
    /// A mail address, `jim@example.org`, turned into a `mailto` URL (RFC 6068).
    Address,
    /// An indicator that was written so that it is no link: `hxxp://a[.]example`. The reference is
    /// refanged.
    Defanged,
    /// A place where the markup of a document has a reference: an attribute such as `href`, the
    /// destination of a Markdown link, a header field of mail.
    Link,
}

impl Kind {
    /// The name in lower case: `wrapped`, `bare`, `abbreviated`, `address`, `defanged` or `link`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Bare => "bare",
            Self::Abbreviated => "abbreviated",
            Self::Address => "address",
            Self::Defanged => "defanged",
            Self::Link => "link",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A link in text: its byte range, and the reference.
///
/// A link is taken as its author wrote it, up to where browsers and terminals end it. So it may be
/// invalid (`http://a.example/?b[]=1`): [`reference`](Self::reference) says where and why, and
/// [`repaired`](Self::repaired) is what browsers make of it.
///
/// A bare link borrows its reference from the text. The reference is an allocated string when it
/// differs from what is written: in a wrapped link that is broken over lines, an abbreviated URL,
/// an address, and a link with the escapes of a string literal (`http:\/\/a`).
#[derive(Clone, PartialEq, Eq)]
pub struct Link<'t> {
    pub(crate) range: Range<usize>,
    pub(crate) uri: Cow<'t, str>,
    pub(crate) kind: Kind,
    pub(crate) alternative: Option<String>,
    pub(crate) marks: Marks,
}

/// What is known of a link besides its text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Marks {
    /// The standard to parse it by, if one was chosen.
    pub(crate) standard: Option<Standard>,
    /// Whether it may be invalid under RFC 3986 and RFC 3987: the search took more than they allow.
    pub(crate) is_suspect: bool,
    /// Whether more of it follows in the text.
    pub(crate) is_cut: bool,
}

impl Marks {
    /// Those of a reference in markup, which may be any text.
    pub(crate) const MARKUP: Self = Self {
        standard: None,
        is_suspect: true,
        is_cut: false,
    };

    /// Parses a reference with these marks.
    pub(crate) fn parse(self, uri: &str) -> Result<AnyRef<'_>, ParseError> {
        self.standard.unwrap_or(standard_of(uri)).parse(uri)
    }

    /// Whether the reference is valid. Most are known to be without being parsed.
    pub(crate) fn accept(self, uri: &str) -> bool {
        !self.is_suspect && self.standard.is_none() || self.parse(uri).is_ok()
    }
}

impl fmt::Debug for Link<'_> {
    /// Without the password, if the reference is valid, and otherwise without what may contain one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = |uri: &str| match self.marks.parse(uri) {
            Ok(reference) => reference.redact().to_string(),
            Err(_) if uri.contains('@') => "…".to_owned(),
            Err(_) => uri.to_owned(),
        };
        f.debug_struct("Link")
            .field("range", &self.range)
            .field("uri", &masked(&self.uri))
            .field("kind", &self.kind)
            .field("alternative", &self.alternative.as_deref().map(masked))
            .field("marks", &self.marks)
            .finish()
    }
}

impl<'t> Link<'t> {
    /// The reference that was found.
    ///
    /// It may differ from the text at [`range`](Self::range). The wrapper (`<…>`, `<URL:…>`) is
    /// left out, and so are line breaks and spaces inside it (RFC 3986, Appendix C). An
    /// abbreviated URL such as `www.example.com` has the scheme that was guessed for it, and a mail
    /// address has `mailto:` before it.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links("see <URL:http://a.example/\n b>").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/b");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.uri
    }

    /// The reference by value, borrowed from the text where possible.
    pub fn into_uri(self) -> Cow<'t, str> {
        self.uri
    }

    /// The byte range of the link in the text, including the wrapper. For a stream, the offsets
    /// count from the beginning of the complete text.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let text = "see <URL:http://a.example/>.";
    /// let link = Finder::new().links(text).next().unwrap();
    /// assert_eq!(&text[link.range()], "<URL:http://a.example/>");
    /// ```
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// How the link was recognized.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The other reading of a wrapped link that has a hyphen at the end of a line. The hyphen may
    /// belong to the reference, or it may have been added when the line was broken (RFC 1738,
    /// Appendix; RFC 3986, Appendix C). [`as_str`](Self::as_str) keeps it; the alternative drops
    /// it.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links("<URL:http://a.example/re-\nport>").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/re-port");
    /// assert_eq!(link.alternative(), Some("http://a.example/report"));
    /// ```
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// Parses the reference: under the finder's [standard](crate::Finder::standard); without one,
    /// as a URI (RFC 3986), or as an IRI (RFC 3987) if it has characters beyond US-ASCII.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links("http://a.example/b|c").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/b|c"); // as written
    /// assert_eq!(link.reference().unwrap_err().offset(), 18);
    /// assert_eq!(link.repaired().unwrap().reference, "http://a.example/b%7Cc");
    /// ```
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        self.marks.parse(&self.uri)
    }

    /// Whether [`reference`](Self::reference) succeeds. It is faster for most links, of which this
    /// is known from the search.
    pub fn is_valid(&self) -> bool {
        self.marks.accept(&self.uri)
    }

    /// What [`urikit::repair`] makes of a link that is not valid. `None` if it is valid, and if it
    /// cannot be repaired, since a change would decide which host is meant.
    pub fn repaired(&self) -> Option<Repaired> {
        if self.is_valid() {
            return None;
        }
        repair(&self.uri).ok()
    }

    /// Whether the link had to be cut: more of it follows in the text than can be taken, such as
    /// after a byte that is not UTF-8, or past the [longest](crate::Finder::max_length) link.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links(b"http://a.example/b\xFFc").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/b");
    /// assert!(link.is_cut());
    /// ```
    pub const fn is_cut(&self) -> bool {
        self.marks.is_cut
    }
}

/// The standard that a reference found in text is parsed by.
pub(crate) fn standard_of(uri: &str) -> Standard {
    if uri.is_ascii() {
        Standard::Rfc3986
    } else {
        Standard::Rfc3987
    }
}
