//! Reading Markdown in sections finds the same references as reading it in one piece.

use super::{Kind, Markdown, SIZES, Section, Sizes, Target, as_one_section};
use crate::found::{Bases, Found};
use crate::plain::Finder;
use crate::reader::{Context, OpenReader, Reader, TooLong};
use std::fs;
use std::path::Path;
use urikit::Standard;

/// Sizes that cut nearly everywhere, for documents of which all definitions are known.
const SMALL: Sizes = Sizes {
    look_ahead: usize::MAX >> 1,
    step: 16,
    min_section: 8,
    max_section: 32,
};

const NEVER: OpenReader = |_, _, _| unreachable!("Markdown contains no documents");

fn context(finder: &Finder) -> Context<'_> {
    Context {
        finder,
        max_length: usize::MAX,
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

/// Reads a document in sections.
fn in_sections(finder: &Finder, document: &[u8], sizes: Sizes) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = Box::new(Markdown::with_sizes(
        context(finder),
        &Bases::default(),
        sizes,
    ));
    reader
        .push(document, &mut |reference| found.push(shown(&reference)))
        .unwrap();
    let noticed = reader.finish(&mut |reference| found.push(shown(&reference)));
    found.push(format!("{noticed:?}"));
    found
}

/// Reads a document as one section.
fn at_once(finder: &Finder, document: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = Box::new(Markdown::new(context(finder), &Bases::default()));
    reader.window.push(document);
    assert!(reader.skip_front_matter(true));
    let front = reader.waiting.pop_front();
    let front_end = front.as_ref().map_or(0, |front| front.range.end);
    let all = as_one_section(front_end..document.len(), &reader.window);
    for section in front.into_iter().chain([all]) {
        reader.read(&section, &mut |reference| found.push(shown(&reference)));
    }
    reader.waiting.clear();
    let restart = document.len();
    reader.sections.restart(restart, &reader.window);
    let noticed = reader.finish(&mut |reference| found.push(shown(&reference)));
    found.push(format!("{noticed:?}"));
    found
}

/// Returns the sections of a document.
fn sections(document: &[u8], sizes: Sizes) -> Vec<Section> {
    let finder = Finder::new();
    let mut reader = Markdown::with_sizes(context(&finder), &Bases::default(), sizes);
    reader.window.push(document);
    assert!(reader.skip_front_matter(true));
    let Markdown {
        sections,
        window,
        waiting,
        definitions,
        ..
    } = &mut reader;
    sections.find(
        true,
        &mut Target {
            window,
            finder: &finder,
            definitions,
            sections: waiting,
        },
    );
    waiting.iter().cloned().collect()
}

/// A sequence of pseudo-random numbers (Knuth, MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const CONTAINERS: [&str; 18] = [
    "", "", "", "", "", " ", "  ", "   ", "    ", "\t", "> ", ">", "- ", "* ", "1. ", "12) ",
    "[^a]: ", "-   ",
];

