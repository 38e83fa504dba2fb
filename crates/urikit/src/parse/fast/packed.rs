//! A layout in two registers: the result of the fast path.
//!
//! A [`Layout`] occupies 32 bytes, so functions return it through memory, and a caller that uses it
//! immediately has to load it again. The result of the fast path fits in 128 bits. Functions return
//! the bits in two registers, and the caller unpacks them:
//!
//! | bits | content |
//! |---|---|
//! | 0 to 31 | the [`Prefix`]: scheme, authority and start of the path |
//! | 32 to 63 | params |
//! | 64 to 95 | query |
//! | 96 to 127 | fragment |
//!
//! The last three are [`Delimiter`]s as they are stored in a layout. The prefix is within the
//! first block of 64 bytes, so its offsets need 7 bits each.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

use super::Suffix;
use crate::Standard;
use crate::layout::{Delimiter, HostKind, Layout};
use core::num::NonZeroU128;

/// The number of bits for an offset from 0 to 64, which is in the first block or directly after it.
const BITS: u32 = 7;

/// The scheme and the authority, which both end within the first block.
///
/// | bits | content |
/// |---|---|
/// | 0 to 6 | offset past the scheme's colon, or 0 without a scheme |
/// | 7 to 13 | offset past the `@`, or 0 without a userinfo |
/// | 14 to 20 | end of the host |
/// | 21 to 27 | start of the path |
/// | 28 to 30 | kind of host (0 for a host name), or 6 without an authority |
/// | 31 | whether the authority is RFC 2396's `reg_name` |
#[derive(Clone, Copy)]
pub(in super::super) struct Prefix(u32);

impl Prefix {
    const USERINFO: u32 = BITS;
    const HOST_END: u32 = 2 * BITS;
    const PATH: u32 = 3 * BITS;
    const KIND: u32 = 4 * BITS;
    const REGISTRY: u32 = Self::KIND + 3;
    /// The kind that means "no authority".
    const NO_HOST: u32 = 6;

    /// Returns the prefix of a reference without an authority.
    #[inline]
    pub(super) const fn without_authority(scheme: Delimiter) -> Self {
        let path = scheme.to_bits();
        Self(Self::NO_HOST << Self::KIND | path | path << Self::PATH)
    }

    /// Returns the prefix for an authority that is a host name and ends at `end`.
    #[inline]
    pub(super) const fn name(scheme: Delimiter, end: u32) -> Self {
        Self(scheme.to_bits() | end << Self::HOST_END | end << Self::PATH)
    }

    /// Returns the prefix for an authority that ends at `end`. `userinfo` is the offset after the
    /// `@`, or 0 if the authority has none.
    #[inline]
    pub(super) const fn server(
        scheme: Delimiter,
        userinfo: u32,
        host_end: u32,
        end: u32,
        kind: HostKind,
    ) -> Self {
        Self(
            scheme.to_bits()
                | userinfo << Self::USERINFO
                | host_end << Self::HOST_END
                | end << Self::PATH
                | (kind as u32) << Self::KIND,
        )
    }

    /// Returns the prefix of a layout.
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

    #[inline]
    const fn offset(self, lowest_bit: u32) -> u32 {
        self.0 >> lowest_bit & ((1 << BITS) - 1)
    }

    /// Returns the offset of the path.
    #[inline]
    pub(super) const fn path(self) -> usize {
        self.offset(Self::PATH) as usize
    }

    /// Returns the position of the colon after the scheme.
    #[inline]
    pub(in super::super) const fn scheme(self) -> Delimiter {
        Delimiter::from_bits(self.offset(0))
    }

    #[inline]
    pub(in super::super) const fn has_authority(self) -> bool {
        self.host_kind().is_some()
    }

    #[inline]
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

/// A layout.
///
/// INVARIANT: the prefix is not 0. The prefix contains either the kind that means "no authority",
/// or the end of a host. `Option<Packed>` therefore fits in two registers too, with 0 for `None`.
// The layout is a single number instead of two 64-bit numbers, so that a function can return it
// from a tail call.
#[derive(Clone, Copy)]
pub(in super::super) struct Packed(NonZeroU128);

impl Packed {
    #[inline]
    pub(super) fn new(
        prefix: Prefix,
        params: Delimiter,
        query: Delimiter,
        fragment: Delimiter,
    ) -> Option<Self> {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let low = pair(prefix.0, params.to_bits());
        let high = pair(query.to_bits(), fragment.to_bits());
        NonZeroU128::new(u128::from(low) | u128::from(high) << 64).map(Self)
    }

    /// Returns the prefix, the params, and the delimiters after them.
    #[inline]
    pub(super) const fn split(self) -> (Prefix, Delimiter, Suffix) {
        let [prefix, params, query, fragment] = quarters(self.0.get());
        let suffix = Suffix {
            query: Delimiter::from_bits(query),
            fragment: Delimiter::from_bits(fragment),
        };
        (Prefix(prefix), Delimiter::from_bits(params), suffix)
    }

    /// Returns whether the host is an IPv6 address.
    #[inline]
    pub(in super::super) const fn has_ipv6_address(self) -> bool {
        let [prefix, ..] = quarters(self.0.get());
        matches!(Prefix(prefix).host_kind(), Some(HostKind::Ipv6))
    }

    #[inline]
    pub(in super::super) fn unpack(self, standard: Standard) -> Layout {
        let [prefix, params, query, fragment] = quarters(self.0.get());
        let prefix = Prefix(prefix);
        // If the standard is a constant, the compiler removes the code for components that the
        // standard does not define.
        let has_params = standard == Standard::Rfc1808;
        let has_registries = matches!(standard, Standard::Rfc2396 | Standard::Rfc2732);
        Layout {
            scheme: prefix.scheme(),
            userinfo: Delimiter::from_bits(prefix.offset(Prefix::USERINFO)),
            host_end: prefix.offset(Prefix::HOST_END),
            path: prefix.offset(Prefix::PATH),
            params: Delimiter::from_bits(if has_params { params } else { 0 }),
            query: Delimiter::from_bits(query),
            fragment: Delimiter::from_bits(fragment),
            host_kind: prefix.host_kind(),
            registry: has_registries && prefix.0 >> Prefix::REGISTRY != 0,
            generic: false,
        }
    }
}

/// Returns the four 32-bit parts of a number, the lowest first.
#[allow(clippy::cast_possible_truncation)] // truncation takes the lower half
#[inline]
const fn quarters(number: u128) -> [u32; 4] {
    let (low, high) = (number as u64, (number >> 64) as u64);
    [
        low as u32,
        (low >> 32) as u32,
        high as u32,
        (high >> 32) as u32,
    ]
}
