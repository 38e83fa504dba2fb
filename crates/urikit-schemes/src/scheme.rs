//! The trait that every scheme implements, and the built-in schemes.

#[cfg(feature = "alloc")]
use super::Details;
use super::{Facts, ReadError};
#[cfg(feature = "alloc")]
use alloc::borrow::ToOwned as _;
use urikit::{AnyRef, Standard};

/// The specification that defines the URLs of a scheme: the original or its successor.
///
/// The standard of a reference defines which characters each component allows. The specification
/// of the scheme defines the meaning of the components, and may have several editions. For
/// example, a `mailto` URL can have header fields under RFC 6068, but not under RFC 1738.
///
/// ```
/// use urikit_schemes::Edition;
/// use urikit::Standard;
/// assert_eq!(Edition::of(Standard::Rfc1738), Edition::Original);
/// assert_eq!(Edition::of(Standard::Rfc3986), Edition::Successor);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// RFC 1630 for references parsed under RFC 1630. For all other references, this is RFC 1738,
    /// or the scheme's first specification if RFC 1738 does not define the scheme.
    Original,
    /// The specification that replaced the original, if any: RFC 9110 for http, RFC 4266 for
    /// gopher, RFC 5538 for news and nntp, RFC 6068 for mailto, RFC 8089 for file, and RFC 8141
    /// for urn.
    Successor,
}

impl Edition {
    /// Returns the edition that applies to references parsed under a standard. The successors'
    /// specifications build on RFC 3986.
    pub const fn of(standard: Standard) -> Self {
        match standard {
            Standard::Rfc3986 | Standard::Rfc3987 => Self::Successor,
            _ => Self::Original,
        }
    }
}

/// A naming scheme: its name, its syntax, and the meaning of its URLs (RFC 1630, Registration of
/// naming schemes; RFC 1738, 4).
///
/// Every built-in scheme implements this trait ([`find`](super::find)). A custom scheme also
/// implements this trait, and is added to a `SchemeRegistry`.
pub trait Scheme: Send + Sync {
    /// Returns the name, the default port and other facts that do not depend on a URL.
    fn facts(&self) -> Facts<'_>;

    /// Checks whether a reference is a URL of this scheme, according to the specification of
    /// `edition`.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a URL of this scheme.
    fn check(&self, reference: AnyRef<'_>, edition: Edition) -> Result<(), ReadError>;

    /// Returns, as named values, the parts of a URL that its scheme defines. The default
    /// implementation returns only the scheme.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a URL of this scheme.
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

/// A built-in scheme: its facts, and the functions that read its URLs.
pub(super) struct Builtin {
    pub(super) facts: Facts<'static>,
    pub(super) check: for<'a> fn(AnyRef<'a>, Edition) -> Result<(), ReadError>,
    #[cfg(feature = "alloc")]
    pub(super) details: for<'a> fn(AnyRef<'a>, Edition) -> Result<Details<'a>, ReadError>,
}

/// Creates a built-in scheme from a definition and a type that has `read_as` and `details`.
macro_rules! builtin {
    ($definition:expr, $reading:ident) => {
        $crate::scheme::Builtin {
            facts: $definition.facts,
            check: |reference, edition| {
                $crate::scheme::check_name_of(reference, $definition.facts.name)?;
                $reading::read_as(reference, edition).map(drop)
            },
            #[cfg(feature = "alloc")]
            details: |reference, edition| {
                $crate::scheme::check_name_of(reference, $definition.facts.name)?;
                Ok($reading::read_as(reference, edition)?.details())
            },
        }
    };
}
pub(super) use builtin;

/// Checks that the reference has the scheme of the definition. One type may handle several schemes.
pub(super) fn check_name_of(reference: AnyRef<'_>, name: &str) -> Result<(), ReadError> {
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
