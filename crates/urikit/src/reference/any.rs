//! References that record their standard at run time, and the forms of references.

use crate::component::{Authority, Encoded, Host, Pair, Pairs, Path, Segments};
#[cfg(feature = "alloc")]
use crate::component::{FormPair, NotUtf8};
use crate::layout::Components;
use crate::layout::{HostKind, Layout};
use crate::parse::Production;
use crate::{ParseError, Standard};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

/// A reference that records the [`Standard`] under which it was parsed. The type borrows its text
/// and is cheap to copy.
///
/// Use this type for the older standards, and when the standard is chosen at run time. For RFC 3986
/// and RFC 3987 use [`Uri`](crate::Uri), [`UriRef`](crate::UriRef), [`Iri`](crate::Iri) and
/// [`IriRef`](crate::IriRef).
///
/// The getters return components as written. An absent component is `None`, which differs from an
/// empty one.
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
/// `==` compares both the text and the standard.
#[derive(Clone, Copy)]
pub struct AnyRef<'a> {
    components: Components<'a>,
    standard: Standard,
}

impl Standard {
    /// Parses `text` as a reference of this standard.
    ///
    /// Under RFC 1630 and RFC 1738, a URL is parsed with the production of its scheme if the
    /// scheme has one.
    ///
    /// ```
    /// use urikit::Standard;
    /// assert!(Standard::Rfc1738.parse("http://host/~user").is_err()); // `~` is `national`
    /// assert!(Standard::Rfc2396.parse("http://host/~user").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `text` is not a valid reference. The error gives the offset of the first byte at
    /// which no valid reference can continue. Also fails if `text` is longer than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        match AnyRef::fast(text, self) {
            Some(reference) => Ok(reference),
            None => self.parse_const(text),
        }
    }

    /// Does the same as [`parse`](Self::parse), but also works in constants. At run time,
    /// `parse_const` is slower than `parse`.
    ///
    /// # Errors
    ///
    /// See [`parse`](Self::parse).
    pub const fn parse_const(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        AnyRef::new(text, self, Production::Own)
    }

    /// Parses `text` with the generic production of RFC 1630 (`uri`) or RFC 1738 (`genericurl`),
    /// even if the scheme has a production of its own. The other standards have a single
    /// production.
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
    /// See [`parse`](Self::parse).
    pub const fn parse_generic(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        AnyRef::new(text, self, Production::Generic)
    }

    /// Parses bytes, which may be invalid UTF-8, as a reference of this standard.
    ///
    /// ```
    /// use urikit::Standard;
    /// assert!(Standard::Rfc3986.parse_bytes(b"http://a/b").is_ok());
    /// assert_eq!(Standard::Rfc3987.parse_bytes(b"http://a/\xFF").unwrap_err().offset(), 9);
    /// ```
    ///
    /// # Errors
    ///
    /// See [`parse`](Self::parse). Invalid UTF-8 is reported at its first byte, unless an earlier
    /// byte is already an error.
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
    /// Parses `text` as a reference of `standard`; see [`Standard::parse`].
    ///
    /// # Errors
    ///
    /// See [`Standard::parse`].
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

    /// The fast path: returns `None` if the scanner cannot read the text.
    #[allow(clippy::inline_always)] // otherwise the layout goes through memory
    #[inline(always)]
    pub(crate) fn fast(text: &'a str, standard: Standard) -> Option<Self> {
        let components = crate::parse::fast(text, standard)?;
        Some(Self {
            components,
            standard,
        })
    }

    /// INVARIANT: parsing the text under `standard` gives these components.
    #[cfg(feature = "alloc")]
    pub(crate) const fn from_components(components: Components<'a>, standard: Standard) -> Self {
        Self {
            components,
            standard,
        }
    }

    /// Changes the standard and keeps the text.
    ///
    /// INVARIANT: the text has the same layout under the new standard.
    /// Returns the reference unchanged. Macros call this method on every type of reference.
    #[cfg(feature = "alloc")]
    pub(crate) const fn any(self) -> Self {
        self
    }

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

    /// Returns the reference as written, byte for byte.
    #[inline]
    pub const fn as_str(&self) -> &'a str {
        self.components.as_str()
    }

    /// Returns the standard under which the reference was parsed.
    #[inline]
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns whether the reference was parsed by [`Standard::parse_generic`] under RFC 1630 or
    /// RFC 1738.
    pub const fn is_generic(&self) -> bool {
        self.layout().generic
    }

    /// Returns the form of the reference: absolute, or one of the relative forms.
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

    /// Returns whether the reference is opaque: it has a scheme, and the character after the colon
    /// is not a slash (RFC 2396, 3; RFC 1630 and RFC 1738 likewise). RFC 1808, RFC 3986 and RFC
    /// 3987 do not define opaque references.
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

    /// Returns the scheme as written, without its colon. Returns `None` for a relative reference.
    #[inline]
    pub const fn scheme(&self) -> Option<&'a str> {
        self.components.scheme()
    }

    /// Returns the authority, without its `//`. Returns `None` if the reference has no `//`. Under
    /// RFC 1630 and RFC 1738, some productions have no authority even with a `//`.
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
            return None; // INVARIANT: a host kind implies both
        };
        Some(Authority {
            text,
            userinfo: encoded(self.components.userinfo()),
            host: Host::new(host, kind),
            port: self.components.port(),
            registry: self.layout().registry,
        })
    }

    /// Returns the userinfo, without its `@`, still percent-encoded.
    #[inline]
    pub const fn userinfo(&self) -> Option<Encoded<'a>> {
        encoded(self.components.userinfo())
    }

    /// Returns the userinfo up to its first colon, still percent-encoded.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.authority()?.user()
    }

    /// Returns the userinfo after its first colon, still percent-encoded. Returns `None` if the
    /// userinfo has no colon.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.authority()?.password()
    }

    /// Returns the host as written. Returns `None` if the reference has no authority; the host of
    /// an authority may be empty.
    #[inline]
    pub const fn host(&self) -> Option<Host<'a>> {
        match (self.components.host(), self.layout().host_kind) {
            (Some(text), Some(kind)) => Some(Host::new(text, kind)),
            _ => None,
        }
    }

    /// Returns the kind of the host. Returns `None` if the reference has no authority.
    #[inline]
    pub const fn host_kind(&self) -> Option<HostKind> {
        self.layout().host_kind
    }

    /// Returns the port as written, which may have any number of digits. Returns `None` if no colon
    /// follows the host, and an empty value if no digits follow the colon.
    #[inline]
    pub const fn port(&self) -> Option<&'a str> {
        self.components.port()
    }

    /// Returns the port as a number, or `None` if the port is absent, empty or above 65535.
    pub fn port_number(&self) -> Option<u16> {
        self.authority()?.port_number()
    }

    /// Returns the path as written, including its leading slash. Every reference has a path, but
    /// it may be empty.
    #[inline]
    pub const fn path(&self) -> Path<'a> {
        Path::new(self.components.path())
    }

    /// Returns the segments of the path (the parts between slashes), still percent-encoded.
    pub fn segments(&self) -> Segments<'a> {
        self.path().segments()
    }

    /// Returns the params of RFC 1808: everything after the first semicolon of the path. Returns
    /// `None` under every other standard; see
    /// [`Segment::parameters`](crate::component::Segment::parameters).
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

    /// Returns the query, without its `?`, still percent-encoded. RFC 1630 and RFC 1738 call
    /// the query `search`.
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

    /// Iterates over the `name=value` pairs of the query, split at `&` and still percent-encoded.
    /// Yields nothing if the query is absent.
    pub fn query_pairs(&self) -> Pairs<'a> {
        Pairs::of(self.query())
    }

    /// Returns the first pair of the query with this name. Names are decoded before they are
    /// compared; the value of the pair is still percent-encoded.
    pub fn query_get_raw(&self, name: &str) -> Option<Pair<'a>> {
        self.query_pairs()
            .find(|pair| pair.is_named(name.as_bytes()))
    }

    /// Iterates over all pairs of the query with this name, in order.
    pub fn query_get_all_raw<'n>(
        &self,
        name: &'n str,
    ) -> impl DoubleEndedIterator<Item = Pair<'a>> + use<'a, 'n> {
        self.query_pairs()
            .filter(move |pair| pair.is_named(name.as_bytes()))
    }

    /// Returns the value of the first pair with this name, decoded as HTML form data: `+` is a
    /// space, and escapes are UTF-8. The name is decoded in the same way. A pair without `=` has an
    /// empty value.
    ///
    /// # Errors
    ///
    /// Fails if the decoded value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn form_get_decoded(&self, name: &str) -> Option<Result<Cow<'a, str>, NotUtf8>> {
        let mut pairs = self.query_pairs();
        let pair = pairs.find(|pair| pair.name().decode().form() == *name)?;
        Some(pair.value().unwrap_or(Encoded::EMPTY).decode_form_utf8())
    }

    /// Iterates over the names and values of all pairs, decoded as HTML form data: `+` is a space,
    /// and escapes are UTF-8. A pair without `=` has an empty value. Empty pairs (`&&`) are
    /// skipped.
    ///
    /// # Errors
    ///
    /// Yields an error for each pair whose name or value is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn form_pairs_decoded(&self) -> impl DoubleEndedIterator<Item = FormPair<'a>> + use<'a> {
        self.query_pairs()
            .filter(|pair| !pair.is_empty())
            .map(Pair::decode_form_utf8)
    }

    /// Returns the fragment, without its `#`, still percent-encoded.
    #[inline]
    pub const fn fragment(&self) -> Option<Encoded<'a>> {
        encoded(self.components.fragment())
    }

    /// Returns the reference without its fragment. Does not copy the text.
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
    /// Writes the reference as written, including its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AnyRef<'_> {
    /// Writes the standard and the quoted text, with the password masked. A password is also
    /// masked in a part that only looks like an authority.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", self.standard, self.masked())
    }
}

