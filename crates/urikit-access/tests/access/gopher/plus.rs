//! Gopher+: heads of replies, errors, attributes and views.

use super::{detail, get, get_fails, replies, short};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fetch, fetch_with, plan};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use urikit_access::policy::Refusal;
use urikit_access::{ErrorKind, Wanted};
use urikit_testkit::servers::Scripted;

/// Data ends in one of three ways (Gopher+, 2.3).
#[test]
fn data_ends_as_the_head_announces() {
    for (reply, body, size) in [
        (&b"+5\r\nhello"[..], &b"hello"[..], Some(5)),
        (b"+0\r\n", b"", Some(0)),
        (b"+12\nhello\r\n.\r\n..", b"hello\r\n.\r\n..", Some(12)),
        (b"+-2\r\na\r\n.\r\n..b", b"a\r\n.\r\n..b", None),
        (b"+-2\r\n", b"", None),
        (b"+-1\r\nhello\r\n.\r\n", b"hello\r\n", None),
        (b"+-1\r\nhello\r\n..\r\n.\r\n", b"hello\r\n.\r\n", None),
        (b"+-1\r\n.\r\n", b"", None),
        // The rest is ignored.
        (b"+-1\r\nhello\r\n.\r\nmore", b"hello\r\n", None),
    ] {
        for path in ["0a%09%09+", "9a%09%09+", "0a%09%09+text/plain%20En_US"] {
            let (response, buffer) = get(&replies(reply), path).unwrap();
            assert_eq!(
                buffer.bytes,
                body,
                "{path} {:?}",
                reply.escape_ascii().to_string()
            );
            assert_eq!(response.metadata.size, size);
            let first = reply
                .split(|octet| matches!(octet, b'\r' | b'\n'))
                .next()
                .unwrap();
            let step = format!("< {}", String::from_utf8_lossy(first));
            assert!(
                response.rendered().contains(&step),
                "{:?}",
                response.rendered()
            );
        }
    }
}

/// A wrong length and a missing last line are errors.
#[test]
fn wrong_lengths_are_errors() {
    for path in ["0a%09%09+", "9a%09%09+", "1a%09%09+", "0a%09%09+text/plain"] {
        let error = get_fails(&replies("+40\r\niA\t\t\t\r\n"), path);
        let ErrorKind::EndedEarly {
            expected: Some(40),
            received: 7,
        } = error.kind()
        else {
            panic!("{path}: {error}");
        };
        let error = get_fails(&replies("+7\r\niA\t\t\t\r\niB\t\t\t\r\n"), path);
        assert!(
            matches!(error.kind(), ErrorKind::TooManyBytes { expected: 7 }),
            "{path}: {error}"
        );
        let error = get_fails(&replies("+99999999999999999999\r\nhello"), path);
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
            "{path}: {error}"
        );
        for reply in [
            "+-1\r\niA\t\t\t\r\n",
            "+-1\r\niA\t\t\t\r\n.",
            "+-1\r\n",
            "+-1\r\niA\t\t\t\r\n.\r",
        ] {
            let error = get_fails(&replies(reply), path);
            assert!(
                matches!(error.kind(), ErrorKind::EndedEarly { expected: None, .. }),
                "{path} {reply:?}: {error}"
            );
        }
        for reply in ["+-3\r\nhello", "--0\r\n"] {
            let error = get_fails(&replies(reply), path);
            assert!(
                matches!(error.kind(), ErrorKind::Protocol(_)),
                "{path} {reply:?}: {error}"
            );
        }
        // The head is truncated.
        for reply in ["+", "+-", "+1", "+5\r", "-"] {
            let error = get_fails(&replies(reply), path);
            assert!(
                matches!(error.kind(), ErrorKind::EndedEarly { .. }),
                "{reply:?}: {error}"
            );
        }
    }
    for path in ["0a%09%09!", "1a%09%09$", "0a%09%09?"] {
        let error = get_fails(&replies("+90\r\n+INFO: 0a\ta\th\t70\t+\r\n"), path);
        assert!(
            matches!(error.kind(), ErrorKind::EndedEarly { .. }),
            "{path}: {error}"
        );
        let error = get_fails(&replies("+-1\r\n+INFO: 0a\ta\th\t70\t+\r\n"), path);
        assert!(
            matches!(error.kind(), ErrorKind::EndedEarly { .. }),
            "{path}: {error}"
        );
        let error = get_fails(&replies("+24\r\n+INFO: 0a\ta\th\t70\t+\r\n+ASK:\r\n"), path);
        assert!(
            matches!(error.kind(), ErrorKind::TooManyBytes { .. }),
            "{path}: {error}"
        );
    }
}

