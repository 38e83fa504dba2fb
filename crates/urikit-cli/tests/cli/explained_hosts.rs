//! `uri explain`: findings on top, domains, spellings of hosts, pairs, and long lines.

use crate::support::{command, run_with, uri, uri_with};

/// Returns the page of a reference, 100 columns wide.
fn page(arguments: &[&str]) -> String {
    let mut command = command();
    command.arg("explain").args(arguments).env("COLUMNS", "100");
    run_with(command, b"").out
}

#[test]
fn findings_come_first() {
    let page = page(&["http://good.example\\@evil.example/"]);
    assert!(page.starts_with("Findings\n"), "{page}");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    assert!(at("Findings") < at("Not valid under RFC 3986"));
    assert!(at("Not valid under RFC 3986") < at("Components"));
    assert_eq!(page.matches("Findings").count(), 1);
    assert!(!self::page(&["http://example.com/"]).contains("Findings"));
}

#[test]
fn a_host_has_its_domain_and_both_spellings() {
    for (arguments, remark) in [
        (
            &["http://www.example.co.uk/"][..],
            "a host name; domain example.co.uk",
        ),
        (
            &["http://www.xn--mnchen-3ya.de/"],
            "a host name; in Unicode www.münchen.de; domain xn--mnchen-3ya.de",
        ),
        (
            &["--standard", "rfc3987", "http://www.münchen.de/"],
            "in the DNS www.xn--mnchen-3ya.de; domain xn--mnchen-3ya.de",
        ),
        (&["http://192.0.2.1/"], "an IPv4 address path"),
        (&["http://com/"], "a host name path"),
    ] {
        let page = page(arguments);
        let flat: String = page
            .lines()
            .map(|line| line.trim_start().to_owned() + " ")
            .collect();
        assert!(flat.contains(remark), "{remark}: {page}");
    }
    // The page shows no part of the password.
    let page = page(&["--standard", "rfc2396", "ftp://user:s3cret.example/y@host/"]);
    assert!(!page.contains("s3cret"), "{page}");
}

#[test]
fn a_look_alike_is_named() {
    for host in ["www.аррӏе.com", "www.xn--80ak6aa92e.com"] {
        let url = format!("https://{host}/");
        let page = page(&[&url]);
        let sentence = "The host looks like `www.apple.com`, but is a different name.";
        assert!(page.contains(sentence), "{page}");
        assert!(uri(["audit", &url]).out.contains(sentence));
        assert!(uri(["audit", "--json", &url]).out.contains(sentence));
    }
}

#[test]
fn the_query_is_a_table_of_pairs() {
    let page = page(&["http://h/?q=a%20b&empty=&flag&%c3%a9=%1b%ff&u=ftp://x:secret@y"]);
    let table = "
          q         \"a b\"
          empty     \"\"
          flag      (no value)
          é         \"\\u{1b}\\xff\"
          u         ftp://x:***@y
";
    assert!(page.contains(table), "{page}");
    let many = self::page(&[&format!("http://h/?{}b=2", "a=1&".repeat(60))]);
    assert!(many.contains("… and 21 more pairs\n"), "{many}");
    let long = self::page(&[&format!("http://h/?a={}", "b".repeat(5000))]);
    let longest = long.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(100), "{longest:?}");
}

#[test]
fn a_long_line_is_cut_after_64_kib() {
    let line = |length: usize, end: &str| {
        let start = "http://h/?";
        format!(
            "{start}{}{end}",
            "a".repeat(length - start.len() - end.len())
        )
    };
    let explained = |text: &str| uri_with(["explain"], text.as_bytes());
    let outcome = explained(&line(65_536, ""));
    assert!(!outcome.out.contains("Truncated:"), "{}", outcome.out);
    let outcome = explained(&line(65_537, ""));
    let cut = "Truncated: only the first 65536 of 65537 bytes are explained\n";
    assert!(outcome.out.starts_with(cut), "{}", outcome.out);
    assert_eq!(outcome.status, 0);
    // The cut is never within an escape or a character, and the status is that of the complete
    // line.
    let outcome = explained(&(line(65_535, "%41") + "%42 x"));
    assert!(
        outcome.out.contains("first 65535 of 65540 bytes"),
        "{}",
        outcome.out
    );
    assert_eq!(outcome.status, 1);
    let outcome = explained(&(line(65_535, "") + "ééé"));
    assert!(
        outcome.out.contains("first 65535 of 65541 bytes"),
        "{}",
        outcome.out
    );
    // JSON is complete.
    let json = uri_with(["explain", "--json"], line(70_000, "").as_bytes()).json();
    assert_eq!(json[0]["reference"].as_str().unwrap().len(), 70_000);
}
