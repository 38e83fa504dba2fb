//! Queries, sorted as both programs of the Internet Archive sort them.

/// Sorts the arguments by name, then those without a value before the others, then by value.
pub(super) fn sort(query: &mut Vec<u8>, scratch: &mut Vec<u8>, places: &mut Vec<(usize, usize)>) {
    if !query.contains(&b'&') {
        return;
    }
    places.clear();
    let mut start = 0;
    for argument in query.split(|byte| *byte == b'&') {
        places.push((start, start + argument.len()));
        start += argument.len() + 1;
    }
    let text: &[u8] = query;
    let key = |place: &(usize, usize)| {
        let argument = text.get(place.0..place.1).unwrap_or_default();
        let equals = argument.iter().position(|byte| *byte == b'=');
        let name = argument.get(..equals.unwrap_or(argument.len()));
        // `None` is before any value.
        (name, equals.and_then(|at| argument.get(at + 1..)))
    };
    // Arguments with the same key are the same text, so that their order does not matter.
    places.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    scratch.clear();
    for (number, (start, end)) in places.iter().enumerate() {
        if number > 0 {
            scratch.push(b'&');
        }
        scratch.extend_from_slice(text.get(*start..*end).unwrap_or_default());
    }
    std::mem::swap(query, scratch);
}
