//! The server finishes the requests in progress when it is stopped.

use crate::server::{Response, Server};
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn requests_under_way_are_finished() {
    for signal in ["TERM", "INT"] {
        let server = Server::start(&["--quiet"]);
        let idle = server.connect();
        let mut under_way = server.connect();
        let body = b"{\"url\":\"http://a/\"}";
        let head = format!(
            "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        under_way.write_all(head.as_bytes()).unwrap();
        under_way.write_all(&body[..5]).unwrap();
        // The server must have read the head before it stops.
        std::thread::sleep(Duration::from_millis(500));
        server.signal(signal);
        std::thread::sleep(Duration::from_millis(500));
        // No new connections are accepted.
        assert!(TcpStream::connect(server.address).is_err());
        under_way.write_all(&body[5..]).unwrap();
        let response = Response::read(under_way);
        assert_eq!(response.json()["host"], "a");
        let (status, _) = server.wait();
        assert_eq!(status, 0, "{signal}");
        drop(idle);
    }
}

#[test]
fn the_server_does_not_wait_for_ever() {
    let server = Server::start(&["--quiet", "--body-timeout", "300"]);
    let mut stream = server.connect();
    let head = format!(
        "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 10\r\n\r\n{{",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    server.signal("TERM");
    assert_eq!(server.wait().0, 0);
    let seconds = start.elapsed().as_secs();
    assert!((9..25).contains(&seconds), "{seconds}");
}
