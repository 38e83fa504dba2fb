//! Habits from other programs: repeated options, quiet, silent and NUL-separated output, hints.

use crate::support::{Folder, run_with, uri, uri_with};
use crate::terminal::on_terminal;
use std::process::Command;
use urikit_testkit::servers::skip;

#[test]
fn the_last_of_a_repeated_option_counts() {
    let outcome = uri([
        "normalize",
        "--level",
        "case",
        "--level",
        "scheme",
        "HTTP://h",
    ]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("http://h/\n", 0));
    let outcome = uri([
        "resolve",
        "--base",
        "x:/",
        "--base",
        "http://a/b",
        "c",
        "--json",
        "--json",
    ]);
    assert!(outcome.out.contains("http://a/c"), "{outcome:?}");
    // The values of repeatable options accumulate.
    let outcome = uri(["edit", "-s", "host=a", "-s", "port=1", "http://h/"]);
    assert_eq!(outcome.out, "http://a:1/\n");
}

#[test]
fn quiet_prints_nothing_in_compare_and_extract() {
    for (arguments, status) in [
        (&["compare", "-q", "http://a", "http://a/"][..], 0),
        (&["compare", "-q", "a", "b"], 1),
        (&["compare", "-q", "a", "b c"], 1),
        (&["compare", "-q", "--json", "a", "b"], 1),
    ] {
        let outcome = uri(arguments);
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            ("", ""),
            "{arguments:?}"
        );
        assert_eq!(outcome.status, status, "{arguments:?}");
    }
    for (text, status) in [(&b"see http://a/ and <http://b/>"[..], 0), (b"nothing", 1)] {
        for options in [
            &["extract", "-q"][..],
            &["extract", "-qc"],
            &["extract", "-q", "--json"],
        ] {
            let outcome = uri_with(options, text);
            assert_eq!(
                (outcome.out.as_str(), outcome.err.as_str()),
                ("", ""),
                "{options:?}"
            );
            assert_eq!(outcome.status, status, "{options:?}");
        }
    }
}

#[test]
fn compare_ignores_what_it_is_asked_to() {
    for (ignore, a, b, by) in [
        ("fragment", "http://a/#x", "http://a/#y", "identical"),
        ("fragment", "http://a/#x", "http://A/", "case"),
        ("query-order", "http://a/?x&y", "http://a/?y&x", "identical"),
        // Pairs are ordered by their decoded form.
        (
            "query-order",
            "http://a/?%61=1&b",
            "http://a/?b&a=1",
            "escapes",
        ),
        (
            "fragment,query-order",
            "http://a?b&a#x",
            "http://a/?a&b",
            "scheme",
        ),
        (
            "query-order",
            "http://a/?x=1&x=2",
            "http://a/?x=1",
            "different",
        ),
        ("fragment", "http://a/?x&y", "http://a/?y&x", "different"),
        ("query-order", "http://a/#x", "http://a/", "different"),
    ] {
        let outcome = uri(["compare", "--ignore", ignore, a, b]);
        assert_eq!(outcome.out, format!("{by}\n"), "{ignore} {a} {b}");
        assert_eq!(outcome.status, i32::from(by == "different"));
    }
    let whatwg = ["compare", "--standard", "whatwg", "--ignore", "query-order"];
    let outcome = uri(whatwg.into_iter().chain(["HTTP://a?x&y", "http://a/?y&x"]));
    assert_eq!((outcome.out.as_str(), outcome.status), ("scheme\n", 0));
}

#[test]
fn compare_differs_or_is_invalid_with_1() {
    assert_eq!(uri(["compare", "a", "b"]).status, 1);
    let outcome = uri(["compare", "a", "b c"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 1));
    assert!(
        outcome.err.starts_with("uri: argument 2: "),
        "{}",
        outcome.err
    );
    assert_eq!(uri(["compare", "--json", "a b", "b"]).status, 1);
}

