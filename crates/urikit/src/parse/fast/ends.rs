//! The start and the end of a reference, for both fast readers: the scheme before the authority,
//! and the delimiters after the path.

use super::{FastGrammar, Packed, Prefix, lowest_bit};
use crate::layout::{Delimiter, offset_u32};
use crate::parse::walk::is_at;
use core::hint::select_unpredictable;

/// Adds the parts that only some standards have.
#[inline(always)]
pub(super) fn finish<G: FastGrammar>(
    text: &[u8],
    prefix: Prefix,
    mut suffix: Suffix,
    has_semicolons: bool,
) -> Option<Packed> {
    let params = if G::PARAMS && has_semicolons {
        params(text, prefix.path(), suffix)
    } else {
        Delimiter::ABSENT
    };
    if !G::finish(text, prefix, &mut suffix) {
        return None;
    }
    Packed::new(prefix, params, suffix.query, suffix.fragment)
}

/// The start of a reference, within the first block.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) scheme: Delimiter,
    /// The offset of the authority, after its `//`, or 0 if the reference has none.
    pub(super) authority: u32,
}

/// Returns the start of a reference with the scheme's colon at `colon`, followed by `//` and an
/// authority if `has_authority` is true.
#[inline]
pub(super) const fn start(colon: usize, has_authority: bool) -> Start {
    Start {
        scheme: Delimiter::at(colon),
        authority: if has_authority {
            offset_u32(colon + 3)
        } else {
            0
        },
    }
}

/// Returns the offset of the colon if `text` begins with `http://` or `https://`, in lower case.
// The text after `http` is compared as one number. A `://` is first shifted to its position in
// `s://`. The code does not branch on the two schemes, because a processor could not predict that
// branch.
#[inline]
pub(super) fn http_or_https(text: &[u8]) -> Option<usize> {
    const HTTP: u32 = u32::from_le_bytes(*b"\0://");
    const HTTPS: u32 = u32::from_le_bytes(*b"s://");
    let eight: &[u8; 8] = text.first_chunk()?;
    let ([http @ .., _, _, _, _], [_, _, _, _, rest @ ..]) = (eight, eight);
    let has_s = rest.starts_with(b"s");
    let shifted = u32::from_le_bytes(*rest) << (8 * u32::from(!has_s));
    let is_http = http == b"http" && shifted == select_unpredictable(has_s, HTTPS, HTTP);
    is_http.then_some(4 + usize::from(has_s))
}

/// Returns the start of a reference whose scheme ends at `colon`. `has_slashes` is true if `//`
/// follows.
#[inline]
pub(super) fn after_scheme<G: FastGrammar>(
    text: &[u8],
    colon: usize,
    has_slashes: bool,
) -> Option<Start> {
    let has_authority = G::has_authority(text, colon, has_slashes)?;
    if !has_authority && !G::ROOTLESS_PATHS && !is_at(text, colon + 1, b'/') {
        return None;
    }
    Some(start(colon, has_authority))
}

/// The delimiters of the components that follow the path.
#[derive(Clone, Copy)]
pub(in super::super) struct Suffix {
    pub(in super::super) query: Delimiter,
    pub(in super::super) fragment: Delimiter,
}

impl Suffix {
    /// Records the `?` and `#` of a later block, which begins at offset `start`. Returns `false`
    /// if the reference has a second `#`.
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

/// Returns the first semicolon of the path that begins at offset `path`.
#[cold]
fn params(text: &[u8], path: usize, suffix: Suffix) -> Delimiter {
    let end = suffix.query.get().or(suffix.fragment.get());
    let place = text
        .get(path..end.unwrap_or(text.len()))
        .and_then(|path| path.iter().position(|byte| *byte == b';'));
    place.map_or(Delimiter::ABSENT, |place| Delimiter::at(path + place))
}
