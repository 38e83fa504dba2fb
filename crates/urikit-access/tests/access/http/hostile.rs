//! Hostile servers: every wait times out, everything received is limited, and no error is taken
//! for success.

use super::{request, server, url};
use crate::support::{client, fails, fetch, fetch_with, policy};
use std::time::{Duration, Instant};
use urikit_access::policy::Refusal;
use urikit_access::{Client, ErrorKind, Wanted};
use urikit_testkit::servers::{Conversation, Scripted};

/// A response that ends early, at any point, is an error.
#[test]
fn truncated_responses_are_errors() {
    for answer in [
        "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n10;a=b\r\n\
         0123456789abcdef\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
        "HTTP/1.1 206 P\r\nContent-Range: bytes 0-4/5\r\n\r\n",
    ] {
        let ends: Vec<usize> = (0..answer.len()).collect();
        for end in ends {
            let server = server(&answer[..end]);
            let error = fails(&mut client(), &url(&server, "/"));
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::EndedEarly { .. } | ErrorKind::Protocol(_)
                ),
                "{:?}: {error}",
                &answer[..end]
            );
        }
    }
}

#[test]
fn ambiguous_responses_are_refused() {
    for fields in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5, 5",
        "Content-Length: +5",
        "Content-Length: -5",
        "Content-Length: 5x",
        "Content-Length: 0x5",
        "Content-Length: ",
        "Content-Length: 5 5",
        "Content-Length: 99999999999999999999",
        "Content-Length: 5\r\n ;6",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: ",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding : chunked",
        "Content-Length : 5",
    ] {
        let body = "5\r\nhello\r\n0\r\n\r\n";
        let server = server(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}"));
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{fields:?}: {error}"
        );
    }
    let old =
        server("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    let error = fails(&mut client(), &url(&old, "/"));
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    let two = server("HTTP/1.1 302 F\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
    let error = fails(&mut client(), &url(&two, "/"));
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

#[test]
fn invalid_chunks_are_refused() {
    for chunks in [
        "\r\nhello\r\n0\r\n\r\n",
        "x\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n",
        "-1\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5 5\r\nhello\r\n0\r\n\r\n",
        ";a\r\nhello\r\n0\r\n\r\n",
        "10000000000000005\r\nhello\r\n0\r\n\r\n",
        "4\r\nhello\r\n0\r\n\r\n",
        "5\r\nhelloX\r\n0\r\n\r\n",
        "5\r\nhello0\r\n\r\n",
    ] {
        let server = server(format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
        ));
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{chunks:?}: {error}"
        );
    }
    // The announced size of a chunk does not allocate memory.
    let server =
        server("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhello");
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(
        matches!(error.kind(), ErrorKind::EndedEarly { received: 5, .. }),
        "{error}"
    );
}

#[test]
fn too_many_bytes_are_an_error() {
    let server = server("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhello");
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(
        matches!(error.kind(), ErrorKind::TooManyBytes { expected: 4 }),
        "{error}"
    );
}

#[test]
fn garbage_is_refused() {
    for garbage in [
        "hello\r\n",
        "\r\n",
        "<html>\n",
        "220 ftp.example.org ready\r\n",
        "HTTP/0.9 200 OK\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
        "HTTP/1.1 000 A\r\n\r\n",
        "HTTP/1.1 099 A\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ] {
        let server = server(garbage);
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)) || error.kind().is_denial(),
            "{garbage:?}: {error}"
        );
    }
    let server = server([0xff, 0x00, 0x1b, b'\n'].as_slice());
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(!error.to_string().contains('\u{1b}'), "{error}");
}

/// A server of another protocol may wait for the client's next message.
#[test]
fn another_protocol_is_refused_at_once() {
    let server = Scripted::start(|client| {
        request(client);
        client.say("SSH-2.0-OpenSSH_9.2\r\n");
        client.hang();
    });
    let begin = Instant::now();
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(begin.elapsed() < Duration::from_secs(1), "{error}");
    assert!(
        matches!(error.kind(), ErrorKind::Protocol("an HTTP status line")),
        "{error}"
    );
    assert!(error.to_string().contains("SSH-2.0"), "{error}");
}

