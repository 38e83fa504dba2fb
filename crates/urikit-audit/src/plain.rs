//! Host names that every parser reads as written.

/// The maximum length of a name that all readers accept.
const LONGEST_NAME: usize = 253;
/// The maximum length of a label that all readers accept.
const LONGEST_LABEL: usize = 63;

/// Returns whether every parser reads this host as the same name, exactly as written: labels of
/// lower-case US-ASCII letters, digits and single hyphens. The last label begins with a letter, so
/// the host is not an IPv4 address in any form. Two hyphens could begin Punycode.
pub(crate) fn is_plain_name(host: &str) -> bool {
    let mut label = 0; // its offset
    let mut before = b'.';
    for (at, byte) in host.bytes().enumerate() {
        let is_inside = !matches!(before, b'.' | b'-');
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'-' if is_inside => {}
            b'.' if is_inside && at - label <= LONGEST_LABEL => label = at + 1,
            _ => return false,
        }
        before = byte;
    }
    let last = host.get(label..).unwrap_or_default();
    host.len() <= LONGEST_NAME
        && last.len() <= LONGEST_LABEL
        && last.starts_with(|c: char| c.is_ascii_lowercase())
        && before != b'-'
}
