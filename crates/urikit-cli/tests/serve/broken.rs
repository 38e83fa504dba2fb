//! Clients that send nonsense, stop halfway, or are slow. The server still answers all other
//! clients.

use crate::server::{Response, Server};
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// A linear congruential generator. The tests must be repeatable.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        let multiplied = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = multiplied.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.next(all.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.next(most);
        (0..length)
            .map(|_| u8::try_from(self.next(256)).unwrap())
            .collect()
    }
}

/// Creates a request from valid and invalid parts.
fn request(random: &mut Random, host: &str) -> Vec<u8> {
    let method = random.pick(&[
        "GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT", "get", "\u{e9}", "",
    ]);
    let long = "a".repeat(random.next(70_000));
    let path = random.pick(&[
        "/",
        "/?url=http://a/",
        "/api/v1/parse",
        "/api/v1/parse?url=%",
        "/api/v1/explain?url=http://%FF@[::1]:0/%00&standard=whatwg",
        "/api/v1/explain?url=&lenient=true&guess=1",
        "/api/v1/extract?as=pdf",
        "/api/v1/extract?as=zip",
        "/api/v1/extract?as=html&base=http://a/&kinds=all",
        "/api/v1/compare?a=&b=",
        "/api/v1/normalize?url=x&step=unwrap",
        "/api/v1/resolve?url=..&base=http://a",
        "/api/v1/same-site?url=//&base=http://a/",
        "/api/v1/encode?text=%&component=host",
        "/api/v1/../../etc/passwd",
        "//evil.example/",
        "http://evil.example/",
        "*",
        "/assets/..%2f..%2fCargo.toml",
        "/api/v1/parse?url=",
    ]);
    let mut head = format!("{method} {path}");
    if random.next(4) == 0 {
        head.push_str(&long);
    }
    head.push_str(random.pick(&[
        " HTTP/1.1\r\n",
        " HTTP/1.0\r\n",
        " HTTP/9\r\n",
        "\r\n",
        "\n",
    ]));
    if random.next(8) != 0 {
        head += "Host: ";
        head += host;
        head += "\r\n";
    }
    let types = [
        "application/json",
        "application/x-ndjson",
        "application/x-www-form-urlencoded",
        "text/html",
        "\u{7f}",
    ];
    head += "Content-Type: ";
    head += random.pick(&types);
    head += "\r\n";
    let body = match random.next(5) {
        0 => b"{\"url\":\"http://a/\",\"base\":\"http://a/\"}".to_vec(),
        1 => b"\"http://a/\"\n{}\n[[[[\n".to_vec(),
        2 => "[".repeat(random.next(200_000)).into_bytes(),
        3 => random.bytes(20_000),
        _ => Vec::new(),
    };
    let length = match random.next(6) {
        0 => "Content-Length: 99999999999999999999\r\n".to_owned(),
        1 => format!("Content-Length: {}\r\n", body.len() + random.next(10)),
        2 => "Transfer-Encoding: chunked\r\n".to_owned(),
        3 => "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n".to_owned(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    head.push_str(&length);
    for _ in 0..random.next(3) * random.next(60) {
        head.push_str("X-Y: z\r\n");
    }
    head.push_str("\r\n");
    let mut bytes = [head.into_bytes(), body].concat();
    for _ in 0..random.next(4) {
        if !bytes.is_empty() && random.next(3) == 0 {
            let at = random.next(bytes.len());
            bytes[at] = u8::try_from(random.next(256)).unwrap();
        }
    }
    bytes
}

fn is_alive(server: &Server) {
    assert_eq!(server.get("/healthz").text(), "ok\n");
    assert_eq!(
        server.get("/api/v1/parse?url=http://a/").json()["host"],
        "a"
    );
}

#[test]
fn nonsense_does_not_stop_the_server() {
    let server = Server::start(&["--quiet", "--max-body", "100k", "--body-timeout", "2"]);
    let mut random = Random(1);
    let host = server.address.to_string();
    for number in 0..1500 {
        let bytes = request(&mut random, &host);
        let mut stream = server.connect();
        // The server may close the connection while the request is sent.
        let _ = match random.next(4) {
            // Half of a request.
            0 => stream.write_all(&bytes[..bytes.len() / 2]),
            _ => stream.write_all(&bytes),
        };
        match random.next(3) {
            0 => {}
            1 => {
                let _ = stream.shutdown(Shutdown::Write);
                stream
                    .set_read_timeout(Some(Duration::from_millis(300)))
                    .unwrap();
                let mut answer = Vec::new();
                let _ = stream.read_to_end(&mut answer);
                if let Some(response) = Response::parse(&answer) {
                    assert_ne!(response.status, 500, "{}", String::from_utf8_lossy(&bytes));
                }
            }
            _ => drop(stream),
        }
        if number % 100 == 0 {
            is_alive(&server);
        }
    }
    is_alive(&server);
    server.signal("TERM");
    assert_eq!(server.wait().0, 0);
}

#[test]
fn a_half_closed_connection_gets_its_response() {
    let server = Server::start(&["--quiet"]);
    let mut stream = server.connect();
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(Response::read(stream).text(), "ok\n");
}

#[test]
fn slow_clients_are_disconnected() {
    let server = Server::start(&["--quiet", "--head-timeout", "1", "--body-timeout", "1"]);
    let ends = |mut stream: TcpStream| {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    };
    // An idle client, one that sends a part of the head, and one that sends no body.
    let idle = server.connect();
    let mut head = server.connect();
    head.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut body = server.connect();
    let request = format!(
        "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: 9\r\n\r\n{{",
        server.address
    );
    body.write_all(request.as_bytes()).unwrap();
    assert!(ends(idle).is_empty());
    let _ = ends(head);
    assert_eq!(Response::parse(&ends(body)).unwrap().problem(), "timeout");
    is_alive(&server);
}
