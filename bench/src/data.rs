//! The texts: generated ones, and lists of real ones where they are at hand.

use crate::generate;
use std::path::PathBuf;

/// A list has no more texts than this, so that a round is short.
const MOST: usize = 10_000;

/// A list of texts.
pub struct List {
    pub name: &'static str,
    pub texts: Vec<String>,
}

pub struct Data {
    /// Absolute URLs.
    pub urls: Vec<List>,
    /// Absolute URLs of fewer than twenty bytes, for parsing alone.
    pub short: Vec<List>,
    /// Relative references, each with a base.
    pub relative: Vec<(List, &'static str)>,
    /// Queries with escapes.
    pub encoded: Vec<List>,
    /// Texts to find links in.
    pub texts: Vec<List>,
}

impl Data {
    pub fn load() -> Self {
        let mut urls = vec![list("generated", generate::urls())];
        let mut relative = vec![(
            list("generated", generate::relative()),
            "http://a.example/b/c/d;p?q",
        )];
        let mut encoded = vec![list("generated", generate::queries())];
        let mut texts = vec![];
        for (name, file) in [
            ("brave", "brave_top500.txt"),
            ("kasztp", "kasztp.txt"),
            ("mined_md", "mined_md.txt"),
        ] {
            urls.extend(lines(file).map(|lines| list(name, lines)));
        }
        let web: Vec<Vec<String>> = ["brave_top500.txt", "kasztp.txt", "mined_md.txt"]
            .into_iter()
            .filter_map(lines)
            .collect();
        if !web.is_empty() {
            urls.push(list("web", web.concat()));
        }
        let rust = "https://doc.rust-lang.org/stable/book/ch01-02-hello-world.html";
        relative.extend(lines("relrefs.txt").map(|lines| (list("relrefs", lines), rust)));
        encoded.extend(lines("queries_pct.txt").map(|lines| list("queries_pct", lines)));
        for (name, file) in [("text_md", "text_md.txt"), ("text_html", "text_html.txt")] {
            texts.extend(read(file).map(|text| List {
                name,
                texts: vec![text],
            }));
        }
        let short = |list: &List| List {
            name: list.name,
            texts: list
                .texts
                .iter()
                .filter(|text| text.len() < 20)
                .cloned()
                .collect(),
        };
        let short = urls
            .iter()
            .map(short)
            .filter(|list| list.texts.len() > 50)
            .collect();
        Self {
            urls,
            short,
            relative,
            encoded,
            texts,
        }
    }
}

/// Not all of a long list, but evenly many of it, and what everyone who reads URIs accepts.
fn list(name: &'static str, texts: Vec<String>) -> List {
    let step = texts.len().div_ceil(MOST).max(1);
    let valid = |text: &String| {
        urikit::UriRef::parse(text).is_ok() && fluent_uri::UriRef::parse(text.as_str()).is_ok()
    };
    List {
        name,
        texts: texts.into_iter().step_by(step).filter(valid).collect(),
    }
}

fn lines(file: &str) -> Option<Vec<String>> {
    Some(read(file)?.lines().map(str::to_owned).collect())
}

fn read(file: &str) -> Option<String> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let folder = std::env::var_os("URIKIT_SHARED").map_or(PathBuf::from(beside), PathBuf::from);
    let bytes = std::fs::read(folder.join("bench-data").join(file)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
