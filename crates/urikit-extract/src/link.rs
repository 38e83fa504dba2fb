//! Links in text, and the types of text that can be searched.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urikit::op::Repaired;
use urikit::op::repair::repair;
use urikit::{AnyRef, ParseError, Standard};

/// The kind of a link, which depends on how it was recognized.
///
/// A [`Finder`](crate::Finder) always finds [`Wrapped`](Self::Wrapped) and [`Bare`](Self::Bare)
/// links. [`Abbreviated`](Self::Abbreviated), [`Address`](Self::Address) and
/// [`Defanged`](Self::Defanged) links are guesses, which must be enabled. References in the markup
/// of documents have the kind [`Link`](Self::Link).
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
    /// A link in a wrapper: `<URL:…>` or `<…>` (RFC 1738, Appendix; RFC 2396, Appendix E), or in
    /// double quotes and broken across several lines (RFC 3986, Appendix C).
    Wrapped,
    /// A link with a scheme, such as `http://a.example/b` or `mailto:a@b.example`.
    Bare,
    /// A link without a scheme, such as `www.w3.org/Addressing/`. The scheme is guessed from the
    /// host name (RFC 2396, Appendix F; RFC 3986, 4.5, calls this a suffix reference).
    Abbreviated,
    /// A mail address, such as `jim@example.org`, converted to a `mailto` URL (RFC 6068).
    Address,
    /// An indicator of compromise that was defanged so that it is not a link:
    /// `hxxp://a[.]example`. The reference is restored to its original form.
    Defanged,
    /// A reference in the markup of a document: an attribute such as `href`, the destination of a
    /// Markdown link, or a mail header field.
    Link,
}

impl Kind {
    /// Returns the name in lower case: `wrapped`, `bare`, `abbreviated`, `address`, `defanged` or
    /// `link`.
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
/// A link ends where browsers and terminals end it, even if it is invalid
/// (`http://a.example/?b[]=1`). For an invalid link, [`reference`](Self::reference) reports the
/// position and the reason, and [`repaired`](Self::repaired) returns the link as browsers interpret
/// it.
///
/// The reference borrows from the text where possible. The reference is an allocated string if it
/// differs from the text: for a wrapped link that is broken across several lines, an abbreviated
/// URL, an address, and a link with the escapes of a string literal (`http:\/\/a`).
#[derive(Clone, PartialEq, Eq)]
pub struct Link<'t> {
    pub(crate) range: Range<usize>,
    pub(crate) uri: Cow<'t, str>,
    pub(crate) kind: Kind,
    pub(crate) alternative: Option<String>,
    pub(crate) marks: Marks,
}

/// Properties of a link other than its text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Marks {
    /// The standard under which to parse the link, if the caller chose one.
    pub(crate) standard: Option<Standard>,
    /// True if the link may be invalid under RFC 3986 and RFC 3987, because the search also accepts
    /// invalid links.
    pub(crate) is_suspect: bool,
    /// True if more of the link follows in the text.
    pub(crate) is_cut: bool,
    /// True if the link has a placeholder.
    pub(crate) is_template: bool,
}

impl Marks {
    /// The properties of a reference in markup, where any string may be a reference.
    pub(crate) const MARKUP: Self = Self {
        standard: None,
        is_suspect: true,
        is_cut: false,
        is_template: false,
    };

    /// Parses a reference with these properties.
    pub(crate) fn parse(self, uri: &str) -> Result<AnyRef<'_>, ParseError> {
        self.standard.unwrap_or(standard_of(uri)).parse(uri)
    }

    /// Returns true if the reference is valid. Most references are known to be valid and are not
    /// parsed.
    pub(crate) fn accept(self, uri: &str) -> bool {
        !self.is_suspect && self.standard.is_none() || self.parse(uri).is_ok()
    }
}

