//! `uri encode` and `uri decode`.

use crate::support::{Outcome, command, uri, uri_with};
use serde_json::{Value, json};
use std::process::Stdio;
use urikit_testkit::rows::{Encode, iri, percent};

/// Returns the only object that is printed.
fn object(outcome: &Outcome, status: i32) -> Value {
    assert_eq!(outcome.status, status, "{outcome:?}");
    assert_eq!(outcome.err, "", "errors are in the object");
    let mut lines = outcome.json();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

/// The options of a row.
fn options(row: &Encode, standard: &str) -> Vec<String> {
    let mut options: Vec<String> = ["--json", "--standard", standard, "--component"]
        .map(str::to_owned)
        .to_vec();
    options.push(row.component.clone());
    if row.form {
        options.push("--form".to_owned());
    }
    if row.latin1 {
        options.extend(["--charset".to_owned(), "latin-1".to_owned()]);
    }
    options
}

#[test]
fn every_row_of_data_and_text() {
    for row in percent().encode {
        for standard in &row.standards {
            let place = format!("{standard}: {row:?}");
            if !row.decode_only {
                let mut arguments = vec!["encode".to_owned()];
                arguments.extend(options(&row, standard));
                if row.partly {
                    arguments.push("--partly".to_owned());
                }
                let mut line = row.data.clone().into_bytes();
                if !row.octets.is_empty() {
                    arguments.extend(["--charset".to_owned(), "bytes".to_owned()]);
                    line.clone_from(&row.octets);
                }
                line.push(b'\n');
                let value = object(&uri_with(&arguments, &line), 0);
                assert_eq!(value["encoded"], json!(row.text), "{place}");
                assert_eq!(value["error"], Value::Null, "{place}");
            }
            if !row.partly {
                let mut arguments = vec!["decode".to_owned()];
                arguments.extend(options(&row, standard));
                let value = object(
                    &uri_with(&arguments, format!("{}\n", row.text).as_bytes()),
                    0,
                );
                if row.octets.is_empty() {
                    assert_eq!(value["decoded"], json!(row.data), "{place}");
                } else if row.octets.is_ascii() {
                    let data: String = row.octets.iter().copied().map(char::from).collect();
                    assert_eq!(value["decoded"], json!(data), "{place}");
                } else {
                    assert_eq!(value["decoded"], Value::Null, "{place}");
                    assert!(value["decoded_base64"].is_string(), "{place}");
                }
            }
        }
    }
}

#[test]
fn every_invalid_row() {
    for row in percent().broken {
        for standard in &row.standards {
            let by = if row.by == "decode" {
                "decode"
            } else {
                "encode"
            };
            let charset = if row.by == "latin1" {
                "latin-1"
            } else {
                "utf-8"
            };
            let outcome = uri([
                by,
                "--json",
                "--standard",
                standard,
                "--component",
                &row.component,
                "--charset",
                charset,
                "--",
                &row.input,
            ]);
            let value = object(&outcome, 1);
            assert_eq!(
                value["error"]["offset"],
                json!(row.offset),
                "{standard}: {row:?}"
            );
            assert!(value["error"]["section"].is_string(), "{standard}: {row:?}");
        }
    }
}

#[test]
fn every_row_of_iris_and_uris() {
    for row in iri().map {
        let value = object(&uri(["encode", "--iri", "--json", &row.iri]), 0);
        assert_eq!(value["encoded"], json!(row.uri), "{row:?}");
        let value = object(&uri(["encode", "--iri", "--idna", "--json", &row.iri]), 0);
        let expected = row.idna.as_ref().unwrap_or(&row.uri);
        assert_eq!(value["encoded"], json!(expected), "{row:?}");
    }
    for row in iri().show {
        let value = object(&uri(["decode", "--iri", "--json", &row.uri]), 0);
        assert_eq!(value["decoded"], json!(row.iri), "{row:?}");
    }
}

#[test]
fn the_keys_are_in_order() {
    for (arguments, line) in [
        (
            &["encode", "--component", "segment", "a/b"][..],
            concat!(
                r#"{"input":"a/b","component":"segment","standard":"rfc3986","#,
                r#""valid":true,"encoded":"a%2Fb","error":null,"result":"a%2Fb"}"#
            ),
        ),
        (
            &["decode", "a%2Fb"],
            concat!(
                r#"{"input":"a%2Fb","component":null,"standard":"rfc3986","#,
                r#""valid":true,"decoded":"a/b","error":null,"result":"a/b"}"#
            ),
        ),
        (
            &["decode", "--component", "path", "%FF"],
            concat!(
                r#"{"input":"%FF","component":"path","standard":"rfc3986","#,
                r#""valid":true,"decoded":null,"decoded_base64":"/w==","error":null,"#,
                "\"result\":\"\u{FFFD}\"}"
            ),
        ),
        (
            &["decode", "--standard", "rfc2396", "%4"],
            concat!(
                r#"{"input":"%4","component":null,"standard":"rfc2396","valid":false,"decoded":null,"#,
                r#""error":{"class":"syntax","offset":2,"found":null,"expected":"a hexadecimal digit","#,
                r#""production":"escaped","section":"RFC 2396, 2.4.1","#,
                r#""message":"expected a hexadecimal digit, but the text ends at byte 2 "#,
                r#"(escaped, RFC 2396, 2.4.1)"},"result":null}"#
            ),
        ),
        (
            &["encode", "--iri", "//ü"],
            concat!(
                r#"{"input":"//ü","component":null,"standard":"rfc3987","#,
                r#""valid":true,"encoded":"//%C3%BC","error":null,"result":"//%C3%BC"}"#
            ),
        ),
    ] {
        let arguments = [arguments, &["--json"]].concat();
        assert_eq!(uri(&arguments).out, format!("{line}\n"), "{arguments:?}");
    }
    let outcome = uri_with(["encode", "--component", "segment", "--json"], b"a\xFF\n");
    let value = object(&outcome, 1);
    assert_eq!(value["input"], json!("a\u{FFFD}"));
    assert_eq!(value["input_base64"], json!("Yf8="));
    assert_eq!(value["error"]["offset"], json!(1));
}

#[test]
fn one_line_per_input() {
    let outcome = uri_with(["decode"], b"a%20b\n%zz\n\nc\r\n");
    assert_eq!(outcome.out, "a b\n\n\nc\n");
    assert_eq!(outcome.status, 1);
    assert_eq!(
        outcome.err,
        "uri: -:2:2: not valid under RFC 3986: found `z`\n\
         \x20 %zz\n\
         \x20  ^\n\
         \x20 expected a hexadecimal digit\n\
         \x20 pct-encoded, RFC 3986, 2.1\n"
    );
    let outcome = uri_with(
        ["encode", "-0", "--component", "path", "-j2"],
        b"a\nb\0c d\0",
    );
    assert_eq!(outcome.out, "a%0Ab\nc%20d\n");
}

#[test]
fn octets_that_are_not_text_are_written_as_they_are() {
    let mut command = command();
    let output = command.args(["decode", "a%FF%00b", "%C3%A9"]);
    let output = output.stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.stdout, b"a\xFF\x00b\n\xC3\xA9\n");
    assert!(output.status.success());
    // The reverse conversion.
    let outcome = uri_with(
        ["encode", "--component", "segment", "--charset", "bytes"],
        b"a\xFF\x00b\n",
    );
    assert_eq!(outcome.out, "a%FF%00b\n");
}

