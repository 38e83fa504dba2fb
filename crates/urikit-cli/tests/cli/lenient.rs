//! `--lenient`: inputs that are not valid are repaired, and reported.

use crate::support::{Folder, command, keys, run_with, uri, uri_with};
use serde_json::{Value, json};

const NOT_VALID: &str = "repaired, because it is not valid under RFC 3986";

#[test]
fn every_subcommand_works_on_what_was_repaired() {
    for (arguments, out) in [
        (
            &["resolve", "--base", "https://a/b/", "c d"][..],
            "https://a/b/c%20d\n",
        ),
        // The scheme of the base decides how a backslash is treated.
        (
            &["resolve", "--base", "https://a/b/", "\\c"],
            "https://a/c\n",
        ),
        (
            &["resolve", "--base", "ldap://a/b/", "\\c"],
            "ldap://a/b/%5Cc\n",
        ),
        (
            &["relativize", "--base", "https://a/b/", "https://a/b/c d"],
            "c%20d\n",
        ),
        (&["normalize", "HTTP://a/%7e b"], "http://a/~%20b\n"),
        (&["get", "{path}", " http://a/b|c\n"], "/b%7Cc\n"),
        (
            &["edit", "-s", "host=x", "http://a/b c"],
            "http://x/b%20c\n",
        ),
        (
            &["compare", "http://a/b c", "http://a/b%20c"],
            "identical\n",
        ),
        (&["parse", "a b"], "form\trelative-path\npath\ta%20b\n"),
    ] {
        let outcome = uri(arguments.iter().copied().chain(["--lenient"]));
        assert_eq!((outcome.out.as_str(), outcome.status), (out, 0));
        assert_eq!(outcome.err.lines().count(), 1, "{outcome:?}");
        assert!(outcome.err.contains(NOT_VALID), "{outcome:?}");
        let quiet = uri(arguments.iter().copied().chain(["--lenient", "-q"]));
        // With `compare -q`, only the exit status reports the result.
        let out = if arguments[0] == "compare" { "" } else { out };
        assert_eq!(
            (quiet.out.as_str(), quiet.err.as_str(), quiet.status),
            (out, "", 0)
        );
        let strict = uri(arguments);
        assert_eq!(strict.status, 1, "{strict:?}");
        assert!(!strict.err.contains("lenient"), "{strict:?}");
    }
    let outcome = uri(["explain", "--lenient", "http://a/b c"]);
    assert!(outcome.out.contains("path    /b%20c"), "{outcome:?}");
    assert_eq!(outcome.status, 0);
    let outcome = uri(["fetch", "--plan", "--lenient", "http://a/b c"]);
    assert!(outcome.out.contains("GET /b%20c HTTP"), "{outcome:?}");
    assert!(outcome.err.contains(NOT_VALID), "{outcome:?}");
    assert_eq!(outcome.status, 0);
}

#[test]
fn the_warning_says_where_and_what() {
    for (text, message) in [
        (
            " http://a/b c|d\n",
            "argument 1: repaired, because it is not valid under RFC 3986: \" \" was removed, \
             \" \" became \"%20\", \"|\" became \"%7C\", \"\\n\" was removed\n",
        ),
        (
            "a b c|d e f^g`h{i}j|",
            "\" \" became \"%20\" (4 times), \"|\" became \"%7C\" (2 times), \"^\" became \"%5E\", \
             \"`\" became \"%60\", 2 more\n",
        ),
        ("http://u:p|q@h/", ": masked characters were changed\n"),
        (
            "http:\\\\u:p|q@h/",
            "became \"//\", masked characters were changed\n",
        ),
    ] {
        let outcome = uri(["parse", "--lenient", text]);
        assert!(outcome.err.ends_with(message), "{outcome:?}");
        assert!(!outcome.err.contains("p|q") && !outcome.err.contains("7Cq"));
    }
    let outcome = uri(["parse", "--lenient", "--show-secrets", "http://u:p|q@h/"]);
    assert!(outcome.err.ends_with(": \"|\" became \"%7C\"\n"));
    let long = "|".repeat(1000);
    assert!(uri(["parse", "--lenient", &long]).err.len() < 250);
}

