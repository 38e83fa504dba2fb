//! Joining below a base: paths that stay below it for every reader, and paths that are rejected.

use urikit::{EditError, Standard, UriRef, Value};
use urikit_testkit::Random;

fn joined(base: &str, path: &str) -> Result<String, EditError> {
    let base = UriRef::parse(base).unwrap();
    base.to_builder()
        .join_below(path)
        .build_ref()
        .map(|joined| joined.as_str().to_owned())
}

#[test]
fn nothing_below_a_base_leaves_it() {
    const PIECES: [&str; 27] = [
        "..",
        ".",
        "/",
        "/",
        "\\",
        "%2e",
        "%2E",
        "%2f",
        "%5C",
        ";",
        "a",
        "%00",
        ":",
        "?",
        "#",
        " ",
        "%252e",
        "%25%32%65",
        "%25252f",
        "%09",
        "%c0%ae",
        "%E0%80%AF",
        "．",
        "／",
        "\u{2215}",
        "‥",
        "%ef%bc%bc",
    ];
    let mut random = Random::new(13);
    let mut done = 0;
    for _ in 0..200_000 {
        let count = random.below(7);
        let path: String = (0..count).map(|_| *random.pick(&PIECES)).collect();
        let base = *random.pick(&[
            "http://h",
            "http://h/",
            "http://h/x",
            "http://h/x/?q#f",
            "x",
            "",
            "/x/..",
        ]);
        let base = UriRef::parse(base).unwrap();
        let Ok(joined) = base.to_builder().join_below(&path).build_ref() else {
            continue;
        };
        done += 1;
        let joined = joined.as_uri_ref();
        assert_eq!(joined.authority(), base.authority());
        assert_eq!((joined.query(), joined.fragment()), (None, None));
        let rest = joined.path().as_str().strip_prefix(base.path().as_str());
        let rest = rest.unwrap_or_else(|| panic!("{base} {path:?}: {joined}"));
        for times in 0..=4 {
            for is_windows in [false, true] {
                let depths = depths(&read(rest, times), is_windows);
                let is_below = depths.iter().all(|depth| *depth >= 0);
                assert!(is_below, "{base} {path:?}: {joined}");
            }
        }
    }
    assert!(done > 20_000, "{done}");
}

/// Models a careless reader: decodes several times, and treats everything that looks like a dot or
/// a slash as one.
fn read(path: &str, times: usize) -> String {
    // Each octet becomes a character, so that none is lost.
    let mut text: String = path.bytes().map(char::from).collect();
    for _ in 0..times {
        let mut decoded = String::new();
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let digits = rest.get(1..3).filter(|_| c == '%');
            let octet = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            decoded.push(octet.map_or(c, char::from));
            rest = rest.split_at(octet.map_or(c.len_utf8(), |_| 3)).1;
        }
        text = decoded;
    }
    for (looks, octets) in [
        (".", "\u{C0}\u{AE}"),
        ("/", "\u{E0}\u{80}\u{AF}"),
        (".", "\u{EF}\u{BC}\u{8E}"),
        ("/", "\u{EF}\u{BC}\u{8F}"),
        ("/", "\u{E2}\u{88}\u{95}"),
        ("..", "\u{E2}\u{80}\u{A5}"),
        ("\\", "\u{EF}\u{BC}\u{BC}"),
    ] {
        text = text.replace(octets, looks);
    }
    text
}

/// Returns the depth after each segment, for a reader that drops parameters and stops at a NUL.
/// Windows strips blanks and dots from the end of a name, but keeps two dots in `..`.
fn depths(path: &str, is_windows: bool) -> Vec<isize> {
    let path = path.split('\0').next().unwrap();
    let mut depth = 0;
    let depths = path.split(['/', '\\']).map(|segment| {
        let name = segment.split(';').next().unwrap();
        let is_up = match name.strip_prefix("..") {
            Some(end) if is_windows => end.chars().all(|c| c == '.' || c.is_whitespace()),
            end => end == Some(""),
        };
        depth += match name {
            _ if is_up => -1,
            "" | "." => 0,
            _ => 1,
        };
        depth
    });
    depths.collect()
}

