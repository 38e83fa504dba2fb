//! Checks the rows of `testdata/extract_documents/`. In web pages of the 1990s, every attribute
//! that a simple search finds must be found.

use super::{extractor, pieces, position};
use encoding_rs::Encoding;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use urikit_extract::Kind;
use urikit_extract::document::Format;
use urikit_mime::header;
use urikit_mime::transfer::{self, Decoder};
use urikit_testkit::rows::messages;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) row: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) origin: String,
    pub(crate) base: Option<String>,
    /// True to find links for programs.
    #[serde(default)]
    pub(crate) deep: bool,
    pub(crate) document: String,
    /// The charset of the file, if it is not UTF-8. UTF-16 files begin with a byte order mark.
    charset: Option<String>,
    pub(crate) found: Vec<Found>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    text: String,
    /// The bytes in the file, if they differ from the text.
    on_disk: Option<String>,
    /// The URI, if it differs from the text.
    uri: Option<String>,
    #[serde(default = "link")]
    kind: String,
    /// The target. Empty if the reference has none.
    target: Option<String>,
    alternative: Option<String>,
    /// The part that a `cid:` URL refers to, including its header.
    part: Option<String>,
    /// The place: `a@href rel=nofollow` or `field=List-Help`, or empty for text.
    place: Option<String>,
}

impl Row {
    /// Encodes the document as stored in the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mark = match self.charset.as_deref() {
            Some("utf-16le" | "utf-16be") => "\u{FEFF}",
            _ => "",
        };
        self.encode(&[mark, &self.document].concat())
    }

    fn encode(&self, text: &str) -> Vec<u8> {
        match self.charset.as_deref() {
            None => text.as_bytes().to_vec(),
            Some("utf-16le") => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Some("utf-16be") => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Some(label) => {
                let encoding = Encoding::for_label(label.as_bytes()).unwrap();
                let (bytes, _, has_failed) = encoding.encode(text);
                assert!(!has_failed, "{}", self.origin);
                bytes.into_owned()
            }
        }
    }

    /// Decodes the document before an offset in the file.
    fn before(&self, bytes: &[u8], offset: usize) -> String {
        let encoding = self.charset.as_ref().map_or(encoding_rs::UTF_8, |label| {
            Encoding::for_label(label.as_bytes()).unwrap()
        });
        encoding
            .decode_with_bom_removal(&bytes[..offset])
            .0
            .into_owned()
    }
}

fn link() -> String {
    "link".to_owned()
}

pub(crate) fn read(name: &str) -> File {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/extract_documents")
        .join(name);
    toml::from_str(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{name}: {} at {:?}", error.message(), error.span()))
}

fn check(name: &str, format: Format) {
    let file = read(name);
    let mut wrong = Vec::new();
    for row in &file.row {
        let document = row.bytes();
        let found = pieces(
            &extractor(row.base.as_deref()).deep(row.deep),
            format,
            [document.as_slice()],
        );
        let mut from = 0;
        if found.len() != row.found.len() {
            let uris: Vec<&str> = found.iter().map(|found| found.uri.as_str()).collect();
            wrong.push(format!(
                "{}: {} expected, {uris:?}",
                row.origin,
                row.found.len()
            ));
            continue;
        }
        for (expected, found) in row.found.iter().zip(&found) {
            let on_disk = expected.on_disk.as_deref().unwrap_or(&expected.text);
            let is_there = document.get(found.start..found.end) == Some(&row.encode(on_disk));
            let uri = expected.uri.as_deref().unwrap_or(&expected.text);
            let target = expected
                .target
                .as_deref()
                .map(|target| Some(target).filter(|target| !target.is_empty()));
            let is_right = is_there
                && found.start >= from
                && found.text == expected.text
                && found.uri == uri
                && found.kind.as_str() == expected.kind
                && found.alternative == expected.alternative
                && found.part.clone().map(|part| &document[part])
                    == expected.part.as_deref().map(str::as_bytes)
                && expected
                    .place
                    .as_ref()
                    .is_none_or(|place| *place == found.place)
                && target.is_none_or(|target| target == found.target.as_deref())
                && found.position == {
                    let before = row.before(&document, found.start);
                    position(before.as_bytes(), before.len())
                };
            if !is_right {
                wrong.push(format!("{}: {uri}: {found:?}", row.origin));
            }
            from = found.start;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} documents of {name}", file.row.len());
}

#[test]
fn html() {
    check("html.toml", Format::Html);
}

#[test]
fn text() {
    check("text.toml", Format::Text);
}

#[test]
fn markdown() {
    check("markdown.toml", Format::Markdown);
}

#[cfg(feature = "xml")]
#[test]
fn xml() {
    check("xml.toml", Format::Xml);
}

#[test]
fn css() {
    check("css.toml", Format::Css);
}

#[test]
fn csv() {
    check("csv.toml", Format::Csv);
}

#[test]
fn tsv() {
    check("tsv.toml", Format::Tsv);
}

#[test]
fn rst() {
    check("rst.toml", Format::Rst);
}

#[test]
fn asciidoc() {
    check("asciidoc.toml", Format::Asciidoc);
}

#[test]
fn org() {
    check("org.toml", Format::Org);
}

#[test]
fn gemtext() {
    check("gemtext.toml", Format::Gemtext);
}

#[test]
fn latex() {
    check("latex.toml", Format::Latex);
}

#[test]
fn roff() {
    check("roff.toml", Format::Roff);
}

#[test]
fn jupyter() {
    check("jupyter.toml", Format::Jupyter);
}

#[test]
fn icalendar() {
    check("icalendar.toml", Format::Icalendar);
}

#[test]
fn har() {
    check("har.toml", Format::Har);
}

#[test]
fn wat() {
    check("wat.toml", Format::Wat);
}

#[test]
fn mail() {
    check("mail.toml", Format::Mail);
}

/// `cid:` URLs refer to the same parts here as in `urikit-access`.
#[test]
fn parts_of_messages() {
    for message in messages() {
        let ids = message.parts.keys().map(String::as_str);
        let links = ids.chain(["no@x.example"]).map(|id| format!(" cid:{id}"));
        let document = format!("X-Parts:{}\n{}", links.collect::<String>(), message.text);
        let found = pieces(&extractor(None), Format::Mail, [document.as_bytes()]);
        for link in &found {
            let id = link.uri.strip_prefix("cid:").unwrap();
            let body = link.part.clone().map(|part| {
                let (header, body) = header::split(&document.as_bytes()[part]);
                let encoding = header::value(header, "Content-Transfer-Encoding");
                let mut decoder =
                    Decoder::new(encoding.map_or_else(Default::default, transfer::Encoding::parse));
                let mut text = Vec::new();
                decoder.push(body, |run| text.extend_from_slice(run.octets()));
                decoder.finish(|run| text.extend_from_slice(run.octets()));
                String::from_utf8(text).unwrap()
            });
            let expected = message.parts.get(id);
            assert_eq!(body.as_ref(), expected, "{}: {}", message.origin, link.uri);
        }
        assert_eq!(found.len(), message.parts.len() + 1, "{}", message.origin);
    }
}

/// At most 256 parameters of a field are read.
#[test]
fn too_many_parameters_are_reported() {
    for (count, cut) in [(255, 0), (256, 1)] {
        let document = format!(
            "Content-Type: text/plain{}; charset=utf-16le\n\na\0",
            "; a*1=b".repeat(count)
        );
        let extractor = extractor(None);
        let mut extraction = extractor.begin(Format::Mail);
        extraction.push(document.as_bytes(), &mut |_| {}).unwrap();
        assert_eq!(extraction.finish(&mut |_| {}).cut_fields, cut);
    }
}

fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let sibling = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    named
        .into_iter()
        .chain([sibling])
        .find(|path| path.is_dir())
}

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, out);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            out.push(path);
        }
    }
}

