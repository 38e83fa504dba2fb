//! The gateway with real servers, and with real clients that use it as a proxy.

use crate::client::{Gateway, Settings};
use std::path::Path;
use std::process::Command;
use urikit_testkit::servers::{Folder, Gophernicus, Pyftpdlib, Sn, installed, skip};

/// Runs a program, and returns its output.
fn run(program: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_folder() {
    let root = Folder::new("gateway-ftp");
    root.write("b.txt", "two\n");
    root.write("a.bin", [b'\0'; 3000]);
    root.write("sub/c.txt", "in a folder\n");
    let Some(server) = Pyftpdlib::start(&root) else {
        return skip("a_folder", "pyftpdlib");
    };
    let gateway = Gateway::start();
    let url = format!("ftp://127.0.0.1:{}", server.port());
    let page = gateway.get(&format!("/{url}/"));
    assert_eq!(page.status, 200, "{}", page.text());
    let row = format!(
        "<tr><td><a href=\"/{url}/a.bin\">a.bin</a></td><td>file</td><td class=\"number\">3000</td>"
    );
    assert!(page.text().contains(&row), "{}", page.text());
    let order = |key: &str| {
        let page = gateway.get(&format!("/sort/{key}/{url}/"));
        let text = page.text().to_owned();
        let names =
            ["a.bin", "b.txt", "sub"].map(|name| (text.find(&format!(">{name}</a>")), name));
        let mut names = names.to_vec();
        names.sort();
        names
            .iter()
            .map(|(at, name)| at.map(|_| *name).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(order("name"), ["a.bin", "b.txt", "sub"]);
    assert_eq!(order("-name"), ["sub", "b.txt", "a.bin"]);
    assert_eq!(order("-size")[0], "a.bin");
    assert_eq!(order("-kind")[0], "sub");
    let folder = gateway.get(&format!("/{url}/sub/"));
    assert!(
        folder
            .text()
            .contains(&format!("<a href=\"/{url}/\">Up</a>")),
        "{}",
        folder.text()
    );
    let text = gateway.get(&format!("/{url}/sub/c.txt"));
    assert!(text.text().contains("in a folder\n"), "{}", text.text());
    assert_eq!(gateway.get(&format!("/{url}/none")).status, 404);
    // Bytes, with their type, length and ranges.
    let bytes = gateway.get(&format!("/{url}/a.bin"));
    assert_eq!(bytes.body.len(), 3000);
    assert_eq!(bytes.field("content-length"), Some("3000"));
    assert_eq!(
        bytes.field("content-type"),
        Some("application/octet-stream")
    );
    assert_eq!(bytes.field("accept-ranges"), Some("bytes"));
    let raw = gateway.get(&format!("/raw/{url}/b.txt"));
    assert_eq!(
        (raw.text(), raw.field("content-length")),
        ("two\n", Some("4"))
    );
    let feed = gateway.get(&format!("/feed/{url}/"));
    assert_eq!(feed.field("content-type"), Some("application/atom+xml"));
    let entry = format!("<link href=\"http://{}/{url}/b.txt\"/>", gateway.address);
    assert!(feed.text().contains(&entry), "{}", feed.text());
    // curl and lynx use the gateway as a proxy.
    let proxy = format!("http://{}", gateway.address);
    if let Some(curl) = installed("curl") {
        let target = format!("{url}/sub/c.txt");
        let output = run(&curl, &["-s", "-x", &proxy, &target], &[]);
        assert_eq!(output, "in a folder\n");
    } else {
        skip("a_folder: a proxy", "curl");
    }
    if let Some(lynx) = installed("lynx") {
        let target = format!("{url}/");
        let output = run(
            &lynx,
            &["-dump", &target],
            &[("ftp_proxy", &proxy), ("HOME", "/")],
        );
        assert!(
            output.contains("a.bin") && output.contains(&format!("{url}/sub")),
            "{output}"
        );
    } else {
        skip("a_folder: a proxy", "lynx");
    }
}

#[test]
fn ranges_of_a_file() {
    let root = Folder::new("gateway-ranges");
    root.write("b.txt", "two\n");
    root.write("a.bin", [b'\0'; 3000]);
    let Some(server) = Pyftpdlib::start(&root) else {
        return skip("ranges_of_a_file", "pyftpdlib");
    };
    let gateway = Gateway::start();
    let url = format!("ftp://127.0.0.1:{}", server.port());
    for (range, expected) in [
        ("bytes=2900-", 100),
        ("bytes=10-19", 10),
        ("bytes=-7", 7),
        ("bytes=-9999", 3000),
    ] {
        let part = gateway.get_with(&format!("/{url}/a.bin"), &format!("Range: {range}\r\n"));
        assert_eq!(part.status, 206, "{range}");
        assert_eq!(part.body.len(), expected, "{range}");
        assert!(part.field("content-range").unwrap().ends_with("/3000"));
    }
    let last = gateway.get_with(&format!("/{url}/b.txt"), "Range: bytes=-3\r\n");
    let expected = ("wo\n", Some("bytes 1-3/4"));
    assert_eq!((last.text(), last.field("content-range")), expected);
    // If the file has changed, the response is complete.
    let changed = "Range: bytes=-3\r\nIf-Range: \"other\"\r\n";
    let whole = gateway.get_with(&format!("/raw/{url}/b.txt"), changed);
    assert_eq!((whole.status, whole.text()), (200, "two\n"));
    let none = gateway.get_with(&format!("/{url}/none"), "Range: bytes=-3\r\n");
    assert_eq!(none.status, 404);
    let folder = gateway.get_with(&format!("/{url}/"), "Range: bytes=-3\r\n");
    assert_eq!(folder.status, 200);
}

#[test]
fn a_menu_a_text_and_a_search() {
    let root = Folder::new("gateway-gopher");
    root.write("a.txt", "hello\nhttp://w.example/\n");
    root.write("gophermap", "!Title\n  ( art )\n7Find\t/cgi-bin/find\n*\n");
    root.program(
        "cgi-bin/find",
        "#!/bin/sh\necho \"0You want $SEARCHREQUEST\t/found\"\n",
    );
    let Some(server) = Gophernicus::start(&root) else {
        return skip(
            "a_menu_a_text_and_a_search",
            "gophernicus with openbsd-inetd",
        );
    };
    let gateway = Gateway::start();
    let url = format!("gopher://127.0.0.1:{}", server.port);
    let page = gateway.get(&format!("/{url}/"));
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("  ( art )\n"), "{}", page.text());
    assert!(
        page.text()
            .contains(&format!("<a href=\"/{url}/0/a.txt\">a.txt"))
    );
    let text = gateway.get(&format!("/{url}/0/a.txt"));
    assert!(
        text.text().contains("<a href=\"http://w.example/\">"),
        "{}",
        text.text()
    );
    let found = gateway.get(&format!("/{url}/7/cgi-bin/find%09red%20hat"));
    assert!(
        found.text().contains("You want red hat"),
        "{}",
        found.text()
    );
    if let Some(lynx) = installed("lynx") {
        let proxy = format!("http://{}", gateway.address);
        let target = format!("{url}/");
        let output = run(
            &lynx,
            &["-dump", &target],
            &[("gopher_proxy", &proxy), ("HOME", "/")],
        );
        assert!(
            output.contains("( art )") && output.contains("a.txt"),
            "{output}"
        );
    } else {
        skip("a_menu_a_text_and_a_search: a proxy", "lynx");
    }
}

#[test]
fn a_group_and_an_article() {
    let article = |id: &str, subject: &str, references: &str| {
        format!(
            "From: a@b.example\r\nNewsgroups: test.group\r\nSubject: {subject}\r\n\
             Date: Tue, 6 Oct 1998 04:38:40 +0000\r\nMessage-ID: <{id}>\r\n{references}\r\n\
             > one\r\n> two\r\n> three\r\n> four\r\nSee <news:first@x.example>.\r\n"
        )
    };
    let articles = [
        article("first@x.example", "Begin <b>", ""),
        article(
            "reply@x.example",
            "Re: Begin",
            "References: <first@x.example>\r\n",
        ),
    ];
    let articles = articles.map(|article| article.replace("\r\n", "\n"));
    let Some(server) = Sn::start(&["test.group"], &[&articles[0], &articles[1]]) else {
        return skip("a_group_and_an_article", "sn with openbsd-inetd");
    };
    let host = format!("127.0.0.1:{}", server.port);
    let gateway = Gateway::with(Settings {
        news_server: Some(host.clone()),
        ..Settings::default()
    });
    for address in [
        format!("/nntp://{host}/test.group"),
        "/news:test.group".to_owned(),
    ] {
        let newest = gateway.get(&address);
        assert_eq!(newest.status, 303, "{}", newest.text());
        let location = newest.field("location").unwrap();
        assert_eq!(location, format!("/nntp://{host}/test.group/10-11"));
    }
    let page = gateway.get(&format!("/nntp://{host}/test.group/10-11"));
    let first =
        format!("<li class=\"d0\"><a href=\"/nntp://{host}/test.group/10\">Begin &#60;b&#62;</a>");
    assert!(page.text().contains(&first), "{}", page.text());
    assert!(page.text().contains("<li class=\"d1\">"), "{}", page.text());
    let article = gateway.get(&format!("/nntp://{host}/test.group/10"));
    for expected in [
        "<dt>Subject</dt><dd>Begin &#60;b&#62;</dd>",
        "<details><summary>Quotation</summary>&#62; one",
        "<a href=\"/news:first@x.example\">",
    ] {
        assert!(
            article.text().contains(expected),
            "{expected}: {}",
            article.text()
        );
    }
    let feed = gateway.get(&format!("/feed/nntp://{host}/test.group/10-11"));
    assert!(
        feed.text().contains("<title>Begin &#60;b&#62;</title>"),
        "{}",
        feed.text()
    );
    assert_eq!(gateway.get("/news:first@x.example").status, 200);
}
