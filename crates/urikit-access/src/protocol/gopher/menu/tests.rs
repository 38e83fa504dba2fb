use super::{Menu, link};
use crate::listing::{Entry, EntryKind};
use urikit::UriRef;

fn entry(line: &[u8]) -> Entry {
    Menu::default().entry(line)
}

fn reference(line: &[u8]) -> Option<String> {
    entry(line).reference
}

#[test]
fn urls_of_all_types() {
    for (line, expected) in [
        // RFC 1436, 2
        (
            "0About internet Gopher\tStuff:About us\trawBits.micro.umn.edu\t70",
            "gopher://rawBits.micro.umn.edu/0Stuff:About%20us",
        ),
        (
            "1Courses, Schedules, Calendars\t\tevents.ais.umn.edu\t9120",
            "gopher://events.ais.umn.edu:9120/1",
        ),
        // Gopher+, 2.2 and 2.8; RFC 1738, 3.4.4 and 3.4.5
        (
            "1Some new directory\tbar selector\thost1\t71\t+",
            "gopher://host1:71/1bar%20selector%09%09+",
        ),
        (
            "0A file\tfile selector\thost\t70\t?",
            "gopher://host/0file%20selector%09%09%3F",
        ),
        ("7Find\t/find\th\t70\t+", "gopher://h/7/find"),
        ("8Library\tuser:x\th\t23", "telnet://user%3Ax@h:23"),
        ("8Library\t\th\t0", "telnet://h"),
        ("THost\tlogin\th\t2323", "tn3270://login@h:2323"),
        ("2Phones\t\th\t105", "gopher://h:105/2"),
        (
            "hWeb\tURL:http://example.org/?a#b\th\t70",
            "http://example.org/?a#b",
        ),
        ("hWeb\t/URL:mailto:a@b\th\t70", "mailto:a@b"),
        (
            "hNo URL\tURL:no scheme\th\t70",
            "gopher://h/hURL:no%20scheme",
        ),
        ("ga picture\t/p.gif\t::1\t70", "gopher://[::1]/g/p.gif"),
        (
            "9dots\t../a?b%\t10.0.0.1\t70 ",
            "gopher://10.0.0.1/9../a%3Fb%25",
        ),
    ] {
        let found = reference(line.as_bytes());
        assert_eq!(found.as_deref(), Some(expected), "{line:?}");
        assert!(UriRef::parse(expected).is_ok(), "{expected}");
    }
    // Octets that are not UTF-8 are kept exactly.
    let found = reference(b"0a\t\xff\th\t70");
    assert_eq!(found.as_deref(), Some("gopher://h/0%FF"));
}

#[test]
fn every_line_becomes_an_entry() {
    for (line, kind, name) in [
        (&b""[..], EntryKind::Text, ""),
        (b"Welcome to here", EntryKind::Text, "Welcome to here"),
        (b"is it?", EntryKind::Text, "is it?"),
        (b"iWelcome\tfake\t(NULL)\t0", EntryKind::Text, "Welcome"),
        (b"i\t\t\t", EntryKind::Text, ""),
        (
            b"3It failed\t\terror.host\t1",
            EntryKind::Error,
            "It failed",
        ),
        (b"0a\tsel", EntryKind::Error, "a"),
        (b"0a\tsel\t\t70", EntryKind::Error, "a"),
        (b"0a\tsel\th", EntryKind::Error, "a"),
        (b"0a\tsel\th\t", EntryKind::Error, "a"),
        (b"0a\tsel\th\t+70", EntryKind::Error, "a"),
        (b"0a\tsel\th\t65536", EntryKind::Error, "a"),
        (b"0a\tsel\th\xff\t70", EntryKind::Error, "a"),
        (b"0a\tsel\th/x\t70", EntryKind::Error, "a"),
        (b"0a\tsel\tu@h\t70", EntryKind::Error, "a"),
        (b"0a\tsel\th:1\t70", EntryKind::Error, "a"),
        (b"\t\t\t\t\t\t\t", EntryKind::Error, ""),
    ] {
        let found = entry(line);
        assert_eq!((found.kind, found.name.as_str()), (kind, name), "{found:?}");
        assert_eq!(found.reference, None, "{found:?}");
    }
    let found = entry(b"0a\tsel\th\t70\t+\tmore\t\t");
    let extra = ("extra", "+\tmore\t\t".to_owned());
    assert!(found.details.contains(&extra), "{found:?}");
    let found = entry(b"\xffa\xff\tsel\th\t70");
    assert_eq!(
        (found.kind, found.name.as_str()),
        (EntryKind::Other, "a\u{fffd}")
    );
    assert_eq!(found.reference.as_deref(), Some("gopher://h/%FFsel"));
}

#[test]
fn a_redundant_server_has_the_type_of_its_primary() {
    let mut menu = Menu::default();
    menu.entry(b"7Find\t/f\th\t70");
    menu.entry(b"itext\t\t\t");
    for host in ["i", "j"] {
        let entry = menu.entry(format!("+Find\t/g\t{host}\t70").as_bytes());
        assert_eq!(entry.reference, Some(format!("gopher://{host}/7/g")));
        assert_eq!(entry.kind, EntryKind::Search);
        assert_eq!(entry.details[0], ("type", "+".to_owned()));
    }
}

#[test]
fn links() {
    assert_eq!(link(b"URL:http://h/"), Some("http://h/"));
    assert_eq!(link(b"/URL:file:///etc/passwd"), Some("file:///etc/passwd"));
    for selector in [
        &b"URL:"[..],
        b"URL:a",
        b"URL:http://a b/",
        b"URL:http://\xff/",
        b"url:http://h/",
        b"//URL:http://h/",
    ] {
        assert_eq!(link(selector), None);
    }
}
