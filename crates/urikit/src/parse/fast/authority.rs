//! Authorities without brackets that have a userinfo, a port or an IPv4 address, by masks.

use super::host_name::{HostNameMasks, is_letter};
use super::ipv4::Ipv4Masks;
use super::start::Start;
use super::{FastGrammar, Prefix, above, lowest, lowest_bit};
use crate::layout::{HostKind, offset_u32};
use crate::scan::{Block, DIGIT};

/// The masks of an authority, of one kind.
pub(super) trait Masks {
    /// Parses the authority from `start.authority` to `end`. `None` if it is not of this kind, or is
    /// invalid.
    fn parse<G: FastGrammar>(&self, text: &[u8], start: Start, end: u32) -> Option<Prefix>;
}

/// The bytes of an authority, and the masks of a block's characters that occur in it. What the
/// grammar does not have in an authority is 0 and not computed.
pub(super) struct AuthorityMasks {
    /// All bytes of the authority.
    authority: u64,
    names: HostNameMasks,
    ipv4: Ipv4Masks,
    digits: u64,
    colons: u64,
    ats: u64,
}

impl AuthorityMasks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(
        block: impl Block,
        authority: u64,
        names: HostNameMasks,
    ) -> Self {
        let (digits, colons) = (block.members(&DIGIT), block.is(b':'));
        let is_plain = authority & !(digits | names.dots() | colons) == 0;
        Self {
            authority,
            names,
            ipv4: Ipv4Masks::new(block, names.dots(), digits, is_plain),
            digits,
            colons,
            ats: if G::USERINFO { block.is(b'@') } else { 0 },
        }
    }
}

impl Masks for AuthorityMasks {
    /// Parses `[ userinfo "@" ] host [ ":" port ]` from `start.authority` to `end`, where the host
    /// is a name or an IPv4 address. `None` if the authority is anything else.
    ///
    /// The caller has checked that the grammar allows all its characters in a userinfo, except a
    /// second `@`.
    #[inline(always)]
    fn parse<G: FastGrammar>(&self, text: &[u8], start: Start, end: u32) -> Option<Prefix> {
        let (userinfo, rest) = split_userinfo(self.authority, self.ats & self.authority);
        let colon = lowest(self.colons & rest);
        let port = rest & colon.wrapping_neg();
        let host = rest & !port;
        if !is_port(port, self.colons, self.digits) {
            return None;
        }
        let host_end = offset_u32(lowest_bit(colon)).min(end);
        let kind = if self.ipv4.are_address(host) {
            HostKind::Ipv4
        } else if self.names.is_host_name(text, host)
            && (G::HOST_NAMES_START_WITH_DIGITS || is_letter(text, lowest_bit(host)))
        {
            HostKind::Name
        } else {
            return None;
        };
        Some(Prefix::server(start.scheme, userinfo, host_end, end, kind))
    }
}

/// The offset past the `@`, which is 0 without one, and the rest of the authority.
#[inline(always)]
pub(super) const fn split_userinfo(authority: u64, ats: u64) -> (u32, u64) {
    match lowest(ats) {
        0 => (0, authority),
        at => (offset_u32(lowest_bit(at) + 1), authority & above(at)),
    }
}

/// Whether the bytes are a colon and a port, or there are none. An empty port is left to the
/// byte-by-byte parser.
#[inline(always)]
pub(super) const fn is_port(bytes: u64, colons: u64, digits: u64) -> bool {
    let colon = lowest(bytes);
    let port = bytes & !colon;
    colon & !colons | port & !digits == 0 && (colon != 0) == (port != 0)
}
