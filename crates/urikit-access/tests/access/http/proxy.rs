//! HTTP servers as gateways: proxies, which receive the complete URI, and prefixes (RFC 1630, HTTP;
//! RFC 1738, 4).

use super::{gateways, pages, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy};
use urikit_access::{Class, Client, Credentials, ErrorKind, Wanted};
use urikit_testkit::servers::Scripted;

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

fn through(server: &Scripted, kind: &str) -> Client {
    let rules = [
        "http", "https", "gopher", "wais", "ftp", "news", "urn", "mid", "prospero", "x-own", "file",
    ];
    let rules = rules.map(|scheme| format!("{scheme}={kind}http://127.0.0.1:{}", server.port));
    Client::new(policy()).registry(gateways(&rules))
}

/// A proxy receives "the entire URI, whether HTTP or some other scheme" (RFC 1630, HTTP).
#[test]
fn a_proxy_gets_the_complete_uri_without_its_fragment() {
    for (uri, target, host) in [
        ("gopher://h/11/a%20b#c", "gopher://h/11/a%20b", "h"),
        (
            "wais://host.dom:210/db?a+b",
            "wais://host.dom:210/db?a+b",
            "host.dom:210",
        ),
        ("ftp://h//etc/motd;type=a", "ftp://h//etc/motd;type=a", "h"),
        ("http://h", "http://h", "h"),
        ("http://h/a/../b?c?d#e", "http://h/a/../b?c?d", "h"),
        ("https://h:8443/%7E", "https://h:8443/%7E", "h:8443"),
        ("HTTP://H/", "HTTP://H/", "H"),
        ("http://user:hunter2@h/a@b", "http://h/a@b", "h"),
        ("news:comp.infosystems.www", "news:comp.infosystems.www", ""),
        ("news:*", "news:*", ""),
        ("urn:isbn:0451450523", "urn:isbn:0451450523", ""),
        ("mid:a@b.c/d@e", "mid:a@b.c/d@e", ""),
        (
            "prospero://h.dom/p%2fq;v=1",
            "prospero://h.dom/p%2fq;v=1",
            "h.dom",
        ),
        ("x-own:a/b?c", "x-own:a/b?c", ""),
        ("file:///etc/motd", "file:///etc/motd", ""),
    ] {
        let server = server(HELLO);
        let mut client = through(&server, "proxy:");
        let (response, buffer) = fetch(&mut client, uri).unwrap();
        assert_eq!(buffer.bytes, b"hello", "{uri}");
        let log = server.log();
        assert_eq!(log[0], format!("GET {target} HTTP/1.1"));
        assert_eq!(log[1], format!("Host: {host}"));
        assert_as_planned(&plan(&client, uri).unwrap(), &response.rendered());
        assert_eq!(response.final_uri, uri.split('#').next().unwrap());
        assert!(!format!("{:?}", response.rendered()).contains("hunter2"));
    }
}

/// A proxy may need the password of an ftp URL to log in. The password is masked where it is
/// displayed.
#[test]
fn a_password_for_the_proxy_is_sent_and_masked() {
    for (kind, line) in [
        ("proxy:", "GET ftp://u:hunter2@h/a HTTP/1.1"),
        ("", "GET /ftp://u:hunter2@h/a HTTP/1.1"),
    ] {
        let server = server(HELLO);
        let mut client = through(&server, kind);
        let uri = "ftp://u:hunter2@h/a";
        let (response, _) = fetch(&mut client, uri).unwrap();
        assert_eq!(server.log()[0], line);
        let planned = plan(&client, uri).unwrap().to_string();
        assert!(planned.contains("ftp://u:***@h/a HTTP/1.1"), "{planned}");
        assert!(!format!("{planned}{:?}", response.rendered()).contains("hunter2"));
    }
}

