//! Hostile servers: every wait times out, everything received is limited, and no error is taken
//! for success.

use super::{get, get_fails};
use crate::support::{fails, policy};
use std::time::{Duration, Instant};
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::{Client, ErrorKind, Metadata, NoPrompt, Request, Sink};
use urikit_testkit::servers::{Conversation, Scripted};

/// Requests that reach each reading loop, with the beginning of a correct reply.
const WAYS: [(&str, &str); 14] = [
    ("0a", "hello\r\n"),
    ("9a", "hello"),
    ("1a", "iA\t\t\t\r\n"),
    ("7a%09b", "iA\t\t\t\r\n"),
    ("0a%09%09+", "+-1\r\nhello\r\n"),
    ("0a%09%09+", "+-2\r\n"),
    ("0a%09%09+", "+1000000\r\nhello"),
    ("1a%09%09+", "+-2\r\niA\t\t\t\r\n"),
    ("0a%09%09!", "+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n"),
    ("0a%09%09!+ADMIN", "+-1\r\n+INFO: 0a\ta\th\t70\t+\r\n"),
    ("1a%09%09$", "+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n"),
    (
        "0a%09%09?",
        "+-2\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n Ask: A?\r\n",
    ),
    ("0a%09%09+", "+"),
    ("0a", "3error"),
];

/// The server sends nothing, from the beginning or after a while.
#[test]
fn every_wait_times_out() {
    for (path, begins) in WAYS {
        for begins in ["", begins] {
            let server = Scripted::start(move |client| {
                client.line();
                client.say(begins);
                client.hang();
            });
            let times = policy()
                .idle_timeout(Duration::from_millis(150))
                .total_timeout(Duration::from_millis(600));
            let begin = Instant::now();
            let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
            let error = fails(&mut Client::new(times), &url);
            assert!(
                matches!(error.kind(), ErrorKind::Timeout(_)),
                "{path} {begins:?}: {error}"
            );
            assert!(
                begin.elapsed() < Duration::from_secs(3),
                "{path} {begins:?}"
            );
        }
    }
}

/// The server endlessly sends one byte at a time.
#[test]
fn a_dripping_server_ends_with_the_time() {
    for (path, begins) in WAYS {
        if begins == "+" {
            continue; // the bytes below are not part of a head
        }
        let server = Scripted::start(move |client| {
            client.line();
            client.say(begins);
            client.drip(" i\r\n", Duration::from_millis(20));
        });
        let times = policy()
            .idle_timeout(Duration::from_millis(300))
            .total_timeout(Duration::from_millis(500));
        let begin = Instant::now();
        let error = fails(
            &mut Client::new(times),
            &format!("gopher://127.0.0.1:{}/{path}", server.port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Timeout(_)),
            "{path} {begins:?}: {error}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(3),
            "{path} {begins:?}"
        );
    }
}

/// Replies after whose end the client waits: text, menus, and data with a length.
const ENDS: [(&str, &str); 3] = [
    ("0a", "hello\r\n.\r\n"),
    ("1a", "iA\t\t\t\r\n.\r\n"),
    ("0a%09%09+", "+5\r\nhello"),
];

/// If the connection is reset after the apparent end, more data might have followed.
#[test]
fn a_reset_after_the_end_is_an_error() {
    for (path, reply) in ENDS {
        let server = Scripted::start(move |client| {
            // The unread rest of the request turns the end into a reset.
            client.say(reply);
            std::thread::sleep(Duration::from_millis(300));
        });
        let error = get_fails(&server, path);
        assert!(
            matches!(error.kind(), ErrorKind::Network(_)),
            "{path}: {error}"
        );
    }
}

/// The total timeout also applies to the wait after the end.
#[test]
fn the_deadline_after_the_end_is_an_error() {
    for (path, reply) in ENDS {
        let server = Scripted::start(move |client| {
            client.line();
            client.say(reply);
            client.hang();
        });
        let times = policy()
            .idle_timeout(Duration::from_secs(2))
            .total_timeout(Duration::from_millis(400));
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let begin = Instant::now();
        let error = fails(&mut Client::new(times), &url);
        assert!(
            matches!(error.kind(), ErrorKind::Timeout(_)),
            "{path}: {error}"
        );
        assert!(begin.elapsed() < Duration::from_secs(2), "{path}");
    }
}

/// The connection ends before a reply can be complete.
#[test]
fn truncated_replies_are_errors() {
    for path in [
        "0a",
        "9a",
        "1a",
        "7a%09b",
        "ha",
        "xa",
        "0a%09%09+",
        "0a%09%09!",
        "1a%09%09$",
        "0a%09%09?",
    ] {
        // The reply is empty, whether or not the server has read the request.
        for reads in [true, false] {
            let server = Scripted::start(move |client| {
                if reads {
                    client.line();
                }
                client.close();
            });
            let error = get_fails(&server, path);
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::EndedEarly { .. } | ErrorKind::Network(_) | ErrorKind::Protocol(_)
                ),
                "{path}: {error}"
            );
        }
    }
}

