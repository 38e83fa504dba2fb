//! A server for many hosts, each of which may be slow or hostile.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;
use urikit_access::{Client, Policy, Resolver};
use urikit_check::Network;
use urikit_testkit::servers::{Conversation, Scripted};

/// Resolves the names of the tests.
struct Names;

impl Resolver for Names {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        if name.starts_with("missing") {
            return Err(io::Error::other("Name or service not known"));
        }
        if name.starts_with("nodns") {
            return Err(io::Error::other("Temporary failure in name resolution"));
        }
        Ok(vec![[127, 0, 0, 1].into()])
    }
}

/// Makes a prober that gives up on a request after this number of seconds.
pub(crate) fn network(timeout: u64) -> Network {
    let policy = Policy::new()
        .allow_private(true)
        .allow_downgrade(true)
        .total_timeout(Duration::from_secs(timeout));
    let client = Client::new(policy).resolver(Names);
    Network::new(client).retry_delay(Duration::from_millis(200))
}

/// A request.
pub(crate) struct Asked {
    pub(crate) method: String,
    /// The first label of the host, without its number.
    pub(crate) host: String,
    pub(crate) authority: String,
    pub(crate) path: String,
    pub(crate) has_cookie: bool,
    /// The number of this request for its host and path, counting from 1.
    pub(crate) number: usize,
    /// The number of this request for its host, counting from 1 and leaving out requests for
    /// robots.txt.
    pub(crate) number_at_host: usize,
}

impl Asked {
    /// Returns a response with a body, which HEAD omits.
    pub(crate) fn response(&self, status: &str, fields: &str, body: &str) -> String {
        let shown = if self.method == "HEAD" { "" } else { body };
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\n\r\n{shown}")
    }

    pub(crate) fn html(&self, body: &str) -> String {
        self.response("200 OK", "Content-Type: text/html\r\n", body)
    }

    pub(crate) fn redirect(&self, status: &str, to: &str) -> String {
        self.response(status, &format!("Location: {to}\r\n"), "")
    }
}

/// Starts a server. `answer` returns a response, or uses the connection itself, which is then
/// closed.
pub(crate) fn start(
    answer: impl Fn(&Asked, &mut Conversation) -> Option<String> + Send + Sync + 'static,
) -> Scripted {
    let seen = Mutex::new(HashMap::<String, usize>::new());
    let count = move |key: String| {
        let mut seen = seen.lock().unwrap();
        let count = seen.entry(key).or_insert(0);
        *count += 1;
        *count
    };
    Scripted::start(move |client: &mut Conversation| {
        while let Some(line) = client.line() {
            let mut words = line.split(' ').map(str::to_owned);
            let (method, path) = (words.next().unwrap(), words.next().unwrap());
            let (mut authority, mut has_cookie) = (String::new(), false);
            while let Some(field) = client.line().filter(|field| !field.is_empty()) {
                let (name, value) = field.split_once(':').unwrap();
                match &*name.to_ascii_lowercase() {
                    "host" => value.trim().clone_into(&mut authority),
                    "cookie" => has_cookie = true,
                    _ => {}
                }
            }
            let is_robots = path == "/robots.txt";
            let label = authority.split('.').next().unwrap();
            let asked = Asked {
                host: label
                    .trim_end_matches(char::is_numeric)
                    .to_ascii_lowercase(),
                number: count(format!("{authority}{path}")),
                number_at_host: if is_robots {
                    0
                } else {
                    count(authority.clone())
                },
                authority,
                method,
                path,
                has_cookie,
            };
            let is_open = answer(&asked, client).is_some_and(|response| client.say(response));
            if !is_open {
                return client.close();
            }
        }
    })
}
