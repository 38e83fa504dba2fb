//! Host names, by masks.

use super::{FastGrammar, ends_with, lowest};
use crate::parse::walk::byte_at;
use crate::scan::{ALPHANUMERIC, Block, DIGIT};

/// The masks of a block's characters that occur in host names, and in schemes without a `+`.
#[derive(Clone, Copy)]
pub(super) struct HostNameMasks {
    alphanumeric: u64,
    digits: u64,
    dots: u64,
    hyphens: u64,
}

impl HostNameMasks {
    #[inline(always)]
    pub(super) fn new(block: impl Block) -> Self {
        Self {
            alphanumeric: block.members(&ALPHANUMERIC),
            digits: block.members(&DIGIT),
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

    #[inline(always)]
    pub(super) const fn digits(self) -> u64 {
        self.digits
    }

    /// Whether the bytes of `host`, which are in a row, are a host name
    /// ([`HostKind::Name`](crate::HostKind::Name)) that does not end in a dot.
    #[inline(always)]
    pub(super) const fn is_host_name<G: FastGrammar>(self, host: u64) -> bool {
        host & self.wrong::<G>(host, 0) == 0 && self.last_begins_with_letter(host)
    }

    /// The bytes that cannot be part of a host name at the beginning of `rest`, which ends before
    /// the first colon.
    ///
    /// A host name is a list of labels with dots between them. A label consists of letters, digits
    /// and hyphens, begins and ends with a letter or digit, and the last one begins with a letter.
    /// No label can be too long here: what fits in a block after `//` has fewer than 64
    /// characters.
    ///
    /// The masks of `www.a-b.example`, bit 0 on the left:
    ///
    /// ```text
    /// bytes        //www.a-b.example/
    /// rest         ..111111111111111.
    /// labels       ..111.111.1111111.   without dots
    /// inner        ...1.1.1.1.11111..   `labels` on both sides
    /// ```
    ///
    /// `inner` must have the bit of each dot, so that no label is empty, and of each hyphen, so
    /// that no label begins or ends with one. All other bytes of the host must be letters or
    /// digits.
    #[inline(always)]
    pub(super) const fn wrong<G: FastGrammar>(self, rest: u64, colons: u64) -> u64 {
        let labels = rest & !(self.dots | colons);
        let inner = labels << 1 & labels >> 1;
        let first = if G::HOST_NAMES_START_WITH_DIGITS {
            0
        } else {
            lowest(rest) & self.digits
        };
        first | !(self.alphanumeric | (self.dots | self.hyphens) & inner)
    }

    /// The first byte of each label of a host at the beginning of `rest`; and the byte after a dot
    /// at its end.
    #[inline(always)]
    pub(super) const fn first_of_labels(self, rest: u64) -> u64 {
        (rest & self.dots) << 1 | lowest(rest)
    }

    /// Whether the last label begins with a letter, if all of its characters are good. It may have a
    /// port, which contains no dot. `false` if there is no label.
    #[inline(always)]
    pub(super) const fn last_begins_with_letter(self, rest: u64) -> bool {
        ends_with(self.first_of_labels(rest), !self.digits)
    }
}

/// Whether the byte at `at` is a letter.
#[inline(always)]
pub(super) fn is_letter(text: &[u8], at: usize) -> bool {
    byte_at(text, at).is_some_and(|byte| byte.is_ascii_alphabetic())
}
