//! Schemes as values: the trait that anyone can implement, and the built-in schemes of the RFCs.

#[cfg(feature = "alloc")]
use super::Details;
use super::{Edition, Facts, ReadError};
#[cfg(feature = "alloc")]
use alloc::borrow::ToOwned as _;
use urikit::AnyRef;

/// A naming scheme: its name, its syntax, and what its URLs mean (RFC 1630, Registration of naming
/// schemes; RFC 1738, 4).
///
/// Every built-in scheme implements it ([`find`](super::find)). A custom scheme implements it too
/// and is added to a `SchemeRegistry`.
pub trait Scheme: Send + Sync {
    /// The name, and what else is known of the scheme independently of any URL.
    fn facts(&self) -> Facts<'_>;

    /// The syntax: whether a reference is a URL of this scheme.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check(&self, reference: AnyRef<'_>, edition: Edition) -> Result<(), ReadError>;

    /// What the URL means. By default, its scheme only.
    ///
    /// # Errors
    ///
    /// If it is not a URL of this scheme.
    #[cfg(feature = "alloc")]
    fn details<'a>(
        &self,
        reference: AnyRef<'a>,
        edition: Edition,
    ) -> Result<Details<'a>, ReadError> {
        self.check(reference, edition)?;
        Ok(Details::new(self.facts().name.to_owned(), ""))
    }
}

/// A built-in scheme: its facts, and its typed reading as an implementation of the trait.
pub(super) struct Builtin {
    pub(super) facts: Facts<'static>,
    pub(super) check: for<'a> fn(AnyRef<'a>, Edition) -> Result<(), ReadError>,
    #[cfg(feature = "alloc")]
    pub(super) details: for<'a> fn(AnyRef<'a>, Edition) -> Result<Details<'a>, ReadError>,
}

/// The scheme with these facts, read by a type that has `read_as` and `details`.
macro_rules! builtin {
    ($facts:expr, $reading:ident) => {
        $crate::builtin::Builtin {
            facts: $facts,
            check: |reference, edition| {
                $crate::builtin::named(reference, $facts.name)?;
                $reading::read_as(reference, edition).map(drop)
            },
            #[cfg(feature = "alloc")]
            details: |reference, edition| {
                $crate::builtin::named(reference, $facts.name)?;
                Ok($reading::read_as(reference, edition)?.details())
            },
        }
    };
}
pub(super) use builtin;

/// Checks that the reference has that scheme: one type may read several schemes.
pub(super) fn named(reference: AnyRef<'_>, name: &str) -> Result<(), ReadError> {
    if super::shape::is_scheme(reference, name) {
        Ok(())
    } else {
        Err(ReadError::OtherScheme)
    }
}

impl Scheme for Builtin {
    fn facts(&self) -> Facts<'_> {
        self.facts
    }

    fn check(&self, reference: AnyRef<'_>, edition: Edition) -> Result<(), ReadError> {
        (self.check)(reference, edition)
    }

    #[cfg(feature = "alloc")]
    fn details<'a>(
        &self,
        reference: AnyRef<'a>,
        edition: Edition,
    ) -> Result<Details<'a>, ReadError> {
        (self.details)(reference, edition)
    }
}
