//! The rows of `testdata/edit/`: what edits make of a reference, or why they are refused.

use crate::data::project_root;
use serde::Deserialize;

/// A reference and its edits.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The text before.
    pub input: String,
    /// Where it is from, or the section that decides.
    pub source: String,
    /// The standards for which the row holds; RFC 3986 where none is named.
    #[serde(default)]
    pub standards: Vec<String>,
    /// What is done, as the command's options say it; `insert INDEX SEGMENT` and `remove INDEX` are the library's only.
    pub edits: Vec<String>,
    /// The text after.
    #[serde(default)]
    pub result: Option<String>,
    /// A part of the error's message.
    #[serde(default)]
    pub error: Option<String>,
}

impl Row {
    /// The standards for which the row holds.
    pub fn standards(&self) -> Vec<&str> {
        if self.standards.is_empty() {
            vec!["rfc3986"]
        } else {
            self.standards.iter().map(String::as_str).collect()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    edit: Vec<Row>,
}

/// All rows of `testdata/edit/`, with the file that each is from.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn rows() -> Vec<(String, Row)> {
    let folder = project_root().join("testdata/edit");
    let mut rows = Vec::new();
    for name in ["rfc", "losses"] {
        let path = folder.join(name).with_extension("toml");
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file: File =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        rows.extend(file.edit.into_iter().map(|row| (name.to_owned(), row)));
    }
    rows
}
