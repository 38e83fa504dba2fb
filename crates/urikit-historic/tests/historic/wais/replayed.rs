//! The recorded responses of freeWAIS as listings, documents and errors.

use super::{get, get_fails, url};
use crate::support::{Rendered as _, assert_as_planned, client, fetch, plan};
use urikit_access::ErrorKind;
use urikit_access::listing::{Entry, EntryKind};
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{exchanges, replay};

fn server() -> Scripted {
    replay(exchanges())
}

fn detail<'a>(entry: &'a Entry, name: &str) -> &'a str {
    let mut details = entry.details.iter();
    let found = details.find(|(found, _)| *found == name);
    found.map_or("", |(_, value)| value)
}

#[test]
fn a_search_is_a_listing_and_its_references_are_documents() {
    let server = server();
    let (response, buffer) = get(&server, "sea?whale%20anchor%20harbour");
    assert!(response.metadata.is_listing);
    let attributes = [("documents".to_owned(), "3".to_owned())];
    assert_eq!(response.metadata.attributes, attributes);
    let found: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.size, detail(entry, "score")))
        .collect();
    let expected = [
        ("Subject: Harbours", Some(79), "970"),
        ("Subject: Ships", Some(106), "795"),
        ("Subject: The whale", Some(109), "490"),
    ];
    assert_eq!(found, expected);
    let whale = &buffer.entries[2];
    assert_eq!(whale.kind, EntryKind::File);
    assert_eq!(
        (detail(whale, "document_type"), detail(whale, "lines")),
        ("TEXT", "5")
    );
    let reference = whale.reference.as_deref().unwrap();
    let expected = format!(
        "{}1=wais.example%3A210;2=%2Fsrv%2Ftest%2Fwais%2Fdb%2Fsea;3=0%20109%20%2Fsrv%2Ftest%2Fwais\
         %2Fdocs%2Fwhale.txt;4=wais.example%3A210;5=%2Fsrv%2Ftest%2Fwais%2Fdb%2Fsea;6=0%20109%20%2F\
         srv%2Ftest%2Fwais%2Fdocs%2Fwhale.txt;7=%00;",
        url(&server, "sea/TEXT/109/")
    );
    assert_eq!(reference, expected);
    let rest = reference.split_at(url(&server, "").len()).1;
    let (response, document) = get(&server, rest);
    assert!(
        document
            .bytes
            .starts_with(b"Subject: The whale\n\nThe white whale")
    );
    assert_eq!(document.bytes.len(), 109);
    let metadata = &response.metadata;
    assert_eq!(
        (metadata.media_type.as_deref(), metadata.size),
        (Some("text/plain"), Some(109))
    );
}

#[test]
fn every_recorded_document_is_fetched_by_its_reference() {
    let server = server();
    let mut fetched = 0;
    for (words, start) in [
        ("sea?whale", "Subject: The whale"),
        ("sea?espresso", "Subject: Caf\u{FFFD}"),
        ("sea?lighthouse", "<html>"),
        ("sea?pic", "GIF89a"),
        ("sea?plate", "%!PS"),
        ("log?whale", "4 Whale"),
        ("?whale", "\n\n(:source"),
        ("INFO?whale", "\n\n(:source"),
    ] {
        let (_, buffer) = get(&server, words);
        // Some of the documents found were not recorded.
        let recorded = buffer.entries.iter().find_map(|entry| {
            let url = entry.reference.as_deref()?;
            let fetched = fetch(&mut client(), url).ok()?;
            Some((entry, fetched))
        });
        let (entry, (response, document)) = recorded.unwrap();
        fetched += 1;
        let text = String::from_utf8_lossy(&document.bytes);
        let is_second = words == "log?whale" && text.starts_with("1 Whale");
        assert!(text.starts_with(start) || is_second, "{words}: {text}");
        assert_eq!(
            entry.size,
            Some(u64::try_from(document.bytes.len()).unwrap())
        );
        assert_eq!(response.received, entry.size.unwrap());
    }
    assert_eq!(fetched, 8);
}

