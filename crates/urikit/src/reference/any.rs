//! A reference whose standard is a value.

use crate::component::{Authority, Encoded, Host, Pair, Pairs, Path, Segments};
#[cfg(feature = "alloc")]
use crate::component::{FormPair, NotUtf8};
use crate::layout::Components;
use crate::layout::{HostKind, Layout};
use crate::parse::Production;
use crate::{Form, ParseError, Standard};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

/// A reference that was read by the [`Standard`] it carries. It borrows its text and is cheap to
/// copy.
///
/// This is the type for the older standards, and for a standard that is chosen at run time. For
/// RFC 3986 and RFC 3987 use [`Uri`](crate::Uri), [`UriRef`](crate::UriRef), [`Iri`](crate::Iri)
/// and [`IriRef`](crate::IriRef).
///
/// All components are as written. An absent one is `None`, which is not the same as an empty one.
///
/// ```text
///   http://user:pw@host.dom:80/path?query#fragment
///   ╰┬─╯   ╰──────┬──────────╯╰─┬─╯ ╰─┬─╯ ╰───┬──╯
/// scheme      authority       path  query  fragment
/// ```
///
/// ```
/// use urikit::{AnyRef, Standard};
/// let url = AnyRef::parse("mailto:mduerst@ifi.unizh.ch?x=y", Standard::Rfc2396)?;
/// assert!(url.is_opaque());
/// assert_eq!(url.query(), None); // in RFC 2396 it is inside the opaque part
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// `==` compares the text and the standard.
#[derive(Clone, Copy)]
pub struct AnyRef<'a> {
    components: Components<'a>,
    standard: Standard,
}

impl Standard {
    /// Parses `text` as a reference of this standard.
    ///
    /// Under RFC 1630 and RFC 1738, the production of its scheme decides where there is one.
    ///
    /// ```
    /// use urikit::Standard;
    /// assert!(Standard::Rfc1738.parse("http://host/~user").is_err()); // `~` is `national`
    /// assert!(Standard::Rfc2396.parse("http://host/~user").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// The first byte at which no valid reference can go on; a text of more than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        match AnyRef::fast(text, self) {
            Some(reference) => Ok(reference),
            None => self.parse_const(text),
        }
    }

    /// [`parse`](Self::parse) for constants; slower at run time.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub const fn parse_const(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        AnyRef::new(text, self, Production::Own)
    }

    /// Parses `text` by the generic production of RFC 1630 (`uri`) or RFC 1738 (`genericurl`),
    /// whatever its scheme; the other standards have one production only.
    ///
    /// ```
    /// use urikit::Standard;
    /// // By the letter of RFC 1738, "http:xyz" is a URL (an `otherurl`), but not an `httpurl`.
    /// assert!(Standard::Rfc1738.parse("http:xyz").is_err());
    /// assert!(Standard::Rfc1738.parse_generic("http:xyz").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub const fn parse_generic(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        AnyRef::new(text, self, Production::Generic)
    }

    /// Parses bytes, which need not be UTF-8, as a reference of this standard.
    ///
    /// ```
    /// use urikit::Standard;
    /// assert!(Standard::Rfc3986.parse_bytes(b"http://a/b").is_ok());
    /// assert_eq!(Standard::Rfc3987.parse_bytes(b"http://a/\xFF").unwrap_err().offset(), 9);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse); and at the first byte that is not UTF-8, unless there is an
    /// error before it.
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<AnyRef<'_>, ParseError> {
        if bytes.len() > crate::MAX_LEN {
            return Err(ParseError::TooLong {
                length: bytes.len(),
            });
        }
        match core::str::from_utf8(bytes) {
            Ok(text) => self.parse(text),
            Err(error) => Err(crate::parse::not_utf8(bytes, error.valid_up_to(), self)),
        }
    }
}

impl<'a> AnyRef<'a> {
    /// Parses `text` as a reference of `standard`, as [`Standard::parse`] does.
    ///
    /// # Errors
    ///
    /// As [`Standard::parse`].
    #[inline]
    pub fn parse(text: &'a str, standard: Standard) -> Result<Self, ParseError> {
        standard.parse(text)
    }

    const fn new(
        text: &'a str,
        standard: Standard,
        production: Production,
    ) -> Result<Self, ParseError> {
        match crate::parse::reference(text.as_bytes(), standard, production) {
            Ok(layout) => Ok(Self {
                components: Components::new(text, layout),
                standard,
            }),
            Err(error) => Err(error),
        }
    }

    /// The fast path: a text that the scanner can read.
    #[allow(clippy::inline_always)] // otherwise the layout goes through memory
    #[inline(always)]
    pub(crate) fn fast(text: &'a str, standard: Standard) -> Option<Self> {
        let components = crate::parse::fast(text, standard)?;
        Some(Self {
            components,
            standard,
        })
    }

