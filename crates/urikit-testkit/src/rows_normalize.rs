//! The rows of `testdata/normalize/` and `testdata/compare/`: what the RFC texts say about normal forms
//! and equivalence.

use crate::data::project_root;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::PathBuf;

/// A reference and its normal forms: a row of `testdata/normalize/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Normalize {
    /// The text.
    pub input: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// The RFC and section that say so.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The normal form at this level, where it is not that of the level before (the text, at first).
    #[serde(default)]
    pub case: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub escapes: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub path: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub scheme: Option<String>,
}

impl Normalize {
    /// Each level's name, and the normal form at it.
    pub fn levels(&self) -> [(&'static str, &str); 4] {
        let mut form = self.input.as_str();
        let own = [
            ("case", &self.case),
            ("escapes", &self.escapes),
            ("path", &self.path),
            ("scheme", &self.scheme),
        ];
        own.map(|(level, own)| {
            form = own.as_deref().unwrap_or(form);
            (level, form)
        })
    }
}

/// Two references: a row of `testdata/compare/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// One text.
    pub a: String,
    /// The other.
    pub b: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// The step of the ladder at which they are equivalent, or `different`.
    pub by: String,
    /// The RFC and section that say so.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NormalizeFile {
    normalize: Vec<Normalize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompareFile {
    compare: Vec<Compare>,
}

/// All rows of `testdata/normalize/`.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn normalizations() -> Vec<Normalize> {
    let rows = files::<NormalizeFile>("normalize").into_iter();
    rows.flat_map(|file| file.normalize).collect()
}

/// All rows of `testdata/compare/`.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn comparisons() -> Vec<Compare> {
    let rows = files::<CompareFile>("compare").into_iter();
    rows.flat_map(|file| file.compare).collect()
}

fn files<T: DeserializeOwned>(folder: &str) -> Vec<T> {
    let folder = project_root().join("testdata").join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds rows", folder.display());
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.into_iter().map(read).collect()
}
