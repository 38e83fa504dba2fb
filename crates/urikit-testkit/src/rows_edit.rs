//! The rows of `testdata/edit/`: what edits do to a reference, or why they are rejected.

use crate::data::project_root;
use serde::Deserialize;

/// A reference and its edits.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The reference before.
    pub input: String,
    /// Where it is from, or the section that decides.
    pub source: String,
    /// The standards that the row applies to; the default is RFC 3986.
    #[serde(default)]
    pub standards: Vec<String>,
    /// The edits, in the syntax of the command's options; `insert INDEX SEGMENT` and `remove
    /// INDEX` exist in the library only.
    pub edits: Vec<String>,
    /// The reference after.
    #[serde(default)]
    pub result: Option<String>,
    /// A part of the error's message.
    #[serde(default)]
    pub error: Option<String>,
}

impl Row {
    /// The standards that the row applies to.
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

/// All rows of `testdata/edit/`, each with the name of its file.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
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
