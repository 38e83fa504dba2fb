//! Cancelling an access from another thread.

use crate::connecting::Unresponsive;
use crate::http::{request, tls};
use crate::support::policy;
use std::io::Read;
use std::net::{IpAddr, TcpListener};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::{
    Buffer, Cancel, Client, Error, ErrorKind, Metadata, NoPrompt, Policy, Request, Resolver, Sink,
    Upload,
};
use urikit_testkit::servers::{Folder, Scripted};

/// Long limits, so that only the token can end an access early.
fn patient() -> Policy {
    let long = Duration::from_secs(100);
    policy()
        .connect_timeout(long)
        .idle_timeout(long)
        .total_timeout(long)
}

/// Runs an access, and cancels it after a while. The access must end soon, with an error that says
/// that it was cancelled.
fn cancelled(access: impl FnOnce(&Cancel) -> Result<(), Error>) {
    let cancel = Cancel::new();
    let other = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        other.cancel();
        Instant::now()
    });
    let error = access(&cancel).unwrap_err();
    let ended = Instant::now();
    assert!(matches!(error.kind(), ErrorKind::Cancelled), "{error}");
    assert!(!error.is_transient());
    // The access usually ends in less than a millisecond, but a busy machine may need longer.
    let since = ended.saturating_duration_since(thread.join().unwrap());
    assert!(since < Duration::from_secs(3), "{since:?}");
}

fn fetch(client: &Client, url: &str, cancel: &Cancel) -> Result<(), Error> {
    let request = Request::new(Standard::Rfc3986.parse(url).unwrap()).cancel(cancel);
    let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
    fetched.map(drop)
}

#[test]
fn a_server_that_never_answers() {
    let server = Scripted::start(|client| while client.line().is_some() {});
    let client = Client::new(patient());
    for scheme in ["http", "gopher", "ftp", "nntp", "https"] {
        let path = if scheme == "nntp" { "g/1" } else { "1a" };
        let url = format!("{scheme}://127.0.0.1:{}/{path}", server.port);
        cancelled(|cancel| fetch(&client, &url, cancel));
    }
}

#[test]
fn a_body_that_stops() {
    let server = Scripted::start(|client| {
        while client.line().is_some_and(|line| !line.is_empty()) {}
        client.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
        while client.line().is_some() {}
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    cancelled(|cancel| fetch(&Client::new(patient()), &url, cancel));
}

struct Nothing;

impl Sink for Nothing {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        Ok(())
    }
}

/// A body that never ends keeps the client busy.
#[test]
fn a_body_that_does_not_end() {
    let server = Scripted::start(|client| {
        while client.line().is_some_and(|line| !line.is_empty()) {}
        client.say("HTTP/1.1 200 OK\r\n\r\n");
        client.say_forever("a".repeat(1000));
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    for slow in [false, true] {
        let policy = patient().max_rate(if slow { 1000 } else { u64::MAX });
        cancelled(|cancel| {
            let request = Request::new(Standard::Rfc3986.parse(&url).unwrap()).cancel(cancel);
            let client = Client::new(policy);
            client
                .fetch(&request, &mut NoPrompt, &mut Nothing)
                .map(drop)
        });
    }
}

#[test]
fn a_server_that_does_not_accept_data() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // Accepts connections, but never reads.
    let server = std::thread::spawn(move || listener.accept());
    cancelled(|cancel| {
        let url = format!("http://127.0.0.1:{port}/");
        let mut upload = Upload::new(Standard::Rfc3986.parse(&url).unwrap());
        upload.request = upload.request.cancel(cancel);
        let mut endless = std::io::repeat(b'a').take(1 << 40);
        let client = Client::new(patient());
        client
            .upload(&upload, &mut NoPrompt, &mut endless, &mut Buffer::default())
            .map(drop)
    });
    drop(server.join().unwrap());
}

struct Fixed(Vec<IpAddr>);

impl Resolver for Fixed {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(self.0.clone())
    }
}

#[test]
fn a_connection_that_is_not_accepted() {
    let unresponsive = Unresponsive::new(([127, 0, 0, 21], 0).into());
    let url = format!("http://127.0.0.21:{}/", unresponsive.port());
    cancelled(|cancel| fetch(&Client::new(patient()), &url, cancel));
    let addresses = vec![[127, 0, 0, 21].into(); 3];
    let client = Client::new(patient()).resolver(Fixed(addresses));
    let url = format!("http://a.example:{}/", unresponsive.port());
    cancelled(|cancel| fetch(&client, &url, cancel));
}

struct Hangs;

impl Resolver for Hangs {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        std::thread::sleep(Duration::from_secs(100));
        Ok(Vec::new())
    }
}

#[test]
fn a_resolver_that_hangs() {
    let client = Client::new(patient()).resolver(Hangs);
    cancelled(|cancel| fetch(&client, "http://a.example/", cancel));
    // The deadline also ends the wait.
    let policy = patient().total_timeout(Duration::from_millis(200));
    let begun = Instant::now();
    let error = fetch(&client.policy(policy), "http://a.example/", &Cancel::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// Nothing is sent if the token has already been cancelled.
#[test]
fn an_access_that_has_not_begun() {
    let server = Scripted::start(|client| while client.line().is_some() {});
    let cancel = Cancel::new();
    cancel.cancel();
    let url = format!("http://127.0.0.1:{}/", server.port);
    let error = fetch(&Client::new(patient()), &url, &cancel).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Cancelled), "{error}");
    assert!(server.log().is_empty());
}

/// The connection of a cancelled access is not used again, and the token of one
/// access does not affect the next one on the same connection.
#[test]
fn the_next_access_is_not_affected() {
    let server = Scripted::start(|client| {
        while let Some(lines) = request(client) {
            if lines[0].contains("/hello") {
                client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            }
        }
    });
    let client = Client::new(patient());
    let at = |path| format!("http://127.0.0.1:{}/{path}", server.port);
    let token = Cancel::new();
    fetch(&client, &at("hello"), &token).unwrap();
    token.cancel();
    fetch(&client, &at("hello"), &Cancel::new()).unwrap();
    cancelled(|cancel| fetch(&client, &at("silence"), cancel));
    fetch(&client, &at("hello"), &Cancel::new()).unwrap();
}

/// The data of a TLS connection passes through two layers.
#[test]
fn a_body_that_stops_over_tls() {
    let folder = Folder::new("cancel");
    let Some(pem) = tls::certificate("a_body_that_stops_over_tls", &folder) else {
        return;
    };
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello";
    let port = tls::cut_off(&folder, answer, |stream| {
        let _ = stream.read(&mut [0; 100]);
    });
    let client = Client::new(patient()).root_certificates(&pem).unwrap();
    let url = format!("https://127.0.0.1:{port}/");
    cancelled(|cancel| fetch(&client, &url, cancel));
}
