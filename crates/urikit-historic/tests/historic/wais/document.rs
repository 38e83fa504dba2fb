//! Documents that are fetched in parts, with responses that the tests construct.

use super::{get, get_fails, server, text, url};
use crate::support::{Rendered as _, client, client_with, fetch, fetch_with, plan, policy};
use std::num::NonZeroU32;
use urikit_access::policy::Refusal;
use urikit_access::{ErrorKind, Wanted};
use urikit_historic::WaisProtocol;
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{Request, diagnostic, message, search_response};

/// Makes a document of lines.
fn lines(count: usize) -> Vec<u8> {
    let lines = (0..count).map(|number| format!("Entry {number:04}\n"));
    lines.collect::<String>().into_bytes()
}

/// Responds like freeWAIS: with the part that exists, and a diagnostic if the request exceeds the
/// document. A response larger than `max` is an empty message.
fn part(document: &[u8], request: &Request, max: usize) -> Option<Vec<u8>> {
    let Request::Document { unit, range, .. } = request else {
        return None;
    };
    let (units, is_lines): (Vec<&[u8]>, _) = if unit == b"wl" {
        let lines = document.split_inclusive(|octet| *octet == b'\n');
        (lines.collect(), true)
    } else {
        (document.chunks(1).collect(), false)
    };
    let end = range.end.min(units.len());
    let part = units.get(range.start..end).map(<[&[u8]]>::concat);
    let out = diagnostic("SF", "Request out of range");
    let records = match part.filter(|part| !part.is_empty() || range.is_empty()) {
        None => out,
        Some(part) if end < range.end && !is_lines => [text(&part), out].concat(),
        Some(part) => text(&part),
    };
    let answer = search_response(&records);
    Some(if answer.len() > max {
        message(b"")
    } else {
        answer
    })
}

#[test]
fn a_document_of_unknown_length_ends_where_the_server_has_no_more() {
    for size in [1, 12, 2_999, 3_000, 3_001, 6_000, 9_000] {
        let document = lines(size);
        let copy = document.clone();
        let server = server(move |request| part(&copy, request, 1 << 16));
        let (response, buffer) = get(&server, "db/TEXT/3=a;");
        assert_eq!(buffer.bytes, document, "{size}");
        assert_eq!(response.metadata.size, None);
        // With a length in the URL, the last request ends with the document.
        let (response, buffer) = get(&server, &format!("db/TEXT/{}/3=a;", document.len()));
        assert_eq!(buffer.bytes, document, "{size}");
        assert!(response.metadata.size.is_some());
        let steps = response.rendered();
        let parts = steps
            .iter()
            .filter(|step| step.starts_with("> a search in"))
            .count();
        assert_eq!(parts, document.len().div_ceil(30_000));
    }
}

#[test]
fn a_length_that_the_document_does_not_have_is_an_error() {
    let server = server(|request| part(b"hello", request, 1 << 16));
    let error = get_fails(&server, "db/TEXT/6/3=a;");
    let (expected, received) = (Some(6), 5);
    assert!(
        matches!(error.kind(), ErrorKind::EndedEarly { expected: found, received: bytes }
            if (*found, *bytes) == (expected, received)),
        "{error}"
    );
    // A shorter length limits the range.
    let (_, buffer) = get(&server, "db/TEXT/4/3=a;");
    assert_eq!(buffer.bytes, b"hell");
}

#[test]
fn an_empty_document_is_empty() {
    let server = server(|request| part(b"", request, 1 << 16));
    let (_, buffer) = get(&server, "db/TEXT/0/3=a;");
    assert!(buffer.bytes.is_empty());
    // Without a length, an empty document looks like one that does not exist.
    let error = get_fails(&server, "db/TEXT/3=a;");
    assert!(error.kind().is_denial(), "{error}");
}

