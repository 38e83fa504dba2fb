//! A link found in text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urikit::{AnyRef, ParseError, Standard};

/// How a link was recognized.
///
/// The kinds from text are [`Wrapped`](Self::Wrapped) and [`Bare`](Self::Bare), and, as guesses
/// that a [`Finder`](crate::Finder) makes only when enabled, [`Abbreviated`](Self::Abbreviated)
/// and [`Address`](Self::Address). [`Link`](Self::Link) comes from the markup of documents.
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
    /// A place where the markup of a document has a reference: an attribute such as `href`, the
    /// destination of a Markdown link, a header field of mail.
    Link,
}

impl Kind {
    /// The name in lower case: `wrapped`, `bare`, `abbreviated`, `address` or `link`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Bare => "bare",
            Self::Abbreviated => "abbreviated",
            Self::Address => "address",
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
/// A bare link borrows its reference from the text. The reference is an allocated string when it
/// differs from what is written: in a wrapped link that is broken over lines, an abbreviated URL,
/// an address, and a link with the escapes of a string literal (`http:\/\/a`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link<'t> {
    pub(crate) range: Range<usize>,
    pub(crate) uri: Cow<'t, str>,
    pub(crate) kind: Kind,
    pub(crate) alternative: Option<String>,
}

impl<'t> Link<'t> {
    /// The reference: without the wrapper and the white space in it, with the guessed scheme of an
    /// abbreviated URL, with `mailto:` before an address.
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

    /// Parses the reference: as a URI (RFC 3986), or as an IRI (RFC 3987) if it has characters
    /// beyond US-ASCII.
    ///
    /// # Errors
    ///
    /// Links found in plain text are valid, so this does not fail for them. It is fallible because
    /// references in markup can be arbitrary text; see
    /// [`document::Reference::reference`](crate::document::Reference::reference).
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        standard_of(&self.uri).parse(&self.uri)
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
