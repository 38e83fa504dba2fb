//! A reference that is borrowed unless it had to change.

use crate::reference::getters::{getters, maybe_scheme};
use crate::{
    AnyRef, AnyRefBuf, Iri, IriBuf, IriRef, IriRefBuf, Reference, Uri, UriBuf, UriRef, UriRefBuf,
};
use alloc::string::String;
use core::fmt;

/// The result of [`normalize`](crate::Uri::normalize). A reference that is already normalized is
/// borrowed unchanged; otherwise the result is a new, owned reference.
///
/// `CowRef` provides the getters for components. `as_uri`, `as_any_ref` and so on return the
/// borrowed type, which has all other methods, and [`into_owned`](Self::into_owned) returns the
/// owned type. Functions that take a borrowed type, such as
/// [`resolve_against`](crate::UriRef::resolve_against), also accept a reference to a `CowRef`.
///
/// ```
/// use urikit::Uri;
/// use urikit::op::CowRef;
/// let uri = Uri::parse("HTTP://Example.com/%7Ea")?;
/// let normal = uri.normalize();
/// assert_eq!(normal, "http://example.com/~a");
/// assert_eq!(normal.host().unwrap(), "example.com");
/// assert!(matches!(normal.into_owned().as_uri().normalize(), CowRef::Borrowed(_)));
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub enum CowRef<B, O> {
    /// The unchanged reference.
    Borrowed(B),
    /// The changed reference.
    Owned(O),
}

impl<B, O: From<B>> CowRef<B, O> {
    /// Returns the owned type. Copies the text if it is borrowed.
    pub fn into_owned(self) -> O {
        match self {
            Self::Borrowed(borrowed) => O::from(borrowed),
            Self::Owned(owned) => owned,
        }
    }
}

impl<B, O> CowRef<B, O> {
    /// Returns whether the reference is unchanged.
    pub const fn is_borrowed(&self) -> bool {
        matches!(self, Self::Borrowed(_))
    }
}

impl<B: Reference, O: Reference> CowRef<B, O> {
    fn any(&self) -> AnyRef<'_> {
        self.as_any()
    }

    maybe_scheme!(AnyRefBuf, '_);
    getters!(AnyRefBuf, '_; B, O);
}

impl<B: Reference, O: Reference> crate::reference::Sealed for CowRef<B, O> {}

impl<B: Reference, O: Reference> Reference for CowRef<B, O> {
    fn as_any(&self) -> AnyRef<'_> {
        match self {
            Self::Borrowed(borrowed) => borrowed.as_any(),
            Self::Owned(owned) => owned.as_any(),
        }
    }
}

impl<B: Reference, O: Reference> AsRef<str> for CowRef<B, O> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<B: Reference, O: Reference> fmt::Display for CowRef<B, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<B: Reference, O: Reference> fmt::Debug for CowRef<B, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_any().masked(), f)
    }
}

impl<B: Reference, O: Reference> From<CowRef<B, O>> for String
where
    O: From<B>,
    String: From<O>,
{
    fn from(reference: CowRef<B, O>) -> Self {
        reference.into_owned().into()
    }
}

/// Implements `==` with text and with other references.
macro_rules! same_text {
    ($($T:ty),*) => {$(
        impl<B: Reference, O: Reference> PartialEq<$T> for CowRef<B, O> {
            fn eq(&self, other: &$T) -> bool {
                self.as_str() == AsRef::<str>::as_ref(other)
            }
        }
    )*};
}

same_text!(
    str,
    &str,
    String,
    Uri<'_>,
    UriBuf,
    UriRef<'_>,
    UriRefBuf,
    Iri<'_>,
    IriBuf,
    IriRef<'_>,
    IriRefBuf
);

impl<B: Reference, O: Reference> PartialEq for CowRef<B, O> {
    fn eq(&self, other: &Self) -> bool {
        self.as_any() == other.as_any()
    }
}

impl<B: Reference, O: Reference> Eq for CowRef<B, O> {}

/// Implements conversions to the borrowed type.
macro_rules! views {
    ($($T:ident, $Buf:ident, $as:ident;)*) => {$(
        impl<'a> CowRef<$T<'a>, $Buf> {
            /// Borrows the text.
            pub const fn $as(&self) -> $T<'_> {
                match self {
                    Self::Borrowed(borrowed) => *borrowed,
                    Self::Owned(owned) => owned.$as(),
                }
            }
        }

        impl<'a> From<&'a CowRef<$T<'_>, $Buf>> for $T<'a> {
            fn from(reference: &'a CowRef<$T<'_>, $Buf>) -> Self {
                reference.$as()
            }
        }
    )*};
}

views! {
    Uri, UriBuf, as_uri;
    UriRef, UriRefBuf, as_uri_ref;
    Iri, IriBuf, as_iri;
    IriRef, IriRefBuf, as_iri_ref;
    AnyRef, AnyRefBuf, as_any_ref;
}
