//! What browsers make of a reference, through the crate `url`. Components are the URL record's, as
//! it is serialised, and not as written: browsers repair. This file alone knows that crate.

use super::Components;
use crate::input::Given;
use std::fmt;
use urikit::{HostKind, Standard};
use url::Position;

pub(crate) use url::Url;

/// Why browsers make no URL of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The parser refuses it, and says no place.
    Url(url::ParseError),
    /// It is no text.
    NotUtf8,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::NotUtf8 => f.write_str("the input is no UTF-8"),
        }
    }
}

/// The target of an input against a base, and whether it is the base itself but for the fragment.
pub(crate) fn resolve(base: &Url, given: Given<'_>) -> Result<(String, bool), Refusal> {
    let text = given.text.ok_or(Refusal::NotUtf8)?;
    let target = base.join(text).map_err(Refusal::Url)?;
    let same_document = base[..Position::AfterQuery] == target[..Position::AfterQuery];
    Ok((target.into(), same_document))
}

/// The shortest reference to an input from a base that the crate finds; `None` where it finds none.
pub(crate) fn relativize(base: &Url, given: Given<'_>) -> Result<Option<String>, Refusal> {
    let target = parse(given)?;
    Ok(base.make_relative(&target))
}

/// Reads an input as a URL without a base.
pub(super) fn parse(given: Given<'_>) -> Result<Url, Refusal> {
    let text = given.text.ok_or(Refusal::NotUtf8)?;
    Url::parse(text).map_err(Refusal::Url)
}

/// The components of the URL record. A userinfo, query or fragment that serialisation leaves out is
/// absent, and so is a port that it elides.
pub(super) fn components(url: &Url) -> Components<'_> {
    let authority = url.has_authority().then(|| url.authority());
    let userinfo = authority.and_then(|text| Some(text.rsplit_once('@')?.0));
    let host = authority.map(|_| url.host_str().unwrap_or_default());
    Components {
        form: "absolute",
        scheme: Some(url.scheme()),
        authority,
        userinfo,
        user: userinfo.map(|_| url.username()),
        password: url.password(),
        host,
        host_kind: host.map(|text| host_kind(url, text).as_str()),
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

/// What the host is. The core says what fits the host name syntax.
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