/// An error has a code and text (Gopher+, 2.3).
#[test]
fn errors_quote_the_text_of_the_server() {
    for reply in [
        "--1\r\n1 Frodo <fng@bogus.edu>\r\nNot available.\r\n.\r\n",
        "--2\r\n1 Frodo <fng@bogus.edu>\r\nNot available.\r\n",
        "-41\r\n1 Frodo <fng@bogus.edu>\r\nNot available.\r\n",
        // A reply that begins with `-` is an error even if its end is not marked correctly.
        "--1\r\n1 Frodo <fng@bogus.edu>\r\nNot available.",
        "-9999\r\n1 Frodo <fng@bogus.edu>\r\nNot available.\r\n",
    ] {
        for path in [
            "0a%09%09+",
            "1a%09%09+",
            "0a%09%09!",
            "1a%09%09$",
            "0a%09%09?",
        ] {
            let error = get_fails(&replies(reply), path);
            assert!(error.kind().is_denial(), "{path}: {error}");
            let text = "1 Frodo <fng@bogus.edu>\\r\\nNot available.";
            assert!(error.to_string().contains(text), "{error}");
        }
    }
    let error = get_fails(
        &replies(["--2\r\n", &"x".repeat(1 << 16)].concat()),
        "0a%09%09+",
    );
    assert!(
        error.kind().is_denial() && error.to_string().len() < 500,
        "{error}"
    );
}

/// Code 3 ("item has moved") comes with the new location, to which the policy applies (Gopher+,
/// 2.3).
#[test]
fn an_item_that_has_moved_is_followed() {
    let there = replies("+5\r\nhello");
    let port = there.port;
    let moved = move |kind: &'static str, selector: &'static str| {
        replies(format!(
            "--1\r\n3 {kind}Here\t{selector}\t127.0.0.1\t{port}\t+\r\nIt moved.\r\n.\r\n"
        ))
    };
    for path in ["0a%09%09+", "0a%09%09!"] {
        let (response, buffer) = get(&moved("0", "b"), path).unwrap();
        assert_eq!(buffer.bytes, b"hello");
        assert_eq!(
            response.final_uri,
            format!("gopher://127.0.0.1:{port}/0b%09%09+")
        );
    }
    for (kind, selector) in [
        ("8", "root"),
        ("T", ""),
        ("h", "URL:file:///etc/passwd"),
        ("h", "URL:mailto:a@b"),
    ] {
        let error = get_fails(&moved(kind, selector), "0a%09%09+");
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Scheme { .. })),
            "{error}"
        );
    }
    // The new location of the item is the old one.
    let port = Arc::new(AtomicU16::new(0));
    let own = Arc::clone(&port);
    let circle = Scripted::start(move |client| {
        client.line();
        let port = own.load(Ordering::SeqCst);
        client.say(format!("--1\r\n3 0Here\ta\t127.0.0.1\t{port}\t+\r\n.\r\n"));
    });
    port.store(circle.port, Ordering::SeqCst);
    let error = get_fails(&circle, "0a%09%09+");
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::RedirectLoop { max: 10, .. })
        ),
        "{error}"
    );
}

const FRODO: &str = "+INFO: 0Salmon dogs\tsome selector\thost2\t70\t+\r\n\
    +ADMIN:\r\n \
     Admin: Frodo Gophermeister <fng@bogus.edu>\r\n \
     Mod-Date: August 15, 1992 <19920815185503>\r\n\
    +VIEWS:\r\n \
     Text/plain: <10k>\r\n \
     application/Postscript De_DE: <100k>\r\n\
    +ABSTRACT:\r\n \
     A great recipe\r\n \
     for making salmon\r\n";
const BILBO: &str = "+INFO: 1Hot pups\tother selector\thost3\t7070\t+\r\n\
    +ADMIN:\r\n \
     Admin: Bilbo Gophernovice <bng@bogus.edu>\r\n \
     Mod-Date: <19910101080003>\r\n\
    +VIEWS:\r\n \
     application/gopher-menu: <1234>\r\n\
    +KEYWORDS:\r\n \
     pups\r\n\
    +ASK:\r\n \
     Ask: Hot?\r\n";

