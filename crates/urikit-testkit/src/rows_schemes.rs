//! The rows of `testdata/schemes/`: what a URL means by the text of its scheme.

use crate::data::rows;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A URL and its reading, as all of the standards give it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// The text.
    pub text: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// `original` or `successor`, where that is not the edition of the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that print it or say so.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The text that it is read by.
    pub by: String,
    /// What it means, decoded; what is absent is left out.
    pub details: Map<String, Value>,
    /// What a client does: `connect HOST PORT`, `send LINE`, or words, and behind a colon what with.
    #[serde(default)]
    pub steps: Option<Vec<String>>,
    /// Why there are no steps, as the error says it.
    #[serde(default)]
    pub no_steps: Option<String>,
}

/// A reference that is valid under the standards, or would be, and no URL of its scheme.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct NoUrl {
    /// The text.
    pub text: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// `original` or `successor`, where that is not the edition of the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that say so.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The place, in bytes: of the parser's error where the standard refuses it already.
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
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn urls() -> Vec<(String, Url)> {
    rows("schemes", |text| {
        toml::from_str::<File>(text).map(|file| file.url)
    })
}

/// All references of `testdata/schemes/` that are no URLs of their scheme.
///
/// # Panics
///
/// As [`urls`].
pub fn no_urls() -> Vec<(String, NoUrl)> {
    rows("schemes", |text| {
        toml::from_str::<File>(text).map(|file| file.reject)
    })
}
