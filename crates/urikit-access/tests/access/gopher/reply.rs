//! Replies as RFC 1436 defines them: text, menus and binaries.

use super::{detail, get, get_fails, replies, short};
use crate::support::Rendered as _;
use std::time::Duration;
use urikit_access::Class;
use urikit_access::Event;
use urikit_testkit::servers::Scripted;

/// A full stop alone on a line ends text, and one at the beginning of a line is doubled (RFC 1436,
/// Appendix).
#[test]
fn text_ends_with_a_full_stop() {
    for (sent, text, is_noted) in [
        (&b"hello\r\n.\r\n"[..], &b"hello\r\n"[..], false),
        (b"hello\n.\n", b"hello\n", false),
        (b".\r\n", b"", false),
        (b"..\r\n.\r\n", b".\r\n", false),
        (b"..a\r\na..\r\n...\r\n.\r\n", b".a\r\na..\r\n..\r\n", false),
        // If the last line is missing, the end of the connection is accepted and recorded.
        (b"hello\r\n", b"hello\r\n", true),
        (b"hello", b"hello", true),
        (b"hello\r\n..", b"hello\r\n.", true),
        (b"hello\r\n.\r", b"hello\r\n", false),
        (b"hello\r\n.", b"hello\r\n", false),
        // If anything follows a full stop alone on a line, that line was not the last one.
        (b"a\r\n.\r\nb\r\n", b"a\r\n.\r\nb\r\n", true),
        (b"a\n.\n.\n.\nb\n.\n", b"a\n.\n.\n.\nb\n", false),
        // Some servers do not double full stops.
        (b".profile\r\n.\rx\r\n.\r\n", b".profile\r\n.\rx\r\n", false),
        (b"\xff\0\t\r\n.\r\n", b"\xff\0\t\r\n", false),
        (b"\r\n\r\n.\r\n", b"\r\n\r\n", false),
        (b"3 is a number\r\n.\r\n", b"3 is a number\r\n", false),
        (b"3\r\n.\r\n", b"3\r\n", false),
        (
            b"3a\tb\tc\t1\r\nmore\r\n.\r\n",
            b"3a\tb\tc\t1\r\nmore\r\n",
            false,
        ),
        (b"+5\r\nhello\r\n.\r\n", b"+5\r\nhello\r\n", false),
    ] {
        for path in ["0a", "4a", "6a", "3a", "ia"] {
            // The reply arrives in one piece, or byte by byte.
            for pieces in [usize::MAX, 1] {
                let server = Scripted::start(move |client| {
                    client.line();
                    for piece in sent.chunks(pieces.min(sent.len())) {
                        client.say(piece);
                    }
                });
                let (response, buffer) = get(&server, path).unwrap();
                assert_eq!(
                    buffer.bytes,
                    text,
                    "{path}: {:?}",
                    sent.escape_ascii().to_string()
                );
                let noted = response
                    .rendered()
                    .iter()
                    .any(|step| step.contains("without a full stop"));
                assert_eq!(
                    noted,
                    is_noted,
                    "{:?}: {:?}",
                    sent.escape_ascii().to_string(),
                    response.rendered()
                );
            }
        }
    }
}

/// The length of a line of text is not limited.
#[test]
fn lines_of_text_may_be_long() {
    let long = "x".repeat(1 << 20);
    let server = replies(format!("{long}\r\n..{long}\r\n.\r\n"));
    let (_, buffer) = get(&server, "0a").unwrap();
    assert_eq!(buffer.bytes, format!("{long}\r\n.{long}\r\n").as_bytes());
}

/// Binaries end with the connection (RFC 1436, 3.8), and full stops have no meaning.
#[test]
fn binaries_end_with_the_connection() {
    let body = b"\x89PNG\r\n\x1a\n..\r\n.\r\n\xff\0";
    for path in [
        "9a", "5a", "Ia", "sa", "xa", "%FFa", "+a", ":a", ";a", "%3Ca", "Ma",
    ] {
        let (response, buffer) = get(&replies(body), path).unwrap();
        assert_eq!(buffer.bytes, body, "{path}");
        assert_eq!(response.received, 17);
    }
}

