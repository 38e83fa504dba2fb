//! Queries, sorted as both programs of the Internet Archive sort them.

/// Sorts the arguments by name, then those without a value before the others, then by value.
pub(super) fn sort(query: &mut Vec<u8>, scratch: &mut Vec<u8>, places: &mut Vec<[usize; 3]>) {
    if !query.contains(&b'&') {
        return;
    }
    places.clear();
    let mut start = 0;
    for argument in query.split(|byte| *byte == b'&') {
        let equals = argument.iter().position(|byte| *byte == b'=');
        let end = start + argument.len();
        places.push([start, equals.map_or(end, |at| start + at), end]);
        start = end + 1;
    }
    let text: &[u8] = query;
    // Without an equals sign the value is `None`, which is before any.
    let key = |[start, equals, end]: &[usize; 3]| {
        (text.get(*start..*equals), text.get(*equals + 1..*end))
    };
    // Arguments with the same key are the same text, so that their order does not matter.
    places.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    scratch.clear();
    for (number, [start, _, end]) in places.iter().enumerate() {
        if number > 0 {
            scratch.push(b'&');
        }
        scratch.extend_from_slice(text.get(*start..*end).unwrap_or_default());
    }
    std::mem::swap(query, scratch);
}