#[test]
fn print0_ends_each_result_with_nul() {
    for (arguments, out) in [
        (&["normalize", "HTTP://a/", "b"][..], "http://a/\0b\0"),
        (
            &["resolve", "--base", "http://a/", "b", "c d", "e"],
            "http://a/b\0\0http://a/e\0",
        ),
        (&["relativize", "--base", "http://a/b", "http://a/c"], "c\0"),
        (
            &["edit", "-s", "port=1", "http://h/", "^"],
            "http://h:1/\0\0",
        ),
        (
            &["get", "{host}\\n", "http://h/", "http://i/"],
            "h\n\0i\n\0",
        ),
        (
            &["encode", "--component", "segment", "a b", "c"],
            "a%20b\0c\0",
        ),
        (&["decode", "a%0Ab"], "a\nb\0"),
        (&["normalize", "--count", "b", "a", "a"], "2\ta\x001\tb\0"),
        (&["get", "--unique", "{path}", "a", "a"], "a\0"),
        (
            &["parse", "a", "b"],
            "form\trelative-path\npath\ta\n\0form\trelative-path\npath\tb\n\0",
        ),
    ] {
        let mut all = arguments.to_vec();
        all.insert(1, "--print0");
        all.insert(1, "-q");
        assert_eq!(uri(all).out, out, "{arguments:?}");
    }
    let outcome = uri_with(["extract", "--print0"], b"<http://a/> <http://b/>");
    assert_eq!(outcome.out, "http://a/\0http://b/\0");
    // -0 still applies to the input.
    assert_eq!(uri_with(["normalize", "-0"], b"a\nb\0c\0").out, "\nc\n");
    assert_eq!(
        uri_with(["normalize", "-0", "--print0"], b"B:\0c\0").out,
        "b:\0c\0"
    );
    assert_eq!(uri(["normalize", "--print0", "--json", "a"]).status, 2);
    let outcome = uri_with(["extract", "-c", "--print0"], b"<http://a/> <http://b/>");
    assert_eq!(outcome.out, "2\0");
}

/// --print0 does not apply to CSV, which ends its own rows, or to output that is not a list.
#[test]
fn print0_is_refused_where_no_list_is_printed() {
    for arguments in [
        &["get", "--csv", "{host}"][..],
        &["parse", "--csv"],
        &["fetch"],
        &["fetch", "--list", "json"],
        &["fetch", "--plan", "--list", "references"],
    ] {
        let outcome = uri(arguments.iter().chain(&["--print0", "http://a/"]));
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2));
        assert!(outcome.err.contains("--print0"), "{outcome:?}");
    }
    for name in [
        "explain",
        "audit",
        "schemes",
        "send",
        "man",
        "json-schema",
        "completions",
    ] {
        let outcome = uri([name, "--print0", "a"]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2));
        let message = format!(
            "uri: `uri {name}` has no option `--print0`: it does not print a list of \
             results\n\nSee `uri {name} --help`.\n"
        );
        assert_eq!(outcome.err, message);
    }
    for name in ["audit", "compare", "schemes", "fetch"] {
        assert!(uri([name, "--help"]).out.contains("--print0"), "{name}");
    }
}

#[test]
fn a_path_after_a_host_gets_its_slash() {
    for (arguments, out) in [
        (&["-s", "path=foo", "http://h"][..], "http://h/foo\n"),
        (&["-s", "path=foo", "http://h/x?q"], "http://h/foo?q\n"),
        (&["-s", "path=/foo", "http://h"], "http://h/foo\n"),
        (&["-s", "path=", "http://h/x"], "http://h\n"),
        (&["-s", "path=foo", "mailto:x"], "mailto:foo\n"),
        (
            &["-s", "host=h", "-s", "scheme=x", "-s", "path=foo", ""],
            "x://h/foo\n",
        ),
        (
            &["-s", "host=", "-s", "path=foo", "http://h/x"],
            "http:foo\n",
        ),
        (
            &["--iterate", "path=a b", "http://h"],
            "http://h/a\nhttp://h/b\n",
        ),
        (&["--raw", "-s", "path=a%b", "http://h"], "http://h/a%25b\n"),
    ] {
        let outcome = uri(["edit"].iter().chain(arguments));
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            (out, ""),
            "{arguments:?}"
        );
    }
    // Components that are set exactly are not changed.
    assert_eq!(uri(["edit", "-s", "path:=foo", "http://h"]).status, 1);
}

#[test]
fn encode_without_a_component_is_strict_and_says_so() {
    let all: String = (' '..='~').collect();
    let outcome = uri(["encode", &all]);
    let kept: String = uri(["decode", "-q", outcome.out.trim_end()]).out;
    assert_eq!(kept.trim_end_matches('\n'), all);
    let literal: String = outcome
        .out
        .split('%')
        .skip(1)
        .map(|text| text.get(2..).unwrap())
        .collect();
    assert!(
        literal
            .trim_end()
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
    );
    assert!(
        outcome.err.starts_with("uri: --component: not given"),
        "{}",
        outcome.err
    );
    // The result is valid in every component.
    for component in ["user", "host", "segment", "query-value", "fragment"] {
        let strict = outcome.out.trim_end();
        let kept = uri(["encode", "--partly", "--component", component, strict]).out;
        assert_eq!(kept.trim_end(), strict, "{component}");
    }
    assert_eq!(
        uri(["encode", "--standard", "rfc1738", "-q", "~é"]).out,
        "%7E%C3%A9\n"
    );
    assert_eq!(uri(["encode", "-q", "a"]).err, "");
    let json = uri(["encode", "--json", "a b"]).json();
    assert_eq!(json[0]["component"], serde_json::Value::Null);
    assert_eq!(json[0]["encoded"], "a%20b");
}

