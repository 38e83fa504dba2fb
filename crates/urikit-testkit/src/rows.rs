//! The rows of the tables under `testdata/`, except those of `parse/` and `reject/`, which
//! [`data`](crate::data) reads.

use crate::data::{project_root, read_toml, rows};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A reference and its edits.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The reference before the edits.
    pub input: String,
    /// The origin of the row, or the section that determines the result.
    pub source: String,
    /// The standards to which the row applies; the default is RFC 3986.
    #[serde(default)]
    pub standards: Vec<String>,
    /// The edits, in the syntax of the command's options; `insert INDEX SEGMENT` and `remove INDEX`
    /// exist only in the library.
    pub edits: Vec<String>,
    /// The reference after the edits.
    #[serde(default)]
    pub result: Option<String>,
    /// A part of the expected error message.
    #[serde(default)]
    pub error: Option<String>,
}

impl Edit {
    /// The standards to which the row applies.
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
struct EditFile {
    edit: Vec<Edit>,
}

/// Returns all rows in `testdata/edit/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn edits() -> Vec<(String, Edit)> {
    rows("edit", |file: EditFile| file.edit)
}

/// References resolved against one base, with the same options.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ResolveGroup {
    /// The RFC and section.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The standards under which the references have these targets.
    pub standards: Vec<String>,
    /// The base URI.
    pub base: String,
    /// The treatment of excess `..` segments: `keep`, `drop` or `refuse`. The default depends on
    /// the standard.
    #[serde(default)]
    pub above_root: Option<String>,
    /// The treatment of references that repeat the scheme of the base: `strict` or `inherit`.
    #[serde(default)]
    pub same_scheme: Option<String>,
    /// The interpretation of RFC 1630's rule about slashes: `examples` or `text`.
    #[serde(default)]
    pub slash_rule: Option<String>,
    /// True if all references are same-document references.
    #[serde(default)]
    pub same_document: bool,
    /// Pairs of a reference and its target.
    #[serde(default)]
    pub targets: Vec<(String, String)>,
    /// References that cannot be resolved.
    #[serde(default)]
    pub fails: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResolveFile {
    group: Vec<ResolveGroup>,
}

/// All groups of `testdata/resolve/`.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn resolve_groups() -> Vec<ResolveGroup> {
    without_names(rows("resolve", |file: ResolveFile| file.group))
}

/// A reference and its normal forms (a row in `testdata/normalize/`).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Normalize {
    /// The reference.
    pub input: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The RFC and section that require this normal form.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The normal form at this level, if it differs from the form at the preceding level. For the
    /// first level, the preceding form is the reference itself.
    #[serde(default)]
    pub case: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub escapes: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub path: Option<String>,
    #[serde(default)]
    #[doc(hidden)]
    pub scheme: Option<String>,
}

impl Normalize {
    /// Returns the name of each level, and the normal form at that level.
    pub fn levels(&self) -> [(&'static str, &str); 4] {
        let mut form = self.input.as_str();
        let own = [
            ("case", &self.case),
            ("escapes", &self.escapes),
            ("path", &self.path),
            ("scheme", &self.scheme),
        ];
        own.map(|(level, own)| {
            form = own.as_deref().unwrap_or(form);
            (level, form)
        })
    }
}

/// Two references to compare (a row in `testdata/compare/`).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The first reference.
    pub a: String,
    /// The second reference.
    pub b: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The level at which the two references are equivalent, or `different`.
    pub by: String,
    /// The RFC and section that require this result.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NormalizeFile {
    normalize: Vec<Normalize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompareFile {
    compare: Vec<Compare>,
}

/// All rows in `testdata/normalize/`.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn normalizations() -> Vec<Normalize> {
    without_names(rows("normalize", |file: NormalizeFile| file.normalize))
}

/// All rows in `testdata/compare/`.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn comparisons() -> Vec<Compare> {
    without_names(rows("compare", |file: CompareFile| file.compare))
}

fn without_names<T>(rows: Vec<(String, T)>) -> Vec<T> {
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Data, and its encoded form in a component. Tests check both encoding and decoding.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is an independent property
pub struct Encode {
    /// The data as text, which is encoded in the row's charset.
    #[serde(default)]
    pub data: String,
    /// The data as octets, if it is not text.
    #[serde(default)]
    pub octets: Vec<u8>,
    /// The component.
    pub component: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The encoded form.
    pub text: String,
    /// True if the charset is ISO 8859-1 rather than UTF-8.
    #[serde(default)]
    pub latin1: bool,
    /// True if `+` is a space, as in HTML forms.
    #[serde(default)]
    pub form: bool,
    /// True if the data may already contain percent-encoded octets. The row then applies only to
    /// encoding.
    #[serde(default)]
    pub partly: bool,
    /// True if the data has several encoded forms. The row then applies only to decoding.
    #[serde(default)]
    pub decode_only: bool,
    /// The RFC and section that require this result.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
}

/// Text with a `%` that does not begin a percent-encoded octet, or data that cannot be encoded.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The text to decode, or the data to encode.
    pub input: String,
    /// The operation: `decode`, `encode` or `latin1`.
    pub by: String,
    /// The component.
    pub component: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The offset of the error.
    pub offset: usize,
    /// The RFC and section that require this result.
    pub source: String,
}

