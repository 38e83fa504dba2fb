//! The rows of `testdata/schemes/`: what a URL means according to its scheme.

use crate::data::rows;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A URL and its meaning, the same under all of the standards.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// The URL.
    pub text: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// `original` or `successor`, where that is not the edition of the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that print it or say so.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The RFC that it is read by.
    pub by: String,
    /// Its decoded parts; absent ones are left out.
    pub details: Map<String, Value>,
    /// What a client does: `connect HOST PORT`, `send LINE`, or words, and after a colon the data;
    /// then, in parentheses, the condition. The client sends only what the URL requires: no details
    /// of FTP files, no `User-Agent` and no `Accept`.
    #[serde(default)]
    pub steps: Option<Vec<String>>,
    /// Why there are no steps: the error message.
    #[serde(default)]
    pub no_steps: Option<String>,
}

/// A reference that may be valid under the standards, but is not a URL of its scheme.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct NoUrl {
    /// The reference.
    pub text: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// `original` or `successor`, where that is not the edition of the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that say so.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The offset of the error in bytes; that of the parser if the standard already rejects it.
    pub offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    url: Vec<Url>,
    #[serde(default)]
    reject: Vec<NoUrl>,
}

/// All URLs of `testdata/schemes/`, each with the name of its file.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
pub fn urls() -> Vec<(String, Url)> {
    rows("schemes", |text| {
        toml::from_str::<File>(text).map(|file| file.url)
    })
}

/// All references of `testdata/schemes/` that are not URLs of their scheme.
///
/// # Panics
///
/// As [`urls`].
pub fn no_urls() -> Vec<(String, NoUrl)> {
    rows("schemes", |text| {
        toml::from_str::<File>(text).map(|file| file.reject)
    })
}
