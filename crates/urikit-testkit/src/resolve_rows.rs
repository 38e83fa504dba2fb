//! The rows of `testdata/resolve/`.

use crate::data::rows;
use serde::Deserialize;

/// References against one base, with the same choices.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ResolveGroup {
    /// The RFC and section.
    pub source: String,
    /// What is worth noting.
    #[serde(default)]
    pub note: Option<String>,
    /// The standards that give these targets.
    pub standards: Vec<String>,
    /// The base.
    pub base: String,
    /// `keep`, `drop` or `refuse`; the standard's own where it is not given.
    #[serde(default)]
    pub above_root: Option<String>,
    /// `strict` or `inherit`.
    #[serde(default)]
    pub same_scheme: Option<String>,
    /// `examples` or `text`.
    #[serde(default)]
    pub slash_rule: Option<String>,
    /// Whether all of them are references to the document itself.
    #[serde(default)]
    pub same_document: bool,
    /// Each a reference and its target.
    #[serde(default)]
    pub targets: Vec<(String, String)>,
    /// References without a target.
    #[serde(default)]
    pub fails: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<ResolveGroup>,
}

/// All groups of `testdata/resolve/`.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn resolve_groups() -> Vec<ResolveGroup> {
    let rows = rows("resolve", |text| {
        toml::from_str::<File>(text).map(|file| file.group)
    });
    rows.into_iter().map(|(_, group)| group).collect()
}
