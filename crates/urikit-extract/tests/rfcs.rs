//! Searches the RFCs of the 1990s, which use the wrapper of RFC 1738's Appendix. Each `<URL:` must
//! be found, or be listed as one without a URL.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use urikit_extract::{Finder, Kind};

/// Returns the folder of the RFCs, if it exists.
fn corpus() -> Option<PathBuf> {
    let shared = env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let shared =
        shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let folder = shared.join("vectors/corpora/rfc_1990s");
    folder.is_dir().then_some(folder)
}

/// Wrappers without an absolute reference: the file, the text after `<URL:`, and the reason.
const EXCEPTIONS: [(&str, &str, &str); 3] = [
    ("rfc1739.txt", "telnet//envnet", "the scheme has no colon"),
    (
        "rfc1808.txt",
        "\" absoluteURL",
        "a production of the grammar",
    ),
    (
        "rfc1808.txt",
        "http:>",
        "a scheme alone (5.2), which identifies nothing",
    ),
];

#[test]
fn finds_every_wrapper() {
    let Some(folder) = corpus() else {
        println!(
            "SKIPPED RFCs of the 1990s: the corpus is missing; \
             URIKIT_SHARED names the folder that has it"
        );
        return;
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let finder = Finder::new();
    let (mut wrappers, mut links) = (0, 0);
    let mut lost = Vec::new();
    let mut exceptions = BTreeSet::new();
    for file in &files {
        let text = fs::read(file).unwrap();
        let found: Vec<_> = finder.links(&text).collect();
        links += found.len();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let begins =
            |at: &usize| text[*at..].len() > 5 && text[*at..*at + 5].eq_ignore_ascii_case(b"<url:");
        for at in (0..text.len()).filter(begins) {
            let is_found = found
                .iter()
                .any(|link| link.kind() == Kind::Wrapped && link.range().start == at);
            let content = String::from_utf8_lossy(&text[at + 5..text.len().min(at + 80)]);
            let entry = EXCEPTIONS
                .iter()
                .position(|(file, begin, _)| *file == name && content.starts_with(begin));
            match (is_found, entry) {
                (true, None) => wrappers += 1,
                (false, Some(entry)) => drop(exceptions.insert(entry)),
                (true, Some(_)) => {
                    lost.push(format!("{name}: an exception, but found: {content:?}"));
                }
                (false, None) => lost.push(format!("{name}: lost: {content:?}")),
            }
        }
    }
    assert!(lost.is_empty(), "\n{}", lost.join("\n"));
    assert_eq!(exceptions.len(), EXCEPTIONS.len(), "every exception occurs");
    println!(
        "{} RFCs: {wrappers} of {} wrappers found, {} exceptions; {links} links",
        files.len(),
        wrappers + exceptions.len(),
        exceptions.len()
    );
}
