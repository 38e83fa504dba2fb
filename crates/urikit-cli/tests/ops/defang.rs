//! Defanged output, the base of folders, `--step unwrap`, and `decode --lenient`.

use crate::support::{Folder, uri, uri_with};
use serde_json::json;

#[test]
fn get_defangs_hosts() {
    let url = "http://u@www.evil.example:80/a.b?c=http://b.example";
    for (template, expected) in [
        ("{host:defang}", "www[.]evil[.]example"),
        ("{defang:host}", "www[.]evil[.]example"),
        ("{domain:defang}", "evil[.]example"),
        ("{origin:defang}", "hxxp://www[.]evil[.]example"),
        (
            "{url:defang}",
            "hxxp://u@www[.]evil[.]example:80/a.b?c=hxxp://b.example",
        ),
    ] {
        assert_eq!(
            uri(["get", template, url]).out,
            format!("{expected}\n"),
            "{template}"
        );
    }
    let outcome = uri(["get", "{path:defang}", url]);
    assert!(
        outcome.err.contains("only hosts can be defanged"),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.status, 2);
}

#[test]
fn extract_defangs_references_and_finds_them_again() {
    let text = b"see http://evil.example/a and https://b.example:8443/c.d?e\n";
    let defanged = uri_with(["extract", "--defang"], text);
    assert_eq!(
        defanged.out,
        "hxxp://evil[.]example/a\nhxxps://b[.]example:8443/c.d?e\n"
    );
    let found = uri_with(["extract", "--kinds", "defanged"], defanged.out.as_bytes());
    assert_eq!(
        found.out,
        "hxxp://evil[.]example/a\thttp://evil.example/a\n\
         hxxps://b[.]example:8443/c.d?e\thttps://b.example:8443/c.d?e\n"
    );
    let json = uri_with(["extract", "--defang", "--json"], text).json();
    assert_eq!(json[0]["uri"], json!("http://evil.example/a"));
    assert_eq!(json[0]["defanged"], json!("hxxp://evil[.]example/a"));
    assert_eq!(
        uri_with(["extract", "--json"], text).json()[0].get("defanged"),
        None
    );
    // Context lines are text with links.
    assert_eq!(uri_with(["extract", "--defang", "-C", "1"], text).status, 2);
}

#[test]
fn a_file_in_a_folder_has_the_base_joined_with_its_path() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("site/sub dir")).unwrap();
    folder.file("site/a.html", "<a href=x>");
    let named = folder.file("site/sub dir/b%.html", "<a href=../y><a href=z>");
    let site = folder.path().join("site");
    let site = site.to_str().unwrap();
    let found = |arguments: &[&str]| {
        let outcome = uri(["extract", "--base"].iter().chain(arguments));
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
        outcome.out
    };
    let expected = "https://e.org/d/x\nhttps://e.org/d/y\nhttps://e.org/d/sub%20dir/z\n";
    for base in ["https://e.org/d", "https://e.org/d/", "https://e.org/d?q#f"] {
        assert_eq!(found(&[base, site]), expected);
    }
    assert_eq!(found(&["https://e.org/d/", &format!("{site}/")]), expected);
    // The base of a file that is an argument, or on a list, is not extended.
    let given = "https://e.org/y\nhttps://e.org/d/z\n";
    assert_eq!(found(&["https://e.org/d/i", &named]), given);
    let list = folder.file("list", format!("{named}\n"));
    assert_eq!(found(&["https://e.org/d/i", "--files-from", &list]), given);
    // A base in the document takes precedence.
    folder.file("site/a.html", "<base href=/r/><a href=x>");
    assert!(
        found(&["https://e.org/d/", site]).starts_with("https://e.org/r/\nhttps://e.org/r/x\n")
    );
}

