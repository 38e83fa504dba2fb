//! The peak memory of every subcommand on its worst known input.

use crate::peak::run;
use crate::support::{Folder, uri};
use std::fmt::Write as _;

/// The length of the inputs.
const LENGTH: usize = 8 << 20;

/// The subcommands that do not read input of arbitrary length.
const WITHOUT: [&str; 8] = [
    "serve",
    "send",
    "help",
    "completions",
    "json-schema",
    "man",
    "schemes",
    "compare",
];

/// A run, and its memory limit in proportion to the input.
struct Row {
    arguments: &'static [&'static str],
    /// The beginning of the line, and the text that is repeated after it.
    input: (&'static str, &'static str),
    /// Bytes of memory for each byte of input.
    most: usize,
}

const fn row(
    arguments: &'static [&'static str],
    beginning: &'static str,
    part: &'static str,
    most: usize,
) -> Row {
    Row {
        arguments,
        input: (beginning, part),
        most,
    }
}

/// The worst known input of each subcommand.
const ROWS: &[Row] = &[
    row(&["explain"], "http://a/?", "%41&", 16),
    row(&["explain", "--lenient"], "http://a/", "a ", 24),
    row(&["parse", "--json"], "http://a/?", "a&", 48),
    row(&["parse", "--json"], "ftp://a/", "a/", 48),
    row(&["parse", "--json"], "", "\u{7}", 24),
    row(&["parse", "--json", "--lenient"], "http://a/", "a ", 24),
    row(
        &["parse", "--json", "--standard", "whatwg"],
        "http://a/?",
        "\u{e9}",
        32,
    ),
    row(
        &["resolve", "--json", "--base", "http://a/b/c"],
        "",
        "../",
        16,
    ),
    row(
        &["resolve", "--lenient", "--base", "http://a/b/c"],
        "",
        "a ",
        24,
    ),
    row(
        &["relativize", "--json", "--base", "http://a/b/c"],
        "http://a/",
        "b/",
        16,
    ),
    row(&["normalize", "--json"], "http://a/", "%7e/../", 16),
    row(&["edit", "--json", "--sort-query"], "http://a/?", "b&", 64),
    row(&["edit", "--append", "query=c=d"], "http://a/?", "b&", 16),
    row(&["get", "{segments} {query-all:a}"], "http://a/?", "a&", 16),
    row(&["get", "--json", "{decode:path}"], "http://a/", "%07", 32),
    row(&["audit", "--json"], "http://a/", "%2e/\\", 96),
    row(&["audit"], "http://", "a@", 64),
    row(
        &["encode", "--json", "--component", "query"],
        "",
        "\u{7}",
        32,
    ),
    row(&["decode", "--json", "--component", "query"], "", "%07", 16),
    row(&["fetch", "--plan"], "http://127.0.0.1/?", "a&", 16),
    // The plan has a step for each directory.
    row(&["fetch", "--plan"], "ftp://127.0.0.1/", "a/", 144),
    // A record for each link.
    row(
        &["check", "--offline", "--quiet", "-"],
        "",
        "http://a/ ",
        16,
    ),
    row(&["extract", "--json", "--as", "text"], "", "http://a,", 8),
    row(&["extract", "--json", "--as", "html"], "<a ", "a ", 64),
    row(
        &["extract", "--json", "--as", "html"],
        "<a href='",
        "a ",
        24,
    ),
    row(&["extract", "--json", "--as", "html"], "", "<b>", 8),
    row(
        &["extract", "--json", "--as", "html"],
        "<a ping='",
        "a ",
        16,
    ),
    row(
        &["extract", "--json", "--as", "html"],
        "<a href='",
        "&lt;",
        24,
    ),
    row(
        &["extract", "--json", "--as", "markdown"],
        "[a]: b\n\n",
        "[a]",
        192,
    ),
    row(&["extract", "--json", "--as", "markdown"], "", "<a:>", 192),
    row(
        &["extract", "--json", "--as", "mail"],
        "List-Help: ",
        "<>",
        24,
    ),
    row(
        &["extract", "--json", "--as", "mail"],
        "A: ",
        "=?utf-8?Q?a?=",
        16,
    ),
    row(
        &["extract", "--json", "--as", "mail"],
        "Content-Type: a/b",
        ";a=b",
        16,
    ),
];

