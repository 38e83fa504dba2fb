//! Readers: parsers with a common interface.

use crate::java::JavaUri;
use crate::reading::{Reading, Rejection};
use crate::split::{any, rsplit_once};
use crate::whatwg::Whatwg;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use std::ops::Range;
use urikit::{AnyRef, Standard, parse};

/// The answer from a reader about an input.
pub type Outcome<'a> = Result<Reading<'a>, Rejection>;

/// A parser of references.
///
/// ```
/// use urikit_audit::{Reader, Reading, Rejection, agree_with};
///
/// /// Takes everything after the last `@` for the host, wherever it is.
/// struct Naive;
///
/// impl Reader for Naive {
///     fn name(&self) -> &'static str {
///         "naive"
///     }
///
///     fn read<'a>(&self, input: &'a str) -> Result<Reading<'a>, Rejection> {
///         let (scheme, rest) = input.split_once("://").ok_or(Rejection::Other("no scheme"))?;
///         let host = rest.rsplit('@').next().and_then(|rest| rest.split('/').next());
///         Ok(Reading {
///             scheme: Some(scheme.into()),
///             host: host.map(Into::into),
///             ..Reading::default()
///         })
///     }
/// }
///
/// let readers: [&dyn Reader; 2] = [&Naive, &urikit::Standard::Rfc3986];
/// assert!(agree_with("http://good.example/", &readers).is_unanimous());
/// assert!(!agree_with("http://good.example/?@evil.example/", &readers).is_unanimous());
/// ```
pub trait Reader {
    /// Returns a short name, such as `rfc3986`.
    fn name(&self) -> &'static str;

    /// Reads an input.
    ///
    /// # Errors
    ///
    /// Fails if this reader rejects the input. The error contains the reader's reason.
    fn read<'a>(&self, input: &'a str) -> Outcome<'a>;
}

/// The readers that vote in [`agree`](crate::agree): the two current standards, and widely used
/// parsers.
pub const VOTERS: [&dyn Reader; 7] = [
    &Standard::Rfc3986,
    &Whatwg,
    &Lenient,
    &Curl,
    &Urllib,
    &JavaNetUri,
    &LegacyIpv4,
];

/// All readers in this crate: the standards, oldest first, and then the other parsers.
///
/// ```
/// let names: Vec<_> = urikit_audit::READERS.iter().map(|reader| reader.name()).collect();
/// assert_eq!(names.join(" "), "rfc1630 rfc1738 rfc1808 rfc2396 rfc2732 rfc3986 rfc3987 \
///     whatwg lenient curl urllib java-net-uri legacy-ipv4");
/// ```
pub const READERS: [&dyn Reader; 13] = [
    &Standard::Rfc1630,
    &Standard::Rfc1738,
    &Standard::Rfc1808,
    &Standard::Rfc2396,
    &Standard::Rfc2732,
    &Standard::Rfc3986,
    &Standard::Rfc3987,
    &Whatwg,
    &Lenient,
    &Curl,
    &Urllib,
    &JavaNetUri,
    &LegacyIpv4,
];

impl Reader for Standard {
    /// Returns the name of the standard, such as `rfc3986`.
    fn name(&self) -> &'static str {
        Standard::name(*self)
    }

    /// Reads a reference, which may be relative. Components are left as written.
    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let reference = self.parse(input).map_err(Rejection::Rfc)?;
        Ok(of_reference(reference))
    }
}