#[test]
fn a_latin_1_headline_is_text() {
    let (_, buffer) = get(&server(), "sea?espresso");
    assert_eq!(
        buffer.entries[0].name,
        "Subject: Caf\u{e9} <b>au</b> lait & \u{81} \"quoted\""
    );
}

#[test]
fn both_spellings_of_a_document_id_are_the_same_document() {
    let server = server();
    let id = "%02%15%2Fsrv%2Ftest%2Fwais%2Fdb%2Fsea%03%230%20109%20%2Fsrv%2Ftest%2Fwais%2Fdocs%2F\
              whale.txt";
    let fields = "2=%2Fsrv%2Ftest%2Fwais%2Fdb%2Fsea;3=0%20109%20%2Fsrv%2Ftest%2Fwais%2Fdocs%2F\
                  whale.txt;";
    let (_, buffer) = get(&server, &format!("sea/TEXT/109/{fields}"));
    assert_eq!(buffer.bytes.len(), 109);
    // The URL of an opaque document-id has no length, so the client requests more than was
    // recorded.
    let error = get_fails(&server, &format!("sea/TEXT/{id}"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::EndedEarly {
                expected: None,
                received: 0
            }
        ),
        "{error}"
    );
    let shown = error.to_string();
    assert!(
        shown.contains("for bytes 0 to 30000 of a document"),
        "{shown}"
    );
}

#[test]
fn nothing_found_is_an_empty_listing_that_names_the_catalogue() {
    let server = server();
    let (response, buffer) = get(&server, "log?xylophone");
    assert!(buffer.entries.is_empty() && buffer.bytes.is_empty());
    assert!(
        response
            .rendered()
            .contains(&"nothing was found".to_owned())
    );
    let (name, catalogue) = &response.metadata.attributes[1];
    assert_eq!(name, "catalogue");
    let rest = catalogue.split_at(url(&server, "").len()).1;
    let (_, buffer) = get(&server, rest);
    assert!(buffer.bytes.starts_with(b"Catalog for database: /srv"));
    assert_eq!(buffer.bytes.len(), 572);
}

#[test]
fn diagnostics_are_errors_with_their_text() {
    let server = server();
    for (rest, text) in [
        (
            "nosuch?whale",
            "searching: the server refused the request; sent \"a search in \"nosuch\" for \
             \"whale\": at most 200 documents\"; received \"S1 The following database is not \
             available: /srv/test/wais/db/nosuch\"",
        ),
        (
            "sea?whale%20and%20(",
            "searching: the server refused the request; sent \"a search in \"sea\" for \"whale \
             and (\": at most 200 documents\"; received \"S1 query syntax error: whale and (\"",
        ),
    ] {
        let error = get_fails(&server, rest);
        assert_eq!(error.to_string(), text);
    }
    // A malformed document-id.
    let rest = "sea/TEXT/10/2=%2Fsrv%2Ftest%2Fwais%2Fdb%2Fsea;3=garbage;";
    let error = get_fails(&server, rest).to_string();
    let text = "received \"SF Missing DocID in request\"";
    assert!(
        error.starts_with("fetching the document: ") && error.ends_with(text),
        "{error}"
    );
}

#[test]
fn a_large_document_comes_in_parts() {
    let server = server();
    let (_, buffer) = get(&server, "sea?ledger");
    let entry = &buffer.entries[0];
    assert_eq!(entry.size, Some(94_421));
    // Only the plan is tested, because the server knows only the recorded requests, which are for
    // parts of 10,000 bytes.
    let url = entry.reference.clone().unwrap();
    let planned = plan(&client(), &url).unwrap().to_string();
    assert!(planned.contains("for bytes 0 to 30000 of"), "{planned}");
    assert!(
        planned.ends_with("fetches the rest of the document in the same way  (if there is more)\n")
    );
}

#[test]
fn what_is_sent_is_what_was_planned() {
    let server = server();
    for rest in [
        "sea?whale",
        "log?xylophone",
        "sea?whale%20and%20anchor",
        "INFO?whale",
    ] {
        let (response, _) = get(&server, rest);
        let planned = plan(&client(), &url(&server, rest)).unwrap();
        assert_as_planned(&planned, &response.rendered());
    }
}
