//! Authorities without brackets that have a userinfo, a port or an IPv4 address, by masks.

use super::host_name::HostNameMasks;
use super::start::Start;
use super::{FastGrammar, Prefix, above, ipv4, lowest, lowest_bit};
use crate::layout::{HostKind, offset_u32};
use crate::scan::Block;

/// The masks of an authority, of one kind.
pub(super) trait Masks {
    /// Parses the authority, which ends at `end`. `None` if it is not of this kind, or is invalid.
    fn parse(&self, start: Start, end: u32) -> Option<Prefix>;
}

/// The bytes of an authority without brackets, and the masks of a block's characters.
pub(super) struct AuthorityMasks {
    /// The offset past the `@`; 0 without one.
    userinfo: u32,
    /// The bytes of the authority after its userinfo.
    rest: u64,
    /// What the host is if it is valid: an address if its last label begins with a digit, else a
    /// name.
    kind: HostKind,
    /// The bytes that cannot be part of such a host.
    wrong: u64,
    colons: u64,
    digits: u64,
}

impl AuthorityMasks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(
        block: impl Block,
        authority: u64,
        names: HostNameMasks,
    ) -> Self {
        let (userinfo, rest) = split_userinfo::<G>(block, authority);
        let colons = block.is(b':');
        let (kind, wrong) = if names.last_begins_with_letter(rest) {
            (HostKind::Name, names.wrong::<G>(rest, colons))
        } else {
            (HostKind::Ipv4, ipv4::wrong(block, names, rest))
        };
        Self {
            userinfo,
            rest,
            kind,
            wrong,
            colons,
            digits: names.digits(),
        }
    }
}

impl Masks for AuthorityMasks {
    /// Parses `[ userinfo "@" ] host [ ":" port ]`, where the host is a name or an IPv4 address.
    ///
    /// The caller has checked that the grammar allows all its characters in a userinfo, except a
    /// second `@`.
    #[inline(always)]
    fn parse(&self, start: Start, end: u32) -> Option<Prefix> {
        let colon = lowest(self.colons & self.rest);
        let (host, host_end) = if colon == 0 {
            (self.rest, end)
        } else {
            let port = self.rest & above(colon);
            if port == 0 || port & !self.digits != 0 {
                return None;
            }
            let host = self.rest & colon.wrapping_sub(1);
            (host, offset_u32(lowest_bit(colon)))
        };
        if host == 0 || host & self.wrong != 0 {
            return None;
        }
        let (scheme, userinfo) = (start.scheme, self.userinfo);
        Some(Prefix::server(scheme, userinfo, host_end, end, self.kind))
    }
}

/// The offset past the `@`, which is 0 without one, and the rest of the authority.
#[inline(always)]
pub(super) fn split_userinfo<G: FastGrammar>(block: impl Block, authority: u64) -> (u32, u64) {
    let ats = if G::USERINFO { block.is(b'@') } else { 0 };
    match lowest(ats & authority) {
        0 => (0, authority),
        at => (offset_u32(lowest_bit(at) + 1), authority & above(at)),
    }
}
