//! The client with a server that replays recordings.

use super::super::support::{Rendered as _, assert_as_planned, fails, fetch, fetch_with, plan};
use super::client;
use urikit_access::listing::EntryKind;
use urikit_access::{Buffer, ErrorKind, NoPrompt, Request, Wanted};
use urikit_testkit::prospero::Prospero;

const TREE: &str = "/srv/test/prospero/tree";

fn url(server: &Prospero, name: &str) -> String {
    format!("prospero://localhost:{}/{name}", server.0.port)
}

#[test]
fn a_directory_is_a_listing() {
    let server = Prospero::start();
    let mut client = client(server.0.port);
    let url = url(&server, &format!("{TREE}/small"));
    let (response, buffer) = fetch(&mut client, &url).unwrap();
    assert!(response.metadata.is_listing);
    let entries: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (entry.kind, &*entry.name, entry.size))
        .collect();
    assert_eq!(
        entries,
        [
            (EntryKind::File, "data.bin", Some(2)),
            (EntryKind::File, "hello.txt", Some(14)),
            (EntryKind::Directory, "sub", Some(4096)),
            (EntryKind::File, "readme", Some(11)),
        ]
    );
    let hello = &buffer.entries[1];
    assert_eq!(
        hello.reference.as_deref(),
        Some("prospero://PROSPERO.EXAMPLE//srv/test/prospero/tree/small/hello.txt")
    );
    assert_eq!(hello.modified.unwrap().to_string(), "1994-12-01T12:00:00Z");
    let details: Vec<_> = hello
        .details
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect();
    assert_eq!(
        details,
        [
            ("target", "FILE"),
            ("owner", "nobody"),
            ("group", "nogroup"),
            ("permissions", "-rw-r--r--"),
            ("access", "PROSPERO-CONTENTS '' '' '' ''; LOCAL '' '' '' ''"),
        ]
    );
    assert_as_planned(&plan(&client, &url).unwrap(), &response.rendered());
}

/// The server sends 27 packets in windows of 16, and repeats some with swapped ids.
#[test]
fn a_long_listing_is_acknowledged() {
    let server = Prospero::start();
    let mut client = client(server.0.port);
    let url = url(&server, &format!("{TREE}/many"));
    let (_, buffer) = fetch(&mut client, &url).unwrap();
    assert_eq!(buffer.entries.len(), 60);
    let mut names: Vec<_> = buffer.entries.iter().map(|entry| &*entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 60);
    assert!(names.contains(&"file number 24.txt"));
    let acknowledged = server.0.received();
    let acknowledged = acknowledged
        .iter()
        .filter(|datagram| datagram[3..5] == [0, 0]);
    assert!(acknowledged.count() >= 2);
}

#[test]
fn names_are_exact_in_references() {
    let server = Prospero::start();
    let url = url(&server, &format!("{TREE}/quoted"));
    let (_, buffer) = fetch(&mut client(server.0.port), &url).unwrap();
    let last = |reference: &str| reference.rsplit('/').next().unwrap().to_owned();
    let mut names: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (&*entry.name, last(entry.reference.as_ref().unwrap())))
        .collect();
    names.sort_unstable();
    let expected = [
        ("'lead", "'lead"),
        ("caf\u{FFFD}.txt", "caf%E9.txt"),
        ("it's here.txt", "it's%20here.txt"),
        ("plain.txt", "plain.txt"),
        ("semi;colon=x.txt", "semi%3Bcolon=x.txt"),
        ("two words.txt", "two%20words.txt"),
    ];
    let names: Vec<_> = names.iter().map(|(name, url)| (*name, &**url)).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_virtual_directory_has_the_urls_of_external_links() {
    let server = Prospero::with(vec![(
        "DIRECTORY ASCII /more\n".to_owned(),
        "LINK L FILE a INTERNET-D h ASCII /more/a 0\n".to_owned(),
    )]);
    let port = server.0.port;
    // The union link refers to the default port, on which no server listens.
    let url = url(&server, &format!("{TREE}/links"));
    let (_, buffer) = fetch(&mut client(port), &url).unwrap();
    let entries: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (entry.kind, &*entry.name, entry.reference.as_deref()))
        .collect();
    assert_eq!(
        entries,
        [
            (
                EntryKind::File,
                "report.txt",
                Some("prospero://archive.example:1526//pub/report.txt")
            ),
            (
                EntryKind::Directory,
                "elsewhere",
                Some("prospero://prospero2.example//home/their%20files")
            ),
            (
                EntryKind::File,
                "rfc1738.txt",
                Some("ftp://ftp.example/rfc/rfc1738.txt;type=a")
            ),
            (
                EntryKind::File,
                "A gopher menu",
                Some("gopher://gopher.example/11/menu")
            ),
            (
                EntryKind::Error,
                "more",
                Some("prospero://prospero3.example//more")
            ),
        ]
    );
}

