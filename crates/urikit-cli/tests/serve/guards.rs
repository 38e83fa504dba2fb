//! Requests that the server refuses, the fields of its responses, and its log.

use crate::server::{Response, Server};
use std::process::Command;

/// Sends a request with these `Host` fields.
fn with_hosts(server: &Server, hosts: &[&str], more: &str) -> Response {
    let hosts = hosts.iter().map(|host| format!("Host: {host}\r\n"));
    let hosts = hosts.collect::<String>();
    let request = format!("GET / HTTP/1.1\r\n{hosts}Connection: close\r\n{more}\r\n");
    server.send(request.as_bytes())
}

#[test]
fn rebinding_is_refused() {
    let server = Server::start(&["--quiet", "--public-host", "uri.example"]);
    let port = server.address.port();
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        "localhost".to_owned(),
        "LOCALHOST:1".to_owned(),
        "uri.example".to_owned(),
        "URI.example:443".to_owned(),
    ] {
        assert_eq!(with_hosts(&server, &[&host], "").status, 200, "{host}");
    }
    for hosts in [
        &["evil.example"][..],
        &["127.0.0.1.evil.example"],
        &["uri.example.evil.example"],
        &["192.0.2.1"],
        &[""],
        &["127.0.0.1", "evil.example"],
        &[],
    ] {
        let response = with_hosts(&server, hosts, "");
        assert!(matches!(response.status, 421 | 400), "{hosts:?}");
        if response.status == 421 {
            assert_eq!(response.problem(), "foreign-host", "{hosts:?}");
        }
    }
    let absolute = b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\
                     Connection: close\r\n\r\n";
    assert_eq!(server.send(absolute).problem(), "foreign-host");
    // A probe may use any host.
    let health = b"GET /healthz HTTP/1.1\r\nHost: 192.0.2.1\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(health).text(), "ok\n");
}

#[test]
fn other_sites_are_refused() {
    let server = Server::start(&["--quiet"]);
    let host = server.address.to_string();
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        "http://127.0.0.1:1".to_owned(),
        format!("http://{host}.evil.example"),
    ] {
        let response = with_hosts(&server, &[&host], &format!("Origin: {origin}\r\n"));
        assert_eq!(response.status, 403, "{origin}");
        assert_eq!(response.problem(), "foreign-origin");
    }
    let own = format!("Origin: http://{host}\r\n");
    assert_eq!(with_hosts(&server, &[&host], &own).status, 200);
}

