//! URLs of databases: descriptions, the catalogue, and words that the user is asked for.

use super::{get, get_fails, header, server, text, url};
use crate::support::{Rendered as _, assert_as_planned, client, fetch_with, plan};
use urikit_access::{Buffer, ErrorKind, Prompt, Response, Terminal, Wanted};
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{Request, diagnostic, search_response};

const SOURCE: &str = "\n\n(:source\n :version 3\n :ip-name \"wais.example\"\n :tcp-port 2210\n \
    :database-name \"/srv/db/sea\"\n :cost-unit :free\n :description \"About \\\"whales\\\".\"\n)\n";

const OTHER: &str = "(:source :ip-name \"h\" :database-name \"undersea\")";

/// A user who answers questions with these words.
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

/// Two descriptions in the catalogue, of which one is that of the database.
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

/// freeWAIS returns the description to a search without words, in the database itself.
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
    // Several databases have no description.
    let error = get_fails(&server, "sea%1Flog");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
}

/// Without words, what the server said of the database is not lost.
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
    // If nothing is found, the catalogue that takes the place of a result.
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
