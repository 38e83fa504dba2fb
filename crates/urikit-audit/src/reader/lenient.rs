//! The regular expression of RFC 2396, Appendix B.

use super::{Outcome, Reader};
use crate::reading::Reading;
use crate::split::{ends_authority, ends_path, query_and_fragment, rsplit_once, split_at};
use std::borrow::Cow;
use std::net::IpAddr;

/// The reader `lenient`: the regular expression of RFC 2396 and RFC 3986, Appendix B, without any
/// validation, as most libraries split references.
///
/// The userinfo ends at the last `@` of the authority, and the port begins after the last colon
/// outside of brackets. No input is rejected, and all components are as written.
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
        let slices = Slices::of(input);
        Ok(Reading {
            scheme: slices.scheme.map(Cow::Borrowed),
            authority: slices.authority.map(Cow::Borrowed),
            userinfo: slices.userinfo.map(Cow::Borrowed),
            host: slices.host.map(Cow::Borrowed),
            address: slices.host.and_then(address),
            port: slices.port.map(Cow::Borrowed),
            path: Cow::Borrowed(slices.path),
            query: slices.query.map(Cow::Borrowed),
            fragment: slices.fragment.map(Cow::Borrowed),
            has_null_host: false,
        })
    }
}

/// The parts of an input, as slices of it.
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
        let (scheme, rest) = scheme(input);
        let (authority, rest) = match rest.strip_prefix("//") {
            None => (None, rest),
            Some(rest) => {
                let (authority, rest) = split_at(rest, ends_authority);
                (Some(authority), rest)
            }
        };
        let (userinfo, hostport) = match authority.and_then(|text| rsplit_once(text, b'@')) {
            Some((userinfo, hostport)) => (Some(userinfo), Some(hostport)),
            None => (None, authority),
        };
        let (host, port) = match hostport.map(host_and_port) {
            Some((host, port)) => (Some(host), port),
            None => (None, None),
        };
        let (path, rest) = split_at(rest, ends_path);
        let (query, fragment) = query_and_fragment(rest);
        Self {
            scheme,
            authority,
            userinfo,
            host,
            port,
            path,
            query,
            fragment,
        }
    }
}

/// `^(([^:/?#]+):)?`
fn scheme(input: &str) -> (Option<&str>, &str) {
    let (scheme, rest) = split_at(input, |byte| byte == b':' || ends_authority(byte));
    match rest.strip_prefix(':') {
        Some(rest) if !scheme.is_empty() => (Some(scheme), rest),
        _ => (None, input),
    }
}

/// The host with its brackets, and what follows the last colon after them.
fn host_and_port(text: &str) -> (&str, Option<&str>) {
    match rsplit_once(text, b':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (text, None),
    }
}

/// The address, where the host is one in its usual form.
fn address(host: &str) -> Option<IpAddr> {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        return inner.parse().ok().map(IpAddr::V6);
    }
    let is_ipv4 = host.as_bytes().last().is_some_and(u8::is_ascii_digit);
    is_ipv4.then(|| host.parse().ok().map(IpAddr::V4))?
}
