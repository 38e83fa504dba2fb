//! The rows of `testdata/percent/` and `testdata/iri/`: what the RFC texts say about data, its escapes,
//! and IRIs.

use crate::data::rows;
use serde::Deserialize;

/// Data and its text in a component, both ways.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct Encode {
    /// The data as text; its octets are those of the charset.
    #[serde(default)]
    pub data: String,
    /// The data as octets, where it is no text.
    #[serde(default)]
    pub octets: Vec<u8>,
    /// Where it is put.
    pub component: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// The text.
    pub text: String,
    /// Whether the charset is ISO Latin-1, and not UTF-8.
    #[serde(default)]
    pub latin1: bool,
    /// Whether `+` is a space, which the standard does not say.
    #[serde(default)]
    pub form: bool,
    /// Whether the data may have escapes already; then the row holds in this direction only.
    #[serde(default)]
    pub partly: bool,
    /// Whether the text is one of several for the data, so that the row holds in the other direction
    /// only.
    #[serde(default)]
    pub decode_only: bool,
    /// The RFC and section that say so.
    pub source: String,
    /// What is worth noting about it.
    #[serde(default)]
    pub note: Option<String>,
}

/// Text with a `%` that begins no escape, or data that no text stands for.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The text, or the data.
    pub input: String,
    /// What is tried: `decode`, `encode` or `latin1`.
    pub by: String,
    /// Where it stands.
    pub component: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// The offset of the error.
    pub offset: usize,
    /// The RFC and section that say so.
    pub source: String,
}

/// A reference with fewer and with more characters escaped.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Safer {
    /// With fewer.
    pub plain: String,
    /// With more.
    pub safe: String,
    /// The characters that are escaped and expanded.
    pub set: String,
    /// The standards under which the row holds.
    pub standards: Vec<String>,
    /// The RFC and section that say so.
    pub source: String,
}

/// The files of `testdata/percent/` put together.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // rows of the kind of their name
pub struct Percent {
    pub encode: Vec<Encode>,
    pub broken: Vec<Broken>,
    pub safer: Vec<Safer>,
}

/// An IRI and the URI that it maps to (RFC 3987, 3.1).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The IRI.
    pub iri: String,
    /// The URI.
    pub uri: String,
    /// The URI with its host by IDNA, where that is another one.
    #[serde(default)]
    pub idna: Option<String>,
    /// The RFC and section that say so.
    pub source: String,
}

/// A URI and the IRI that is made of it (RFC 3987, 3.2).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The URI.
    pub uri: String,
    /// The IRI.
    pub iri: String,
    /// The RFC and section that say so.
    pub source: String,
}

/// The files of `testdata/iri/` put together.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // rows of the kind of their name
pub struct Iri {
    pub map: Vec<Map>,
    pub show: Vec<Show>,
}

/// All rows of `testdata/percent/`.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn percent() -> Percent {
    let mut all = Percent::default();
    for (_, file) in rows("percent", |text| {
        toml::from_str::<Percent>(text).map(|file| vec![file])
    }) {
        all.encode.extend(file.encode);
        all.broken.extend(file.broken);
        all.safer.extend(file.safer);
    }
    all
}

/// All rows of `testdata/iri/`.
///
/// # Panics
///
/// When a file cannot be read or is not of the form above: that is a mistake in the data.
pub fn iri() -> Iri {
    let mut all = Iri::default();
    for (_, file) in rows("iri", |text| {
        toml::from_str::<Iri>(text).map(|file| vec![file])
    }) {
        all.map.extend(file.map);
        all.show.extend(file.show);
    }
    all
}