/// Lines, fields and interim responses are limited.
#[test]
fn endless_heads_are_refused() {
    fn endless(begin: &'static str, more: &'static str) -> urikit_access::Error {
        let server = Scripted::start(move |client| {
            request(client);
            client.say(begin);
            client.say_forever(more.repeat(100));
        });
        let begin = Instant::now();
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(begin.elapsed() < Duration::from_secs(4), "{error}");
        error
    }
    let error = endless("HTTP/1.1 200 ", "a");
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
    let error = endless("HTTP/1.1 200 OK\r\nA: ", "a");
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
    let error = endless("HTTP/1.1 200 OK\r\n", "Field: value\r\n");
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
    let error = endless("", "HTTP/1.1 100 Continue\r\n\r\n");
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    let error = endless(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;",
        "a",
    );
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    let error = endless(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        "A: b\r\n",
    );
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    let many = format!(
        "HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n",
        "A: b\r\n".repeat(300)
    );
    let error = fails(&mut client(), &url(&server(many), "/"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Protocol("at most 256 header fields")
        ),
        "{error}"
    );
}

/// The limit for heads is smaller than any buffer.
#[test]
fn heads_may_be_limited_to_a_few_bytes() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    for (max, is_good) in [(100, true), (10, false)] {
        let mut client = Client::new(policy().max_line(max));
        let fetched = fetch(&mut client, &url(&server(format!("{head}hello")), "/"));
        assert_eq!(fetched.is_ok(), is_good, "{max}: {fetched:?}");
        let error = fetched.err();
        let is_too_long = |error: urikit_access::Error| match error.kind() {
            ErrorKind::LineTooLong { max } => *max == 10,
            _ => false,
        };
        assert_eq!(error.is_some_and(is_too_long), !is_good);
    }
}

/// The total time is limited at every step.
#[test]
fn every_wait_times_out() {
    fn hangs(serve: impl Fn(&mut Conversation) + Send + Sync + 'static) {
        let server = Scripted::start(serve);
        let policy = policy()
            .idle_timeout(Duration::from_millis(400))
            .total_timeout(Duration::from_secs(1));
        let begin = Instant::now();
        let error = fails(&mut Client::new(policy), &url(&server, "/"));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(3), "{error}");
    }
    let pause = Duration::from_millis(50);
    for begin in [
        "",
        "HTTP/1.1 200 OK",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
    ] {
        hangs(move |client| {
            request(client);
            client.say(begin);
            client.hang();
        });
    }
    for (begin, more) in [
        (
            "",
            "HTTP/1.1 200 OK and so on and so forth and so on and so forth",
        ),
        ("HTTP/1.1 200 OK\r\nA: ", "a"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", "a"),
        ("HTTP/1.1 200 OK\r\n\r\n", "a"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "1\r\na\r\n",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;",
            "a",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            "A: b\r\n",
        ),
    ] {
        hangs(move |client| {
            request(client);
            client.say(begin);
            client.drip(more, pause);
        });
    }
}

/// One server never reads, and another reads only part of a large request.
#[test]
fn sending_a_request_times_out() {
    let server = Scripted::start(|_| std::thread::sleep(Duration::from_secs(20)));
    let policy = policy()
        .idle_timeout(Duration::from_millis(500))
        .total_timeout(Duration::from_secs(1));
    let long = url(&server, &format!("/{}", "a".repeat(20_000_000)));
    let begin = Instant::now();
    let error = fails(&mut Client::new(policy), &long);
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(4));
}

#[test]
fn an_endless_body_is_limited() {
    for head in ["\r\n", "Transfer-Encoding: chunked\r\n\r\n"] {
        let server = Scripted::start(move |client| {
            request(client);
            client.say(format!("HTTP/1.1 200 OK\r\n{head}"));
            client.say_forever(format!("400\r\n{}\r\n", "a".repeat(1024)));
        });
        let policy = policy().max_bytes(1_000_000);
        let error = fails(&mut Client::new(policy), &url(&server, "/"));
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Refused(Refusal::Bytes { max: 1_000_000 })
            ),
            "{error}"
        );
    }
}

#[test]
fn a_redirect_with_an_endless_body_is_followed_at_once() {
    let server = Scripted::start(|client| {
        let Some(lines) = request(client) else {
            return;
        };
        if lines[0].starts_with("GET /a ") {
            client
                .say("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 1000000000000\r\n\r\n");
            client.say_forever("a".repeat(1000));
        } else {
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        }
    });
    assert_eq!(
        fetch(&mut client(), &url(&server, "/a")).unwrap().1.bytes,
        b"hello"
    );
}

#[test]
fn a_body_after_head_is_ignored() {
    let server = server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    let (response, buffer) = fetch_with(&mut client(), &url(&server, "/"), |request| {
        request.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(
        (
            response.metadata.size,
            buffer.bytes.len(),
            response.received
        ),
        (Some(5), 0, 0)
    );
}
