//! The exact requests that servers receive.

use super::{request, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy};
use std::sync::{Arc, Mutex};
use urikit::Standard;
use urikit_access::protocol::http::HttpProtocol;
use urikit_access::{
    Buffer, Class, Client, Credentials, ErrorKind, NoPrompt, Prompt, Request, Terminal, Wanted,
};
use urikit_testkit::servers::{Conversation, Scripted};

const EMPTY: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// Fetches, and returns what the server received, which must equal the plan.
fn sent(url: &str, server: &Scripted, more: impl Fn(Request<'_>) -> Request<'_>) -> Vec<String> {
    let (response, _) = fetch_with(&mut client(), url, &more).unwrap();
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let plan = client().plan(&more(Request::new(reference))).unwrap();
    assert_as_planned(&plan, &response.rendered());
    let planned: Vec<_> = plan
        .commands()
        .map(|(line, _)| String::from_utf8_lossy(&line.octets()).into_owned())
        .collect();
    assert_eq!(planned, server.log(), "{url}");
    server.log()
}

#[test]
fn the_request_equals_the_plan() {
    let server = server(EMPTY);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    let lines = sent(&url(&server, "/where?q=now#top"), &server, |request| {
        request
    });
    let expected = [
        "GET /where?q=now HTTP/1.1",
        host.as_str(),
        concat!("User-Agent: urikit/", env!("CARGO_PKG_VERSION")),
        "Accept: */*",
        "Accept-Encoding: identity",
        "",
    ];
    assert_eq!(lines, expected);
}

/// Requests of every kind equal their plans.
#[test]
fn requests_of_all_kinds_equal_their_plans() {
    let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
        user: "u".to_owned(),
        password: "p".to_owned(),
    }));
    let head = server("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    let lines = sent(&url(&head, "/a"), &head, |it| {
        it.wanted(Wanted::Metadata).credentials(credentials)
    });
    assert_eq!(lines[0], "HEAD /a HTTP/1.1");
    assert_eq!(lines[5..], ["Authorization: Basic dTpw", ""]);
    let rest =
        server("HTTP/1.1 206 P\r\nContent-Range: bytes 7-8/9\r\nContent-Length: 2\r\n\r\nlo");
    let lines = sent(&url(&rest, "/a"), &rest, |it| it.resume(7));
    assert_eq!(lines[5..], ["Range: bytes=7-", ""]);
}

#[test]
fn a_plan_prints_every_line_with_secrets_masked() {
    let credentials = Credentials {
        user: "Aladdin".to_owned(),
        password: "open sesame".to_owned(),
    };
    let reference = Standard::Rfc3986
        .parse("https://www.example.org/a?b#c")
        .unwrap();
    let request = Request::new(reference).credentials(&credentials).resume(5);
    let client = Client::new(policy()).protocol(
        HttpProtocol::new()
            .user_agent("x/1")
            .keep_connections(false),
    );
    let expected = "\
connect  www.example.org:443
then     starts TLS
send     \"GET /a?b HTTP/1.1\"
send     \"Host: www.example.org\"
send     \"User-Agent: x/1\"
send     \"Accept: */*\"
send     \"Accept-Encoding: identity\"
send     \"Connection: close\"
send     \"Range: bytes=5-\"
send     \"Authorization: Basic ***\"
send     \"\"
then     receives the body, or follows a redirect
";
    assert_eq!(client.plan(&request).unwrap().to_string(), expected);
}

/// The path and the query are sent without changing any octet.
#[test]
fn targets_are_sent_unchanged() {
    let long = format!("/{}?{}", "a".repeat(70_000), "b".repeat(70_000));
    for (rest, target) in [
        ("", "/"),
        ("/", "/"),
        ("?", "/?"),
        ("?q", "/?q"),
        ("/?a?b", "/?a?b"),
        ("/a/../b/./c", "/a/../b/./c"),
        ("/..", "/.."),
        ("//a//b//", "//a//b//"),
        ("/%7E~", "/%7E~"),
        ("/%00%0d%0A%20", "/%00%0d%0A%20"),
        ("/%2F%2f%25", "/%2F%2f%25"),
        ("/a;p=1;q", "/a;p=1;q"),
        ("/'", "/'"),
        ("/!$&'()*+,;=:@-._~", "/!$&'()*+,;=:@-._~"),
        ("/a?!$&'()*+,;=:@/?-._~", "/a?!$&'()*+,;=:@/?-._~"),
        ("/a#?b", "/a"),
        ("/http://h/a?http://h/b", "/http://h/a?http://h/b"),
        (&long, &long),
    ] {
        let server = server(EMPTY);
        fetch(&mut client(), &url(&server, rest)).unwrap();
        let expected = format!("GET {target} HTTP/1.1");
        assert!(
            server.log()[0] == expected,
            "{}",
            rest.get(..100).unwrap_or(rest)
        );
    }
}

