//! `uri explain`: a page for a person.

use crate::support::{command, run_with, uri};
use serde_json::json;

/// The page of `arguments` on `columns` columns.
fn page(columns: &str, arguments: &[&str]) -> String {
    let mut command = command();
    command
        .arg("explain")
        .args(arguments)
        .env("COLUMNS", columns);
    run_with(command, b"").out
}

const FTP: &str = "ftp://foo:@host.dom:21/%2Fetc/motd;type=a";

#[test]
fn the_whole_page() {
    let outcome = uri(["explain", FTP]);
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.err, "");
    let (components, verdicts) = outcome.out.split_once("\nVerdicts\n").unwrap();
    assert_eq!(
        components,
        r#"As RFC 3986 reads it: absolute reference

  ftp://foo:@host.dom:21/%2Fetc/motd;type=a
  ┬──   ┬──  ┬─────── ┬─┬──────────────────
  │     user host     │ path
  scheme              port

  scheme    ftp
  user      foo
  password  (empty)
  host      host.dom  a host name
  port      21
  path      /%2Fetc/motd;type=a
            decoded: "/etc" / "motd;type=a"
"#
    );
    assert!(
        verdicts.contains("  ✗ rfc1630  byte 10: found `@` ("),
        "{verdicts}"
    );
    assert!(verdicts.contains("  ✓ rfc1738  valid\n"), "{verdicts}");
    assert!(verdicts.contains("  ✓ rfc1808  valid; path `/%2Fetc/motd`; params `type=a`\n"));
    assert!(verdicts.contains("  ✓ rfc3986  valid  ← --standard\n"));
    assert!(verdicts.contains("valid; becomes ftp://foo@host.dom/%2Fetc/motd;type=a\n"));
    assert!(verdicts.contains("Notes\n  • The password is empty"));
}

#[test]
fn a_wide_reference_has_no_ruler_and_no_line_is_too_long() {
    let long = format!(
        "http://user:pw@host.example/{}?{}",
        "a/".repeat(80),
        "q".repeat(90)
    );
    for text in [
        FTP,
        &long,
        "http://a/b^c",
        "mailto:a@b?x=y",
        "",
        "http://例え.jp/é",
        "^ ^",
    ] {
        for columns in [24, 40, 60, 80, 200] {
            let page = page(&columns.to_string(), &[text]);
            assert_eq!(page.contains('┬'), page.contains("  ┬"), "{page}");
            let wide = page.lines().find(|line| line.chars().count() > columns);
            // The caret's neighbourhood is never broken.
            let caret = columns < 66 && page.starts_with("Not valid");
            assert!(wide.is_none() || caret, "{columns}: {wide:?}");
        }
        assert!(page("24", &[FTP]).contains("  scheme    ftp\n"));
        assert!(!page("40", &[FTP]).contains('┬'));
        assert!(page("43", &[FTP]).contains('┬'));
    }
}

