//! Resolves a reference against a base, with the algorithm of its standard.
//!
//! | standard | section |
//! |---|---|
//! | RFC 1630 | Partial (relative) form |
//! | RFC 1738 | none: it does not describe relative URLs, and the error refers to RFC 1808 |
//! | RFC 1808 | 4 |
//! | RFC 2396, RFC 2732 | 5.2, 4.2 |
//! | RFC 3986, RFC 3987 | 5.2, 4.4 (RFC 3987, 6.5 applies them to IRIs) |
//!
//! The result is always parsed into the intended components. If an algorithm gives a path that
//! begins with `//` but no authority, the path would be parsed as an authority. The RFCs do not
//! cover this case, so it is an error.

#[cfg(feature = "alloc")]
mod algorithms;
pub(super) mod dots;
#[cfg(feature = "alloc")]
mod fast;
mod options;
#[cfg(feature = "alloc")]
mod path;

#[cfg(feature = "alloc")]
pub(super) use algorithms::{directory, without_search};
pub use options::{AboveRoot, Options, SameScheme, SlashRule};
#[cfg(feature = "alloc")]
pub(super) use path::PathWriter;
#[cfg(feature = "alloc")]
pub use path::remove_dot_segments;

use crate::{ParseError, Standard};
use core::fmt;

/// The reason why a reference cannot be resolved.
///
/// ```
/// use urikit::op::ResolveError;
/// use urikit::Standard;
/// // RFC 2396, 5: a relative reference cannot be resolved against an opaque base.
/// let base = Standard::Rfc2396.parse("mailto:a@b")?;
/// let error = Standard::Rfc2396.parse("g")?.resolve_against(base).unwrap_err();
/// assert_eq!(error, ResolveError::BaseIsOpaque);
/// assert_eq!(error.to_string(), "expected a hierarchical base, but it is opaque (RFC 2396, 5)");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveError {
    /// The reference to join is not valid.
    Reference(ParseError),
    /// The base has no scheme.
    BaseIsRelative,
    /// The base is opaque, so no reference can be relative to it (RFC 2396, 3 and 5).
    BaseIsOpaque,
    /// The reference and the base follow different standards.
    DifferentStandards {
        /// The standard of the base.
        base: Standard,
        /// The standard of the reference.
        reference: Standard,
    },
    /// RFC 1738 does not describe relative URLs. RFC 1808 does.
    NoRelativeForms,
    /// The reference has more `..` segments than the base has levels, which the options do not
    /// allow (RFC 2396, 5.2, step 6 g).
    AboveRoot,
    /// The base has no run of exactly this many slashes (RFC 1630).
    NoSuchSlashes {
        /// The number of slashes at the start of the partial form.
        count: usize,
    },
    /// Without an authority, the path would begin with `//` and be parsed as an authority.
    PathLooksLikeAuthority,
    /// The target is not valid under the standard: some scheme productions of RFC 1630 restrict the
    /// path.
    Target(ParseError),
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference(error) => write!(f, "the reference is not valid: {error}"),
            Self::BaseIsRelative => {
                f.write_str("expected a base with a scheme, but it is relative")
            }
            Self::BaseIsOpaque => {
                f.write_str("expected a hierarchical base, but it is opaque (RFC 2396, 5)")
            }
            Self::DifferentStandards { base, reference } => write!(
                f,
                "the base follows {base}, but the reference follows {reference}"
            ),
            Self::NoRelativeForms => {
                f.write_str("RFC 1738 does not describe relative URLs: use rfc1808 (RFC 1738, 2.3)")
            }
            Self::AboveRoot => f.write_str(
                "the reference has more `..` segments than the base has levels \
                 (RFC 2396, 5.2, step 6 g; RFC 3986, 5.2.4)",
            ),
            Self::NoSuchSlashes { count } => write!(
                f,
                "the base has no run of exactly {count} slash{} \
                 (RFC 1630, Partial (relative) form)",
                if *count == 1 { "" } else { "es" }
            ),
            Self::PathLooksLikeAuthority => {
                f.write_str("the target's path would begin with `//` and be parsed as an authority")
            }
            Self::Target(error) => write!(f, "the target is not valid: {error}"),
        }
    }
}

