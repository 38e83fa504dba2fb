//! Resolving a reference against a base, as each standard's own text does it.
//!
//! | standard | text | where |
//! |---|---|---|
//! | RFC 1630 | Partial (relative) form | `rfc1630` |
//! | RFC 1738 | describes no relative links: an error that says to use RFC 1808 | |
//! | RFC 1808 | section 4 | `rfc1808` |
//! | RFC 2396, RFC 2732 | 5.2, 4.2 | `rfc2396` |
//! | RFC 3986, RFC 3987 | 5.2, 4.4 (RFC 3987, 6.5 says the same of IRIs) | `rfc3986` |
//!
//! A result is a text that parses again to the components that were meant. Where an algorithm gives
//! a path that begins with `//` and no authority, which would be read as one, no text says what to
//! do: refused.

#[cfg(feature = "alloc")]
mod directory;
mod options;
#[cfg(feature = "alloc")]
mod path;
#[cfg(feature = "alloc")]
mod plain;
#[cfg(feature = "alloc")]
mod rfc1630;
#[cfg(feature = "alloc")]
mod rfc1808;
#[cfg(feature = "alloc")]
mod rfc2396;
#[cfg(feature = "alloc")]
mod rfc3986;

#[cfg(feature = "alloc")]
pub(super) use directory::{before_search, directory};
pub use options::{AboveRoot, Options, SameScheme, SlashRule};

use crate::{ParseError, Standard};
use core::fmt;

/// Why a reference has no target.
///
/// ```
/// use urikit::op::ResolveError;
/// use urikit::{Rfc2396, UriRef};
/// // RFC 2396, 5: an opaque base has no place that a relative reference could begin at.
/// let base = UriRef::<Rfc2396>::parse_as("mailto:a@b")?;
/// let error = UriRef::parse_as("g")?.resolve(base).unwrap_err();
/// assert_eq!(error, ResolveError::BaseIsOpaque);
/// assert_eq!(error.to_string(), "expected a hierarchical base, but it is opaque (RFC 2396, 5)");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveError {
    /// The base has no scheme.
    BaseIsRelative,
    /// The base is opaque, and the reference needs what it does not have (RFC 2396, 3 and 5).
    BaseIsOpaque,
    /// The reference and the base were read by different standards.
    DifferentStandards {
        /// The base's.
        base: Standard,
        /// The reference's.
        reference: Standard,
    },
    /// RFC 1738 describes no relative URLs; RFC 1808 does.
    NoRelativeForms,
    /// There are more `..` than levels, and the caller refuses that (RFC 2396, 5.2, step 6 g).
    AboveRoot,
    /// The base has no run of exactly so many slashes (RFC 1630).
    NoSuchSlashes {
        /// How many slashes the partial form begins with.
        count: usize,
    },
    /// The path would begin with `//` behind no authority, and be read as one.
    PathLooksLikeAuthority,
    /// The result is no reference of the standard: RFC 1630's scheme productions do not take every
    /// path.
    Target(ParseError),
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseIsRelative => {
                f.write_str("expected a base with a scheme, but it is relative")
            }
            Self::BaseIsOpaque => {
                f.write_str("expected a hierarchical base, but it is opaque (RFC 2396, 5)")
            }
            Self::DifferentStandards { base, reference } => write!(
                f,
                "expected one standard, but the base is of {base} and the reference of {reference}"
            ),
            Self::NoRelativeForms => {
                f.write_str("RFC 1738 describes no relative URLs: use rfc1808 (RFC 1738, 2.3)")
            }
            Self::AboveRoot => f.write_str(
                "the reference has more `..` than the base has levels (RFC 2396, 5.2, step 6 g)",
            ),
            Self::NoSuchSlashes { count } => write!(
                f,
                "expected a run of exactly {count} slash{} in the base, but there is none \
                 (RFC 1630, Partial (relative) form)",
                if *count == 1 { "" } else { "es" }
            ),
            Self::PathLooksLikeAuthority => {
                f.write_str("the target's path would begin with `//` and be read as an authority")
            }
            Self::Target(error) => write!(f, "the target is not valid: {error}"),
        }
    }
}

impl core::error::Error for ResolveError {}

/// What [`AnyRef::resolve_into`](crate::AnyRef::resolve_into) and [`UriRef::resolve_with`](crate::UriRef::resolve_with)
/// found beside the target.
///
/// ```
/// use urikit::UriRef;
/// use urikit::op::Options;
/// // RFC 3986, 4.4 and 5.4.1
/// let base = UriRef::parse("http://a/b/c/d;p?q")?;
/// let (target, resolved) = UriRef::parse("#s")?.resolve_with(base, Options::default()).unwrap();
/// assert_eq!(target, "http://a/b/c/d;p?q#s");
/// assert!(resolved.same_document);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// Whether it is a reference to the document that it stands in (RFC 2396, 4.2; RFC 3986, 4.4),
    /// so that following it should not retrieve anything. The target is then what a new request
    /// would use: the base without its fragment, and the reference's fragment.
    pub same_document: bool,
}

