//! References as strings, for `serde`. Reading one parses it.

use super::{Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use super::{IriBuf, IriRefBuf, UriBuf, UriRefBuf};
use ::serde::de::Error as _;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type that borrows its text can be read only from a format that has the text without escapes.
macro_rules! as_string {
    ($($T:ident, $Buf:ident;)*) => {$(
        impl Serialize for $T<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $T<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::parse(<&str>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        #[cfg(feature = "alloc")]
        impl Serialize for $Buf {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "alloc")]
        impl<'de> Deserialize<'de> for $Buf {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = alloc::string::String::deserialize(deserializer)?;
                Self::try_from(text).map_err(D::Error::custom)
            }
        }
    )*};
}

as_string! {
    Uri, UriBuf;
    UriRef, UriRefBuf;
    Iri, IriBuf;
    IriRef, IriRefBuf;
}