#[test]
fn all_messages_start_with_the_name() {
    for arguments in [
        &[][..],
        &["prase", "a"],
        &["http://a/"],
        &["parse", "--nonsense"],
        &["normalize", "--level", "x", "a"],
        &["resolve", "../g"],
        &["parse", "a b"],
        &["resolve", "--base", "a b", "c"],
        &["compare", "a", "b c"],
        &["schemes", "nonsense"],
        &["extract", "no/file"],
        &["parse", "-f", "no/file"],
        &["extract", "--base", "a b", "x"],
        &["fetch", "../a"],
        &["encode", "--component", "x", "a"],
        &["man", "x"],
    ] {
        let outcome = uri(arguments);
        assert!(
            outcome.err.starts_with("uri: "),
            "{arguments:?}: {}",
            outcome.err
        );
        assert_ne!(outcome.status, 0);
        for columns in [40, 80, 200] {
            for colours in [false, true] {
                let screen = on_terminal(columns, colours, arguments);
                assert!(
                    screen.plain().starts_with("uri: "),
                    "{arguments:?}: {}",
                    screen.text
                );
                assert_eq!(
                    screen.text.contains('\x1b'),
                    colours,
                    "{arguments:?}: {}",
                    screen.text
                );
            }
        }
    }
}

#[test]
fn a_mistyped_subcommand_gets_a_suggestion() {
    for (typed, meant) in [
        ("prase", "parse"),
        ("normalise", "normalize"),
        ("fetsch", "fetch"),
    ] {
        let outcome = uri([typed, "http://a/"]);
        assert!(
            outcome.err.contains(&format!("did you mean \"{meant}\"?")),
            "{}",
            outcome.err
        );
        assert_eq!(outcome.status, 2);
    }
}

#[test]
fn without_arguments_there_is_something_to_try() {
    for columns in [40, 80, 200] {
        let screen = on_terminal(columns, true, &[]);
        assert_eq!(screen.status, 2);
        let tried: Vec<String> = screen
            .plain()
            .lines()
            .filter_map(|line| Some(line.strip_prefix("  uri ")?.to_owned()))
            .collect();
        assert!(tried.len() >= 4, "{}", screen.text);
    }
    // The suggested command works.
    assert_eq!(uri(["explain", "https://example.org/a?b=c#d"]).status, 0);
    assert_eq!(
        uri(["resolve", "--base", "https://example.org/a/b", "../c"]).status,
        0
    );
    assert_eq!(uri(["fetch", "--plan", "ftp://example.org/file"]).status, 0);
}

#[test]
fn examples_in_messages_include_required_options() {
    for command in ["resolve", "relativize"] {
        let usage = uri([command, "a"]).err;
        assert!(
            usage.contains(&format!("uri {command} --base <BASE>")),
            "{usage}"
        );
    }
    // A terminal as standard input counts as no input.
    for (command, example) in [
        (
            "resolve --base x:/",
            "uri resolve --base http://example.com/ http://example.org/",
        ),
        (
            "relativize --base x:/",
            "uri relativize --base http://example.com/ -f FILE",
        ),
        ("get {host}", "uri get '{host}' http://example.org/"),
        ("normalize", "uri normalize -f FILE"),
    ] {
        let mut script = Command::new("script");
        let line = format!("'{}' {command}", env!("CARGO_BIN_EXE_uri"));
        script.args(["-qec", &line, "/dev/null"]);
        if script.output().is_err() {
            return skip("examples_in_messages_include_required_options", "script");
        }
        let message = run_with(script, b"").out;
        assert!(message.contains(example), "{command}: {message}");
    }
}

#[test]
fn the_systems_text_is_cut_only_at_its_error_number() {
    let folder = Folder::new();
    let name = folder.path().join("a (os error 2) b");
    let outcome = uri(["extract", name.to_str().unwrap()]);
    let expected = format!("uri: {}: No such file or directory\n", name.display());
    assert_eq!(outcome.err, expected);
}
