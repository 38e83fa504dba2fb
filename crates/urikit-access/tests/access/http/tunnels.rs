//! Configured proxies: complete URIs, `CONNECT`, SOCKS5, and the checks of the policy.

use super::tls::secured;
use super::{request, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, fails, fetch, plan, policy};
use std::sync::{Arc, Mutex};
use urikit_access::{Class, Client, Error, Event, Policy, Proxies};
use urikit_testkit::servers::{Conversation, Scripted, Tinyproxy, skip};

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

pub(super) fn through(policy: Policy, scheme: &str, port: u16) -> Client {
    let proxy = format!("{scheme}127.0.0.1:{port}").parse().unwrap();
    Client::new(policy).proxies(Proxies::new().all(proxy))
}

fn is_unchecked(events: &[Event]) -> bool {
    events
        .iter()
        .any(|event| matches!(event, Event::Unchecked(_)))
}

/// For `http`, an HTTP proxy receives the complete URI, its own login, and that of the server.
#[test]
fn an_http_proxy_gets_complete_uris() {
    let proxy = server(HELLO);
    let mut client = through(policy(), "http://tim:hunter2@", proxy.port);
    let from = "http://name.example/a?b#c";
    let (response, buffer) = fetch(&mut client, from).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    let log = proxy.log();
    assert_eq!(log[0], "GET http://name.example/a?b HTTP/1.1");
    assert_eq!(log[1], "Host: name.example");
    assert!(
        log.contains(&"Proxy-Authorization: Basic dGltOmh1bnRlcjI=".to_owned()),
        "{log:?}"
    );
    assert_as_planned(&plan(&client, from).unwrap(), &response.rendered());
    assert!(is_unchecked(&response.events));
    let shown = format!("{:?} {}", response.rendered(), plan(&client, from).unwrap());
    assert!(
        !shown.contains("hunter2") && !shown.contains("dGlt"),
        "{shown}"
    );
}

/// Starts an HTTP proxy that answers `CONNECT`, and then acts as a gopher server.
fn gopher_through_connect(answer: &'static str) -> Scripted {
    Scripted::start(move |client| {
        if request(client).is_some_and(|lines| lines[0].starts_with("CONNECT ")) {
            client.say(answer);
            client.line();
            client.say("a text\r\n.\r\n");
        }
    })
}

#[test]
fn other_schemes_go_through_connect() {
    let proxy = gopher_through_connect("HTTP/1.1 200 Connected\r\nX: y\r\n\r\n");
    let mut client = through(policy(), "u:p@", proxy.port);
    let from = "gopher://name.example/0a";
    let (response, buffer) = fetch(&mut client, from).unwrap();
    assert_eq!(buffer.bytes, b"a text\r\n");
    let expected = [
        "CONNECT name.example:70 HTTP/1.1",
        "Host: name.example:70",
        "Proxy-Authorization: Basic dTpw",
        "",
        "a",
    ];
    assert_eq!(proxy.log(), expected);
    assert_as_planned(&plan(&client, from).unwrap(), &response.rendered());
    assert!(is_unchecked(&response.events));
    let refusing = gopher_through_connect("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
    let error = fails(&mut through(policy(), "", refusing.port), from);
    assert!(error.kind().is_denial(), "{error}");
    assert!(error.to_string().contains("HTTP/1.1 403 No"), "{error}");
}

/// Starts a SOCKS server (RFC 1928, 3 and 4) that stores the bytes of each request, and then acts
/// as a gopher server.
fn socks(seen: Arc<Mutex<Vec<Vec<u8>>>>) -> Scripted {
    Scripted::start(move |client: &mut Conversation| {
        let greeting = client.bytes(2);
        let methods = client.bytes(u64::from(greeting[1]));
        if methods.contains(&2) {
            client.say([5, 2]);
            let user = client.bytes(2);
            let user = client.bytes(u64::from(user[1]));
            let length = client.bytes(1);
            let password = client.bytes(u64::from(length[0]));
            assert_eq!((user, password), (b"u".to_vec(), b"p".to_vec()));
            client.say([1, 0]);
        } else {
            client.say([5, 0]);
        }
        let mut asked = client.bytes(4);
        let rest = if asked[3] == 1 {
            client.bytes(6)
        } else {
            let length = client.bytes(1);
            client.bytes(u64::from(length[0]) + 2)
        };
        asked.extend(rest);
        seen.lock().unwrap().push(asked);
        client.say([5, 0, 0, 1, 127, 0, 0, 1, 0, 70]);
        client.line();
        client.say("a text\r\n.\r\n");
    })
}

#[test]
fn socks_gets_addresses_or_names() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let proxy = socks(Arc::clone(&seen));
    for (scheme, from, asked, unchecked) in [
        (
            "socks5h://",
            "gopher://name.example/0a",
            &b"\x05\x01\x00\x03name.example\x00\x46"[..],
            true,
        ),
        (
            "socks5h://u:p@",
            "gopher://127.0.0.1/0a",
            b"\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x46",
            false,
        ),
        (
            "socks5://",
            "gopher://localhost/0a",
            b"\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x46",
            false,
        ),
    ] {
        let mut client = through(policy(), scheme, proxy.port);
        let (response, buffer) = fetch(&mut client, from).unwrap();
        assert_eq!(buffer.bytes, b"a text\r\n");
        assert_eq!(seen.lock().unwrap().pop().unwrap(), asked, "{from}");
        assert_eq!(is_unchecked(&response.events), unchecked, "{from}");
        assert_as_planned(&plan(&client, from).unwrap(), &response.rendered());
    }
}

