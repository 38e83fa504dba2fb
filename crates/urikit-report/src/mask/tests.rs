//! Masked passwords, and offsets in masked text.

use super::{Masked, mask};

#[test]
fn every_possible_password_is_masked() {
    for (text, shown) in [
        ("http://user:pw@host/", "http://user:***@host/"),
        ("//user:pw@host", "//user:***@host"),
        ("http://user@host/", "http://user@host/"),
        ("ftp://foo:@host.dom:21/", "ftp://foo:@host.dom:21/"),
        ("http://u:a:b@c@h/", "http://u:***@h/"),
        ("http://user:p^ w@host/", "http://user:***@host/"),
        ("http://user:p/w@host/", "http://user:***@host/"),
        ("http://user:p#?w@host/", "http://user:***@host/"),
        ("http:\\\\user:pw@host/", "http:\\\\user:***@host/"),
        ("HTTP:user:pw@host/", "HTTP:user:***@host/"),
        ("http:/user:pw@host/", "http:/user:***@host/"),
        ("http://[::1]:80/@x", "http://[::1]:80/@x"),
        ("http://[::1/x@y", "http://[::1/x@y"),
        ("http://h:80/a@b", "http://h:80/a@b"),
        ("http://h/?u=ftp://u:pw@h/", "http://h/?u=ftp://u:***@h/"),
        (
            "http://u:pw@h/?u=ftp://u:pw@h/",
            "http://u:***@h/?u=ftp://u:***@h/",
        ),
        ("mailto:a:b@c", "mailto:a:b@c"),
        ("urn:a:b@c", "urn:a:b@c"),
        // Without slashes.
        ("user:pw@host/", "user:***@host/"),
        ("user:p:w@x@host", "user:***@host"),
        ("me@corp:pw@host", "me@corp:***@host"),
        ("URL:user:pw@host", "URL:user:***@host"),
        (":pw@host", ":***@host"),
        ("ssh:user:pw@host", "ssh:user:***@host"),
        ("url: SSH:user:pw@host", "url: SSH:user:***@host"),
        ("ssh:user@host", "ssh:user@host"),
        ("sip:alice@h", "sip:alice@h"),
        ("sip:alice:pw@h", "sip:alice:***@h"),
        ("URL:mailto:a@b", "URL:mailto:a@b"),
        ("NEWS:1:2@h", "NEWS:1:2@h"),
        ("mid:a:b@c", "mid:a:b@c"),
        ("cid:a@b", "cid:a@b"),
        ("tag:a@b.org,2005:x", "tag:a@b.org,2005:x"),
        ("git@host:me/it", "git@host:me/it"),
        ("pkg:npm/it@1.0", "pkg:npm/it@1.0"),
        ("localhost:80/a@b", "localhost:80/a@b"),
        ("a/b:c@d", "a/b:c@d"),
        ("a?b:c@d", "a?b:c@d"),
        // Within a URL.
        ("http://p/http:/u:pw@h/", "http://p/http:/u:***@h/"),
        ("view-source:ftp:u:pw@h", "view-source:***@h"),
        // Escaped, and with characters that browsers drop.
        ("?u=ftp%3A%2F%2Fu%3Apw%40h", "?u=ftp%3A%2F%2Fu%3A***%40h"),
        (
            "?ftp%253a%252F%2Fu%3apw%2540h",
            "?ftp%253a%252F%2Fu%3a***%2540h",
        ),
        ("?%2F/é:é%25@é%40é", "?%2F/é:***%40é"),
        (
            "?u=http%3A%2F%2Fh%3A80%2Fa%40b",
            "?u=http%3A%2F%2Fh%3A80%2Fa%40b",
        ),
        ("http://u%3Apw@h/", "http://u%3A***@h/"),
        ("foo:/\t/u:pw@h", "foo:/\t/u:***@h"),
        ("ht\ntp:u:p\tw@h", "ht\ntp:***@h"),
        ("%40", "%40"),
        ("%", "%"),
        ("", ""),
        ("http:", "http:"),
    ] {
        assert_eq!(mask(text, false), shown, "{text}");
        assert_eq!(mask(text, true), text);
    }
}

#[test]
fn offsets_follow_their_bytes() {
    let masked = Masked::new("http://u:secret@h/?ftp://u:x@h^", false);
    assert_eq!(masked.text, "http://u:***@h/?ftp://u:***@h^");
    for (offset, shown) in [
        (0, 0),
        (9, 9),
        (12, 9),
        (15, 12),
        (16, 13),
        (27, 24),
        (28, 27),
        (30, 29),
    ] {
        assert_eq!(masked.offset(offset), shown, "{offset}");
        assert_eq!(masked.before(offset).len(), shown, "{offset}");
    }
    for (range, shown) in [
        (0..9, "http://u:"),
        (0..12, "http://u:***"),
        (9..12, "***"),
        (10..12, "***"),
        (9..9, ""),
        (12..16, "***@"),
        (16..17, "h"),
        (27..28, "***"),
    ] {
        assert_eq!(masked.slice(range.clone()), shown, "{range:?}");
    }
    assert!(masked.hides(9) && masked.hides(14) && !masked.hides(15) && !masked.hides(8));
}
