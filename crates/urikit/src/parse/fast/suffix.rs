//! What follows the path: params, query and fragment; and the escapes in a block.

use super::lowest_bit;
use crate::grammar::HEX_DIGITS;
use crate::layout::Delimiter;
use crate::parse::walk::byte_at;
use crate::scan::BLOCK;

/// The delimiters of what follows the path.
#[derive(Clone, Copy)]
pub(in super::super) struct Suffix {
    pub(in super::super) query: Delimiter,
    pub(in super::super) fragment: Delimiter,
    /// Whether the reference contains a semicolon; always `false` for a standard without params.
    pub(super) has_semicolons: bool,
}

impl Suffix {
    /// Records the `?` and `#` of a block after the first one, which begins at offset `start`.
    /// `false` if a `#` is the reference's second.
    #[inline]
    pub(super) fn record(&mut self, start: usize, question: u64, hash: u64) -> bool {
        let is_before = self.fragment.get().is_none();
        if is_before && self.query.get().is_none() && lowest_bit(question) < lowest_bit(hash) {
            self.query = Delimiter::at(start + lowest_bit(question));
        }
        if hash != 0 {
            if !is_before || hash & (hash - 1) != 0 {
                return false;
            }
            self.fragment = Delimiter::at(start + lowest_bit(hash));
        }
        true
    }
}

/// Whether two hexadecimal digits follow each `%` of the block that begins at offset `start`.
///
/// `percent` is the mask of its `%`, `hex` that of its hexadecimal digits.
#[inline]
pub(super) fn are_escapes(text: &[u8], start: usize, percent: u64, hex: u64) -> bool {
    // Bit `i` is set if the bytes `i + 1` and `i + 2` are digits.
    let mut hex = hex >> 1 & hex >> 2;
    // The digits of a `%` among the last two bytes are in the next block: looked at one by one.
    if percent >> (BLOCK - 2) != 0 {
        let is_hex = |at| byte_at(text, at).is_some_and(|byte| HEX_DIGITS.contains(byte));
        for nth in BLOCK - 2..BLOCK {
            if is_hex(start + nth + 1) && is_hex(start + nth + 2) {
                hex |= 1 << nth;
            }
        }
    }
    percent & !hex == 0
}

/// The first semicolon of the path that begins at offset `path`.
#[cold]
pub(super) fn params(text: &[u8], path: usize, suffix: Suffix) -> Delimiter {
    let end = suffix.query.get().or(suffix.fragment.get());
    let place = text
        .get(path..end.unwrap_or(text.len()))
        .and_then(|path| path.iter().position(|byte| *byte == b';'));
    place.map_or(Delimiter::ABSENT, |place| Delimiter::at(path + place))
}
