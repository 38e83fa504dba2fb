//! Paths, as both programs of the Internet Archive normalize them.

/// Removes dot segments and empty segments, but for the last. A `..` above the root is kept, and
/// the next one removes it.
pub(super) fn normalize(path: &mut Vec<u8>, scratch: &mut Vec<u8>, kept: &mut Vec<(usize, usize)>) {
    if path.is_empty() {
        path.push(b'/');
        return;
    }
    let is_plain = !path.windows(2).any(|two| two == b"//" || two == b"/.");
    if is_plain && path.starts_with(b"/") {
        return;
    }
    kept.clear();
    let mut start = 0;
    // What precedes the first slash is dropped.
    for (number, segment) in path.split(|byte| *byte == b'/').enumerate() {
        let end = start + segment.len();
        match segment {
            _ if number == 0 => {}
            b"." => {}
            b".." if kept.pop().is_some() => {}
            _ => kept.push((start, end)),
        }
        start = end + 1;
    }
    scratch.clear();
    scratch.push(b'/');
    let last = kept.pop();
    for (start, end) in kept.iter().copied().filter(|(start, end)| start < end) {
        scratch.extend_from_slice(path.get(start..end).unwrap_or_default());
        scratch.push(b'/');
    }
    if let Some((start, end)) = last {
        scratch.extend_from_slice(path.get(start..end).unwrap_or_default());
    }
    std::mem::swap(path, scratch);
}

/// Without a slash at the end, unless it is all of the path.
pub(super) fn strip_slash(path: &mut Vec<u8>) {
    if path.len() > 1 && path.last() == Some(&b'/') {
        path.pop();
    }
}