#[test]
fn the_media_type_by_item_type_and_by_first_bytes() {
    for (path, body, media_type) in [
        ("0a", &b"\x89PNG\r\n\x1a\n"[..], Some("text/plain")),
        ("4a", b"a", Some("application/mac-binhex40")),
        ("6a", b"a", Some("text/x-uuencode")),
        ("ga", b"GIF89a", Some("image/gif")),
        ("ha", b"<p>", Some("text/html")),
        ("9a", b"\x89PNG\r\n\x1a\n", Some("image/png")),
        ("5a", b"PK\x03\x04", Some("application/zip")),
        ("9a", b"abc", Some("application/octet-stream")),
        ("Ia", b"\x89PNG\r\n\x1a\n", Some("image/png")),
        ("Ia", b"abc", None),
        ("xa", b"%PDF-1.4", Some("application/pdf")),
        ("1a", b".\r\n", Some("application/gopher-menu")),
    ] {
        let (response, _) = get(&replies(body), path).unwrap();
        assert_eq!(
            response.metadata.media_type.as_deref(),
            media_type,
            "{path}"
        );
    }
}

/// RFC 1436, 2: every line becomes an entry.
#[test]
fn a_menu_is_a_listing() {
    let menu = "iWelcome\t\tnull.host\t1\r\n\
        0About internet Gopher\tStuff:About us\trawBits.micro.umn.edu\t70\r\n\
        1Around University\tZ,5692,AUM\tunderdog.micro.umn.edu\t7070\r\n\
        7Find\t/find\th\t70\r\n\
        8Library\tmelvyl\th\t23\r\n\
        TMainframe\tvm\th\t24\r\n\
        2Phones\t\th\t105\r\n\
        hWeb\tURL:http://example.org/\th\t70\r\n\
        hFiles\tURL:file:///etc/passwd\th\t70\r\n\
        +Find again\t/find\ti\t70\r\n\
        1Plus\t/p\th\t70\t+\r\n\
        0Form\t/f\th\t70\t?\r\n\
        xUnknown\t/u\th\t70\r\n\
        9Bad\t/b\th\t99999\r\n\
        just text\r\n\
        \r\n\
        .\r\n";
    for path in ["1a", "", "7a%09b"] {
        let (response, buffer) = get(&replies(menu), path).unwrap();
        assert!(response.metadata.is_listing);
        let entries: Vec<_> = buffer.entries.iter().map(short).collect();
        assert_eq!(
            entries,
            [
                ("text", "Welcome", "-"),
                (
                    "file",
                    "About internet Gopher",
                    "gopher://rawBits.micro.umn.edu/0Stuff:About%20us"
                ),
                (
                    "directory",
                    "Around University",
                    "gopher://underdog.micro.umn.edu:7070/1Z,5692,AUM"
                ),
                ("search", "Find", "gopher://h/7/find"),
                ("session", "Library", "telnet://melvyl@h:23"),
                ("session", "Mainframe", "tn3270://vm@h:24"),
                ("search", "Phones", "gopher://h:105/2"),
                ("file", "Web", "http://example.org/"),
                ("file", "Files", "file:///etc/passwd"),
                ("file", "Find again", "gopher://i/h/find"),
                ("directory", "Plus", "gopher://h/1/p%09%09+"),
                ("form", "Form", "gopher://h/0/f%09%09%3F"),
                ("other", "Unknown", "gopher://h/x/u"),
                ("error", "Bad", "-"),
                ("text", "just text", "-"),
                ("text", "", "-"),
            ]
        );
        assert_eq!(
            detail(&buffer.entries[13], "lacks"),
            "a port from 0 to 65535"
        );
        assert_eq!(detail(&buffer.entries[13], "port"), "99999");
        assert_eq!(detail(&buffer.entries[10], "extra"), "+");
        assert_eq!(detail(&buffer.entries[10], "type"), "1");
        assert_eq!(detail(&buffer.entries[10], "selector"), "/p");
        assert_eq!(detail(&buffer.entries[10], "host"), "h");
    }
}

