//! The rows of `testdata/percent/` and `testdata/iri/`: what the RFCs say about data,
//! percent-encoding, and IRIs.

use crate::data::rows;
use serde::Deserialize;

/// Data and its encoded form in a component, in both directions.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is an independent property
pub struct Encode {
    /// The data as text, in the charset.
    #[serde(default)]
    pub data: String,
    /// The data as octets, if it is not text.
    #[serde(default)]
    pub octets: Vec<u8>,
    /// The component.
    pub component: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// The encoded form.
    pub text: String,
    /// Whether the charset is ISO 8859-1 rather than UTF-8.
    #[serde(default)]
    pub latin1: bool,
    /// Whether `+` is a space, as in HTML forms.
    #[serde(default)]
    pub form: bool,
    /// Whether the data may contain percent-encoded octets already. The row then applies in this
    /// direction only.
    #[serde(default)]
    pub partly: bool,
    /// Whether the encoded form is one of several, so that the row applies to decoding only.
    #[serde(default)]
    pub decode_only: bool,
    /// The RFC and section that say so.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
}

/// Text with a `%` that does not begin a percent-encoded octet, or data that cannot be encoded.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The text, or the data.
    pub input: String,
    /// The operation: `decode`, `encode` or `latin1`.
    pub by: String,
    /// The component.
    pub component: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// The offset of the error.
    pub offset: usize,
    /// The RFC and section that say so.
    pub source: String,
}

/// A reference with fewer and with more percent-encoded characters.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Safer {
    /// The one with fewer.
    pub plain: String,
    /// The one with more.
    pub safe: String,
    /// The characters that are percent-encoded.
    pub set: String,
    /// The standards that the row applies to.
    pub standards: Vec<String>,
    /// The RFC and section that say so.
    pub source: String,
}

/// All rows of `testdata/percent/`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // rows of the kind that the name says
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
    /// The URI with its host converted by IDNA, if different.
    #[serde(default)]
    pub idna: Option<String>,
    /// The RFC and section that say so.
    pub source: String,
}

/// A URI and the IRI that it is converted to (RFC 3987, 3.2).
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

/// All rows of `testdata/iri/`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // rows of the kind that the name says
pub struct Iri {
    pub map: Vec<Map>,
    pub show: Vec<Show>,
}

/// All rows of `testdata/percent/`.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
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
/// If a file cannot be read or has another form, which is a mistake in the data.
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
