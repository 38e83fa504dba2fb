//! Documents that were found: their entries in a listing, and the URLs of documents and databases.

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

/// Creates the entry for a document that was found.
pub(super) fn entry(job: &Job, header: &DocumentHeader<'_>) -> Entry {
    let headline = text(header.headline);
    let document = document_url(job, header);
    let is_url = header.types().any(is_url);
    let link = url_in(&headline).filter(|_| is_url);
    let kind = match link {
        Some(_) => EntryKind::Link,
        None => EntryKind::File,
    };
    let mut entry = Entry::new(kind, headline.as_bytes()).size(header.length);
    let numbers = [
        ("score", header.score),
        ("best_match", header.best_match.filter(|place| *place > 0)),
        ("lines", header.lines),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            entry = entry.detail(name, number.to_string().as_bytes());
        }
    }
    let types = header.types().collect::<Vec<_>>().join(&b","[..]);
    let date = match header.date {
        b"0" => b"",
        date => date,
    };
    for (name, value) in [
        ("types", types.as_slice()),
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

/// Decodes text as UTF-8 if it is valid, otherwise as ISO 8859-1, which most servers use.
pub(super) fn text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => octets.iter().copied().map(char::from).collect(),
    }
}

/// Returns the text without the spaces around it, if it is a URL.
pub(super) fn url_in(text: &str) -> Option<String> {
    let url = Uri::parse(text.trim()).ok()?;
    Some(url.as_str().to_owned())
}

/// Returns the URL of a document that was found, on the server of the search. Returns `None` if
/// the server sent no document-id.
pub(super) fn document_url(job: &Job, header: &DocumentHeader<'_>) -> Option<String> {
    if header.id.is_empty() {
        return None;
    }
    let database = database_of(job, header.source);
    let document_type = header.types().next().unwrap_or(DEFAULT_TYPE);
    let url = || {
        let url = Wais::builder(&job.host).database(database);
        if job.port == default_port("wais") {
            url
        } else {
            url.port(job.port)
        }
    };
    let fields = codec::decode_document_id(header.id);
    let with_length = fields.zip(header.length).and_then(|(fields, length)| {
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

/// Returns the database of the search that contains a document. `source` is the server's name for
/// the database: a path that ends in the name of the database.
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
