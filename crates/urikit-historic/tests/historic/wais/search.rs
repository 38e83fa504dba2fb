//! Searches with answers that were not recorded.

use super::{get, get_fails, header, server, url};
use crate::support::{Rendered as _, client_with, fetch, fetch_with, policy};
use std::sync::Mutex;
use urikit_access::listing::EntryKind;
use urikit_access::policy::Refusal;
use urikit_access::{ErrorKind, Wanted};
use urikit_historic::Wais;
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{Request, diagnostic, field, message, number, receive, search_response};

#[test]
fn several_databases_are_searched_at_once() {
    let server = server(|request| {
        let Request::Words { databases, .. } = request else {
            return None;
        };
        assert_eq!(databases, b"sea\x1Flog");
        let one = header("one", "TEXT", b"\x03\x01a", 1);
        let source = field(121, b"/srv/db/log");
        let id = field(116, b"\x02\x0b/srv/db/log\x03\x01b");
        let types = field(132, &field(133, b"TEXT"));
        let two = field(150, &[id, source, types, number(120, 1)].concat());
        Some(search_response(&[one, two].concat()))
    });
    let (_, buffer) = get(&server, "sea%1Flog?whale");
    let references = buffer.entries.iter().map(|entry| entry.reference.clone());
    let expected = [
        url(&server, "sea/TEXT/1/3=a;"),
        url(&server, "log/TEXT/1/2=%2Fsrv%2Fdb%2Flog;3=b;"),
    ];
    assert!(references.eq(expected.map(Some)));
}

/// "A document of type URL is offered, never followed."
#[test]
fn a_document_of_the_type_url_is_offered() {
    for (headline, kind) in [
        ("http://www.w3.org/", EntryKind::Link),
        (" file:///etc/passwd ", EntryKind::Link),
        ("no URL", EntryKind::File),
        ("../relative", EntryKind::File),
    ] {
        let server = server(move |request| match request {
            Request::Words { .. } => {
                let record = header(headline, "URL", b"\x03\x01a", 30);
                Some(search_response(&record))
            }
            _ => Some(search_response(&super::text(headline.as_bytes()))),
        });
        let (response, buffer) = get(&server, "db?a");
        let [entry] = buffer.entries.as_slice() else {
            panic!("{headline}");
        };
        let document = url(&server, "db/URL/30/3=a;");
        assert_eq!(entry.kind, kind);
        if kind == EntryKind::Link {
            assert_eq!(entry.reference.as_deref(), Some(headline.trim()));
            assert!(entry.details.contains(&("document", document)));
        } else {
            assert_eq!(entry.reference, Some(document));
        }
        assert_eq!(response.final_uri, url(&server, "db?a"));
        // The document itself is its text, and its metadata the URL.
        let (response, buffer) = get(&server, "db/URL/3=a;");
        assert_eq!(buffer.bytes, headline.as_bytes());
        let reference = response.metadata.attributes.iter();
        let reference = reference.filter(|(name, _)| name == "reference").count();
        assert_eq!(reference, usize::from(kind == EntryKind::Link));
        assert_eq!(response.scheme, "wais");
    }
}

#[test]
fn a_diagnostic_beside_documents_is_an_event() {
    let server = server(|_| {
        let one = header("one", "TEXT", b"\x03\x01a", 1);
        let other = diagnostic("S1", "The following database is not available: log");
        Some(search_response(&[other, one].concat()))
    });
    let (response, buffer) = get(&server, "sea%1Flog?whale");
    assert_eq!(buffer.entries.len(), 1);
    let text = "< S1 The following database is not available: log".to_owned();
    assert!(response.rendered().contains(&text));
}