impl PartialEq for AnyRef<'_> {
    /// Returns true if the standards are equal and the texts are identical.
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

/// The form of a reference. The form determines which components are copied from the base during
/// resolution (RFC 3986, 4.2; RFC 2396, 5; RFC 1808, 4).
///
/// ```
/// use urikit::{Form, UriRef};
/// let form = |text| UriRef::parse(text).unwrap().form();
/// assert_eq!(form("mailto:a@b"), Form::Absolute);
/// assert_eq!(form("/.//a"), Form::AbsolutePath);
/// assert_eq!(form("a?b"), Form::RelativePath);
/// assert_eq!(form("#").to_string(), "fragment-only");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Has a scheme: `http://a/b`, `mailto:a@b`.
    Absolute,
    /// Begins with an authority: `//a/b`.
    NetworkPath,
    /// Begins with a slash: `/b`.
    AbsolutePath,
    /// Begins with a segment: `b`, `../b`, or `;x` under RFC 1808.
    RelativePath,
    /// Begins with a query: `?q`.
    QueryOnly,
    /// Consists only of a fragment: `#f`.
    FragmentOnly,
    /// Is empty.
    Empty,
}

impl Form {
    /// Returns the form as a word: `absolute`, `network-path`, `absolute-path`, `relative-path`,
    /// `query-only`, `fragment-only` or `empty`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::NetworkPath => "network-path",
            Self::AbsolutePath => "absolute-path",
            Self::RelativePath => "relative-path",
            Self::QueryOnly => "query-only",
            Self::FragmentOnly => "fragment-only",
            Self::Empty => "empty",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
