//! FTP with vsftpd, pyftpdlib and Twisted, whose logs show the commands, and with scripted hostile
//! servers.

pub(crate) mod fake;
mod hostile;
mod listings;
mod login;
mod pyftpdlib;
mod replies;
mod reuse;
mod secured;
mod store;
mod tunneled;
mod twisted;
mod vsftpd;

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fetch_with};
use std::time::Duration;
use urikit::Standard;
use urikit_access::protocol::FtpProtocol;
use urikit_access::{Buffer, Client, Prompt, Request, Response, Terminal};

/// Fetches a URL, and compares what was sent with the plan.
fn fetch_as_planned(client: &mut Client, url: &str) -> (Response, Buffer) {
    fetch_as_planned_with(client, url, |request| request)
}

fn fetch_as_planned_with(
    client: &mut Client,
    url: &str,
    more: impl Fn(Request<'_>) -> Request<'_>,
) -> (Response, Buffer) {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let plan = client.plan(&more(Request::new(reference))).unwrap();
    let (response, buffer) =
        fetch_with(client, url, more).unwrap_or_else(|error| panic!("{url}: {error}"));
    assert_as_planned(&plan, &response.rendered());
    (response, buffer)
}

/// Returns a client with these FTP settings.
fn with(ftp: FtpProtocol) -> Client {
    client().protocol(ftp)
}

/// Returns the names, kinds, sizes and references of entries, sorted.
fn entries(buffer: &Buffer) -> Vec<String> {
    let line = |entry: &urikit_access::listing::Entry| {
        let size = entry.size.map_or(String::new(), |size| format!(" {size}"));
        let to = entry.reference.as_deref().unwrap_or("nowhere");
        let to = to.split_once("//").map_or(to, |(_, to)| to);
        let to = to.split_once('/').map_or(to, |(_, to)| to);
        format!("{} {}{size} /{to}", entry.kind, entry.name)
    };
    let mut lines: Vec<String> = buffer.entries.iter().map(line).collect();
    lines.sort();
    lines
}

/// Waits until the expected lines appear in the log of a server.
fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    for _ in 0..200 {
        if is_there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} never came");
}

/// A user with one password.
struct OnePassword(&'static str, Vec<String>);

impl Prompt for OnePassword {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        self.1.push(format!("{user}@{host}"));
        Some(self.0.to_owned())
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}
