//! `uri audit`: the page, the keys of `--json`, the exit statuses, and no passwords.

use crate::support::{Folder, command, keys, run_with, uri, uri_with};
use serde_json::{Value, json};

/// Returns the page of a reference on a screen with this number of columns.
fn page(columns: &str, reference: &str) -> String {
    let mut command = command();
    command.env("COLUMNS", columns).args(["audit", reference]);
    run_with(command, b"").out
}

#[test]
fn without_findings_it_is_ok() {
    let outcome = uri(["audit", "http://example.com/"]);
    assert_eq!(outcome.out, "ok        http://example.com/\n");
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
}

#[test]
fn disputed_parts_show_who_says_what() {
    assert_eq!(
        page("60", "http://good.example\\@evil.example:80/"),
        "\
high      http://good.example\\@evil.example:80/
  validity  accepted  whatwg, lenient, curl, urllib
            rejected  rfc3986, java-net-uri, legacy-ipv4
  userinfo  (none)         whatwg
            good.example\\  lenient, curl, urllib
  host      good.example  whatwg
            evil.example  lenient, curl, urllib
  medium  byte 7   userinfo-disagreement
          Readers find different users or passwords.
  medium  byte 7   host-like-user
          The text before the `@` looks like a host, but is
          not the host.
  medium  byte 19  validity-disagreement
          RFC 3986 and the WHATWG URL Standard disagree on
          whether the input is valid.
  high    byte 19  backslash
          The URL contains a backslash: under schemes such
          as http, browsers read it as a slash, which ends
          the host, but other readers do not.
  high    byte 21  host-disagreement
          Readers find different hosts, so a check may
          approve one while the client connects to another.
  info    byte 34  default-port
          The port is the default of the scheme and can be
          omitted.
  info    byte 36  path-disagreement
          Readers find different paths, even after
          normalization.
"
    );
    assert_eq!(
        page("60", "http://127.1/"),
        "\
high      http://127.1/
  host      127.1      rfc3986, lenient, urllib
            127.0.0.1  whatwg, curl, legacy-ipv4
  high    byte 7  host-disagreement
          Readers find different hosts, so a check may
          approve one while the client connects to another.
  low     byte 7  null-host
          java.net.URI returns null for the host, so a check
          of the host may be skipped.
  high    byte 7  unusual-ipv4
          The IPv4 address is not written as four decimal
          numbers, so some readers see a name.
  medium  byte 7  loopback-address
          The address is a loopback address of this machine.
"
    );
}

#[test]
fn pages_fit_their_columns() {
    for reference in [
        "http://good.example\\@evil.example:80/%00",
        "http://user@a-very-long-name-of-a-host.example.org@10.0.0.1:25/%2e%2e/",
        "http://[::ffff:127.0.0.1]:99999/",
    ] {
        for columns in ["40", "60", "100"] {
            // The reference is never wrapped, because users copy it and search for it.
            for line in page(columns, reference).lines().skip(1) {
                let width = line.chars().count();
                assert!(width <= columns.parse().unwrap(), "{columns}: {line}");
            }
        }
    }
}

#[test]
fn fail_on_is_the_lowest_severity_that_fails() {
    for (reference, severity, status) in [
        ("http://example.com/", "info", 0),
        ("http://example.com:80/", "info", 1),
        ("http://example.com:80/", "low", 0),
        ("http://example.com/a%2Fb", "low", 1),
        ("http://example.com/a%2Fb", "medium", 0),
        ("http://10.0.0.1/", "medium", 1),
        ("http://10.0.0.1/", "high", 0),
        ("http://127.1/", "high", 1),
        ("http://a/{b}", "high", 0),
        ("http://a/{b}", "medium", 1),
    ] {
        for json in [&[][..], &["--json"]] {
            let mut arguments = vec!["audit", "--fail-on", severity, reference];
            arguments.extend(json);
            assert_eq!(uri(&arguments).status, status, "{arguments:?}");
        }
    }
    assert_eq!(uri(["audit", "http://10.0.0.1/"]).status, 1);
    assert_eq!(uri(["audit", "http://example.com/a%2Fb"]).status, 0);
}

#[test]
fn milder_findings_are_shown_and_it_is_ok() {
    let outcome = uri(["audit", "http://example.com:80/"]);
    let mut lines = outcome.out.lines();
    assert_eq!(lines.next(), Some("ok        http://example.com:80/"));
    assert_eq!(lines.next(), Some("  info    byte 19  default-port"));
}

