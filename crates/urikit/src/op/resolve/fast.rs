//! The fast path of RFC 3986, 5.2, for references whose only dot segments are at the start. The
//! target of such a reference consists of a prefix of the base and a suffix of the reference, both
//! as written.

// Only inlined code is compiled for the scanner's instruction set.
#![allow(clippy::inline_always)]

use super::dots;
use super::{AboveRoot, Options, SameScheme};
use crate::reference::{Known, Standards};
use crate::{AnyRef, Standard};
use alloc::string::String;
use urikit_scan::{BLOCK, Block, Lengths, Level, Scanner, Work, append};

/// Returns true if [`resolve`] applies. Only the algorithm of RFC 3986 and RFC 3987 always gives a
/// target that consists of a prefix of the base and a suffix of the reference.
#[inline]
pub(super) fn is_for<S: Standards>(
    reference: Known<'_, S>,
    base: Known<'_, S>,
    options: Options,
) -> bool {
    let standard = base.standard();
    matches!(standard, Standard::Rfc3986 | Standard::Rfc3987)
        && reference.standard() == standard
        && base.layout().scheme.is_there()
        && options.same_scheme == SameScheme::Strict
}

/// Appends the target to `out`. Returns `None` and leaves `out` unchanged if the full algorithm is
/// needed.
#[inline(never)]
pub(super) fn resolve(
    reference: &AnyRef<'_>,
    base: &AnyRef<'_>,
    above_root: Option<AboveRoot>,
    out: &mut String,
) -> Option<bool> {
    Level::best().run(Resolve {
        reference,
        base,
        above_root,
        out,
    })
}

struct Resolve<'r, 'a, 'o> {
    reference: &'r AnyRef<'a>,
    base: &'r AnyRef<'a>,
    above_root: Option<AboveRoot>,
    out: &'o mut String,
}

impl Work for Resolve<'_, '_, '_> {
    type Output = bool;
    const LENGTHS: Lengths = Lengths::Any;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.reference.as_str().as_bytes()
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let (reference, base) = (self.reference, self.base);
        let (parts, base_parts) = (reference.layout(), base.layout());
        let (text, base_text) = (reference.as_str(), base.as_str());
        // INVARIANT: the standard is RFC 3986 or RFC 3987, so params do not occur.
        let end = parts.fragment.or(text.len());
        let base_end = base_parts.fragment.or(base_text.len());
        let base_path_end = base_parts.query.or(base_end);
        let path = parts.path as usize..parts.query.or(end);
        let path = text.as_bytes().get(path)?;
        // The length of the base's prefix that is kept, and of the reference's prefix that is
        // dropped.
        let (kept, dropped) = if parts.scheme.is_there() {
            parts.host_kind?;
            if dots_follow_slashes(scanner, path) {
                return None;
            }
            (0, 0)
        } else {
            base_parts.host_kind?;
            if parts.host_kind.is_some() {
                return None;
            }
            match path.first() {
                None if parts.query.is_there() => (base_path_end, 0),
                None => (base_end, 0),
                Some(b'/') if dots_follow_slashes(scanner, path) => return None,
                Some(b'/') => (base_parts.path as usize, 0),
                _ => {
                    let (ups, dropped) = dot_segments(scanner, path)?;
                    let base = base_text.as_bytes().get(..base_path_end)?;
                    let path = base_parts.path as usize;
                    let kept = directory(scanner, base, path, ups, self.above_root)?;
                    (kept, dropped)
                }
            }
        };
        let own = text.get(dropped..)?;
        let own_end = end.checked_sub(dropped)?;
        // Usually, the lengths differ or both texts are empty.
        let same_document = base_end.checked_sub(kept)? == own_end
            && (own_end == 0
                || base_text.as_bytes().get(kept..base_end)? == own.as_bytes().get(..own_end)?);
        append(self.out, base_text.get(..kept)?, own);
        Some(same_document)
    }
}

/// Returns true if a dot follows a slash.
#[inline(always)]
fn dots_follow_slashes<S: Scanner>(scanner: S, path: &[u8]) -> bool {
    if path.len() > BLOCK {
        return dots::follow_slashes(path);
    }
    let block = scanner.any(path);
    block.is(b'.') & block.is(b'/') << 1 != 0
}

/// Returns the number of `..` segments at the start of a path, and the length of all dot segments
/// there. Returns `None` if other dot segments follow.
#[inline(always)]
fn dot_segments<S: Scanner>(scanner: S, path: &[u8]) -> Option<(u32, usize)> {
    /// The positions of the slashes in `../../../`. All other bytes in this text are dots.
    const SLASHES: u64 = 0x4924_9249_2492_4924;
    if path.len() > BLOCK {
        return mixed_dot_segments(path);
    }
    let block = scanner.any(path);
    let (slashes, dots) = (block.is(b'/'), block.is(b'.'));
    let ups = (dots & !SLASHES | slashes & SLASHES).trailing_ones() / 3;
    let rest = u64::MAX << (3 * ups);
    if dots & rest & (slashes << 1 | rest & rest.wrapping_neg()) != 0 {
        return mixed_dot_segments(path);
    }
    Some((ups, 3 * ups as usize))
}

/// Implements [`dot_segments`] for paths of any length, which may also contain `./` segments.
#[inline(never)]
fn mixed_dot_segments(path: &[u8]) -> Option<(u32, usize)> {
    let mut rest = path;
    let mut ups = 0;
    loop {
        rest = match rest {
            [b'.', b'/', rest @ ..] => rest,
            [b'.', b'.', b'/', rest @ ..] => {
                ups += 1;
                rest
            }
            [b'.', ..] => return None,
            _ => break,
        };
    }
    let is_plain = !dots::follow_slashes(rest);
    is_plain.then_some((ups, path.len() - rest.len()))
}

/// Returns the end of the directory `ups` levels above the directory of `base`. The path begins at
/// `path` and extends to the end of `base`. Returns `None` if the path has dot segments, if it is
/// too long for this check, or if levels above the root are not dropped.
#[inline(always)]
fn directory<S: Scanner>(
    scanner: S,
    base: &[u8],
    path: usize,
    ups: u32,
    above_root: Option<AboveRoot>,
) -> Option<usize> {
    let seen = base.len().saturating_sub(BLOCK);
    if seen > path && dots::follow_slashes(base.get(path..=seen)?) {
        return None;
    }
    let block = scanner.any(base.get(seen..)?);
    // The path is empty if the complete block precedes it.
    let before = u32::try_from(path.saturating_sub(seen)).ok()?;
    let slashes = block.is(b'/') & u64::MAX.checked_shl(before)?;
    if block.is(b'.') & slashes << 1 != 0 {
        return None;
    }
    let is_dropped = matches!(above_root, None | Some(AboveRoot::Drop));
    let is_root_seen = seen <= path && is_dropped;
    let below = match slashes.count_ones().checked_sub(1)?.checked_sub(ups) {
        Some(below) => below,
        None if is_root_seen => 0,
        None => return None,
    };
    Some(seen + scanner.nth(slashes, below) as usize + 1)
}
