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
#[cfg(feature = "http")]
use alloc::string::String;

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

#[cfg(feature = "url")]
impl TryFrom<&url::Url> for UriBuf {
    type Error = ParseError;

    fn try_from(url: &url::Url) -> Result<Self, ParseError> {
        Uri::try_from(url).map(Self::from)
    }
}

/// Parses the URI as a browser does, which may change the host. Fails if the URI has no host but a
/// browser would take one from the path, as in `http:/a`.
///
/// ```
/// use urikit::Uri;
/// let uri = Uri::parse("http://example.com:80/%7Ea/../b")?;
/// assert_eq!(url::Url::try_from(uri)?.as_str(), "http://example.com/b");
/// assert_eq!(url::Url::try_from(Uri::parse("http://0x7f.1/")?)?.as_str(), "http://127.0.0.1/");
/// assert!(url::Url::try_from(Uri::parse("http:/evil.example/a")?).is_err()); // a path
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "url")]
impl TryFrom<Uri<'_>> for url::Url {
    type Error = url::ParseError;

    fn try_from(uri: Uri<'_>) -> Result<Self, url::ParseError> {
        let url = Self::parse(uri.as_str())?;
        let has_host = uri.host().is_some_and(|host| !host.as_str().is_empty());
        if url.has_host() && !has_host {
            return Err(url::ParseError::EmptyHost);
        }
        Ok(url)
    }
}

/// Converts the components of a request target. The `http` crate accepts characters that RFC 3986
/// does not allow, so the conversion may fail.
///
/// ```
/// use urikit::UriRefBuf;
/// let target = http::Uri::from_static("/over/there?name=ferret");
/// assert_eq!(UriRefBuf::try_from(&target)?.query().unwrap(), "name=ferret");
/// assert!(UriRefBuf::try_from(&http::Uri::from_static("/a|b")).is_err());
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// A target in origin-form (RFC 9112, 3.2.1) is a path, even if it begins with `//`. The reference
/// then begins with `/.`, which resolution removes (RFC 3986, 4.2):
///
/// ```
/// use urikit::{Uri, UriRefBuf};
/// let target = http::Uri::from_static("//evil.example/x");
/// let reference = UriRefBuf::try_from(&target)?;
/// assert_eq!(reference, "/.//evil.example/x");
/// let base = Uri::parse("http://10.0.0.7:8080/")?;
/// assert_eq!(reference.resolve_against(base)?, "http://10.0.0.7:8080//evil.example/x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A target in absolute-form or authority-form (RFC 9112, 3.2.2 and 3.2.3) names a host that the
/// client chose. Check the host before you send a request to it.
///
/// ```
/// use urikit::UriRefBuf;
/// let connect = http::Uri::from_static("example.com:443");
/// assert_eq!(UriRefBuf::try_from(&connect)?, "//example.com:443");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<&http::Uri> for UriRefBuf {
    type Error = ParseError;

    fn try_from(uri: &http::Uri) -> Result<Self, ParseError> {
        Self::try_from(reference_text(uri)).map_err(Rejected::into)
    }
}

/// Fails if the URI has no scheme, like a request target in origin-form or authority-form.
///
/// ```
/// use urikit::UriBuf;
/// assert_eq!(UriBuf::try_from(&http::Uri::from_static("http://h/a"))?, "http://h/a");
/// assert!(UriBuf::try_from(&http::Uri::from_static("/a")).is_err());
/// assert!(UriBuf::try_from(&http::Uri::from_static("example.com:443")).is_err());
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<&http::Uri> for UriBuf {
    type Error = ParseError;

    fn try_from(uri: &http::Uri) -> Result<Self, ParseError> {
        Self::try_from(reference_text(uri)).map_err(Rejected::into)
    }
}

