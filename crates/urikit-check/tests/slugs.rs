//! The ids of headings, compared with those that the tools make (`testdata/slugs/`, recorded by
//! `tests/programs/slugs.py`), and with the vectors of `github-slugger`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use std::fmt::Write as _;
use std::fs;
use urikit_check::Profile;
use urikit_check::internal::{Slugger, headings_of_markdown, headings_of_rst};
use urikit_testkit::data::{project_root, shared};

fn compare(profile: Profile, file: &str) {
    let folder = project_root().join("testdata/slugs");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let expected = fs::read_to_string(folder.join(format!("{profile}.txt"))).unwrap();
    let expected: Vec<&str> = expected.lines().skip(1).collect();
    let found = match profile {
        Profile::Sphinx => headings_of_rst(&text),
        _ => headings_of_markdown(&text, profile),
    };
    assert_eq!(found.len(), expected.len());
    let written: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
    let mut differences = String::new();
    for (nth, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let heading = written.get(nth).copied().unwrap_or_default();
        if found != expected {
            writeln!(
                differences,
                "{heading}\n  found {found}\n  tool  {expected}"
            )
            .unwrap();
        }
    }
    assert!(differences.is_empty(), "{profile}:\n{differences}");
}

#[test]
fn github() {
    compare(Profile::Github, "headings.md");
}

#[test]
fn mdbook() {
    compare(Profile::Mdbook, "headings.md");
}

#[test]
fn mkdocs() {
    compare(Profile::Mkdocs, "headings.md");
}

#[test]
fn sphinx() {
    compare(Profile::Sphinx, "headings.rst");
}

#[test]
fn pandoc() {
    compare(Profile::Pandoc, "headings.md");
}

#[test]
fn rustdoc() {
    compare(Profile::Rustdoc, "headings.md");
}

#[test]
fn vitepress() {
    compare(Profile::Vitepress, "headings.md");
}

#[test]
fn hugo() {
    compare(Profile::Hugo, "headings.md");
}

/// The vectors of `github-slugger`, where the folder of public suites exists.
#[test]
fn vectors_of_github() {
    #[derive(serde::Deserialize)]
    struct Row {
        input: String,
        expected: String,
    }
    let Some(path) = shared("vectors_of_github", "vectors/slugs/github-slugger.json") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<Row> = serde_json::from_str(&text).unwrap();
    let mut slugger = Slugger::new(Profile::Github);
    assert_eq!(rows.len(), 78);
    for row in rows {
        assert_eq!(slugger.id(&row.input), row.expected, "{}", row.input);
    }
}
