//! Tests that connections are reused, except those that must not be.

use super::{request, url};
use crate::support::Rendered as _;
use crate::support::{client, fetch, fetch_with, policy};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use urikit_access::protocol::http::HttpProtocol;
use urikit_access::{Client, Wanted};
use urikit_testkit::servers::Scripted;

/// Starts a server whose responses depend on the number of earlier requests, and which counts
/// connections.
fn counting(
    answer: impl Fn(usize) -> String + Send + Sync + 'static,
) -> (Scripted, Arc<AtomicUsize>) {
    let (connections, requests) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    let server = Scripted::start(move |client| {
        count.fetch_add(1, Ordering::SeqCst);
        while request(client).is_some() {
            client.say(answer(requests.fetch_add(1, Ordering::SeqCst)));
        }
    });
    (server, connections)
}

#[test]
fn requests_of_one_server_share_a_connection() {
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ] {
        let (server, connections) = counting(|_| answer.to_owned());
        let mut client = client();
        for path in ["/a", "/b", "/c"] {
            let (response, buffer) = fetch(&mut client, &url(&server, path)).unwrap();
            assert_eq!(buffer.bytes, b"hello");
            let goes_on = response
                .rendered()
                .iter()
                .any(|step| step.starts_with("reusing"));
            assert_eq!(goes_on, path != "/a", "{:?}", response.rendered());
        }
        assert_eq!(connections.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn ambiguous_connections_are_not_reused() {
    for (answer, shares) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 204 No\r\n\r\n", true),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n",
            false,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: a, close\r\n\r\n",
            false,
        ),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", false),
    ] {
        let (server, connections) = counting(|_| answer.to_owned());
        let mut client = client();
        for _ in 0..2 {
            // Bytes after a response to HEAD are not read, and make the connection unusable.
            fetch_with(&mut client, &url(&server, "/"), |it| {
                it.wanted(Wanted::Metadata)
            })
            .unwrap();
        }
        let expected = if shares { 1 } else { 2 };
        assert_eq!(connections.load(Ordering::SeqCst), expected, "{answer:?}");
    }
}

#[test]
fn connections_are_not_pooled_if_disabled() {
    let (server, connections) = counting(|_| "HTTP/1.1 204 No\r\n\r\n".to_owned());
    let mut client = Client::new(policy()).protocol(HttpProtocol::new().keep_connections(false));
    for _ in 0..2 {
        fetch(&mut client, &url(&server, "/")).unwrap();
    }
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    assert!(server.log().contains(&"Connection: close".to_owned()));
}

/// Servers may close idle connections at any time. The request is then repeated on a new
/// connection.
#[test]
fn closed_connections_are_replaced() {
    for last in [
        "",
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n",
    ] {
        let server = Scripted::start(move |client| {
            if request(client).is_some() {
                client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            }
            std::thread::sleep(Duration::from_millis(50));
            client.say(last);
        });
        let mut client = client();
        for _ in 0..3 {
            assert_eq!(
                fetch(&mut client, &url(&server, "/")).unwrap().1.bytes,
                b"hello"
            );
            std::thread::sleep(Duration::from_millis(150));
        }
    }
}

/// A request is repeated only once. If the server also closes the new connection, the access fails.
#[test]
fn a_server_that_only_closes_connections_is_an_error() {
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    let server = Scripted::start(move |client| {
        request(client);
        if count.fetch_add(1, Ordering::SeqCst) == 0 {
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        }
    });
    let mut client = client();
    fetch(&mut client, &url(&server, "/")).unwrap();
    assert!(fetch(&mut client, &url(&server, "/")).is_err());
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

#[test]
fn a_redirect_reuses_the_connection() {
    let (server, connections) = counting(|number| match number {
        0..3 => format!("HTTP/1.1 302 F\r\nLocation: /{number}\r\nContent-Length: 2\r\n\r\nno"),
        _ => "HTTP/1.1 204 No\r\n\r\n".to_owned(),
    });
    fetch(&mut client(), &url(&server, "/")).unwrap();
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}