/// After Init agreed on a size, a larger response is an empty message.
#[test]
fn parts_are_smaller_than_the_messages() {
    use urikit_testkit::wais::{init_response, number, receive};
    for (agreed, max) in [
        (32_768, 32_768),
        (2_000, 2_000),
        (200, 200),
        (1, 200),
        (65_536, 500),
    ] {
        let document = lines(500);
        let copy = document.clone();
        let server = Scripted::start(move |client| {
            while let Some(request) = receive(client) {
                let answer = match request {
                    Request::Init(_) => init_response(&number(6, agreed)),
                    request => part(&copy, &request, max).unwrap(),
                };
                client.say(answer);
            }
        });
        let (response, buffer) = get(&server, "db/TEXT/3=a;");
        assert_eq!(buffer.bytes, document, "{agreed} {max}");
        let is_retried = response
            .rendered()
            .contains(&"< an empty message".to_owned());
        assert_eq!(is_retried, (agreed, max) == (65_536, 500), "{agreed} {max}");
    }
    // Every response exceeds the size.
    let server = server(|request| part(b"hello", request, 20));
    let error = get_fails(&server, "db/TEXT/3=a;");
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

#[test]
fn documents_are_fetched_by_lines_too() {
    let mut document = lines(1_000);
    for end in ["", "no end"] {
        document.extend_from_slice(end.as_bytes());
        let copy = document.clone();
        let server = server(move |request| part(&copy, request, 2_000));
        for count in [1, 7, 100, 1_000, 5_000] {
            let wais = WaisProtocol::new().lines(NonZeroU32::new(count).unwrap());
            let mut client = client_with(policy()).protocol(wais);
            for length in [String::new(), format!("{}/", document.len())] {
                let url = url(&server, &format!("db/TEXT/{length}3=a;"));
                let (_, buffer) = fetch(&mut client, &url).unwrap();
                assert!(buffer.bytes == document, "{count} {}", buffer.bytes.len());
            }
            let url = url(&server, "db/TEXT/3=a;");
            let planned = plan(&client, &url).unwrap().to_string();
            assert!(planned.contains(&format!("for lines 0 to {count} of")));
            let error = fetch_with(&mut client, &url, |it| it.resume(1)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
        }
    }
}

#[test]
fn a_transfer_is_resumed() {
    let document = lines(5_000);
    let copy = document.clone();
    let server = server(move |request| part(&copy, request, 1 << 16));
    let length = document.len();
    for rest in ["db/TEXT/3=a;".to_owned(), format!("db/TEXT/{length}/3=a;")] {
        for offset in [1, 29_999, 30_000, length - 1] {
            let resume = u64::try_from(offset).unwrap();
            let url = url(&server, &rest);
            let (response, buffer) =
                fetch_with(&mut client(), &url, |it| it.resume(resume)).unwrap();
            assert!(buffer.bytes == document[offset..], "{rest} {offset}");
            assert_eq!(response.metadata.offset, resume);
            assert_eq!(response.received, u64::try_from(length).unwrap());
        }
    }
    let resume = |rest: &str, offset: usize| {
        let offset = u64::try_from(offset).unwrap();
        let url = url(&server, rest);
        fetch_with(&mut client(), &url, |it| it.resume(offset)).map(|(_, buffer)| buffer.bytes)
    };
    let rest = format!("db/TEXT/{length}/3=a;");
    assert_eq!(resume(&rest, length).unwrap(), b"");
    for (rest, offset) in [(rest.as_str(), length + 1), ("db?a", 1), ("db", 1), ("", 1)] {
        let error = resume(rest, offset).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::CannotResume),
            "{rest}: {error}"
        );
    }
    // Without a length in the URL, the server reports the end.
    let error = resume("db/TEXT/3=a;", length + 1).unwrap_err();
    assert!(error.kind().is_denial(), "{error}");
}

#[test]
fn metadata_needs_one_byte() {
    let server = server(|request| {
        let Request::Document { range, .. } = request else {
            return None;
        };
        assert_eq!(*range, 0..1);
        part(b"hello", request, 1 << 16)
    });
    let head = |rest: &str| {
        let url = url(&server, rest);
        fetch_with(&mut client(), &url, |it| it.wanted(Wanted::Metadata))
    };
    let (response, buffer) = head("db/PS/5/3=a;").unwrap();
    assert!(buffer.bytes.is_empty());
    let metadata = response.metadata;
    assert_eq!(metadata.size, Some(5));
    assert_eq!(
        metadata.media_type.as_deref(),
        Some("application/postscript")
    );
    assert_eq!(metadata.attributes, [("type".to_owned(), "PS".to_owned())]);
    // libwww writes all types of a document into its URL.
    let (response, _) = head("db/TEXT,PS/5/3=a;").unwrap();
    assert_eq!(response.metadata.media_type.as_deref(), Some("text/plain"));
}

#[test]
fn an_unknown_type_is_found_by_its_first_bytes() {
    let server = server(|request| part(b"\x89PNG\r\n\x1a\n....", request, 1 << 16));
    let (response, _) = get(&server, "db/PNG/3=a;");
    assert_eq!(response.metadata.media_type.as_deref(), Some("image/png"));
}

#[test]
fn more_than_was_requested_is_an_error() {
    for (rest, size) in [("db/TEXT/4/3=a;", 5), ("db/TEXT/3=a;", 30_001)] {
        let server = server(move |_| Some(search_response(&text(&vec![b'a'; size]))));
        let error = get_fails(&server, rest);
        let expected = "no more of the document than was requested";
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(found) if *found == expected),
            "{error}"
        );
    }
    // An endless document exceeds the limit.
    let server = server(|request| {
        let Request::Document { range, .. } = request else {
            return None;
        };
        Some(search_response(&text(&vec![b'a'; range.len()])))
    });
    let mut client = client_with(policy().max_bytes(100_000));
    let error = fetch(&mut client, &url(&server, "db/TEXT/3=a;")).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Bytes { max: 100_000 })
        ),
        "{error}"
    );
}

#[test]
fn an_answer_without_the_document_is_an_error() {
    for records in [Vec::new(), super::header("a", "TEXT", b"\x03\x01a", 5)] {
        let server = server(move |_| Some(search_response(&records)));
        let error = get_fails(&server, "db/TEXT/3=a;");
        assert!(
            matches!(error.kind(), ErrorKind::Protocol("a part of the document")),
            "{error}"
        );
    }
}
