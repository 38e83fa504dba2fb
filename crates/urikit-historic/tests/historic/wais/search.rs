//! Searches and descriptions of databases, with responses that the tests construct.

use super::{get, get_fails, header, server, text, url};
use crate::support::{
    Rendered as _, assert_as_planned, client, client_with, fetch, fetch_with, plan, policy,
};
use std::sync::Mutex;
use urikit_access::listing::EntryKind;
use urikit_access::policy::Refusal;
use urikit_access::{Buffer, ErrorKind, Prompt, Response, Terminal, Wanted};
use urikit_historic::WaisProtocol;
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

/// The length is that of the first type. The server does not report the other lengths.
#[test]
fn a_document_of_several_types_has_an_entry_for_each() {
    const PLAIN: &[u8] = b"plain";
    const PS: &[u8] = b"%!PS-Adobe-2.0 longer";
    let server = server(|request| match request {
        Request::Words { .. } => {
            let types = [field(133, b"TEXT"), field(133, b"PS"), field(133, b"URL")].concat();
            let fields = [
                field(116, b"\x03\x01a"),
                number(118, 900),
                number(120, PLAIN.len()),
                number(131, 1),
                field(132, &types),
                field(123, b"http://www.w3.org/"),
            ];
            Some(search_response(&field(150, &fields.concat())))
        }
        Request::Document { range, wtype, .. } => {
            let document = if wtype == b"PS" { PS } else { PLAIN };
            let end = range.end.min(document.len());
            Some(search_response(&text(&document[range.start.min(end)..end])))
        }
        Request::Init(_) => None,
    });
    let (response, buffer) = get(&server, "db?a");
    assert_eq!(response.metadata.attributes[0].1, "1");
    let rows: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| {
            let detail = |name| entry.details.iter().find(|it| it.0 == name);
            let detail = |name| detail(name).map(|it| it.1.as_str());
            (
                entry.kind,
                detail("document_type"),
                detail("lines"),
                entry.size,
            )
        })
        .collect();
    let expected = [
        (EntryKind::File, Some("TEXT"), Some("1"), Some(5)),
        (EntryKind::File, Some("PS"), None, None),
        (EntryKind::Link, Some("URL"), None, None),
    ];
    assert_eq!(rows, expected);
    let references = buffer
        .entries
        .iter()
        .map(|it| it.reference.clone().unwrap());
    let references: Vec<_> = references.collect();
    let expected = [
        url(&server, "db/TEXT/5/3=a;"),
        url(&server, "db/PS/%03%01a"),
        "http://www.w3.org/".to_owned(),
    ];
    assert_eq!(references, expected);
    for (reference, document) in references.iter().zip([PLAIN, PS]) {
        let (_, buffer) = fetch(&mut client(), reference).unwrap();
        assert_eq!(buffer.bytes, document);
    }
}

/// A document of the type `URL` becomes an entry with the URL in its headline, which is never
/// followed.
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
        // Fetching the document returns its text. The URL is in the metadata.
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

/// freeWAIS sends an empty message if the response would exceed the size that Init agreed on.
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
    let wais = || WaisProtocol::new().max_documents(40);
    let mut client = client_with(policy().max_items(29)).protocol(wais());
    let error = fetch(&mut client, &url(&server, "sea?whale")).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Items { max: 29 })),
        "{error}"
    );
    let mut client = client_with(policy()).protocol(wais());
    let (_, buffer) = fetch(&mut client, &url(&server, "sea?whale")).unwrap();
    assert_eq!(buffer.entries.len(), 30);
    // A request for metadata returns no entries.
    let (response, buffer) = fetch_with(&mut client, &url(&server, "sea?whale"), |it| {
        it.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(response.metadata.attributes[0].1, "30");
    assert!(buffer.entries.is_empty());
}

/// freeWAIS responds to a search without Init, which RFC 1625, 4, requires.
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

/// The result of Init does not matter, nor do unknown fields and their order.
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
    // An empty record counts as a document, without a URL.
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
            "the search words are longer than 64 KiB",
        ),
        (
            format!("db/T/{}", "a".repeat(65_537)),
            "the document-id is longer than 64 KiB",
        ),
        (
            format!("{}?a", "a".repeat(32_769)),
            "the database names are longer than 32 KiB",
        ),
        (
            "db/T/268435456=a;".to_owned(),
            "the number of a document-id's field is above 268435455",
        ),
    ] {
        assert_eq!(get_fails(&server, &rest).to_string(), text);
    }
    // The longest names and words that are sent.
    let rest = format!("{}?{}", "a".repeat(32_768), "b".repeat(65_536));
    get(&server, &rest);
}