const LEAVES: [&str; 114] = [
    "```",
    "```",
    "```",
    "~~~",
    "~~~~",
    "```` x",
    "``` a`b",
    "````",
    "``",
    "<!-- [a](b)",
    "-->",
    "<!-- c --> <a href=d>",
    "<div>",
    "</div>",
    "<div class='",
    "<a href='e'>",
    "<a href='f",
    "g'>",
    "<p>http://p.example/",
    "<script>",
    "</script>",
    "<script>x</script>",
    "<pre>",
    "</pre>",
    "<style>a{b:url(c)}",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<?php",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE",
    ">",
    "<img src=h>",
    "<noscript>",
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
    "[r]: http://r.example/",
    "[R]: s",
    "[s]:",
    "[r",
    "s]: t",
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
    "[^a]: note",
    "[^A B]: - x",
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

const ENDINGS: [&str; 16] = [
    "\n", "\n", "\n", "\n", "\n", "\n\n", "\n\n", "\n\n", "\n\n\n", "\n \n", "\n>\n", "\r\n",
    "\r\n\r\n", "\r", " ", "",
];

/// Creates a document of lines that begin and end blocks of all kinds, in containers.
fn document(random: &mut Random) -> Vec<u8> {
    let mut document = Vec::new();
    if random.below(20) == 0 {
        document.extend_from_slice(b"---\nhome: http://front.example/\n---\n");
    }
    // Few kinds of lines in one document make it likely that they match each other.
    let leaves: Vec<&str> = (0..=random.below(12))
        .map(|_| random.pick(&LEAVES))
        .collect();
    let containers: Vec<&str> = (0..=random.below(4))
        .map(|_| random.pick(&CONTAINERS))
        .collect();
    let endings: Vec<&str> = (0..=random.below(5))
        .map(|_| random.pick(&ENDINGS))
        .collect();
    for _ in 0..random.below(40) {
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

fn assert_same(finder: &Finder, document: &[u8], sizes: Sizes) {
    let (found, expected) = (
        in_sections(finder, document, sizes),
        at_once(finder, document),
    );
    assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(document));
}

#[test]
fn random_documents() {
    let count = std::env::var("URIKIT_LONG").map_or(20_000, |_| 1_000_000);
    let mut random = Random(42);
    let finders = [
        Finder::new(),
        Finder::new().abbreviated(true).addresses(true),
    ];
    let (mut cut, mut references) = (0, 0);
    for nth in 0..count {
        let document = document(&mut random);
        let finder = &finders[nth % 2];
        assert_same(finder, &document, SMALL);
        cut += usize::from(sections(&document, SMALL).len() > 1);
        references += at_once(finder, &document).len() - 1;
    }
    // The documents are worth reading.
    assert!(cut > count / 2, "{cut} of {count} documents are cut");
    assert!(references > count, "{references}");
    println!("{references} references in {count} documents, of which {cut} are cut");
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
    let medium = Sizes {
        look_ahead: SMALL.look_ahead,
        ..SIZES
    };
    for file in &files {
        assert_same(&finder, file, SMALL);
        assert_same(&finder, file, medium);
    }
    println!("{} Markdown files of the project", files.len());
}

#[test]
fn sections_end_between_blocks() {
    let text = |document: &str, nth: usize| -> Option<String> {
        let sections = sections(document.as_bytes(), SMALL);
        let range = sections.get(nth)?.range.clone();
        document.get(range).map(str::to_owned)
    };
    let paragraph = "A paragraph that ends with a link, [a](b).\n\n";
    let other = "Another paragraph, which has no links in it.\n\n";
    // Text without references and code are in no section.
    let document = [
        other,
        paragraph,
        other,
        "```\n[a](b) in code\n```\n",
        paragraph,
    ]
    .concat();
    assert_eq!(text(&document, 0).unwrap(), paragraph);
    assert_eq!(text(&document, 1).unwrap(), paragraph);
    assert_eq!(text(&document, 2), None);
    // A fence in a list item ends with the item.
    let item = "- an item with a fence\n\n  ```\n  [a](b)\n";
    let document = [item, "\n", paragraph].concat();
    assert_eq!(text(&document, 1).unwrap(), paragraph);
    // Long HTML is read without the parser.
    let html = ["<!--\n", &"<a href=c>\n\n".repeat(20), "-->\n"].concat();
    let kinds = sections(html.as_bytes(), SMALL).into_iter();
    assert!(kinds.clone().count() > 4);
    assert!(kinds.take(4).all(|section| section.kind == Kind::Html));
}

#[test]
fn definitions_are_found_within_the_look_ahead() {
    let filler = "Words without any marks, in a paragraph that is long enough.\n\n".repeat(20);
    let sizes = Sizes {
        look_ahead: 600,
        ..SMALL
    };
    let finder = Finder::new();
    let count = |document: &str| {
        let found = in_sections(&finder, document.as_bytes(), sizes);
        found
            .iter()
            .filter(|found| found.contains("Reference"))
            .count()
    };
    let definition = "[r]: http://r.example/\n\n";
    // A definition applies to everything after it.
    assert_eq!(
        count(&[definition, &filler, "[r]\n\n", &filler, "[r][]\n"].concat()),
        2
    );
    // Before it, it applies to the look-ahead, or to the complete document if that is short.
    assert_eq!(
        count(&["[r]\n\n", filler.get(..400).unwrap(), "\n\n", definition].concat()),
        1
    );
    assert_eq!(
        count(&["[r]\n\n", &filler, definition, "[r]\n"].concat()),
        1
    );
    // The first definition wins.
    let second = "[R]: http://second.example/\n\n[r]\n\n";
    let document = [definition, &filler, second].concat();
    let found = in_sections(&finder, document.as_bytes(), sizes);
    assert!(
        !found.iter().any(|found| found.contains("second")),
        "{found:?}"
    );
}

#[test]
fn html_that_never_ends() {
    let filler = "[a](b)\n\n".repeat(200);
    let sizes = Sizes {
        look_ahead: 600,
        ..SMALL
    };
    let document = ["<div class='\n\n", &filler, "<p title='>\n\n", &filler].concat();
    let found = in_sections(&Finder::new(), document.as_bytes(), sizes);
    assert_eq!(found.len(), 401);
}

#[test]
fn lengths_are_limited_to_sections() {
    let finder = Finder::new();
    let read = |document: &str| {
        let context = Context {
            max_length: 100,
            ..context(&finder)
        };
        let mut count = 0;
        let mut reader = Box::new(Markdown::new(context, &Bases::default()));
        reader.push(document.as_bytes(), &mut |_| count += 1)?;
        reader.finish(&mut |_| count += 1);
        Ok::<usize, TooLong>(count)
    };
    assert_eq!(read(&"[a](b)\n\n".repeat(1000)).unwrap(), 1000);
    assert_eq!(read(&"[a](b)\n".repeat(1000)).unwrap_err().limit, 100);
}
