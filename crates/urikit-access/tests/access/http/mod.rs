//! HTTP: the exact octets of requests, responses, hostile servers, nginx and Apache, TLS, proxies
//! and gateways.

mod addresses;
mod apache;
mod asked;
mod codings;
mod digest;
mod hostile;
mod nginx;
mod proxy;
mod proxy_login;
mod requests;
mod responses;
mod resume;
mod reuse;
mod squid;
pub(crate) mod tls;
mod tunnels;
mod upload;

use urikit_schemes::SchemeRegistry;
use urikit_testkit::servers::{Conversation, Scripted};

/// Reads the head of a request. Returns `None` at the end of the connection.
pub(crate) fn request(client: &mut Conversation) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    loop {
        let line = client.line()?;
        if line.is_empty() {
            return Some(lines);
        }
        lines.push(line);
    }
}

/// Starts a server that sends the same response to every request, and closes the connection.
fn server(answer: impl AsRef<[u8]> + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client| {
        if request(client).is_some() {
            client.say(&answer);
        }
    })
}

/// Starts a server that handles several requests on a connection. The path in the request line
/// selects the response.
fn pages(pages: &'static [(&'static str, &'static str)]) -> Scripted {
    Scripted::start(move |client| {
        while let Some(lines) = request(client) {
            let target = lines[0].split(' ').nth(1).unwrap().to_owned();
            let page = pages.iter().find(|(path, _)| *path == target);
            client.say(page.map_or(
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                |page| page.1,
            ));
        }
    })
}

fn url(server: &Scripted, rest: &str) -> String {
    format!("http://127.0.0.1:{}{rest}", server.port)
}

/// Returns a registry with gateways, written as `SCHEME=URL` or `SCHEME=proxy:URL`.
fn gateways(rules: &[String]) -> SchemeRegistry {
    let mut registry = SchemeRegistry::new();
    for rule in rules {
        let rule: urikit_schemes::GatewayRule = rule.parse().unwrap();
        registry.set_gateway(&rule.scheme, rule.gateway).unwrap();
    }
    registry
}
