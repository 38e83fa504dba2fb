//! Resumed transfers: the end of one version is never appended to the beginning of another.

use super::{request, url};
use crate::support::Rendered as _;
use crate::support::{client, fetch, fetch_with};
use urikit_access::protocol::HttpProtocol;
use urikit_testkit::servers::Scripted;

const TAG: &str = "\"one\"";

/// Starts a server with a body of ten bytes whose entity tag is `tag`. The server ignores the
/// fields `Range` and `If-Range` if `ignores` contains their names.
fn server(tag: &'static str, ignores: &'static str) -> Scripted {
    Scripted::start(move |client| {
        while let Some(lines) = request(client) {
            let field = |name: &str| {
                let prefix = format!("{name}: ");
                let value = lines.iter().find_map(|line| line.strip_prefix(&prefix));
                value.filter(|_| !ignores.split(' ').any(|ignored| ignored == name))
            };
            let from: Option<usize> = field("Range").map(|range| {
                let from = range.strip_prefix("bytes=").unwrap();
                from.strip_suffix('-').unwrap().parse().unwrap()
            });
            let is_same = field("If-Range").is_none_or(|validator| validator == tag);
            let body = if tag == TAG {
                "0123456789"
            } else {
                "abcdefghij"
            };
            client.say(match from.filter(|_| is_same) {
                None => {
                    let body = if lines[0].starts_with("HEAD") {
                        ""
                    } else {
                        body
                    };
                    format!("HTTP/1.1 200 OK\r\nETag: {tag}\r\nContent-Length: 10\r\n\r\n{body}")
                }
                Some(10..) => {
                    "HTTP/1.1 416 No\r\nContent-Range: bytes */10\r\nContent-Length: 0\r\n\r\n"
                        .into()
                }
                Some(from) => format!(
                    "HTTP/1.1 206 Part\r\nETag: {tag}\r\nContent-Range: bytes {from}-9/10\r\n\
                     Content-Length: {}\r\n\r\n{}",
                    10 - from,
                    &body[from..]
                ),
            });
        }
    })
}

fn started_over(steps: &[String]) -> bool {
    steps.iter().any(|step| step.starts_with("starting over"))
}

#[test]
fn the_same_version_is_resumed() {
    let server = server(TAG, "");
    let (response, buffer) = fetch_with(&mut client(), &url(&server, "/"), |it| {
        it.resume_version(4, TAG)
    })
    .unwrap();
    assert_eq!(
        (&buffer.bytes[..], buffer.metadata.offset),
        (&b"456789"[..], 4)
    );
    assert!(!started_over(&response.rendered()));
    assert!(
        server.log().contains(&"If-Range: \"one\"".to_owned()),
        "{:?}",
        server.log()
    );
    assert_eq!(response.metadata.validator.as_deref(), Some(TAG));
}

/// Two versions are never mixed, even if the server ignores `If-Range` or ranges, or if the length
/// is the same.
#[test]
fn another_version_is_fetched_from_its_beginning() {
    for ignores in ["", "If-Range", "Range", "Range If-Range"] {
        for offset in [4, 10, 12] {
            let server = server("\"two\"", ignores);
            let (response, buffer) = fetch_with(&mut client(), &url(&server, "/"), |it| {
                it.resume_version(offset, TAG)
            })
            .unwrap();
            let body = (&buffer.bytes[..], buffer.metadata.offset);
            assert_eq!(body, (&b"abcdefghij"[..], 0), "{ignores} {offset}");
            assert!(started_over(&response.rendered()), "{ignores} {offset}");
            assert_eq!((response.received, response.metadata.size), (10, Some(10)));
        }
    }
}

/// A strong validator is a strong entity tag or, without a tag, a strong date (RFC 9110, 13.1.5).
#[test]
fn only_strong_validators_are_kept() {
    const MODIFIED: &str = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
    for (fields, validator) in [
        ("ETag: \"a b\"", Some("\"a b\"")),
        ("ETag: \"\"", Some("\"\"")),
        ("ETag: W/\"a\"", None),
        ("ETag: a", None),
        ("ETag: \"a\"\r\nETag: \"b\"", None),
        (
            "Date: Sun, 06 Nov 1994 08:49:38 GMT",
            Some("Sun, 06 Nov 1994 08:49:37 GMT"),
        ),
        ("Date: Sun, 06 Nov 1994 08:49:37 GMT", None),
        ("Date: Sun, 06 Nov 1994 08:49:36 GMT", None),
        ("Date: now", None),
        ("X: y", None),
        ("ETag: W/\"a\"\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT", None),
    ] {
        let head =
            format!("HTTP/1.1 200 OK\r\n{MODIFIED}\r\n{fields}\r\nContent-Length: 0\r\n\r\n");
        let server = super::server(head);
        let (response, _) = fetch(&mut client(), &url(&server, "/")).unwrap();
        assert_eq!(
            response.metadata.validator.as_deref(),
            validator,
            "{fields}"
        );
    }
}

