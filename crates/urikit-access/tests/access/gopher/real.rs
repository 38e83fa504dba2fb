//! Gopher with gophernicus and pygopherd.

use super::{detail, short};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan};
use urikit_access::{Buffer, Response, Wanted};
use urikit_testkit::servers::{Folder, Gophernicus, Pygopherd, skip};

/// A picture of one pixel.
const GIF: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// Fetches, and compares what was sent with the plan.
fn get(port: u16, path: &str) -> (Response, Buffer) {
    let (mut client, url) = (client(), format!("gopher://127.0.0.1:{port}/{path}"));
    let planned = plan(&client, &url).unwrap();
    let fetched = fetch(&mut client, &url).unwrap_or_else(|error| panic!("{url}: {error}"));
    assert_as_planned(&planned, &fetched.0.rendered());
    fetched
}

#[test]
fn gophernicus() {
    let root = Folder::new("gopher-root");
    root.write("a.txt", "hello\n..\n.dot\n.\nend\n");
    root.write("p.gif", GIF);
    root.write("bin/b.bin", b"\0\r\n.\r\n\xff");
    root.write("w.html", "<p>\n.\n");
    root.write("sub/f.txt", "in a folder\n");
    root.write(
        "gophermap",
        "!Title\ninfo\nhWeb\tURL:http://example.org/\n8Library\tuser\texample.org\t23\n\
         7Find\t/cgi-bin/find\n\
         2Phones\t\texample.org\t105\n+Also\t/cgi-bin/find\texample.org\t71\nxOdd\t/odd\n*\n",
    );
    root.program(
        "cgi-bin/find",
        "#!/bin/sh\necho \"0You want $SEARCHREQUEST\t/found\"\n",
    );
    let Some(server) = Gophernicus::start(&root) else {
        return skip("gophernicus", "gophernicus with openbsd-inetd");
    };
    let port = server.port;
    let here = format!("gopher://127.0.0.1:{port}");

    let (_, buffer) = get(port, "");
    let entries: Vec<_> = buffer.entries.iter().map(short).collect();
    let (find, folder, file) = (
        format!("{here}/7/cgi-bin/find"),
        format!("{here}/1/sub/"),
        format!("{here}/0/a.txt"),
    );
    for expected in [
        ("text", "Title", "-"),
        ("text", "info", "-"),
        ("file", "Web", "http://example.org/"),
        ("session", "Library", "telnet://user@example.org:23"),
        ("search", "Find", &*find),
        ("search", "Phones", "gopher://example.org:105/2"),
        ("search", "Also", "gopher://example.org:71/2/cgi-bin/find"),
    ] {
        assert!(entries.contains(&expected), "{expected:?}\n{entries:#?}");
    }
    for (kind, reference) in [("directory", &folder), ("file", &file)] {
        let is_it = |(found, _, to): &&(&str, &str, &str)| found == &kind && to == reference;
        assert!(
            entries.iter().any(|entry| is_it(&entry)),
            "{reference}\n{entries:#?}"
        );
    }
    // gophernicus sends text unchanged, without a last line.
    let (response, buffer) = get(port, "0/a.txt");
    assert_eq!(buffer.bytes, b"hello\r\n.\r\n.dot\r\n.\r\nend\r\n");
    assert!(
        response
            .rendered()
            .iter()
            .any(|step| step.contains("without a full stop"))
    );
    assert_eq!(get(port, "g/p.gif").1.bytes, GIF);
    assert_eq!(get(port, "9/bin/b.bin").1.bytes, b"\0\r\n.\r\n\xff");
    assert_eq!(get(port, "h/w.html").1.bytes, b"<p>\n.\n");
    let (_, buffer) = get(port, "1/sub");
    assert!(
        buffer
            .entries
            .iter()
            .any(|entry| entry.reference == Some(format!("{here}/0/sub/f.txt")))
    );
    let (_, buffer) = get(port, "7/cgi-bin/find%09red%20hat");
    assert!(
        buffer.entries[0].name.contains("You want red hat"),
        "{:?}",
        buffer.entries
    );
    let error = fails(&mut client(), &format!("{here}/1/nope/"));
    assert!(error.kind().is_denial(), "{error}");
    // gophernicus does not support Gopher+.
    let (response, buffer) = get(port, "0/a.txt%09%09+");
    assert_eq!(buffer.bytes, b"hello\r\n.\r\n.dot\r\n.\r\nend\r\n");
    assert!(
        response
            .rendered()
            .iter()
            .any(|step| step == "the server does not support Gopher+")
    );
    let (response, buffer) = fetch_with(&mut client(), &format!("{here}/g/p.gif"), |request| {
        request.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(response.metadata.media_type.as_deref(), Some("image/gif"));
    assert!(buffer.bytes.is_empty());
    let log = server.log();
    for line in ["/a.txt", "/cgi-bin/find", "/p.gif"] {
        assert!(log.contains(line), "{log}");
    }
}

/// Starts pygopherd with a text file, a picture, a folder, and their attributes.
fn start_pygopherd(test: &str) -> Option<(Folder, Pygopherd)> {
    let root = Folder::new("gopher-root");
    root.write("a.txt", "hello\n..\n.dot\n.\nend\n");
    root.write("a.txt.abstract", "About\ntwo lines\n");
    root.write(
        "a.txt.ask",
        "Ask: Your name?\tTim\nChoose: Colour?\tred\tblue\n",
    );
    root.write("p.gif", GIF);
    root.write("sub/f.bin", b"\0\r\n.\r\n\xff");
    root.write(".abstract", "The root\n");
    let server = Pygopherd::start(&root);
    if server.is_none() {
        skip(test, "pygopherd");
    }
    Some((root, server?))
}

#[test]
fn pygopherd() {
    let Some((_root, server)) = start_pygopherd("pygopherd") else {
        return;
    };
    let port = server.port;
    let here = format!("gopher://127.0.0.1:{port}");
    // The menu, with and without Gopher+. All URLs in the menu are for Gopher+.
    for path in ["", "1/", "1%09%09+"] {
        let (_, buffer) = get(port, path);
        let entries: Vec<_> = buffer.entries.iter().map(short).collect();
        let links = ["0/a.txt", "g/p.gif", "1/sub"].map(|path| format!("{here}/{path}%09%09+"));
        for (kind, name, link) in [
            ("file", "a.txt", &links[0]),
            ("file", "p.gif", &links[1]),
            ("directory", "sub", &links[2]),
        ] {
            assert!(
                entries.contains(&(kind, name, link)),
                "{path}: {name}\n{entries:#?}"
            );
        }
        // The items of the menu exist.
        for link in &links {
            let mut client = client();
            let (response, _) = fetch(&mut client, link).unwrap();
            assert_as_planned(&plan(&client, link).unwrap(), &response.rendered());
        }
    }
    assert_eq!(get(port, "0/a.txt").1.bytes, b"hello\n.\n.dot\n.\nend\n");
    // With a length, data is passed on unchanged.
    let (response, buffer) = get(port, "0/a.txt%09%09+");
    assert_eq!(buffer.bytes, b"hello\n..\n.dot\n.\nend\n");
    assert_eq!(response.metadata.size, Some(20));
    assert_eq!(get(port, "9/sub/f.bin%09%09+").1.bytes, b"\0\r\n.\r\n\xff");
    assert_eq!(
        get(port, "0/a.txt%09%09+text/plain%20En_US")
            .1
            .metadata
            .media_type
            .as_deref(),
        Some("text/plain")
    );
    let error = fails(&mut client(), &format!("{here}/0/nope%09%09+"));
    assert!(error.kind().is_denial(), "{error}");
    assert!(
        error.to_string().contains("'/nope' does not exist"),
        "{error}"
    );
    let error = fails(&mut client(), &format!("{here}/0/nope"));
    assert!(error.kind().is_denial(), "{error}");
    let log = server.log();
    for line in [
        "[GopherPlusProtocol/FileHandler]: /a.txt",
        "[GopherProtocol/FileHandler]: /a.txt",
        "[GopherPlusProtocol/UMNDirHandler]: /",
    ] {
        assert!(log.contains(line), "{line}\n{log}");
    }
}

#[test]
fn attributes_of_pygopherd() {
    let Some((root, server)) = start_pygopherd("attributes_of_pygopherd") else {
        return;
    };
    let port = server.port;
    let here = format!("gopher://127.0.0.1:{port}");
    let (response, buffer) = get(port, "0/a.txt%09%09!");
    let names: Vec<&str> = response
        .metadata
        .attributes
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["+INFO", "+ADMIN", "+VIEWS", "+ABSTRACT", "+ASK"]);
    assert!(
        String::from_utf8_lossy(&buffer.bytes).contains("+ABSTRACT:\r\n About\r\n two lines\r\n")
    );
    // pygopherd can send all attributes, but if only some are requested, it sends the file.
    let (_, buffer) = get(port, "0/a.txt%09%09!+ABSTRACT");
    assert_eq!(buffer.bytes, b"+ABSTRACT:\r\n About\r\n two lines\r\n");
    let (response, _) = fetch_with(&mut client(), &format!("{here}/0/a.txt"), |request| {
        request.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert_eq!(response.metadata.media_type.as_deref(), Some("text/plain"));
    let modified = std::fs::metadata(root.path().join("a.txt"))
        .unwrap()
        .modified()
        .unwrap();
    let told = response.metadata.modified.unwrap();
    let difference = jiff::Timestamp::try_from(modified)
        .unwrap()
        .duration_since(told);
    // pygopherd writes local time without a time zone.
    assert_eq!(difference.as_secs().rem_euclid(900), 0, "{told}");

    let (_, buffer) = get(port, "1/%09%09$");
    let file = buffer
        .entries
        .iter()
        .find(|entry| entry.name == "a.txt")
        .unwrap();
    assert_eq!(short(file).2, format!("{here}/0/a.txt%09%09+"));
    assert_eq!(file.modified, Some(told));
    assert_eq!(detail(file, "views"), "text/plain: <0k>");
    assert_eq!(detail(file, "abstract"), "About\ntwo lines");
    assert!(detail(file, "admin").contains("<fng@bogus.edu>"));
    // The form is fetched. Without a user, the error quotes its questions.
    let error = fails(&mut client(), &format!("{here}/0/a.txt%09%09?"));
    assert!(
        error.to_string().contains("Choose: Colour?\\tred\\tblue"),
        "{error}"
    );
}