/// Two forms of a reference, with fewer and with more percent-encoded characters.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Safer {
    /// The reference with fewer percent-encoded characters.
    pub plain: String,
    /// The reference with more percent-encoded characters.
    pub safe: String,
    /// The characters in which the two references differ.
    pub set: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The RFC and section that require this result.
    pub source: String,
}

/// All rows in `testdata/percent/`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // each field holds the rows of the kind it names
pub struct Percent {
    pub encode: Vec<Encode>,
    pub broken: Vec<Broken>,
    pub safer: Vec<Safer>,
}

/// An IRI, and the URI to which it maps (RFC 3987, 3.1).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The IRI.
    pub iri: String,
    /// The URI.
    pub uri: String,
    /// The URI with its host converted with IDNA, if this makes a difference.
    #[serde(default)]
    pub idna: Option<String>,
    /// The RFC and section that require this result.
    pub source: String,
}

/// A URI, and the IRI to which it is converted (RFC 3987, 3.2).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The URI.
    pub uri: String,
    /// The IRI.
    pub iri: String,
    /// The RFC and section that require this result.
    pub source: String,
}

/// All rows in `testdata/iri/`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)] // each field holds the rows of the kind it names
pub struct Iri {
    pub map: Vec<Map>,
    pub show: Vec<Show>,
}

/// All rows in `testdata/percent/`.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn percent() -> Percent {
    let mut all = Percent::default();
    for (_, file) in rows("percent", |file: Percent| vec![file]) {
        all.encode.extend(file.encode);
        all.broken.extend(file.broken);
        all.safer.extend(file.safer);
    }
    all
}

/// All rows in `testdata/iri/`.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn iri() -> Iri {
    let mut all = Iri::default();
    for (_, file) in rows("iri", |file: Iri| vec![file]) {
        all.map.extend(file.map);
        all.show.extend(file.show);
    }
    all
}

/// A URL and its meaning, which is the same under all listed standards.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// The URL.
    pub text: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The edition, `original` or `successor`, if it is not the default for the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that contain the URL or define its meaning.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The RFC that defines the meaning.
    pub by: String,
    /// The decoded parts of the URL; absent parts are omitted.
    pub details: serde_json::Map<String, serde_json::Value>,
    /// The steps that a client takes: `connect HOST PORT`, `send LINE`, or a description, with data
    /// after a colon and a condition in parentheses. The client sends only what the URL requires:
    /// it does not request details of FTP files, and sends neither `User-Agent` nor `Accept`.
    #[serde(default)]
    pub steps: Option<Vec<String>>,
    /// The error message that explains why the row has no steps.
    #[serde(default)]
    pub no_steps: Option<String>,
}

/// A reference that may be valid under the standards, but is not a URL of its scheme.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct NoUrl {
    /// The reference.
    pub text: String,
    /// The standards to which the row applies.
    pub standards: Vec<String>,
    /// The edition, `original` or `successor`, if it is not the default for the standards.
    #[serde(default)]
    pub edition: Option<String>,
    /// The RFC and section that require this result.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The offset of the error in bytes. If the standard itself rejects the reference, this is the
    /// offset that its parser reports.
    pub offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemeFile {
    url: Vec<Url>,
    #[serde(default)]
    reject: Vec<NoUrl>,
}

/// Returns all URLs in `testdata/schemes/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn urls() -> Vec<(String, Url)> {
    rows("schemes", |file: SchemeFile| file.url)
}

/// Returns all references in `testdata/schemes/` that are not URLs of their scheme.
///
/// # Panics
///
/// See [`urls`].
pub fn no_urls() -> Vec<(String, NoUrl)> {
    rows("schemes", |file: SchemeFile| file.reject)
}

/// A text, and the links that it contains.
#[allow(clippy::struct_excessive_bools)] // each is an option of the finder
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The text.
    pub text: String,
    /// The RFC and section, or another standard, that requires these links; or a note that such
    /// text occurs in practice.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// True if finding abbreviated URLs is enabled.
    #[serde(default)]
    pub abbreviated: bool,
    /// True if finding mail addresses is enabled.
    #[serde(default)]
    pub addresses: bool,
    /// True if finding defanged URLs is enabled.
    #[serde(default)]
    pub refang: bool,
    /// True if finding templates is enabled.
    #[serde(default)]
    pub templates: bool,
    /// The links, in order.
    pub links: Vec<Link>,
}

