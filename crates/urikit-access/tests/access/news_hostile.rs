//! News from hostile servers: every wait ends, and everything received is limited.

use super::news_scripted::{failure, reader, scripted, url};
use crate::support::Rendered as _;
use crate::support::{client, fails, fetch_with, memory, policy};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::{
    Buffer, Class, Client, Credentials, ErrorKind, Metadata, Request, Sink, Wanted,
};
use urikit_testkit::servers::{Conversation, Scripted};

/// A URL cannot contain a second command.
#[test]
fn a_second_command_is_refused_before_connecting() {
    let server = Scripted::start(Conversation::hang);
    let refused = |url: &str| {
        let error = fails(&mut client(), url);
        assert_eq!(error.class(), Class::Invalid, "{url}: {error}");
        assert!(error.rendered().is_empty(), "{url}: {error}");
    };
    for rest in [
        "g%0D%0AQUIT",
        "g%0A",
        "g%00",
        "*%0D",
        "g%20x",
        "g%09x",
        "a%0D%0Ab@c.example",
        "a%3E@b.example",
    ] {
        refused(&url(&server, rest));
    }
    refused(&format!("nntp://127.0.0.1:{}/g%0D%0AQUIT/1", server.port));
    refused(&format!("news://u%0D%0A:p@127.0.0.1:{}/g", server.port));
    refused(&format!("news://u:p%0D%0AQUIT@127.0.0.1:{}/g", server.port));
    let credentials = Credentials {
        user: "u".to_owned(),
        password: "p\r\nQUIT".to_owned(),
    };
    let text = url(&server, "g");
    let reference = Standard::Rfc3986.parse(&text).unwrap();
    let request = Request::new(reference).credentials(&credentials);
    let error = client()
        .fetch(
            &request,
            &mut urikit_access::NoPrompt,
            &mut Buffer::default(),
        )
        .unwrap_err();
    assert_eq!(error.class(), Class::Invalid, "{error}");
    assert!(
        error.rendered().is_empty() && !error.to_string().contains("QUIT"),
        "{error}"
    );
}

/// Ports of other protocols are refused.
#[test]
fn ports_of_other_protocols_are_refused() {
    for url in [
        "news://127.0.0.1:25/g",
        "nntp://127.0.0.1:22/g",
        "nntp://127.0.0.1:563/g",
        "snews://127.0.0.1:119/g",
    ] {
        let error = fails(&mut client(), url);
        let is_port = matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. }));
        assert!(is_port, "{url}: {error}");
    }
    let error = fails(&mut client(), "snews://127.0.0.1/g");
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
}

/// Every wait times out, at every step.
#[test]
fn ends_and_silence_at_every_step() {
    const STEPS: &[(&str, &str)] = &[
        ("", "200 hello\r\n"),
        ("CAPABILITIES", "101 these\r\nREADER\r\n.\r\n"),
        ("GROUP g", "211 2 1 2 g\r\n"),
        (
            "OVER 1-2",
            "224 now\r\n1\ts\tf\td\t<a@b>\t\t1\t1\r\n2\ts\tf\td\t<a@b>\t\t1\t1\r\n.\r\n",
        ),
    ];
    let whole: usize = STEPS.iter().map(|(_, reply)| reply.len()).sum();
    // The connection ends after each byte of the dialogue.
    for end in 0..whole {
        let server = Scripted::start(move |client| {
            let mut left = end;
            for (command, reply) in STEPS {
                if !command.is_empty() && client.line().is_none() {
                    return;
                }
                client.say(&reply[..left.min(reply.len())]);
                if left < reply.len() {
                    return client.close();
                }
                left -= reply.len();
            }
        });
        let error = failure(&server, "g");
        let is_early = matches!(
            error.kind(),
            ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
        );
        assert!(is_early, "{end}: {error}");
    }
    let begin = Instant::now();
    for silent in 0..STEPS.len() {
        let server = Scripted::start(move |client| {
            for (number, (command, reply)) in STEPS.iter().enumerate() {
                if !command.is_empty() {
                    client.line();
                }
                if number == silent {
                    return client.hang();
                }
                client.say(reply);
            }
        });
        let mut client = Client::new(policy().idle_timeout(Duration::from_millis(300)));
        let error = fails(&mut client, &url(&server, "g"));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// The total timeout ends an access that receives one byte per second.
#[test]
fn a_byte_at_a_time_is_not_for_ever() {
    let server = reader(|_, client| {
        client.say("220 0 <a@b>\r\n");
        client.drip("x\r\n", Duration::from_millis(100));
        None
    });
    let mut client = Client::new(policy().total_timeout(Duration::from_secs(1)));
    let begin = Instant::now();
    let error = fails(&mut client, &url(&server, "a@b.example"));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

/// Endless lines, listings and bodies are limited.
#[test]
fn endless_replies_are_limited() {
    let endless = |first: &'static str, rest: &'static str| {
        reader(move |line, client| {
            if line == "GROUP g" {
                return Some("211 9 1 4294967295 g\r\n".to_owned());
            }
            client.say(first);
            client.say_forever(rest.repeat(1000));
            None
        })
    };
    let server = endless("215 groups\r\n", "x");
    assert!(matches!(
        failure(&server, "*").kind(),
        ErrorKind::LineTooLong { .. }
    ));
    let server = endless("224 now\r\n", "1\ts\tf\td\t<a@b>\t\t1\t1\r\n");
    let mut few = Client::new(policy().max_items(5000));
    let error = fails(&mut few, &url(&server, "g"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Items { max: 5000 })
        ),
        "{error}"
    );
    let server = endless("220 0 <a@b>\r\n", "..x\r\n");
    let mut few = Client::new(policy().max_bytes(1 << 20));
    let error = fails(&mut few, &url(&server, "a@b.example"));
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
        "{error}"
    );
    // The server sends endless capabilities, or an endless header.
    let server = Scripted::start(|client| {
        client.say("200 hello\r\n");
        client.line();
        client.say("101 these\r\n");
        client.say_forever("X\r\n".repeat(1000));
    });
    assert!(matches!(
        failure(&server, "g").kind(),
        ErrorKind::LineTooLong { .. }
    ));
    let server = reader(|line, client| {
        if line.starts_with("STAT") {
            return Some("223 0 <a@b>\r\n".to_owned());
        }
        client.say("221 0 <a@b>\r\n");
        client.say_forever("A: b\r\n".repeat(1000));
        None
    });
    let error = fetch_with(&mut client(), &url(&server, "a@b.example"), |it| {
        it.wanted(Wanted::Metadata)
    });
    // The limit for bodies does not apply here.
    let error = error.unwrap_err();
    let is_header = matches!(error.kind(), ErrorKind::LineTooLong { max: 0x10_0000 });
    assert!(is_header, "{error}");
}

/// Counts bytes and entries, and stores none.
struct Counter(u64);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0 += bytes.len() as u64;
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        self.0 += 1;
        Ok(())
    }
}

