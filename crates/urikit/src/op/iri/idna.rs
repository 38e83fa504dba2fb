//! Hosts as the DNS has them (RFC 3987, 3.1: "Systems accepting IRIs MAY convert the ireg-name").
//!
//! The text names the operation ToASCII of RFC 3490. What stands here is its successor in use, UTS 46
//! without transitional mappings, so that `ß` and the joiners keep their own names (RFC 5891), with the
//! flags that the text asks for: STD 3 rules, no hyphen at an end of a label, labels of 63 octets at
//! most. Escapes in the host are read as UTF-8 first (RFC 3986, 3.2.2).

use super::{split_at, write_uri};
use crate::component::Host;
use crate::{HostKind, ParseError, Rfc3987, UriRef, UriRefBuf};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// Why an IRI has no URI with a host for the DNS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToUriError {
    /// The host is no internationalized domain name: "the IRI cannot be resolved".
    Host {
        /// Where it begins.
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

impl core::error::Error for ToUriError {}

/// A host is no internationalized domain name: "the IRI cannot be resolved" (RFC 3987, 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotADomainName;

impl fmt::Display for NotADomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an internationalized domain name as the host (RFC 3987, 3.1)")
    }
}

impl core::error::Error for NotADomainName {}

impl<'a> Host<'a> {
    /// The name that the DNS has, by ToASCII, where the host has characters beyond US-ASCII, escaped or
    /// not; any other host as written.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let iri = IriRef::parse_as("http://résumé.example.org")?; // RFC 3987, 3.1
    /// assert_eq!(iri.host().unwrap().to_ascii().unwrap(), "xn--rsum-bpad.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A host that is no domain name, as the operation finds.
    pub fn to_ascii(self) -> Result<Cow<'a, str>, NotADomainName> {
        let is_beyond = |octet: u8| !octet.is_ascii();
        if self.kind() != HostKind::RegName || !self.encoded().decode().any(is_beyond) {
            return Ok(Cow::Borrowed(self.as_str()));
        }
        let name = self.encoded().to_utf8().map_err(|_| NotADomainName)?;
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

    /// The name for people, by ToUnicode, where a label is in Punycode or has characters beyond
    /// US-ASCII, escaped or not; any other host as written. Names that look alike are not told apart.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let uri = UriRef::parse("http://xn--99zt52a.example.org/")?; // RFC 3987, 3.2.1
    /// assert_eq!(uri.host().unwrap().to_unicode().unwrap(), "納豆.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A host that is no domain name, as the operation finds: a label `xn--` that stands for nothing.
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
        // Octets that are no UTF-8 are among the errors.
        let (name, outcome) =
            Uts46::new().to_unicode(&octets, AsciiDenyList::STD3, Hyphens::CheckFirstLast);
        outcome
            .map(|()| Cow::Owned(name.into_owned()))
            .map_err(|_| NotADomainName)
    }
}

impl UriRef<'_, Rfc3987> {
    /// As [`to_uri`](Self::to_uri), with the host by IDNA where it has characters beyond US-ASCII,
    /// escaped or not. It is for schemes whose hosts are domain names, as nearly all are.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let iri = IriRef::parse_as("http://résumé.example.org")?; // RFC 3987, 3.1
    /// assert_eq!(iri.to_uri_idna().unwrap().as_str(), "http://xn--rsum-bpad.example.org");
    /// assert_eq!(iri.to_uri()?.as_str(), "http://r%C3%A9sum%C3%A9.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A host that is no domain name, as the operation ToASCII finds; a URI that is too long.
    pub fn to_uri_idna(self) -> Result<UriRefBuf, ToUriError> {
        let mut out = String::new();
        self.to_uri_idna_into(&mut out)?;
        UriRefBuf::parse(out).map_err(|rejected| ToUriError::Uri(rejected.error()))
    }

    /// As [`to_uri_idna`](Self::to_uri_idna), to the end of `out`, which holds what it held when there
    /// is an error.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let mut out = String::from("GET ");
    /// IriRef::parse_as("http://résumé.example.org")?.to_uri_idna_into(&mut out).unwrap(); // RFC 3987, 3.1
    /// assert_eq!(out, "GET http://xn--rsum-bpad.example.org");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`to_uri_idna`](Self::to_uri_idna).
    pub fn to_uri_idna_into(self, out: &mut String) -> Result<(), ToUriError> {
        let Some(host) = self.host() else {
            self.to_uri_into(out);
            return Ok(());
        };
        let offset = self.host_offset();
        let name = host.to_ascii().map_err(|_| ToUriError::Host { offset })?;
        if let Cow::Borrowed(_) = name {
            self.to_uri_into(out);
            return Ok(());
        }
        let (before, rest) = split_at(self.as_str(), Some(offset));
        let (_, behind) = split_at(rest, Some(host.as_str().len()));
        // INVARIANT: writing to a string never fails.
        let _ = write_uri(before, out);
        out.push_str(&name);
        let _ = write_uri(behind, out);
        Ok(())
    }

    /// Where the host begins, of a reference that has one.
    fn host_offset(self) -> usize {
        let scheme = self.scheme().map_or(0, |scheme| scheme.len() + 1);
        let userinfo = self.userinfo().map_or(0, |userinfo| userinfo.len() + 1);
        scheme + 2 + userinfo
    }
}
