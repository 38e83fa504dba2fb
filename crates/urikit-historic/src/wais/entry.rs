//! Creates listing entries for documents that were found, and the URLs of documents and databases.

use super::codec::{self, DocumentHeader};
use super::job::{CATALOGUE, DEFAULT_TYPE, Job, is_url};
use crate::default_port;
use std::borrow::Cow;
use urikit::Uri;
use urikit_access::listing::{Entry, EntryKind};
use urikit_schemes::Wais;

/// The headline of the placeholder that freeWAIS returns if it finds nothing.
const NO_RESULT: &[u8] = b"Search produced no result";

/// Returns true if the record is freeWAIS's "no result" placeholder.
pub(super) fn is_no_result(header: &DocumentHeader<'_>) -> bool {
    header.score.unwrap_or_default() == 0 && header.headline.starts_with(NO_RESULT)
}

/// Creates the entries for a document that was found, one for each type in which it can be fetched.
pub(super) fn entries<'a>(
    job: &'a Job,
    header: &'a DocumentHeader<'a>,
) -> impl Iterator<Item = Entry> + 'a {
    let types = header.types().skip(1);
    let others = types.map(move |document_type| entry(job, header, document_type, None));
    let first = entry(job, header, first_type(header), Some(Measures::of(header)));
    std::iter::once(first).chain(others)
}

/// The size of the document in the first type that the server lists.
#[derive(Clone, Copy)]
struct Measures {
    /// The number of bytes in the document.
    length: Option<u64>,
    lines: Option<u64>,
}

impl Measures {
    const fn of(header: &DocumentHeader<'_>) -> Self {
        Self {
            length: header.length,
            lines: header.lines,
        }
    }
}

/// Creates the entry for one of the types of a document.
fn entry(
    job: &Job,
    header: &DocumentHeader<'_>,
    document_type: &[u8],
    measures: Option<Measures>,
) -> Entry {
    let headline = text(header.headline);
    let length = measures.and_then(|measures| measures.length);
    let document = document_url(job, header, document_type, length);
    let link = url_in(&headline).filter(|_| is_url(document_type));
    let kind = match link {
        Some(_) => EntryKind::Link,
        None => EntryKind::File,
    };
    let mut entry = Entry::new(kind, headline.as_bytes()).size(length);
    let numbers = [
        ("score", header.score),
        ("best_match", header.best_match.filter(|place| *place > 0)),
        ("lines", measures.and_then(|measures| measures.lines)),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            entry = entry.detail(name, number.to_string().as_bytes());
        }
    }
    let date = match header.date {
        b"0" => b"",
        date => date,
    };
    for (name, value) in [
        ("document_type", document_type),
        ("source", header.source),
        ("date", date),
        ("origin", header.origin_city),
    ] {
        if !value.is_empty() {
            entry = entry.detail(name, text(value).as_bytes());
        }
    }
    if let (Some(_), Some(document)) = (&link, &document) {
        entry = entry.detail("document", document.as_bytes());
    }
    entry.reference = link.or(document);
    entry
}

/// Returns the first type of a document, to which the document's length refers.
pub(super) fn first_type<'a>(header: &DocumentHeader<'a>) -> &'a [u8] {
    header.types().next().unwrap_or(DEFAULT_TYPE)
}

/// Decodes text as UTF-8 if it is valid, and otherwise as ISO 8859-1, which most servers use.
pub(super) fn text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => octets.iter().copied().map(char::from).collect(),
    }
}

/// Returns the text without surrounding spaces, if it is a URL.
pub(super) fn url_in(text: &str) -> Option<String> {
    let url = Uri::parse(text.trim()).ok()?;
    Some(url.as_str().to_owned())
}

/// Returns the URL of a document that a search has found, for one of the document's types. Returns
/// `None` if the server sent no document-id.
pub(super) fn document_url(
    job: &Job,
    header: &DocumentHeader<'_>,
    document_type: &[u8],
    length: Option<u64>,
) -> Option<String> {
    if header.id.is_empty() {
        return None;
    }
    let database = database_of(job, header.source);
    let url = || {
        let url = Wais::builder(&job.host).database(database);
        if job.port == default_port("wais") {
            url
        } else {
            url.port(job.port)
        }
    };
    let fields = codec::decode_document_id(header.id);
    let with_length = fields.zip(length).and_then(|(fields, length)| {
        let url = url().document_of_length(document_type, length, &fields);
        url.build().ok()
    });
    let built = match with_length {
        Some(url) => url,
        None => url().document(document_type, header.id).build().ok()?,
    };
    Some(built.into_string())
}

/// Returns the URL of the database that a source description describes.
pub(super) fn described_url(source: &codec::Source) -> Option<String> {
    let text = |name| std::str::from_utf8(source.get(name)?).ok();
    let host = text("ip-name").filter(|host| !host.is_empty())?;
    let mut url = Wais::builder(host).database(source.get("database-name")?);
    if let Some(port) = text("tcp-port").and_then(|port| port.parse().ok())
        && port != default_port("wais")
    {
        url = url.port(port);
    }
    url.build().ok().map(|url| url.into_string())
}

/// Returns the searched database that contains a document. `source` is the server's name for
/// the database, which is a path that ends in the database's name.
fn database_of<'a>(job: &'a Job, source: &[u8]) -> &'a [u8] {
    let found = job.databases.names().find(|name| is_named(source, name));
    match found.or(job.databases.names().next()) {
        None | Some(b"") => CATALOGUE,
        Some(name) => name,
    }
}

/// Returns true if a server's name for a database equals `name`, or is a path to it.
pub(super) fn is_named(path: &[u8], name: &[u8]) -> bool {
    path.strip_suffix(name)
        .is_some_and(|before| before.last().is_none_or(|octet| *octet == b'/'))
}
