//! Batches of JSON lines.

use crate::server::{Server, name_of_problem};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::time::Duration;

const LINES: &str = "application/x-ndjson";

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn each_line_has_a_result() {
    let server = Server::start(&["--quiet"]);
    let body = b"\"http://a/\"\n\
                 {\"url\": \"http://b/\", \"standard\": \"rfc1738\"}\n\
                 \n\
                 {\"url\": \"http://c/\", \"nothing\": 1}\r\n\
                 nonsense\n\
                 \"http://d/\"";
    let response = server.post("/api/v1/parse?standard=whatwg", LINES, body);
    assert_eq!(response.field("content-type"), Some(LINES));
    let results = lines(response.text());
    assert_eq!(results.len(), 5);
    assert_eq!(results[0]["standard"], "whatwg");
    assert_eq!(results[1]["standard"], "rfc1738");
    assert_eq!(name_of_problem(&results[2]), "invalid-parameter");
    assert_eq!(name_of_problem(&results[3]), "invalid-json");
    assert_eq!(results[4]["host"], "d");
}

#[test]
fn results_equal_those_of_single_requests() {
    let server = Server::start(&["--quiet"]);
    let urls: Vec<_> = (0..3000)
        .map(|n| format!("http://h{n}.example/a%20b?{n}"))
        .collect();
    let lines: Vec<_> = urls.iter().map(|url| Value::from(&**url)).collect();
    let body = lines
        .iter()
        .fold(String::new(), |body, line| format!("{body}{line}\n"));
    let response = server.post("/api/v1/audit", LINES, body.as_bytes());
    let batch: Vec<_> = response.text().split_inclusive('\n').collect();
    assert_eq!(batch.len(), urls.len());
    for (url, line) in urls.iter().zip(batch).step_by(500) {
        assert_eq!(server.ask("audit", &[("url", url.as_bytes())]).text(), line);
    }
}

#[test]
fn results_arrive_before_the_batch_ends() {
    let server = Server::start(&["--quiet"]);
    let mut stream = server.connect();
    let head = format!(
        "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: {LINES}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    for number in 0..3 {
        let line = format!("\"http://a/{number}\"\n");
        write!(stream, "{:x}\r\n{line}\r\n", line.len()).unwrap();
        let expected = format!("\"path\":\"/{number}\"");
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains(&expected) {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).unwrap();
            assert!(length > 0, "{}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&piece[..length]);
        }
    }
}

#[test]
fn batches_have_limits() {
    let server = Server::start(&[
        "--quiet",
        "--max-batch",
        "3",
        "--max-body",
        "1000",
        "--batch-timeout",
        "1",
    ]);
    let body = "\"http://a/\"\n".repeat(5);
    let results = lines(server.post("/api/v1/parse", LINES, body.as_bytes()).text());
    assert_eq!(results.len(), 4);
    assert_eq!(name_of_problem(&results[3]), "batch-too-long");
    let long = format!("\"http://a/\"\n\"{}", "a".repeat(2000));
    let results = lines(server.post("/api/v1/parse", LINES, long.as_bytes()).text());
    assert_eq!(name_of_problem(results.last().unwrap()), "body-too-large");
    // A client that sends nothing more.
    let mut stream = server.connect();
    let head = format!(
        "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: {LINES}\r\nContent-Length: 100\r\n\r\n\"http://a/\"\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let response = crate::server::Response::read(stream);
    let results = lines(response.text());
    assert_eq!(name_of_problem(results.last().unwrap()), "timeout");
    // Operations with any number of results have no batches.
    let response = server.post("/api/v1/schemes", LINES, b"{}");
    assert_eq!(response.problem(), "unsupported-media-type");
}