#[test]
fn every_spelling_is_refused() {
    let paths = [
        // These paths spell dots in different ways.
        "..",
        "../x",
        "a/../b",
        "a/..",
        "%2e%2E/x",
        "%252e%252e/x",
        "%25252E./x",
        "%2525252E./x",
        "%25%32%65./x",
        "%c0%ae%c0%ae/x",
        "%e0%80%ae./x",
        "%F0%80%80%AE./x",
        "%25c0%25ae./x",
        "．．/x",
        "%EF%BC%8E./x",
        "․․/x",
        "﹒./x",
        "‥/x",
        "…/x",
        // These paths have other characters around their dots.
        "..%20/x",
        "..%09/x",
        " ../x",
        "... /x",
        ".../x",
        ". ./x",
        "..;a/x",
        "..%00/x",
        "..%3Fx",
        "..%23",
        "..:s/x",
        // These paths spell slashes in different ways.
        "/x",
        "\\x",
        "%2Fx",
        "%255Cx",
        " /x",
        "%09%2Fx",
        "／x",
        "＼x",
        "%c0%afx",
        "%C1%9Cx",
        "\u{2215}x",
        "\u{2044}x",
        "\u{2216}x",
        "\u{29F5}x",
        "﹨x",
        "a\u{2215}..\u{2044}b",
        "a%5C..",
        "a%252f..%252fb",
    ];
    for path in paths {
        for base in ["http://h", "http://h/x/", "x", ""] {
            assert_eq!(
                joined(base, path),
                Err(EditError::LeavesBase),
                "{base} {path}"
            );
        }
        if path.starts_with("%252525") {
            continue; // as data, it has one more level of escapes than are decoded
        }
        let raw = Standard::Rfc3987.parse("http://h/x").unwrap();
        let raw = raw.to_builder().join_below(Value::data(path));
        let mut out = String::from("before");
        assert_eq!(
            raw.clone().write_into(&mut out).unwrap_err(),
            EditError::LeavesBase,
            "{path} as data, under RFC 3987"
        );
        assert_eq!(out, "before");
        assert_eq!(raw.build_any(), Err(EditError::LeavesBase), "{path}");
    }
    let message = EditError::LeavesBase.to_string();
    assert!(
        message.contains("found a `..` or a leading slash"),
        "{message}"
    );
}

#[test]
fn names_with_dots_and_escapes_are_names() {
    for (path, below) in [
        ("a..b", "a..b"),
        ("..a/x", "..a/x"),
        ("a..", "a.."),
        (".a", ".a"),
        ("a…", "a%E2%80%A6"),
        ("100%", "100%25"),
        ("%2525", "%2525"),
        ("a//b", "a//b"),
        ("%FF%2e", "%FF%2e"),
        ("c:/x", "c:/x"),
        // `.` is omitted.
        ("./c", "c"),
        ("a/%2E/c", "a/c"),
        ("a/.", "a"),
    ] {
        assert_eq!(
            joined("http://h/x?q#f", path),
            Ok(format!("http://h/x/{below}"))
        );
    }
    assert_eq!(joined("http://h/x?q#f", "."), Ok("http://h/x".to_owned()));
}

#[test]
fn the_empty_path_adds_a_slash_where_one_can_stand() {
    for (base, below) in [
        ("http://h", "http://h/"),
        ("http://h/x", "http://h/x/"),
        ("http://h/x/", "http://h/x/"),
        ("x", "x/"),
        // A slash would change the meaning of these references.
        ("x:", "x:"),
        ("", ""),
    ] {
        assert_eq!(joined(base, ""), Ok(below.to_owned()));
    }
    assert_eq!(joined("x:", ".//y"), Err(EditError::LeavesBase));
}
