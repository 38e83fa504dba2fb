//! Uploading needs the same memory for bodies of all sizes. Counts the allocations of the test's
//! thread, which sends.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::io::{self, Read as _};
use std::time::Duration;
use urikit::Standard;
use urikit_access::{Buffer, Client, NoPrompt, Policy, Upload};
use urikit_testkit::servers::Scripted;

/// The memory for one piece of the body, its copies in hyper, and hyper's buffer.
const MOST: u64 = 2 << 20;

#[test]
fn http_sends_in_constant_memory() {
    const SIZE: u64 = 200 << 20;
    let server = Scripted::start(|client| {
        let mut is_chunked = false;
        while let Some(line) = client.line().filter(|line| !line.is_empty()) {
            is_chunked |= line == "Transfer-Encoding: chunked";
        }
        if is_chunked {
            while let Some(size) = client.line() {
                let size = u64::from_str_radix(&size, 16).unwrap();
                client.bytes(size);
                client.line();
                if size == 0 {
                    break;
                }
            }
        } else {
            for _ in 0..SIZE >> 20 {
                client.bytes(1 << 20);
            }
        }
        client.say("HTTP/1.1 204 No Content\r\n\r\n");
    });
    let url = format!("http://127.0.0.1:{}/a", server.port);
    for size in [None, Some(SIZE)] {
        let policy = Policy::permissive()
            .allow_private(true)
            .total_timeout(Duration::from_secs(60));
        let client = Client::new(policy);
        let upload = Upload::new(Standard::Rfc3986.parse(&url).unwrap()).size(size);
        let mut source = io::repeat(b'x').take(SIZE);
        let mut sent = 0;
        let memory = allocation_counter::measure(|| {
            let uploaded =
                client.upload(&upload, &mut NoPrompt, &mut source, &mut Buffer::default());
            sent = uploaded.unwrap().sent;
        });
        assert_eq!(sent, SIZE);
        assert!(memory.bytes_max < MOST, "{size:?}: {}", memory.bytes_max);
        println!("{size:?}: at most {} bytes", memory.bytes_max);
    }
}
