//! The normal form of each component of a reference.

use super::decodable::{self, Place};
use super::path::Path;
use super::piece::{Caseless, Cases, Piece, Rules};
use super::{Level, scheme};
use crate::reference::{Known, Standards};
use crate::{HostKind, Standard, component};
use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::net::Ipv6Addr;

/// The components of a normal form. Each component borrows the text from which it is read.
pub(in super::super) struct Plan<'a> {
    scheme: Option<Piece<'a>>,
    authority: Option<Authority<'a>>,
    path: Path<'a>,
    params: Option<Piece<'a>>,
    query: Option<Cases<'a>>,
    fragment: Option<Piece<'a>>,
    /// True if the normal form adds or removes a delimiter or a component.
    is_rearranged: bool,
}

struct Authority<'a> {
    userinfo: Option<Piece<'a>>,
    host: Host<'a>,
    port: Option<&'a str>,
}

impl<'a> Plan<'a> {
    pub(in super::super) fn new<S: Standards>(reference: Known<'a, S>, level: Level) -> Self {
        let rules = |place| {
            if level >= Level::Escapes {
                decodable::rules(reference, place)
            } else {
                Rules::DIGITS
            }
        };
        let by_scheme = level >= Level::Scheme;
        let mut is_rearranged = false;
        let authority = authority(reference, rules, by_scheme, &mut is_rearranged);
        let piece = |text, place| Piece::new(text, rules(place));
        Self {
            scheme: reference.scheme().map(|text| {
                // RFC 1630: "Single letters stand for single letters".
                let is_by_letter = reference.standard() == Standard::Rfc1630;
                Piece::new(
                    text,
                    if is_by_letter {
                        Rules::DIGITS
                    } else {
                        Rules::DIGITS.lower()
                    },
                )
            }),
            authority,
            path: Path::new(reference, rules(Place::Path), level, &mut is_rearranged),
            // The params of RFC 1808 allow the same characters as its path.
            params: reference
                .params()
                .map(|text| piece(text.as_str(), Place::Query)),
            query: reference.query().map(|text| {
                let caseless = if by_scheme {
                    scheme::caseless_query(reference)
                } else {
                    Caseless::Nowhere
                };
                Cases::new(text.as_str(), rules(Place::Query), caseless)
            }),
            fragment: reference
                .fragment()
                .map(|text| piece(text.as_str(), Place::Fragment)),
            is_rearranged,
        }
    }

    /// Returns true if the reference is in normal form.
    pub(in super::super) fn is_as_written(&self) -> bool {
        let is_piece = |piece: Option<Piece<'_>>| piece.is_none_or(Piece::is_as_written);
        !self.is_rearranged
            && is_piece(self.scheme)
            && self.authority.as_ref().is_none_or(|authority| {
                is_piece(authority.userinfo) && authority.host.is_as_written()
            })
            && self.path.is_as_written(self.authority.is_some())
            && is_piece(self.params)
            && self.query.is_none_or(Cases::is_as_written)
            && is_piece(self.fragment)
    }

