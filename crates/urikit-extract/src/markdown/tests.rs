//! A document read in many sections has the same references as a document read at once.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

use super::Markdown;
use crate::found::{Bases, Found};
use crate::plain::Finder;
use crate::random::Random;
use crate::reader::{Context, OpenReader, Reader, TooLong};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use urikit::Standard;

/// The bytes to buffer before a section is read, in most tests.
const SMALL: usize = 64;

const NEVER: OpenReader = |_, _, _| unreachable!("Markdown contains no documents");

fn context(finder: &Finder) -> Context<'_> {
    Context {
        finder,
        max_length: 1 << 30,
        is_deep: false,
        standard: Some(Standard::Rfc3986),
        wants_position: |_| true,
        opens: NEVER,
        unpacks: None,
    }
}

fn shown(found: &Found<'_>) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        found.range(),
        found.kind(),
        found.text(),
        found.uri(),
        found.alternative(),
        found.place(),
        found.position()
    )
}

/// The references in a document, and the number of sections in which it was read.
struct Result {
    found: Vec<String>,
    sections: usize,
}

/// Reads a document in pieces of 7 bytes.
fn read(finder: &Finder, document: &[u8], window: usize) -> Result {
    let mut found = Vec::new();
    let mut ends = vec![0];
    let mut reader = Markdown::with_window(context(finder), &Bases::default(), window);
    for piece in document.chunks(7) {
        let each = &mut |reference: Found<'_>| found.push(shown(&reference));
        reader.push(piece, each).unwrap();
        ends.push(reader.undecided_from());
    }
    ends.dedup();
    let each = &mut |reference: Found<'_>| found.push(shown(&reference));
    let noticed = Box::new(reader).finish(each);
    found.push(format!("{noticed:?}"));
    Result {
        found,
        sections: ends.len(),
    }
}

const CONTAINERS: [&str; 18] = [
    "", "", "", "", "", " ", "  ", "   ", "    ", "\t", "> ", ">", "- ", "* ", "1. ", "12) ",
    "[^a]: ", "-   ",
];

/// Lines that begin, continue or end blocks.
const LEAVES: [&str; 95] = [
    "```",
    "```",
    "```",
    "~~~",
    "~~~~",
    "```` x",
    "``` a`b",
    "````",
    "``",
    "-->",
    "<div>",
    "</div>",
    "g'>",
    "<p>http://p.example/",
    "</script>",
    "<script>x</script>",
    "<pre>",
    "</pre>",
    "</style>",
    "</textarea>",
    "?>",
    "]]>",
    ">",
    "<img src=h>",
    "</noscript>",
    "# [a](i)",
    "#",
    "## j",
    "####### no",
    "heading",
    "===",
    "---",
    "--",
    "-",
    "***",
    "* * *",
    "- - -",
    "| a | [x](k) |",
    "|---|---|",
    "| b | <l:m> |",
    "a | b",
    "- | -",
    "--|--",
    "'title",
    "title'",
    "<u v>",
    "[r]",
    "[text][r]",
    "[r][]",
    "![i][R]",
    "![i][s]",
    "[x [r] y](z)",
    "[^a]",
    "[^a\tb]",
    "[^a](b)",
    "[c [^a] d](e)",
    "http://x.example/[^a]y",
    "![a](b \"c",
    "d\")",
    "[link",
    "text](dest)",
    "](dest)",
    "`code",
    "code`",
    "$math [a](b)",
    "$",
    "*a",
    "b*",
    "**b http://e.example/__c__.py**",
    "_http://e.example/_",
    "&amp;http&#58;//z.example/",
    "http\\://e.example/\\_f",
    "\0",
    "\u{b}",
    "\u{e9}",
    "\u{feff}",
    "text",
    "some text",
    "1.",
    "2. b",
    "+ c",
    "+",
    "<http://auto.example/>",
    "<URL:http://w.example/>",
    "<me@b.example>",
    "back\\",
    "hard  ",
    "http://wrapped.example/",
    "a:b",
    "note: b",
    "\"http:",
    "//q.example/\"",
    "- [ ] task",
    "# h {#id}",
    "  {#id}",
];