/// Returns the ranges of the quoted values of the first ` href=` and ` src=` of each tag, outside
/// comments, between a `<` and the next `>`.
fn quoted(page: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.len() {
        if page[at..].starts_with(b"<!--") {
            let end = page[at..].windows(3).position(|three| three == b"-->");
            at = end.map_or(page.len(), |end| at + end + 3);
            continue;
        }
        let is_tag = page[at] == b'<' && page.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        at += 1;
        if !is_tag {
            continue;
        }
        let mut quote = None;
        let mut names = Vec::new();
        while at < page.len() && (page[at] != b'>' || quote.is_some()) {
            match quote {
                Some(mark) if page[at] == mark => quote = None,
                None if page[at - 1] == b'=' && matches!(page[at], b'"' | b'\'') => {
                    quote = Some(page[at]);
                    let before = page[..at - 1].to_ascii_lowercase();
                    let mut words = before.rsplit(u8::is_ascii_whitespace);
                    let name = words.next().unwrap_or_default().to_vec();
                    let is_first = !names.contains(&name);
                    names.push(name.clone());
                    if is_first
                        && matches!(name.as_slice(), b"href" | b"src")
                        && let Some(length) =
                            page[at + 1..].iter().position(|byte| *byte == page[at])
                    {
                        found.push((at + 1, at + 1 + length));
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

/// Returns true if a page up to some offset ends in an open `noframes`.
fn is_in_noframes(page: &[u8]) -> bool {
    let page = String::from_utf8_lossy(page).to_ascii_lowercase();
    page.rfind("<noframes>") > page.rfind("</noframes>")
}

#[test]
fn finds_every_quoted_attribute_in_pages_of_the_1990s() {
    let Some(shared) = shared() else {
        println!(
            "SKIPPED pages of the 1990s: the corpus is missing; \
             URIKIT_SHARED names the folder that has it"
        );
        return;
    };
    let folder = shared.join("vectors/corpora/w3c_libwww_html");
    if !folder.is_dir() {
        println!(
            "SKIPPED pages of the 1990s: \
             vectors/corpora/w3c_libwww_html is missing; \
             URIKIT_SHARED names the folder that has it"
        );
        return;
    }
    let mut paths = Vec::new();
    pages(&folder, &mut paths);
    let (mut attributes, mut references) = (0, 0);
    let mut missing = Vec::new();
    for path in &paths {
        let page = std::fs::read(path).unwrap();
        let found = pieces(&extractor(None), Format::Html, [page.as_slice()]);
        references += found
            .iter()
            .filter(|found| found.kind == Kind::Link)
            .count();
        for (start, end) in quoted(&page) {
            // The content of `noframes` is text.
            if is_in_noframes(&page[..start]) {
                continue;
            }
            attributes += 1;
            let value = page[start..end].trim_ascii();
            let is_there = found.iter().any(|found| {
                start <= found.start && found.end <= end && page[found.start..found.end] == *value
            });
            if !is_there {
                missing.push(format!(
                    "{}: {start}: {}",
                    path.display(),
                    String::from_utf8_lossy(value)
                ));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(
        paths.len() > 300 && attributes > 5000,
        "{} pages, {attributes}",
        paths.len()
    );
    println!(
        "{} pages: {attributes} quoted attributes, {references} references",
        paths.len()
    );
}