impl core::error::Error for ResolveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Reference(error) | Self::Target(error) => Some(error),
            _ => None,
        }
    }
}

/// A resolved reference.
///
/// ```
/// use urikit::op::Options;
/// use urikit::{Uri, UriRef};
/// // RFC 3986, 4.4 and 5.4.1
/// let base = Uri::parse("http://a/b/c/d;p?q")?;
/// let resolved = UriRef::parse("#s")?.resolve_with(&base, Options::default()).unwrap();
/// assert_eq!(resolved.target, "http://a/b/c/d;p?q#s");
/// assert!(resolved.same_document);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resolved<T> {
    /// The target.
    pub target: T,
    /// True if the reference is a same-document reference (RFC 2396, 4.2; RFC 3986, 4.4), so
    /// following it should not retrieve anything. `target` is what a new request would use: the
    /// base without its fragment, and the fragment of the reference.
    pub same_document: bool,
}

#[cfg(feature = "alloc")]
impl<T> Resolved<T> {
    /// Converts the target to another type.
    pub(in crate::op) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Resolved<U> {
        Resolved {
            target: convert(self.target),
            same_document: self.same_document,
        }
    }
}

#[cfg(feature = "alloc")]
mod with_alloc {
    use super::{Options, ResolveError, Resolved, algorithms, fast};
    use crate::reference::{Every, Known, Standards};
    use crate::{AnyRef, AnyRefBuf, Standard};
    use alloc::string::String;

