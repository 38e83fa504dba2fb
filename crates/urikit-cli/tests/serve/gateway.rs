//! The gateway of the command: its options and its log. `urikit-serve` tests its pages.

use crate::server::{Response, Server};
use std::process::Command;
use urikit_testkit::servers::{Conversation, Scripted};

fn get(server: &Server, target: &str, fields: &str) -> Response {
    let host = server.address;
    server.send(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n").as_bytes())
}

/// Stops a server, and returns its log.
fn log(server: Server) -> String {
    server.signal("TERM");
    server.wait().1
}

#[test]
fn the_log_has_no_passwords() {
    let (server, _) = Server::start_gateway(&[]);
    let first = get(&server, "/ftp://me:secret@h.example/a", "");
    assert_eq!(first.status, 303);
    let log = log(server);
    assert!(
        log.contains("me:***@h.example") && !log.contains("secret"),
        "{log}"
    );
}

#[test]
fn forwarded_fields_count_only_from_a_trusted_proxy() {
    let field = "X-Forwarded-For: 192.0.2.7\r\n";
    let (server, _) = Server::start_gateway(&["--trusted-proxy", "127.0.0.1"]);
    get(&server, "/", field);
    let trusted = log(server);
    assert!(trusted.contains("client=192.0.2.7"), "{trusted}");
    let (server, _) = Server::start_gateway(&[]);
    get(&server, "/", field);
    let other = log(server);
    assert!(
        other.contains("client=127.0.0.1") && !other.contains("192.0.2.7"),
        "{other}"
    );
}

#[test]
fn our_own_client_uses_the_gateway_as_a_proxy() {
    let remote = Scripted::start(|client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        client.say(format!("You asked for {line}\r\n"));
        client.close();
    });
    let (server, _) = Server::start_gateway(&["--quiet"]);
    let output = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args(["fetch", "--allow-private", "--gateway"])
        .arg(format!("gopher=proxy:http://{}", server.address))
        .arg(format!("gopher://127.0.0.1:{}/0/a%20b", remote.port))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "You asked for /a b\r\n", "{output:?}");
}

#[test]
fn options() {
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
    for (arguments, status, message) in [
        (
            &["--gateway-listen", "x"][..],
            2,
            "expected an address with a port, or off",
        ),
        (
            &["--gateway-url", "ftp://a/"],
            2,
            "expected an http or https URL",
        ),
        (
            &["--gateway-listen", "0.0.0.0:0"],
            2,
            "--public-host must name the host",
        ),
    ] {
        let (found, text) = run(arguments);
        assert_eq!(found, Some(status), "{text}");
        assert!(text.contains(message), "{text}");
    }
}
