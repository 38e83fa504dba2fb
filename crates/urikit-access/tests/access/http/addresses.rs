//! Hosts that a resolver interprets as addresses, on every path to a server.

use super::tunnels::through;
use super::{gateways, request, server};
use crate::support::{fails, plan};
use std::net::IpAddr;
use std::time::Duration;
use urikit_access::policy::Refusal;
use urikit_access::{Client, Error, ErrorKind, Policy};
use urikit_testkit::servers::Scripted;

/// Hosts as written in a URL, and the address to which glibc's `getaddrinfo` converts each (POSIX,
/// `inet_aton`; RFC 6761, 6.3).
const HOSTS: &[(&str, &str)] = &[
    ("127.0.0.1", "127.0.0.1"),
    ("127.0.0.1.", "127.0.0.1"),
    ("127.1", "127.0.0.1"),
    ("127.0.1", "127.0.0.1"),
    ("0x7f.1", "127.0.0.1"),
    ("0X7F000001", "127.0.0.1"),
    ("2130706433", "127.0.0.1"),
    ("017700000001", "127.0.0.1"),
    ("0177.0.0.1", "127.0.0.1"),
    ("%30x7f.1", "127.0.0.1"),
    ("%31%32%37.1.", "127.0.0.1"),
    ("0", "0.0.0.0"),
    ("10.1", "10.0.0.1"),
    ("192.168.257", "192.168.1.1"),
    ("0xA9FEA9FE", "169.254.169.254"),
    ("2852039166", "169.254.169.254"),
    ("[::1]", "::1"),
    ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"),
    ("[64:ff9b::a9fe:a9fe]", "64:ff9b::a9fe:a9fe"),
    ("LocalHost.", "127.0.0.1"),
    ("a.localhost", "127.0.0.1"),
];

fn policy() -> Policy {
    Policy::permissive().total_timeout(Duration::from_secs(5))
}

/// An HTTP proxy that redirects `/N` to the host with this number.
fn redirecting() -> Scripted {
    Scripted::start(|client| {
        while let Some(lines) = request(client) {
            let target = lines[0].split(' ').nth(1).unwrap();
            let number: usize = target.rsplit('/').next().unwrap().parse().unwrap();
            let (host, _) = HOSTS[number];
            client.say(format!(
                "HTTP/1.1 302 Found\r\nLocation: http://{host}/\r\nContent-Length: 0\r\n\r\n"
            ));
        }
    })
}

fn assert_refused(error: &Error, way: &str, host: &str, expected: &str) {
    let expected: IpAddr = expected.parse().unwrap();
    let ErrorKind::Refused(Refusal::Address { address, .. }) = error.kind() else {
        panic!("{way}, {host}: {error}");
    };
    assert_eq!(*address, expected, "{way}, {host}");
}

#[test]
fn a_resolver_never_gets_a_refused_address() {
    let silent = server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let redirecting = redirecting();
    let rules = [
        "gopher=proxy:http://gate.example/".to_owned(),
        "wais=http://gate.example/".to_owned(),
    ];
    let via = |scheme| through(policy(), scheme, silent.port);
    for (number, &(host, address)) in HOSTS.iter().enumerate() {
        let http = format!("http://{host}/");
        let refused = |way: &str, client: &mut Client, url: &str| {
            assert_refused(&fails(client, url), way, host, address);
            // The plan for the first request does not include the redirect.
            if way != "redirect" {
                assert_refused(&plan(client, url).unwrap_err(), "plan", host, address);
            }
        };
        let gateway = || Client::new(policy()).registry(gateways(&rules));
        refused("direct", &mut Client::new(policy()), &http);
        refused("http proxy", &mut via("http://"), &http);
        refused("CONNECT", &mut via("http://"), &format!("ftp://{host}/a"));
        refused("socks5h", &mut via("socks5h://"), &http);
        refused("gateway", &mut gateway(), &format!("gopher://{host}/0a"));
        refused("prefix", &mut gateway(), &format!("wais://{host}/a"));
        let mut redirected = through(policy(), "http://", redirecting.port);
        let start = format!("http://name.example/{number}");
        refused("redirect", &mut redirected, &start);
        let by_program = Client::new(policy());
        let error = plan(&by_program, &format!("rlogin://{host}/")).unwrap_err();
        assert_refused(&error, "program", host, address);
    }
    assert!(silent.log().is_empty(), "{:?}", silent.log());
    assert!(HOSTS.len() > 20);
}

/// Ports of other protocols are also refused if a proxy or a gateway would connect to them, and the
/// plan fails with the same error.
#[test]
fn a_refused_port_is_refused_in_plans() {
    let proxy = server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let registry = gateways(&["gopher=proxy:http://gate.example/".to_owned()]);
    for (client, url) in [
        (Client::new(policy()), "http://name.example:25/"),
        (Client::new(policy()), "ftp://name.example:25/a"),
        (
            through(policy(), "http://", proxy.port),
            "http://name.example:25/",
        ),
        (
            through(policy(), "socks5h://", proxy.port),
            "http://name.example:25/",
        ),
        (
            Client::new(policy()).registry(registry),
            "gopher://name.example:25/0a",
        ),
    ] {
        let error = plan(&client, url).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Port { port: 25 })),
            "{url}: {error}"
        );
    }
}

/// The policy checks the address, not its spelling.
#[test]
fn public_addresses_are_allowed_in_every_spelling() {
    let proxy = server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    for host in ["134744072", "0x8.8.8.8", "010.010.2056", "8.8.8.8."] {
        let mut client = through(policy(), "http://", proxy.port);
        let url = format!("http://{host}/");
        assert!(plan(&client, &url).is_ok(), "{host}");
        crate::support::fetch(&mut client, &url).unwrap();
    }
}
