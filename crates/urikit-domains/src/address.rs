//! Addresses, which are no names.

/// Whether a host is an IPv4 address, or what `inet_aton` of the C library reads as one: the WHATWG
/// URL Standard takes a host for an address if its last label is a number (3.5).
pub(crate) fn is_address(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or(name);
    is_number(last) || host.starts_with('[') || host.contains(':')
}

fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x").or(label.strip_prefix("0X")) {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit()),
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
