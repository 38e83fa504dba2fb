//! Layout in two registers: what the fast way gives, so that a caller who goes on with them at once loads none from memory.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::Standard;
use crate::layout::HostKind;
use crate::layout::{Delimiter, Layout};
use core::num::NonZeroU128;

/// How many bits an offset has that lies in the first block or behind its last byte.
const BITS: u32 = 7;

/// The scheme and the authority of a text, both within its first block.
///
/// From the lowest bit on: the offsets behind the scheme's colon (0 for none) and behind the `@` (0 for none), of the host's end and
/// of the path, the host's kind, and whether the authority is a `reg_name`. A host name has the kind 0.
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

    /// A scheme and no authority.
    #[inline(always)]
    pub(super) const fn without_authority(scheme: Delimiter) -> Self {
        let path = scheme.to_bits();
        Self(Self::NO_HOST << Self::KIND | path | path << Self::PATH)
    }

    /// A scheme and an authority that is a host name and ends there.
    #[inline(always)]
    pub(super) const fn name(scheme: Delimiter, end: u32) -> Self {
        Self(scheme.to_bits() | end << Self::HOST_END | end << Self::PATH)
    }

    /// What was found of them by other means.
    pub(super) fn of(layout: &Layout) -> Self {
        let kind = layout.host_kind.map_or(Self::NO_HOST, |kind| kind as u32);
        let (scheme, userinfo) = (layout.scheme.to_bits(), layout.userinfo.to_bits());
        debug_assert!((scheme | userinfo | layout.host_end | layout.path) >> BITS == 0);
        Self(
            scheme
                | userinfo << Self::USERINFO
                | layout.host_end << Self::HOST_END
                | layout.path << Self::PATH
                | kind << Self::KIND
                | u32::from(layout.registry) << Self::REGISTRY,
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

    /// The scheme's colon.
    #[inline(always)]
    pub(super) const fn scheme(self) -> Delimiter {
        Delimiter::from_bits(self.offset(0))
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

/// The layout of a text.
///
/// From the lowest bit on, 32 each: the front, the params, the query and the fragment. The front is never 0: where no host is, the
/// kind says so, and where one is, it has an end. (One number, and not two: what gives it to whom it is from can be jumped to.)
#[derive(Clone, Copy)]
pub(crate) struct Packed(NonZeroU128);

impl Packed {
    #[inline(always)]
    pub(super) fn new(
        front: Front,
        params: Delimiter,
        query: Delimiter,
        fragment: Delimiter,
    ) -> Option<Self> {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let front = pair(front.0, params.to_bits());
        let ends = pair(query.to_bits(), fragment.to_bits());
        NonZeroU128::new(u128::from(front) | u128::from(ends) << 64).map(Self)
    }

    #[inline(always)]
    pub(crate) fn unpack(self, standard: Standard) -> Layout {
        let [front, params, query, fragment] = quarters(self.0.get());
        let front = Front(front);
        // Whoever knows the standard need not look at what it has not.
        let has_params = standard == Standard::Rfc1808;
        let has_registries = matches!(standard, Standard::Rfc2396 | Standard::Rfc2732);
        Layout {
            scheme: front.scheme(),
            userinfo: Delimiter::from_bits(front.offset(Front::USERINFO)),
            host_end: front.offset(Front::HOST_END),
            path: front.offset(Front::PATH),
            params: Delimiter::from_bits(if has_params { params } else { 0 }),
            query: Delimiter::from_bits(query),
            fragment: Delimiter::from_bits(fragment),
            host_kind: front.host_kind(),
            registry: has_registries && front.0 >> Front::REGISTRY != 0,
            generic: false,
        }
    }
}

/// The quarters of a number, the lowest first.
#[allow(clippy::cast_possible_truncation)] // that is what is wanted
#[inline(always)]
const fn quarters(number: u128) -> [u32; 4] {
    let (low, high) = (number as u64, (number >> 64) as u64);
    [
        low as u32,
        (low >> 32) as u32,
        high as u32,
        (high >> 32) as u32,
    ]
}