/// Lines that begin HTML that may remain open: elements, tags and comments.
const OPEN: [&str; 12] = [
    "<!-- c --> <a href=d>",
    "<a href='e'>",
    "<noscript>",
    "<!-- [a](b)",
    "<div class='",
    "<a href='f",
    "<script>",
    "<style>a{b:url(c)}",
    "<textarea>",
    "<?php",
    "<![CDATA[",
    "<!DOCTYPE",
];

const ENDINGS: [&str; 16] = [
    "\n", "\n", "\n", "\n", "\n", "\n\n", "\n\n", "\n\n", "\n\n\n", "\n \n", "\n>\n", "\r\n",
    "\r\n\r\n", "\r", " ", "",
];

/// The definitions at the beginning of each document.
const DEFINITIONS: &str = "[r]: http://r.example/\n[R]: s\n[s\t\\] t]:\n<t\\>&amp;&#10;\\\\>\n\n\
    > [q\n> r]: q\n\n[^a]: note\n\n[^A B]: - x\n\n";

/// Creates a document of lines that begin and end blocks of all kinds, in containers.
fn document(random: &mut Random, leaves: &[&'static str]) -> Vec<u8> {
    let mut document = Vec::new();
    if random.below(20) == 0 {
        document.extend_from_slice(b"---\nhome: http://front.example/\n---\n");
    }
    document.extend_from_slice(DEFINITIONS.as_bytes());
    // Few kinds of lines in one document make it likely that they match each other.
    let leaves: Vec<&str> = (0..=random.below(12))
        .map(|_| random.pick(leaves))
        .collect();
    let containers: Vec<&str> = (0..=random.below(4))
        .map(|_| random.pick(&CONTAINERS))
        .collect();
    let endings: Vec<&str> = (0..=random.below(5))
        .map(|_| random.pick(&ENDINGS))
        .collect();
    for _ in 0..random.below(60) {
        for _ in 0..random.below(3) {
            document.extend_from_slice(random.pick(&containers).as_bytes());
        }
        document.extend_from_slice(random.pick(&leaves).as_bytes());
        if random.below(60) == 0 {
            document.push(0xE9);
        }
        document.extend_from_slice(random.pick(&endings).as_bytes());
    }
    document
}

fn assert_same(document: &[u8], found: &[String], expected: &[String]) {
    for nth in 0..found.len().max(expected.len()) {
        let document = String::from_utf8_lossy(document);
        assert_eq!(found.get(nth), expected.get(nth), "{document:?}");
    }
}

#[test]
fn random_documents() {
    let count = std::env::var("URIKIT_LONG").map_or(2_000, |_| 1_000_000);
    let mut random = Random(42);
    let finders = [
        Finder::new(),
        Finder::new().abbreviated(true).addresses(true),
    ];
    let (mut sections, mut references) = (0, 0);
    for nth in 0..count {
        let document = document(&mut random, &LEAVES);
        let finder = &finders[nth % 2];
        let expected = read(finder, &document, 1 << 20);
        let result = read(finder, &document, SMALL);
        assert_same(&document, &result.found, &expected.found);
        sections += result.sections;
        references += result.found.len() - 1;
    }
    // The documents are worth reading.
    assert!(
        sections > 3 * count,
        "{sections} sections in {count} documents"
    );
    assert!(references > 3 * count, "{references}");
    println!("{references} references in {sections} sections of {count} documents");
}

/// The HTML in a section is read by itself, so elements and tags end with it. Therefore, only
/// references in Markdown are compared.
#[test]
fn random_documents_with_open_html() {
    let mut random = Random(43);
    let finder = Finder::new();
    let leaves = [&LEAVES[..], &OPEN].concat();
    let is_markdown = |found: &String| found.contains("syntax: Some(");
    for _ in 0..1_000 {
        let document = document(&mut random, &leaves);
        let found = [1 << 20, SMALL].map(|window| {
            let found = read(&finder, &document, window).found.into_iter();
            found.filter(is_markdown).collect::<Vec<_>>()
        });
        assert_same(&document, &found[1], &found[0]);
    }
}

/// Adds the Markdown files in a folder of the project.
fn add_files(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
            add_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(fs::read(path).unwrap());
        }
    }
}