#[cfg(feature = "alloc")]
mod with_alloc {
    use super::{Options, ResolveError, Resolved, plain, rfc1630, rfc1808, rfc2396, rfc3986};
    use crate::standard::Spec;
    use crate::{AnyRef, Standard, UriRef, UriRefBuf};
    use alloc::string::String;

    impl AnyRef<'_> {
        /// Appends the target of this reference against `base` to `out`.
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
        /// See [`ResolveError`]; `out` is then as it was.
        #[inline]
        pub fn resolve_into(
            &self,
            base: AnyRef<'_>,
            options: Options,
            out: &mut String,
        ) -> Result<Resolved, ResolveError> {
            if plain::is_for(self, &base, options)
                && let Some(resolved) = plain::resolve(self, &base, options.above_root, out)
            {
                return Ok(resolved);
            }
            self.resolve_slowly(base, options, out)
        }

        /// What [`resolve_into`](Self::resolve_into) does where not all is plain.
        #[inline(never)]
        fn resolve_slowly(
            self,
            base: AnyRef<'_>,
            options: Options,
            out: &mut String,
        ) -> Result<Resolved, ResolveError> {
            if base.standard() != self.standard() {
                return Err(ResolveError::DifferentStandards {
                    base: base.standard(),
                    reference: self.standard(),
                });
            }
            let length = out.len();
            let outcome = match self.standard() {
                Standard::Rfc1738 => Err(ResolveError::NoRelativeForms),
                _ if base.parts().scheme.get().is_none() => Err(ResolveError::BaseIsRelative),
                Standard::Rfc1630 => rfc1630::resolve(self, base, options, out),
                Standard::Rfc1808 => rfc1808::resolve(self, base, options, out),
                Standard::Rfc2396 | Standard::Rfc2732 => rfc2396::resolve(self, base, options, out),
                Standard::Rfc3986 | Standard::Rfc3987 => rfc3986::resolve(self, base, options, out),
            };
            if outcome.is_err() {
                out.truncate(length);
            }
            outcome
        }
    }

    impl<S: Spec> UriRef<'_, S> {
        /// The target of this reference against `base`, by the standard's own first choices.
        ///
        /// The target does not tell whether the reference is to the document that it stands in;
        /// [`resolve_with`](Self::resolve_with) tells it, and takes the choices that the texts leave.
        ///
        /// ```
        /// use urikit::UriRef;
        /// let base = UriRef::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
        /// let target = UriRef::parse("g;x=1/../y")?.resolve(base).unwrap();
        /// assert_eq!(target.as_str(), "http://a/b/c/y");
        /// # Ok::<(), urikit::ParseError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`].
        pub fn resolve(self, base: UriRef<'_, S>) -> Result<UriRefBuf<S>, ResolveError> {
            let (target, _) = self.resolve_with(base, Options::default())?;
            Ok(target)
        }

        /// The target of this reference against `base`, by these choices, and what else was found.
        ///
        /// ```
        /// use urikit::op::{AboveRoot, Options};
        /// use urikit::{Rfc2396, UriRef};
        /// let base = UriRef::<Rfc2396>::parse_as("http://a/b/c/d;p?q")?; // RFC 2396, Appendix C
        /// let up = UriRef::parse_as("../../../g")?;
        /// assert_eq!(up.resolve(base).unwrap(), "http://a/../g");
        /// let options = Options { above_root: Some(AboveRoot::Drop), ..Options::default() };
        /// let (target, _) = up.resolve_with(base, options).unwrap();
        /// assert_eq!(target, "http://a/g");
        ///
        /// let (target, found) = UriRef::parse_as("")?.resolve_with(base, options).unwrap();
        /// assert_eq!(target, "http://a/b/c/d;p?q");
        /// assert!(found.same_document); // RFC 2396, 4.2: nothing is retrieved
        /// # Ok::<(), urikit::ParseError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// See [`ResolveError`].
        pub fn resolve_with(
            self,
            base: UriRef<'_, S>,
            options: Options,
        ) -> Result<(UriRefBuf<S>, Resolved), ResolveError> {
            let mut target = String::new();
            let found = self
                .as_any()
                .resolve_into(base.as_any(), options, &mut target)?;
            let target = UriRefBuf::parse_as(target)
                .map_err(|rejected| ResolveError::Target(rejected.error()))?;
            Ok((target, found))
        }
    }
}
