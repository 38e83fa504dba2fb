//! RFC 3986, 5.2, where neither path has a dot segment but for those that the reference begins with: then the target is a
//! beginning of the base and an end of the reference, as both are written.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use super::{AboveRoot, Resolved};
use crate::AnyRef;
use crate::op::dots;
use crate::scan::{BLOCK, Block, Level, Scanner, Work};
use alloc::string::String;

/// Appends the target to `out`; `None`, and `out` as it was, where it has to be worked out.
#[inline]
pub(super) fn resolve(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
    above_root: AboveRoot,
    out: &mut String,
) -> Option<Resolved> {
    let (text, base_text) = (reference.as_str(), base.as_str());
    let (parts, base_parts) = (reference.parts(), base.parts());
    let path_start = parts.path as usize;
    let behind_path = parts.query.get().or(parts.fragment.get());
    let path_end = behind_path.unwrap_or(text.len());
    let path = text.as_bytes().get(path_start..path_end)?;
    let base_without_fragment = base_parts.fragment.get().unwrap_or(base_text.len());
    // How much of the base stays, and of the reference goes.
    let (kept, dropped) = if parts.scheme.get().is_some() {
        parts.host_kind?;
        if dots::follow_slashes(path) {
            return None;
        }
        (0, 0)
    } else {
        base_parts.host_kind?;
        if parts.host_kind.is_some() {
            return None;
        }
        let base_path = base_parts.path as usize;
        let base_path_end = base_parts.query.get().unwrap_or(base_without_fragment);
        match path.first() {
            None if parts.query.get().is_some() => (base_path_end, 0),
            None => (base_without_fragment, 0),
            Some(b'/') if dots::follow_slashes(path) => return None,
            Some(b'/') => (base_path, 0),
            _ => {
                let base = base_text.as_bytes().get(..base_path_end)?;
                let (ups, dropped) = dot_segments(path)?;
                (directory(base, base_path, ups, above_root)?, dropped)
            }
        }
    };
    let own = text.get(dropped..)?;
    let own_without_fragment = text.get(dropped..parts.fragment.get().unwrap_or(text.len()))?;
    let same_document = base_text.get(kept..base_without_fragment)? == own_without_fragment;
    out.push_str(base_text.get(..kept)?);
    out.push_str(own);
    Some(Resolved { same_document })
}

/// How many levels the dot segments that a path begins with go up, and how long they are; `None` where others follow.
#[inline]
fn dot_segments(path: &[u8]) -> Option<(usize, usize)> {
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

/// Where the directory ends that is so many levels above the one of `base`, whose path begins at `path` and ends it;
/// `None` where it has dot segments or is longer than what is looked at, and where what lies above the root is not dropped.
#[inline]
fn directory(base: &[u8], path: usize, ups: usize, above_root: AboveRoot) -> Option<usize> {
    let seen = base.len().saturating_sub(BLOCK);
    if seen > path && dots::follow_slashes(base.get(path..=seen)?) {
        return None;
    }
    let end = base.get(seen..)?;
    let path_mask = u64::MAX << path.saturating_sub(seen).min(BLOCK - 1);
    let (slashes, dots) = Level::best().run(SlashesAndDots { text: end })?;
    let mut slashes = slashes & path_mask;
    if dots & slashes << 1 != 0 {
        return None;
    }
    let has_root = seen <= path && above_root == AboveRoot::Drop;
    for _ in 0..ups {
        if has_root && slashes.is_power_of_two() {
            break;
        }
        slashes ^= 1_u64.checked_shl(slashes.checked_ilog2()?)?;
    }
    Some(seen + slashes.checked_ilog2()? as usize + 1)
}

struct SlashesAndDots<'t> {
    text: &'t [u8],
}

impl Work for SlashesAndDots<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<(u64, u64)> {
        let block = scanner.first(self.text);
        Some((block.is(b'/'), block.is(b'.')))
    }
}
