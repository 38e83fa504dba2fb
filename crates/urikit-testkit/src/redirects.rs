//! The rows in `testdata/redirects/`: redirect targets, with the URL to which each parser resolves
//! them.

use crate::data::rows;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A redirect target, its base, and the URL to which each parser resolves the target.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The base.
    #[serde(default = "usual_base")]
    pub base: String,
    /// The target, exactly as in a `Location` field or an `href` attribute.
    pub target: String,
    /// The standard, the advisory or the program that the row concerns.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// True if the target has the same origin as the base.
    pub origin: bool,
    /// True if the target has the same registrable domain as the base.
    pub domain: bool,
    /// The resolved target for each parser. Parsers that are not listed reject the target.
    pub readings: BTreeMap<String, String>,
}

fn usual_base() -> String {
    "https://good.example/a/b?c#d".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RedirectFile {
    row: Vec<Redirect>,
}

/// Returns all rows in `testdata/redirects/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn redirects() -> Vec<(String, Redirect)> {
    rows("redirects", |file: RedirectFile| file.row)
}
