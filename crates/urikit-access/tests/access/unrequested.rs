//! Data that arrives on an idle connection is never mistaken for the next response, in any
//! protocol.

use crate::ftp::fake;
use crate::http::tls::{certificate, server_config};
use crate::support::Rendered as _;
use crate::support::{client, fetch};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use urikit_access::Client;
use urikit_testkit::servers::{Folder, Scripted};

/// A delay that is long enough for the server's unsolicited data to arrive.
const WHILE: Duration = Duration::from_millis(800);

/// Fetches twice on one client; the second access must use a new connection.
fn second(mut client: Client, first: &str, second: &str) -> Vec<u8> {
    fetch(&mut client, first).unwrap();
    std::thread::sleep(WHILE);
    let (response, buffer) = fetch(&mut client, second).unwrap();
    let steps = response.rendered();
    assert!(
        steps
            .iter()
            .any(|step| step == "the server had sent unsolicited data"),
        "{steps:?}"
    );
    assert!(
        !steps.iter().any(|step| step.starts_with("reusing")),
        "{steps:?}"
    );
    buffer.bytes
}

#[test]
fn http() {
    for pushed in [
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npushed",
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
        "\r\n",
        "x",
    ] {
        let server = Scripted::start(move |client| {
            while let Some(lines) = crate::http::request(client) {
                let target = lines[0].split(' ').nth(1).unwrap();
                client.say(format!(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{target}"
                ));
                std::thread::sleep(WHILE / 4);
                client.say(pushed);
            }
        });
        let url = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
        assert_eq!(second(client(), &url("/a"), &url("/b")), b"/b");
    }
}

#[test]
fn ftp() {
    for pushed in ["226 pushed", "421 Timeout", "150 pushed"] {
        let server = fake::start(move |control, line| {
            if !line.starts_with("RETR") {
                return false;
            }
            control.answer(line);
            std::thread::sleep(WHILE / 4);
            control.say(pushed);
            true
        });
        let url = |path: &str| format!("ftp://127.0.0.1:{}{path}", server.port);
        assert_eq!(second(client(), &url("/a"), &url("/b")), fake::FILE);
    }
}

#[test]
fn nntp() {
    for pushed in ["220 pushed\r\npushed\r\n.\r\n", "400 timeout\r\n"] {
        let server = Scripted::start(move |client| {
            client.say("200 hello\r\n");
            while let Some(line) = client.line() {
                if line == "CAPABILITIES" {
                    client.say("101 these\r\nREADER\r\n.\r\n");
                } else {
                    client.say(format!("220 this\r\n\r\n{line}\r\n.\r\n"));
                    std::thread::sleep(WHILE / 4);
                    client.say(pushed);
                }
            }
        });
        let url = |id: &str| format!("news://127.0.0.1:{}/{id}@h", server.port);
        assert_eq!(
            second(client(), &url("a"), &url("b")),
            b"\r\nARTICLE <b@h>\r\n"
        );
    }
}

/// Over TLS, session tickets may arrive at any time, and do not count as data.
#[test]
fn https() {
    for pushes in [false, true] {
        let folder = Folder::new("unrequested");
        let Some(pem) = certificate("unrequested data over TLS", &folder) else {
            return;
        };
        let config = Arc::new(server_config(&folder));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let config = Arc::clone(&config);
                std::thread::spawn(move || answer(stream, config, pushes));
            }
        });
        let url = |path: &str| format!("https://127.0.0.1:{port}{path}");
        let mut client = client().root_certificates(&pem).unwrap();
        if pushes {
            assert_eq!(second(client, &url("/a"), &url("/b")), b"/b");
        } else {
            fetch(&mut client, &url("/a")).unwrap();
            std::thread::sleep(WHILE);
            let (response, buffer) = fetch(&mut client, &url("/b")).unwrap();
            assert_eq!(buffer.bytes, b"/b");
            let steps = response.rendered();
            assert!(
                steps.iter().any(|step| step.starts_with("reusing")),
                "{steps:?}"
            );
        }
    }
}

/// Answers each request on a TLS connection with its target, and then pushes data if `pushes` is
/// true.
fn answer(stream: TcpStream, config: Arc<ServerConfig>, pushes: bool) -> Option<()> {
    let connection = ServerConnection::new(config).ok()?;
    let mut reader = BufReader::new(StreamOwned::new(connection, stream));
    loop {
        let mut target = String::new();
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            reader
                .read_line(&mut line)
                .ok()
                .filter(|count| *count > 0)?;
            if line.starts_with("GET") {
                line.split(' ').nth(1)?.clone_into(&mut target);
            }
        }
        let stream = reader.get_mut();
        let response = format!("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{target}");
        stream.write_all(response.as_bytes()).ok()?;
        stream.flush().ok()?;
        std::thread::sleep(WHILE / 4);
        if pushes {
            let another = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npushed";
            stream.write_all(another).ok()?;
        } else {
            // Refreshing the keys sends a TLS message, but no data.
            stream.conn.refresh_traffic_keys().ok()?;
        }
        stream.flush().ok()?;
    }
}
