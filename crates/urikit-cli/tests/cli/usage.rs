//! The command line itself: help, usage errors, completions, manual pages.

use crate::support::{Folder, Outcome, command, run_with, uri};

/// Runs `uri ARGUMENTS` in a folder.
fn uri_in(folder: &Folder, arguments: &[&str]) -> Outcome {
    let mut uri = command();
    uri.current_dir(folder.path()).args(arguments);
    run_with(uri, b"")
}

#[test]
fn usage_errors_have_status_2_and_a_message() {
    for arguments in [
        &[][..],
        &["nonsense"],
        &["http://a/"],
        &["parse", "--nonsense"],
        &["parse", "--standard", "rfc822"],
        &["parse", "-j", "-1"],
        &["completions", "tcsh"],
        &["man", "nonsense"],
    ] {
        let outcome = uri(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}");
        assert_eq!(outcome.out, "", "{arguments:?}");
        assert!(!outcome.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_reference_without_a_subcommand_gets_a_hint() {
    let outcome = uri(["http://u:secret@a/"]);
    assert!(
        outcome.err.contains("uri explain 'http://u:***@a/'"),
        "{}",
        outcome.err
    );
}

#[test]
fn help_and_version_are_not_errors() {
    for arguments in [
        &["-h"][..],
        &["--help"],
        &["parse", "-h"],
        &["explain", "--help"],
        &["help", "parse"],
    ] {
        let outcome = uri(arguments);
        assert_eq!(outcome.status, 0, "{arguments:?}");
        assert!(outcome.out.contains("Usage: uri"), "{arguments:?}");
        assert_eq!(outcome.err, "");
    }
    assert_eq!(
        uri(["--version"]).out,
        format!("uri {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn long_help_has_examples() {
    for command in ["parse", "explain", "completions", "man"] {
        assert!(
            uri([command, "--help"]).out.contains("Examples:"),
            "{command}"
        );
    }
    assert!(uri(["--help"]).out.contains("Examples:"));
    assert!(uri(["--help"]).out.contains("Exit status:"));
}

/// The references in the help must be valid.
#[test]
fn the_examples_work() {
    for arguments in [
        &["explain", "ftp://foo:@host.dom:21/%2Fetc/motd;type=a"][..],
        &[
            "parse",
            "--standard",
            "rfc2396",
            "mailto:mduerst@ifi.unizh.ch?x=y",
        ],
        &["parse", "--standard", "rfc1808", "http://a/b/c/d;p?q"],
        &["explain", "--json", "http://[::1]/"],
    ] {
        assert_eq!(uri(arguments).status, 0, "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = uri(["completions", shell]);
        assert_eq!(outcome.status, 0, "{shell}");
        for word in ["parse", "explain", "show-secrets"] {
            assert!(outcome.out.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn unknown_names_get_suggestions() {
    for (arguments, message) in [
        (
            &["pasre", "x"][..],
            "no subcommand \"pasre\"; did you mean \"parse\"?",
        ),
        (&["help", "pasre"], "did you mean \"parse\"?"),
        (&["help", "parse", "get"], "`uri help` takes one subcommand"),
        (&["get", "{segment}", "http://a/"], "needs a number"),
        (&["get", "{query-all}", "http://a/"], "`query-all:NAME`"),
        (&["man", "pasre"], "did you mean \"parse\"?"),
        (&["schemes", "gophr"], "did you mean \"gopher\"?"),
        (
            &["get", "{hots}", "x"],
            "no component \"hots\"; did you mean \"host\"? (see uri get --help)",
        ),
        (
            &["get", "host", "http://a/"],
            "no field in the template \"host\"; did you mean '{host}'?",
        ),
        (
            &["get", "--csv", "host,x,path", "http://a/"],
            "no field in the template \"host,x,path\"; did you mean '{host},x,{path}'?",
        ),
        (
            &["get", "http://r\u{e9}sum\u{e9}.example/", "{host}"],
            "expected a template before the references, such as '{host}'",
        ),
        (
            &["get", "http://a/", "{host}"],
            "expected a template before the references, such as '{host}'",
        ),
        (
            &["get", "{host:decod}", "x"],
            "no modifier \"decod\"; did you mean \"decode\"?",
        ),
        (
            &["get", "{surt:ia-pyton}", "x"],
            "did you mean \"ia-python\"?",
        ),
        (
            &["edit", "-s", "hots=x", "x"],
            "no component \"hots\"; did you mean \"host\"? (see uri edit --help)",
        ),
        (&["extract", "--in", "syntax=imge", "."], "unknown syntax"),
        (
            &["extract", "--in", "foo@@", "."],
            "expected ELEMENT@ATTRIBUTE",
        ),
        (
            &["extract", "--scheme", "ht tp", "."],
            "did you mean \"http\"?",
        ),
    ] {
        let outcome = uri(arguments);
        assert!(outcome.status > 0, "{arguments:?}: {outcome:?}");
        assert!(outcome.err.contains(message), "{arguments:?}: {outcome:?}");
    }
}

/// Similar spelling would mislead: `--fail` is not `--mail`.
#[test]
fn options_of_other_programs_get_advice() {
    for (arguments, advice) in [
        (
            &["send", "--fail", "x", "http://a/"][..],
            "an HTTP error is always a failure",
        ),
        (&["fetch", "-D", "x", "http://a/"], "`--meta FILE`"),
        (&["fetch", "--level", "1", "http://a/"], "use `--depth`"),
        (
            &["edit", "--get", "{host}", "http://a/"],
            "use `uri get TEMPLATE`",
        ),
        (
            &["get", "--accept-space", "{host}", "http://a/"],
            "use `--lenient`",
        ),
        (
            &["extract", "--only-matching", "."],
            "only the references are printed",
        ),
        (
            &["get", "--set", "host=x", "http://a/"],
            "it is an option of `uri edit`",
        ),
        (
            &["parse", "--standart", "rfc1738", "x"],
            "did you mean `--standard`?",
        ),
        (
            &["explain", "--print0", "x"],
            "does not print a list of results",
        ),
    ] {
        let outcome = uri(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}");
        assert!(outcome.err.contains("has no option"), "{outcome:?}");
        assert!(outcome.err.contains(advice), "{arguments:?}: {outcome:?}");
        assert!(!outcome.err.contains("--mail"), "{outcome:?}");
    }
    let outcome = uri(["parse", "--passwrod=secret"]);
    assert!(!outcome.err.contains("secret"), "{outcome:?}");
}

#[test]
fn files_and_standard_input_as_references_get_a_note() {
    let folder = Folder::new();
    folder.file("urls.txt", "http://a/\n");
    for subcommand in [
        &["parse"][..],
        &["normalize"],
        &["explain"],
        &["get", "{path}"],
        &["edit", "-s", "fragment=b"],
    ] {
        for (name, advice) in [("urls.txt", "`-f urls.txt`"), ("-", "`-f -`")] {
            let arguments = [subcommand, &["--", name]].concat();
            let outcome = uri_in(&folder, &arguments);
            assert_eq!(outcome.status, 0, "{arguments:?}: {outcome:?}");
            assert!(outcome.err.starts_with("uri: argument 1: "), "{outcome:?}");
            assert!(outcome.err.contains(advice), "{outcome:?}");
            let quiet = [subcommand, &["-q", "--", name]].concat();
            assert_eq!(uri_in(&folder, &quiet).err, "");
        }
    }
    let outcome = uri_in(&folder, &["resolve", "--base", "http://a/", "urls.txt"]);
    assert_eq!(outcome.err, "");
    let outcome = uri_in(&folder, &["parse", "other.txt"]);
    assert_eq!(outcome.err, "");
}

#[test]
fn a_url_is_not_a_file_to_extract_from() {
    let outcome = uri(["extract", "https://u:secret@example.com/"]);
    assert_eq!(outcome.status, 3);
    assert_eq!(
        outcome.err,
        "uri: https://u:***@example.com/: this is a URL; extract reads files (uri fetch URL | uri \
         extract --as html --base URL -)\n"
    );
}

#[test]
fn no_edit_is_a_usage_error() {
    for arguments in [&["edit", "http://a/"][..], &["edit", "--raw", "http://a/"]] {
        let outcome = uri(arguments);
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""));
        assert!(
            outcome.err.contains("give at least one edit"),
            "{outcome:?}"
        );
    }
}
