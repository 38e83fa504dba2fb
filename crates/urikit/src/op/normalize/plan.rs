//! How each component of a reference changes in its normal form.

use super::Level;
use super::caseless::Caseless;
use super::cases::Cases;
use super::decodable::{self, Place};
use super::host::Host;
use super::path::Path;
use super::piece::{How, Piece};
use super::scheme;
use crate::component;
use crate::{AnyRef, HostKind, Standard};
use core::cmp::Ordering;

/// The components of a normal form, each as the part of the text that it is read from.
pub(in super::super) struct Plan<'a> {
    scheme: Option<Piece<'a>>,
    authority: Option<Authority<'a>>,
    path: Path<'a>,
    params: Option<Piece<'a>>,
    query: Option<Cases<'a>>,
    fragment: Option<Piece<'a>>,
    /// Whether a delimiter or a component is added or removed.
    is_rearranged: bool,
}

struct Authority<'a> {
    userinfo: Option<Piece<'a>>,
    host: Host<'a>,
    port: Option<&'a str>,
}

impl<'a> Plan<'a> {
    pub(in super::super) fn new(reference: AnyRef<'a>, level: Level) -> Self {
        let how = |place| {
            if level >= Level::Escapes {
                decodable::how(reference, place)
            } else {
                How::DIGITS
            }
        };
        let by_scheme = level >= Level::Scheme;
        let mut is_rearranged = false;
        let authority = authority(reference, how, by_scheme, &mut is_rearranged);
        let piece = |text, place| Piece::new(text, how(place));
        Self {
            scheme: reference.scheme().map(|text| {
                // RFC 1630: "Single letters stand for single letters".
                let is_by_letter = reference.standard() == Standard::Rfc1630;
                Piece::new(
                    text,
                    if is_by_letter {
                        How::DIGITS
                    } else {
                        How::DIGITS.lower()
                    },
                )
            }),
            authority,
            path: Path::new(reference, how(Place::Path), level, &mut is_rearranged),
            // RFC 1808's params have the same characters as its path.
            params: reference
                .params()
                .map(|text| piece(text.as_str(), Place::Query)),
            query: reference.query().map(|text| {
                let caseless = if by_scheme {
                    scheme::caseless_query(reference)
                } else {
                    Caseless::Nowhere
                };
                Cases::new(text.as_str(), how(Place::Query), caseless)
            }),
            fragment: reference
                .fragment()
                .map(|text| piece(text.as_str(), Place::Fragment)),
            is_rearranged,
        }
    }

    /// Whether the normal form is the text as written.
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

    /// Whether both have the same normal form.
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

    /// The order of both normal forms, component by component. Equal exactly if they are the same.
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

    /// Passes on the bytes of all components, in a fixed order; a byte that never occurs in text
    /// ends each component, and another represents an absent one. Equal normal forms give equal
    /// bytes.
    pub(in super::super) fn for_each_byte(&self, mut take: impl FnMut(u8)) {
        const ABSENT: u8 = 0xFE;
        const END: u8 = 0xFF;
        fn component(piece: Option<Piece<'_>>, take: &mut impl FnMut(u8)) {
            match piece {
                Some(piece) => {
                    piece.bytes().for_each(&mut *take);
                    take(END);
                }
                None => take(ABSENT),
            }
        }
        let as_it_is = |text| Piece::new(text, How::DIGITS);
        component(self.scheme, &mut take);
        match &self.authority {
            Some(authority) => {
                component(authority.userinfo, &mut take);
                component(authority.port.map(as_it_is), &mut take);
                authority.host.for_each_byte(&mut take);
                take(END);
            }
            None => take(ABSENT),
        }
        component(self.params, &mut take);
        component(self.fragment, &mut take);
        match self.query {
            Some(query) => {
                query.bytes().for_each(&mut take);
                take(END);
            }
            None => take(ABSENT),
        }
        self.path.for_each_byte(&mut take);
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

fn authority<'a>(
    reference: AnyRef<'a>,
    how: impl Fn(Place) -> How,
    by_scheme: bool,
    is_rearranged: &mut bool,
) -> Option<Authority<'a>> {
    let Some(authority) = reference.authority() else {
        if by_scheme && scheme::is_authority_omitted(reference) {
            *is_rearranged = true;
            return Some(Authority {
                userinfo: None,
                host: Host::Text(Piece::new("", How::DIGITS)),
                port: None,
            });
        }
        return None;
    };
    let userinfo = authority.userinfo();
    let written = authority.host();
    let mut host = Piece::new(written.as_str(), how(Place::Host));
    if is_caseless_host(reference) {
        host.how = host.how.lower();
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
    // The address is the same, however it is written (RFC 5952, 4).
    let address = written.to_ipv6().filter(|_| by_scheme);
    let address = address.and_then(|address| Host::address(address, written.as_str()));
    Some(Authority {
        userinfo: userinfo.map(|text| Piece::new(text.as_str(), how(Place::Userinfo))),
        host: address.unwrap_or(Host::Text(host)),
        port,
    })
}

/// Whether the host is case-insensitive: all are, except those of RFC 1630, which does not say so,
/// and names that may not be hosts.
fn is_caseless_host(reference: AnyRef<'_>) -> bool {
    match reference.standard() {
        Standard::Rfc1630 => false,
        Standard::Rfc1808 => reference.host_kind() != Some(HostKind::RegName),
        Standard::Rfc2396 | Standard::Rfc2732 => !reference
            .authority()
            .is_some_and(component::Authority::is_registry_based),
        _ => true,
    }
}
