//! Help and manual pages.

use crate::support::{run_with, uri};
use crate::terminal::on_terminal;
use std::process::Command;
use urikit_testkit::servers::skip;

/// All subcommands.
pub(crate) const SUBCOMMANDS: [&str; 20] = [
    "explain",
    "parse",
    "resolve",
    "relativize",
    "normalize",
    "compare",
    "audit",
    "edit",
    "fetch",
    "send",
    "get",
    "extract",
    "check",
    "encode",
    "decode",
    "schemes",
    "serve",
    "completions",
    "json-schema",
    "man",
];

/// The pages of `uri` and of all subcommands.
fn pages() -> Vec<(String, String)> {
    let mut pages = vec![("uri".to_owned(), uri(["man"]).out)];
    pages.extend(SUBCOMMANDS.map(|name| (format!("uri-{name}"), uri(["man", name]).out)));
    pages
}

/// Returns the output of a program for a page, or `None` if the program is not installed.
pub(crate) fn said(program: &str, arguments: &[&str], page: &str) -> Option<(String, String)> {
    Command::new(program).arg("-h").output().ok()?;
    let mut command = Command::new(program);
    command.args(arguments);
    let outcome = run_with(command, page.as_bytes());
    Some((outcome.out, outcome.err))
}

#[test]
fn there_are_no_other_subcommands() {
    let help = uri(["--help"]).out;
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let names: Vec<_> = listed
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for name in SUBCOMMANDS {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(names.len(), SUBCOMMANDS.len() + 1, "and help: {names:?}");
}

#[test]
fn mandoc_finds_nothing_wrong() {
    for (name, page) in pages() {
        let Some((out, err)) = said("mandoc", &["-Tlint"], &page) else {
            return skip("mandoc_finds_nothing_wrong", "mandoc");
        };
        assert_eq!((out.as_str(), err.as_str()), ("", ""), "{name}");
    }
}

#[test]
fn groff_warns_of_nothing_and_prints_examples_as_they_are() {
    for (name, page) in pages() {
        let arguments = ["-ww", "-man", "-Tutf8", "-P-c", "-P-b", "-P-u"];
        let Some((out, err)) = said("groff", &arguments, &page) else {
            return skip("groff_warns_of_nothing", "groff");
        };
        assert_eq!(err, "", "{name}");
        let subcommand = name.strip_prefix("uri-").into_iter();
        let help = uri(subcommand.chain(["--help"])).out;
        let examples = help.split("Examples:\n").nth(1).unwrap();
        for example in examples.lines().take_while(|line| !line.is_empty()) {
            let example = example.trim();
            assert!(
                out.lines().any(|line| line.trim() == example),
                "{name}: {example}\n{out}"
            );
        }
        let footer = out.lines().rev().find(|line| !line.is_empty()).unwrap();
        assert!(
            footer.starts_with(concat!("uri ", env!("CARGO_PKG_VERSION"))),
            "{footer}"
        );
    }
}

#[test]
fn pages_have_the_usual_sections() {
    for (name, page) in pages() {
        let upper = name.to_uppercase().replace('-', "\\-");
        assert!(page.starts_with(&format!(".TH \"{upper}\" 1 ")), "{page}");
        let titles: Vec<_> = page
            .lines()
            .filter_map(|line| line.strip_prefix(".SH \"")?.strip_suffix('"'))
            .collect();
        assert_eq!(titles[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{name}");
        for title in ["EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"] {
            assert!(titles.contains(&title), "{name}: {title}");
        }
    }
    for command in ["fetch", "man", "completions"] {
        assert!(
            uri(["man", command]).out.contains(".SH \"FILES\""),
            "{command}"
        );
    }
    assert!(uri(["man"]).out.contains(".SH \"FILES\""));
}

#[test]
fn help_has_own_options_first_and_the_shared_ones_in_a_short_block() {
    for name in SUBCOMMANDS {
        let help = uri([name, "--help"]).out;
        let shared = help.find("Shared options:\n").unwrap();
        if let Some(own) = help.find("\nOptions:\n") {
            assert!(own < shared, "{name}");
        }
        // Each option takes one or two lines: its name and its help begin on the same line.
        let block = help[shared..]
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with(' '));
        for line in block.filter(|line| line.trim_start().starts_with('-')) {
            assert!(line.trim().contains("  "), "{name}: {line}");
        }
        for title in ["\nExamples:\n", "\nExit status:\n"] {
            assert!(help.find(title).unwrap() > shared, "{name}: {title}");
        }
        let short = uri([name, "-h"]).out;
        assert!(short.contains("Shared options:"), "{name}");
        assert!(short.lines().count() < help.lines().count() + 1, "{name}");
    }
}

#[test]
fn help_fits_the_terminal() {
    for columns in [40, 80, 200] {
        for colours in [false, true] {
            for name in ["normalize", "fetch"] {
                let screen = on_terminal(columns, colours, &[name, "--help"]);
                assert_eq!(screen.status, 0);
                assert_eq!(screen.text.contains('\x1b'), colours);
                let plain = screen.plain();
                let before = plain.split("Examples:").next().unwrap();
                let widest = before
                    .lines()
                    .map(|line| line.chars().count())
                    .max()
                    .unwrap();
                // A single word, such as a list of values, may be longer than a narrow terminal.
                assert!(
                    widest <= usize::from(columns.max(60)),
                    "{name} {columns}: {plain}"
                );
            }
        }
    }
}