#[test]
fn files_of_the_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("ARCHITECTURE.md").exists() {
        println!("SKIPPED the project's Markdown: this package is outside the project");
        return;
    }
    let mut files = Vec::new();
    add_files(&root, &mut files);
    assert!(files.len() > 20, "{}", files.len());
    let finder = Finder::new();
    for file in &files {
        let expected = read(&finder, file, 1 << 20).found;
        for window in [SMALL, 4096] {
            assert_same(file, &read(&finder, file, window).found, &expected);
        }
    }
    println!("{} Markdown files of the project", files.len());
}

/// Parts of labels and destinations.
const PARTS: [&str; 24] = [
    "a", "B", "\u{df}", "ss", " ", "\t", "\n", "^", "\\", "\\]", "\\[", "\\\\", "<", ">", "\\<",
    "\\>", "&", "&amp;", "&#10;", "&#13;", "`", "*", "!", "\u{e9}",
];

#[test]
fn random_definitions() {
    let mut random = Random(44);
    let finder = Finder::new();
    let mut uses = 0;
    for _ in 0..2_000 {
        let mut definitions = String::new();
        let mut labels = String::new();
        let part = |random: &mut Random, length| -> String {
            (0..=random.below(length))
                .map(|_| random.pick(&PARTS))
                .collect()
        };
        for _ in 0..=random.below(4) {
            let (label, uri) = (part(&mut random, 3), part(&mut random, 5));
            let container = random.pick(&["", "", "> ", "- ", "  ", "[^f]: ", "1. "]);
            let (open, close) = random.pick(&[("<", ">"), ("", "")]);
            let end = random.pick(&["\n", "\n\n", "\r\n", " 'title'\n", "\n(title)\n\n"]);
            let _ = write!(definitions, "{container}[{label}]: {open}{uri}{close}{end}");
            let _ = write!(labels, "[{label}] x\n\n[t][{label}]\n\n![{label}][]\n\n");
        }
        let text = "some words\n\n# a heading\n\n".repeat(8);
        let document = [&*definitions, "\n\n", &text, &labels].concat();
        let expected = read(&finder, document.as_bytes(), 1 << 20).found;
        let found = read(&finder, document.as_bytes(), SMALL).found;
        // The uses may themselves contain a definition, which is then late.
        if !found.last().unwrap().contains("late_definitions: 0") {
            continue;
        }
        assert_same(document.as_bytes(), &found, &expected);
        uses += found
            .iter()
            .filter(|it| it.contains("Some(Reference)"))
            .count();
    }
    assert!(uses > 2_000, "{uses}");
}

/// A section may end between any two of these blocks, so little text is kept.
#[test]
fn blocks_of_every_kind_are_released() {
    let finder = Finder::new();
    for block in [
        "# [a](b)\n",
        "[^NN]: x\n",
        "[aNN]: b\n\n",
        "[a]: b\n\n",
        "```\nx\n```\n",
        "---\n",
        "> q\n# h\n",
        "- a\n",
        "text\n\n",
        "| a |\n|---|\n\n",
        "<div>\n\n",
        "\n",
    ] {
        let mut reader = Markdown::with_window(context(&finder), &Bases::default(), 1024);
        let mut pushed = 0;
        for nth in 0..2_000 {
            let block = block.replace("NN", &nth.to_string());
            reader.push(block.as_bytes(), &mut |_| {}).unwrap();
            pushed += block.len();
            let kept = pushed - reader.undecided_from();
            assert!(kept <= 1024, "{block:?}: {kept} of {pushed}");
        }
    }
}