/// The blocks of an item become metadata and the body (Gopher+, 2.5).
#[test]
fn attributes_of_an_item() {
    for head in ["+-2\r\n", "+-1\r\n"] {
        let end = if head == "+-1\r\n" { ".\r\n" } else { "" };
        let reply = format!("{head}{FRODO}{end}");
        let (response, buffer) = get(&replies(reply.clone()), "0a%09%09!").unwrap();
        assert_eq!(String::from_utf8_lossy(&buffer.bytes), FRODO);
        assert_eq!(response.metadata.media_type.as_deref(), Some("text/plain"));
        let names: Vec<&str> = response
            .metadata
            .attributes
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["+INFO", "+ADMIN", "+VIEWS", "+ABSTRACT"]);
        assert_eq!(
            response.metadata.attributes[3].1,
            "A great recipe\nfor making salmon"
        );
        // "It is the client's responsibility to inspect the returned attributes" (2.7).
        let path = "0a%09%09!+ABSTRACT%20+SMELL";
        let (response, buffer) = get(&replies(reply), path).unwrap();
        let text = "+ABSTRACT:\r\n A great recipe\r\n for making salmon\r\n";
        assert_eq!(String::from_utf8_lossy(&buffer.bytes), text);
        assert_eq!(response.metadata.attributes.len(), 1);
    }
}

/// Metadata comes from attributes or, without Gopher+, from the type in the URL.
#[test]
fn metadata_of_an_item() {
    let ask = |server: &Scripted, path: &str| {
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        fetch_with(&mut client(), &url, |request| {
            request.wanted(Wanted::Metadata)
        })
    };
    let (response, buffer) = ask(&replies(format!("+-2\r\n{FRODO}")), "0a").unwrap();
    assert_eq!(response.metadata.media_type.as_deref(), Some("text/plain"));
    assert_eq!(
        response.metadata.modified.unwrap().to_string(),
        "1992-08-15T18:55:03Z"
    );
    assert_eq!(response.metadata.attributes[2].0, "+VIEWS");
    assert!(buffer.bytes.is_empty());
    // The client requests the view in the URL, not the first view that the server lists.
    let (response, _) = ask(
        &replies(format!("+-2\r\n{FRODO}")),
        "0a%09%09+application/postscript",
    )
    .unwrap();
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("application/postscript")
    );
    let (response, _) = ask(&replies("+-2\r\n+INFO: 9a\ta\th\t70\t+\r\n"), "9a").unwrap();
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("application/octet-stream")
    );
    for (path, media_type, is_listing) in [
        ("0a", Some("text/plain"), false),
        ("ga", Some("image/gif"), false),
        ("1a", Some("application/gopher-menu"), true),
        ("xa", None, false),
    ] {
        // If the server sends the item instead, its data is not passed on.
        let (response, buffer) = ask(&replies("hello\r\n.\r\n"), path).unwrap();
        assert_eq!(response.metadata.media_type.as_deref(), media_type);
        assert_eq!(response.metadata.is_listing, is_listing);
        assert!(
            response.metadata.attributes.is_empty()
                && buffer.bytes.is_empty()
                && buffer.entries.is_empty()
        );
        assert!(
            response
                .rendered()
                .iter()
                .any(|event| event.starts_with("the server does not support Gopher+")),
            "{:?}",
            response.rendered()
        );
        let error = ask(&replies("3No\t\terror.host\t1\r\n.\r\n"), path).unwrap_err();
        assert!(error.kind().is_denial(), "{error}");
        let error = ask(&replies(""), path).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::EndedEarly { .. }),
            "{error}"
        );
    }
}

