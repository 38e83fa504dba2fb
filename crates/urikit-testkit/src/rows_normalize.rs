//! The rows of `testdata/normalize/` and `testdata/compare/`: what the RFCs say about normal forms
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
    /// The reference.
    pub input: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// The RFC and section that say so.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The normal form at this level, if it differs from that of the preceding level (at first,
    /// the reference).
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
    /// Each level's name, and the normal form at that level.
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
    /// One reference.
    pub a: String,
    /// The other.
    pub b: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// The level at which they are equivalent, or `different`.
    pub by: String,
    /// The RFC and section that say so.
    pub source: String,
    /// A remark.
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
/// If a file cannot be read or has another form, which is a mistake in the data.
pub fn normalizations() -> Vec<Normalize> {
    let rows = files::<NormalizeFile>("normalize").into_iter();
    rows.flat_map(|file| file.normalize).collect()
}

/// All rows of `testdata/compare/`.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
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
    assert!(!files.is_empty(), "{} has rows", folder.display());
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.into_iter().map(read).collect()
}
