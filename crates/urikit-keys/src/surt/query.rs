//! Queries, sorted as both programs of the Internet Archive sort them.

/// Sorts the arguments by name, then those without a value before the others, then by value.
pub(super) fn sort(query: &mut Vec<u8>, scratch: &mut Vec<u8>, places: &mut Vec<[usize; 3]>) {
    if sorted(query, scratch, places) {
        std::mem::swap(query, scratch);
    }
}

/// Sorts the arguments into another buffer; `false` if they are sorted already, and then the buffer
/// means nothing.
pub(super) fn sorted(text: &[u8], out: &mut Vec<u8>, places: &mut Vec<[usize; 3]>) -> bool {
    find(text, places);
    // Without an equals sign the value is `None`, which is before any.
    let key = |[start, equals, end]: &[usize; 3]| {
        (text.get(*start..*equals), text.get(*equals + 1..*end))
    };
    if places.is_sorted_by(|one, other| key(one) <= key(other)) {
        return false;
    }
    // Arguments with the same key are the same text, so that their order does not matter.
    places.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    out.clear();
    for (number, [start, _, end]) in places.iter().enumerate() {
        if number > 0 {
            out.push(b'&');
        }
        out.extend_from_slice(text.get(*start..*end).unwrap_or_default());
    }
    true
}

/// Finds where arguments begin, their names end, and they end.
fn find(text: &[u8], places: &mut Vec<[usize; 3]>) {
    places.clear();
    let (mut start, mut equals) = (0, None);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'=' if equals.is_none() => equals = Some(at),
            b'&' => {
                places.push([start, equals.unwrap_or(at), at]);
                (start, equals) = (at + 1, None);
            }
            _ => {}
        }
    }
    places.push([start, equals.unwrap_or(text.len()), text.len()]);
}
