//! RFC 3986, 5.2, where neither path has a dot segment but for those that the reference begins with: then the target is a
//! beginning of the base and an end of the reference, as both are written.

use super::Resolved;
use crate::AnyRef;
use crate::op::dots;
use alloc::string::String;

/// Appends the target to `out`; `None`, and `out` as it was, where it has to be worked out.
#[inline]
pub(super) fn resolve(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
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
                let base_path = base_text.as_bytes().get(base_path..base_path_end)?;
                let (directory, dropped) = directory(base_path, path)?;
                (base_path_end - base_path.len() + directory, dropped)
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

/// How much of the base's path stays before a path that has no slash at its beginning, and how much of that path its dot
/// segments take.
fn directory(base_path: &[u8], path: &[u8]) -> Option<(usize, usize)> {
    let up_to_slash = |path: &[u8]| path.iter().rposition(|byte| *byte == b'/');
    let mut directory = base_path.get(..=up_to_slash(base_path)?)?;
    if dots::follow_slashes(directory) {
        return None;
    }
    let mut rest = path;
    loop {
        rest = match rest {
            [b'.', b'/', rest @ ..] => rest,
            [b'.', b'.', b'/', rest @ ..] => {
                let inner = directory.get(..directory.len() - 1)?;
                directory = directory.get(..=up_to_slash(inner)?)?;
                rest
            }
            [b'.', ..] => return None,
            _ => break,
        };
    }
    if dots::follow_slashes(rest) {
        return None;
    }
    Some((directory.len(), path.len() - rest.len()))
}
