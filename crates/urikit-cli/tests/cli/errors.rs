//! Error messages on standard error.

use crate::support::{Folder, command, run_with, uri, uri_with};

#[test]
fn a_message_has_place_problem_caret_and_rule() {
    let folder = Folder::new();
    let file = folder.file("list", "http://a/\nhttp://é/a\nhttp://a/b c\n");
    let outcome = uri(["parse", "--standard", "rfc3987", "-f", &file]);
    assert_eq!(
        outcome.err,
        format!(
            "uri: {file}:3:11: not valid under RFC 3987: found a space\n\
             \x20 http://a/b c\n\
             \x20           ^\n\
             \x20 expected a path character, `/`, `?`, `#` or the end\n\
             \x20 isegment, RFC 3987, 2.2\n"
        )
    );
}

#[test]
fn places_count_arguments_lines_and_characters() {
    let place = |err: String| err.split(": not").next().unwrap().to_owned();
    let outcome = uri_with(
        ["parse", "--standard", "rfc3987"],
        "a\nhttp://éé/^".as_bytes(),
    );
    assert_eq!(place(outcome.err), "uri: -:2:11");
    assert_eq!(place(uri(["parse", "a", "^"]).err), "uri: argument 2");
    assert_eq!(place(uri_with(["parse", "-0"], b"a\0\n").err), "uri: -:2:1");
}

#[test]
fn the_end_is_a_position() {
    let outcome = uri(["parse", "http://[::1"]);
    let lines: Vec<_> = outcome.err.lines().collect();
    assert_eq!(
        lines[0],
        "uri: argument 1: not valid under RFC 3986: the input ends too soon"
    );
    assert_eq!(lines[1], "  http://[::1");
    assert_eq!(lines[2], "             ^");
}

#[test]
fn browsers_report_no_offset() {
    let outcome = uri(["parse", "--standard", "whatwg", "//u:secret@h/"]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: not valid under WHATWG URL: relative URL without a base\n  //u:***@h/\n"
    );
}

#[test]
fn passwords_are_masked_and_the_caret_moves_with_them() {
    let outcome = uri(["parse", "http://user:secret@host/^"]);
    assert!(
        outcome
            .err
            .contains("  http://user:***@host/^\n                       ^\n"),
        "{}",
        outcome.err
    );
    let outcome = uri(["parse", "--show-secrets", "http://user:secret@host/^"]);
    assert!(
        outcome
            .err
            .contains("  http://user:secret@host/^\n                          ^\n"),
        "{}",
        outcome.err
    );
    // The invalid character is itself part of the secret.
    let outcome = uri(["parse", "http://user:se^ret@host/"]);
    assert!(
        !outcome.err.contains('`') || !outcome.err.contains("`^`"),
        "{}",
        outcome.err
    );
    assert!(outcome.err.contains("found a masked character"));
    assert!(
        outcome
            .err
            .contains("  http://user:***@host/\n              ^\n"),
        "{}",
        outcome.err
    );
}

#[test]
fn no_offset_reveals_the_length_of_a_password() {
    const TEXTS: [&str; 5] = [
        "http://user:PASSWORD@host/^",
        "http://user:PASS^WORD@host/",
        "http://user:PASSWORD^@host/",
        "http://h/?u=ftp://u:PASSWORD@h^",
        "//u:PASSWORD@[::1/",
    ];
    for text in TEXTS {
        for command in [&["parse", "-f", "-"][..], &["explain", "-f", "-"]] {
            for standard in ["rfc1808", "rfc2396", "rfc3986", "rfc3987"] {
                let arguments = [command, &["--standard", standard]].concat();
                let messages = |password: &str| {
                    let text = text.replace("PASS", password);
                    let outcome = uri_with(&arguments, text.as_bytes());
                    outcome.out + &outcome.err
                };
                let place = format!("{standard}: {text}");
                let short = messages("x");
                assert_eq!(short, messages("xxxxxxxxxxxxxxxxxxxxxxxx"), "{place}");
                assert!(!short.is_empty(), "{place}");
            }
        }
    }
}

#[test]
fn the_column_is_that_of_the_caret() {
    let at = |arguments: &[&str]| {
        let outcome = uri_with(arguments, b"http://u:secret@h/^\n");
        let lines: Vec<_> = outcome.err.lines().map(str::to_owned).collect();
        let caret = lines[2].chars().count() - "  ".len();
        assert!(
            lines[0].starts_with(&format!("uri: -:1:{caret}: ")),
            "{}",
            lines[0]
        );
        caret
    };
    assert_eq!(at(&["parse"]), 16);
    assert_eq!(at(&["parse", "--show-secrets"]), 19);
}

#[test]
fn untrusted_text_is_never_printed_raw() {
    let text = "http://h/\u{1b}[31m\u{202e}\u{9b}\u{7}";
    let outcome = uri(["parse", text]);
    assert!(
        outcome
            .err
            .contains("http://h/\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}\n")
    );
    for arguments in [
        vec![text],
        vec!["parse", text, "--bad\u{1b}"],
        vec!["explain", text],
        vec!["man", text],
    ] {
        let outcome = uri(arguments);
        let both = outcome.out + &outcome.err;
        assert!(
            !both.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\u{7}']),
            "{both:?}"
        );
    }
    let name = Folder::new().path().join("\u{1b}[31m");
    assert!(
        !uri(["parse", "-f", name.to_str().unwrap()])
            .err
            .contains('\u{1b}')
    );
}

#[test]
fn quiet_prints_no_messages() {
    let outcome = uri(["parse", "-q", "^", "a"]);
    assert_eq!(outcome.err, "");
    assert_eq!(outcome.out, "\nform\trelative-path\npath\ta\n");
    assert_eq!(outcome.status, 1);
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let with = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = command();
        command.args(arguments).envs(variables.iter().copied());
        let outcome = run_with(command, b"");
        (outcome.out + &outcome.err).contains('\u{1b}')
    };
    for command in ["parse", "explain"] {
        assert!(!with(&[command, "^"], &[]));
        assert!(with(&[command, "^"], &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(&[command, "^"], &[("NO_COLOR", "1")]));
        assert!(with(
            &[command, "--color", "always", "^"],
            &[("NO_COLOR", "1")]
        ));
        assert!(!with(
            &[command, "--color=never", "^"],
            &[("CLICOLOR_FORCE", "1")]
        ));
    }
    // Data is never coloured.
    assert!(!with(&["parse", "--color=always", "a:b"], &[]));
    assert!(!with(&["explain", "--color=always", "--json", "a:b"], &[]));
}