#[test]
fn lines_of_files_and_of_standard_input_have_their_places() {
    let folder = Folder::new();
    let file = folder.file("a", "http://a/\nhttp://a/b c\n\n");
    let outcome = uri(["normalize", "--lenient", "-f", &file]);
    assert_eq!(outcome.out, "http://a/\nhttp://a/b%20c\n\n");
    let place = format!("uri: {file}:2:11: {NOT_VALID}: ");
    assert!(outcome.err.starts_with(&place), "{outcome:?}");
    // Large inputs are processed by many threads.
    let lines = "http://a/\nhttp://a/b c\nhttp://a b/\n".repeat(20_000);
    let outcome = uri_with(["normalize", "--lenient"], lines.as_bytes());
    assert_eq!(outcome.out, "http://a/\nhttp://a/b%20c\n\n".repeat(20_000));
    assert_eq!(outcome.err.matches(NOT_VALID).count(), 20_000);
    assert!(outcome.err.contains("uri: -:59999:11: repaired"));
    assert_eq!(outcome.status, 1);
}

#[test]
fn what_would_decide_the_host_stays_the_strict_error_with_a_hint() {
    let outcome = uri(["parse", "--lenient", "http://a b/"]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: not valid under RFC 3986: found a space\n  \
           http://a b/\n          \
                   ^\n  \
           expected a host character, `:`, `@`, `/`, `?`, `#` or the end\n  \
           authority, RFC 3986, 3.2\n  \
           --lenient cannot repair it: a change would decide which host is meant \
           (authority, RFC 3986, 3.2)\n"
    );
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 1));
    for (text, hint) in [
        ("http://u@v@w/", "which host is meant"),
        (
            "http://u:p|w@h:x/",
            "which host is meant (port, RFC 3986, 3.2.3)",
        ),
        (
            "http://ü ö/",
            "an internationalized domain name (RFC 3987, 3.1)",
        ),
        ("1a:b", "no repair is known for this error"),
    ] {
        for command in [
            &["parse", "--lenient", text][..],
            &["compare", "--lenient", "a:b", text],
            &["normalize", "--lenient", text],
            &["fetch", "--lenient", "--plan", text],
        ] {
            let outcome = uri(command);
            assert!(outcome.err.contains(hint), "{outcome:?}");
            assert_eq!(outcome.status, 1, "{outcome:?}");
        }
    }
    let outcome = uri(["explain", "--lenient", "http://a b/"]);
    assert!(outcome.out.contains("--lenient cannot repair it"));
    assert_eq!(outcome.status, 1);
}

#[test]
fn json_has_the_repairs_and_no_messages() {
    let outcome = uri(["parse", "--json", "--lenient", "http://a/b c", "a", "//a b"]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 1));
    let [repaired, valid, invalid] = &outcome.json()[..] else {
        panic!("{outcome:?}");
    };
    assert_eq!(repaired["input"], json!("http://a/b c"));
    assert_eq!(
        repaired["repaired"],
        json!({
            "text": "http://a/b%20c",
            "changes": [{"offset": 10, "found": " ", "became": "%20"}],
        })
    );
    assert_eq!(repaired["repair_error"], Value::Null);
    assert_eq!(repaired["valid"], json!(true));
    assert_eq!(repaired["path"], json!("/b%20c"));
    assert_eq!(valid["repaired"], Value::Null);
    assert_eq!(valid["repair_error"], Value::Null);
    assert_eq!(invalid["repaired"], Value::Null);
    assert_eq!(invalid["repair_error"]["offset"], json!(3));
    assert_eq!(invalid["error"], invalid["repair_error"]);
    assert_eq!(invalid["valid"], json!(false));
    assert_eq!(keys(repaired), keys(valid));
    assert_eq!(keys(repaired), keys(invalid));
    // Without the option, the keys are absent.
    let strict = uri(["parse", "--json", "http://a/b c"]).json().remove(0);
    assert!(strict.get("repaired").is_none() && strict.get("repair_error").is_none());
}

#[test]
fn each_record_has_the_input_as_given() {
    for arguments in [
        &["resolve", "--base", "x:/"][..],
        &["relativize", "--base", "http://a/"],
        &["normalize"],
        &["get", "{url}"],
        &["edit", "-s", "port=8080"],
        &["explain"],
        &["fetch", "--plan"],
    ] {
        let arguments = arguments.iter().copied();
        let outcome = uri(arguments.chain(["--json", "--lenient", "http://a/b c"]));
        let value = outcome.json().remove(0);
        assert_eq!(value["input"], json!("http://a/b c"), "{value}");
        assert_eq!(value["repaired"]["text"], json!("http://a/b%20c"));
        assert_eq!(value["repair_error"], Value::Null);
        assert_eq!(value["error"], Value::Null);
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    }
    let compared = |a, b| {
        uri(["compare", "--json", "--lenient", a, b])
            .json()
            .remove(0)
    };
    let value = compared("http://a/b c", "http://a/b%20c");
    assert_eq!(value["a"], json!("http://a/b c"));
    assert_eq!(value["repaired"]["a"]["text"], json!("http://a/b%20c"));
    assert_eq!(value["repaired"]["b"], Value::Null);
    assert_eq!(value["repair_error"], Value::Null);
    assert_eq!(value["by"], json!("identical"));
    let value = compared("a", "http://a b/");
    assert_eq!(value["repaired"], Value::Null);
    assert_eq!(value["repair_error"]["a"], Value::Null);
    assert_eq!(value["repair_error"]["b"]["offset"], json!(8));
}