/// Endless lines are errors.
#[test]
fn endless_lines_end() {
    for (path, begins) in [
        ("1a", ""),
        ("1a", "\t\t\t\t\t"),
        ("7a%09b", "i"),
        ("1a%09%09+", "+-2\r\n"),
        ("0a%09%09!", "+-2\r\n+"),
        ("0a%09%09!", "+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n "),
        ("1a%09%09$", "+-2\r\n+INFO: 0"),
        ("0a%09%09?", "+-2\r\n+INFO: 0\r\n+ASK"),
    ] {
        for piece in ["x", "\t", "+", " "] {
            let server = Scripted::start(move |client| {
                client.line();
                client.say(begins);
                client.say_forever(piece.repeat(1000));
            });
            let error = get_fails(&server, path);
            assert!(
                matches!(error.kind(), ErrorKind::LineTooLong { max: 65536 }),
                "{path} {begins:?} {piece:?}: {error}"
            );
        }
    }
}

/// Endless text, binaries and error lines are limited.
#[test]
fn endless_bodies_end() {
    for (path, begins) in [
        ("0a", ""),
        ("0a", "3"),
        ("9a", ""),
        ("9a", "3"),
        ("0a%09%09+", "+-1\r\n"),
        ("0a%09%09+", "+-2\r\n"),
    ] {
        for piece in ["x", ".", "\r\n.", ".\r\n", "..\r\n", "\0"] {
            let server = Scripted::start(move |client| {
                client.line();
                client.say(begins);
                client.say("x");
                client.say_forever(piece.repeat(1000));
            });
            let mut client = Client::new(policy().max_bytes(1 << 20));
            let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
            // A last line ends the data after `+-1`, regardless of what follows it.
            if begins == "+-1\r\n" && matches!(piece, "\r\n." | ".\r\n") {
                let is_whole = crate::support::fetch(&mut client, &url);
                assert!(is_whole.is_ok() || piece == "\r\n.", "{piece:?}");
                continue;
            }
            let error = fails(&mut client, &url);
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Refused(Refusal::Bytes { max: 1_048_576 })
                ),
                "{path} {begins:?} {piece:?}: {error}"
            );
        }
    }
}

/// Counts entries, and stores none.
#[derive(Default)]
struct Counter(u64);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        self.0 += 1;
        Ok(())
    }
}

/// A menu of ten million items fails at the limit, and needs constant memory.
#[test]
fn a_menu_of_ten_million_items() {
    for (path, begins, item) in [
        ("1a", "", "1An item\t/item\texample.org\t70\t+\r\n"),
        ("1a%09%09+", "+-2\r\n", "iAn item\t\t\t\r\n"),
        ("1a%09%09+", "+-1\r\n", "\r\n"),
        ("1a%09%09$", "+-2\r\n", "+INFO: 0a\ta\th\t70\t+\r\n"),
    ] {
        let server = Scripted::start(move |client| {
            client.line();
            client.say(begins);
            let thousand = item.repeat(1000);
            for _ in 0..10_000 {
                if !client.say(&thousand) {
                    return;
                }
            }
        });
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let reference = urikit::Standard::Rfc3986.parse(&url).unwrap();
        let mut count = Counter::default();
        let client = Client::new(
            policy()
                .max_items(100_000)
                .total_timeout(Duration::from_secs(60)),
        );
        let memory = allocation_counter::measure(|| {
            let request = Request::new(reference);
            let error = client
                .fetch(&request, &mut NoPrompt, &mut count)
                .unwrap_err();
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Refused(Refusal::Items { max: 100_000 })
                ),
                "{path}: {error}"
            );
        });
        assert_eq!(count.0, 100_000);
        // A connection has a buffer of 64 KiB.
        assert!(memory.bytes_max < 100_000, "{path}: {memory:?}");
    }
}

/// Names and blocks of 64 KiB: the attributes of an item are limited, however they are divided
/// into lines and blocks.
#[test]
fn attributes_of_an_item_are_limited() {
    for unit in ["+B\r\n", "+\r\n", " \r\n", "\r\n", " line\r\n"] {
        for path in ["0a%09%09!", "1a%09%09$", "0a%09%09?"] {
            let server = Scripted::start(move |client| {
                client.line();
                client.say("+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n");
                client.say_forever(unit.repeat(1000));
            });
            let error = get_fails(&server, path);
            assert!(
                matches!(error.kind(), ErrorKind::LineTooLong { .. }),
                "{path} {unit:?}: {error}"
            );
        }
    }
    let name = "N".repeat(65_000);
    let reply = format!("+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n+{name}:\r\n");
    let (response, _) = get(&super::replies(reply), "0a%09%09!").unwrap();
    assert_eq!(response.metadata.attributes[1].0.len(), 65_001);
}

/// Arbitrary bytes do not cause a panic or a hang.
#[test]
fn garbage() {
    let mut state = 7_u32;
    for round in 0..60 {
        let garbage: Vec<u8> = (0..2000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let octet = (state >> 24) as u8;
                match octet {
                    0..60 => b"\t\r\n.+-3 i:1"[usize::from(octet) % 11],
                    _ => octet,
                }
            })
            .collect();
        let server = super::replies(garbage.clone());
        for (path, _) in WAYS {
            let result = get(&server, path);
            match path {
                // Binaries accept any bytes.
                "9a" => assert_eq!(result.unwrap().1.bytes, garbage, "{round}"),
                "0a%09%09!" | "1a%09%09$" | "0a%09%09?" => drop(result.unwrap_err()),
                _ => drop(result),
            }
        }
    }
}

/// The server sends data before the request, or after the end.
#[test]
fn a_server_that_does_not_wait() {
    let server = Scripted::start(|client: &mut Conversation| {
        client.say("hello\r\n.\r\n");
        client.line();
    });
    let (_, buffer) = get(&server, "0a").unwrap();
    assert_eq!(buffer.bytes, b"hello\r\n");
}
