//! The name of a file for a URL.

use super::kept::SUFFIX;
use crate::safe::is_safe;
use std::ffi::OsString;
use urikit::AnyRef;

/// The last segment that is not empty, decoded; or else the host; or else the scheme. It is a
/// single safe name: without slashes and control characters, and neither `.` nor `..`.
///
/// An FTP typecode is not part of it (RFC 1738, 3.2.2).
pub(super) fn name(reference: AnyRef<'_>) -> OsString {
    let mut octets = Vec::new();
    for segment in reference.path().segments() {
        let mut decoded = segment.encoded().to_bytes().into_owned();
        let is_ftp = reference
            .scheme()
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("ftp"));
        if let Some(at) = decoded
            .windows(6)
            .rposition(|part| part.eq_ignore_ascii_case(b";type="))
            && is_ftp
        {
            decoded.truncate(at);
        }
        if !decoded.is_empty() {
            octets = decoded;
        }
    }
    if octets.is_empty() {
        let host = reference
            .host()
            .map(urikit::component::Host::as_str)
            .filter(|host| !host.is_empty());
        octets = host
            .or(reference.scheme())
            .unwrap_or("body")
            .as_bytes()
            .to_vec();
    }
    safe_name(octets)
}

/// Octets as a single safe name of a file: without slashes and control characters, and neither `.` nor
/// `..`.
pub(super) fn safe_name(mut octets: Vec<u8>) -> OsString {
    for octet in &mut octets {
        if *octet < b' ' || *octet == 0x7F || b"/\\:".contains(octet) {
            *octet = b'_';
        }
    }
    if let Ok(text) = std::str::from_utf8(&octets) {
        let safe = |c| if is_safe(c) { c } else { '_' };
        octets = text.chars().map(safe).collect::<String>().into_bytes();
    }
    if octets == b"." || octets == b".." {
        octets = b"_".to_vec();
    }
    // It must not look like a program's option.
    if octets.first() == Some(&b'-') {
        octets.insert(0, b'_');
    }
    // File systems allow 255 bytes, including the suffixes that are appended to it.
    octets.truncate(200);
    // It must not be the partial file of another reference.
    let is_partial = |suffix: &str| octets.ends_with([".part", suffix].concat().as_bytes());
    if is_partial("") || is_partial(SUFFIX) {
        octets.push(b'_');
    }
    os_string(octets)
}

#[cfg(unix)]
fn os_string(octets: Vec<u8>) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(octets)
}

#[cfg(not(unix))]
fn os_string(octets: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&octets).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::name;
    use urikit::Standard;

    #[test]
    fn names_are_safe() {
        for (url, expected) in [
            ("http://h/a/b.txt?q#f", "b.txt"),
            ("http://h/a/", "a"),
            ("http://h", "h"),
            ("http://h/%2e%2e", "_"),
            ("http://h/..", "_"),
            ("ftp://h/%2Fetc%2Fpasswd;type=a", "_etc_passwd"),
            ("http://h/a;type=b", "a;type=b"),
            ("http://h/a%0Ab", "a_b"),
            ("news:comp.test", "comp.test"),
            ("gopher://h/0C:%5Cx", "0C__x"),
            ("http://h/-rf", "_-rf"),
            ("http://h/a.part", "a.part_"),
            ("http://h/a.part.version", "a.part.version_"),
            ("http://h/%C2%9B2J%E2%80%AEa", "_2J_a"),
        ] {
            let reference = Standard::Rfc3986.parse(url).unwrap();
            assert_eq!(name(reference), expected, "{url}");
        }
    }
}