const SOURCE: &str = "\n\n(:source\n :version 3\n :ip-name \"wais.example\"\n :tcp-port 2210\n \
    :database-name \"/srv/db/sea\"\n :cost-unit :free\n :description \"About \\\"whales\\\".\"\n)\n";

const OTHER: &str = "(:source :ip-name \"h\" :database-name \"undersea\")";

/// A prompt that answers every question with these words, and records the questions.
struct Words(&'static str, Vec<String>);

impl Prompt for Words {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }
    fn confirm(&mut self, _: &str) -> bool {
        false
    }
    fn input(&mut self, question: &str, _: &str) -> Option<String> {
        self.1.push(question.to_owned());
        Some(self.0.to_owned())
    }
    fn notify(&mut self, _: &str) {}
    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

fn document(document: &str, request: &Request) -> Vec<u8> {
    let Request::Document { range, .. } = request else {
        panic!("{request:?}");
    };
    let end = range.end.min(document.len());
    search_response(&text(&document.as_bytes()[range.start..end]))
}

fn source(headline: &str, id: &[u8], text: &str) -> Vec<u8> {
    header(headline, "WSRC", id, text.len())
}

/// Starts a server with two descriptions in its catalogue, one of which describes the database.
fn described() -> Scripted {
    server(|request| {
        Some(match request {
            Request::Words {
                databases, words, ..
            } => {
                assert_eq!(
                    (databases.as_slice(), words.as_slice()),
                    (&b"INFO"[..], &b"sea"[..])
                );
                let others = source("a.src", b"\x03\x01o", OTHER).repeat(3);
                let text = header("sea", "TEXT", b"\x03\x01t", 5);
                search_response(&[others, text, source("b.src", b"\x03\x01s", SOURCE)].concat())
            }
            Request::Document { id, .. } if id == b"\x03\x01s" => document(SOURCE, request),
            _ => document(OTHER, request),
        })
    })
}

fn attribute<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    let mut attributes = response.metadata.attributes.iter();
    let found = attributes.find(|(found, _)| found == name);
    found.map(|(_, value)| value.as_str())
}