/// A list, a footnote and code continue after blank lines and definitions inside them.
#[test]
fn sections_do_not_end_within_a_block() {
    let finder = Finder::new();
    let rest = "words ".repeat(30);
    for document in [
        format!("- a\n\n{}      [x](y)\n\n{rest}", "\n".repeat(60)),
        format!(
            "- a\n\n  [b]: /c\n{}      [x](y) [b]\n\n{rest}",
            "\n".repeat(60)
        ),
        format!("[^a]: a\n\n{}        [x](y)\n\n{rest}", "\n".repeat(60)),
        format!("    a\n\n{}    [x](y)\n\n{rest}", "\n".repeat(60)),
    ] {
        let expected = read(&finder, document.as_bytes(), 1 << 20).found;
        for window in 16..100 {
            let found = read(&finder, document.as_bytes(), window).found;
            assert_same(document.as_bytes(), &found, &expected);
        }
    }
}

#[test]
fn definitions_may_follow_their_uses() {
    let finder = Finder::new();
    let uses = |document: String, window: usize| {
        let found = read(&finder, document.as_bytes(), window).found;
        let is_use = |found: &&String| found.contains("Some(Reference)");
        found.iter().filter(is_use).count()
    };
    let text = "Words without any marks, in a paragraph of 64 bytes, with a dot.\n\n";
    let definition = "[r]: http://r.example/\n\n";
    // A quarter of the window follows each section.
    for (between, window, expected) in [(10, 4096, 1), (200, 4096, 0), (200, 64 << 10, 1)] {
        let document = ["[r]\n\n", &text.repeat(between), definition].concat();
        assert_eq!(uses(document, window), expected, "{between} {window}");
    }
    // A definition that follows too late is reported.
    let document = ["[r] [S]\n\n", &text.repeat(200), definition, definition].concat();
    let found = read(&finder, document.as_bytes(), 4096).found;
    assert!(
        found.last().unwrap().contains("late_definitions: 1"),
        "{found:?}"
    );
    // A definition that precedes its uses may be anywhere.
    let document = [definition, &text.repeat(200), "[i][R] [r][]\n"].concat();
    assert_eq!(uses(document, SMALL), 2);
}

#[test]
fn definitions_for_later_sections_are_limited() {
    let finder = Finder::new();
    let mut document = String::new();
    for nth in 0..20_000 {
        let path = "a".repeat(50);
        let _ = write!(document, "[r{nth}]: http://r.example/{path}\n\n[r0]\n\n");
    }
    let found = read(&finder, document.as_bytes(), 256 << 10).found;
    let uses = found.iter().filter(|it| it.contains("Some(Reference)"));
    assert_eq!(uses.count(), 20_000);
    assert!(found.last().unwrap().contains("definitions_until: Some("));
}

/// One block must fit in memory.
#[test]
fn blocks_are_limited() {
    let finder = Finder::new();
    let read = |document: &str| {
        let context = Context {
            max_length: 1024,
            ..context(&finder)
        };
        let mut count = 0;
        let mut reader = Box::new(Markdown::with_window(context, &Bases::default(), SMALL));
        reader.push(document.as_bytes(), &mut |_| count += 1)?;
        reader.finish(&mut |_| count += 1);
        Ok::<usize, TooLong>(count)
    };
    assert_eq!(read(&"[a](b)\n\n".repeat(1000)).unwrap(), 1000);
    assert_eq!(read(&"- [a](b)\n".repeat(1000)).unwrap(), 1000);
    assert_eq!(read(&"[a](b)\n".repeat(1000)).unwrap_err().limit, 1024);
    let after = ["\n\n", &"[a](b)\n\n".repeat(500)].concat();
    for (length, is_read) in [(1000, true), (1100, false)] {
        let block = [&"a".repeat(length), &*after].concat();
        assert_eq!(read(&block).is_ok(), is_read, "{length}");
    }
}