/// Writes the components with the delimiters of RFC 3986, 5.3. `Display` writes an authority
/// without `//` if the scheme is absent, and a path such as `//a` unchanged.
#[cfg(feature = "http")]
fn reference_text(uri: &http::Uri) -> String {
    let mut text = String::new();
    if let Some(scheme) = uri.scheme_str() {
        text.push_str(scheme);
        text.push(':');
    }
    match (uri.authority(), uri.path_and_query()) {
        (Some(authority), _) => {
            text.push_str("//");
            text.push_str(authority.as_str());
        }
        (None, Some(path)) if path.path().starts_with("//") => text.push_str("/."),
        (None, _) => {}
    }
    if let Some(path) = uri.path_and_query() {
        text.push_str(path.path());
    }
    if let Some(query) = uri.query() {
        text.push('?');
        text.push_str(query);
    }
    text
}

/// Drops the fragment. Fails if the `http` crate has no form for the reference, as for most
/// relative paths.
///
/// ```
/// use urikit::UriRef;
/// let target = http::Uri::try_from(UriRef::parse("/a/b?c")?)?;
/// assert_eq!(target.path(), "/a/b");
/// let connect = http::Uri::try_from(UriRef::parse("//example.com:443")?)?; // RFC 9112, 3.2.3
/// assert_eq!(connect.authority().unwrap(), "example.com:443");
///
/// assert!(http::Uri::try_from(UriRef::parse("a")?).is_err());
/// assert!(http::Uri::try_from(UriRef::parse("//h/a")?).is_err()); // no scheme
/// assert!(http::Uri::try_from(UriRef::parse("mailto:John.Doe@example.com")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<UriRef<'_>> for http::Uri {
    type Error = http::uri::InvalidUri;

    fn try_from(reference: UriRef<'_>) -> Result<Self, Self::Error> {
        let is_authority = reference.scheme().is_none() && reference.path().as_str().is_empty();
        let text = reference.as_str();
        let text = match text.strip_prefix("//") {
            Some(authority) if is_authority => authority.split('#').next().unwrap_or_default(),
            _ => text,
        };
        let uri: Self = text.parse()?;
        if has_components_of(&uri, reference) {
            return Ok(uri);
        }
        // `InvalidUri` has no constructor. Parsing a URI without a host is an error of the kind
        // "invalid format".
        "http:///".parse()
    }
}

/// Returns whether the components are the same, except that the `http` crate has no fragment, and
/// writes an empty path after a host as `/`.
#[cfg(feature = "http")]
fn has_components_of(uri: &http::Uri, reference: UriRef<'_>) -> bool {
    let same_scheme = match (uri.scheme_str(), reference.scheme()) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (None, None) => true,
        _ => false,
    };
    let path = reference.path().as_str();
    same_scheme
        && uri.authority().map(|part| part.as_str()) == reference.authority().map(|a| a.as_str())
        && (uri.path() == path || path.is_empty() && uri.path() == "/" && uri.scheme().is_some())
        && uri.query() == reference.query().map(|query| query.as_str())
}

#[cfg(feature = "http")]
impl TryFrom<Uri<'_>> for http::Uri {
    type Error = http::uri::InvalidUri;

    fn try_from(uri: Uri<'_>) -> Result<Self, Self::Error> {
        UriRef::from(uri).try_into()
    }
}

/// Implements the conversions for owned types by borrowing them.
#[cfg(any(feature = "http", feature = "url"))]
macro_rules! from_owned {
    ($Theirs:ty: $($Buf:ident as $T:ident),*) => {$(
        impl TryFrom<&$Buf> for $Theirs {
            type Error = <$Theirs as core::str::FromStr>::Err;

            fn try_from(reference: &$Buf) -> Result<Self, Self::Error> {
                $T::from(reference).try_into()
            }
        }

        impl TryFrom<$Buf> for $Theirs {
            type Error = <$Theirs as core::str::FromStr>::Err;

            fn try_from(reference: $Buf) -> Result<Self, Self::Error> {
                $T::from(&reference).try_into()
            }
        }
    )*};
}

#[cfg(feature = "url")]
from_owned!(url::Url: UriBuf as Uri);
#[cfg(feature = "http")]
from_owned!(http::Uri: UriBuf as Uri, UriRefBuf as UriRef);

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