impl fmt::Debug for Link<'_> {
    // Masks the password of a valid reference. Omits an invalid reference that may contain a
    // password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = |uri: &str| match self.marks.parse(uri) {
            Ok(reference) => reference.display_redacted().to_string(),
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
    /// Returns the reference.
    ///
    /// The reference may differ from the text in the [`range`](Self::range): it has no wrapper
    /// (`<…>`, `<URL:…>`), and no line breaks or spaces from within the wrapper (RFC 3986, Appendix
    /// C). An abbreviated URL such as `www.example.com` has the guessed scheme, and a mail address
    /// has `mailto:`.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links("see <URL:http://a.example/\n b>").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/b");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.uri
    }

    /// Returns the reference by value, borrowed from the text where possible.
    pub fn into_uri(self) -> Cow<'t, str> {
        self.uri
    }

    /// Returns the byte range of the link in the text, including the wrapper. For a stream, offsets
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

    /// Returns how the link was recognized.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the alternative reading of a wrapped link that has a hyphen at the end of a line.
    /// The hyphen may belong to the reference, or it may have been added when the line was broken
    /// (RFC 1738, Appendix; RFC 3986, Appendix C). [`as_str`](Self::as_str) includes the hyphen;
    /// the alternative does not.
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

    /// Parses the reference under the finder's [standard](crate::Finder::standard). The default is
    /// RFC 3986, or RFC 3987 if the reference has non-ASCII characters.
    ///
    /// ```
    /// use urikit_extract::Finder;
    /// let link = Finder::new().links("http://a.example/b|c").next().unwrap();
    /// assert_eq!(link.as_str(), "http://a.example/b|c"); // as in the text
    /// assert_eq!(link.reference().unwrap_err().offset(), 18);
    /// assert_eq!(link.repaired().unwrap().reference, "http://a.example/b%7Cc");
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        self.marks.parse(&self.uri)
    }

    /// Returns true if [`reference`](Self::reference) succeeds. The search has already checked
    /// most links, so they are not parsed here.
    pub fn is_valid(&self) -> bool {
        self.marks.accept(&self.uri)
    }

    /// Repairs an invalid link with [`urikit::repair`]. Returns `None` if the link is valid, or if
    /// it cannot be repaired because a change might select another host.
    pub fn repaired(&self) -> Option<Repaired> {
        if self.is_valid() {
            return None;
        }
        repair(&self.uri).ok()
    }

    /// Returns true if the link was cut off: it continues in the text, for example after a byte
    /// that is not UTF-8 or past the [maximum length](crate::Finder::max_length).
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

    /// Returns true if the link is a template, with placeholders such as `{id}`, `${HOST}`, `%s` or
    /// `<host>`. A finder returns templates only if they are
    /// [enabled](crate::Finder::templates).
    pub const fn is_template(&self) -> bool {
        self.marks.is_template
    }
}

/// Returns the standard under which a reference is parsed unless the caller chooses one.
pub(crate) fn standard_of(uri: &str) -> Standard {
    if uri.is_ascii() {
        Standard::Rfc3986
    } else {
        Standard::Rfc3987
    }
}

/// Complete text: a string, or bytes that need not be UTF-8.
///
/// This trait is implemented for borrowed and owned strings and byte containers. The reference in a
/// [`Link`] borrows from the text. If the text is a string, the reference is not validated as UTF-8
/// again.
///
/// ```
/// use urikit_extract::{Finder, Source};
/// // RFC 1738, Appendix
/// let bytes = b"\xFF<URL:ftp://ds.internic.net/rfc>\xFF";
/// assert_eq!(Source::text(bytes), None);
/// let link = Finder::new().links(bytes).next().unwrap();
/// assert_eq!(link.as_str(), "ftp://ds.internic.net/rfc");
/// ```
pub trait Source {
    /// Returns the bytes of the text.
    fn bytes(&self) -> &[u8];

    /// Returns the text as a string if the type guarantees UTF-8. The default is `None`.
    fn text(&self) -> Option<&str> {
        None
    }
}

macro_rules! sources {
    ($($string:ty),*; $($bytes:ty),*) => {
        $(impl Source for $string {
            fn bytes(&self) -> &[u8] {
                self.as_bytes()
            }

            fn text(&self) -> Option<&str> {
                Some(self)
            }
        })*
        $(impl Source for $bytes {
            fn bytes(&self) -> &[u8] {
                self
            }
        })*
    };
}

sources!(str, String, Box<str>, Cow<'_, str>; [u8], Vec<u8>, Box<[u8]>, Cow<'_, [u8]>);

impl<const N: usize> Source for [u8; N] {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl<T: Source + ?Sized> Source for &T {
    fn bytes(&self) -> &[u8] {
        (**self).bytes()
    }

    fn text(&self) -> Option<&str> {
        (**self).text()
    }
}
