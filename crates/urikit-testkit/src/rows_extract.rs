//! The rows of `testdata/extract/`: texts and the links in them.

use crate::data::rows;
use serde::Deserialize;

/// A text, and the links in it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The text.
    pub text: String,
    /// The RFC and section, or the standard, that says so; or that people write it.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether abbreviated URLs are enabled.
    #[serde(default)]
    pub abbreviated: bool,
    /// Whether mail addresses are enabled.
    #[serde(default)]
    pub addresses: bool,
    /// Whether defanged indicators are enabled.
    #[serde(default)]
    pub refang: bool,
    /// The links, in order.
    pub links: Vec<Link>,
}

/// A link in a text.
#[derive(Deserialize, Debug)]
#[serde(from = "Written")]
pub struct Link {
    /// The reference.
    pub uri: String,
    /// `bare`, `wrapped`, `abbreviated`, `address` or `defanged`.
    pub kind: String,
    /// The link as written in the text.
    pub matched: String,
    /// The other reading, if a line ends with a hyphen.
    pub alternative: Option<String>,
    /// What browsers make of it; `None` if it is valid, and `Some("")` if that is unclear.
    pub repaired: Option<String>,
    /// Whether more of it follows in the text.
    pub cut: bool,
}

/// A link as written in the files.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Bare(String),
    Other(Other),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Other {
    uri: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default, rename = "match")]
    matched: Option<String>,
    #[serde(default)]
    alternative: Option<String>,
    #[serde(default)]
    repaired: Option<String>,
    #[serde(default)]
    cut: bool,
}

impl From<Written> for Link {
    fn from(written: Written) -> Self {
        let other = match written {
            Written::Other(other) => other,
            Written::Bare(uri) => Other {
                uri,
                kind: None,
                matched: None,
                alternative: None,
                repaired: None,
                cut: false,
            },
        };
        let kind = other.kind.unwrap_or_else(|| "bare".to_owned());
        let uri = other.uri;
        let matched = other.matched.unwrap_or_else(|| match kind.as_str() {
            "wrapped" => format!("<{uri}>"),
            "abbreviated" => uri.split_once("://").map_or(&*uri, |(_, rest)| rest).into(),
            "address" => uri.trim_start_matches("mailto:").to_owned(),
            _ => uri.clone(),
        });
        Self {
            uri,
            kind,
            matched,
            alternative: other.alternative,
            repaired: other.repaired,
            cut: other.cut,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// All rows of `testdata/extract/`, each with the name of its file.
///
/// # Panics
///
/// If a file cannot be read or has another form, which is a mistake in the data.
pub fn extract() -> Vec<(String, Case)> {
    rows("extract", |text| {
        toml::from_str::<File>(text).map(|file| file.case)
    })
}
