//! Hosts as DNS names (RFC 3987, 3.1: "Systems accepting IRIs MAY convert the ireg-name").
//!
//! RFC 3987 refers to RFC 3490's operation ToASCII. This module uses the successor of RFC 3490,
//! UTS 46 without transitional mappings, so that names with `ß` and the joiners remain distinct
//! (RFC 5891). The module sets the flags that RFC 3987 requires: STD 3 rules, no hyphen at either
//! end of a label, labels of at most 63 octets. Escapes in the host are first decoded as UTF-8
//! (RFC 3986, 3.2.2).

use super::{split_at, write_uri};
use crate::component::Host;
use crate::{
    AnyRef, AnyRefBuf, HostKind, Iri, IriBuf, IriRef, IriRefBuf, ParseError, Reference, Standard,
    UriBuf, UriRefBuf,
};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// The reason why an IRI cannot be converted to a URI whose host is a DNS name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToUriError {
    /// The host is not an internationalized domain name: "the IRI cannot be resolved".
    Host {
        /// The offset of the host.
        offset: usize,
    },
    /// The URI is longer than [`MAX_LEN`](crate::MAX_LEN) bytes.
    Uri(ParseError),
}

impl fmt::Display for ToUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { offset } => write!(
                f,
                "expected an internationalized domain name at byte {offset} (RFC 3987, 3.1)"
            ),
            Self::Uri(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ToUriError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Uri(error) => Some(error),
            Self::Host { .. } => None,
        }
    }
}

/// The error for a host that is not an internationalized domain name: "the IRI cannot be resolved"
/// (RFC 3987, 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotADomainName;

impl fmt::Display for NotADomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an internationalized domain name as the host (RFC 3987, 3.1)")
    }
}

impl core::error::Error for NotADomainName {}

#[cfg_attr(docsrs, doc(cfg(feature = "idna")))]
impl<'a> Host<'a> {
    /// Converts a host with non-ASCII characters, escaped or not, to its DNS name (ToASCII).
    /// Returns any other host as written.
    ///
    /// ```
    /// use urikit::Iri;
    /// let iri = Iri::parse("http://résumé.example.org")?; // RFC 3987, 3.1
    /// assert_eq!(iri.host().unwrap().to_ascii().unwrap(), "xn--rsum-bpad.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the host is not a domain name.
    pub fn to_ascii(self) -> Result<Cow<'a, str>, NotADomainName> {
        let is_beyond = |octet: u8| !octet.is_ascii();
        if self.kind() != HostKind::RegName || !self.encoded().decode().octets().any(is_beyond) {
            return Ok(Cow::Borrowed(self.as_str()));
        }
        let name = self.encoded().decode_utf8().map_err(|_| NotADomainName)?;
        let ascii = Uts46::new().to_ascii(
            name.as_bytes(),
            AsciiDenyList::STD3,
            Hyphens::CheckFirstLast,
            DnsLength::VerifyAllowRootDot,
        );
        ascii
            .map(|name| Cow::Owned(name.into_owned()))
            .map_err(|_| NotADomainName)
    }

    /// Converts a host with a Punycode label or with non-ASCII characters, escaped or not, to a
    /// name for display (ToUnicode). Returns any other host as written. The conversion does not
    /// detect names that look alike.
    ///
    /// ```
    /// use urikit::Uri;
    /// let uri = Uri::parse("http://xn--99zt52a.example.org/")?; // RFC 3987, 3.2.1
    /// assert_eq!(uri.host().unwrap().to_unicode().unwrap(), "納豆.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the host is not a domain name, for example because an `xn--…` label does not
    /// decode.
    pub fn to_unicode(self) -> Result<Cow<'a, str>, NotADomainName> {
        if !matches!(self.kind(), HostKind::Name | HostKind::RegName) {
            return Ok(Cow::Borrowed(self.as_str()));
        }
        let octets = self.encoded().to_bytes();
        let is_ace = |label: &[u8]| {
            let prefix = label.get(..4);
            prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
        };
        if octets.is_ascii() && !octets.split(|octet| *octet == b'.').any(is_ace) {
            return Ok(Cow::Borrowed(self.as_str()));
        }
        // The conversion also rejects octets that are not UTF-8.
        let (name, outcome) =
            Uts46::new().to_unicode(&octets, AsciiDenyList::STD3, Hyphens::CheckFirstLast);
        outcome
            .map(|()| Cow::Owned(name.into_owned()))
            .map_err(|_| NotADomainName)
    }
}

/// Methods for IRIs whose host is a domain name.
macro_rules! idna_methods {
    ($($T:ty => $Uri:ident;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "idna")))]
        impl $T {
            /// Maps the IRI to a URI. IDNA converts a host with non-ASCII characters, escaped or
            /// not (RFC 3987, 3.1). Use this method for schemes whose hosts are domain names, as
            /// they are in nearly all schemes.
            ///
            /// ```
            /// use urikit::Iri;
            /// let iri = Iri::parse("http://résumé.example.org")?; // RFC 3987, 3.1
            /// assert_eq!(iri.to_uri_idna().unwrap(), "http://xn--rsum-bpad.example.org");
            /// assert_eq!(iri.to_uri(), "http://r%C3%A9sum%C3%A9.example.org");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Fails if the host is not a domain name (ToASCII fails), or if the URI is too long.
            pub fn to_uri_idna(&self) -> Result<$Uri, ToUriError> {
                let mut out = String::new();
                self.to_uri_idna_into(&mut out)?;
                let uri = AnyRefBuf::from_string(out, Standard::Rfc3986);
                uri.map($Uri::from_any).map_err(|rejected| ToUriError::Uri(rejected.error()))
            }

            /// Maps the IRI to a URI as [`to_uri_idna`](Self::to_uri_idna) does, and appends the
            /// URI to `out`.
            ///
            /// # Errors
            ///
            /// See [`to_uri_idna`](Self::to_uri_idna). After an error, `out` is unchanged.
            pub fn to_uri_idna_into(&self, out: &mut String) -> Result<(), ToUriError> {
                write_uri_idna(self.as_any(), out)
            }
        }
    )*};
}

idna_methods! {
    Iri<'_> => UriBuf;
    IriBuf => UriBuf;
    IriRef<'_> => UriRefBuf;
    IriRefBuf => UriRefBuf;
}

fn write_uri_idna(iri: AnyRef<'_>, out: &mut String) -> Result<(), ToUriError> {
    let offset = host_offset(iri);
    let (name, length) = match iri.host() {
        Some(host) => {
            let name = host.to_ascii().map_err(|_| ToUriError::Host { offset })?;
            (Some(name), host.as_str().len())
        }
        None => (None, 0),
    };
    // INVARIANT: writing to a string never fails.
    if let Some(Cow::Owned(name)) = name {
        let (before, rest) = split_at(iri.as_str(), Some(offset));
        let (_, after) = split_at(rest, Some(length));
        let _ = write_uri(before, out);
        out.push_str(&name);
        let _ = write_uri(after, out);
    } else {
        let _ = write_uri(iri.as_str(), out);
    }
    Ok(())
}

/// Returns the offset of the host. INVARIANT: the reference has a host.
fn host_offset(iri: AnyRef<'_>) -> usize {
    iri.layout().host_range().map_or(0, |(start, _)| start)
}