#[test]
fn usage_errors() {
    for (arguments, message) in [
        (&["encode", "--form", "a"][..], "--component <NAME>"),
        (
            &["encode", "--component", "scheme", "a"],
            "[possible values: userinfo, user,",
        ),
        (
            &[
                "encode",
                "--component",
                "params",
                "--standard",
                "rfc1630",
                "a",
            ],
            "RFC 1630 does not define the component params",
        ),
        (
            &["encode", "--component", "path", "--form", "a"],
            "--form applies only to queries",
        ),
        (
            &["encode", "--component", "path", "--standard", "whatwg", "a"],
            "use an RFC",
        ),
        (&["decode", "--standard", "whatwg", "a"], "use an RFC"),
        (
            &["encode", "--iri", "--component", "path", "a"],
            "cannot be used with",
        ),
        (
            &["encode", "--iri", "--standard", "rfc3987", "a"],
            "cannot be used with",
        ),
        (&["decode", "--iri", "--form", "a"], "cannot be used with"),
        (
            &[
                "encode",
                "--component",
                "host",
                "--partly",
                "--standard",
                "rfc1738",
                "a",
            ],
            "a host of RFC 1738 has none",
        ),
        (
            &["encode", "--component", "host", "--idna", "a"],
            "cannot be used with",
        ),
    ] {
        let outcome = uri(arguments);
        assert_eq!(
            (outcome.status, outcome.out.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(
            outcome.err.contains(message),
            "{arguments:?}: {}",
            outcome.err
        );
    }
}

#[test]
fn an_address_in_brackets_remains() {
    assert_eq!(
        uri(["encode", "--component", "host", "[::1]"]).out,
        "[::1]\n"
    );
    assert!(
        uri(["encode", "--help"])
            .out
            .contains("address in brackets is left unchanged")
    );
}

#[test]
fn a_character_outside_the_charset_is_reported() {
    let outcome = uri([
        "encode",
        "--component",
        "segment",
        "--charset",
        "latin-1",
        "10 €",
    ]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: not ISO Latin-1: found `€` (U+20AC)\n\
         \x20 10 €\n\
         \x20    ^\n\
         \x20 expected an ISO Latin-1 character\n\
         \x20 escape, RFC 1630, Conventional URI encoding scheme\n"
    );
    for subcommand in ["encode", "decode"] {
        let outcome = uri_with([subcommand, "--component", "segment"], b"a\xFF\n");
        let first = outcome.err.lines().next().unwrap();
        assert!(first.starts_with("uri: -:1:2: not UTF-8: found"), "{first}");
    }
    let secret = uri([
        "encode",
        "--component",
        "password",
        "--charset",
        "latin-1",
        "€",
    ]);
    assert!(
        secret
            .err
            .contains("argument 1: not ISO Latin-1: found a masked"),
        "{}",
        secret.err
    );
}

#[test]
fn a_host_that_is_not_a_domain_name_has_an_offset() {
    let outcome = uri(["encode", "--iri", "--idna", "http://u:secret@ü_b/"]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: expected an internationalized domain name\n\
         \x20 http://u:***@ü_b/\n\
         \x20              ^\n"
    );
}

#[test]
fn a_password_is_not_shown() {
    let arguments = [
        "encode",
        "--component",
        "password",
        "--standard",
        "rfc1630",
        "se cret",
    ];
    let outcome = uri(arguments);
    assert_eq!(
        outcome.err,
        "uri: argument 1: not valid under RFC 1630: found a masked character \
         (--show-secrets shows it)\n\
         \x20 ***\n"
    );
    let shown = uri([&arguments[..], &["--show-secrets"]].concat());
    assert!(shown.err.contains("  se cret\n    ^\n"), "{}", shown.err);
    let url = uri(["decode", "http://u:secret@h/%"]);
    assert!(url.err.contains("  http://u:***@h/%\n"), "{}", url.err);
    let iri = uri(["encode", "--iri", "--idna", "http://u:secret@ü_b/"]);
    assert!(!iri.err.contains("secret@"), "{}", iri.err);
    assert_eq!(iri.status, 1);
}

#[test]
fn help_has_its_examples_and_they_run() {
    for subcommand in ["encode", "decode"] {
        let help = uri([subcommand, "--help"]).out;
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        for example in examples.lines().take_while(|line| !line.is_empty()) {
            let words = example.trim().strip_prefix("uri ").unwrap();
            // The data comes last, in quotes.
            let (options, data) = words.split_once(" '").unwrap();
            let data = data.strip_suffix('\'').unwrap();
            let outcome = uri(options.split(' ').chain([data]));
            assert_eq!(outcome.status, 0, "{example}: {}", outcome.err);
        }
        assert!(uri(["man", subcommand]).out.contains("component"));
    }
}

/// RFC 1738, 5: a `toplabel` begins with a letter; RFC 1630: so does a `hostname`.
#[test]
fn data_that_is_no_host_has_an_empty_line() {
    for standard in ["rfc1630", "rfc1738"] {
        let options = ["encode", "--standard", standard, "--component", "host"];
        let outcome = uri(options.iter().chain(&["1a", "a1", "1.2", "1.2.3.4"]));
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("\na1\n\n1.2.3.4\n", 1)
        );
        assert!(outcome.err.contains("argument 1: "), "{}", outcome.err);
        assert!(outcome.err.contains("argument 3: "), "{}", outcome.err);
    }
}