#[test]
fn normalize_unwraps_redirectors() {
    let unwrapped = |arguments: &[&str], url: &str| {
        let all = ["normalize", "--step", "unwrap"].iter().chain(arguments);
        let outcome = uri(all.chain(&[url]));
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
        outcome.out
    };
    let google =
        "https://www.google.com/url?q=HTTP%3A%2F%2FA.example%3A80%2Fb%2F..%2Fc%3Futm_source%3Dd";
    assert_eq!(unwrapped(&[], google), "http://a.example/c?utm_source=d\n");
    assert_eq!(
        unwrapped(&["--step", "strip-tracking"], google),
        "http://a.example/c\n"
    );
    assert_eq!(
        unwrapped(&["--standard", "whatwg"], google),
        "http://a.example/c?utm_source=d\n"
    );
    assert_eq!(
        unwrapped(&["--standard", "rfc3987"], google),
        "http://a.example/c?utm_source=d\n"
    );
    assert_eq!(
        unwrapped(&[], "https://www.google.com/url?q=words"),
        "https://www.google.com/url?q=words\n"
    );
    let json = uri(["normalize", "--json", "--step", "unwrap", google]).json();
    assert_eq!(json[0]["steps"], json!(["unwrap"]));
    assert_eq!(json[0]["changed"], json!(true));
    let deep = "https://web.archive.org/web/2020/".repeat(1000) + "http://a.example/\n";
    assert_eq!(
        uri_with(["normalize", "--step", "unwrap"], deep.as_bytes()).status,
        0
    );
}

#[test]
fn decode_keeps_lone_percent_signs_if_lenient() {
    for (arguments, text, expected) in [
        (&[][..], "100% %41%4", "100% A%4\n"),
        (&[], "%", "%\n"),
        (&[], "%%41%g1", "%A%g1\n"),
        (&["--form"], "a+b%", "a b%\n"),
        (&["--charset", "latin-1"], "%E9%", "é%\n"),
        (&[], "a%20b", "a b\n"),
    ] {
        let outcome = uri(["decode", "--lenient"]
            .iter()
            .chain(arguments)
            .chain(&[text]));
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            (expected, ""),
            "{text}"
        );
        assert_eq!(outcome.status, 0);
    }
    assert_eq!(uri(["decode", "100%"]).status, 1);
    assert_eq!(uri(["decode", "--lenient", "--iri", "a"]).status, 2);
    let long = "%".repeat(100_000) + "\n";
    assert_eq!(uri_with(["decode", "--lenient"], long.as_bytes()).out, long);
}

#[test]
fn an_iri_is_an_error_that_names_the_standard() {
    const HINT: &str = "  valid under RFC 3987: --standard rfc3987\n";
    for command in [
        &["parse"][..],
        &["normalize"],
        &["get", "{host}"],
        &["resolve", "--base", "http://a/"],
    ] {
        let outcome = uri(command.iter().chain(&["http://é.example/"]));
        assert!(outcome.err.ends_with(HINT), "{command:?}: {}", outcome.err);
        assert_eq!(outcome.status, 1);
    }
    for text in ["http://a b/", "http://é b/", "http://a/\u{E000}"] {
        let outcome = uri(["parse", text]);
        assert!(!outcome.err.contains("rfc3987"), "{text}: {}", outcome.err);
    }
    let outcome = uri(["parse", "--standard", "rfc2396", "http://é/"]);
    assert!(!outcome.err.contains("rfc3987"), "{}", outcome.err);
}

#[test]
fn lenient_strips_what_surrounds_a_reference() {
    for (text, expected) in [
        ("<http://a/>", "http://a/"),
        ("<URL:http://a/>", "http://a/"),
        ("< url: http://a/b c >", "http://a/b%20c"),
        ("‹http://a/›", "http://a/"),
        ("«http://a/»", "http://a/"),
        ("\"http://a/\"", "http://a/"),
        ("'http://a/'", "http://a/"),
        ("“http://a/”", "http://a/"),
        ("„http://a/“", "http://a/"),
        ("`http://a/`", "http://a/"),
        ("\"<http://a/>\"", "http://a/"),
        // Delimiters are removed only in pairs.
        ("http://a/>", "http://a/%3E"),
        ("\"\"", ""),
    ] {
        let outcome = uri(["normalize", "--lenient", "--level", "case", text]);
        assert_eq!(
            outcome.out,
            format!("{expected}\n"),
            "{text}: {}",
            outcome.err
        );
    }
    assert_eq!(uri(["normalize", "--lenient", "<http://a/"]).status, 1);
    // Valid input is never changed.
    assert_eq!(uri(["normalize", "--lenient", "'a'"]).out, "'a'\n");
    let deep = "<".repeat(100_000) + "http://a/" + &">".repeat(100_000) + "\n";
    assert_eq!(
        uri_with(["normalize", "--lenient", "-q"], deep.as_bytes()).out,
        "http://a/\n"
    );
}