    /// Returns true if both references have the same normal form.
    pub(in super::super) fn is_same(&self, other: &Plan<'_>) -> bool {
        let is_piece = |a: Option<Piece<'_>>, b: Option<Piece<'_>>| match (a, b) {
            (Some(a), Some(b)) => a.is_same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let is_authority = match (&self.authority, &other.authority) {
            (Some(a), Some(b)) => {
                a.port == b.port && is_piece(a.userinfo, b.userinfo) && a.host.is_same(&b.host)
            }
            (a, b) => a.is_none() && b.is_none(),
        };
        let is_query = match (self.query, other.query) {
            (Some(a), Some(b)) => a.bytes().eq(b.bytes()),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_authority
            && is_query
            && is_piece(self.scheme, other.scheme)
            && is_piece(self.params, other.params)
            && is_piece(self.fragment, other.fragment)
            && self.path.is_same(&other.path)
    }

    /// Compares two normal forms component by component. The result is `Equal` if and only if they
    /// are the same.
    pub(in super::super) fn compare(&self, other: &Plan<'_>) -> Ordering {
        let pieces = |a: Option<Piece<'_>>, b: Option<Piece<'_>>| match (a, b) {
            (Some(a), Some(b)) => a.bytes().cmp(b.bytes()),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let authorities = || match (&self.authority, &other.authority) {
            (Some(a), Some(b)) => a
                .host
                .compare(&b.host)
                .then_with(|| a.port.cmp(&b.port))
                .then_with(|| pieces(a.userinfo, b.userinfo)),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let queries = || match (self.query, other.query) {
            (Some(a), Some(b)) => a.bytes().cmp(b.bytes()),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        pieces(self.scheme, other.scheme)
            .then_with(authorities)
            .then_with(|| self.path.compare(&other.path))
            .then_with(|| pieces(self.params, other.params))
            .then_with(queries)
            .then_with(|| pieces(self.fragment, other.fragment))
    }

    /// Returns the path.
    pub(super) const fn path(&self) -> &Path<'a> {
        &self.path
    }

    /// Passes the bytes before the path to `take`.
    pub(super) fn before_path(&self, take: &mut impl FnMut(u8)) {
        if let Some(scheme) = self.scheme {
            scheme.bytes().for_each(&mut *take);
            take(b':');
        }
        let Some(authority) = &self.authority else {
            return;
        };
        b"//".iter().copied().for_each(&mut *take);
        if let Some(userinfo) = authority.userinfo {
            userinfo.bytes().for_each(&mut *take);
            take(b'@');
        }
        authority.host.for_each_byte(&mut *take);
        if let Some(port) = authority.port {
            take(b':');
            port.bytes().for_each(take);
        }
    }

    /// Passes the bytes after the path to `take`.
    pub(super) fn after_path(&self, take: &mut impl FnMut(u8)) {
        if let Some(params) = self.params {
            take(b';');
            params.bytes().for_each(&mut *take);
        }
        if let Some(query) = self.query {
            take(b'?');
            query.bytes().for_each(&mut *take);
        }
        if let Some(fragment) = self.fragment {
            take(b'#');
            fragment.bytes().for_each(take);
        }
    }

    /// Appends the normal form.
    #[cfg(feature = "alloc")]
    pub(in super::super) fn write(&self, out: &mut alloc::string::String) {
        if let Some(scheme) = self.scheme {
            scheme.write(out);
            out.push(':');
        }
        if let Some(authority) = &self.authority {
            out.push_str("//");
            if let Some(userinfo) = authority.userinfo {
                userinfo.write(out);
                out.push('@');
            }
            authority.host.write(out);
            if let Some(port) = authority.port {
                out.push(':');
                out.push_str(port);
            }
        }
        self.path.write(self.authority.is_some(), out);
        if let Some(params) = self.params {
            out.push(';');
            params.write(out);
        }
        if let Some(query) = self.query {
            out.push('?');
            query.write(out);
        }
        if let Some(fragment) = self.fragment {
            out.push('#');
            fragment.write(out);
        }
    }
}

fn authority<'a, S: Standards>(
    reference: Known<'a, S>,
    rules: impl Fn(Place) -> Rules,
    by_scheme: bool,
    is_rearranged: &mut bool,
) -> Option<Authority<'a>> {
    let Some(authority) = reference.authority() else {
        if by_scheme && scheme::is_authority_omitted(reference) {
            *is_rearranged = true;
            return Some(Authority {
                userinfo: None,
                host: Host::Text(Piece::new("", Rules::DIGITS)),
                port: None,
            });
        }
        return None;
    };
    let userinfo = authority.userinfo();
    let written = authority.host();
    let mut host = Piece::new(written.as_str(), rules(Place::Host));
    if is_caseless_host(reference) {
        host.rules = host.rules.lower();
    }
    let mut port = authority.port();
    if by_scheme && scheme::is_idle_port(reference) {
        port = None;
        *is_rearranged = true;
    }
    if by_scheme && scheme::is_local_host(reference) {
        host.text = "";
        *is_rearranged = true;
    }
    // All textual forms of an IPv6 address are equivalent (RFC 5952, 4).
    let address = written.to_ipv6().filter(|_| by_scheme);
    let address = address.and_then(|address| Host::address(address, written.as_str()));
    Some(Authority {
        userinfo: userinfo.map(|text| Piece::new(text.as_str(), rules(Place::Userinfo))),
        host: address.unwrap_or(Host::Text(host)),
        port,
    })
}

/// Returns true if the host is case-insensitive. Returns false under RFC 1630, which does not say
/// that hosts are case-insensitive, and for names that might not be host names.
fn is_caseless_host<S: Standards>(reference: Known<'_, S>) -> bool {
    match reference.standard() {
        Standard::Rfc1630 => false,
        Standard::Rfc1808 => reference.host_kind() != Some(HostKind::RegName),
        Standard::Rfc2396 | Standard::Rfc2732 => !reference
            .authority()
            .is_some_and(component::Authority::is_registry_based),
        _ => true,
    }
}

/// The host of a normal form.
#[derive(Clone, Copy)]
pub(super) enum Host<'a> {
    /// A host that is read from the text of the reference.
    Text(Piece<'a>),
    /// An address that is not written as RFC 5952 recommends.
    Address(Ipv6Addr),
}

impl<'a> Host<'a> {
    /// Returns an address if it is not written as RFC 5952 recommends.
    pub(super) fn address(address: Ipv6Addr, written: &'a str) -> Option<Self> {
        let is_recommended = AddressText::new(address).as_bytes() == written.as_bytes();
        (!is_recommended).then_some(Self::Address(address))
    }

    pub(super) fn is_as_written(&self) -> bool {
        match self {
            Self::Text(piece) => piece.is_as_written(),
            Self::Address(_) => false,
        }
    }

    /// Returns true if both hosts have the same normal form.
    pub(super) fn is_same(&self, other: &Host<'_>) -> bool {
        match (self, other) {
            (Self::Text(a), Host::Text(b)) => a.is_same(*b),
            (Self::Address(a), Host::Address(b)) => a == b,
            (Self::Text(_), Host::Address(_)) => other.is_same(self),
            (Self::Address(address), Host::Text(piece)) => {
                let text = AddressText::new(*address);
                piece.bytes().eq(text.as_bytes().iter().copied())
            }
        }
    }

    /// Compares the two normal forms as text.
    pub(super) fn compare(&self, other: &Host<'_>) -> Ordering {
        let text = |address: &Ipv6Addr| AddressText::new(*address);
        match (self, other) {
            (Self::Text(a), Host::Text(b)) => a.bytes().cmp(b.bytes()),
            (Self::Address(a), Host::Address(b)) => text(a).as_bytes().cmp(text(b).as_bytes()),
            (Self::Text(_), Host::Address(_)) => other.compare(self).reverse(),
            (Self::Address(address), Host::Text(piece)) => {
                text(address).as_bytes().iter().copied().cmp(piece.bytes())
            }
        }
    }

    /// Passes each byte of the normal form to `take`.
    pub(super) fn for_each_byte(&self, take: impl FnMut(u8)) {
        match self {
            Self::Text(piece) => piece.bytes().for_each(take),
            Self::Address(address) => {
                let text = AddressText::new(*address);
                text.as_bytes().iter().copied().for_each(take);
            }
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn write(&self, out: &mut alloc::string::String) {
        match self {
            Self::Text(piece) => piece.write(out),
            Self::Address(address) => {
                let text = AddressText::new(*address);
                out.push_str(core::str::from_utf8(text.as_bytes()).unwrap_or_default());
            }
        }
    }
}

/// An address in brackets.
struct AddressText {
    text: [u8; Self::MAX],
    length: usize,
}

impl AddressText {
    /// Room for brackets and the longest address, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`.
    const MAX: usize = 48;

    fn new(address: Ipv6Addr) -> Self {
        let mut text = Self {
            text: [0; Self::MAX],
            length: 0,
        };
        // The standard library writes addresses as RFC 5952 recommends. INVARIANT: every address
        // fits into the array.
        let _ = write!(text, "[{address}]");
        text
    }

    fn as_bytes(&self) -> &[u8] {
        self.text.get(..self.length).unwrap_or_default()
    }
}

impl fmt::Write for AddressText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let place = self.text.get_mut(self.length..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
