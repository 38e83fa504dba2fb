//! Host names that every parser reads as written.

/// The maximum length of a name that all readers accept.
const LONGEST_NAME: usize = 253;
/// The maximum length of a label that all readers accept.
const LONGEST_LABEL: usize = 63;

/// Returns whether every parser reads this host as the same name, exactly as written: labels of
/// lower-case US-ASCII letters, digits and single hyphens. The last label begins with a letter, so
/// the host is not an IPv4 address in any form. Two hyphens could begin Punycode.
pub(crate) fn is_plain_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        bytes.len() <= LONGEST_LABEL
            && is_end(bytes.first())
            && is_end(bytes.last())
            && bytes.iter().all(is_plain)
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= LONGEST_NAME
        && last.starts_with(|c: char| c.is_ascii_lowercase())
        && !host.contains("--")
        && host.split('.').all(is_label)
}
