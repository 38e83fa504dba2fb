//! The rows in `testdata/parse/` and `testdata/reject/`: each reference that appears in the RFCs,
//! with the verdict of every standard, and strings that a standard rejects.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the project, relative to this crate.
pub fn project_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path of `name` in the folder of public test suites and recordings: `URIKIT_SHARED`
/// or, by default, `../shared` next to the project. If the path does not exist, returns
/// `None` and reports `test` as skipped.
pub fn shared(test: &str, name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("URIKIT_SHARED");
    let folder = folder.map_or_else(|| project_root().join("../shared"), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        println!("SKIPPED {test}: {name} is missing; set URIKIT_SHARED to its folder");
        return None;
    }
    Some(path)
}

/// A row in `testdata/parse/`: a reference, with the verdict of every standard.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The reference.
    pub input: String,
    /// The RFC and section in which the reference appears.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The standards that accept the reference.
    pub valid: Vec<String>,
    /// The standards that reject the reference, each with the offset of the error in bytes.
    #[serde(default)]
    pub invalid: BTreeMap<String, usize>,
    /// The standards in `invalid` whose generic production accepts the reference.
    #[serde(default)]
    pub generic_valid: Vec<String>,
    /// The components according to all standards that accept the reference.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// The components according to RFC 1630, if they differ from `parts`. The fields after this one
    /// contain the components according to other RFCs.
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
    /// Returns the components according to `standard`.
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

/// The components of a reference, which are `None` if they are absent.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // each is the component of that name
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

/// A row in `testdata/reject/`: a string that one standard rejects.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// The string.
    pub input: String,
    /// The RFC and section according to which the string is invalid.
    pub source: String,
    /// The offset of the error in bytes.
    pub offset: usize,
    /// The character at the offset, or `None` at the end of the string.
    #[serde(default)]
    pub found: Option<char>,
    /// The production that is violated, if the RFC determines exactly one.
    #[serde(default)]
    pub production: Option<String>,
    /// The section that defines the production.
    #[serde(default)]
    pub section: Option<String>,
    /// A remark.
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

/// Returns all rows in `testdata/parse/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn references() -> Vec<(String, Reference)> {
    rows("parse", |file: ReferenceFile| file.reference)
}

/// Returns all rows in `testdata/reject/`, each with the name of its file, which is the name of the
/// standard.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn rejects() -> Vec<(String, Reject)> {
    rows("reject", |file: RejectFile| file.reject)
}

/// Returns the rows in the files of a folder of `testdata/`, each with the name of its file.
pub(crate) fn rows<F: DeserializeOwned, T>(
    folder: &str,
    rows_of: impl Fn(F) -> Vec<T>,
) -> Vec<(String, T)> {
    let folder = project_root().join("testdata").join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let name = file.file_stem().expect("a file name").to_string_lossy();
        let read = rows_of(read_toml(&file));
        rows.extend(read.into_iter().map(|row| (name.clone().into_owned(), row)));
    }
    assert!(!rows.is_empty(), "{} has rows", folder.display());
    rows
}

/// Reads a file of test data.
pub(crate) fn read_toml<F: DeserializeOwned>(file: &Path) -> F {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
