//! The memory used by the gateway for slow clients and for long documents.

use crate::idle::resident;
use crate::server::Server;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use urikit_testkit::servers::{Conversation, Scripted};

/// The number of clients.
const CLIENTS: usize = 1000;

/// The maximum memory with all clients, in KiB. Without optimization, the stacks of the transfers'
/// threads take about 40 MB more.
const MOST: u64 = if cfg!(debug_assertions) { 160 } else { 100 } << 10;

/// Starts a server that sends without end.
fn endless() -> Scripted {
    Scripted::start(|client: &mut Conversation| {
        let _ = client.line();
        client.say_forever("0123456789abcdef".repeat(64) + "\r\n");
    })
}

#[test]
fn slow_clients_take_little_memory() {
    let remote = endless();
    let (server, _) = Server::start_gateway(&[
        "--quiet",
        "--max-transfers",
        "1000",
        "--max-client-connections",
        "1100",
    ]);
    let target = format!("/gopher://127.0.0.1:{}", remote.port);
    let mut clients: Vec<TcpStream> = Vec::new();
    for number in 0..CLIENTS {
        let mut client = server.connect();
        // Half of them read bytes, and half a page.
        let path = if number % 2 == 0 { "/9/b" } else { "/0/t" };
        let head = format!(
            "GET {target}{path} HTTP/1.1\r\nHost: {}\r\n\r\n",
            server.address
        );
        client.write_all(head.as_bytes()).unwrap();
        clients.push(client);
    }
    let begun = Instant::now();
    let mut most = 0;
    let mut buffer = [0; 1024];
    for _ in 0..5 {
        for client in &mut clients {
            client.read_exact(&mut buffer).unwrap();
        }
        most = most.max(resident(server.id()));
        std::thread::sleep(Duration::from_secs(1));
    }
    println!("{most} KiB after {:?}", begun.elapsed());
    assert!(most < MOST, "{most} KiB");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_long_document_takes_no_memory() {
    let remote = endless();
    let (server, _) = Server::start_gateway(&["--quiet"]);
    for path in ["9/b", "0/t", "1/menu"] {
        let mut client = server.connect();
        let target = format!("/gopher://127.0.0.1:{}/{path}", remote.port);
        let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        client.write_all(head.as_bytes()).unwrap();
        let mut buffer = vec![0; 1 << 16];
        let mut read = |count: usize| {
            let mut rest = count;
            while rest > 0 {
                rest = rest.saturating_sub(client.read(&mut buffer).unwrap());
            }
        };
        read(4 << 20);
        let before = resident(server.id());
        read(64 << 20);
        let after = resident(server.id());
        assert!(
            after < before + (8 << 10),
            "{path}: {before} KiB, {after} KiB"
        );
    }
}
