//! Conversions to and from the types of other crates. Each conversion requires the feature named
//! after the crate: `url`, `http` or `serde`.

use super::Uri;
#[cfg(feature = "alloc")]
use super::UriBuf;
#[cfg(any(feature = "serde", feature = "http"))]
use super::UriRef;
#[cfg(any(all(feature = "serde", feature = "alloc"), feature = "http"))]
use super::UriRefBuf;
#[cfg(feature = "serde")]
use super::{Iri, IriRef};
#[cfg(all(feature = "serde", feature = "alloc"))]
use super::{IriBuf, IriRefBuf};
#[cfg(any(feature = "http", feature = "url"))]
use crate::{ParseError, Rejected};
#[cfg(feature = "serde")]
use ::serde::de::Error as _;
#[cfg(feature = "serde")]
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Parses the serialization of a URL. Browsers accept more characters than RFC 3986 allows, so the
/// conversion may fail.
///
/// ```
/// use urikit::Uri;
/// let url = url::Url::parse("HTTP://example.com/a b")?;
/// assert_eq!(Uri::try_from(&url)?, "http://example.com/a%20b");
/// assert!(Uri::try_from(&url::Url::parse("http://example.com/?a|b")?).is_err()); // RFC 3986, 3.4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "url")]
impl<'a> TryFrom<&'a url::Url> for Uri<'a> {
    type Error = ParseError;

    fn try_from(url: &'a url::Url) -> Result<Self, ParseError> {
        Self::parse(url.as_str())
    }
}

/// On failure, the error contains the URL.
#[cfg(feature = "url")]
impl TryFrom<url::Url> for UriBuf {
    type Error = Rejected<url::Url>;

    fn try_from(url: url::Url) -> Result<Self, Rejected<url::Url>> {
        match Uri::try_from(&url) {
            Ok(uri) => Ok(Self::from(uri)),
            Err(error) => Err(Rejected::new(url, error)),
        }
    }
}

/// Parses the URI as a browser does, which may change the host.
///
/// ```
/// use urikit::Uri;
/// let uri = Uri::parse("http://example.com:80/%7Ea/../b")?;
/// assert_eq!(url::Url::try_from(uri)?.as_str(), "http://example.com/b");
/// assert_eq!(url::Url::try_from(Uri::parse("http://0x7f.1/")?)?.as_str(), "http://127.0.0.1/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "url")]
impl TryFrom<Uri<'_>> for url::Url {
    type Error = url::ParseError;

    fn try_from(uri: Uri<'_>) -> Result<Self, url::ParseError> {
        Self::parse(uri.as_str())
    }
}

#[cfg(feature = "url")]
impl TryFrom<&UriBuf> for url::Url {
    type Error = url::ParseError;

    fn try_from(uri: &UriBuf) -> Result<Self, url::ParseError> {
        Self::parse(uri.as_str())
    }
}

/// The `http` crate accepts characters that RFC 3986 does not allow, so the conversion may fail.
///
/// ```
/// use urikit::UriRefBuf;
/// let target = http::Uri::from_static("/over/there?name=ferret");
/// assert_eq!(UriRefBuf::try_from(&target)?.query().unwrap(), "name=ferret");
/// assert!(UriRefBuf::try_from(&http::Uri::from_static("/a|b")).is_err());
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<&http::Uri> for UriRefBuf {
    type Error = ParseError;

    fn try_from(uri: &http::Uri) -> Result<Self, ParseError> {
        Self::try_from(alloc::string::ToString::to_string(uri)).map_err(Rejected::into)
    }
}

#[cfg(feature = "http")]
impl TryFrom<&http::Uri> for UriBuf {
    type Error = ParseError;

    fn try_from(uri: &http::Uri) -> Result<Self, ParseError> {
        Self::try_from(alloc::string::ToString::to_string(uri)).map_err(Rejected::into)
    }
}

/// The `http` crate drops the fragment, and rejects relative paths.
///
/// ```
/// use urikit::UriRef;
/// let target = http::Uri::try_from(UriRef::parse("/a/b?c")?)?;
/// assert_eq!(target.path(), "/a/b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<UriRef<'_>> for http::Uri {
    type Error = http::uri::InvalidUri;

    fn try_from(reference: UriRef<'_>) -> Result<Self, Self::Error> {
        reference.as_str().parse()
    }
}

#[cfg(feature = "http")]
impl TryFrom<Uri<'_>> for http::Uri {
    type Error = http::uri::InvalidUri;

    fn try_from(uri: Uri<'_>) -> Result<Self, Self::Error> {
        uri.as_str().parse()
    }
}

/// A borrowed type can be deserialized only from a format that stores the text without escapes.
#[cfg(feature = "serde")]
macro_rules! as_string {
    ($($T:ident, $Buf:ident;)*) => {$(
        #[cfg(feature = "serde")]
        impl Serialize for $T<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de: 'a, 'a> Deserialize<'de> for $T<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::parse(<&str>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        #[cfg(all(feature = "serde", feature = "alloc"))]
        impl Serialize for $Buf {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(all(feature = "serde", feature = "alloc"))]
        impl<'de> Deserialize<'de> for $Buf {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = alloc::string::String::deserialize(deserializer)?;
                Self::try_from(text).map_err(D::Error::custom)
            }
        }
    )*};
}

#[cfg(feature = "serde")]
as_string! {
    Uri, UriBuf;
    UriRef, UriRefBuf;
    Iri, IriBuf;
    IriRef, IriRefBuf;
}
