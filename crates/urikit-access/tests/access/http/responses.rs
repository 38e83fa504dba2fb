//! Responses, redirects and errors of HTTP.

use super::{pages, request, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy};
use urikit::Uri;
use urikit_access::policy::Refusal;
use urikit_access::{Class, Client, ErrorKind, Request, UrlError, Wanted};
use urikit_testkit::servers::Scripted;

#[test]
fn bodies_with_every_framing() {
    for head_and_body in [
        "Content-Length: 5\r\n\r\nhello",
        "content-length:5\r\n\r\nhello",
        "\r\nhello",
        "Connection: close\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: Chunked\r\n\r\n1\r\nh\r\n0004;a=b;c=\"d\"\r\nello\r\n00\r\n\
         X: y\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2 ; a\r\nhe\r\n3 \r\nllo\r\n0 \r\n\r\n",
    ] {
        for line in [
            "HTTP/1.1 200 OK",
            "HTTP/1.1 200 ",
            "HTTP/1.1 200",
            "HTTP/1.1 203 Other",
        ] {
            let server = server(format!("{line}\r\n{head_and_body}"));
            let (response, buffer) = fetch(&mut client(), &url(&server, "/")).unwrap();
            assert_eq!(buffer.bytes, b"hello", "{head_and_body:?}");
            assert_eq!(response.received, 5);
            assert!(response.metadata.size.is_none_or(|size| size == 5));
        }
    }
    let old = server("HTTP/1.0 200 OK\r\n\r\nhello");
    assert_eq!(
        fetch(&mut client(), &url(&old, "/")).unwrap().1.bytes,
        b"hello"
    );
}

#[test]
fn bytes_are_passed_on_unchanged() {
    // An unrequested content coding is reported, but not decoded.
    let server = server(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"
            .as_slice(),
    );
    let (response, buffer) = fetch(&mut client(), &url(&server, "/")).unwrap();
    assert_eq!(buffer.bytes, b"\x1f\x8b\x08\x00");
    assert!(
        response
            .metadata
            .attributes
            .contains(&("Content-Encoding".to_owned(), "gzip".to_owned()))
    );
}

#[test]
fn responses_without_a_body() {
    for answer in [
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ] {
        let (response, buffer) = fetch(&mut client(), &url(&server(answer), "/")).unwrap();
        assert_eq!((response.received, buffer.bytes.len()), (0, 0));
    }
}

#[test]
fn interim_responses_are_skipped() {
    let server = server(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
         HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    );
    assert_eq!(
        fetch(&mut client(), &url(&server, "/")).unwrap().1.bytes,
        b"hello"
    );
}

#[test]
fn errors_of_the_server_quote_the_status_line() {
    for line in [
        "HTTP/1.1 401 Unauthorized",
        "HTTP/1.1 403 Forbidden",
        "HTTP/1.1 404 Not Found",
        "HTTP/1.1 407 Proxy Authentication Required",
        "HTTP/1.1 416 Range Not Satisfiable",
        "HTTP/1.1 500 Internal Server Error",
        "HTTP/1.1 503 Gone fishing",
        "HTTP/1.1 999 ?",
        "HTTP/1.1 304 Not Modified",
        "HTTP/1.1 305 Use Proxy",
        "HTTP/1.1 306 Unused",
        "HTTP/1.1 301 Moved Permanently",
        "HTTP/1.1 302 Found\r\nLocation:",
    ] {
        let server = server(format!("{line}\r\nContent-Length: 3\r\n\r\nno!"));
        let error = fails(&mut client(), &url(&server, "/a?b"));
        assert!(error.kind().is_denial(), "{error}");
        assert_eq!(error.class(), Class::Failed);
        let line = line.lines().next().unwrap();
        let reason = match line.split(' ').nth(1).unwrap() {
            "401" | "407" => "the server requires a valid login",
            "403" | "451" => "the server denied access",
            "404" | "410" => "not found on the server",
            code => {
                let ErrorKind::Server { code: found, text } = error.kind() else {
                    panic!("{error}")
                };
                assert_eq!(found.unwrap().to_string(), code);
                assert_eq!(*text, line.splitn(3, ' ').nth(2).unwrap_or_default());
                "the server refused the request"
            }
        };
        let expected = format!(
            "asking 127.0.0.1:{}: {reason}; sent \"GET /a?b HTTP/1.1\"; \
             received \"{line}\"",
            server.port
        );
        assert_eq!(error.to_string(), expected);
    }
    // A server may not choose a proxy (RFC 9110, 15.4.6).
    let server = server(
        "HTTP/1.1 305 Use Proxy\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
    );
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(error.kind().is_denial(), "{error}");
}