    impl AnyRef<'_> {
        /// Resolves this reference against `base` with the algorithm of their common standard.
        ///
        /// ```
        /// use urikit::Standard;
        /// let base = Standard::Rfc2396.parse("http://a/b/c/d;p?q")?; // RFC 2396, Appendix C
        /// let target = Standard::Rfc2396.parse("../../../g")?.resolve_against(base).unwrap();
        /// assert_eq!(target, "http://a/../g");
        /// # Ok::<(), urikit::ParseError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`].
        pub fn resolve_against<'b>(
            &self,
            base: impl Into<AnyRef<'b>>,
        ) -> Result<AnyRefBuf, ResolveError> {
            Ok(self.resolve_with(base, Options::default())?.target)
        }

        /// Resolves this reference against `base` with the given options. Also returns whether the
        /// reference is a same-document reference.
        ///
        /// ```
        /// use urikit::Standard;
        /// use urikit::op::{AboveRoot, Options};
        /// let base = Standard::Rfc2396.parse("http://a/b/c/d;p?q")?; // RFC 2396, Appendix C
        /// let options = Options { above_root: Some(AboveRoot::Drop), ..Options::default() };
        /// let reference = Standard::Rfc2396.parse("../../../g")?;
        /// let resolved = reference.resolve_with(base, options).unwrap();
        /// assert_eq!(resolved.target, "http://a/g");
        ///
        /// let resolved = Standard::Rfc2396.parse("")?.resolve_with(base, options).unwrap();
        /// assert!(resolved.same_document); // RFC 2396, 4.2: nothing is retrieved
        /// # Ok::<(), urikit::ParseError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`].
        pub fn resolve_with<'b>(
            &self,
            base: impl Into<AnyRef<'b>>,
            options: Options,
        ) -> Result<Resolved<AnyRefBuf>, ResolveError> {
            Known::<Every>::new(*self).resolve_with(Known::new(base.into()), options)
        }

        /// Parses `reference` under the standard of this base, and resolves it.
        ///
        /// ```
        /// use urikit::Standard;
        /// let base = |standard: Standard| standard.parse("http://a/b/c/d;p?q").unwrap();
        /// // RFC 1808, 5.1; RFC 2396, C.1; RFC 3986, 5.4.1
        /// assert_eq!(base(Standard::Rfc1808).join("?y").unwrap(), "http://a/b/c/d;p?y");
        /// assert_eq!(base(Standard::Rfc2396).join("?y").unwrap(), "http://a/b/c/?y");
        /// assert_eq!(base(Standard::Rfc3986).join("?y").unwrap(), "http://a/b/c/d;p?y");
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`].
        pub fn join(&self, reference: impl AsRef<str>) -> Result<AnyRefBuf, ResolveError> {
            let reference = self.standard().parse(reference.as_ref());
            let reference = reference.map_err(ResolveError::Reference)?;
            reference.resolve_against(*self)
        }

        /// Resolves this reference against `base` and appends the target to `out`. Returns whether
        /// the reference is a same-document reference.
        ///
        /// ```
        /// use urikit::Standard;
        /// use urikit::op::Options;
        /// let base = Standard::Rfc2396.parse("http://a/b/c/d;p?q")?; // RFC 2396, Appendix C
        /// let mut target = String::new();
        /// let reference = Standard::Rfc2396.parse("../../g")?;
        /// reference.resolve_into(base, Options::default(), &mut target).unwrap();
        /// assert_eq!(target, "http://a/g");
        /// # Ok::<(), urikit::ParseError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`]. After an error, `out` is unchanged.
        #[inline]
        pub fn resolve_into<'b>(
            &self,
            base: impl Into<AnyRef<'b>>,
            options: Options,
            out: &mut String,
        ) -> Result<bool, ResolveError> {
            Known::<Every>::new(*self).resolve_into(Known::new(base.into()), options, out)
        }
    }

    impl<S: Standards> Known<'_, S> {
        /// Implements [`AnyRef::resolve_with`].
        pub(in crate::op) fn resolve_with(
            self,
            base: Known<'_, S>,
            options: Options,
        ) -> Result<Resolved<AnyRefBuf>, ResolveError> {
            let mut target = String::new();
            let same_document = self.resolve_into(base, options, &mut target)?;
            let standard = self.standard();
            let target = AnyRefBuf::from_string_by(target, |text| S::parse(text, standard))
                .map_err(|rejected| ResolveError::Target(rejected.error()))?;
            Ok(Resolved {
                target,
                same_document,
            })
        }

        /// Implements [`AnyRef::resolve_into`].
        #[inline]
        pub(in crate::op) fn resolve_into(
            self,
            base: Known<'_, S>,
            options: Options,
            out: &mut String,
        ) -> Result<bool, ResolveError> {
            if fast::is_for(self, base, options)
                && let Some(same_document) = fast::resolve(&self, &base, options.above_root, out)
            {
                return Ok(same_document);
            }
            self.resolve_by_components(base, options, out)
        }

        /// Resolves as [`resolve_into`](Self::resolve_into) does, but without the fast path.
        #[inline(never)]
        fn resolve_by_components(
            self,
            base: Known<'_, S>,
            options: Options,
            out: &mut String,
        ) -> Result<bool, ResolveError> {
            if base.standard() != self.standard() {
                return Err(ResolveError::DifferentStandards {
                    base: base.standard(),
                    reference: self.standard(),
                });
            }
            let length = out.len();
            let (reference, standard) = (self.any(), self.standard());
            let base = base.any();
            let outcome = match standard {
                Standard::Rfc1738 => Err(ResolveError::NoRelativeForms),
                _ if !base.has_scheme() => Err(ResolveError::BaseIsRelative),
                Standard::Rfc1630 => algorithms::resolve_rfc1630(reference, base, options, out),
                Standard::Rfc1808 => algorithms::resolve_rfc1808(reference, base, options, out),
                Standard::Rfc2396 | Standard::Rfc2732 => {
                    algorithms::resolve_rfc2396(reference, base, options, out)
                }
                Standard::Rfc3986 | Standard::Rfc3987 => {
                    algorithms::resolve_rfc3986(reference, base, options, out)
                }
            };
            if outcome.is_err() {
                out.truncate(length);
            }
            outcome
        }
    }
}
