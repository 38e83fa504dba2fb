//! `uri explain` on terminals of 40, 80 and 200 columns, with and without colours: the reference
//! and its ruler, readers, findings, and notes on what people type.

use crate::support::{keys, uri};
use crate::terminal::{Screen, on_terminal};
use serde_json::{Value, json};

const WIDTHS: [u16; 3] = [40, 80, 200];

/// Returns the page of a reference at each width, with and without colours.
fn pages(reference: &str) -> impl Iterator<Item = (u16, bool, Screen)> {
    let kinds = WIDTHS
        .into_iter()
        .flat_map(|width| [(width, false), (width, true)]);
    kinds.map(move |(width, colours)| {
        let screen = on_terminal(width, colours, &["explain", reference]);
        (width, colours, screen)
    })
}

/// Joins the lines without their indentation, to find text that may be wrapped.
fn joined(page: &str) -> String {
    page.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A URL of 87 bytes.
const LONG: &str =
    "https://user@www.example.org:8443/a/rather/long/path/page.html?query=one&other=two#part";

#[test]
fn the_reference_and_its_ruler_are_always_shown() {
    assert_eq!(LONG.len(), 87);
    let longer = format!("{LONG}{}", "/more".repeat(200));
    for reference in [
        LONG,
        &longer,
        "http://a/",
        "http://例え.example/パス/パス/パス/パス/パス/パス/パス/パス/",
        "http://example.org/a/page/with^something/wrong/in/the/middle/of/it",
        "http://example.org/and/at/the/end/where/the/caret/follows/%",
    ] {
        for (width, colours, screen) in pages(reference) {
            let page = screen.plain();
            assert_eq!(colours, page != screen.text, "{reference}");
            // The findings come first.
            let heads = |line: &&str| !line.starts_with("Not valid") && !line.starts_with("Comp");
            let lines = page.lines().skip_while(heads);
            let lines = lines.skip_while(|line| !line.starts_with("  "));
            let rows: String = lines
                .map_while(|line| line.strip_prefix("  "))
                .take_while(|line| !line.starts_with("expected"))
                .filter(|line| !is_ruler(line))
                .collect();
            assert_eq!(rows, reference, "{width}: {page}");
            let is_rejected = page.contains("Not valid under");
            let mark = if is_rejected { "^\n" } else { "┬" };
            assert!(page.contains(mark), "{width}: {page}");
            for line in page.lines() {
                let columns: usize = line.chars().map(columns).sum();
                assert!(columns <= usize::from(width), "{width}: {line}");
            }
        }
    }
}

/// Returns true for a line that contains only marks and names of components.
fn is_ruler(line: &str) -> bool {
    let names = [
        "scheme", "user", "host", "port", "path", "query", "fragment",
    ];
    let mut words = line.split(|c: char| " ┬─│^".contains(c));
    words.all(|word| word.is_empty() || names.contains(&word))
}

/// Returns the width of a character in columns. The width is exact only for the characters in these
/// tests.
fn columns(c: char) -> usize {
    if ('\u{3000}'..='\u{FFFF}').contains(&c) {
        2
    } else {
        1
    }
}

#[test]
fn a_reference_of_87_bytes_is_wrapped() {
    let page = on_terminal(80, false, &["explain", LONG]).text;
    let ruler = "
  https://user@www.example.org:8443/a/rather/long/path/page.html?query=one&other
  ┬────   ┬─── ┬────────────── ┬───┬──────────────────────────── ┬──────────────
  scheme  user host            │   path                          query
                               port
  =two#part
  ──── ┬───
       fragment

";
    assert!(page.contains(ruler), "{page}");
    let page = on_terminal(40, false, &["explain", LONG]).text;
    let ruler = "
  https://user@www.example.org:8443/a/ra
  ┬────   ┬─── ┬────────────── ┬───┬────
  scheme  user host            │   path
                               port
  ther/long/path/page.html?query=one&oth
  ──────────────────────── ┬────────────
                           query
  er=two#part
  ────── ┬───
         fragment

";
    assert!(page.contains(ruler), "{page}");
}

#[test]
fn a_name_ends_where_the_page_ends() {
    let path = "http://a/bcdefghijklmnopqrstuvwxyzab";
    let page = on_terminal(40, false, &["explain", &format!("{path}#d")]).text;
    let ruler = "
  http://a/bcdefghijklmnopqrstuvwxyzab#d
  ┬───   ┬┬─────────────────────────── ┬
  scheme │path                  fragment
         host
";
    assert!(page.contains(ruler), "{page}");
    // A second component begins on another row.
    let page = on_terminal(40, false, &["explain", &format!("{path}?c#d")]).text;
    let ruler = "
  http://a/bcdefghijklmnopqrstuvwxyzab?c
  ┬───   ┬┬─────────────────────────── ┬
  scheme │path                     query
         host
  #d
   ┬
   fragment
";
    assert!(page.contains(ruler), "{page}");
}

#[test]
fn a_table_of_readers_marks_what_differs() {
    let reference = "http://good.example\\@evil.example/";
    let wide = on_terminal(80, false, &["explain", reference]);
    assert_eq!(wide.status, 1);
    assert!(
        wide.text.contains(
            "
Readers disagree about validity, userinfo and host
                scheme    userinfo         host          port    path
  rfc3986       ≠ rejects it: found `\\`
  whatwg        http      (none)           good.example  80      /@evil.example/
  lenient       http    ≠ good.example\\  ≠ evil.example  80    ≠ /
  curl          http    ≠ good.example\\  ≠ evil.example  80    ≠ /
  urllib        http    ≠ good.example\\  ≠ evil.example  80    ≠ /
  java-net-uri  rejects it: expected a character allowed in an authority
  legacy-ipv4   rejects it: found `\\`
  ≠ differs from the first reader, or between the standards

"
        ),
        "{}",
        wide.text
    );
    let narrow = on_terminal(40, false, &["explain", reference]).text;
    assert!(
        narrow.contains(
            "
Readers disagree about validity,
userinfo and host
≠ validity  accepted  whatwg, lenient,
                      curl, urllib
            rejected  rfc3986,
                      java-net-uri,
                      legacy-ipv4
  scheme    http
≠ userinfo  (none)         whatwg
            good.example\\  lenient,
                           curl, urllib
≠ host      good.example  whatwg
            evil.example  lenient, curl,
                          urllib
  port      80
≠ path      /@evil.example/
              whatwg
            /
              lenient, curl, urllib
"
        ),
        "{narrow}"
    );
}

#[test]
fn readers_that_agree_are_one_row() {
    for (_, _, screen) in pages("http://user@example.com/a") {
        let row = "
Readers agree
         scheme  userinfo  host         port
  all 7  http    user      example.com  80
";
        let page = screen.plain();
        if page.contains("\n         scheme ") {
            assert!(page.contains(row), "{page}");
        } else {
            assert!(page.contains("  userinfo  user\n  host      example.com\n"));
        }
        assert!(!page.contains('≠') && !page.contains("Findings"), "{page}");
    }
    for (_, _, screen) in pages("a/b") {
        let page = screen.plain();
        assert!(page.contains("Readers that accept it agree"), "{page}");
        assert!(
            page.contains("  rfc3986       accepts it, but only as a path\n"),
            "{page}"
        );
    }
}

#[test]
fn a_null_host_and_different_hosts_are_shown() {
    for (width, _, screen) in pages("http://ex%61mple.com/") {
        let page = screen.plain();
        assert!(page.contains("Readers disagree about host\n"), "{page}");
        if width >= 80 {
            assert!(page.contains("\n  curl          http    ≠ example.com    80\n"));
            assert!(
                page.contains("\n  java-net-uri  http      null\n"),
                "{page}"
            );
        } else {
            assert!(
                page.contains("≠ host      ex%61mple.com  rfc3986,\n"),
                "{page}"
            );
            assert!(
                page.contains("            null           java-net-uri\n"),
                "{page}"
            );
        }
    }
}

#[test]
fn the_normal_form_is_shown() {
    for (_, _, screen) in pages("HTTP://EXAMPLE.com:80/%7Ea/./b") {
        let page = screen.plain();
        assert!(
            page.contains("\nNormal form\n  http://example.com/~a/b\n"),
            "{page}"
        );
    }
    for (_, _, screen) in pages("http://example.com/") {
        assert!(screen.plain().contains("\nNormal form: unchanged\n"));
    }
}

/// Common typing errors, and the beginning of the note on each.
#[test]
fn notes_on_what_people_type() {
    for (text, note) in [
        (
            "www.example.com",
            "`www.example.com` is the first segment of a relative path, not a \
          host. A URL begins with its scheme: `https://www.example.com`.",
        ),
        (
            "example.com",
            "`example.com` is the first segment of a relative path",
        ),
        (
            "example.com/a?b",
            "begins with its scheme: `https://example.com/a?b`.",
        ),
        (
            "münchen.de/x",
            "begins with its scheme: `https://münchen.de/x`.",
        ),
        ("localhost:8080", "`localhost` is parsed as a scheme"),
        ("example.com:80/x", "scheme: `https://example.com:80/x`."),
        (
            "http:/a/x",
            "One slash follows the scheme, so the URL has a path, but no host. Browsers \
          and curl interpret it as `http://a/x`.",
        ),
        ("https:///a/x", "More than two slashes follow the scheme"),
        (
            "http//a",
            "The colon after `http` is missing, so this is a relative path. The URL is \
          `http://a`.",
        ),
        (
            "htp://",
            "The scheme `htp` is unknown. Did you mean `http`?",
        ),
        (
            "htpps://a/",
            "The scheme `htpps` is unknown. Did you mean `https`?",
        ),
        (
            "C:/Windows/win.ini",
            "`C:` is a Windows drive, but a URI begins with a scheme. The \
          URL of the file is `file:///C:/Windows/win.ini`.",
        ),
        ("c:\\a b\\c", "The URL of the file is `file:///c:/a%20b/c`."),
        (
            "user@host:path",
            "scp and Git write a host and a path like this. The URL is \
          `ssh://user@host/path`.",
        ),
        ("git@github.com:u/r.git", "`ssh://git@github.com/u/r.git`."),
        (
            "[fe80::1%25eth0]",
            "An address is a host only after a scheme and two slashes: \
          `http://[fe80::1]/`.",
        ),
        (
            "[fe80::1%25eth0]",
            "The zone `%25eth0` names a network interface of one machine.",
        ),
        (
            "http://[fe80::1%eth0]/",
            "The zone `%eth0` names a network interface",
        ),
        ("::1", "`http://[::1]/`."),
        ("127.0.0.1:8080/x", "two slashes: `http://127.0.0.1:8080/`."),
        (
            "http://0x7f.1/",
            "Operating systems interpret the host as the address 127.0.0.1.",
        ),
        (
            "exаmple.com",
            "The name contains `а` (U+0430), which may look like ASCII letters",
        ),
        ("http://exаmple.com/", "The name contains `а` (U+0430)"),
        (
            "\u{FEFF}http://a/",
            "The text begins with a byte-order mark (U+FEFF)",
        ),
        (
            "\u{FEFF}www.a.example",
            "A URL begins with its scheme: `https://www.a.example`.",
        ),
        ("http://h:65536/", "The largest port number is 65535."),
        (
            "mongodb://a:1,b:2/",
            "A URI has one host and one port (RFC 3986, 3.2).",
        ),
        ("mongodb://u:p@a:1,b:2/", "A URI has one host"),
    ] {
        for (width, _, screen) in pages(text) {
            let page = screen.plain();
            let (_, notes) = page.split_once("\nNotes\n").expect(text);
            // A note is wrapped, even within a long word.
            let squeezed = |text: &str| text.replace([' ', '\n', '•'], "");
            assert!(
                squeezed(notes).contains(&squeezed(note)),
                "{width} {text}: {notes}"
            );
        }
    }
}

#[test]
fn ordinary_references_have_no_such_notes() {
    for text in [
        "index.html",
        "../a/b.txt",
        "a/b",
        "README.md",
        "http://example.com/",
        "https://münchen.de/",
        "file:///C:/x",
        "file:/etc/motd",
        "mailto:a@b.example",
        "urn:isbn:0451450523",
        "x-finger:user@h",
        "v1.2",
        "http://a,b/",
        "tel:+1-201-555-0123",
        "git://h/p",
    ] {
        let page = uri(["explain", text]).out;
        let notes = page.split_once("\nNotes\n").map_or("", |(_, notes)| notes);
        for note in [
            "first segment",
            "parsed as a scheme",
            "slash follows",
            "slashes follow",
            "missing",
            "Is `",
            "drive",
            "scp",
            "An address",
            "zone",
            "may look like",
            "byte-order",
        ] {
            assert!(!notes.contains(note), "{text}: {notes}");
        }
    }
}

#[test]
fn notes_show_no_password() {
    for text in [
        "http:/user:SECRET@host/",
        "http//user:SECRET@host/",
        "htp://user:SECRET@host/",
        "mongodb://user:SECRET@a:1,b:2/",
        "mongodb://user:SECRET@a,b/",
        "www.example.com/?u=ftp://user:SECRET@host/",
        "C:/ftp://user:SECRET@host/",
        "http://user:SECRET@exаmple.com/",
        "http://user:SECRET@[fe80::1%25eth0]/",
        "http://user:SECRET@good.example\\@evil.example/",
        "http://user:SECRET@good.example@evil.example/",
        "http:\\\\user:SECRET@h\\a",
    ] {
        for width in WIDTHS {
            let screen = on_terminal(width, false, &["explain", text]);
            assert!(!screen.text.contains("SEC"), "{text}: {}", screen.text);
        }
    }
}

/// The position refers to the text that the user wrote, even if browsers change that text.
#[test]
fn an_error_of_a_scheme_is_under_what_was_written() {
    for (text, lines) in [
        (
            "ftp://h/a?b",
            "found `?`\n  ftp://h/a?b\n           ^\n  expected no query",
        ),
        (
            "ftp://h/a b?c",
            "found `?`\n  ftp://h/a b?c\n             ^\n  expected no query",
        ),
        (
            "http:/a/x",
            "found `/`\n  http:/a/x\n       ^\n  expected `//` and a host\n",
        ),
    ] {
        for (_, _, screen) in pages(text) {
            let page = screen.plain();
            let name = text.split_once(':').unwrap().0;
            let error = format!("\nNot a valid {name} URL: {lines}");
            assert!(page.contains(&error), "{page}");
        }
    }
}

#[test]
fn a_port_that_is_too_high_was_found() {
    let message = "expected a port of at most 65535, found a higher one";
    let page = on_terminal(80, false, &["explain", "http://h:99999/"]).text;
    assert!(
        joined(&page).contains(&format!("No client can fetch it: {message}")),
        "{page}"
    );
    let planned = on_terminal(80, false, &["fetch", "--plan", "http://h:99999/"]).text;
    assert!(planned.contains(message), "{planned}");
}

#[test]
fn json_has_what_the_page_has() {
    let outcome = uri([
        "explain",
        "--json",
        "http://ex%61mple.com:80/",
        "http://a b/",
    ]);
    let [good, bad] = <[Value; 2]>::try_from(outcome.json()).unwrap();
    for value in [&good, &bad] {
        let keys = keys(value);
        for key in [
            "input",
            "reference",
            "standard",
            "valid",
            "error",
            "normalized",
            "verdicts",
            "agreed",
            "disputed",
            "severity",
            "readings",
            "findings",
            "notes",
            "plan",
            "plan_error",
        ] {
            assert!(keys.contains(&key), "{key}: {value}");
        }
    }
    assert_eq!(good["error"], json!(null));
    assert_eq!(good["normalized"], json!("http://example.com/"));
    assert_eq!(good["agreed"], json!(false));
    assert_eq!(good["disputed"], json!(["host"]));
    let audited = uri(["audit", "--json", "http://ex%61mple.com:80/"]);
    for key in ["readings", "findings", "severity", "disputed", "agreed"] {
        assert_eq!(good[key], audited.json()[0][key], "{key}");
    }
    assert_eq!(bad["valid"], json!(false));
    assert_eq!(bad["error"]["offset"], json!(8));
    assert_eq!(bad["normalized"], json!(null));
    assert_eq!(bad["notes"], json!(["A space is written `%20`."]));
    let port = &uri(["explain", "--json", "http://h:99999/"]).json()[0];
    let message = &port["plan_error"]["message"];
    assert!(message.as_str().unwrap().contains("65535"), "{port}");
    let bytes = uri(["explain", "--json", "-f", "/dev/null"]);
    assert_eq!(bytes.out, "");
}