#[test]
fn one_input_never_stops_the_others() {
    let folder = Folder::new();
    let content = b"http://127.1/\r\n\xff\nhttp://example.com/\n".as_slice();
    let file = folder.file("urls.txt", content);
    let outcome = uri(["audit", "-f", &file]);
    assert_eq!(outcome.status, 1);
    let verdicts: Vec<_> = outcome
        .out
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert_eq!(
        verdicts,
        [
            "high      http://127.1/",
            "invalid   \u{FFFD}",
            "ok        http://example.com/"
        ]
    );
    assert!(outcome.err.contains("urls.txt:2:1: "), "{}", outcome.err);
    assert_eq!(uri_with(["audit"], content).out, outcome.out);
}

fn record(reference: &str) -> Value {
    let outcome = uri(["audit", "--json", reference]);
    assert_eq!(outcome.err, "");
    outcome.json().remove(0)
}

#[test]
fn json_has_what_every_reader_says() {
    let record = record("http://u:p@127.1:80/");
    assert_eq!(
        keys(&record),
        [
            "input", "valid", "error", "agreed", "disputed", "severity", "readings", "findings",
            "result"
        ]
    );
    assert_eq!(record["input"], "http://u:p@127.1:80/");
    assert_eq!(record["valid"], true);
    assert_eq!(record["agreed"], false);
    assert_eq!(record["disputed"], json!(["host"]));
    assert_eq!(record["severity"], "high");
    let readings = record["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 13);
    let by = |name: &str| {
        let mut all = readings.iter();
        all.find(|reading| reading["reader"] == name).unwrap()
    };
    assert_eq!(
        by("curl"),
        &json!({
            "reader": "curl", "votes": true, "valid": true, "scheme": "http", "userinfo": "u:p",
            "host": "127.0.0.1", "address": "127.0.0.1", "port": "80", "path": "/", "error": null,
        })
    );
    assert_eq!(keys(by("curl")), keys(by("rfc1630")));
    assert_eq!(by("rfc2396")["votes"], false);
    let finding = &record["findings"][0];
    assert_eq!(
        keys(finding),
        ["code", "severity", "offset", "message", "sources"]
    );
    assert_eq!(finding["code"], "password");
    assert_eq!(finding["offset"], 9);
}

#[test]
fn json_has_the_error_of_each_reader() {
    let record = record("http://a/{b}");
    assert_eq!(record["valid"], false);
    assert_eq!(record["error"]["offset"], 9);
    assert_eq!(record["disputed"], json!(["validity"]));
    let readings = record["readings"].as_array().unwrap();
    for reading in readings {
        assert_eq!(
            reading["valid"],
            reading["error"].is_null(),
            "{}",
            reading["reader"]
        );
        if !reading["error"].is_null() {
            assert!(reading["error"]["message"].is_string());
            assert_eq!(reading["host"], Value::Null);
        }
    }
}

#[test]
fn json_of_what_is_not_utf_8_has_no_audit() {
    let outcome = uri_with(["audit", "--json"], b"http://\xff/\n");
    assert_eq!(outcome.status, 1);
    let record = &outcome.json()[0];
    assert_eq!(record["input_base64"], "aHR0cDovL/8v");
    assert_eq!(record["valid"], false);
    assert_eq!(record["error"]["offset"], 7);
    assert_eq!(record["agreed"], Value::Null);
    assert_eq!(record["readings"], json!([]));
    assert_eq!(record["findings"], json!([]));
}

#[test]
fn pages_show_no_password() {
    for reference in [
        "http://user:SECRET@127.1/",
        "http://user:SECRET@b@c/",
        "http://user:SECRET\\@evil.example/",
        "http://user:SECRET:x/y@host/",
        "http://user:x:SECRET/y@host/",
        "http://user:SECRET/w@host/",
        "http:user:SECRET@host/",
        "http://user:%53ECRET@ex%61mple.com/",
    ] {
        let outcome = uri(["audit", reference]);
        let shown = format!("{}{}", outcome.out, outcome.err);
        assert!(!shown.to_uppercase().contains("ECRET"), "{shown}");
        assert!(shown.contains("***"), "{shown}");
        let outcome = uri(["audit", "--show-secrets", reference]);
        assert!(outcome.out.contains("ECRET"), "{}", outcome.out);
        let record = record(reference);
        assert_eq!(record["input"], reference);
    }
}

#[test]
fn no_standard_can_be_chosen() {
    let outcome = uri(["audit", "--standard", "whatwg", "http://a/"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.err.contains("--standard does not apply"));
    assert!(!uri(["audit", "-h"]).out.contains("--standard"));
    assert!(uri(["audit", "--help"]).out.contains("Examples:"));
}

#[test]
fn a_target_is_followed_from_its_base() {
    let mut command = command();
    command.env("COLUMNS", "80");
    command.args([
        "audit",
        "--base",
        "https://good.example/login",
        "///evil.example",
    ]);
    let outcome = run_with(command, b"");
    assert_eq!(outcome.status, 1);
    assert_eq!(
        outcome.out,
        "\
high      ///evil.example
! rfc3986       https:///evil.example
! whatwg        https://evil.example/
! lenient       https:///evil.example
! curl          https://evil.example/
  urllib        https://good.example/evil.example
  java-net-uri  https://good.example/evil.example
  legacy-ipv4   rejected: no reader finds a host that is an IPv4 address in any
                form
  high                       leaves-site
          A reader leaves the site of the base.
  high                       host-disagreement
          Readers find different hosts, so a check may approve one while the
          client connects to another.
  medium  byte 6 of rfc3986  unusual-slashes
          The scheme is not followed by exactly two slashes: browsers and curl
          read the next word as the host.
  medium  byte 6 of rfc3986  missing-host
          The URL has no host, although its scheme requires one.
  info    byte 8 of rfc3986  path-disagreement
          Readers find different paths, even after normalization.
"
    );
    let ok = uri([
        "audit",
        "--base",
        "https://good.example/login",
        "/account?a#b",
    ]);
    assert!(ok.out.starts_with("ok        /account?a#b\n"), "{}", ok.out);
    assert_eq!(ok.status, 0);
}

#[test]
fn targets_have_a_base_a_verdict_and_where_each_reader_leads() {
    let base = ["audit", "--json", "--base", "https://good.example/a"];
    let outcome = uri([&base[..], &["//evil.example@good.example", "b"]].concat());
    assert_eq!(outcome.status, 1);
    let [bad, good] = &outcome.json()[..] else {
        panic!("{}", outcome.out);
    };
    assert_eq!(bad["base"], json!("https://good.example/a"));
    assert_eq!(
        (&bad["passes"], &good["passes"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&bad["severity"], &good["severity"]),
        (&json!("high"), &Value::Null)
    );
    assert_eq!(good["readings"][0]["reader"], json!("rfc3986"));
    assert_eq!(
        good["readings"][0]["target"],
        json!("https://good.example/b")
    );
    assert_eq!(good["readings"][6]["target"], json!(null));
    let finding = &bad["findings"][0];
    assert_eq!(finding["code"], json!("leaves-site"));
    assert_eq!(
        (&finding["reader"], &finding["offset"]),
        (&Value::Null, &Value::Null)
    );
    let codes = |one: &Value| {
        let findings = one["findings"].as_array().unwrap().clone();
        findings
            .iter()
            .map(|one| one["code"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(bad), ["leaves-site", "host-like-user"]);
    assert_eq!(codes(good), Vec::<String>::new());
    assert_eq!(bad["findings"][1]["reader"], json!("rfc3986"));
    // Bytes that are not UTF-8 have no verdict.
    let bytes = uri_with(base, b"\xff\n").json();
    assert_eq!(
        (&bytes[0]["passes"], &bytes[0]["valid"]),
        (&Value::Null, &json!(false))
    );
}

#[test]
fn fail_on_counts_for_targets_too() {
    let base = ["audit", "--base", "https://good.example/"];
    // The target is not valid under RFC 3986, but no reader leaves the site.
    for (severity, status) in [("medium", 1), ("high", 0)] {
        let outcome = uri([&base[..], &["--fail-on", severity, "/é"]].concat());
        assert_eq!(outcome.status, status, "{}", outcome.out);
    }
    let downgrade = uri([&base[..], &["--same", "domain", "http://www.good.example/"]].concat());
    assert_eq!(downgrade.status, 1);
    assert!(downgrade.out.contains("downgrade") && !downgrade.out.contains("leaves-site"));
    let upgrade = [
        "audit",
        "--base",
        "http://good.example/",
        "--same",
        "domain",
    ];
    assert_eq!(
        uri([&upgrade[..], &["https://www.good.example:8443/"]].concat()).status,
        0
    );
    assert_eq!(
        uri([&upgrade[..4], &["origin", "https://good.example/"]].concat()).status,
        1
    );
}

/// Nothing is trimmed or decoded before the readers see a target.
#[test]
fn targets_are_exact() {
    let base = ["audit", "--json", "--base", "https://good.example/"];
    let lines = uri_with(base, b" //e\n/\t/e\n\n\\\\e \r\n").json();
    let inputs: Vec<_> = lines
        .iter()
        .map(|line| line["input"].as_str().unwrap())
        .collect();
    assert_eq!(inputs, [" //e", "/\t/e", "", "\\\\e "]);
    let passes: Vec<_> = lines
        .iter()
        .map(|line| line["passes"].as_bool().unwrap())
        .collect();
    assert_eq!(passes, [false, false, true, false]);
}

/// The rows of `testdata/redirects/` hold for the command too.
#[test]
fn rows_of_redirects() {
    let mut rows = urikit_testkit::redirects::redirects();
    // NUL ends an input here.
    rows.retain(|(_, row)| !row.target.contains('\0'));
    let mut by_base = std::collections::BTreeMap::<_, Vec<_>>::new();
    for (_, row) in &rows {
        by_base.entry(&*row.base).or_default().push(row);
    }
    for (base, rows) in by_base {
        let targets: Vec<u8> = rows
            .iter()
            .flat_map(|row| [row.target.as_bytes(), b"\0"].concat())
            .collect();
        for (same, passes) in [("origin", 0), ("domain", 1)] {
            let arguments = ["audit", "--json", "-0", "--base", base, "--same", same];
            let lines = uri_with(arguments, &targets).json();
            assert_eq!(lines.len(), rows.len(), "{base}");
            for (row, line) in rows.iter().zip(lines) {
                let expected = [row.origin, row.domain][passes];
                assert_eq!(line["passes"], json!(expected), "{base} + {:?}", row.target);
                for reading in line["readings"].as_array().unwrap() {
                    let target = row.readings.get(reading["reader"].as_str().unwrap());
                    assert_eq!(
                        reading["target"],
                        json!(target),
                        "{base} + {:?}",
                        row.target
                    );
                }
            }
        }
    }
}

#[test]
fn a_bad_base_is_a_usage_error() {
    for (base, reason) in [
        (
            "ftp://good.example/",
            "the base must be an absolute http or https URL",
        ),
        ("/a", "the base must be an absolute http or https URL"),
        (
            "https://u:secret@good.example/",
            "the base must not contain a user or password",
        ),
        (
            "https://127.1/",
            "the base must be a URL on whose host all readers agree",
        ),
    ] {
        let outcome = uri(["audit", "--base", base, "/x"]);
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""), "{base}");
        assert!(
            outcome.err.contains(reason) && !outcome.err.contains("secret"),
            "{}",
            outcome.err
        );
    }
    assert_eq!(uri(["audit", "--same", "domain", "/x"]).status, 2);
    assert_eq!(
        uri([
            "audit",
            "--base",
            "https://good.example/",
            "--same",
            "host",
            "/x"
        ])
        .status,
        2
    );
}

#[test]
fn a_relative_reference_is_never_ok() {
    let folder = Folder::new();
    let path = folder.file("urls.txt", "http://a/\n");
    for reference in [
        "//evil.example/",
        "///evil.example",
        "/a",
        "#x",
        "?x",
        "a",
        "",
    ] {
        let outcome = uri(["audit", reference]);
        assert_eq!(outcome.status, 1, "{reference}");
        assert!(
            outcome.out.contains("relative-reference"),
            "{}",
            outcome.out
        );
        assert!(!outcome.out.contains("-f"), "{}", outcome.out);
    }
    let record = &uri(["audit", "--json", &path]).json()[0];
    let message = record["findings"][0]["message"].as_str().unwrap();
    assert!(message.ends_with(&format!("use `-f {path}`.")), "{message}");
    let outcome = uri(["audit", "-"]);
    assert!(
        outcome
            .out
            .replace("\n          ", " ")
            .contains("use `-f -`"),
        "{}",
        outcome.out
    );
    // A line of a file is not a mistake on the command line.
    let outcome = uri_with(["audit"], format!("{path}\n").as_bytes());
    assert!(!outcome.out.contains("-f"), "{}", outcome.out);
}

#[test]
fn passwords_of_targets_are_masked() {
    let base = ["audit", "--base", "https://good.example/"];
    let target = "//u:secret@evil.example/";
    let outcome = uri([&base[..], &[target]].concat());
    assert!(!outcome.out.contains("secret"), "{}", outcome.out);
    let shown = uri([&base[..], &["--show-secrets", target]].concat());
    assert!(
        shown.out.contains("https://u:secret@evil.example/"),
        "{}",
        shown.out
    );
}

#[test]
fn urls_inside_are_audited() {
    let outcome = uri(["audit", "URL:http://127.0.0.1/"]);
    assert!(outcome.out.contains("nested-url") && outcome.out.contains("loopback-address"));
    assert_eq!(outcome.status, 1);
    assert_eq!(
        uri(["audit", "blob:https://example.com/9115d58c"]).status,
        0
    );
    let record = &uri(["audit", "--json", "blob:https://example.com/9115d58c"]).json()[0];
    assert_eq!(record["findings"][0]["severity"], json!("info"));
    let outcome = uri(["audit", "jar:http://u:secret@127.1/a.jar!/b"]);
    assert!(!outcome.out.contains("secret"), "{}", outcome.out);
}