/// The proxy may be on this machine. The targets of the proxy are checked if they are addresses.
#[test]
fn targets_of_proxies_are_checked() {
    let proxy = server(HELLO);
    let refused = |from: &str, kind: &str| -> Error {
        let policy = Policy::permissive().total_timeout(policy_time());
        fails(&mut through(policy, kind, proxy.port), from)
    };
    for from in [
        "http://127.0.0.1/",
        "https://[::1]/",
        "http://169.254.169.254/latest/",
        "gopher://10.0.0.1/",
        "http://localhost/",
        "http://a.localhost/",
        "http://name.example:25/",
        "ftp://[::ffff:127.0.0.1]/",
    ] {
        for kind in ["http://", "socks5h://"] {
            let error = refused(from, kind);
            assert_eq!(error.class(), Class::Refused, "{from} {kind}: {error}");
        }
    }
    assert!(proxy.log().is_empty(), "{:?}", proxy.log());
    let (response, _) = fetch(
        &mut through(Policy::permissive(), "", proxy.port),
        "http://name.example/",
    )
    .unwrap();
    assert!(is_unchecked(&response.events));
}

fn policy_time() -> std::time::Duration {
    std::time::Duration::from_secs(5)
}

#[test]
fn exceptions_are_connected_to_directly() {
    let direct = server(HELLO);
    let proxies = Proxies::new()
        .all("127.0.0.1:1".parse().unwrap())
        .except("127.0.0.0/8")
        .unwrap();
    let mut client = Client::new(policy()).proxies(proxies);
    let (_, buffer) = fetch(&mut client, &url(&direct, "/")).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert_eq!(direct.log()[0], "GET / HTTP/1.1");
    // A proxy that cannot be reached is an error, and nothing is sent directly.
    let error = fails(&mut through(policy(), "", 1), &url(&direct, "/"));
    assert!(
        error.to_string().contains("the proxy 127.0.0.1:1"),
        "{error}"
    );
}

/// tinyproxy connects to http and https servers.
#[test]
fn tinyproxy_leads_to_nginx() {
    let test = "tinyproxy_leads_to_nginx";
    let Some((nginx, pem, port)) = secured(test) else {
        return;
    };
    for login in [None, Some("tim hunter2")] {
        let Some(proxy) = Tinyproxy::start(login) else {
            return skip(test, "tinyproxy");
        };
        let scheme = login.map_or("http://", |_| "http://tim:hunter2@");
        let mut client = through(policy(), scheme, proxy.port())
            .root_certificates(&pem)
            .unwrap();
        for from in [
            format!("http://127.0.0.1:{}/a.txt", nginx.port()),
            format!("https://127.0.0.1:{port}/a.txt"),
            format!("https://localhost:{port}/a.txt"),
        ] {
            for is_first in [true, false] {
                let (response, buffer) = fetch(&mut client, &from).unwrap();
                assert_eq!(buffer.bytes, b"secret", "{from}");
                if is_first {
                    assert_as_planned(&plan(&client, &from).unwrap(), &response.rendered());
                }
            }
        }
        if login.is_some() {
            let mut stranger = through(policy(), "", proxy.port());
            let from = format!("https://127.0.0.1:{port}/a.txt");
            let error = fails(&mut stranger, &from);
            assert!(error.to_string().contains("407"), "{error}");
        }
    }
}