#[test]
fn every_response_is_protected() {
    let server = Server::start(&["--quiet"]);
    let responses = [
        server.get("/"),
        server.get("/assets/page.css"),
        server.get("/healthz"),
        server.get("/api/v1/parse?url=x"),
        server.get("/api/v1/parse"),
        server.get("/nothing"),
        server.get("/api/v1/openapi.json"),
        with_hosts(&server, &["evil.example"], ""),
    ];
    for response in responses {
        let policy = response.field("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(response.field("x-content-type-options"), Some("nosniff"));
        assert_eq!(response.field("referrer-policy"), Some("same-origin"));
        assert_eq!(response.field("cache-control"), Some("no-store"));
        let isolated = response.field("cross-origin-resource-policy");
        assert_eq!(isolated, Some("same-origin"));
        assert_eq!(response.field("set-cookie"), None);
        assert_eq!(response.field("access-control-allow-origin"), None);
    }
}

#[test]
#[allow(clippy::too_many_lines)] // a table
fn problems_have_types() {
    let server = Server::start(&["--quiet", "--max-body", "1000"]);
    let json = "application/json";
    for (response, status, name) in [
        (server.get("/nothing"), 404, "not-found"),
        (server.get("/assets/nothing"), 404, "not-found"),
        (server.get("/api/v1/parse"), 400, "invalid-parameter"),
        (
            server.get("/api/v1/parse?url=a&url=b"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/parse?url=a&nothing=b"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/parse?url=a&standard=rfc1"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/parse?url=a&lenient=x"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/parse?url=a&lenient&standard=rfc1738"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/resolve?url=a&base=b"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/normalize?url=a&key=x"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/encode?text=a&standard=whatwg"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/same-site?url=a&base=b"),
            400,
            "invalid-parameter",
        ),
        (
            server.get("/api/v1/extract?text=a&kinds=x"),
            400,
            "invalid-parameter",
        ),
        (
            server.post("/api/v1/parse", json, b"{"),
            400,
            "invalid-json",
        ),
        (
            server.post("/api/v1/parse", json, b"[1]"),
            400,
            "invalid-json",
        ),
        (
            server.post("/api/v1/parse", json, b"{\"url\":{}}"),
            400,
            "invalid-json",
        ),
        (
            server.post("/api/v1/compare", json, b"\"a\""),
            400,
            "invalid-json",
        ),
        (
            server.post("/api/v1/parse", json, &[b'x'; 1001]),
            413,
            "body-too-large",
        ),
        (
            server.post("/api/v1/parse", "text/plain", b"x"),
            415,
            "unsupported-media-type",
        ),
        (
            server.post("/api/v1/extract", "application/octet-stream", b"\0\x01\x02"),
            422,
            "unreadable-document",
        ),
    ] {
        assert_eq!((response.status, &*response.problem()), (status, name));
    }
    let request = format!(
        "DELETE /api/v1/parse HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    );
    let response = server.send(request.as_bytes());
    assert_eq!(response.problem(), "method-not-allowed");
    assert_eq!(response.field("allow"), Some("GET, HEAD, POST"));
    let form = "application/x-www-form-urlencoded";
    let response = server.post("/api/v1/decode", form, b"text=a%2520b");
    assert_eq!(response.json()["decoded"], "a b");
}

#[test]
fn a_client_cannot_send_too_many_requests() {
    let server = Server::start(&["--quiet", "--max-requests", "2"]);
    let statuses: Vec<_> = (0..20).map(|_| server.get("/healthz").status).collect();
    assert!(statuses.starts_with(&[200; 10]), "{statuses:?}");
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[test]
fn a_client_cannot_have_too_many_connections() {
    let server = Server::start(&["--quiet", "--max-client-connections", "3"]);
    let held: Vec<_> = (0..3).map(|_| server.connect()).collect();
    let refused = Response::read(server.connect());
    assert_eq!(
        (refused.status, refused.field("retry-after")),
        (503, Some("5"))
    );
    drop(held);
    // The server may notice the end of these connections a moment later.
    let is_served = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        Response::read({
            let mut stream = server.connect();
            let request = format!("GET /healthz HTTP/1.0\r\nHost: {}\r\n\r\n", server.address);
            let _ = std::io::Write::write_all(&mut stream, request.as_bytes());
            stream
        })
        .status
            == 200
    });
    assert!(is_served);
}

#[test]
fn logs_contain_no_passwords() {
    for format in ["text", "json"] {
        let server = Server::start(&["--log-format", format]);
        let _ = server.get("/api/v1/parse?url=http://u:sesame@a/&standard=rfc1738");
        let _ = server.get("/?url=http%3A%2F%2Fu%3Asesame%40a%2F%1B%5B31m");
        let _ = server.get("/http://u:sesame@a/");
        server.signal("TERM");
        let (status, log) = server.wait();
        assert_eq!(status, 0);
        assert!(!log.contains("sesame") && !log.contains('\u{1b}'), "{log}");
        assert!(log.contains("http://u:***@a/"), "{log}");
        let requests = log.lines().filter(|line| line.contains("/api/v1/parse"));
        for line in requests {
            assert_eq!(
                format == "json",
                line.starts_with("{\"timestamp\":"),
                "{line}"
            );
            if format == "json" {
                let event: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(
                    (&event["status"], &event["method"]),
                    (&200.into(), &"GET".into())
                );
            }
        }
    }
}

#[test]
fn other_machines_need_a_public_host() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_uri"))
            .arg("serve")
            .args(arguments)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, message) = run(&["--listen", "0.0.0.0:0"]);
    assert_eq!(status, Some(2));
    assert!(
        message.contains("--public-host must name the host"),
        "{message}"
    );
    let (status, message) = run(&["--public-host", "a.example:80"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("without a port"), "{message}");
    let server = Server::start(&["--quiet"]);
    let (status, message) = run(&["--listen", &server.address.to_string()]);
    assert_eq!(status, Some(3));
    assert!(message.contains("cannot listen on"), "{message}");
}
