//! A reference whose standard is known at run time.

use crate::component::{Authority, Encoded, Host, HostKind, Masked, Path};
use crate::parse::{Parts, Production};
use crate::scan::cut::Cut;
use crate::{Form, ParseError, Standard};
use core::fmt;

/// A reference that was read by the [`Standard`] it carries: a view of a text, 56 bytes, cheap to
/// copy. All components are as written; an absent one is `None` and differs from an empty one.
///
/// ```text
///   http://user:pw@host.dom:80/path;p?query#fragment
///   ╰┬─╯   ╰──────┬──────────╯╰─┬───╯ ╰─┬─╯ ╰───┬──╯
/// scheme      authority        path   query  fragment
/// ```
///
/// [`UriRef`](crate::UriRef) is the same with the standard in its type, and dereferences to this.
///
/// ```
/// use urikit::Standard;
/// let url = Standard::Rfc2396.parse("mailto:mduerst@ifi.unizh.ch?x=y")?;
/// assert!(url.is_opaque());
/// assert_eq!(url.query(), None); // RFC 2396 has it inside the opaque part
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyRef<'a> {
    cut: Cut<'a>,
    standard: Standard,
}

impl Standard {
    /// Reads `text` as a reference of this standard.
    ///
    /// Under RFC 1630 and RFC 1738, a scheme's own production judges where there is one.
    ///
    /// # Errors
    ///
    /// The first place at which no valid reference can go on; a text of more than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        match AnyRef::plain(text, self) {
            Some(plain) => Ok(plain),
            None => self.parse_const(text),
        }
    }

    /// [`parse`](Self::parse) in constants; slower where the program runs.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub const fn parse_const(self, text: &str) -> Result<AnyRef<'_>, ParseError> {
        AnyRef::new(text, self, Production::Own)
    }

    /// Reads `text` by the generic production of RFC 1630 (`uri`) or RFC 1738 (`genericurl`),
    /// whatever its scheme; the other standards have one production only.
    ///
    /// ```
    /// use urikit::Standard;
    /// // "http:xyz" is a URL by the letter of RFC 1738, by `otherurl`, and no `httpurl`.
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

    /// Reads bytes, which need not be UTF-8, as a reference of this standard.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse); and at the first byte that begins no character of UTF-8, unless
    /// the reference breaks before it.
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
    const fn new(
        text: &'a str,
        standard: Standard,
        production: Production,
    ) -> Result<Self, ParseError> {
        match crate::parse::reference(text.as_bytes(), standard, production) {
            Ok(parts) => Ok(Self {
                cut: Cut::new(text, parts),
                standard,
            }),
            Err(error) => Err(error),
        }
    }

    /// A text that masks read.
    #[allow(clippy::inline_always)] // otherwise the parts go by way of memory
    #[inline(always)]
    pub(crate) fn plain(text: &'a str, standard: Standard) -> Option<Self> {
        let cut = crate::parse::plain(text, standard)?;
        Some(Self { cut, standard })
    }

    /// What was cut before, by this standard.
    #[cfg(feature = "alloc")]
    pub(crate) const fn from_cut(cut: Cut<'a>, standard: Standard) -> Self {
        Self { cut, standard }
    }

    #[cfg(feature = "alloc")]
    pub(crate) const fn cut(self) -> Cut<'a> {
        self.cut
    }

    #[inline]
    pub(crate) const fn parts_ref(&self) -> &Parts {
        self.cut.parts()
    }

    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) const fn parts(self) -> Parts {
        *self.cut.parts()
    }

    /// The whole reference as written, byte for byte.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.cut.as_str()
    }

    /// The standard that it was read by.
    #[inline]
    pub const fn standard(self) -> Standard {
        self.standard
    }

    /// Whether it was read by [`Standard::parse_generic`] under RFC 1630 or RFC 1738.
    pub const fn is_generic(self) -> bool {
        self.cut.parts().generic
    }

    /// What it begins with.
    pub fn form(self) -> Form {
        if self.cut.parts().scheme.get().is_some() {
            Form::Absolute
        } else if self.cut.parts().host_kind.is_some() {
            Form::NetworkPath
        } else if self.path().is_absolute() {
            Form::AbsolutePath
        } else if !self.path().is_empty() || self.cut.parts().params.get().is_some() {
            Form::RelativePath
        } else if self.cut.parts().query.get().is_some() {
            Form::QueryOnly
        } else if self.cut.parts().fragment.get().is_some() {
            Form::FragmentOnly
        } else {
            Form::Empty
        }
    }

    /// Whether it is opaque rather than hierarchical: it has a scheme, and what follows the colon
    /// does not begin with a slash (RFC 2396, 3; RFC 1630 and RFC 1738 likewise). RFC 1808, RFC 3986
    /// and RFC 3987 have no opaque references.
    pub fn is_opaque(self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.cut.parts().scheme.get().is_some()
            && self.cut.parts().host_kind.is_none()
            && !self.path().is_absolute()
    }

    /// The scheme, without its colon and in the case in which it is written.
    #[inline]
    pub fn scheme(self) -> Option<&'a str> {
        self.cut.scheme()
    }

    /// What stands between `//` and the path. `None` where there is no `//`, and under RFC 1630 and
    /// 1738 also where the production that matches has none.
    #[inline]
    pub fn authority(self) -> Option<Authority<'a>> {
        let kind = self.cut.parts().host_kind?;
        Some(Authority {
            text: self.cut.authority()?,
            userinfo: self.cut.userinfo().map(Encoded::new),
            host: Host::new(self.cut.host()?, kind),
            port: self.cut.port(),
            registry: self.cut.parts().registry,
        })
    }

    /// What stands before the `@` of the authority.
    #[inline]
    pub fn userinfo(self) -> Option<Encoded<'a>> {
        self.authority()?.userinfo()
    }

    /// The userinfo up to its first colon.
    pub fn user(self) -> Option<Encoded<'a>> {
        self.authority()?.user()
    }

    /// The userinfo behind its first colon.
    pub fn password(self) -> Option<Encoded<'a>> {
        self.authority()?.password()
    }

    /// The host; it may be empty, and is absent only with the authority.
    #[inline]
    pub fn host(self) -> Option<Host<'a>> {
        Some(self.authority()?.host())
    }

    /// What the host is; `None` without an authority.
    #[inline]
    pub const fn host_kind(self) -> Option<HostKind> {
        self.cut.parts().host_kind
    }

    /// The digits behind the host's colon; see [`Authority::port_number`].
    #[inline]
    pub fn port(self) -> Option<&'a str> {
        self.authority()?.port()
    }

    /// The path, with its first slash; it may be empty.
    #[inline]
    pub fn path(self) -> Path<'a> {
        Path::new(self.cut.path())
    }

    /// RFC 1808's params: all that follows the first semicolon of the path. `None` under every other
    /// standard; see [`Segment::parameters`](crate::component::Segment::parameters).
    #[inline]
    pub fn params(self) -> Option<Encoded<'a>> {
        self.cut.params().map(Encoded::new)
    }

    /// What stands behind the `?` (`search` in RFC 1630 and RFC 1738).
    #[inline]
    pub fn query(self) -> Option<Encoded<'a>> {
        self.cut.query().map(Encoded::new)
    }

    /// What stands behind the `#`.
    #[inline]
    pub fn fragment(self) -> Option<Encoded<'a>> {
        self.cut.fragment().map(Encoded::new)
    }
}

impl fmt::Display for AnyRef<'_> {
    /// The reference as written, its password included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AnyRef<'_> {
    /// The components that are there; a password is masked, also in what only looks like an authority.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct(self.standard.name());
        if let Some(scheme) = self.scheme() {
            debug.field("scheme", &scheme);
        }
        if let Some(authority) = self.authority() {
            debug.field("authority", &authority);
        }
        // Where no authority was read, what looks like one is in the path.
        debug.field("path", &Masked(self.path().as_str()));
        if let Some(params) = self.params() {
            debug.field("params", &params);
        }
        if let Some(query) = self.query() {
            debug.field("query", &query);
        }
        if let Some(fragment) = self.fragment() {
            debug.field("fragment", &fragment);
        }
        debug.finish()
    }
}

impl AsRef<str> for AnyRef<'_> {
    fn as_ref(&self) -> &str {
        self.cut.as_str()
    }
}

impl PartialEq for AnyRef<'_> {
    /// The same text under the same standard, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.standard == other.standard
            && self.cut.parts().generic == other.cut.parts().generic
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
