//! Parses references as browsers do (WHATWG URL Standard), using the `url` crate. Browsers repair
//! their input, so the components are those of the serialized URL record.

use super::Components;
use crate::input::Unparsed;
use std::error::Error;
use std::fmt;
use urikit::{Form, HostKind, Standard};
use urikit_audit::{Rejection, Whatwg};
use url::Position;
pub use url::Url;

/// The reason why browsers reject an input.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// The parser's error, which has no offset.
    Url(url::ParseError),
    /// The input is not UTF-8.
    NotUtf8,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::NotUtf8 => f.write_str("the input is not UTF-8"),
        }
    }
}

impl Error for Refusal {}

/// Resolves an input against a base. Returns the target, and whether it differs from the base only
/// in its fragment.
///
/// # Errors
///
/// Returns the reason why browsers reject the reference.
pub fn resolve(base: &Url, input: Unparsed<'_>) -> Result<(String, bool), Refusal> {
    let text = input.text.ok_or(Refusal::NotUtf8)?;
    let target = join(base, text)?;
    let same_document = base[..Position::AfterQuery] == target[..Position::AfterQuery];
    Ok((target.into(), same_document))
}

/// Resolves a reference against the base of a document. Without a base, resolves the reference
/// against a placeholder, so the result only shows that browsers accept the reference.
///
/// # Errors
///
/// Returns the reason why browsers reject the reference.
pub fn target(text: &str, base: Option<&str>) -> Result<String, Refusal> {
    let base = Url::parse(base.unwrap_or("http://base.invalid/")).map_err(Refusal::Url)?;
    join(&base, text).map(String::from)
}

/// Resolves a reference as the standard requires, without the bugs of `Url::join`.
fn join(base: &Url, text: &str) -> Result<Url, Refusal> {
    Whatwg
        .join(base, text)
        .map_err(|rejection| match rejection {
            Rejection::Whatwg(error) => Refusal::Url(error),
            // INVARIANT: this resolver returns only errors of the URL parser.
            _ => Refusal::Url(url::ParseError::Overflow),
        })
}

/// Returns the relative reference from a base to an input, if the `url` crate finds one.
///
/// # Errors
///
/// Returns the reason why browsers reject the reference.
pub fn relativize(base: &Url, input: Unparsed<'_>) -> Result<Option<String>, Refusal> {
    let target = parse(input)?;
    Ok(base.make_relative(&target))
}

/// Parses an input without a base.
pub(super) fn parse(input: Unparsed<'_>) -> Result<Url, Refusal> {
    let text = input.text.ok_or(Refusal::NotUtf8)?;
    Url::parse(text).map_err(Refusal::Url)
}

/// Returns the components of the URL record. Components that the serialization omits (an empty
/// userinfo, the default port) are absent.
pub(super) fn components(url: &Url) -> Components<'_> {
    let authority = url.has_authority().then(|| url.authority());
    let userinfo = authority.and_then(|text| Some(text.rsplit_once('@')?.0));
    let host = authority.map(|_| url.host_str().unwrap_or_default());
    Components {
        form: Form::Absolute,
        scheme: Some(url.scheme()),
        authority,
        userinfo,
        user: userinfo.map(|_| url.username()),
        password: url.password(),
        host,
        host_kind: host.map(|text| host_kind(url, text)),
        port: url
            .port()
            .and_then(|_| Some(authority?.rsplit_once(':')?.1)),
        path: url.path(),
        params: None,
        query: url.query(),
        fragment: url.fragment(),
        opaque: url.cannot_be_a_base(),
    }
}

/// Returns the kind of host. The `urikit` crate distinguishes host names from other registered
/// names.
fn host_kind(url: &Url, text: &str) -> HostKind {
    match url.host() {
        None => HostKind::Empty,
        Some(url::Host::Ipv4(_)) => HostKind::Ipv4,
        Some(url::Host::Ipv6(_)) => HostKind::Ipv6,
        Some(url::Host::Domain(_)) => Standard::Rfc3986
            .parse(&format!("//{text}"))
            .ok()
            .and_then(|reference| reference.host_kind())
            .unwrap_or(HostKind::RegName),
    }
}