/// A link in text.
#[derive(Deserialize, Debug)]
#[serde(from = "Written")]
pub struct Link {
    /// The reference.
    pub uri: String,
    /// `bare`, `wrapped`, `abbreviated`, `address` or `defanged`.
    pub kind: String,
    /// The link as written in the text.
    pub matched: String,
    /// The alternative reading, if a line ends with a hyphen.
    pub alternative: Option<String>,
    /// The reference as browsers repair it: `None` if it is valid, and `Some("")` if the repair is
    /// unclear.
    pub repaired: Option<String>,
    /// True if the link is cut off although it continues in the text.
    pub cut: bool,
    /// True if the link contains a placeholder. A link with a placeholder is never treated as
    /// valid, and never repaired.
    pub template: bool,
}

/// A link as written in the files of test data.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Bare(String),
    Linked(Linked),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Linked {
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
    #[serde(default)]
    template: bool,
}

impl From<Written> for Link {
    fn from(written: Written) -> Self {
        let other = match written {
            Written::Linked(other) => other,
            Written::Bare(uri) => Linked {
                uri,
                kind: None,
                matched: None,
                alternative: None,
                repaired: None,
                cut: false,
                template: false,
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
            template: other.template,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<Case>,
}

/// Returns all rows in `testdata/extract/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn extract() -> Vec<(String, Case)> {
    rows("extract", |file: CaseFile| file.case)
}

/// A message and its parts.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The RFC and section that concern the message, or a description of the message's defect.
    pub origin: String,
    /// The message.
    pub text: String,
    /// The decoded bodies of the parts, by their Content-IDs.
    pub parts: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageFile {
    message: Vec<Message>,
}

/// Returns all rows in `testdata/mime/messages.toml`.
///
/// # Panics
///
/// Panics if the file cannot be read or parsed, which indicates a mistake in the data.
pub fn messages() -> Vec<Message> {
    let file: MessageFile = read_toml(&project_root().join("testdata/mime/messages.toml"));
    file.message
}

/// A string, its disputed parts and its findings (a row in `testdata/audit/`).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Audited {
    /// The string.
    pub input: String,
    /// The document and section that the string concerns.
    pub source: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// The parts on which the voting parsers disagree.
    pub disputed: Vec<String>,
    /// The codes of all findings, in the order of their offsets.
    pub findings: Vec<String>,
}

/// The results of one parser, recorded in a file in `testdata/audit/recorded/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The parser's name.
    pub parser: String,
    /// The recorded version.
    pub version: String,
    /// The parser's answers.
    pub readings: Vec<Answer>,
}

/// A parser's result for one string. Absent components are `None`. If the parser rejects the
/// string, all components are `None`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // each field is the component it names
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

/// A class of vulnerabilities, described in a file in `testdata/cve/`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// A description of the vulnerabilities.
    pub title: String,
    /// The identifiers of vulnerabilities in this class.
    pub cve: Vec<String>,
    /// The parsers and versions that the first vulnerability affects.
    pub parser: String,
    /// The strings that show the vulnerabilities.
    pub row: Vec<Attack>,
}

/// A string that a vulnerable parser misreads.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// The string, or `None` if it is defined by `pieces`.
    #[serde(default)]
    pub input: Option<String>,
    /// A long string, in pieces.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// A description of how the vulnerable parser fails.
    pub note: String,
    /// See [`Audited`].
    pub disputed: Vec<String>,
    /// See [`Audited`].
    pub findings: Vec<String>,
    /// True if a strict gate lets the string pass.
    pub passes: bool,
    /// A reference, and its target if this string is the base.
    #[serde(default)]
    pub join: Option<Join>,
}

impl Attack {
    /// Returns the string with each repetition count multiplied by `factor`.
    pub fn text(&self, factor: usize) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Repeated { repeat, count } => repeat.repeat(count * factor),
        });
        self.input.clone().unwrap_or_else(|| pieces.collect())
    }
}

/// Part of a long string.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Piece {
    /// A string that occurs once.
    Text(String),
    /// A repeated string.
    Repeated {
        /// The string to repeat.
        repeat: String,
        /// The number of repetitions.
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

/// Returns all rows in `testdata/audit/`, each with the name of its file.
///
/// # Panics
///
/// Panics if a file cannot be read or parsed, which indicates a mistake in the data.
pub fn audited() -> Vec<(String, Audited)> {
    rows("audit", |file: AuditedFile| file.row)
}

/// Returns the recorded results of each parser in `testdata/audit/recorded/`.
///
/// # Panics
///
/// See [`audited`].
pub fn recorded() -> Vec<Recorded> {
    let files = rows("audit/recorded", |file: Recorded| vec![file]);
    files.into_iter().map(|(_, file)| file).collect()
}

/// Returns the classes in `testdata/cve/`, each with the name of its file.
///
/// # Panics
///
/// See [`audited`].
pub fn classes() -> Vec<(String, Class)> {
    rows("cve", |file: Class| vec![file])
}
