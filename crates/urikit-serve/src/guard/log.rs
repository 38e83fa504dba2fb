//! Logs requests, with masked passwords.

use super::Client;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use std::net::IpAddr;
use std::time::Instant;
use tracing::Level;
use urikit::octet::octets;
use urikit_report::mask::mask;
use urikit_report::safe::safe;

/// The maximum length of a target in the log, in characters.
const LONGEST: usize = 500;

/// A request that is being answered. `None` if requests are not logged.
pub(crate) struct Entry(Option<Request_>);

struct Request_ {
    client: Option<IpAddr>,
    method: Method,
    target: String,
    begin: Instant,
}

impl Entry {
    pub(super) fn new(request: &Request) -> Self {
        let client = request.extensions().get().map(|Client(address)| *address);
        let uri = request.uri();
        Self::with(client, request.method(), || target(uri.path(), uri.query()))
    }

    /// Creates the log entry for a request to the gateway. The target may be a complete URI.
    pub(crate) fn of_target(client: Option<IpAddr>, method: &Method, text: &str) -> Self {
        Self::with(client, method, || match text.split_once('?') {
            Some((path, query)) => target(path, Some(query)),
            None => target(text, None),
        })
    }

    fn with(client: Option<IpAddr>, method: &Method, target: impl FnOnce() -> String) -> Self {
        if !tracing::enabled!(Level::INFO) {
            return Self(None);
        }
        Self(Some(Request_ {
            client,
            method: method.clone(),
            target: target(),
            begin: Instant::now(),
        }))
    }

    /// Writes the request and the status of its response.
    pub(crate) fn log(self, status: StatusCode) {
        let Some(Request_ {
            client,
            method,
            target,
            begin,
        }) = self.0
        else {
            return;
        };
        let client = client
            .map(|address| address.to_string())
            .unwrap_or_default();
        let microseconds = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        let status = status.as_u16();
        tracing::info!(%client, %method, target = %target, status, microseconds, "request");
    }
}

/// Returns the path and the decoded query, with masked passwords. Each value is masked separately,
/// because passwords are recognized only in complete URLs.
fn target(path: &str, query: Option<&str>) -> String {
    let shown = |text: &str| {
        let octets: Vec<u8> = octets(text.as_bytes()).map(|octet| octet.value).collect();
        let text = String::from_utf8_lossy(&octets);
        safe(&mask(&text, false)).into_owned()
    };
    let mut target = shown(path);
    for (index, pair) in query
        .into_iter()
        .flat_map(|query| query.split('&'))
        .enumerate()
    {
        target.push(if index == 0 { '?' } else { '&' });
        match pair.split_once('=') {
            Some((name, value)) => {
                target.push_str(&shown(name));
                target.push('=');
                target.push_str(&shown(value));
            }
            None => target.push_str(&shown(pair)),
        }
        if target.len() > LONGEST * 4 {
            break;
        }
    }
    if let Some((end, _)) = target.char_indices().nth(LONGEST) {
        target.truncate(end);
        target.push('…');
    }
    target
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn passwords_are_masked() {
        for (path, query, expected) in [
            ("/", None, "/"),
            (
                "/api/v1/parse",
                Some("url=http://u:secret@a/&standard=rfc1738"),
                "/api/v1/parse?url=http://u:***@a/&standard=rfc1738",
            ),
            (
                "/",
                Some("url=http%3A%2F%2Fu%3Asecret%40a%2F"),
                "/?url=http://u:***@a/",
            ),
            ("/http://u:secret@a/", Some("x"), "/http://u:***@a/?x"),
            ("/", Some("url=%1B[31m%00"), "/?url=\u{FFFD}[31m\u{FFFD}"),
        ] {
            assert_eq!(target(path, query), expected);
        }
        let long = target("/", Some(&"a=b&".repeat(5000)));
        assert!(long.chars().count() == 501);
    }
}
