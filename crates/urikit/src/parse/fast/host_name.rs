//! Host names, by masks.

use crate::parse::walk::byte_at;
use crate::scan::{ALPHANUMERIC, BLOCK, Block};

/// The masks of a block's characters that occur in host names, and in schemes without a `+`.
#[derive(Clone, Copy)]
pub(super) struct HostNameMasks {
    alphanumeric: u64,
    dots: u64,
    hyphens: u64,
}

impl HostNameMasks {
    #[inline(always)]
    pub(super) fn new(block: impl Block) -> Self {
        Self {
            alphanumeric: block.members(&ALPHANUMERIC),
            dots: block.is(b'.'),
            hyphens: block.is(b'-'),
        }
    }

    #[inline(always)]
    pub(super) const fn all(self) -> u64 {
        self.alphanumeric | self.dots | self.hyphens
    }

    #[inline(always)]
    pub(super) const fn dots(self) -> u64 {
        self.dots
    }

    /// Whether the bytes of `host`, which are in a row, are a host name
    /// ([`HostKind::Name`](crate::HostKind::Name)) that does not end in a dot.
    ///
    /// A host name is a list of labels with dots between them. A label consists of letters, digits
    /// and hyphens, begins and ends with a letter or digit, and the last one begins with a letter.
    /// No label can be too long here: what fits in a block after `//` has fewer than 64
    /// characters.
    ///
    /// The host does not begin at the first byte. The masks of `www.a-b.example`, bit 0 on the left:
    ///
    /// ```text
    /// bytes        //www.a-b.example/
    /// host         ..111111111111111.
    /// labels       ..111.111.1111111.   the host without its dots
    /// inner        ...1.1.1.1.11111..   `labels` on both sides
    /// ```
    ///
    /// `inner` must have the bit of each dot, so that no label is empty, and of each hyphen, so
    /// that no label begins or ends with one. All other bytes of the host must be letters or
    /// digits.
    #[inline(always)]
    pub(super) fn is_host_name(self, text: &[u8], host: u64) -> bool {
        let labels = host & !self.dots;
        let inner = labels << 1 & labels >> 1;
        let bad = host & !(self.alphanumeric | (self.dots | self.hyphens) & inner);
        // The last label begins after the last dot, or else after the byte before the host.
        let before_host = (host & host.wrapping_neg()) >> 1;
        let last = BLOCK - (host & self.dots | before_host).leading_zeros() as usize;
        bad == 0 && host != 0 && is_letter(text, last)
    }
}

/// Whether the byte at `at` is a letter.
#[inline(always)]
pub(super) fn is_letter(text: &[u8], at: usize) -> bool {
    byte_at(text, at).is_some_and(|byte| byte.is_ascii_alphabetic())
}
