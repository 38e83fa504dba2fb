//! The rows of `testdata/resolve/`.

use crate::data::rows;
use serde::Deserialize;

/// References resolved against one base, with the same options.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ResolveGroup {
    /// The RFC and section.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The standards that give these targets.
    pub standards: Vec<String>,
    /// The base URI.
    pub base: String,
    /// `keep`, `drop` or `refuse`; the default is that of the standard.
    #[serde(default)]
    pub above_root: Option<String>,
    /// `strict` or `inherit`.
    #[serde(default)]
    pub same_scheme: Option<String>,
    /// `examples` or `text`.
    #[serde(default)]
    pub slash_rule: Option<String>,
    /// Whether all of them are same-document references.
    #[serde(default)]
    pub same_document: bool,
    /// Pairs of a reference and its target.
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
/// If a file cannot be read or has another form, which is a mistake in the data.
pub fn resolve_groups() -> Vec<ResolveGroup> {
    let rows = rows("resolve", |text| {
        toml::from_str::<File>(text).map(|file| file.group)
    });
    rows.into_iter().map(|(_, group)| group).collect()
}