/// Converts a reference that a standard accepts to a reading.
pub(crate) fn of_reference(reference: AnyRef<'_>) -> Reading<'_> {
    let host = reference.host();
    Reading {
        scheme: reference.scheme().map(Cow::Borrowed),
        authority: reference
            .authority()
            .map(|authority| Cow::Borrowed(authority.as_str())),
        userinfo: reference
            .userinfo()
            .map(|text| Cow::Borrowed(text.as_str())),
        host: host.map(|host| Cow::Borrowed(host.as_str())),
        address: host.and_then(urikit::component::Host::to_ip),
        port: reference.port().map(Cow::Borrowed),
        path: Cow::Borrowed(reference.path().as_str()),
        query: reference.query().map(|text| Cow::Borrowed(text.as_str())),
        fragment: reference
            .fragment()
            .map(|text| Cow::Borrowed(text.as_str())),
        has_null_host: false,
    }
}

/// The `lenient` reader: the regular expression of RFC 3986, Appendix B, which most libraries use
/// without further validation.
///
/// The userinfo ends at the last `@` of the authority, and the port begins after the last colon
/// outside brackets. `lenient` accepts any input, and components are left as written.
///
/// ```
/// use urikit_audit::{Lenient, Reader as _};
/// let reading = Lenient.read("http://a@b@c d:x/\\e")?;
/// assert_eq!(reading.userinfo.as_deref(), Some("a@b"));
/// assert_eq!(reading.host.as_deref(), Some("c d"));
/// assert_eq!(reading.port.as_deref(), Some("x"));
/// assert_eq!(reading.path, "/\\e");
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lenient;

impl Reader for Lenient {
    fn name(&self) -> &'static str {
        "lenient"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        Ok(Slices::of(input).reading())
    }
}

/// The components of an input according to RFC 3986, Appendix B, as slices of the input.
pub(crate) struct Slices<'a> {
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) userinfo: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
    pub(crate) port: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> Slices<'a> {
    pub(crate) fn of(input: &'a str) -> Self {
        let parts = parse::Parts::of(input.as_bytes());
        let slice = |range: Range<usize>| input.get(range).unwrap_or_default();
        let authority = parts.authority.map(slice);
        let (userinfo, hostport) = match authority.and_then(|text| rsplit_once(text, b'@')) {
            Some((userinfo, hostport)) => (Some(userinfo), Some(hostport)),
            None => (None, authority),
        };
        let (host, port) = match hostport.map(host_and_port) {
            Some((host, port)) => (Some(host), port),
            None => (None, None),
        };
        Self {
            scheme: parts.scheme.map(slice),
            authority,
            userinfo,
            host,
            port,
            path: slice(parts.path),
            query: parts.query.map(slice),
            fragment: parts.fragment.map(slice),
        }
    }

    pub(crate) fn reading(&self) -> Reading<'a> {
        Reading {
            scheme: self.scheme.map(Cow::Borrowed),
            authority: self.authority.map(Cow::Borrowed),
            userinfo: self.userinfo.map(Cow::Borrowed),
            host: self.host.map(Cow::Borrowed),
            address: self.host.and_then(usual_address),
            port: self.port.map(Cow::Borrowed),
            path: Cow::Borrowed(self.path),
            query: self.query.map(Cow::Borrowed),
            fragment: self.fragment.map(Cow::Borrowed),
            has_null_host: false,
        }
    }
}

/// Splits a host, which may have brackets, from its port.
fn host_and_port(text: &str) -> (&str, Option<&str>) {
    match rsplit_once(text, b':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (text, None),
    }
}

/// Returns the address if the host is an address in the usual form.
fn usual_address(host: &str) -> Option<IpAddr> {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        return inner.parse().ok().map(IpAddr::V6);
    }
    let is_ipv4 = host.as_bytes().last().is_some_and(u8::is_ascii_digit);
    is_ipv4.then(|| host.parse().ok().map(IpAddr::V4))?
}

/// The `legacy-ipv4` reader: RFC 3986, except that after decoding, hosts may be IPv4 addresses in
/// any form that the C library's `inet_aton` accepts: octal, hexadecimal or short.
///
/// Clients that pass the host to the operating system connect to these addresses.
///
/// ```
/// use urikit_audit::{LegacyIpv4, Reader as _};
/// for text in ["http://127.1/", "http://0177.0.0.1/", "http://2130706433/"] {
///     assert_eq!(LegacyIpv4.read(text)?.address, Some([127, 0, 0, 1].into()));
/// }
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegacyIpv4;

