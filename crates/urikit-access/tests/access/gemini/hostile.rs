//! Servers that violate the protocol.

use super::{Server, folder, say, send};
use crate::support::{fails, policy};
use std::time::{Duration, Instant};
use urikit_access::policy::Refusal;
use urikit_access::{Client, ErrorKind};
use urikit_testkit::servers::Scripted;

#[test]
fn an_end_without_an_alert_is_an_error() {
    let Some(folder) = folder("an_end_without_an_alert_is_an_error") else {
        return;
    };
    // The body may have been cut off.
    for reply in [
        "20 text/plain\r\nhello",
        "20 text/plain\r\n",
        "20 text",
        "51 not found",
    ] {
        let server = Server::start(&folder, move |_, stream| {
            send(stream, reply.as_bytes());
        });
        let error = server.get_fails("/");
        assert!(error.is_transient(), "{reply:?}: {error}");
        let text = "the connection ended without a TLS close alert";
        assert!(error.to_string().contains(text), "{reply:?}: {error}");
    }
    // The header is complete only with its line ending.
    for reply in ["", "2", "20 text/plain", "20 text/plain\r"] {
        let server = Server::replies(&folder, reply);
        let error = server.get_fails("/");
        assert!(
            matches!(error.kind(), ErrorKind::EndedEarly { .. }),
            "{reply:?}: {error}"
        );
    }
}

#[test]
fn invalid_headers_are_errors() {
    let Some(folder) = folder("invalid_headers_are_errors") else {
        return;
    };
    for reply in [
        "\r\n",
        "2 text/plain\r\n",
        "200 OK\r\n",
        "00 a\r\n",
        "70 a\r\n",
        "20text/plain\r\n",
        "\u{FEFF}20 text/plain\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "\0\0\0\n",
    ] {
        let error = Server::replies(&folder, reply).get_fails("/");
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{reply:?}: {error}"
        );
    }
}

#[test]
fn headers_have_a_limit() {
    let Some(folder) = folder("headers_have_a_limit") else {
        return;
    };
    let longest = format!("51 {}\r\n", "a".repeat(1024));
    let error = Server::replies(&folder, longest).get_fails("/");
    assert!(matches!(error.kind(), ErrorKind::NotFound), "{error}");
    let longer = format!("20 {}\r\nbody", "a".repeat(1026));
    let error = Server::replies(&folder, longer).get_fails("/");
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
    // A header without an end.
    let endless = Server::start(&folder, |_, stream| while send(stream, &[b'1'; 4096]) {});
    let error = endless.get_fails("/");
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
}

#[test]
fn slow_servers_and_endless_bodies_have_limits() {
    let Some(folder) = folder("slow_servers_and_endless_bodies_have_limits") else {
        return;
    };
    let policy = || {
        policy()
            .idle_timeout(Duration::from_millis(300))
            .total_timeout(Duration::from_secs(1))
            .max_bytes(100_000)
    };
    let silent = Server::start(&folder, |_, _| std::thread::sleep(Duration::from_secs(3)));
    let dripping = Server::start(&folder, |_, stream| {
        while send(stream, b"2") {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let stuck = Server::start(&folder, |_, stream| {
        send(stream, b"20 text/plain\r\nhello");
        std::thread::sleep(Duration::from_secs(3));
    });
    for server in [silent, dripping, stuck] {
        let begin = Instant::now();
        let error = fails(&mut Client::new(policy()), &server.url("/"));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(3), "{error}");
    }
    let endless = Server::start(&folder, |_, stream| {
        send(stream, b"20 text/plain\r\n");
        while send(stream, &[b'a'; 4096]) {}
    });
    let error = fails(&mut Client::new(policy()), &endless.url("/"));
    let is_it = matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. }));
    assert!(is_it, "{error}");
}

#[test]
fn nothing_is_sent_without_tls() {
    let plain = Scripted::start(|client| {
        client.say("20 text/plain\r\nhello");
        client.hang();
    });
    let url = format!("gemini://127.0.0.1:{}/", plain.port);
    let error = fails(&mut Client::new(policy()), &url);
    assert!(matches!(error.kind(), ErrorKind::NoTls), "{error}");
    assert!(
        !error
            .events()
            .iter()
            .any(|event| event.to_string().starts_with("> "))
    );
}

#[test]
fn the_policy_applies() {
    let Some(folder) = folder("the_policy_applies") else {
        return;
    };
    // A private address, and the port of another protocol.
    let error = fails(
        &mut Client::new(urikit_access::Policy::new()),
        "gemini://127.0.0.1/",
    );
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
        "{error}"
    );
    let error = fails(&mut Client::new(policy()), "gemini://127.0.0.1:25/");
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
        "{error}"
    );
    // A redirect to another host must not lead to a private address.
    let server = Server::start(&folder, |_, stream| {
        say(stream, b"30 gemini://localhost:25/\r\n");
    });
    let error = server.get_fails("/");
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
        "{error}"
    );
}
