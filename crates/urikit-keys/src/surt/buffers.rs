//! Memory that is used for one key after the other.

/// Buffers. What is in them between two keys means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// The text, where it has to be changed before it is split.
    pub(super) text: Vec<u8>,
    pub(super) host: Vec<u8>,
    pub(super) path: Vec<u8>,
    pub(super) query: Vec<u8>,
    pub(super) scratch: Vec<u8>,
    pub(super) run: Vec<u8>,
    /// Where segments begin and end.
    pub(super) segments: Vec<(usize, usize)>,
    /// Where arguments begin, their names end, and they end.
    pub(super) arguments: Vec<[usize; 3]>,
    /// A normal form.
    pub(super) normal: String,
}

/// Sets a buffer to a text.
pub(super) fn set(buffer: &mut Vec<u8>, text: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(text);
}

/// Appends bytes that are US-ASCII.
pub(super) fn push_ascii(out: &mut String, bytes: &[u8]) {
    // INVARIANT: everything else was escaped.
    out.push_str(str::from_utf8(bytes).unwrap_or_default());
}

/// Appends the labels of a host in reverse order, with commas between them.
pub(super) fn push_reversed(out: &mut String, host: &[u8]) {
    for (number, label) in host.rsplit(|byte| *byte == b'.').enumerate() {
        if number > 0 {
            out.push(',');
        }
        push_ascii(out, label);
    }
}

/// The length of `www\d*\.` at the beginning of a host, in any case.
pub(super) fn www(host: &[u8]) -> Option<usize> {
    let (name, rest) = host.split_at_checked(b"www".len())?;
    if !name.eq_ignore_ascii_case(b"www") {
        return None;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (rest.get(digits) == Some(&b'.')).then_some(b"www".len() + digits + 1)
}