impl Reader for LegacyIpv4 {
    fn name(&self) -> &'static str {
        "legacy-ipv4"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let reference = Standard::Rfc3986.parse(input).map_err(Rejection::Rfc)?;
        let mut reading = of_reference(reference);
        let host = reading.host.as_deref().unwrap_or_default();
        let begins = host.as_bytes().first().is_some_and(u8::is_ascii_digit);
        if reading.address.is_none() && (begins || any(host, |byte| byte == b'%')) {
            let address = reference.host().and_then(|host| host.legacy_ipv4());
            reading.address = address.map(IpAddr::V4);
        }
        Ok(reading)
    }
}

/// The `curl` reader: a model of libcurl 7.88.1, described in [`curl`](crate::curl).
///
/// ```
/// use urikit_audit::{Curl, Reader as _};
/// let reading = Curl.read("HTTP:///ex%61mple.com/a/../b")?;
/// assert_eq!(reading.host.as_deref(), Some("example.com"));
/// assert_eq!(reading.path, "/b");
/// assert!(Curl.read("http://a@b@c/").is_err());
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Curl;

impl Reader for Curl {
    fn name(&self) -> &'static str {
        "curl"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        crate::curl::read(input).map_err(Rejection::Curl)
    }
}

/// The `urllib` reader: a model of `urllib.parse.urlsplit` of CPython 3.13.0, described in
/// [`urllib`](crate::urllib).
///
/// ```
/// use urikit_audit::{Reader as _, Urllib};
/// let reading = Urllib.read(" ht\ntp://Good.example\\@evil.example/")?;
/// assert_eq!(reading.scheme.as_deref(), Some("http"));
/// assert_eq!(reading.host.as_deref(), Some("evil.example"));
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Urllib;

impl Reader for Urllib {
    fn name(&self) -> &'static str {
        "urllib"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        crate::urllib::read(input).map_err(Rejection::Urllib)
    }
}

/// The `java-net-uri` reader: an exact model of `java.net.URI`, described in [`java`](crate::java).
/// Components are raw.
///
/// ```
/// use urikit_audit::{JavaNetUri, Reader as _};
/// let reading = JavaNetUri.read("http://a_b:80/")?;
/// assert!(reading.has_null_host);
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JavaNetUri;

impl Reader for JavaNetUri {
    fn name(&self) -> &'static str {
        "java-net-uri"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let uri = JavaUri::parse(input).map_err(Rejection::Java)?;
        let opaque = || uri.raw_scheme_specific_part().split('?').next();
        let path = uri.raw_path().or_else(opaque).unwrap_or_default();
        Ok(Reading {
            scheme: uri.scheme().map(Cow::Borrowed),
            authority: uri.raw_authority().map(Cow::Borrowed),
            userinfo: uri.raw_user_info().map(Cow::Borrowed),
            host: uri.host().map(Cow::Borrowed),
            address: uri.host().and_then(java_address),
            port: uri.port_digits().map(Cow::Borrowed),
            path: Cow::Borrowed(path),
            query: uri.raw_query().map(Cow::Borrowed),
            fragment: uri.raw_fragment().map(Cow::Borrowed),
            has_null_host: uri.is_registry_based(),
        })
    }
}

/// Returns the address to which Java connects. In Java, numbers with leading zeros are also
/// decimal. An address with a zone is not returned.
fn java_address(host: &str) -> Option<IpAddr> {
    if let Some(inner) = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
    {
        return inner.parse().ok().map(IpAddr::V6);
    }
    if !host.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut octets = [0; 4];
    let mut numbers = host.split('.');
    for octet in &mut octets {
        let digits = numbers.next()?.trim_start_matches('0');
        *octet = match digits {
            "" => 0,
            digits => digits.parse().ok()?,
        };
    }
    let is_end = numbers.next().is_none();
    is_end.then(|| IpAddr::V4(Ipv4Addr::from(octets)))
}
