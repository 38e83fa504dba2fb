//! The operations as methods of every type; [`AnyRef`] implements them.
//!
//! A result has the type that the operation promises: resolving returns a URI, and normalizing
//! keeps the type.

#[cfg(feature = "alloc")]
use super::{
    CowRef, Options, RelativeOptions, RelativizeError, ResolveError, Resolved, UriBuilder,
};
use super::{Equivalence, Level, Origin, Redacted};
#[cfg(feature = "alloc")]
use crate::{AnyRef, AnyRefBuf, IriBuf, IriRefBuf, UriBuf, UriRefBuf};
use crate::{Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// What a base can do.
#[cfg(feature = "alloc")]
macro_rules! base_operations {
    ($($T:ty, $View:ident, $Ref:ident, $Relative:ident, $Target:ident;)*) => {$(
        impl $T {
            /// The target of `reference`, which is parsed first, against this base (RFC 3986,
            /// 5.2). The last segment of this path is replaced unless it ends in a slash.
            ///
            /// ```
            /// use urikit::Uri;
            /// let base = Uri::parse("http://a/b/c")?;
            /// assert_eq!(base.join("g")?, "http://a/b/g");
            /// assert_eq!(Uri::parse("http://a/b/c/")?.join("g")?, "http://a/b/c/g");
            /// assert_eq!(base.join("mailto:a@b")?, "mailto:a@b"); // the base is not used
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`ResolveError`].
            pub fn join(&self, reference: impl AsRef<str>) -> Result<$Target, ResolveError> {
                let reference = $Ref::parse(reference.as_ref()).map_err(ResolveError::Reference)?;
                reference.resolve_against(self)
            }

            /// The shortest reference that resolves to this one against `base`. Schemes and
            /// authorities are compared as written: normalize both first if they may be spelled
            /// differently.
            ///
            /// ```
            /// use urikit::Uri;
            /// let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4.1
            /// let relative = |text| Uri::parse(text).unwrap().relative_to(base).unwrap();
            /// assert_eq!(relative("http://a/b/c/g#s"), "g#s");
            /// assert_eq!(relative("http://a/b/c/g:h"), "./g:h"); // `g:h` has a scheme
            /// assert_eq!(relative("http://a/b/c/"), ".");
            /// assert_eq!(relative("http://other/"), "//other/");
            /// assert_eq!(relative("mailto:a@b"), "mailto:a@b");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`RelativizeError`].
            pub fn relative_to<'b>(
                &self,
                base: impl Into<$View<'b>>,
            ) -> Result<$Relative, RelativizeError> {
                self.relative_to_with(base, RelativeOptions::default())
            }

            /// The shortest reference of the allowed forms that resolves to this one against
            /// `base`.
            ///
            /// ```
            /// use urikit::{Uri, op::RelativeOptions};
            /// let base = Uri::parse("http://a/b/c")?;
            /// let target = Uri::parse("http://a/g")?;
            /// assert_eq!(target.relative_to(base)?, "/g");
            /// let options = RelativeOptions::default().no_absolute_path();
            /// assert_eq!(target.relative_to_with(base, options)?, "../g");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`RelativizeError`].
            pub fn relative_to_with<'b>(
                &self,
                base: impl Into<$View<'b>>,
                options: RelativeOptions,
            ) -> Result<$Relative, RelativizeError> {
                let relative = self.any().relative_to_with(base.into(), options)?;
                Ok($Relative::from_any(relative))
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
base_operations! {
    Uri<'_>, Uri, UriRef, UriRefBuf, UriBuf;
    UriBuf, Uri, UriRef, UriRefBuf, UriBuf;
    Iri<'_>, Iri, IriRef, IriRefBuf, IriBuf;
    IriBuf, Iri, IriRef, IriRefBuf, IriBuf;
}

/// What every type can do. `$lt` is how long a result may borrow: as long as the text for a type
/// that borrows it, which has that `$generic`, and as long as the reference for one that owns it.
/// `$View` is the type that borrows; `$Base` and `$Target` are the types of a base and of what is
/// resolved against it.
macro_rules! operations {
    ($T:ident $(<$generic:lifetime>)?, $lt:lifetime, $View:ident, $Buf:ident, $Base:ident, $Target:ident) => {
        impl$(<$generic>)? $T$(<$generic>)? {
            /// The target of this reference against `base` (RFC 3986, 5.2).
            ///
            /// The base's fragment is not part of the target, except under RFC 1808 for an empty
            /// reference (4, step 2 a). Nothing is decoded: `%2E` is not a dot segment until the
            /// target is normalized.
            ///
            /// ```
            /// use urikit::{Uri, UriRef};
            /// let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4.1
            /// let target = |text| UriRef::parse(text).unwrap().resolve_against(base).unwrap();
            /// assert_eq!(target("../g"), "http://a/b/g");
            /// assert_eq!(target("?y"), "http://a/b/c/d;p?y");
            /// assert_eq!(target("//g"), "http://g");
            /// assert_eq!(target(""), "http://a/b/c/d;p?q"); // an absent query is the base's
            /// assert_eq!(target("?"), "http://a/b/c/d;p?"); // an empty one is not
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`ResolveError`].
            #[cfg(feature = "alloc")]
            pub fn resolve_against<'b>(
                &self,
                base: impl Into<$Base<'b>>,
            ) -> Result<$Target, ResolveError> {
                Ok(self.resolve_with(base, Options::default())?.target)
            }

            /// The target of this reference against `base` by these options, and whether it is a
            /// same-document reference (RFC 3986, 4.4).
            ///
            /// ```
            /// use urikit::op::{AboveRoot, Options};
            /// use urikit::{Uri, UriRef};
            /// let base = Uri::parse("http://a/b/c/d;p?q")?;
            /// let reference = UriRef::parse("../../../g")?;
            /// let resolved = reference.resolve_with(base, Options::default())?;
            /// assert_eq!(resolved.target, "http://a/g"); // RFC 3986, 5.4.2
            /// let refuse = Options { above_root: Some(AboveRoot::Refuse), ..Options::default() };
            /// assert!(reference.resolve_with(base, refuse).is_err());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`ResolveError`].
            #[cfg(feature = "alloc")]
            pub fn resolve_with<'b>(
                &self,
                base: impl Into<$Base<'b>>,
                options: Options,
            ) -> Result<Resolved<$Target>, ResolveError> {
                let resolved = self.any().resolve_with(base.into(), options)?;
                // INVARIANT: a target has a scheme.
                Ok(resolved.map($Target::from_any))
            }

            /// Appends the target of this reference against `base` to `out`. Returns whether it is
            /// a same-document reference (RFC 3986, 4.4).
            ///
            /// # Errors
            ///
            /// See [`ResolveError`]; `out` is then unchanged.
            #[cfg(feature = "alloc")]
            pub fn resolve_into<'b>(
                &self,
                base: impl Into<$Base<'b>>,
                options: Options,
                out: &mut String,
            ) -> Result<bool, ResolveError> {
                self.any().resolve_into(base.into(), options, out)
            }

            /// The normal form by syntax and scheme (RFC 3986, 6.2.2 and 6.2.3); borrowed if the
            /// reference is in normal form. See [`Level`] for what changes.
            ///
            /// Under RFC 3986 an empty query or fragment is kept: it is not the same as an absent
            /// one.
            ///
            /// ```
            /// use urikit::Uri;
            /// let uri = Uri::parse("eXAMPLE://a/./b/../b/%63/%7bfoo%7d")?; // RFC 3986, 6.2.2
            /// assert_eq!(uri.normalize(), "example://a/b/c/%7Bfoo%7D");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn normalize(&self) -> CowRef<$View<$lt>, $Buf> {
                self.normalize_to(Level::Scheme)
            }

            /// The normal form at `level` (RFC 3986, 6.2.2); borrowed if the reference is in
            /// normal form.
            ///
            /// ```
            /// use urikit::{Uri, op::Level};
            /// let uri = Uri::parse("HTTP://www.EXAMPLE.com/%7ea/../b")?;
            /// assert_eq!(uri.normalize_to(Level::Case), "http://www.example.com/%7Ea/../b");
            /// assert_eq!(uri.normalize_to(Level::Path), "http://www.example.com/b");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn normalize_to(&self, level: Level) -> CowRef<$View<$lt>, $Buf> {
                match self.any().normalize_to(level) {
                    CowRef::Borrowed(_) => CowRef::Borrowed($View::from(self)),
                    // INVARIANT: a normal form is valid as what it is the normal form of.
                    CowRef::Owned(normal) => CowRef::Owned($Buf::from_any(normal)),
                }
            }

            /// Appends the normal form at `level` to `out`. Returns whether it differs from the
            /// reference as written.
            #[cfg(feature = "alloc")]
            pub fn normalize_into(&self, level: Level, out: &mut String) -> bool {
                self.any().normalize_into(level, out)
            }

            /// Whether it is in normal form at `level`. Does not allocate.
            ///
            /// ```
            /// use urikit::{Uri, op::Level};
            /// let uri = Uri::parse("http://example.com:80/~smith")?; // RFC 3986, 6.2.3
            /// assert!(uri.is_normal(Level::Path));
            /// assert!(!uri.is_normal(Level::Scheme)); // the default port
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            pub fn is_normal(&self, level: Level) -> bool {
                self.any().is_normal(level)
            }

            /// The first level of comparison at which both are equivalent (RFC 3986, 6.2); `None`
            /// if they differ at all of them. Does not allocate.
            ///
            /// ```
            /// use urikit::{Uri, op::Equivalence};
            /// let uri = |text| Uri::parse(text).unwrap();
            /// let a = uri("example://a/b/c/%7Bfoo%7D"); // RFC 3986, 6.2.2
            /// assert_eq!(a.compare(uri("eXAMPLE://a/b/c/%7bfoo%7d")), Some(Equivalence::Case));
            /// let b = uri("eXAMPLE://a/./b/../b/%63/%7bfoo%7d");
            /// assert_eq!(a.compare(b), Some(Equivalence::Path));
            /// // An empty fragment is not an absent one.
            /// assert_eq!(a.compare(uri("example://a/b/c/%7Bfoo%7D#")), None);
            /// ```
            pub fn compare<'b>(&self, other: impl Into<$View<'b>>) -> Option<Equivalence> {
                self.any().compare(other.into())
            }

            /// Whether both have the same normal form at `level` (RFC 3986, 6.2). Does not
            /// allocate.
            ///
            /// ```
            /// use urikit::{Uri, op::Level};
            /// let a = Uri::parse("http://example.com/~smith")?;
            /// let b = Uri::parse("http://example.com/%7Esmith")?;
            /// assert!(a.is_equivalent(b, Level::Escapes)); // RFC 3986, 2.3
            /// assert!(!a.is_equivalent(b, Level::Case));
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            pub fn is_equivalent<'b>(&self, other: impl Into<$View<'b>>, level: Level) -> bool {
                self.any().is_equivalent(other.into(), level)
            }

            /// The port, or the default port of the scheme if there is none (RFC 3986, 3.2.3).
            /// `None` if neither is known, and for a port above 65535.
            ///
            /// ```
            /// use urikit::Uri;
            /// assert_eq!(Uri::parse("http://a/")?.port_or_default(), Some(80));
            /// assert_eq!(Uri::parse("http://a:/")?.port_or_default(), Some(80)); // empty
            /// assert_eq!(Uri::parse("foo://a/")?.port_or_default(), None);
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            #[doc(alias = "port_or_known_default")]
            pub fn port_or_default(&self) -> Option<u16> {
                self.any().port_or_default()
            }

            /// The origin: scheme, host and port (RFC 6454, 4). `None` without a host: such an
            /// origin is not shared with any other.
            ///
            /// ```
            /// use urikit::Uri;
            /// let uri = |text| Uri::parse(text).unwrap();
            /// let origin = |text| uri(text).origin().map(|origin| origin.to_string());
            /// // RFC 6454, 6.2
            /// assert_eq!(origin("HTTP://example.com:80/a").unwrap(), "http://example.com");
            /// assert_eq!(origin("http://example.com:8080/").unwrap(), "http://example.com:8080");
            /// assert_eq!(origin("file:///etc/motd"), None); // the host is empty
            /// ```
            pub fn origin(&self) -> Option<Origin<$lt>> {
                self.any().origin()
            }

            /// The reference with its password masked, for display and logs.
            ///
            /// Only what is displayed changes; see [`AnyRef::redact`](crate::AnyRef::redact).
            ///
            /// ```
            /// use urikit::Uri;
            /// let url = Uri::parse("ftp://user:secret@host.dom/")?;
            /// assert_eq!(url.redact().to_string(), "ftp://user:***@host.dom/");
            /// // `Display` masks nothing.
            /// assert_eq!(url.to_string(), "ftp://user:secret@host.dom/");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            pub fn redact(&self) -> Redacted<$lt> {
                self.any().redact()
            }

            /// A builder that begins with this reference: what is not changed is written byte for
            /// byte.
            ///
            /// ```
            /// use urikit::Uri;
            /// let uri = Uri::parse("http://a/%7eb?q")?;
            /// assert_eq!(uri.to_builder().host("c").remove_query().build()?, "http://c/%7eb");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[cfg(feature = "alloc")]
            pub fn to_builder(&self) -> UriBuilder<$lt> {
                self.any().to_builder()
            }
        }
    };
}