/// A request can ask for the attributes of all items in a directory (Gopher+, 2.7).
#[test]
fn attributes_of_a_directory_are_a_listing() {
    let (response, buffer) = get(&replies(format!("+-2\r\n{FRODO}{BILBO}")), "1a%09%09$").unwrap();
    assert!(response.metadata.is_listing && buffer.bytes.is_empty());
    let entries: Vec<_> = buffer.entries.iter().map(short).collect();
    assert_eq!(
        entries,
        [
            (
                "file",
                "Salmon dogs",
                "gopher://host2/0some%20selector%09%09+"
            ),
            (
                "directory",
                "Hot pups",
                "gopher://host3:7070/1other%20selector%09%09+"
            ),
        ]
    );
    let dates: Vec<String> = buffer
        .entries
        .iter()
        .map(|entry| entry.modified.unwrap().to_string())
        .collect();
    assert_eq!(dates, ["1992-08-15T18:55:03Z", "1991-01-01T08:00:03Z"]);
    // `10k` is not a number of bytes.
    assert_eq!(
        (buffer.entries[0].size, buffer.entries[1].size),
        (None, Some(1234))
    );
    let views = "Text/plain: <10k>\napplication/Postscript De_DE: <100k>";
    assert_eq!(detail(&buffer.entries[0], "views"), views);
    assert_eq!(
        detail(&buffer.entries[0], "abstract"),
        "A great recipe\nfor making salmon"
    );
    assert!(detail(&buffer.entries[0], "admin").starts_with("Admin: Frodo"));
    assert_eq!(detail(&buffer.entries[1], "attribute"), "+KEYWORDS: pups");
    assert_eq!(detail(&buffer.entries[1], "ask"), "Ask: Hot?");
    for reply in [
        "+-2\r\nhello\r\n",
        "+-2\r\n+ADMIN:\r\n Admin: <a@b>\r\n",
        "+-2\r\n +INFO: 0a\r\n",
    ] {
        let error = get_fails(&replies(reply), "1a%09%09$");
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{reply:?}: {error}"
        );
    }
}

/// The name of a view is a media type (RFC 1738, 3.4.8). A view that is a menu becomes a listing.
#[test]
fn a_view_has_its_media_type() {
    let (response, buffer) = get(
        &replies("+4\r\n%!PS"),
        "0a%09%09+application/Postscript%20Es_ES",
    )
    .unwrap();
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("application/postscript")
    );
    assert_eq!(buffer.bytes, b"%!PS");
    let (response, buffer) = get(
        &replies("+-2\r\niA\t\t\t\r\n"),
        "0a%09%09+application/gopher-menu",
    )
    .unwrap();
    assert!(response.metadata.is_listing && buffer.entries.len() == 1);
    let (response, buffer) = get(&replies("+1\r\nx"), "1a%09%09+GView").unwrap();
    assert!(!response.metadata.is_listing && buffer.bytes == b"x");
}

/// A server without Gopher+ sends the item. Requesting a view or attributes requires Gopher+.
#[test]
fn a_server_without_gopher_plus() {
    let (response, buffer) = get(&replies("hello\r\n.\r\n"), "0a%09%09+").unwrap();
    assert_eq!(buffer.bytes, b"hello\r\n");
    assert!(
        response
            .rendered()
            .iter()
            .any(|step| step == "the server does not support Gopher+"),
        "{:?}",
        response.rendered()
    );
    // The first bytes look like a head.
    let (_, buffer) = get(&replies("+1 is a number\r\n.\r\n"), "0a%09%09+").unwrap();
    assert_eq!(buffer.bytes, b"+1 is a number\r\n");
    let error = get_fails(&replies("3No\t\terror.host\t1\r\n.\r\n"), "0a%09%09+");
    assert!(error.kind().is_denial(), "{error}");
    for path in [
        "0a%09%09+text/plain",
        "0a%09%09!",
        "0a%09%09!+ADMIN",
        "1a%09%09$",
        "0a%09%09?",
    ] {
        let error = get_fails(&replies("hello\r\n.\r\n"), path);
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{path}: {error}"
        );
        assert!(error.to_string().contains("received \"hello"), "{error}");
        let error = get_fails(&replies("3No\t\terror.host\t1\r\n.\r\n"), path);
        assert!(error.kind().is_denial(), "{path}: {error}");
    }
}

/// If the server cannot select attributes, the client requests all of them.
#[test]
fn selected_attributes_of_a_server_that_sends_all() {
    let server = Scripted::start(|client| {
        if client.line().is_some_and(|line| line.ends_with("\t!")) {
            client.say("+-2\r\n");
            client.say(FRODO);
        } else {
            client.say("the item itself\r\n");
        }
    });
    let url = format!("gopher://127.0.0.1:{}/0a%09%09!+ABSTRACT", server.port);
    let planned = plan(&client(), &url).unwrap();
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    assert_as_planned(&planned, &response.rendered());
    assert_eq!(server.log(), ["a\t\t!+ABSTRACT", "a\t\t!"]);
    assert_eq!(
        buffer.bytes,
        b"+ABSTRACT:\r\n A great recipe\r\n for making salmon\r\n"
    );
}
