//! Checks the project's prose: lines are short, and files that pages mention exist.

#![allow(clippy::unwrap_used, clippy::string_slice)] // a test fails by panicking

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use urikit_testkit::data::project_root;

const COLUMNS: usize = 100;

/// Collects the files below `folder`, except those that a build or a package manager creates.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        let is_hidden = name.starts_with('.') && name != ".github";
        if is_hidden || name == "target" || name == "corpus" {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path.strip_prefix(project_root()).unwrap().to_owned());
        }
    }
}

fn project_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&project_root(), &mut found);
    found.sort();
    found
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Tables and the output of commands cannot be wrapped.
#[test]
fn prose_has_at_most_100_columns() {
    let mut long = Vec::new();
    let mut checked = 0;
    for path in project_files() {
        let is_page = has_extension(&path, "md");
        // Doc comments of the Python extension contain Python examples, which cannot be wrapped.
        let is_left_out = path.starts_with("testdata") || path.starts_with("python/src");
        if !is_page && !has_extension(&path, "rs") || is_left_out {
            continue;
        }
        checked += 1;
        let text = fs::read_to_string(project_root().join(&path)).unwrap();
        let mut is_code = false;
        for (number, line) in text.lines().enumerate() {
            let text = line.trim_start().trim_start_matches(['/', '!', ' ']);
            let is_comment = line.trim_start().starts_with("//");
            let is_prose = (is_page || is_comment) && !text.starts_with('|');
            if is_page && line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            let is_link = line
                .split_whitespace()
                .any(|word| word.len() > COLUMNS - 20);
            if is_prose && !is_code && !is_link && line.chars().count() > COLUMNS {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(checked > 500, "{checked}");
    assert!(
        long.is_empty(),
        "{} lines:\n{}",
        long.len(),
        long.join("\n")
    );
}

/// Returns the files and folders that a page mentions in backticks, with braces expanded, as in
/// `a/{b,c}.rs`.
fn named(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in page.split('`').skip(1).step_by(2) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-./{},".contains(c);
        let extensions = [".rs", ".abnf", ".toml", ".md", ".tsv", ".py"];
        let is_file = extensions.iter().any(|extension| name.ends_with(extension));
        let is_folder = name.ends_with('/') && name.len() > 2;
        if name.contains("..")
            || !name.chars().all(is_name)
            || !(is_file || is_folder)
            || name.starts_with(['/', '.'])
        {
            continue;
        }
        match (name.split_once('{'), name.split_once('}')) {
            (Some((before, _)), Some((inner, after))) => {
                let inner = inner.rsplit('{').next().unwrap();
                found.extend(
                    inner
                        .split(',')
                        .map(|part| format!("{before}{part}{after}")),
                );
            }
            _ => {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// A page may omit the beginning of a path, as in `parse/rfc3986.rs`.
#[test]
fn pages_name_only_files_that_exist() {
    let mut known = BTreeSet::new();
    for path in project_files() {
        let path = path.to_string_lossy().into_owned();
        known.extend(
            path.match_indices('/')
                .map(|(at, _)| path[..=at].to_owned()),
        );
        known.insert(path);
    }
    let exists = |name: &str| {
        let inner = format!("/{name}");
        known
            .iter()
            .any(|path| path == name || path.ends_with(&inner))
    };
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONFORMANCE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "RELEASE.md",
    ];
    let (mut checked, mut missing) = (0, Vec::new());
    for page in pages {
        let text = fs::read_to_string(project_root().join(page)).unwrap();
        for name in named(&text) {
            checked += 1;
            // Tests and tools write the files in `target/`.
            if !exists(&name) && !name.starts_with("target/") {
                missing.push(format!("{page}: {name}"));
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(
        missing.is_empty(),
        "{} names:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

#[test]
fn names_of_files_are_found_in_pages() {
    let page = "See `a/b.rs`, `c/{d,e}.toml`, `fg/` and `g::h`; not `x y.rs`.";
    let expected = ["a/b.rs", "c/d.toml", "c/e.toml", "fg/"].map(str::to_owned);
    assert_eq!(named(page), expected.into());
}
