//! Schemes as values: the trait that anyone can implement, and the ones of the texts.

#[cfg(feature = "alloc")]
use super::{AccessError, Details, Step};
use super::{Edition, Facts, ReadError};
use crate::AnyRef;
#[cfg(feature = "alloc")]
use alloc::{borrow::ToOwned as _, vec::Vec};

/// A naming scheme, which is "a name, a syntax, an algorithm for access" (RFC 1630, Registration of naming
/// schemes; RFC 1738, 4).
///
/// Every scheme of the texts is one ([`find`](super::find)); a scheme of one's own implements this and goes
/// into a `SchemeRegistry`.
pub trait Scheme: Send + Sync {
    /// The name, and what else is known apart from any URL.
    fn facts(&self) -> Facts<'_>;

    /// The syntax: whether a reference is a URL of this scheme.
    ///
    /// # Errors
    ///
    /// Where it is none.
    fn check(&self, reference: AnyRef<'_>, edition: Edition) -> Result<(), ReadError>;

    /// What the URL means; without an implementation, its scheme alone.
    ///
    /// # Errors
    ///
    /// Where it is no URL of this scheme.
    #[cfg(feature = "alloc")]
    fn details<'a>(
        &self,
        reference: AnyRef<'a>,
        edition: Edition,
    ) -> Result<Details<'a>, ReadError> {
        self.check(reference, edition)?;
        Ok(Details::new(self.facts().name.to_owned(), ""))
    }

    /// The algorithm for access: what a client does; without an implementation, nothing.
    ///
    /// # Errors
    ///
    /// Where it is no URL of this scheme, or one that no client can follow.
    #[cfg(feature = "alloc")]
    fn steps<'a>(
        &self,
        reference: AnyRef<'a>,
        edition: Edition,
    ) -> Result<Vec<Step<'a>>, AccessError> {
        self.check(reference, edition)?;
        Ok(Vec::new())
    }
}

/// A scheme of the texts: its facts, and its typed reading behind the trait.
pub(super) struct Builtin {
    pub(super) facts: Facts<'static>,
    pub(super) check: for<'a> fn(AnyRef<'a>, Edition) -> Result<(), ReadError>,
    #[cfg(feature = "alloc")]
    pub(super) details: for<'a> fn(AnyRef<'a>, Edition) -> Result<Details<'a>, ReadError>,
    #[cfg(feature = "alloc")]
    pub(super) steps: for<'a> fn(AnyRef<'a>, Edition) -> Result<Vec<Step<'a>>, AccessError>,
}

/// The scheme with these facts that is read by this type, which has `read_as`, `details` and `steps`.
macro_rules! builtin {
    ($facts:expr, $reading:ident) => {
        $crate::scheme::builtin::Builtin {
            facts: $facts,
            check: |reference, edition| {
                $crate::scheme::builtin::named(reference, $facts.name)?;
                $reading::read_as(reference, edition).map(drop)
            },
            #[cfg(feature = "alloc")]
            details: |reference, edition| {
                $crate::scheme::builtin::named(reference, $facts.name)?;
                Ok($reading::read_as(reference, edition)?.details())
            },
            #[cfg(feature = "alloc")]
            steps: |reference, edition| {
                $crate::scheme::builtin::named(reference, $facts.name)?;
                $reading::read_as(reference, edition)?.steps()
            },
        }
    };
}
pub(super) use builtin;

/// Whether the reference is of that scheme: a reading may serve several.
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

    #[cfg(feature = "alloc")]
    fn steps<'a>(
        &self,
        reference: AnyRef<'a>,
        edition: Edition,
    ) -> Result<Vec<Step<'a>>, AccessError> {
        (self.steps)(reference, edition)
    }
}
