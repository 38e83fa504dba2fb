//! Names of hosts.

/// Whether a host has the syntax of a name by RFC 1034 and RFC 1123, as
/// [`HostKind::Name`](urikit::HostKind::Name) describes it. The core decides for its standards; this
/// is for hosts that other parsers give, which may be decoded or converted.
pub(super) fn is_host_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let mut last = "";
    let has_labels = name.split('.').all(|label| {
        last = label;
        is_label(label)
    });
    has_labels && name.len() <= 255 && last.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    matches!(bytes, [first, .., last] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric())
        && bytes.len() <= 63
        && bytes.iter().all(is_inner)
        || matches!(bytes, [only] if only.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::is_host_name;
    use urikit::{HostKind, Standard};

    #[test]
    fn a_name_is_one_to_the_core_too() {
        let long = "a".repeat(63);
        let longer = "a".repeat(64);
        let longest = [long.as_str(); 4].join(".");
        let names = [
            "a",
            "a.",
            "a..",
            ".",
            "a-b.c",
            "-a",
            "a-",
            "a.1",
            "1.a",
            "a_b",
            "a.b2",
            "2",
            "1.2.3.4",
            &long,
            &longer,
            &longest,
            longest.get(1..).unwrap(),
            "x.-.y",
            "ab.c-d.e",
        ];
        for name in names {
            let text = format!("//{name}");
            let host = Standard::Rfc3986.parse(&text).unwrap().host().unwrap();
            assert_eq!(is_host_name(name), host.kind() == HostKind::Name, "{name}");
        }
    }
}