#[test]
fn a_database_shows_its_description_in_the_catalogue() {
    let server = described();
    let (response, buffer) = get(&server, "sea");
    assert_eq!(String::from_utf8(buffer.bytes).unwrap(), SOURCE);
    for (name, value) in [
        ("type", "WSRC"),
        ("description", "About \"whales\"."),
        ("cost-unit", ":free"),
        ("reference", "wais://wais.example:2210/%2Fsrv%2Fdb%2Fsea"),
    ] {
        assert_eq!(attribute(&response, name), Some(value), "{name}");
    }
    let media_type = response.metadata.media_type.as_deref();
    assert_eq!(media_type, Some("application/x-wais-source"));
    let (response, buffer) = fetch_with(&mut client(), &url(&server, "sea"), |it| {
        it.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert!(buffer.bytes.is_empty());
    assert_eq!(attribute(&response, "version"), Some("3"));
}

/// freeWAIS responds to a search without words in the database with its description.
#[test]
fn a_database_that_is_not_in_the_catalogue_is_asked_itself() {
    for is_closed in [false, true] {
        let server = server(move |request| {
            Some(match request {
                Request::Words { databases, .. } if databases == b"INFO" => {
                    if is_closed {
                        return None;
                    }
                    let text = "The following database is not available: INFO";
                    search_response(&diagnostic("S1", text))
                }
                Request::Words { words, .. } => {
                    assert!(words.is_empty());
                    let own = source("Information on database: sea", b"\x03\x01s", SOURCE);
                    let catalogue = header("Catalog for database: sea", "TEXT", b"\x03\x01c", 9);
                    search_response(&[own, catalogue].concat())
                }
                Request::Document { .. } => document(SOURCE, request),
                Request::Init(_) => unreachable!(),
            })
        });
        let (_, buffer) = get(&server, "sea");
        assert_eq!(buffer.bytes, SOURCE.as_bytes());
    }
}

#[test]
fn without_a_description_the_user_is_asked_for_words() {
    let server = server(|request| {
        Some(match request {
            Request::Words { words, .. } if words == b"the whale" => {
                search_response(&header("found", "TEXT", b"\x03\x01a", 5))
            }
            Request::Words { .. } => search_response(&source("a.src", b"\x03\x01o", OTHER)),
            Request::Document { .. } => document(OTHER, request),
            Request::Init(_) => unreachable!(),
        })
    });
    let url = url(&server, "sea");
    let reference = urikit::Standard::Rfc3986.parse(&url).unwrap();
    let request = urikit_access::Request::new(reference);
    let (mut user, mut buffer) = (Words("the whale", Vec::new()), Buffer::default());
    client().fetch(&request, &mut user, &mut buffer).unwrap();
    assert_eq!(user.1, ["Search sea at 127.0.0.1 for"]);
    assert_eq!(buffer.entries[0].name, "found");
    for answer in ["", "a\nb"] {
        let mut user = Words(answer, Vec::new());
        let fetched = client().fetch(&request, &mut user, &mut Buffer::default());
        assert!(fetched.is_err(), "{answer:?}");
    }
    let error = get_fails(&server, "sea");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    assert!(error.to_string().contains("wais://host/database?words"));
    // A search in several databases has no single description to fetch.
    let error = get_fails(&server, "sea%1Flog");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
}

/// If the user enters no words, the error contains the server's diagnostic.
#[test]
fn a_database_that_does_not_exist_has_the_diagnostic_of_the_server() {
    let server = server(|request| {
        let Request::Words { databases, .. } = request else {
            return None;
        };
        let name = String::from_utf8_lossy(databases);
        let text = format!("The following database is not available: /db/{name}");
        Some(search_response(&diagnostic("S1", &text)))
    });
    let error = get_fails(&server, "nosuch");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    let error = error.to_string();
    let expected = "S1 The following database is not available: /db/nosuch";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn the_server_itself_lists_its_databases() {
    let server = server(|request| {
        let Request::Words {
            databases, words, ..
        } = request
        else {
            return None;
        };
        assert!(words.starts_with(b"source "));
        assert!(databases.is_empty() || databases == b"INFO");
        let one = source("a.src", b"\x03\x01a", SOURCE);
        Some(search_response(
            &[one, source("b.src", b"\x03\x01b", OTHER)].concat(),
        ))
    });
    for rest in ["", "INFO"] {
        let (response, buffer) = get(&server, rest);
        let names = buffer.entries.iter().map(|entry| entry.name.as_str());
        assert!(names.eq(["a.src", "b.src"]));
        let reference = format!("{}/WSRC/{}/3=a;", url(&server, "INFO"), SOURCE.len());
        assert_eq!(
            buffer.entries[0].reference.as_deref(),
            Some(reference.as_str())
        );
        let planned = plan(&client(), &url(&server, rest)).unwrap();
        assert_as_planned(&planned, &response.rendered());
    }
    // If nothing is found, the catalogue to which the placeholder refers is fetched.
    let name = "Search produced no result. Here's the Catalog for database: INFO";
    let server = super::server(move |request| {
        Some(match request {
            Request::Words { .. } => {
                let catalogue = super::scored(0, name, "TEXT", b"\x03\x01c", 9);
                search_response(&catalogue)
            }
            _ => document("Catalog!\n", request),
        })
    });
    let (_, buffer) = get(&server, "");
    assert_eq!(buffer.bytes, b"Catalog!\n");
}

#[test]
fn a_plan_says_what_is_tried() {
    let planned = plan(&client(), "wais://h/sea").unwrap().to_string();
    let expected = "\
connect  h:210
send     Init: messages of at most 65536 bytes
send     a search in \"INFO\" for \"sea\": at most 200 documents
then     fetches the document that was found  (if the server has a description)
send     a search in \"sea\" for \"\": at most 200 documents  (if the server has no description)
then     fetches the document that was found  (if the server has a description)
then     asks the user for words to search for  (if the server has no description)
then     searches for the words in the database \"sea\"  (if the server has no description)
";
    assert_eq!(planned, expected);
}
