//! Web pages of the 1990s: every attribute that a simple search finds is found.

use super::{extractor, pieces};
use std::path::{Path, PathBuf};
use urikit_extract::Kind;
use urikit_extract::document::Format;

fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let sibling = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    named
        .into_iter()
        .chain([sibling])
        .find(|path| path.is_dir())
}

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, out);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            out.push(path);
        }
    }
}

/// The ranges of quoted values of the first ` href=` and ` src=` of each tag, outside comments, between a `<` and the
/// next `>`.
fn quoted(page: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.len() {
        if page[at..].starts_with(b"<!--") {
            let end = page[at..].windows(3).position(|three| three == b"-->");
            at = end.map_or(page.len(), |end| at + end + 3);
            continue;
        }
        let is_tag = page[at] == b'<' && page.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        at += 1;
        if !is_tag {
            continue;
        }
        let mut quote = None;
        let mut names = Vec::new();
        while at < page.len() && (page[at] != b'>' || quote.is_some()) {
            match quote {
                Some(mark) if page[at] == mark => quote = None,
                None if page[at - 1] == b'=' && matches!(page[at], b'"' | b'\'') => {
                    quote = Some(page[at]);
                    let before = page[..at - 1].to_ascii_lowercase();
                    let mut words = before.rsplit(u8::is_ascii_whitespace);
                    let name = words.next().unwrap_or_default().to_vec();
                    let is_first = !names.contains(&name);
                    names.push(name.clone());
                    if is_first
                        && matches!(name.as_slice(), b"href" | b"src")
                        && let Some(length) =
                            page[at + 1..].iter().position(|byte| *byte == page[at])
                    {
                        found.push((at + 1, at + 1 + length));
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

#[test]
fn finds_every_quoted_attribute_in_pages_of_the_1990s() {
    let Some(shared) = shared() else {
        println!("SKIPPED pages of the 1990s: no shared folder");
        return;
    };
    let folder = shared.join("vectors/corpora/w3c_libwww_html");
    if !folder.is_dir() {
        println!("SKIPPED pages of the 1990s: no corpus");
        return;
    }
    let mut paths = Vec::new();
    pages(&folder, &mut paths);
    let (mut attributes, mut references) = (0, 0);
    let mut missing = Vec::new();
    for path in &paths {
        let page = std::fs::read(path).unwrap();
        let found = pieces(&extractor(None), Format::Html, [page.as_slice()]);
        references += found
            .iter()
            .filter(|found| found.kind == Kind::Link)
            .count();
        for (start, end) in quoted(&page) {
            attributes += 1;
            let value = page[start..end].trim_ascii();
            let is_there = found.iter().any(|found| {
                start <= found.start && found.end <= end && page[found.start..found.end] == *value
            });
            if !is_there {
                missing.push(format!(
                    "{}: {start}: {}",
                    path.display(),
                    String::from_utf8_lossy(value)
                ));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(
        paths.len() > 300 && attributes > 5000,
        "{} pages, {attributes}",
        paths.len()
    );
    println!(
        "{} pages: {attributes} quoted attributes, {references} references",
        paths.len()
    );
}
