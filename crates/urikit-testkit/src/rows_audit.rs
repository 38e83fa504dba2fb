//! The rows of `testdata/audit/` and `testdata/cve/`: strings on which parsers disagree, with what
//! real parsers read, and strings by the vulnerability that they are known from.

use crate::data::rows;
use serde::Deserialize;

/// A string, and what readers and findings say about it: a row of `testdata/audit/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Audited {
    /// The string.
    pub input: String,
    /// The document and section that it is about.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The parts that readers who vote differ about.
    pub disputed: Vec<String>,
    /// The codes of all findings, by offset.
    pub findings: Vec<String>,
}

/// What one parser reads: a file of `testdata/audit/recorded/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Its name.
    pub parser: String,
    /// The version that was asked.
    pub version: String,
    /// Its answers.
    pub readings: Vec<Answer>,
}

/// What a parser reads in one string. Absent components are `None`, and all are where it rejects
/// the string.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // each is the component of that name
pub struct Answer {
    pub input: String,
    #[serde(default)]
    pub rejected: bool,
    pub scheme: Option<String>,
    pub userinfo: Option<String>,
    pub host: Option<String>,
    pub port: Option<String>,
    pub path: Option<String>,
}

/// A class of vulnerabilities: a file of `testdata/cve/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// What it is.
    pub title: String,
    /// Vulnerabilities of this class.
    pub cve: Vec<String>,
    /// The parsers that the first of them concerns, with versions.
    pub parser: String,
    /// Strings.
    pub row: Vec<Attack>,
}

/// A string that a vulnerable parser reads wrongly.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// The string; `None` where it is made of `pieces`.
    #[serde(default)]
    pub input: Option<String>,
    /// A long string, in pieces.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// What went wrong.
    pub note: String,
    /// As in [`Audited`].
    pub disputed: Vec<String>,
    /// As in [`Audited`].
    pub findings: Vec<String>,
    /// Whether a strict gate lets it pass.
    pub passes: bool,
    /// A reference, and its target with this string as its base.
    #[serde(default)]
    pub join: Option<Join>,
}

impl Attack {
    /// The string, with `factor` times as many repetitions.
    pub fn text(&self, factor: usize) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Repeated { repeat, count } => repeat.repeat(count * factor),
        });
        self.input.clone().unwrap_or_else(|| pieces.collect())
    }
}

/// A part of a long string.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Piece {
    /// Once.
    Text(String),
    /// Several times.
    Repeated {
        /// What is repeated.
        repeat: String,
        /// How often.
        count: usize,
    },
}

/// A reference and its target.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Join {
    pub reference: String,
    pub target: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditedFile {
    row: Vec<Audited>,
}

/// All rows of `testdata/audit/`, each with the name of its file.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
pub fn audited() -> Vec<(String, Audited)> {
    rows("audit", |text| {
        toml::from_str::<AuditedFile>(text).map(|file| file.row)
    })
}

/// What each parser of `testdata/audit/recorded/` reads.
///
/// # Panics
///
/// As [`audited`].
pub fn recorded() -> Vec<Recorded> {
    let files = rows("audit/recorded", |text| {
        toml::from_str(text).map(|file: Recorded| vec![file])
    });
    files.into_iter().map(|(_, file)| file).collect()
}

/// The classes of `testdata/cve/`, each with the name of its file.
///
/// # Panics
///
/// As [`audited`].
pub fn classes() -> Vec<(String, Class)> {
    rows("cve", |text| {
        toml::from_str(text).map(|file: Class| vec![file])
    })
}
