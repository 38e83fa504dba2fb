//! The rows of `testdata/`: what the RFC texts say about each reference that they print, and about
//! texts that they refuse.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The project's root, found from this crate's own place in it.
pub fn project_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One reference and every standard's verdict on it: a row of `testdata/parse/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The text.
    pub input: String,
    /// The RFC and section that print it.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The standards that accept it.
    pub valid: Vec<String>,
    /// The standards that refuse it, each with the offset of the error.
    #[serde(default)]
    pub invalid: BTreeMap<String, usize>,
    /// Of those, the ones whose generic production accepts it.
    #[serde(default)]
    pub generic_valid: Vec<String>,
    /// The components as all that accept it read them.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// The components as RFC 1630 reads them, where it differs; and so on.
    #[serde(default)]
    pub parts_rfc1630: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc1738: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc1808: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc2396: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc2732: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc3986: Option<Parts>,
    #[serde(default)]
    #[doc(hidden)]
    pub parts_rfc3987: Option<Parts>,
}

impl Reference {
    /// The components as `standard` reads them.
    pub fn parts_of(&self, standard: &str) -> Option<&Parts> {
        let own = match standard {
            "rfc1630" => &self.parts_rfc1630,
            "rfc1738" => &self.parts_rfc1738,
            "rfc1808" => &self.parts_rfc1808,
            "rfc2396" => &self.parts_rfc2396,
            "rfc2732" => &self.parts_rfc2732,
            "rfc3986" => &self.parts_rfc3986,
            "rfc3987" => &self.parts_rfc3987,
            _ => &None,
        };
        own.as_ref().or(self.parts.as_ref())
    }
}

/// The components of a reference; `None` is absent.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // each is the component of its name
pub struct Parts {
    pub form: String,
    pub scheme: Option<String>,
    pub authority: Option<String>,
    pub userinfo: Option<String>,
    pub user: Option<String>,
    pub password: Option<String>,
    pub host: Option<String>,
    pub host_kind: Option<String>,
    pub port: Option<String>,
    pub path: String,
    pub params: Option<String>,
    pub query: Option<String>,
    pub fragment: Option<String>,
    pub opaque: bool,
}

/// A text that one standard refuses: a row of `testdata/reject/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// The text.
    pub input: String,
    /// The RFC and section that say so.
    pub source: String,
    /// Where: in bytes.
    pub offset: usize,
    /// The character there; `None` when the text ended too soon.
    #[serde(default)]
    pub found: Option<char>,
    /// The production that breaks, where the text names one alone.
    #[serde(default)]
    pub production: Option<String>,
    /// Its section.
    #[serde(default)]
    pub section: Option<String>,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceFile {
    reference: Vec<Reference>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RejectFile {
    reject: Vec<Reject>,
}

/// All rows of `testdata/parse/`, with the file that each is from.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn references() -> Vec<(String, Reference)> {
    rows("parse", |text| {
        toml::from_str::<ReferenceFile>(text).map(|file| file.reference)
    })
}

/// All rows of `testdata/reject/`, with the file that each is from, which is named after the standard.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn rejects() -> Vec<(String, Reject)> {
    rows("reject", |text| {
        toml::from_str::<RejectFile>(text).map(|file| file.reject)
    })
}

pub(crate) fn rows<T>(
    folder: &str,
    read: impl Fn(&str) -> Result<Vec<T>, toml::de::Error>,
) -> Vec<(String, T)> {
    let folder = project_root().join("testdata").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file
            .file_stem()
            .expect("a file name")
            .to_string_lossy()
            .into_owned();
        let read = read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        rows.extend(read.into_iter().map(|row| (name.clone(), row)));
    }
    assert!(!rows.is_empty(), "{} holds rows", folder.display());
    rows
}
