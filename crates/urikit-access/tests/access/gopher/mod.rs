//! Gopher and Gopher+: RFC 1436, RFC 1738 3.4, RFC 4266, and the Gopher+ document.

mod form;
mod hostile;
mod plus;
mod real;
mod reply;
mod url;

use crate::support::{client, fails, fetch};
use urikit_access::listing::Entry;
use urikit_access::{Buffer, Error, Response, Result};
use urikit_testkit::servers::Scripted;

/// Starts a server that sends the same reply to every request, and then closes the connection.
fn replies(reply: impl AsRef<[u8]> + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client| {
        client.line();
        client.say(reply.as_ref());
    })
}

/// Fetches a `gopher://` URL with this path from a server.
fn get(server: &Scripted, path: &str) -> Result<(Response, Buffer)> {
    fetch(
        &mut client(),
        &format!("gopher://127.0.0.1:{}/{path}", server.port),
    )
}

/// Fetches a `gopher://` URL with this path, and returns the error, which must occur.
fn get_fails(server: &Scripted, path: &str) -> Error {
    fails(
        &mut client(),
        &format!("gopher://127.0.0.1:{}/{path}", server.port),
    )
}

/// Returns the kind, the name and the URL of an entry.
fn short(entry: &Entry) -> (&str, &str, &str) {
    let reference = entry.reference.as_deref().unwrap_or("-");
    (entry.kind.as_str(), &entry.name, reference)
}

/// Returns a detail of an entry.
fn detail<'a>(entry: &'a Entry, name: &str) -> &'a str {
    let found = entry.details.iter().find(|(detail, _)| *detail == name);
    found.map_or("-", |(_, value)| value)
}