/// Characters that other standards allow but HTTP does not are escaped, in the plan as well.
#[test]
fn characters_that_http_forbids_are_escaped() {
    for (standard, rest, target) in [
        (Standard::Rfc3987, "/é?ü", "/%C3%A9?%C3%BC"),
        (Standard::Rfc1630, "/a\"b", "/a%22b"),
        (Standard::Rfc2732, "/?[a]", "/?%5Ba%5D"),
    ] {
        let server = server(EMPTY);
        let url = url(&server, rest);
        let reference = standard.parse(&url).unwrap();
        let request = Request::new(reference);
        let plan = client().plan(&request).unwrap();
        let response = client()
            .fetch(&request, &mut NoPrompt, &mut Buffer::default())
            .unwrap();
        assert_eq!(server.log()[0], format!("GET {target} HTTP/1.1"));
        assert_as_planned(&plan, &response.rendered());
    }
}

/// The host is decoded and converted to a DNS name, which is used in the plan, the lookup, the
/// request and the verification of the certificate.
#[test]
fn the_host_is_converted_for_the_dns() {
    struct Here;
    impl urikit_access::Resolver for Here {
        fn resolve(&self, name: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
            assert_eq!(name, "xn--rsum-bpad.example.org");
            Ok(vec!["127.0.0.1".parse().unwrap()])
        }
    }
    for (standard, host) in [
        (Standard::Rfc3987, "r\u{e9}sum\u{e9}.example.org"), // RFC 3987, 3.1
        (Standard::Rfc3986, "r%C3%A9sum%C3%A9.example.org"),
        (Standard::Rfc3987, "r%C3%A9sum\u{e9}.%65xample.org"),
        (Standard::Rfc3986, "xn--rsum-bpad.%65xample.org"),
    ] {
        let server = server(EMPTY);
        let url = format!("http://{host}:{}/%C3%A9#%C3%A9", server.port);
        let request = Request::new(standard.parse(&url).unwrap());
        let client = client().resolver(Here);
        let response = client
            .fetch(&request, &mut NoPrompt, &mut Buffer::default())
            .unwrap();
        let host = format!("Host: xn--rsum-bpad.example.org:{}", server.port);
        assert_eq!(server.log()[..2], ["GET /%C3%A9 HTTP/1.1".to_owned(), host]);
        assert_as_planned(&client.plan(&request).unwrap(), &response.rendered());
    }
}

/// A host that is not a DNS name appears in the plan as written, and is not looked up.
#[test]
fn a_host_that_the_dns_cannot_have_is_not_looked_up() {
    for host in ["a%20b", "%FF.example", "a%2Fb"] {
        let url = format!("http://{host}/");
        let request = Request::new(Standard::Rfc3986.parse(&url).unwrap());
        let client = client();
        let plan = client.plan(&request).unwrap().to_string();
        assert!(plan.starts_with(&format!("connect  {host}:80\n")), "{plan}");
        let error = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::HostNotFound), "{error}");
    }
}

#[test]
fn the_host_is_sent_decoded_and_without_userinfo() {
    let server = server(EMPTY);
    let port = server.port;
    for (authority, host) in [
        (format!("127.0.0.1:{port}"), format!("127.0.0.1:{port}")),
        (format!("LocalHost:{port}"), format!("LocalHost:{port}")),
        (format!("127.0.0.1:0{port}"), format!("127.0.0.1:0{port}")),
        (
            format!("user:hunter2@127.0.0.1:{port}"),
            format!("127.0.0.1:{port}"),
        ),
        (format!("l%6Fcalhost:{port}"), format!("localhost:{port}")),
    ] {
        let url = format!("http://{authority}/");
        let (response, _) = fetch(&mut client(), &url).unwrap();
        assert!(
            server.log().contains(&format!("Host: {host}")),
            "{authority}"
        );
        assert!(!format!("{:?}{:?}", server.log(), response.rendered()).contains("hunter2"));
        assert_as_planned(&plan(&client(), &url).unwrap(), &response.rendered());
    }
    let is_login = |line: &&String| line.starts_with("Authorization");
    assert_eq!(server.log().iter().filter(is_login).count(), 1);
}

