//! The operations as methods of every reference type. [`AnyRef`] implements them.
//!
//! The type of a result shows what the operation guarantees: resolving returns a URI, and
//! normalizing keeps the type.

#[cfg(feature = "alloc")]
use super::{
    CowRef, Options, RelativeOptions, RelativizeError, ResolveError, Resolved, UriBuilder,
};
use super::{Equivalence, Level, OpaqueOrigin, Origin, Redacted};
#[cfg(feature = "alloc")]
use crate::reference::Every;
use crate::reference::{Known, Recent};
#[cfg(feature = "alloc")]
use crate::{AnyRef, AnyRefBuf, IriBuf, IriRefBuf, UriBuf, UriRefBuf};
use crate::{Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// The operations of a type that can be a base.
#[cfg(feature = "alloc")]
macro_rules! base_operations {
    ($($T:ty, $View:ident, $Ref:ident, $Relative:ident, $Target:ident;)*) => {$(
        impl $T {
            /// Parses `reference` and resolves it against this base (RFC 3986, 5.2). The reference
            /// replaces the last segment of the base's path; if the path ends in a slash, that
            /// segment is empty.
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

            /// Returns the shortest reference that resolves to `self` against `base`. Compares
            /// schemes and authorities as written: normalize both first if their spellings may
            /// differ.
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

            /// Returns the shortest reference of the allowed forms that resolves to `self` against
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

/// The operations that every reference type has.
///
/// `$lt` is the lifetime of a borrowed result. A borrowed type uses the lifetime of the text,
/// declared as `$generic`; an owned type uses that of the reference. `$View` is the borrowed type.
/// `$Base` is the type of a base, and `$Target` that of a resolved reference. `$S` lists the
/// standards.
macro_rules! operations {
    ($T:ident $(<$generic:lifetime>)?, $lt:lifetime, $View:ident, $Buf:ident, $Base:ident, $Target:ident, $S:ident) => {
        impl$(<$generic>)? $T$(<$generic>)? {
            /// Resolves this reference against `base` and returns the target (RFC 3986, 5.2).
            ///
            /// The target does not inherit the fragment of the base (except under RFC 1808, 4, step
            /// 2 a, if the reference is empty). Nothing is decoded: `%2E` is not a dot segment
            /// until the target is normalized.
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

            /// Resolves this reference against `base` with the given options. Also returns whether
            /// the reference is a same-document reference (RFC 3986, 4.4).
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
                let base = Known::new(base.into().any());
                let resolved = Known::<$S>::new(self.any()).resolve_with(base, options)?;
                // INVARIANT: a target has a scheme.
                Ok(resolved.map($Target::from_any))
            }

            /// Resolves this reference against `base` and appends the target to `out`. Returns
            /// whether the reference is a same-document reference (RFC 3986, 4.4).
            ///
            /// # Errors
            ///
            /// See [`ResolveError`]. After an error, `out` is unchanged.
            #[cfg(feature = "alloc")]
            pub fn resolve_into<'b>(
                &self,
                base: impl Into<$Base<'b>>,
                options: Options,
                out: &mut String,
            ) -> Result<bool, ResolveError> {
                let base = Known::new(base.into().any());
                Known::<$S>::new(self.any()).resolve_into(base, options, out)
            }

            /// Normalizes according to the rules of the syntax and of the scheme (RFC 3986, 6.2.2
            /// and 6.2.3). Borrows the reference if it is already in normal form. [`Level`] lists
            /// the changes.
            ///
            /// An empty query or fragment is kept: under RFC 3986 it differs from an absent one.
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

            /// Normalizes up to `level` (RFC 3986, 6.2.2). Borrows the reference if it is already
            /// in normal form at that level.
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
                match Known::<$S>::new(self.any()).normalize_to(level) {
                    CowRef::Borrowed(_) => CowRef::Borrowed($View::from(self)),
                    // INVARIANT: the normal form of a reference is valid as the same type.
                    CowRef::Owned(normal) => CowRef::Owned($Buf::from_any(normal)),
                }
            }

            /// Appends the normal form at `level` to `out`. Returns whether the normal form differs
            /// from the reference as written.
            #[cfg(feature = "alloc")]
            pub fn normalize_into(&self, level: Level, out: &mut String) -> bool {
                Known::<$S>::new(self.any()).normalize_into(level, out)
            }

            /// Returns whether the reference is in normal form at `level`. Does not allocate.
            ///
            /// ```
            /// use urikit::{Uri, op::Level};
            /// let uri = Uri::parse("http://example.com:80/~smith")?; // RFC 3986, 6.2.3
            /// assert!(uri.is_normal(Level::Path));
            /// assert!(!uri.is_normal(Level::Scheme)); // the default port
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            pub fn is_normal(&self, level: Level) -> bool {
                Known::<$S>::new(self.any()).is_normal(level)
            }

            /// Returns the first level at which both references are equivalent (RFC 3986, 6.2), or
            /// `None` if they differ at every level. Does not allocate.
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
                Known::<$S>::new(self.any()).compare(Known::new(other.into().any()))
            }

            /// Returns whether both references have the same normal form at `level` (RFC 3986,
            /// 6.2). Does not allocate.
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
                let other = Known::new(other.into().any());
                Known::<$S>::new(self.any()).is_equivalent(other, level)
            }

            /// Returns the port, or the default port of the scheme if the port is absent or empty
            /// (RFC 3986, 3.2.3). An empty port is treated as absent. Returns `None` if the scheme
            /// has no known default, or if the port is above 65535.
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

            /// Returns the origin: scheme, host and port (RFC 6454, 4).
            ///
            /// The `Result` cannot be compared with `==`. Call [`same_origin`](Self::same_origin)
            /// instead, or use `?` to get an [`Origin`], which has `==`.
            ///
            /// ```
            /// use urikit::Uri;
            /// let uri = |text| Uri::parse(text).unwrap();
            /// let origin = |text| uri(text).origin().map(|origin| origin.to_string());
            /// // RFC 6454, 6.2
            /// assert_eq!(origin("HTTP://example.com:80/a")?, "http://example.com");
            /// assert_eq!(origin("http://example.com:8080/")?, "http://example.com:8080");
            /// assert!(origin("data:,x").is_err());
            /// assert!(origin("file:///etc/motd").is_err()); // the host is empty
            /// # Ok::<(), urikit::op::OpaqueOrigin>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Fails with [`OpaqueOrigin`] if the reference has no scheme, no host, or an empty
            /// host.
            pub fn origin(&self) -> Result<Origin<$lt>, OpaqueOrigin> {
                self.any().origin()
            }

            /// Returns whether both references have the same origin: equal schemes, hosts and ports
            /// (RFC 6454, 5).
            ///
            /// A reference without a scheme or a host has an opaque origin, which never equals
            /// another origin. A `data:` URL therefore does not even have the same origin as
            /// itself.
            ///
            /// ```
            /// use urikit::Uri;
            /// let uri = |text| Uri::parse(text).unwrap();
            /// assert!(uri("http://example.com/a").same_origin(uri("HTTP://EXAMPLE.com:80/b")));
            /// assert!(!uri("http://example.com/").same_origin(uri("https://example.com/")));
            /// assert!(!uri("data:,x").same_origin(uri("data:,x")));
            /// ```
            pub fn same_origin<'b>(&self, other: impl Into<$View<'b>>) -> bool {
                self.any().same_origin(other.into())
            }

            /// Returns a `Display` of the reference with its password masked, for logs and
            /// messages.
            ///
            /// The reference itself does not change; see
            /// [`AnyRef::display_redacted`](crate::AnyRef::display_redacted).
            ///
            /// ```
            /// use urikit::Uri;
            /// let url = Uri::parse("ftp://user:secret@host.dom/")?;
            /// assert_eq!(url.display_redacted().to_string(), "ftp://user:***@host.dom/");
            /// // `Display` masks nothing.
            /// assert_eq!(url.to_string(), "ftp://user:secret@host.dom/");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            pub fn display_redacted(&self) -> Redacted<$lt> {
                self.any().display_redacted()
            }

            /// Creates a builder that starts from this reference. Components that are not changed
            /// are kept byte for byte.
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

operations!(Uri<'a>, 'a, Uri, UriBuf, Uri, UriBuf, Recent);
operations!(UriRef<'a>, 'a, UriRef, UriRefBuf, Uri, UriBuf, Recent);
operations!(Iri<'a>, 'a, Iri, IriBuf, Iri, IriBuf, Recent);
operations!(IriRef<'a>, 'a, IriRef, IriRefBuf, Iri, IriBuf, Recent);
#[cfg(feature = "alloc")]
operations!(UriBuf, '_, Uri, UriBuf, Uri, UriBuf, Recent);
#[cfg(feature = "alloc")]
operations!(UriRefBuf, '_, UriRef, UriRefBuf, Uri, UriBuf, Recent);
#[cfg(feature = "alloc")]
operations!(IriBuf, '_, Iri, IriBuf, Iri, IriBuf, Recent);
#[cfg(feature = "alloc")]
operations!(IriRefBuf, '_, IriRef, IriRefBuf, Iri, IriBuf, Recent);
#[cfg(feature = "alloc")]
operations!(AnyRefBuf, '_, AnyRef, AnyRefBuf, AnyRef, AnyRefBuf, Every);

/// The operations of the types that own their text.
#[cfg(feature = "alloc")]
macro_rules! owned_operations {
    ($($T:ident)*) => {$(
        impl $T {
            /// Normalizes the syntax and applies the rules of the scheme, as
            /// [`normalize`](Self::normalize) does. Returns a reference that is already in normal
            /// form without copying it.
            ///
            #[doc = crate::reference::getters::example!(
                $T, "HTTP://Example.com/%7Ea"
                "assert_eq!(url.into_normalized(), \"http://example.com/~a\");"
            )]
            #[must_use]
            pub fn into_normalized(self) -> Self {
                self.into_normalized_to(Level::Scheme)
            }

            /// Normalizes up to `level`, as [`normalize_to`](Self::normalize_to) does. If the
            /// reference is already in normal form, returns it without copying.
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
    /// Resolves `reference` against this base; see [`AnyRef::join`].
    ///
    /// # Errors
    ///
    /// See [`AnyRef::join`].
    pub fn join(&self, reference: impl AsRef<str>) -> Result<Self, ResolveError> {
        self.as_any_ref().join(reference)
    }

    /// Returns the shortest reference that resolves to `self` against `base`; see
    /// [`AnyRef::relative_to`].
    ///
    /// # Errors
    ///
    /// See [`AnyRef::relative_to`].
    pub fn relative_to<'b>(&self, base: impl Into<AnyRef<'b>>) -> Result<Self, RelativizeError> {
        self.as_any_ref().relative_to(base)
    }
}
