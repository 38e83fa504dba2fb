//! Conversions between the reference types. The text is parsed again only if an [`AnyRef`] has a
//! different standard from the target type.
//!
//! Every URI is an IRI, and both grammars give it the same components. An IRI is a URI if all its
//! characters are US-ASCII.

use super::{AnyRef, Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use super::{AnyRefBuf, IriBuf, IriRefBuf, Rejected, UriBuf, UriRefBuf};
use crate::{ParseError, Standard};

/// Conversions between a concrete type and [`AnyRef`]. `$is_one` decides whether a reference of RFC
/// 3986 or RFC 3987 is valid as the concrete type.
macro_rules! narrowed {
    ($T:ident, $Buf:ident, $standard:ident, $is_one:expr) => {
        impl<'a> From<$T<'a>> for AnyRef<'a> {
            fn from(reference: $T<'a>) -> Self {
                reference.any()
            }
        }

        impl<'a> From<&$T<'a>> for AnyRef<'a> {
            fn from(reference: &$T<'a>) -> Self {
                reference.any()
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> From<&'a $Buf> for AnyRef<'a> {
            fn from(reference: &'a $Buf) -> Self {
                reference.any()
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$Buf> for AnyRefBuf {
            fn from(reference: $Buf) -> Self {
                reference.0
            }
        }

        impl<'a> TryFrom<AnyRef<'a>> for $T<'a> {
            type Error = ParseError;

            /// Parses the text again only if the reference was parsed under an older standard.
            fn try_from(any: AnyRef<'a>) -> Result<Self, ParseError> {
                let is_one: fn(&AnyRef<'_>) -> bool = $is_one;
                let is_recent = matches!(any.standard(), Standard::Rfc3986 | Standard::Rfc3987);
                if is_recent && is_one(&any) {
                    Ok(Self(any.with_standard(Standard::$standard)))
                } else {
                    Self::parse(any.as_str())
                }
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<AnyRefBuf> for $Buf {
            type Error = Rejected<AnyRefBuf>;

            /// Parses the text again only if the reference was parsed under an older standard. On
            /// failure, the error contains the reference.
            fn try_from(any: AnyRefBuf) -> Result<Self, Rejected<AnyRefBuf>> {
                match $T::try_from(any.as_any_ref()) {
                    Ok(same) if same.any().layout() == any.as_any_ref().layout() => {
                        Ok(Self(any.with_standard(Standard::$standard)))
                    }
                    Ok(other) => Ok(Self::from(other)),
                    Err(error) => Err(Rejected::new(any, error)),
                }
            }
        }
    };
}

narrowed!(Uri, UriBuf, Rfc3986, |any| any.has_scheme() && is_uri(any));
narrowed!(UriRef, UriRefBuf, Rfc3986, is_uri);
narrowed!(Iri, IriBuf, Rfc3987, |any| any.has_scheme());
narrowed!(IriRef, IriRefBuf, Rfc3987, |_| true);

/// Returns whether a reference of RFC 3986 or RFC 3987 is valid under RFC 3986.
fn is_uri(any: &AnyRef<'_>) -> bool {
    any.standard() == Standard::Rfc3986 || any.as_str().is_ascii()
}

/// Conversions from a type to a wider type, which accepts all values of the narrower type, and
/// back.
macro_rules! widens {
    ($($T:ident, $Buf:ident => $Wide:ident, $WideBuf:ident as $standard:ident;)*) => {$(
        impl<'a> From<$T<'a>> for $Wide<'a> {
            fn from(reference: $T<'a>) -> Self {
                Self(reference.0.with_standard(Standard::$standard))
            }
        }

        impl<'a> From<&$T<'a>> for $Wide<'a> {
            fn from(reference: &$T<'a>) -> Self {
                Self(reference.0.with_standard(Standard::$standard))
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> From<&'a $Buf> for $Wide<'a> {
            fn from(reference: &'a $Buf) -> Self {
                Self(reference.any().with_standard(Standard::$standard))
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$Buf> for $WideBuf {
            fn from(reference: $Buf) -> Self {
                Self(reference.0.with_standard(Standard::$standard))
            }
        }

        impl<'a> TryFrom<$Wide<'a>> for $T<'a> {
            type Error = ParseError;

            fn try_from(reference: $Wide<'a>) -> Result<Self, ParseError> {
                Self::try_from(reference.0)
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> TryFrom<&'a $WideBuf> for $T<'a> {
            type Error = ParseError;

            fn try_from(reference: &'a $WideBuf) -> Result<Self, ParseError> {
                Self::try_from(reference.any())
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<$Wide<'_>> for $Buf {
            type Error = ParseError;

            fn try_from(reference: $Wide<'_>) -> Result<Self, ParseError> {
                $T::try_from(reference).map(Self::from)
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<$WideBuf> for $Buf {
            type Error = Rejected<$WideBuf>;

            /// On failure, the error contains the reference.
            fn try_from(reference: $WideBuf) -> Result<Self, Rejected<$WideBuf>> {
                match $Buf::try_from(reference.0) {
                    Ok(narrow) => Ok(narrow),
                    Err(rejected) => {
                        let error = rejected.error();
                        Err(Rejected::new($WideBuf(rejected.into_value()), error))
                    }
                }
            }
        }
    )*};
}

widens! {
    Uri, UriBuf => UriRef, UriRefBuf as Rfc3986;
    Uri, UriBuf => Iri, IriBuf as Rfc3987;
    Uri, UriBuf => IriRef, IriRefBuf as Rfc3987;
    UriRef, UriRefBuf => IriRef, IriRefBuf as Rfc3987;
    Iri, IriBuf => IriRef, IriRefBuf as Rfc3987;
}