#[test]
fn an_empty_directory_is_an_empty_listing() {
    let server = Prospero::start();
    let url = url(&server, &format!("{TREE}/empty"));
    let (response, buffer) = fetch(&mut client(server.0.port), &url).unwrap();
    assert!(response.metadata.is_listing && buffer.entries.is_empty());
}

#[test]
fn metadata_are_the_attributes() {
    let server = Prospero::start();
    let url = url(&server, &format!("{TREE}/quoted/it's%20here.txt"));
    let client = client(server.0.port);
    let url = url.replace('\'', "%27");
    let mut buffer = Buffer::default();
    let reference = urikit::Standard::Rfc3986.parse(&url).unwrap();
    let request = Request::new(reference).wanted(Wanted::Metadata);
    client.fetch(&request, &mut NoPrompt, &mut buffer).unwrap();
    assert_eq!(buffer.metadata.size, Some(2));
    let attributes = &buffer.metadata.attributes;
    assert_eq!(attributes[0], ("SIZE".to_owned(), "2 bytes".to_owned()));
    assert_eq!(attributes.len(), 7);
}

/// If a file has no contents and no access method except Prospero's own, its attributes are
/// displayed.
#[test]
fn contents_or_attributes() {
    let name = format!("{TREE}/small/hello.txt");
    let server = Prospero::start();
    let (response, buffer) = fetch(&mut client(server.0.port), &url(&server, &name)).unwrap();
    assert!(response.metadata.is_listing);
    let entries: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (entry.kind, &*entry.name))
        .collect();
    assert_eq!(entries[0], (EntryKind::Text, "SIZE 14 bytes"));
    let shown = [
        (
            EntryKind::Other,
            "ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''",
        ),
        (EntryKind::Other, "ACCESS-METHOD LOCAL '' '' '' ''"),
        (EntryKind::Error, "FAILURE NOT-FOUND"),
    ];
    assert_eq!(entries[5..], shown);

    let contents = "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'Hello\nit''s me\n'\n";
    let own = ("GET-OBJECT-INFO CONTENTS".to_owned(), contents.to_owned());
    let server = Prospero::with(vec![own]);
    let mut client = client(server.0.port);
    let url = url(&server, &name);
    let (response, buffer) = fetch(&mut client, &url).unwrap();
    assert_eq!(buffer.bytes, b"Hello\nit's me\n");
    assert_eq!(response.metadata.size, Some(14));
    assert_as_planned(&plan(&client, &url).unwrap(), &response.rendered());
    let resumed = fetch_with(&mut client, &url, |request| request.resume(3));
    let Err(error) = resumed else {
        panic!("resumed");
    };
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
}

#[test]
fn failures_have_the_text_of_the_server() {
    let server = Prospero::start();
    let mut client = client(server.0.port);
    for (name, line) in [
        (format!("{TREE}/small/nothere.txt"), "FAILURE NOT-FOUND"),
        ("/etc/services".to_owned(), "FAILURE NOT-AUTHORIZED"),
        // This object was recorded only as a directory.
        ("/etc".to_owned(), "FAILURE NOT-AUTHORIZED"),
        (format!("{TREE}/nothere"), "FAILURE NOT-FOUND"),
    ] {
        let error = fails(&mut client, &url(&server, &name));
        match error.kind() {
            ErrorKind::NotFound => assert!(line.ends_with("NOT-FOUND")),
            ErrorKind::Forbidden => assert!(line.ends_with("NOT-AUTHORIZED")),
            _ => panic!("{error}"),
        }
        let error = error.to_string();
        assert!(error.contains(line), "{error}");
    }
}