#[test]
fn metadata_and_ranges_go_through_a_proxy() {
    let proxy = server("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n");
    let (response, _) = fetch_with(&mut through(&proxy, "proxy:"), "wais://h/db", |it| {
        it.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(response.metadata.size, Some(7));
    assert_eq!(proxy.log()[0], "HEAD wais://h/db HTTP/1.1");
    let proxy =
        server("HTTP/1.1 206 P\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 3\r\n\r\nllo");
    let (_, buffer) = fetch_with(&mut through(&proxy, "proxy:"), "wais://h/db", |it| {
        it.resume(2)
    })
    .unwrap();
    assert_eq!(buffer.bytes, b"llo");
}

/// Credentials are for the server, not for the proxy.
#[test]
fn a_proxy_gets_no_credentials() {
    let server = server(HELLO);
    let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
        user: "u".to_owned(),
        password: "p".to_owned(),
    }));
    for kind in ["proxy:", ""] {
        fetch_with(&mut through(&server, kind), "http://h/", |it| {
            it.credentials(credentials)
        })
        .unwrap();
    }
    assert!(
        !server
            .log()
            .iter()
            .any(|line| line.contains("Authorization")),
        "{:?}",
        server.log()
    );
}

#[test]
fn redirects_by_a_proxy_are_relative_to_the_requested_uri() {
    let proxy = pages(&[
        (
            "gopher://h/1/a",
            "HTTP/1.1 302 F\r\nLocation: /1/b\r\nContent-Length: 0\r\n\r\n",
        ),
        ("gopher://h/1/b", HELLO),
        (
            "wais://h/file",
            "HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
        ),
        (
            "wais://h/wais",
            "HTTP/1.1 302 F\r\nLocation: http://h/b\r\nContent-Length: 0\r\n\r\n",
        ),
    ]);
    let mut client = through(&proxy, "proxy:");
    let (response, buffer) = fetch(&mut client, "gopher://h/1/a#x").unwrap();
    assert_eq!(
        (buffer.bytes.as_slice(), response.final_uri.as_str()),
        (&b"hello"[..], "gopher://h/1/b")
    );
    assert_eq!(
        (response.scheme.as_str(), response.fragment.as_deref()),
        ("gopher", Some("x"))
    );
    // Redirects by gateways are subject to the policy too.
    for uri in ["wais://h/file", "wais://h/wais"] {
        let error = fails(&mut client, uri);
        assert_eq!(error.class(), Class::Refused, "{error}");
    }
}

#[test]
fn a_prefix_precedes_the_complete_uri() {
    let server = pages(&[
        ("/wais://h/db%3Fa+b", HELLO),
        (
            "/x-own:a%252Fb",
            "HTTP/1.1 302 F\r\nLocation: /there?a\r\nContent-Length: 0\r\n\r\n",
        ),
        ("/there?a", HELLO),
    ]);
    let mut client = through(&server, "");
    let (response, buffer) = fetch(&mut client, "wais://h/db?a+b#c").unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert_eq!(
        (response.final_uri.as_str(), response.fragment.as_deref()),
        ("wais://h/db?a+b", Some("c"))
    );
    assert_as_planned(
        &plan(&client, "wais://h/db?a+b#c").unwrap(),
        &response.rendered(),
    );
    // Redirects by the gateway are relative to the gateway's URL. A gateway for http would apply to
    // these redirects too, so this gateway is for another scheme.
    let rule = format!("x-own=http://127.0.0.1:{}/", server.port);
    let mut client = Client::new(policy()).registry(gateways(&[rule]));
    let (response, buffer) = fetch(&mut client, "x-own:a%2Fb").unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert_eq!(response.final_uri, url(&server, "/there?a"));
}

/// The policy applies to gateways too.
#[test]
fn gateways_are_checked_like_any_server() {
    let server = server(HELLO);
    let rule = |port: u16, kind: &str| gateways(&[format!("wais={kind}http://127.0.0.1:{port}")]);
    for kind in ["proxy:", ""] {
        let strict = Client::new(urikit_access::Policy::permissive());
        let error = fails(&mut strict.registry(rule(server.port, kind)), "wais://h/a");
        assert_eq!(error.class(), Class::Refused, "{error}");
        let error = fails(
            &mut Client::new(policy()).registry(rule(25, kind)),
            "wais://h/a",
        );
        assert_eq!(error.class(), Class::Refused, "{error}");
    }
    let error = fails(&mut client(), "x-own:a");
    assert!(
        matches!(error.kind(), ErrorKind::NoProtocol { .. }),
        "{error}"
    );
}
