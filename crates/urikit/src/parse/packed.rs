//! Parts in two registers: what the fast way gives, so that a caller who goes on with them at once loads none from memory.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use super::parts::{Delimiter, Parts};
use crate::component::HostKind;
use core::num::NonZeroU64;

/// How many bits an offset has that lies in the first block or behind its last byte.
const BITS: u32 = 7;

/// The scheme and the authority of a text, both within its first block.
///
/// From the lowest bit on: the offsets of the scheme's colon (0 for none), of the `@` (0 for none), of the host's end and of the
/// path, the host's kind, and whether the authority is a `reg_name`. A host name has the kind 0.
#[derive(Clone, Copy)]
pub(super) struct Front(u32);

impl Front {
    const USERINFO: u32 = BITS;
    const HOST_END: u32 = 2 * BITS;
    const PATH: u32 = 3 * BITS;
    const KIND: u32 = 4 * BITS;
    const REGISTRY: u32 = Self::KIND + 3;
    /// The kind where there is no authority.
    const NO_HOST: u32 = 6;

    /// A scheme whose colon is there, or 0 for none, and no authority.
    #[inline(always)]
    pub(super) const fn without_authority(colon: u32) -> Self {
        let path = if colon == 0 { 0 } else { colon + 1 };
        Self(Self::NO_HOST << Self::KIND | colon | path << Self::PATH)
    }

    /// A scheme, or 0 for none, and an authority that is a host name and ends there.
    #[inline(always)]
    pub(super) const fn name(colon: u32, end: u32) -> Self {
        Self(colon | end << Self::HOST_END | end << Self::PATH)
    }

    /// What was found of them by other means.
    pub(super) fn of(parts: &Parts) -> Self {
        let offset = |place: Delimiter| place.get().map_or(0, super::parts::offset_u32);
        let kind = parts.host_kind.map_or(Self::NO_HOST, |kind| kind as u32);
        let (scheme, userinfo) = (offset(parts.scheme), offset(parts.userinfo));
        debug_assert!((scheme | userinfo | parts.host_end | parts.path) >> BITS == 0);
        Self(
            scheme
                | userinfo << Self::USERINFO
                | parts.host_end << Self::HOST_END
                | parts.path << Self::PATH
                | kind << Self::KIND
                | u32::from(parts.registry) << Self::REGISTRY,
        )
    }

    #[inline(always)]
    const fn offset(self, place: u32) -> u32 {
        self.0 >> place & ((1 << BITS) - 1)
    }

    /// Where the path begins.
    #[inline(always)]
    pub(super) const fn path(self) -> usize {
        self.offset(Self::PATH) as usize
    }

    /// The scheme's colon; 0 for none.
    #[inline(always)]
    pub(super) const fn colon(self) -> usize {
        self.offset(0) as usize
    }

    #[inline(always)]
    pub(super) const fn has_authority(self) -> bool {
        self.host_kind().is_some()
    }

    #[inline(always)]
    const fn host_kind(self) -> Option<HostKind> {
        match self.0 >> Self::KIND & 7 {
            0 => Some(HostKind::Name),
            1 => Some(HostKind::Ipv4),
            2 => Some(HostKind::Ipv6),
            3 => Some(HostKind::IpvFuture),
            4 => Some(HostKind::RegName),
            5 => Some(HostKind::Empty),
            _ => None,
        }
    }
}

/// All parts of a text.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    /// The front in the lower half, the params in the upper. It is never 0: where no host is, the kind says so, and where one
    /// is, it has an end.
    front: NonZeroU64,
    /// The query in the lower half, the fragment in the upper.
    ends: u64,
}

impl Packed {
    #[inline(always)]
    pub(super) fn new(
        front: Front,
        params: Delimiter,
        query: Delimiter,
        fragment: Delimiter,
    ) -> Option<Self> {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Some(Self {
            front: NonZeroU64::new(pair(front.0, params.to_bits()))?,
            ends: pair(query.to_bits(), fragment.to_bits()),
        })
    }

    #[inline(always)]
    pub(crate) const fn unpack(self) -> Parts {
        #[inline(always)]
        const fn or_absent(offset: u32) -> Delimiter {
            Delimiter::from_bits(if offset == 0 { u32::MAX } else { offset })
        }
        let (front, params) = halves(self.front.get());
        let (query, fragment) = halves(self.ends);
        let front = Front(front);
        Parts {
            scheme: or_absent(front.offset(0)),
            userinfo: or_absent(front.offset(Front::USERINFO)),
            host_end: front.offset(Front::HOST_END),
            path: front.offset(Front::PATH),
            params: Delimiter::from_bits(params),
            query: Delimiter::from_bits(query),
            fragment: Delimiter::from_bits(fragment),
            host_kind: front.host_kind(),
            registry: front.0 >> Front::REGISTRY != 0,
            generic: false,
        }
    }
}

/// The lower half and the upper.
#[allow(clippy::cast_possible_truncation)] // that is what is wanted
#[inline(always)]
const fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}