#[test]
fn an_invalid_reference_shows_the_caret_first() {
    let outcome = uri(["explain", "http://h/a b"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.starts_with(
        "Not valid under RFC 3986: found a space\n  http://h/a b\n            ^\n  expected a path character"
    ), "{}", outcome.out);
    assert!(
        outcome
            .out
            .contains("As browsers read it (WHATWG URL): absolute reference")
    );
    assert!(
        outcome
            .out
            .contains("  ✓ whatwg   valid; becomes http://h/a%20b\n")
    );
    assert!(outcome.out.contains("• A space is written `%20`."));
}

#[test]
fn the_chosen_standard_decides() {
    let outcome = uri(["explain", "--standard", "rfc3987", "http://é/"]);
    assert_eq!(outcome.status, 0);
    assert!(outcome.out.starts_with("As RFC 3987 reads it"));
    let outcome = uri(["explain", "http://é/"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.contains("\nAs RFC 3987 reads it"));
    assert!(outcome.out.contains("`%C3%A9`"));
}

#[test]
fn what_standards_make_of_it_is_told_where_it_differs() {
    let page = page("200", &["mailto:a@b?x=y"]);
    assert!(
        page.contains("rfc2396  valid; opaque: the query belongs to the opaque part\n"),
        "{page}"
    );
    let page = self::page("200", &["http:xyz"]);
    assert!(
        page.contains(
            "~ rfc1738  valid only by the generic production; by its scheme's own, byte 5"
        ),
        "{page}"
    );
    let page = self::page("200", &["http://999.1.1.1/"]);
    assert!(
        page.contains("rfc1738  valid; the host is an IPv4 address\n"),
        "{page}"
    );
    assert!(
        page.contains("• The host looks like an IPv4 address"),
        "{page}"
    );
}

#[test]
fn passwords_are_masked() {
    for text in [
        "http://u:hunter@h/",
        "http://u:hun^ter@h/ ",
        "http:u:hunter@h",
        "\\\\u:hunter@h",
        "http://u:hunter@h/é",
    ] {
        for standard in ["rfc3986", "rfc1630", "whatwg"] {
            let masked = page("80", &["--standard", standard, text]);
            assert!(!masked.contains("hun"), "{masked}");
            assert!(!masked.contains("%5E"), "{masked}");
            let shown = page("80", &["--standard", standard, "--show-secrets", text]);
            assert!(shown.contains("hun"), "{shown}");
        }
    }
}

#[test]
fn a_url_prefix_is_taken_away_and_that_is_said() {
    for text in ["URL:http://a/", "url:  http://a/", "Url:http://a/"] {
        let page = page("80", &[text]);
        assert!(page.contains("  http://a/\n"), "{page}");
        assert!(
            page.contains("• The `URL:` in front was taken away"),
            "{page}"
        );
    }
    assert!(!page("80", &["http://a/"]).contains("taken away"));
}

#[test]
fn notes_tell_what_is_dangerous_or_odd() {
    for (text, note) in [
        ("http://u:p@h/", "It holds a password"),
        (
            "http://www.bank.example@evil.example/",
            "looks like a host and is none",
        ),
        ("http://h:/", "The port is empty"),
        ("http://h:99999/", "No port above 65535"),
        ("http://h:080/", "leading zeros"),
        ("http://h/%0d%0a", "control character"),
        ("localhost:8080", "read as a scheme"),
        ("www.w3.org/x", "relative path"),
    ] {
        let page = page("200", &[text]);
        assert!(page.contains(note), "{page}");
    }
    assert!(!page("80", &["http://h:80/a%20b"]).contains("Notes"));
    assert!(page("200", &["http://a", "b"]).contains("This is argument 2"));
}

#[test]
fn decoded_bytes_are_escaped() {
    let page = page("80", &["http://h/%1b%ff%22/a%2fb?x=%26&y"]);
    assert!(
        page.contains(r#"decoded: "\u{1b}\xff\"" / "a/b""#),
        "{page}"
    );
    assert!(page.contains(r#"decoded: "x=&" & "y""#), "{page}");
}

#[test]
fn json_holds_every_verdict() {
    let outcome = uri(["explain", "--json", "url:http://[::1]/"]);
    let value = &outcome.json()[0];
    assert_eq!(value["input"], json!("url:http://[::1]/"));
    assert_eq!(value["reference"], json!("http://[::1]/"));
    assert_eq!(value["valid"], json!(true));
    let verdicts = value["verdicts"].as_array().unwrap();
    let valid: Vec<_> = verdicts
        .iter()
        .filter(|verdict| verdict["valid"] == json!(true))
        .map(|verdict| verdict["standard"].as_str().unwrap())
        .collect();
    assert_eq!(valid, ["rfc2732", "rfc3986", "rfc3987", "whatwg"]);
    assert_eq!(verdicts.len(), 8);
    let parsed = uri(["parse", "--json", "http://[::1]/"]);
    assert_eq!(verdicts[5], parsed.json()[0]);
}