#[test]
fn explain_removes_the_prefix_before_it_repairs() {
    let outcome = uri(["explain", "--json", "--lenient", "url: http://a/b c"]);
    let value = outcome.json().remove(0);
    assert_eq!(value["input"], json!("url: http://a/b c"));
    assert_eq!(value["reference"], json!("http://a/b%20c"));
    assert_eq!(value["repaired"]["text"], json!("http://a/b%20c"));
    assert_eq!(value["repaired"]["changes"][0]["offset"], json!(15));
    let outcome = uri(["explain", "--lenient", "url: http://a/b c"]);
    assert!(outcome.out.contains("The prefix `URL:` was removed"));
}

#[test]
fn what_is_not_utf8_is_not_repaired() {
    let outcome = uri_with(["parse", "--lenient"], b"http://a/\xff b\nc d\n");
    assert!(
        outcome
            .err
            .contains("--lenient cannot repair it: it is not UTF-8")
    );
    assert!(outcome.out.contains("c%20d"));
    assert_eq!(outcome.status, 1);
    let outcome = uri_with(["parse", "--lenient", "--json"], b"\xff\n");
    let value = outcome.json().remove(0);
    assert_eq!(value["input_base64"], json!("/w=="));
    assert_eq!(value["repaired"], Value::Null);
    assert_eq!(value["repair_error"]["offset"], json!(0));
}

#[test]
fn iris_are_valid_under_rfc_3987_and_others_become_uris() {
    let outcome = uri([
        "get",
        "--lenient",
        "--standard",
        "rfc3987",
        "{url}",
        "http://é/ü",
        "http://é/ü ö",
    ]);
    assert_eq!(outcome.out, "http://é/ü\nhttp://xn--9ca/%C3%BC%20%C3%B6\n");
    assert_eq!(outcome.err.lines().count(), 1);
    assert!(
        outcome
            .err
            .contains("argument 2: repaired, because it is not valid under RFC 3987")
    );
    assert_eq!(outcome.status, 0);
}

#[test]
fn the_other_standards_are_a_usage_error() {
    for standard in [
        "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "whatwg",
    ] {
        for arguments in [
            &["parse", "a b"][..],
            &["explain", "a b"],
            &["normalize", "a b"],
            &["compare", "a b", "c"],
            &["resolve", "--base", "http://a/", "a b"],
        ] {
            let options = ["--lenient", "--standard", standard];
            let outcome = uri(arguments.iter().copied().chain(options));
            assert_eq!((outcome.out.as_str(), outcome.status), ("", 2));
            let message = format!("--lenient does not apply to --standard {standard}");
            assert!(outcome.err.contains(&message), "{outcome:?}");
        }
    }
    // --lenient repairs only references, so it does not apply to components or data.
    assert_eq!(uri(["encode", "--lenient", "a b"]).status, 2);
}

#[test]
fn failures_after_a_repair_are_reported_as_usual() {
    let outcome = uri(["get", "--lenient", "{must:query}", "http://a/b c"]);
    assert!(outcome.err.contains(NOT_VALID), "{outcome:?}");
    assert!(
        outcome.err.contains("`{must:query}` is absent"),
        "{outcome:?}"
    );
    assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
    // The base is an option, not an input.
    let outcome = uri(["resolve", "--lenient", "--base", "http://a/b c", "d"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.err.starts_with("uri: --base: not valid"));
}

#[test]
fn inputs_end_in_nul_with_0() {
    let mut command = command();
    command.args(["normalize", "--lenient", "-0"]);
    let outcome = run_with(command, b"http://a/b\nc\0 d\0");
    assert_eq!(outcome.out, "http://a/bc\nd\n");
    assert!(outcome.err.contains("\"\\n\" was removed"));
}
