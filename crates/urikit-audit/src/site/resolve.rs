//! Resolves a target as each reader does.

use crate::curl;
use crate::java;
use crate::reader::{JavaNetUri, Reader as _, Slices, Urllib, of_reference};
use crate::reading::{Reading, Rejection};
use crate::split::decoded;
use crate::urllib;
use crate::whatwg::{Whatwg, of_record};
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::Standard;
use urikit::component::inet_aton;
use urikit::op::{ResolveError, remove_dot_segments};
use url::Url;

/// The resolved target as the reader writes it, and its components.
type Outcome = Result<(String, Reading<'static>), Rejection>;

/// Returns the answers from all readers except `legacy-ipv4`.
pub(super) fn all(base: &str, target: &str) -> Vec<(&'static str, Outcome)> {
    vec![
        ("rfc3986", rfc3986(base, target)),
        ("whatwg", whatwg(base, target)),
        ("lenient", Ok(lenient(base, target))),
        ("curl", curl(base, target)),
        ("urllib", urllib(base, target)),
        ("java-net-uri", java_net_uri(base, target)),
    ]
}

/// Resolves according to RFC 3986, 5.2.2, in its strict form.
fn rfc3986(base: &str, target: &str) -> Outcome {
    let standard = Standard::Rfc3986;
    let target = standard.parse(target).map_err(Rejection::Rfc)?;
    let base = standard.parse(base).map_err(Rejection::Rfc)?;
    let resolved = target.resolve_against(base).map_err(|error| match error {
        ResolveError::Reference(error) | ResolveError::Target(error) => Rejection::Rfc(error),
        _ => Rejection::Other("the target cannot be resolved"),
    })?;
    let reading = of_reference(resolved.as_any_ref()).into_owned();
    Ok((resolved.into_string(), reading))
}

/// Resolves with the basic URL parser and a base (WHATWG URL, 4.4).
fn whatwg(base: &str, target: &str) -> Outcome {
    let base = Url::parse(base).map_err(Rejection::Whatwg)?;
    let url = Whatwg.join(&base, target)?;
    let reading = of_record("", &url);
    Ok((url.into(), reading.into_owned()))
}

/// Resolves according to RFC 3986, Appendix B, and then 5.2.2, without validation.
fn lenient(base: &str, target: &str) -> (String, Reading<'static>) {
    let (base, reference) = (Slices::of(base), Slices::of(target));
    let mut reading = reference.reading();
    if reference.scheme.is_none() {
        reading.scheme = base.scheme.map(Cow::Borrowed);
    }
    if reference.scheme.is_some()
        || reference.authority.is_some()
        || reference.path.starts_with('/')
    {
        reading.path = remove_dot_segments(reference.path);
    } else if reference.path.is_empty() {
        reading.path = Cow::Borrowed(base.path);
        let query = reference.query.or(base.query);
        reading.query = query.map(Cow::Borrowed);
    } else {
        let folder = base.path.rfind('/').and_then(|at| base.path.get(..=at));
        let merged = format!("{}{}", folder.unwrap_or("/"), reference.path);
        reading.path = Cow::Owned(remove_dot_segments(&merged).into_owned());
    }
    if reference.scheme.is_none() && reference.authority.is_none() {
        let inherited = base.reading();
        reading.authority = inherited.authority;
        reading.userinfo = inherited.userinfo;
        reading.host = inherited.host;
        reading.address = inherited.address;
        reading.port = inherited.port;
    }
    (recomposed(&reading), reading.into_owned())
}

/// Resolves as `curl_url_set` does on a handle that contains the base.
fn curl(base: &str, target: &str) -> Outcome {
    let reading = curl::resolve(base, target).map_err(Rejection::Curl)?;
    Ok((curl::url(&reading), reading))
}

/// Resolves with `urljoin`, and reads the result with `urlsplit`.
fn urllib(base: &str, target: &str) -> Outcome {
    let joined = urllib::join(base, target);
    let reading = Urllib.read(&joined)?.into_owned();
    Ok((joined, reading))
}

/// `URI.resolve`.
fn java_net_uri(base: &str, target: &str) -> Outcome {
    let resolved = java::resolve(base, target).map_err(Rejection::Java)?;
    let reading = JavaNetUri.read(&resolved)?.into_owned();
    Ok((resolved, reading))
}

/// Uses `inet_aton` to read the hosts that the other readers found. If several hosts are IP
/// addresses, one outside the site takes precedence.
pub(super) fn legacy_ipv4(
    others: &[(&'static str, Outcome)],
    leaves: impl Fn(&Reading<'_>) -> bool,
) -> Outcome {
    let mut first = None;
    for (_, reading) in others
        .iter()
        .filter_map(|(_, outcome)| outcome.as_ref().ok())
    {
        let host = reading.host.as_deref().unwrap_or_default();
        let Some(address) = inet_aton(&decoded(host)) else {
            continue;
        };
        let reading = Reading {
            authority: None,
            host: Some(Cow::Owned(address.to_string())),
            address: Some(IpAddr::V4(address)),
            ..reading.clone()
        };
        if leaves(&reading) {
            return Ok((recomposed(&reading), reading));
        }
        first.get_or_insert(reading);
    }
    match first {
        Some(reading) => Ok((recomposed(&reading), reading)),
        None => Err(Rejection::Other(
            "no reader finds a host that is an IPv4 address in any form",
        )),
    }
}

/// Writes the components of a reading (RFC 3986, 5.3).
fn recomposed(reading: &Reading<'_>) -> String {
    let mut out = String::new();
    if let Some(scheme) = &reading.scheme {
        out.push_str(scheme);
        out.push(':');
    }
    match (&reading.authority, &reading.host) {
        (Some(authority), _) => {
            out.push_str("//");
            out.push_str(authority);
        }
        (None, Some(host)) => {
            out.push_str("//");
            if let Some(userinfo) = &reading.userinfo {
                out.push_str(userinfo);
                out.push('@');
            }
            out.push_str(host);
            if let Some(port) = &reading.port {
                out.push(':');
                out.push_str(port);
            }
        }
        // The path must not look like an authority (RFC 3986, 3.3).
        (None, None) if reading.path.starts_with("//") => out.push_str("/."),
        (None, None) => {}
    }
    out.push_str(&reading.path);
    for (delimiter, part) in [('?', &reading.query), ('#', &reading.fragment)] {
        if let Some(part) = part {
            out.push(delimiter);
            out.push_str(part);
        }
    }
    out
}