/// Starts a server with a body of ten bytes. The server refuses requests for the rest of the body
/// with `fields`, and responds to HEAD with the status line and the fields in `head`.
fn refusing(fields: &'static str, head: &'static str) -> Scripted {
    Scripted::start(move |client| {
        while let Some(lines) = request(client) {
            let is_part = lines.iter().any(|line| line.starts_with("Range: "));
            client.say(if lines[0].starts_with("HEAD") {
                assert!(!is_part, "{lines:?}");
                assert!(lines.contains(&"Accept-Encoding: identity".to_owned()));
                format!("HTTP/1.1 {head}\r\n\r\n")
            } else if is_part {
                format!("HTTP/1.1 416 No\r\n{fields}Content-Length: 0\r\n\r\n")
            } else {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcdefghij".to_owned()
            });
        }
    })
}

/// If the earlier transfer was complete, a 416 means success, provided that the size is the same
/// and the version has not changed. If the response does not state this, the client asks the
/// server.
#[test]
fn a_complete_body_is_not_fetched_again() {
    const SIZE: &str = "Content-Range: bytes */10\r\n";
    const SAME: &str = "Content-Range: bytes */10\r\nETag: \"one\"\r\n";
    const OTHER: &str = "Content-Range: bytes */10\r\nETag: \"two\"\r\n";
    const LONGER: &str = "Content-Range: bytes */11\r\nETag: \"one\"\r\n";
    const HEAD: &str = "200 OK\r\nETag: \"one\"\r\nContent-Length: 10";
    const HEAD_OTHER: &str = "200 OK\r\nETag: \"two\"\r\nContent-Length: 10";
    const HEAD_LONGER: &str = "200 OK\r\nETag: \"one\"\r\nContent-Length: 11";
    const HEAD_SIZE: &str = "200 OK\r\nContent-Length: 10";
    const HEAD_REFUSED: &str = "405 No\r\nContent-Length: 0";
    for (fields, head, is_complete, asks) in [
        (SAME, HEAD_OTHER, true, false),
        (OTHER, HEAD, false, false),
        (LONGER, HEAD, false, false),
        // nginx responds in this way, because it compares the version before the range (RFC 9110,
        // 13.2.2).
        (SIZE, HEAD, true, true),
        (SIZE, HEAD_OTHER, false, true),
        (SIZE, HEAD_LONGER, false, true),
        (SIZE, HEAD_SIZE, true, true),
        (SIZE, HEAD_REFUSED, true, true),
        // The 416 does not state the size.
        ("", HEAD, true, true),
        ("", HEAD_OTHER, false, true),
        ("", HEAD_LONGER, false, true),
        ("", HEAD_SIZE, false, true),
        ("", HEAD_REFUSED, false, true),
        ("ETag: \"two\"\r\n", HEAD, false, false),
        ("Content-Range: bytes 0-9/10\r\n", HEAD, false, false),
    ] {
        let server = refusing(fields, head);
        let http = HttpProtocol::new().compressed(true);
        let (response, buffer) =
            fetch_with(&mut super::asked::with(http), &url(&server, "/"), |it| {
                it.resume_version(10, TAG)
            })
            .unwrap();
        let what = format!("{fields:?} {head:?}");
        let asked = server.log().iter().any(|line| line.starts_with("HEAD "));
        assert_eq!(asked, asks, "{what}");
        assert_eq!(started_over(&response.rendered()), !is_complete, "{what}");
        if is_complete {
            assert_eq!((buffer.bytes.len(), buffer.metadata.offset), (0, 10));
            assert_eq!(response.metadata.size, Some(10), "{what}");
        } else {
            assert_eq!(buffer.bytes, b"abcdefghij", "{what}");
        }
    }
}

/// The validator may also be a date, which a response need not repeat.
#[test]
fn a_date_is_compared_too() {
    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const SAME: &str =
        "Content-Range: bytes */10\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    const OTHER: &str =
        "Content-Range: bytes */10\r\nLast-Modified: Sun, 06 Nov 1994 08:49:38 GMT\r\n";
    for (fields, is_complete) in [(SAME, true), (OTHER, false)] {
        let server = refusing(fields, "500 No");
        let (response, _) = fetch_with(&mut client(), &url(&server, "/"), |it| {
            it.resume_version(10, DATE)
        })
        .unwrap();
        assert_eq!(started_over(&response.rendered()), !is_complete);
        assert!(!server.log().iter().any(|line| line.starts_with("HEAD ")));
    }
}
