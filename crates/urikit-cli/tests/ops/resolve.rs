//! `uri resolve` and `uri relativize`.

use crate::support::{uri, uri_with};
use serde_json::{Value, json};
use urikit_testkit::rows::{ResolveGroup, resolve_groups};

/// The options of a group.
fn options(group: &ResolveGroup) -> Vec<String> {
    let mut options = Vec::new();
    for (name, word) in [
        ("--above-root", &group.above_root),
        ("--same-scheme", &group.same_scheme),
        ("--slash-rule", &group.slash_rule),
    ] {
        if let Some(word) = word {
            options.extend([name.to_owned(), word.clone()]);
        }
    }
    options
}

#[test]
fn every_example_of_the_rfcs() {
    for group in resolve_groups() {
        for standard in &group.standards {
            let mut arguments = vec!["resolve".to_owned(), "--json".to_owned()];
            arguments.extend(["--base".to_owned(), group.base.clone()]);
            arguments.extend(["--standard".to_owned(), standard.clone()]);
            arguments.extend(options(&group));
            let targets = group
                .targets
                .iter()
                .map(|(input, target)| (input, json!(target)));
            let rows: Vec<_> = targets
                .chain(group.fails.iter().map(|input| (input, Value::Null)))
                .collect();
            let lines = rows
                .iter()
                .fold(String::new(), |lines, (input, _)| lines + input + "\n");
            let outcome = uri_with(arguments, lines.as_bytes());
            assert_eq!(
                outcome.status,
                i32::from(!group.fails.is_empty()),
                "{group:?}"
            );
            let printed = outcome.json();
            assert_eq!(printed.len(), rows.len());
            for ((input, target), value) in rows.into_iter().zip(printed) {
                assert_eq!(value["base"], json!(group.base));
                assert_eq!(value["input"], json!(input));
                assert_eq!(value["standard"], json!(standard));
                assert_eq!(
                    value["target"], target,
                    "{standard}: {input} ({})",
                    group.source
                );
                let same_document = group.same_document && !target.is_null();
                assert_eq!(value["same_document"], json!(same_document), "{input}");
                assert_eq!(value["error"].is_null(), !target.is_null(), "{input}");
            }
        }
    }
}

#[test]
fn the_keys_are_in_order() {
    let outcome = uri(["resolve", "--json", "--base", "http://a/b/c", "../g"]);
    assert_eq!(
        outcome.out,
        "{\"base\":\"http://a/b/c\",\"input\":\"../g\",\"standard\":\"rfc3986\",\"valid\":true,\
         \"target\":\"http://a/g\",\"same_document\":false,\"error\":null,\"result\":\"http://a/g\"}\n"
    );
    let outcome = uri([
        "relativize",
        "--json",
        "--base",
        "http://a/b/c",
        "http://a/g",
    ]);
    assert_eq!(
        outcome.out,
        "{\"base\":\"http://a/b/c\",\"input\":\"http://a/g\",\"standard\":\"rfc3986\",\
         \"valid\":true,\"relative\":\"/g\",\"error\":null,\"result\":\"/g\"}\n"
    );
}

#[test]
fn plain_output_is_one_line_per_input() {
    let outcome = uri(["resolve", "--base", "http://a/b/c", "d", "e f", "#s"]);
    assert_eq!(outcome.out, "http://a/b/d\n\nhttp://a/b/c#s\n");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome
            .err
            .starts_with("uri: argument 2: not valid under RFC 3986: found a space\n")
    );

    let outcome = uri([
        "relativize",
        "--base",
        "http://a/b/c",
        "http://a/b/c",
        "http://a/b/d",
        "e",
    ]);
    assert_eq!(outcome.out, "\nd\n\n");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome
            .err
            .contains("argument 3: expected a target with a scheme"),
        "{}",
        outcome.err
    );
}

#[test]
fn an_invalid_base_is_a_usage_error() {
    for base in ["/a/b", "http://a b/", "mailto:"] {
        let outcome = uri(["resolve", "--standard", "rfc2396", "--base", base, "g"]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2), "{base}");
        assert!(outcome.err.starts_with("uri: --base: "), "{}", outcome.err);
    }
    let outcome = uri(["resolve", "g"]);
    assert_eq!(outcome.status, 2);
    let secret = uri(["resolve", "--base", "http://u:SECRET@a b/", "g"]);
    assert!(!secret.err.contains("SECRET"), "{}", secret.err);
}

/// With --json too: status 2, the same message, and no results.
#[test]
fn an_invalid_base_is_a_usage_error_with_json() {
    for command in ["resolve", "relativize"] {
        let outcome = uri([command, "--json", "--base", "http://a b/", "http://c/"]);
        assert_eq!(
            outcome.err,
            "uri: --base: not valid under RFC 3986: found a space\n\
             \x20 http://a b/\n\
             \x20         ^\n\
             \x20 expected a host character, `:`, `@`, `/`, `?`, `#` or the end\n\
             \x20 authority, RFC 3986, 3.2\n"
        );
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2), "{command}");
        let help = uri([command, "--help"]).out;
        let words: Vec<_> = help.split_whitespace().collect();
        assert!(
            words.join(" ").contains("An invalid base is a usage error"),
            "{help}"
        );
    }
    // An opaque base is valid, but some references cannot be resolved against it.
    let outcome = uri([
        "resolve",
        "--standard",
        "rfc2396",
        "--base",
        "mailto:a@b",
        "#s",
        "g",
    ]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("mailto:a@b#s\n\n", 1)
    );
}