operations!(Uri<'a>, 'a, Uri, UriBuf, Uri, UriBuf);
operations!(UriRef<'a>, 'a, UriRef, UriRefBuf, Uri, UriBuf);
operations!(Iri<'a>, 'a, Iri, IriBuf, Iri, IriBuf);
operations!(IriRef<'a>, 'a, IriRef, IriRefBuf, Iri, IriBuf);
#[cfg(feature = "alloc")]
operations!(UriBuf, '_, Uri, UriBuf, Uri, UriBuf);
#[cfg(feature = "alloc")]
operations!(UriRefBuf, '_, UriRef, UriRefBuf, Uri, UriBuf);
#[cfg(feature = "alloc")]
operations!(IriBuf, '_, Iri, IriBuf, Iri, IriBuf);
#[cfg(feature = "alloc")]
operations!(IriRefBuf, '_, IriRef, IriRefBuf, Iri, IriBuf);
#[cfg(feature = "alloc")]
operations!(AnyRefBuf, '_, AnyRef, AnyRefBuf, AnyRef, AnyRefBuf);

/// What the types that own their text can do.
#[cfg(feature = "alloc")]
macro_rules! owned_operations {
    ($($T:ident)*) => {$(
        impl $T {
            /// The normal form by syntax and scheme, as [`normalize`](Self::normalize) gives it. A
            /// reference in normal form is returned as it is, without copying.
            ///
            #[doc = crate::reference::getters::example!($T, "HTTP://Example.com/%7Ea" "assert_eq!(url.into_normalized(), \"http://example.com/~a\");")]
            #[must_use]
            pub fn into_normalized(self) -> Self {
                self.into_normalized_to(Level::Scheme)
            }

            /// The normal form at `level`, as [`normalize_to`](Self::normalize_to) gives it. A
            /// reference in normal form is returned as it is, without copying.
            #[must_use]
            pub fn into_normalized_to(self, level: Level) -> Self {
                let changed = match self.normalize_to(level) {
                    CowRef::Owned(normal) => Some(normal),
                    CowRef::Borrowed(_) => None,
                };
                changed.unwrap_or(self)
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
owned_operations!(UriBuf UriRefBuf IriBuf IriRefBuf AnyRefBuf);

#[cfg(feature = "alloc")]
impl AnyRefBuf {
    /// The target of `reference` against this base; see [`AnyRef::join`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn join(&self, reference: impl AsRef<str>) -> Result<Self, ResolveError> {
        self.borrow().join(reference)
    }

    /// The shortest reference that resolves to this one against `base`; see
    /// [`AnyRef::relative_to`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn relative_to<'b>(&self, base: impl Into<AnyRef<'b>>) -> Result<Self, RelativizeError> {
        self.borrow().relative_to(base)
    }
}