/// The user is warned about userinfo, which "is likely being used to obscure the authority" (RFC
/// 9110, 4.2.4).
#[test]
fn a_userinfo_is_reported() {
    struct Listens(Vec<String>);
    impl Prompt for Listens {
        fn password(&mut self, _: &str, _: &str) -> Option<String> {
            panic!("there is no question")
        }
        fn confirm(&mut self, _: &str) -> bool {
            false
        }
        fn input(&mut self, _: &str, _: &str) -> Option<String> {
            None
        }
        fn notify(&mut self, advice: &str) {
            self.0.push(advice.to_owned());
        }
        fn terminal(&mut self) -> Option<Terminal> {
            None
        }
    }
    let server = server(EMPTY);
    let url = format!("http://www.example.org@127.0.0.1:{}/", server.port);
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let mut prompt = Listens(Vec::new());
    client()
        .fetch(
            &Request::new(reference),
            &mut prompt,
            &mut Buffer::default(),
        )
        .unwrap();
    assert_eq!(prompt.0.len(), 1);
}

#[test]
fn credentials_are_sent_when_they_are_given_and_never_shown() {
    let server = server("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n\r\n");
    let credentials = Credentials {
        user: "Aladdin".to_owned(),
        password: "open sesame".to_owned(),
    };
    let url = url(&server, "/a");
    let error = fetch_with(&mut client(), &url, |request| {
        // The credentials must outlive the request.
        request.credentials(Box::leak(Box::new(credentials.clone())))
    })
    .unwrap_err();
    let field = "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".to_owned(); // RFC 7617, 2
    assert!(server.log().contains(&field), "{:?}", server.log());
    let shown = format!("{error} {error:?}");
    assert!(
        !shown.contains("QWxh") && !shown.contains("sesame"),
        "{shown}"
    );
    assert!(
        error
            .rendered()
            .contains(&"> Authorization: Basic ***".to_owned())
    );
}

/// Settings and credentials cannot add a line to the request.
#[test]
fn no_second_line_is_sent() {
    let server = Scripted::start(Conversation::hang);
    let url = url(&server, "/a");
    for http in [
        HttpProtocol::new().user_agent("a\r\nX-Other: b"),
        HttpProtocol::new().accept("a\nb"),
        HttpProtocol::new().user_agent("a\0b"),
    ] {
        let error = fails(&mut Client::new(policy()).protocol(http), &url);
        assert!(matches!(error.kind(), ErrorKind::Url(_)), "{error}");
        assert!(error.rendered().is_empty(), "{error}");
    }
    for (user, password) in [("a\r\nb", "c"), ("a", "b\nc"), ("a:b", "c")] {
        let credentials = Credentials {
            user: user.to_owned(),
            password: password.to_owned(),
        };
        let reference = Standard::Rfc3986.parse(&url).unwrap();
        let request = Request::new(reference).credentials(&credentials);
        let error = client()
            .fetch(&request, &mut NoPrompt, &mut Buffer::default())
            .unwrap_err();
        assert!(error.rendered().is_empty(), "{error}");
    }
    // Escapes in a URL remain escapes: see `targets_are_sent_unchanged`.
    assert!(server.log().is_empty());
}

/// Ports are checked.
#[test]
fn ports_of_other_protocols_are_refused() {
    for port in [0, 25, 6000, 22] {
        let error = fails(&mut client(), &format!("http://127.0.0.1:{port}/"));
        assert_eq!(error.class(), Class::Refused, "{error}");
    }
    let error = fails(&mut client(), "http://127.0.0.1:65536/");
    assert_eq!(error.class(), Class::Invalid, "{error}");
}

/// Addresses are checked; see also `client.rs`.
#[test]
fn this_machine_is_refused() {
    let server = server(EMPTY);
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"] {
        let url = format!("http://{host}:{}/", server.port);
        let error = fails(&mut Client::new(urikit_access::Policy::permissive()), &url);
        assert!(
            error.class() == Class::Refused || host.len() > 9,
            "{host}: {error}"
        );
    }
    assert!(server.log().is_empty());
}

#[test]
fn metadata_is_requested_by_head() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let server = Scripted::start(move |client| {
        let lines = request(client).unwrap();
        to.lock().unwrap().push(lines[0].clone());
        client.say(
            "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nContent-Type: text/html; charset=utf-8\r\n\
             Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-A: b\r\nx-a: c\r\n\r\n",
        );
    });
    let (response, buffer) = fetch_with(&mut client(), &url(&server, "/a?b"), |request| {
        request.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(*seen.lock().unwrap(), ["HEAD /a?b HTTP/1.1"]);
    assert_eq!(response.metadata.size, Some(1234));
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(
        response.metadata.modified.unwrap().to_string(),
        "1994-11-06T08:49:37Z"
    );
    let attribute = |at: usize| {
        let (name, value): &(String, String) = &response.metadata.attributes[at];
        (name.as_str(), value.as_str())
    };
    assert_eq!(response.metadata.attributes.len(), 5);
    assert_eq!((attribute(3), attribute(4)), (("X-A", "b"), ("x-a", "c")));
    assert_eq!(buffer.metadata, response.metadata);
    assert!(buffer.bytes.is_empty());
}