/// freeWAIS answers with an empty message what would exceed the size that was agreed on.
#[test]
fn an_empty_message_halves_the_number_of_documents() {
    let server = server(|request| {
        let Request::Words { max_documents, .. } = request else {
            return None;
        };
        let count = usize::try_from(*max_documents).unwrap();
        Some(if count > 30 {
            message(b"")
        } else {
            let record = header("one", "TEXT", b"\x03\x01a", 1);
            search_response(&record.repeat(count))
        })
    });
    let (response, buffer) = get(&server, "sea?whale");
    assert_eq!(buffer.entries.len(), 25);
    let sent = response.rendered();
    for count in [200, 100, 50, 25] {
        let line = format!("> a search in \"sea\" for \"whale\": at most {count} documents");
        assert!(sent.contains(&line), "{sent:?}");
    }
    let empty = self::server(|_| Some(message(b"")));
    let error = get_fails(&empty, "sea?whale");
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

#[test]
fn the_limits_on_items_and_documents_count() {
    let record = header("one", "TEXT", b"\x03\x01a", 1);
    let server = server(move |request| {
        let Request::Words { max_documents, .. } = request else {
            return None;
        };
        assert_eq!(*max_documents, 40);
        Some(search_response(&record.repeat(30)))
    });
    let wais = || Wais::new().max_documents(40);
    let mut client = client_with(policy().max_items(29)).protocol(wais());
    let error = fetch(&mut client, &url(&server, "sea?whale")).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Items { max: 29 })),
        "{error}"
    );
    let mut client = client_with(policy()).protocol(wais());
    let (_, buffer) = fetch(&mut client, &url(&server, "sea?whale")).unwrap();
    assert_eq!(buffer.entries.len(), 30);
    // The metadata alone: no entries.
    let (response, buffer) = fetch_with(&mut client, &url(&server, "sea?whale"), |it| {
        it.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(response.metadata.attributes[0].1, "30");
    assert!(buffer.entries.is_empty());
}

/// A search needs no Init (RFC 1625, 4, has it; freeWAIS does not need it).
#[test]
fn a_server_that_closes_the_connection_on_init_is_asked_without_it() {
    let server = Scripted::start(|client| {
        while let Some(request) = receive(client) {
            if let Request::Init(_) = request {
                return client.close();
            }
            client.say(search_response(&header("one", "TEXT", b"\x03\x01a", 1)));
        }
    });
    let (_, buffer) = get(&server, "sea?whale");
    assert_eq!(buffer.entries.len(), 1);
}

/// Neither the result of Init nor the order and the tags of what is unknown matter.
#[test]
fn what_is_unknown_is_skipped() {
    let server = Scripted::start(|client| {
        while let Some(request) = receive(client) {
            let unknown = [field(2, b"ref"), field(200, b"?")].concat();
            let record = header("one", "TEXT", b"\x03\x01a", 1);
            let more = [field(115, b"whale"), unknown, field(154, b""), record];
            client.say(if let Request::Init(_) = request {
                message(&[&[0, 2, 21, 0][..], &field(99, b"??")].concat())
            } else {
                search_response(&more.concat())
            });
        }
    });
    let (_, buffer) = get(&server, "sea?whale");
    // The empty record has nothing to show, and is counted.
    assert_eq!(buffer.entries.len(), 2);
    assert_eq!(buffer.entries[1].name, "one");
}

#[test]
fn words_are_asked_as_they_are() {
    static SEEN: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
    let server = server(|request| {
        if let Request::Words { words, .. } = request {
            SEEN.lock().unwrap().push(words.clone());
        }
        Some(search_response(b""))
    });
    for words in ["a+b", "%E9%80", "", "a%3Fb"] {
        let (_, buffer) = get(&server, &format!("db?{words}"));
        assert!(buffer.entries.is_empty());
    }
    let expected: [&[u8]; 4] = [b"a+b", b"\xE9\x80", b"", b"a?b"];
    assert_eq!(*SEEN.lock().unwrap(), expected);
    for (rest, text) in [
        (
            "db?a%00",
            "expected no control character in the search, found %00",
        ),
        (
            "d%0Ab?a",
            "expected no control character in the database, found %0A",
        ),
        (
            "db/T%7F/a",
            "expected no control character in the type, found %7F",
        ),
    ] {
        assert_eq!(get_fails(&server, rest).to_string(), text);
    }
    for (rest, text) in [
        (
            format!("db?{}", "a".repeat(65_537)),
            "the words of the search are longer than 64 KiB",
        ),
        (
            format!("db/T/{}", "a".repeat(65_537)),
            "the document-id is longer than 64 KiB",
        ),
        (
            format!("{}?a", "a".repeat(32_769)),
            "the names of the databases are longer than 32 KiB",
        ),
        (
            "db/T/268435456=a;".to_owned(),
            "the number of a document-id's field is above 268435455",
        ),
    ] {
        assert_eq!(get_fails(&server, &rest).to_string(), text);
    }
    // The longest that are sent.
    let rest = format!("{}?{}", "a".repeat(32_768), "b".repeat(65_536));
    get(&server, &rest);
}
