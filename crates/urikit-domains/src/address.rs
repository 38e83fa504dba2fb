//! Addresses, which are no names.

/// Whether a host is an IPv4 address, or what `inet_aton` of the C library reads as one: the WHATWG
/// URL Standard takes a host for an address if its last label is a number (3.5).
#[allow(clippy::needless_bitwise_bool)]
pub(crate) fn is_address(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).as_bytes();
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or(name);
    // All are looked at, so that several can be at once.
    let has_colon = || host.bytes().fold(false, |any, byte| any | (byte == b':'));
    is_number(last) || host.starts_with('[') || has_colon()
}

fn is_number(label: &[u8]) -> bool {
    match label {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        _ => !label.is_empty() && label.iter().all(u8::is_ascii_digit),
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn a_last_label_that_is_a_number_is_no_domain() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "1",
            "0x7f.1",
            "0X",
            "a.1",
            "[::1]",
            "::1",
        ] {
            assert!(is_address(host), "{host}");
        }
        for host in ["a", "1.a", "a.1x", "0xg", "1a", "", ".", "a.."] {
            assert!(!is_address(host), "{host}");
        }
    }
}
