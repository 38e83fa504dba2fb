//! The memory used by a transfer and by an idle connection, for http and https. The documentation
//! of `Client` states these figures.

use crate::http::{request, tls};
use crate::support::memory;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::{Client, Metadata, NoPrompt, Policy, PoolLimits, Request, Sink};
use urikit_testkit::servers::{Folder, Scripted};

/// The length of each body.
const LENGTH: usize = 4 << 20;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4194304\r\n\r\n";

/// The numbers of octets of the body that arrive together with the head. The memory depends on
/// them, because hyper reads into the buffer that contains the head as long as it has room.
const TOGETHER: [usize; 5] = [0, 1, 4 << 10, 8 << 10, 64 << 10];

/// The time between the two parts of a response.
const PAUSE: Duration = Duration::from_millis(30);

/// Returns a response in two parts.
fn response(together: usize) -> [Vec<u8>; 2] {
    let body = vec![b'a'; LENGTH];
    let (first, rest) = body.split_at(together);
    [[HEAD.as_bytes(), first].concat(), rest.to_vec()]
}

/// A server that sends long bodies over TLS, and keeps its connections open.
fn secured(folder: &Folder, together: usize) -> u16 {
    let config = Arc::new(tls::server_config(folder));
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut secured = rustls::StreamOwned::new(connection, stream);
            std::thread::spawn(move || {
                let mut octets = [0; 4096];
                while secured.read(&mut octets).is_ok_and(|count| count > 0) {
                    let [first, rest] = response(together);
                    let _ = secured.write_all(&first);
                    let _ = secured.flush();
                    std::thread::sleep(PAUSE);
                    let _ = secured.write_all(&rest);
                    let _ = secured.flush();
                }
            });
        }
    });
    port
}

/// Counts the bytes of a body.
struct Counter(usize);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0 += bytes.len();
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        Ok(())
    }
}

fn client() -> Client {
    let policy = Policy::permissive()
        .allow_private(true)
        .total_timeout(Duration::from_secs(60));
    Client::new(policy).pool_limits(PoolLimits {
        per_origin: 100,
        ..PoolLimits::default()
    })
}

/// Returns the peak memory used by a transfer on a new connection, and by an idle connection.
fn measured(client: &Client, url: &str) -> (u64, u64) {
    let fetch = || {
        let mut counter = Counter(0);
        let request = Request::new(Standard::Rfc3986.parse(url).unwrap());
        client.fetch(&request, &mut NoPrompt, &mut counter).unwrap();
        assert_eq!(counter.0, LENGTH);
    };
    // Data that all connections share, such as trusted certificates, is not counted.
    let separate = client.clone().pool_limits(PoolLimits::default());
    let request = Request::new(Standard::Rfc3986.parse(url).unwrap());
    separate
        .fetch(&request, &mut NoPrompt, &mut Counter(0))
        .unwrap();
    let ((), active) = memory(fetch);
    let idle = allocation_counter::measure(|| {
        // The first of the nine transfers uses the connection in the pool.
        let mut sink = Nested(client, url, 8);
        client.fetch(&request, &mut NoPrompt, &mut sink).unwrap();
    });
    let idle = u64::try_from(idle.bytes_current).unwrap() / 8;
    println!("{url}: {active} bytes active, {idle} bytes idle");
    (active, idle)
}

/// A sink that makes another transfer while its own is in progress, so each needs a connection.
struct Nested<'a>(&'a Client, &'a str, u32);

impl Sink for Nested<'_> {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        if self.2 > 0 {
            let request = Request::new(Standard::Rfc3986.parse(self.1).unwrap());
            let mut sink = Nested(self.0, self.1, self.2 - 1);
            self.0.fetch(&request, &mut NoPrompt, &mut sink).unwrap();
        }
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn http() {
    for together in TOGETHER {
        let server = Scripted::start(move |client| {
            while request(client).is_some() {
                let [first, rest] = response(together);
                client.say(first);
                std::thread::sleep(PAUSE);
                client.say(rest);
            }
        });
        let url = format!("http://127.0.0.1:{}/", server.port);
        let (active, idle) = measured(&client(), &url);
        assert!(active <= 64_000, "{together}: {active}");
        assert!(idle <= 1_000, "{together}: {idle}");
    }
}

#[test]
fn https() {
    let folder = Folder::new("memory");
    let Some(pem) = tls::certificate("https", &folder) else {
        return;
    };
    let client = client().root_certificates(&pem).unwrap();
    for together in TOGETHER {
        let url = format!("https://127.0.0.1:{}/", secured(&folder, together));
        let (active, idle) = measured(&client, &url);
        assert!(active <= 77_000, "{together}: {active}");
        assert!(idle <= 6_000, "{together}: {idle}");
    }
}