    /// INVARIANT: the components are those of their text under `standard`.
    #[cfg(feature = "alloc")]
    pub(crate) const fn from_components(components: Components<'a>, standard: Standard) -> Self {
        Self {
            components,
            standard,
        }
    }

    /// The same text under another standard.
    ///
    /// INVARIANT: that standard gives it the same layout.
    pub(super) const fn with_standard(self, standard: Standard) -> Self {
        Self { standard, ..self }
    }

    #[cfg(feature = "alloc")]
    pub(crate) const fn components(&self) -> &Components<'a> {
        &self.components
    }

    #[inline]
    pub(crate) const fn layout(&self) -> &Layout {
        self.components.layout()
    }

    #[inline]
    pub(crate) const fn has_scheme(&self) -> bool {
        self.layout().scheme.is_there()
    }

    /// The reference as written, byte for byte.
    #[inline]
    pub const fn as_str(&self) -> &'a str {
        self.components.as_str()
    }

    /// The standard by which it was read.
    #[inline]
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Whether it was read by [`Standard::parse_generic`] under RFC 1630 or RFC 1738.
    pub const fn is_generic(&self) -> bool {
        self.layout().generic
    }

    /// Which form it has: what it begins with.
    pub const fn form(&self) -> Form {
        let layout = self.layout();
        if layout.scheme.is_there() {
            Form::Absolute
        } else if layout.host_kind.is_some() {
            Form::NetworkPath
        } else if self.path().is_absolute() {
            Form::AbsolutePath
        } else if !self.path().is_empty() || layout.params.is_there() {
            Form::RelativePath
        } else if layout.query.is_there() {
            Form::QueryOnly
        } else if layout.fragment.is_there() {
            Form::FragmentOnly
        } else {
            Form::Empty
        }
    }

    /// Whether it is opaque: it has a scheme, and a character other than a slash follows the colon
    /// (RFC 2396, 3; RFC 1630 and RFC 1738 likewise). RFC 1808, RFC 3986 and RFC 3987 have no
    /// opaque references.
    ///
    /// ```
    /// use urikit::Standard;
    /// assert!(Standard::Rfc2396.parse("mailto:a@b")?.is_opaque());
    /// assert!(!Standard::Rfc2396.parse("file:/etc/motd")?.is_opaque());
    /// assert!(!Standard::Rfc3986.parse("mailto:a@b")?.is_opaque()); // a path without a slash
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn is_opaque(&self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.has_scheme()
            && self.layout().host_kind.is_none()
            && !self.path().is_absolute()
    }

    /// The scheme, without its colon and in the case in which it is written.
    #[inline]
    pub const fn scheme(&self) -> Option<&'a str> {
        self.components.scheme()
    }

    /// The authority, without its `//`. `None` where there is no `//`, and under RFC 1630 and RFC
    /// 1738 also where the production that matches has none.
    ///
    /// ```
    /// use urikit::Standard;
    /// let authority = |text| Standard::Rfc3986.parse(text).unwrap().authority();
    /// assert_eq!(authority("ftp://foo@host.dom:21/a").unwrap(), "foo@host.dom:21");
    /// assert_eq!(authority("file:///etc/motd").unwrap(), ""); // empty
    /// assert!(authority("file:/etc/motd").is_none()); // absent
    /// ```
    #[inline]
    pub const fn authority(&self) -> Option<Authority<'a>> {
        let Some(kind) = self.layout().host_kind else {
            return None;
        };
        let (Some(text), Some(host)) = (self.components.authority(), self.components.host()) else {
            return None; // INVARIANT: both are there with a kind
        };
        Some(Authority {
            text,
            userinfo: encoded(self.components.userinfo()),
            host: Host::new(host, kind),
            port: self.components.port(),
            registry: self.layout().registry,
        })
    }

    /// The userinfo, without its `@`.
    #[inline]
    pub const fn userinfo(&self) -> Option<Encoded<'a>> {
        encoded(self.components.userinfo())
    }

    /// The userinfo up to its first colon.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.authority()?.user()
    }

    /// The userinfo after its first colon; `None` where there is no colon.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.authority()?.password()
    }

    /// The host. It may be empty, and is absent only with the authority.
    #[inline]
    pub const fn host(&self) -> Option<Host<'a>> {
        match (self.components.host(), self.layout().host_kind) {
            (Some(text), Some(kind)) => Some(Host::new(text, kind)),
            _ => None,
        }
    }

    /// What kind of host it is; `None` without an authority.
    #[inline]
    pub const fn host_kind(&self) -> Option<HostKind> {
        self.layout().host_kind
    }

    /// The port as written, digits of any number; empty where nothing follows the colon.
    #[inline]
    pub const fn port(&self) -> Option<&'a str> {
        self.components.port()
    }

    /// The port as a number; `None` where it is absent, empty or above 65535.
    pub fn port_number(&self) -> Option<u16> {
        self.authority()?.port_number()
    }

    /// The path, with its first slash. Every reference has one; it may be empty.
    #[inline]
    pub const fn path(&self) -> Path<'a> {
        Path::new(self.components.path())
    }

    /// The segments of the path: what is between its slashes.
    pub fn segments(&self) -> Segments<'a> {
        self.path().segments()
    }

    /// RFC 1808's params: everything after the first semicolon of the path. `None` under every
    /// other standard; see [`Segment::parameters`](crate::component::Segment::parameters).
    ///
    /// ```
    /// use urikit::Standard;
    /// let url = Standard::Rfc1808.parse("http://a/b/c/d;p?q")?; // RFC 1808, 5
    /// assert_eq!((url.path().as_str(), url.params().unwrap().as_str()), ("/b/c/d", "p"));
    /// let url = Standard::Rfc2396.parse("http://a/b/c/d;p?q")?;
    /// assert_eq!((url.path().as_str(), url.params()), ("/b/c/d;p", None));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[inline]
    pub const fn params(&self) -> Option<Encoded<'a>> {
        encoded(self.components.params())
    }

    /// The query, without its `?` (`search` in RFC 1630 and RFC 1738).
    ///
    /// ```
    /// use urikit::Standard;
    /// // RFC 1738, 5: a `?` is an ordinary character in the path of an `ftpurl`.
    /// let url = Standard::Rfc1738.parse("ftp://host.dom/a?b")?;
    /// assert_eq!((url.path().as_str(), url.query()), ("/a?b", None));
    /// let url = Standard::Rfc3986.parse("ftp://host.dom/a?b")?;
    /// assert_eq!(url.query().unwrap(), "b");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[inline]
    pub const fn query(&self) -> Option<Encoded<'a>> {
        encoded(self.components.query())
    }

    /// The pairs of the query, between ampersands, as written; none where there is no query.
    pub fn query_pairs(&self) -> Pairs<'a> {
        Pairs::of(self.query())
    }

    /// The first pair of the query with this name, which is compared with the decoded name.
    pub fn query_get(&self, name: &str) -> Option<Pair<'a>> {
        self.query_pairs()
            .find(|pair| pair.is_named(name.as_bytes()))
    }

    /// Every pair of the query with this name, in order.
    pub fn query_get_all<'n>(
        &self,
        name: &'n str,
    ) -> impl DoubleEndedIterator<Item = Pair<'a>> + use<'a, 'n> {
        self.query_pairs()
            .filter(move |pair| pair.is_named(name.as_bytes()))
    }

    /// The value of the first pair with this name, both decoded as HTML forms write them: `+` is a
    /// space. A pair without `=` has an empty value.
    ///
    /// # Errors
    ///
    /// Where the value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn form_get(&self, name: &str) -> Option<Result<Cow<'a, str>, NotUtf8>> {
        let mut pairs = self.query_pairs();
        let pair = pairs.find(|pair| pair.name().decode().form() == *name)?;
        Some(pair.value().unwrap_or(Encoded::EMPTY).to_form_utf8())
    }

    /// The names and values of all pairs, decoded as HTML forms write them: `+` is a space. A pair
    /// without `=` has an empty value, and empty pairs are left out.
    ///
    /// # Errors
    ///
    /// For each pair whose name or value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn form_pairs(&self) -> impl DoubleEndedIterator<Item = FormPair<'a>> + use<'a> {
        self.query_pairs()
            .filter(|pair| !pair.is_empty())
            .map(Pair::to_form_utf8)
    }

    /// The fragment, without its `#`.
    #[inline]
    pub const fn fragment(&self) -> Option<Encoded<'a>> {
        encoded(self.components.fragment())
    }

    /// The reference without its fragment. Nothing is copied.
    ///
    /// ```
    /// use urikit::Standard;
    /// let url = Standard::Rfc3986.parse("http://a/b?q#s")?;
    /// assert_eq!(url.without_fragment().as_str(), "http://a/b?q"); // RFC 3986, 4.3
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[must_use]
    pub const fn without_fragment(&self) -> Self {
        Self {
            components: self.components.without_fragment(),
            standard: self.standard,
        }
    }
}

#[inline]
const fn encoded(text: Option<&str>) -> Option<Encoded<'_>> {
    match text {
        Some(text) => Some(Encoded::new(text)),
        None => None,
    }
}

impl fmt::Display for AnyRef<'_> {
    /// The reference as written, its password included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AnyRef<'_> {
    /// The standard, and the text as a string. A password is masked, also in what only looks like
    /// an authority.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", self.standard, self.masked())
    }
}

impl PartialEq for AnyRef<'_> {
    /// The same text under the same standard, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.standard == other.standard
            && self.is_generic() == other.is_generic()
            && self.as_str() == other.as_str()
    }
}

impl Eq for AnyRef<'_> {}

impl core::hash::Hash for AnyRef<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.standard.hash(state);
        self.as_str().hash(state);
    }
}