#[test]
fn redirects_are_followed() {
    for status in ["300 a", "301 b", "302 c", "303 d", "307 e", "308 f"] {
        let text = format!("HTTP/1.1 {status}\r\nLocation: ../c?d\r\nContent-Length: 2\r\n\r\nno");
        let text: &'static str = Box::leak(text.into_boxed_str());
        let server = pages(Box::leak(Box::new([
            ("/a/b/", text),
            ("/a/c?d", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"),
        ])));
        let from = url(&server, "/a/b/#top");
        let (response, buffer) = fetch(&mut client(), &from).unwrap();
        assert_eq!(buffer.bytes, b"yes", "{status}");
        assert_eq!(response.final_uri, url(&server, "/a/c?d"));
        assert_eq!(response.fragment.as_deref(), Some("top"));
        assert!(
            response
                .rendered()
                .contains(&format!("redirected to {}", url(&server, "/a/c?d")))
        );
        // The plan contains only the first request: the second depends on the response.
        assert_eq!(plan(&client(), &from).unwrap().commands().count(), 6);
        // After a redirect, HEAD remains HEAD.
        let (response, _) =
            fetch_with(&mut client(), &from, |it| it.wanted(Wanted::Metadata)).unwrap();
        assert_eq!(response.metadata.size, Some(3));
        assert!(server.log().contains(&"HEAD /a/c?d HTTP/1.1".to_owned()));
    }
}

/// Redirects are subject to the policy.
#[test]
fn redirects_to_other_schemes_are_refused() {
    for location in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "telnet://127.0.0.1/",
        "mailto:a@b",
        "data:,a",
        "mid:a@b",
        "javascript:alert(1)",
        "//user:hunter2@127.0.0.1/",
        "http://127.0.0.1:25/",
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:0/",
    ] {
        let server = server(format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
        let error = fails(&mut client(), &url(&server, "/"));
        assert_eq!(error.class(), Class::Refused, "{location}: {error}");
        let shown = format!("{error} {:?}", error.rendered());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    for location in ["http://a b/", "http://[::1", "http://a@b@c/", "1:2"] {
        let server = server(format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(
            matches!(error.kind(), ErrorKind::Invalid(_)),
            "{location}: {error}"
        );
        assert_eq!(error.class(), Class::Failed);
    }
}

/// Invalid redirects are repaired as in browsers and curl, unless the repair would have to guess
/// the host.
#[test]
fn redirects_are_repaired() {
    for (location, path) in [
        ("/a b.txt", "/a%20b.txt"),
        ("\\a\\b", "/a/b"),
        ("/a%", "/a%25"),
        ("/a|{b}", "/a%7C%7Bb%7D"),
    ] {
        let server = server(format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
        let error = fails(&mut client(), &url(&server, "/"));
        let shown = format!("{:?}", error.rendered());
        assert!(
            shown.contains(&format!("redirected to {}", url(&server, path))),
            "{shown}"
        );
    }
}

/// Many servers send octets in `Location` that should be percent-encoded. The client encodes these
/// octets, and changes nothing else.
#[test]
fn octets_of_a_location_are_escaped() {
    for (octets, target) in [
        (&b"/caf\xc3\xa9"[..], "/caf%C3%A9"),
        (b"/caf\xe9?%e9", "/caf%E9?%e9"),
    ] {
        let leads = [
            b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ",
            octets,
            b"\r\n\r\n",
        ]
        .concat();
        let server = Scripted::start(move |client| {
            while let Some(lines) = request(client) {
                if lines[0].starts_with("GET / ") {
                    client.say(&leads);
                } else {
                    client.say("HTTP/1.1 204 No\r\n\r\n");
                }
            }
        });
        let (response, _) = fetch(&mut client(), &url(&server, "/")).unwrap();
        assert_eq!(response.final_uri, url(&server, target));
        assert!(server.log().contains(&format!("GET {target} HTTP/1.1")));
    }
}

#[test]
fn circles_end() {
    let server = pages(&[
        (
            "/a",
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
        ),
        (
            "/b",
            "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n",
        ),
    ]);
    let error = fails(&mut client(), &url(&server, "/a"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::RedirectLoop { max: 10, urls }) if urls.len() == 3
        ),
        "{error}"
    );
    assert!(error.to_string().contains("/a → /b → /a"), "{error}");
    let asked = server
        .log()
        .iter()
        .filter(|line| line.starts_with("GET"))
        .count();
    assert_eq!(asked, 11);
}

#[test]
fn ranges_are_requested_and_checked() {
    let good = server(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 3\r\n\r\n\
         llo",
    );
    let from = url(&good, "/");
    let (response, buffer) = fetch_with(&mut client(), &from, |it| it.resume(2)).unwrap();
    assert!(good.log().contains(&"Range: bytes=2-".to_owned()));
    assert_eq!(
        (buffer.bytes.as_slice(), response.received),
        (&b"llo"[..], 5)
    );
    assert_eq!((buffer.metadata.offset, buffer.metadata.size), (2, Some(5)));
    let reference = urikit::Standard::Rfc3986.parse(&from).unwrap();
    let plan = client().plan(&Request::new(reference).resume(2)).unwrap();
    assert_as_planned(&plan, &response.rendered());
    for framing in [
        "Transfer-Encoding: chunked\r\n\r\n3\r\nllo\r\n0\r\n\r\n",
        "\r\nllo",
    ] {
        let server = server(format!(
            "HTTP/1.1 206 P\r\nContent-Range: bytes 2-4/5\r\n{framing}"
        ));
        assert_eq!(
            fetch_with(&mut client(), &url(&server, "/"), |it| it.resume(2))
                .unwrap()
                .1
                .bytes,
            b"llo"
        );
    }
    // The earlier transfer was complete, as the size in the response confirms.
    let whole =
        server("HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 3\r\n\r\nno!");
    let (response, buffer) =
        fetch_with(&mut client(), &url(&whole, "/"), |it| it.resume(5)).unwrap();
    assert_eq!((response.received, buffer.bytes.len()), (5, 0));
}

#[test]
fn other_ranges_are_errors() {
    for (answer, is_no_resuming) in [
        ("200 OK\r\nContent-Length: 5\r\n\r\nhello", true),
        (
            "206 P\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nhello",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 3-4/5\r\nContent-Length: 2\r\n\r\nlo",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 4\r\n\r\nlloo",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 2\r\n\r\nll",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-3/5\r\nContent-Length: 2\r\n\r\nll",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-4/5\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\
             lloo\r\n0\r\n\r\n",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-3/5\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\
             llo\r\n0\r\n\r\n",
            false,
        ),
        ("206 P\r\nContent-Range: bytes 2-4/5\r\n\r\nll", false),
        ("206 P\r\nContent-Range: bytes 2-4/5\r\n\r\nlloo", false),
        (
            "206 P\r\nContent-Range: bytes 2-4/*\r\nContent-Length: 3\r\n\r\nllo",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 4-2/5\r\nContent-Length: 3\r\n\r\nllo",
            false,
        ),
        (
            "206 P\r\nContent-Range: bytes 2-4/5\r\nContent-Range: bytes 2-4/6\r\n\r\nllo",
            false,
        ),
        (
            "206 P\r\nContent-Type: multipart/byteranges; boundary=a\r\n\r\n--a",
            false,
        ),
        ("206 P\r\nContent-Length: 3\r\n\r\nllo", false),
        (
            "416 No\r\nContent-Range: bytes */1\r\nContent-Length: 0\r\n\r\n",
            false,
        ),
        ("416 No\r\nContent-Length: 0\r\n\r\n", false),
    ] {
        let server = server(format!("HTTP/1.1 {answer}"));
        let error = fetch_with(&mut client(), &url(&server, "/"), |it| it.resume(2)).unwrap_err();
        assert_eq!(
            matches!(error.kind(), ErrorKind::CannotResume),
            is_no_resuming,
            "{answer:?}: {error}"
        );
    }
    // No range was requested.
    let server =
        server("HTTP/1.1 206 P\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nhello");
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

#[test]
fn the_length_of_a_body_is_limited() {
    let is_refused = |answer: &'static str| {
        let error = fails(
            &mut Client::new(policy().max_bytes(4)),
            &url(&server(answer), "/"),
        );
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { max: 4 }))
    };
    assert!(is_refused(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    ));
    assert!(is_refused("HTTP/1.1 200 OK\r\n\r\nhello"));
    assert!(is_refused(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    ));
}

#[test]
fn invalid_http_urls_are_refused_before_connecting() {
    for text in ["http:abc", "http://", "http:///a", "https:"] {
        let error = fails(&mut client(), text);
        let is_read = matches!(error.kind(), ErrorKind::Url(UrlError::Read(_)));
        assert!(is_read, "{error}");
        assert!(error.rendered().is_empty());
    }
}

#[test]
fn a_port_above_65535_was_found_but_is_too_high() {
    for url in ["http://h:99999/", "ftp://h:65536/", "gopher://h:70000/"] {
        let uri = Uri::parse(url).unwrap();
        let planned = client().plan(&Request::new(uri)).unwrap_err();
        for error in [planned, fails(&mut client(), url)] {
            let is_range = matches!(error.kind(), ErrorKind::Url(UrlError::PortRange));
            assert!(is_range, "{url}: {error}");
            let message = error.to_string();
            assert!(message.ends_with("65535, found a higher one"), "{message}");
        }
    }
}
