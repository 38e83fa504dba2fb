//! Fetching needs the same memory for bodies of all sizes. Counts the allocations of the test's
//! thread, which fetches.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use std::io;
use std::time::Duration;
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::{Client, Metadata, NoPrompt, Policy, Request, Sink};
use urikit_testkit::servers::Scripted;

/// The memory that a connection may need: two read buffers, the longest line, a head and the
/// events.
const MOST: u64 = 256 << 10;

#[derive(Default)]
struct Counter {
    bytes: u64,
    entries: u64,
}

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += u64::try_from(bytes.len()).unwrap();
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> io::Result<()> {
        self.entries += 1;
        Ok(())
    }
}

/// Fetches a URL. Returns the peak memory, whether the access succeeded, and the number of bytes.
fn fetch(url: &str) -> (u64, bool, Counter) {
    let policy = Policy::permissive()
        .allow_private(true)
        .total_timeout(Duration::from_secs(60));
    let client = Client::new(policy);
    let request = Request::new(Standard::Rfc3986.parse(url).unwrap());
    let mut counts = Counter::default();
    let mut is_good = false;
    let memory = allocation_counter::measure(|| {
        is_good = client.fetch(&request, &mut NoPrompt, &mut counts).is_ok();
    });
    (memory.bytes_max, is_good, counts)
}

#[test]
fn http() {
    const PIECES: u64 = 1600;
    let piece = "a".repeat(128 << 10);
    for (head, wrap, end) in [
        ("Connection: close", ("", ""), ""),
        (
            "Transfer-Encoding: chunked",
            ("20000\r\n", "\r\n"),
            "0\r\n\r\n",
        ),
    ] {
        let piece = format!("{}{piece}{}", wrap.0, wrap.1);
        let server = Scripted::start(move |client| {
            while client.line().is_some_and(|line| !line.is_empty()) {}
            client.say(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n"));
            for _ in 0..PIECES {
                client.say(&piece);
            }
            client.say(end);
        });
        let (memory, is_good, counts) = fetch(&format!("http://127.0.0.1:{}/", server.port));
        assert!(is_good, "{head}");
        assert_eq!(counts.bytes, PIECES * (128 << 10));
        println!("{} kB for {} MB", memory >> 10, counts.bytes >> 20);
        assert!(memory < MOST, "{head}: {memory}");
    }
    // Every part of a reply is limited.
    for (begin, more) in [
        ("", "a"),
        ("HTTP/1.1 200 OK\r\nA: ", "a"),
        ("HTTP/1.1 200 OK\r\n", "A: b\r\n"),
        ("HTTP/1.1 200 OK\r\n", "A: b\r\n c\r\n"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            "A: b\r\n",
        ),
    ] {
        let server = Scripted::start(move |client| {
            while client.line().is_some_and(|line| !line.is_empty()) {}
            client.say(begin);
            client.say_forever(more.repeat(1000));
        });
        let (memory, is_good, _) = fetch(&format!("http://127.0.0.1:{}/", server.port));
        assert!(!is_good, "{begin:?} {more:?}");
        assert!(memory < 1 << 20, "{begin:?} {more:?}: {memory}");
    }
}
