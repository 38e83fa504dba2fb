//! The command line itself: help, usage errors, completions, manual pages.

use crate::support::uri;

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