/// Listings and articles are passed on while they are received.
#[test]
fn a_million_groups_and_a_long_line_take_little_memory() {
    let count = 1_000_000_u64;
    let server = reader(move |line, client| {
        if line == "LIST" {
            client.say("215 groups\r\n");
            let piece = "a.group 2 1 y\r\n".repeat(10_000);
            for _ in 0..count / 10_000 {
                client.say(&piece);
            }
        } else {
            // The article has one line, which is longer than the limit for lines.
            client.say("220 0 <a@b>\r\n\r\n");
            let piece = "x".repeat(1 << 20);
            for _ in 0..100 {
                client.say(&piece);
            }
            client.say("\r\n");
        }
        Some(".\r\n".to_owned())
    });
    let get = |rest: &str| {
        let text = url(&server, rest);
        let policy = policy()
            .max_items(count)
            .total_timeout(Duration::from_secs(200));
        let mut counts = Counter(0);
        let request = Request::new(Standard::Rfc3986.parse(&text).unwrap());
        Client::new(policy)
            .fetch(&request, &mut urikit_access::NoPrompt, &mut counts)
            .unwrap();
        counts.0
    };
    for (rest, expected) in [("*", count), ("a@b.example", (100 << 20) + 4)] {
        let (received, memory) = memory(|| get(rest));
        assert_eq!(received, expected);
        assert!(memory < 2 << 20, "{rest}: {memory} bytes");
    }
}

#[test]
fn unexpected_replies_are_errors() {
    for (group, over) in [
        ("211 g\r\n", ""),
        ("211 1 x 7 g\r\n", ""),
        ("281 in\r\n", ""),
        ("211-1 1 1 g\r\n", ""),
        ("211 1 7 7 g\r\n", "224 now\r\nno overview\r\n.\r\n"),
        (
            "211 1 7 7 g\r\n",
            "224 now\r\n8\ts\tf\td\t<a@b>\t\t1\t1\r\n.\r\n",
        ),
        ("211 1 7 7 g\r\n", "220 now\r\n.\r\n"),
    ] {
        let server =
            reader(move |line, _| Some(if line == "GROUP g" { group } else { over }.to_owned()));
        let error = failure(&server, "g");
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{group:?} {over:?}: {error}"
        );
    }
    let server = scripted(&[("LIST", "215 groups\r\ng x y z\r\n.\r\n")]);
    assert!(matches!(
        failure(&server, "*").kind(),
        ErrorKind::Protocol(_)
    ));
    let server = scripted(&[("ARTICLE <a@b.example>", "221 a head\r\n.\r\n")]);
    assert!(matches!(
        failure(&server, "a@b.example").kind(),
        ErrorKind::Protocol(_)
    ));
}
