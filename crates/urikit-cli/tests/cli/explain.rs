//! `uri explain`: a page for people to read.

use crate::support::{command, run_with, uri, uri_with};
use serde_json::json;
use std::time::{Duration, Instant};

/// Returns the page for `arguments`, at most `columns` wide.
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
fn the_complete_page() {
    let outcome = uri(["explain", FTP]);
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.err, "");
    let (components, verdicts) = outcome.out.split_once("\nVerdicts\n").unwrap();
    assert_eq!(
        components,
        r#"Findings
  info    byte 20  default-port
          The port is the default of the scheme and can be omitted.
  low     byte 23  escaped-slash
          The path contains an escaped slash or backslash, which a server may
          read as a separator.

Components (RFC 3986): absolute reference

  ftp://foo:@host.dom:21/%2Fetc/motd;type=a
  ┬──   ┬──  ┬─────── ┬─┬──────────────────
  │     user host     │ path
  scheme              port

  scheme    ftp
  user      foo
  password  (empty)
  host      host.dom  a host name; domain host.dom
  port      21
  path      /%2Fetc/motd;type=a
            decoded: "/etc" / "motd;type=a"

Scheme ftp: File Transfer Protocol (RFC 1738, 3.2)
  cwd   "/etc"
  name  "motd"
  type  "a"

  A client
    · connects to host.dom, port 21
    · sends "USER foo"
    · sends "PASS " (if the server asks for a password)
    · sends "PWD"
    · sends "CWD /etc"
    · sends "TYPE A"
    · sends "MDTM motd"
    · sends "EPSV"
    · sends "PASV" (if EPSV is refused)
    · connects to the port that the server specifies, at the same address
    · sends "RETR motd"
    · sends "CWD motd" (if the name is not a file)
    · lists the directory, as if the URL ended in a slash (if the name is a
      directory)
    · sends "QUIT" (if the connection is not kept)

Normal form
  ftp://foo:@host.dom/%2Fetc/motd;type=a
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
fn lines_use_the_full_width() {
    // The line fits exactly, including the mark of the chosen standard.
    let line = "  ✗ rfc3986  byte 10: found `^` (segment, RFC 3986, 3.3)  ← --standard\n";
    assert!(page("70", &["http://a/b^c"]).contains(line));
    assert!(!page("69", &["http://a/b^c"]).contains(line));
}

#[test]
fn an_invalid_reference_shows_the_caret_after_the_findings() {
    let outcome = uri(["explain", "http://h/a b"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.starts_with("Findings\n"), "{}", outcome.out);
    let (_, page) = outcome.out.split_once("\n\n").unwrap();
    assert!(
        page.starts_with(
            "Not valid under RFC 3986: found a space\n  http://h/a b\n            ^\n  \
         expected a path character"
        ),
        "{}",
        outcome.out
    );
    assert!(
        outcome
            .out
            .contains("Components (WHATWG URL): absolute reference")
    );
    assert!(
        outcome
            .out
            .contains("  ✓ whatwg   valid; becomes http://h/a%20b\n")
    );
    assert!(outcome.out.contains("• A space is written `%20`."));
}

#[test]
fn the_chosen_standard_decides_the_status() {
    let outcome = uri(["explain", "--standard", "rfc3987", "http://é/"]);
    assert_eq!(outcome.status, 0);
    assert!(!outcome.out.contains("Not valid under"));
    assert!(outcome.out.contains("\nComponents (RFC 3987"));
    let outcome = uri(["explain", "http://é/"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.contains("\nComponents (RFC 3987"));
    assert!(outcome.out.contains("Punycode"), "{}", outcome.out);
}

#[test]
fn advice_says_how_to_correct_it() {
    let percent = "a literal percent sign is written `%25`";
    for (text, advice) in [
        ("http://é/", "(IDNA, RFC 5890): `xn--9ca`. IRIs"),
        ("http://u@a.é:8/", "(IDNA, RFC 5890): `a.xn--9ca`. IRIs"),
        ("foo://é/", "(IDNA, RFC 5890). IRIs"),
        ("//é", "(IDNA, RFC 5890). IRIs"),
        ("http://a/é", "percent-encode it as UTF-8: `%C3%A9`"),
        ("http://é@a/", "percent-encode it as UTF-8: `%C3%A9`"),
        ("http://a?//é", "percent-encode it as UTF-8: `%C3%A9`"),
        ("mailto:é@a", "percent-encode it as UTF-8: `%C3%A9`"),
        (
            "http://h:+80/",
            "the text before the `/` can only be a userinfo",
        ),
        (
            "http://h:x?a",
            "the text before the `?` can only be a userinfo",
        ),
        (
            "http://h:-1",
            "the text before the end can only be a userinfo",
        ),
        ("http://h/100%", percent),
        ("%zz", percent),
        ("http://h/?100% of it", percent),
        ("http://h/a\\b", "`%5C`; browsers treat it as `/`."),
        ("HTTPS:\\\\h\\b", "`%5C`; browsers treat it as `/`."),
        ("file:\\x", "`%5C`; browsers treat it as `/`."),
        ("C:\\x\\y", "`C:` is a Windows drive"),
        ("http://h/?a\\b", "As data, write it as `%5C`."),
        ("a\\b", "As data, write it as `%5C`."),
    ] {
        let page = page("200", &[text]);
        assert!(page.contains(advice), "{page}");
    }
    for (standard, text) in [
        ("rfc1630", "http://h/%"),
        ("rfc1738", "http://h/%"),
        ("rfc1808", "%"),
        ("rfc2396", "%"),
        ("rfc2732", "%"),
        ("rfc3987", "%"),
    ] {
        let page = page("200", &["--standard", standard, text]);
        assert!(page.contains(percent), "{page}");
    }
    let page = page("200", &["--standard", "rfc1738", "ftp://a;b/"]);
    assert!(!page.contains("A port consists"), "{page}");
    // The advice on ports and percent signs does not apply to these references.
    for text in [
        "http://[fe80::1%25en0]/",
        "http://[::1]:+80/",
        "mailto:a b",
        "1a:b",
    ] {
        let page = self::page("200", &[text]);
        assert!(
            !page.contains("A port consists") && !page.contains("percent sign"),
            "{page}"
        );
    }
}

#[test]
fn differences_between_standards_are_shown() {
    let page = page("200", &["mailto:a@b?x=y"]);
    assert!(
        page.contains("rfc2396  valid; opaque: the query belongs to the opaque part\n"),
        "{page}"
    );
    let page = self::page("200", &["http:xyz"]);
    assert!(
        page.contains(
            "~ rfc1738  valid under the generic production only; under the scheme's production, byte 5"
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

const STANDARDS: [&str; 8] = [
    "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987", "whatwg",
];

#[test]
fn passwords_are_masked() {
    for text in [
        "http://user:SECRET@host/",
        "http://user:SECRET@host/ ",
        "http://user:SECRET@host/é",
        "http://user:SECRET@host/%20",
        "http://user:%53SECRET%20@host/%20",
        "ftp://user:SECRET@host/%2Fetc/motd;type=a",
        // Some standards parse a registry-based name here, and others reject a character of the
        // password.
        "http://user:SECRET@a_b/",
        "http://user:SECRET@a,b:80/%20",
        "http://user:x^SECRET@host/",
        "//user:x%zzSECRET@host/",
        // The password contains delimiters.
        "ftp://user:x/SECRET@host/%20",
        "ftp://user:SECRET/x@host/%20",
        "http://user:x?SECRET#x@host/%20",
        "http://user:a;SECRET@host/;x",
        // Too few slashes, backslashes, or no slashes.
        "http:user:SECRET@host/;x",
        "HTTP:/user:SECRET@host/%20?x#y",
        "\\\\user:SECRET@host",
        "///user:SECRET@host/%20",
        "http:/\t/user:SECRET@host/%20",
        "user:SECRET@host/",
        "USER:SECRET@host/%20;x?y#z",
        "ssh:user:SECRET@host",
        "ssh:user:SECRET@host/%20^",
        "sip:user:SECRET@host;x=y?z",
        "URL:user:SECRET@host",
        "url: http://user:SECRET@a_b/%20",
        // A URL within a URL.
        "http://h/?u=ftp://u:SECRET@h/%20",
        "http://h/%20/ftp://u:SECRET@h/;x",
        "http://h/#ftp://u:SECRET@h/%20",
        "http://u:x@h/?u=http:u:SECRET@h/%20",
        "view-source:http://u:SECRET@a_b/%20",
        "http://h/?u=ftp%3A%2F%2Fu%3ASECRET%40h",
        "http://h/?x=%20&u=ftp%3a//u%3aSECRET@h#%20",
        "http://h/ftp%3A%2F%2Fu:x/SECRET%40h/%20",
        "http://h/?u=http%253A%252F%252Fu%253ASECRET%2540h",
        "ftp%3A%2F%2Fu%3ASECRET%40h^",
    ] {
        for standard in STANDARDS {
            let explained = uri(["explain", "--standard", standard, text]);
            let both = explained.out + &explained.err;
            // Not even the beginning of the password appears where long text is cut off.
            assert!(!both.contains("SEC"), "{standard} {text}: {both}");
            assert!(!both.contains("found `^`") || text.ends_with('^'), "{both}");
            let parsed = uri(["parse", "--standard", standard, text]);
            assert!(!parsed.err.contains("SEC"), "{}", parsed.err);
            let shown = uri(["explain", "--show-secrets", "--standard", standard, text]);
            assert!(shown.out.contains("SECRET"), "{}", shown.out);
            let shown = uri(["parse", "--show-secrets", "--standard", standard, text]);
            let is_shown = shown.err.is_empty() || shown.err.contains("SEC");
            assert!(is_shown, "{}", shown.err);
        }
    }
}

#[test]
fn a_part_of_a_password_is_shown_as_the_complete_mask() {
    let page = page("200", &["--standard", "rfc2396", "ftp://user:x/y@host/%20"]);
    assert!(page.contains("  host    user:***  a registered"), "{page}");
    assert!(page.contains("  path    ***@host/%20\n"), "{page}");
    assert!(page.contains(r#"decoded: "***@host" / " ""#), "{page}");
    assert!(
        page.contains("no host; path `//user:***@host/%20`"),
        "{page}"
    );
}

#[test]
fn a_url_prefix_is_removed_with_a_note() {
    for text in ["URL:http://a/", "url:  http://a/", "Url:http://a/"] {
        let page = page("80", &[text]);
        assert!(page.contains("  http://a/\n"), "{page}");
        assert!(page.contains("• The prefix `URL:` was removed"), "{page}");
    }
    assert!(!page("80", &["http://a/"]).contains("removed"));
}

#[test]
fn notes_warn_of_dangerous_or_unusual_parts() {
    for (text, note) in [
        ("http://u:p@h/", "The URL contains a password"),
        (
            "http://www.bank.example@evil.example/",
            "looks like a host, but is not the host",
        ),
        ("http://h:/", "The port is empty"),
        ("http://h:99999/", "The largest port number is 65535"),
        ("http://h:080/", "leading zeros"),
        ("http://h/%0d%0a", "an escaped CR or LF"),
        ("http://h/%00", "an escaped U+0000"),
        (
            "ftp://h:25/",
            "Port 25 is not the scheme's default, 21, and belongs to another",
        ),
        (
            "ftp://h:2121/",
            "Port 2121 is not the scheme's default, 21: a server",
        ),
        ("localhost:8080", "parsed as a scheme"),
        ("www.w3.org/x", "not a host"),
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
    assert!(
        page.contains("query   x=%26&y\n          x         &\n          y         (no value)\n"),
        "{page}"
    );
    let page = super::explain::page("80", &["http://h/?%26"]);
    assert!(page.contains(r#"decoded: "&""#), "{page}");
}

#[test]
fn the_scheme_section_never_reveals_a_password() {
    let secret = page("200", &["ftp://u:s3cret@h/a"]);
    assert!(
        secret.contains("sends \"PASS ***\"") && !secret.contains("s3cret"),
        "{secret}"
    );
    let shown = page("200", &["--show-secrets", "ftp://u:s3cret@h/a"]);
    assert!(shown.contains("sends \"PASS s3cret\""), "{shown}");
    // A URL in the path of another.
    let inner = page("200", &["ftp://h/http://u:s3/kr1t@x"]);
    assert!(
        inner.contains("hidden because it would reveal a password"),
        "{inner}"
    );
    assert!(!inner.contains("kr1t"), "{inner}");
}

#[test]
fn a_form_is_shown_with_its_line_ends() {
    let url = "gopher://h/1x%09y%09%2B%091%0D%0A%2B-1%0D%0Afoo%0D%0A.%0D%0A";
    let page = page("200", &[url]);
    assert!(
        page.contains("sends \"x\\ty\\t+\\t1\\r\\n+-1\\r\\nfoo\\r\\n.\""),
        "{page}"
    );
    assert!(!page.contains("decodes to CR"), "{page}");
}

#[test]
fn an_invalid_url_of_its_scheme_has_a_reason() {
    let page = page("200", &["ftp://h/a?b"]);
    assert!(page.contains("Not a valid ftp URL: found `?`"), "{page}");
    let control = super::explain::page("200", &["ftp://h/a%0Ab/c"]);
    assert!(
        control.contains("No client can fetch it: expected no control"),
        "{control}"
    );
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
    let mut parsed = parsed.json().remove(0);
    for key in ["domain", "suffix", "result"] {
        assert!(parsed.as_object_mut().unwrap().remove(key).is_some());
    }
    assert_eq!(verdicts[5], parsed);
}

#[test]
fn the_plan_is_that_of_fetch() {
    for url in [
        "ftp://me:hunter2@h.dom/pub/a.txt",
        "gopher://h.dom/7find%09words",
        "https://h.dom/a?b#c",
        "mailto:a@b.example?cc=c@d.example",
        "rlogin://guest@h.dom/",
        "data:,x",
    ] {
        let explained = uri(["explain", "--json", url]);
        let fetched = uri(["fetch", "--plan", "--json", url]);
        let plan = &explained.json()[0]["plan"];
        assert!(
            plan.as_array().is_some_and(|plan| !plan.is_empty()),
            "{url}"
        );
        assert_eq!(*plan, fetched.json()[0]["plan"], "{url}");
        assert_eq!(explained.json()[0]["plan_error"], json!(null));
    }
    let explained = uri(["explain", "--json", "ftp://h/a%0Ab/c"]);
    let fetched = uri(["fetch", "--plan", "--json", "ftp://h/a%0Ab/c"]);
    assert_eq!(
        explained.json()[0]["plan_error"],
        fetched.json()[0]["error"]
    );
    assert_eq!(explained.json()[0]["plan"], json!(null));
}

/// `uri explain` shows plans even if `uri fetch` lacks a setting or a protocol.
#[test]
fn the_plan_does_not_depend_on_settings() {
    for (url, step) in [
        ("news:comp.test", "· connects to the configured server\n"),
        (
            "mid:a@b",
            "· looks in received mail for the message \"a@b\"\n",
        ),
        (
            "file://other.dom/a",
            "· continues only if this machine is \"other.dom\"\n",
        ),
        (
            "wais://h/db?words",
            "· sends a search in \"db\" for \"words\": at most 200 documents\n",
        ),
        (
            "wais://h/db/TEXT/9/3=a;",
            "· sends a search in \"db\" for bytes 0 to 9 of a document of type \"TEXT\": 3=a;\n",
        ),
        (
            "urn:example:a",
            "· asks a URN resolver for \"urn:example:a\"\n",
        ),
        (
            "tel:+1-201-555-0123",
            "· calls the number \"+12015550123\"\n",
        ),
        ("wss://h/chat", "· sends \"Upgrade: websocket\"\n"),
    ] {
        let page = page("200", &[url]);
        assert!(page.contains(step), "{page}");
    }
    let page = page("200", &["x-finger:user@h"]);
    assert!(!page.contains("A client"), "{page}");
}

/// The longest line takes bounded time, and its page is short. Browsers change this input.
#[test]
fn a_line_of_64_mib() {
    const LENGTH: usize = (64 << 20) - 16; // the limit is 64 MiB
    let start = Instant::now();
    let mut input = b"http://u:p@h/".to_vec();
    input.resize(LENGTH, b'a');
    input.extend(b"%41\"");
    let outcome = uri_with(["explain"], &input);
    assert!(outcome.out.len() < 10_000, "{}", outcome.out.len());
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(45), "{elapsed:?}");
}