#[cfg(target_os = "linux")]
#[test]
fn every_subcommand_on_its_worst_known_input() {
    let folder = Folder::new();
    let mut failed = Vec::new();
    for row in ROWS {
        let (beginning, part) = row.input;
        let text = [beginning, &part.repeat(LENGTH / part.len())].concat();
        let file = folder.file("input", text);
        let run = run(row.arguments, Some(&file));
        let per_byte = run.peak.saturating_sub(16 << 20) / LENGTH;
        let name = row.arguments.join(" ");
        println!(
            "{name} on {part:?}: {} MB for 8 MB, {} times as much; {} MB of output in {:.1} s",
            run.peak >> 20,
            per_byte,
            run.printed >> 20,
            run.time.as_secs_f64()
        );
        if run.peak > (32 << 20) + row.most * LENGTH || run.status.is_none() {
            failed.push(format!(
                "{name} on {part:?}: {} MB, {:?}",
                run.peak >> 20,
                run.status
            ));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Markdown with one link in 500 bytes and one mark in 60, as in documentation, and a mailbox of
/// small messages need constant memory.
#[cfg(target_os = "linux")]
#[test]
fn ordinary_documents() {
    let folder = Folder::new();
    let mut markdown = String::new();
    let mut mailbox = String::new();
    let paragraph = "Words of a sentence that goes on, *some* of them marked or `code`, and then \
                     more words to its end, and to that of the line. ";
    for nth in 0.. {
        let _ = write!(
            markdown,
            "## Section {nth}\n\n{text}{text}[a link](../page-{nth}.html) {text}![](image.png)\n\n\
             - an item with <https://a.example/{nth}>\n- another {text}\n\n\
             ```sh\n{text}\n```\n\n| a | b |\n|---|---|\n| {nth} | http://b.example/{nth} |\n\n",
            text = paragraph.repeat(4)
        );
        let _ = write!(
            mailbox,
            "From a@a.example Thu Jan  1 00:00:00 1970\nSubject: {nth}\n\
             Content-Type: text/html; charset=utf-8\n\
             Content-Transfer-Encoding: quoted-printable\n\n\
             <p>{}<a href=3D\"http://c.example/{nth}\">c</a>\n\n",
            paragraph.repeat(20)
        );
        if markdown.len() > 3 * LENGTH {
            break;
        }
    }
    let length = markdown.len();
    let file = folder.file("a.md", markdown);
    for arguments in [&["extract", &file][..], &["extract", "--json", &file]] {
        let run = run(arguments, None);
        println!(
            "{} kB of Markdown: {} kB of memory",
            length >> 10,
            run.peak >> 10
        );
        assert!(
            run.lines > 10_000 && run.peak < 64 << 20,
            "{} kB, {} links",
            run.peak >> 10,
            run.lines
        );
    }
    assert!(mailbox.len() > 2 * LENGTH, "{}", mailbox.len());
    let file = folder.file("a.mbox", mailbox);
    let run = run(&["extract", "--json", &file], None);
    println!("a mailbox: {} kB of memory", run.peak >> 10);
    assert!(
        run.lines > 5_000 && run.peak < 24 << 20,
        "{} kB",
        run.peak >> 10
    );
}

/// Fails if a new subcommand has no row.
#[test]
fn every_subcommand_has_a_row() {
    let help = uri(["--help"]).out;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let mut count = 0;
    for line in commands.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.split_whitespace().next().unwrap();
        let has_row = ROWS.iter().any(|row| row.arguments.first() == Some(&name));
        assert!(has_row || WITHOUT.contains(&name), "{name}");
        count += 1;
    }
    assert!(count > 12, "{count}");
}
