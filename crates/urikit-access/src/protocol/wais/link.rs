//! The URLs of documents and databases.

use super::job::{CATALOGUE, Job};
use super::{Databases, codec};
use urikit_schemes::Wais;

/// The URL of a document, on the server of the search. `None` if there is none, because the server
/// gave no document-id.
pub(super) fn document(
    job: &Job,
    database: &[u8],
    (document_type, id): (&[u8], &[u8]),
    length: Option<u64>,
) -> Option<String> {
    if id.is_empty() {
        return None;
    }
    let url = || {
        let url = Wais::builder(&job.host).database(database);
        match job.port {
            210 => url,
            port => url.port(port),
        }
    };
    let fields = codec::decode_document_id(id);
    let with_length = fields.as_ref().zip(length).and_then(|(fields, length)| {
        let url = url().document_of_length(document_type, length, fields);
        url.build().ok()
    });
    let built = match with_length {
        Some(url) => url,
        None => url().document(document_type, id).build().ok()?,
    };
    Some(built.into_string())
}

/// The URL of the database that a description is about.
pub(super) fn described(source: &codec::Source) -> Option<String> {
    let text = |name| std::str::from_utf8(source.get(name)?).ok();
    let host = text("ip-name").filter(|host| !host.is_empty())?;
    let mut url = Wais::builder(host).database(source.get("database-name")?);
    if let Some(port) = text("tcp-port").and_then(|port| port.parse().ok())
        && port != 210
    {
        url = url.port(port);
    }
    url.build().ok().map(|url| url.into_string())
}

/// Which of the databases of a search a document is in, by the name that the server has for it: of
/// several, the one that is the last segment of its path. The catalogue has a name too.
pub(super) fn database<'a>(databases: &'a Databases, source: &[u8]) -> &'a [u8] {
    let is_it = |name: &&[u8]| is_named(source, name);
    let found = databases.names().find(is_it);
    match found.or(databases.names().next()) {
        None | Some(b"") => CATALOGUE,
        Some(name) => name,
    }
}

/// Whether the name that a server has for a database is this one, or a path to it.
pub(super) fn is_named(path: &[u8], name: &[u8]) -> bool {
    path.strip_suffix(name)
        .is_some_and(|before| before.last().is_none_or(|octet| *octet == b'/'))
}
