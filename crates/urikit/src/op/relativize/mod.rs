//! Relativizing: the shortest reference that resolves back to a target.
//!
//! No text has an algorithm for it. Here every form that a reference can have (nothing, a fragment,
//! params, a query, a relative path, an absolute path, an authority, the whole target) gives a
//! candidate or two (`candidates`; `slashes` for RFC 1630's own), each candidate is resolved by the
//! standard's own algorithm, and the shortest that gives the target, byte for byte, is the answer. So
//! a wrong candidate costs time and no more; that none is missing, a test tells by trying all short
//! references.

mod candidates;
mod slashes;

use super::Options;
use crate::standard::Spec;
use crate::{AnyRef, Standard, UriRef, UriRefBuf};
use alloc::string::String;
use core::fmt;

/// Why there is no reference to a target.
///
/// ```
/// use urikit::op::RelativizeError;
/// use urikit::{Rfc1738, UriRef};
/// let url = UriRef::<Rfc1738>::parse_as("http://a/b")?; // RFC 1738, 2.3, leaves relative forms to others
/// let error = url.relativize(url).unwrap_err();
/// assert_eq!(error, RelativizeError::NoRelativeForms);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RelativizeError {
    /// The base has no scheme.
    BaseIsRelative,
    /// The target has no scheme.
    TargetIsRelative,
    /// The base and the target were read by different standards.
    DifferentStandards {
        /// The base's.
        base: Standard,
        /// The target's.
        target: Standard,
    },
    /// RFC 1738 describes no relative URLs; RFC 1808 does.
    NoRelativeForms,
    /// Nothing resolves to the target: its path has dot segments, which resolving removes.
    NoReference,
}

impl fmt::Display for RelativizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseIsRelative => {
                f.write_str("expected a base with a scheme, but it is relative")
            }
            Self::TargetIsRelative => {
                f.write_str("expected a target with a scheme, but it is relative")
            }
            Self::DifferentStandards { base, target } => write!(
                f,
                "expected one standard, but the base is of {base} and the target of {target}"
            ),
            Self::NoRelativeForms => {
                f.write_str("RFC 1738 describes no relative URLs: use rfc1808 (RFC 1738, 2.3)")
            }
            Self::NoReference => f.write_str(
                "nothing resolves to the target: resolving removes the dot segments of its path",
            ),
        }
    }
}

impl core::error::Error for RelativizeError {}

impl AnyRef<'_> {
    /// Appends to `out` the shortest reference that resolves to this target against `base`, byte for
    /// byte, by the standard's own first choices ([`Options::default`]).
    ///
    /// It is of any form that the standard has: empty, a fragment, params, a query, a relative or an
    /// absolute path, with an authority, or the whole target. Of two of equal length, it is the one
    /// that moves with its base. Time and memory are linear.
    ///
    /// ```
    /// use urikit::Standard;
    /// let base = Standard::Rfc3986.parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
    /// let target = Standard::Rfc3986.parse("http://a/b/g?y#s")?;
    /// let mut reference = String::new();
    /// target.relativize_into(base, &mut reference).unwrap();
    /// assert_eq!(reference, "../g?y#s");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`]; `out` is then as it was.
    pub fn relativize_into(
        self,
        base: AnyRef<'_>,
        out: &mut String,
    ) -> Result<(), RelativizeError> {
        if base.standard() != self.standard() {
            return Err(RelativizeError::DifferentStandards {
                base: base.standard(),
                target: self.standard(),
            });
        }
        if self.standard() == Standard::Rfc1738 {
            return Err(RelativizeError::NoRelativeForms);
        }
        if base.scheme().is_none() {
            return Err(RelativizeError::BaseIsRelative);
        }
        if self.scheme().is_none() {
            return Err(RelativizeError::TargetIsRelative);
        }
        let length = out.len();
        let mut resolved = String::new();
        for candidate in candidates::candidates(self, base) {
            candidate.write(out);
            resolved.clear();
            let reference = self.standard().parse(out.get(length..).unwrap_or_default());
            if reference.is_ok_and(|reference| {
                let outcome = reference.resolve_into(base, Options::default(), &mut resolved);
                outcome.is_ok() && resolved == self.as_str()
            }) {
                return Ok(());
            }
            out.truncate(length);
        }
        Err(RelativizeError::NoReference)
    }
}

impl<S: Spec> UriRef<'_, S> {
    /// The shortest reference that resolves to this target against `base`; see
    /// [`AnyRef::relativize_into`].
    ///
    /// ```
    /// use urikit::UriRef;
    /// let base = UriRef::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
    /// let reference = UriRef::parse("http://a/b/c/g;x=1/y")?.relativize(base).unwrap();
    /// assert_eq!(reference.as_str(), "g;x=1/y");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`].
    pub fn relativize(self, base: UriRef<'_, S>) -> Result<UriRefBuf<S>, RelativizeError> {
        let mut reference = String::new();
        self.as_any()
            .relativize_into(base.as_any(), &mut reference)?;
        // INVARIANT: it was parsed before it was resolved.
        UriRefBuf::parse_as(reference).map_err(|_| RelativizeError::NoReference)
    }
}