#[test]
fn an_option_that_the_standard_does_not_allow_is_a_usage_error() {
    const LATER: &str = "only to rfc1808, rfc2396, rfc2732, rfc3986, rfc3987\n";
    let choices = [
        ("--above-root", "keep", LATER),
        ("--same-scheme", "strict", LATER),
        ("--slash-rule", "examples", "only to rfc1630\n"),
    ];
    let standards = [
        "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987", "whatwg",
    ];
    for (option, word, names) in choices {
        for standard in standards {
            let outcome = uri([
                "resolve",
                "--base",
                "http://a/b",
                "--standard",
                standard,
                option,
                word,
                "http://c/d",
            ]);
            if names.contains(standard) {
                assert_eq!(
                    (outcome.err.as_str(), outcome.status),
                    ("", 0),
                    "{option} {standard}"
                );
            } else {
                assert_eq!(
                    (outcome.out.as_str(), outcome.status),
                    ("", 2),
                    "{option} {standard}"
                );
                let message = format!("{option} does not apply to --standard {standard}, {names}");
                assert!(outcome.err.contains(&message), "{}", outcome.err);
            }
        }
    }
}

#[test]
fn an_invalid_target_reveals_no_password() {
    // RFC 1630's `telnet` has no path.
    let target = |password: &str| {
        let base = format!("telnet://u:{password}@h");
        uri(["resolve", "--standard", "rfc1630", "--base", &base, "g"])
    };
    let outcome = target("secret");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome
            .err
            .contains("the target would not be valid under RFC 1630: found `/` ("),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.err, target("longersecret").err);
}

#[test]
fn rfc_1738_suggests_another_standard() {
    let outcome = uri([
        "resolve",
        "--standard",
        "rfc1738",
        "--base",
        "http://a/b",
        "http://a/c",
    ]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("use rfc1808"), "{}", outcome.err);
}

#[test]
fn rfc_1738_suggests_it_for_relative_references_too() {
    let resolve = |arguments: &[&str]| {
        let standard = ["resolve", "--standard", "rfc1738", "--base", "http://a/b"];
        uri(standard.iter().chain(arguments))
    };
    for reference in ["g", "../g", "?y", "#s", "//h/x", "", ";x"] {
        let outcome = resolve(&[reference]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
        let message = "uri: argument 1: RFC 1738 does not describe relative URLs: use rfc1808 (RFC 1738, 2.3)\n";
        assert!(outcome.err.starts_with(message), "{}", outcome.err);
        let value = resolve(&["--json", reference]).json().remove(0);
        assert_eq!(value["valid"], json!(false), "{reference}");
        assert_eq!(value["error"]["section"], json!("RFC 1738, 2.3"));
        let message = value["error"]["message"].as_str().unwrap();
        assert!(message.contains("use rfc1808"), "{message}");
    }
    // For an invalid URL, the error is reported instead.
    let outcome = resolve(&["http://a b/"]);
    assert!(
        outcome.err.contains("not valid under RFC 1738"),
        "{}",
        outcome.err
    );
}

#[test]
fn before_rfc_3986_an_absolute_path_keeps_its_dots() {
    for (standard, reference, target) in [
        ("rfc1808", "/../g", "http://a/../g\n"),
        ("rfc2396", "/../g", "http://a/../g\n"),
        ("rfc2396", "../../g", "\n"),
        ("rfc3986", "/../g", "\n"),
    ] {
        let options = ["resolve", "--above-root", "refuse", "--standard", standard];
        let outcome = uri(options.iter().chain(&["--base", "http://a/b", reference]));
        assert_eq!(outcome.out, target, "{standard} {reference}");
        assert_eq!(outcome.status, i32::from(target == "\n"));
    }
}

#[test]
fn browsers_resolve_too() {
    let whatwg = |rest: &[&str]| {
        let mut arguments = vec!["resolve", "--standard", "whatwg", "--json"];
        arguments.extend(rest);
        uri(arguments).json().remove(0)
    };
    let value = whatwg(&["--base", "http://a/b/c", r"..\g"]);
    assert_eq!(value["target"], json!("http://a/g"));
    let value = whatwg(&["--base", "http://a/b/c", "#s"]);
    assert_eq!(value["same_document"], json!(true));
    let value = whatwg(&["--base", "mailto:a@b", "g"]);
    assert_eq!(value["target"], Value::Null);
    assert_eq!(value["error"]["section"], json!("WHATWG URL"));
}