#[test]
fn a_menu_may_end_with_the_connection() {
    for (menu, count, is_noted) in [
        ("iA\t\t\t\r\n", 1, true),
        ("iA\t\t\t", 1, true),
        (".\r\n", 0, false),
        (".", 0, false),
        ("iA\t\t\t\n.\n", 1, false),
        // The full stop was not the last line, so no item is lost.
        ("iA\t\t\t\r\n.\r\niB\t\t\t\r\n.\r\n", 3, false),
    ] {
        let (response, buffer) = get(&replies(menu), "1a").unwrap();
        assert_eq!(
            buffer.entries.len(),
            count,
            "{menu:?}: {:?}",
            buffer.entries
        );
        let noted = response
            .rendered()
            .iter()
            .any(|step| step.contains("without a full stop"));
        assert_eq!(noted, is_noted, "{menu:?}");
    }
}

/// A line of type 3 in place of another reply is an error.
#[test]
fn an_error_of_the_server_is_an_error() {
    let line = "3'/nope' does not exist\t\terror.host\t1\r\n";
    for end in ["", ".\r\n", "."] {
        for path in ["0a", "9a", "ga", "ha", "1a", "7a%09b"] {
            let error = get_fails(&replies(format!("{line}{end}")), path);
            assert!(error.kind().is_denial(), "{path}: {error}");
            assert!(error.to_string().contains("does not exist"), "{error}");
            assert!(error.to_string().contains("sent \"a"), "{error}");
            assert_eq!(error.class(), Class::Failed);
        }
    }
    // Among other items, a line of type 3 is an entry.
    let menu = format!("{line}1Top\t\th\t70\r\n.\r\n");
    let (_, buffer) = get(&replies(menu), "1a").unwrap();
    assert_eq!(
        short(&buffer.entries[0]),
        ("error", "'/nope' does not exist", "-")
    );
}

/// If `patience` is zero, the client accepts the reply without waiting for more.
#[test]
fn zero_patience_succeeds() {
    let server = Scripted::start(|client| {
        client.line();
        client.say("hello\r\n.\r\n");
        client.hang();
    });
    let gopher = urikit_access::protocol::gopher::GopherProtocol::new();
    let gopher = gopher.patience(std::time::Duration::ZERO);
    let mut client = crate::support::client().protocol(gopher);
    let url = format!("gopher://127.0.0.1:{}/0a", server.port);
    let (response, buffer) = crate::support::fetch(&mut client, &url).unwrap();
    assert_eq!(buffer.bytes, b"hello\r\n");
    assert_eq!(
        response.rendered().last().unwrap(),
        "received nothing more for 0 s"
    );
}

/// A server may leave the connection open after the last line. The client waits only briefly for
/// the end of the connection.
#[test]
fn a_connection_may_stay_open_after_the_last_line() {
    for (reply, path) in [
        ("hello\r\n.\r\n", "0a"),
        ("iA\t\t\t\r\n.\r\n", "1a"),
        ("+5\r\nhello", "0a%09%09+"),
        ("+-1\r\nhello\r\n.\r\n", "0a%09%09+"),
    ] {
        let server = Scripted::start(move |client| {
            client.line();
            client.say(reply);
            client.hang();
        });
        let begin = std::time::Instant::now();
        let gopher = urikit_access::protocol::gopher::GopherProtocol::new();
        let gopher = gopher.patience(std::time::Duration::from_millis(200));
        let mut client = crate::support::client().protocol(gopher);
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let (response, buffer) = crate::support::fetch(&mut client, &url).unwrap();
        // After `+-1`, everything after the last line is ignored, so the client does not wait.
        let waits = !reply.starts_with("+-1");
        let quiet = Event::Quiet(Duration::from_millis(200));
        let waited = response.events.iter().filter(|event| **event == quiet);
        assert_eq!(
            waited.count(),
            usize::from(waits),
            "{:?}",
            response.rendered()
        );
        assert_eq!(
            buffer.bytes.starts_with(b"hello"),
            buffer.entries.is_empty(),
            "{reply:?}"
        );
        assert!(
            begin.elapsed() < std::time::Duration::from_millis(1500),
            "{reply:?}"
        );
    }
}
