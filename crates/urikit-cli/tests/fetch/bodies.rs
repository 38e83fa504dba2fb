//! Destinations of bodies, and attributes.

use crate::support::{Folder, command, keys, run_with};
use crate::{fetch, http, request};
use std::fmt::Write as _;
use std::fs;
use urikit_testkit::servers::Scripted;

#[test]
fn a_body_is_exact_on_standard_output() {
    let server = http(&[("/a?b", "200 OK\r\nContent-Length: 7", b"a\0\x1b[2Jz")]);
    let url = format!("http://127.0.0.1:{}/a?b#c", server.port);
    let outcome = fetch([url.as_str()]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str(), outcome.status),
        ("a\0\x1b[2Jz", "", 0)
    );
}

#[test]
fn a_file_gets_its_name_when_it_is_complete() {
    let server = http(&[
        ("/good.txt", "200 OK\r\nContent-Length: 5", b"whole"),
        ("/bad.txt", "200 OK\r\nContent-Length: 9", b"whole"),
    ]);
    let folder = Folder::new();
    let to = format!("{}/", folder.path().to_str().unwrap());
    let url = |name: &str| format!("http://127.0.0.1:{}/{name}", server.port);
    let outcome = fetch([
        "-o",
        &to,
        &url("good.txt"),
        &url("bad.txt"),
        &url("good.txt"),
    ]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    assert!(
        outcome.err.starts_with("uri: argument 2: "),
        "{}",
        outcome.err
    );
    assert!(
        outcome.err.contains("expected 9 bytes, found only 5"),
        "{}",
        outcome.err
    );
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    names.sort();
    // No file is overwritten, and incomplete files have a different name.
    assert_eq!(names, ["bad.txt.part", "good.txt", "good.txt.1"]);
    assert_eq!(
        fs::read(folder.path().join("bad.txt.part")).unwrap(),
        b"whole"
    );
}

#[test]
fn attributes_and_steps() {
    const HEAD: &str = "200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\
                        Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
    let server = http(&[
        ("/a", HEAD, b"whole"),
        ("/b", "302 Found\r\nLocation: a\r\nContent-Length: 0", b""),
    ]);
    let url = format!("http://127.0.0.1:{}/b#top", server.port);
    let outcome = fetch(["-I", &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let lines: Vec<&str> = outcome.out.lines().take(8).collect();
    let expected = [
        format!("uri\t{url}"),
        format!("redirect\t302 Found to http://127.0.0.1:{}/a", server.port),
        "status\t200 OK".to_owned(),
        format!("final_uri\thttp://127.0.0.1:{}/a", server.port),
        "fragment\ttop".to_owned(),
        "media_type\ttext/plain".to_owned(),
        "size\t5".to_owned(),
        "modified\t1994-11-06T08:49:37Z".to_owned(),
    ];
    assert_eq!(lines, expected);
    assert_eq!(outcome.err, "");
    let folder = Folder::new();
    let (to, meta) = (folder.path().join("body"), folder.path().join("meta"));
    let (to, meta) = (to.to_str().unwrap(), meta.to_str().unwrap());
    let outcome = fetch(["--json", "-o", to, "--meta", meta, &url]);
    let record = &outcome.json()[0];
    assert_eq!(
        keys(record),
        [
            "uri",
            "input",
            "valid",
            "final_uri",
            "fragment",
            "scheme",
            "status",
            "reason",
            "media_type",
            "size",
            "modified",
            "received",
            "file",
            "renamed",
            "attributes",
            "hops",
            "steps",
            "error",
            "result",
        ]
    );
    assert_eq!(record["size"], 5);
    assert_eq!(record["scheme"], "http");
    assert_eq!(fs::read_to_string(meta).unwrap(), outcome.out);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let server = Scripted::start(|client| {
        request(client);
        client.say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        client.say_forever([b'a'; 4096]);
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    let binary = env!("CARGO_BIN_EXE_uri");
    let mut shell = std::process::Command::new("bash");
    shell.args([
        "-c",
        &format!(
            "'{binary}' fetch --allow-private '{url}' | head -c 10; echo ${{PIPESTATUS[0]}} >&2"
        ),
    ]);
    let outcome = run_with(shell, b"");
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str()),
        ("aaaaaaaaaa", "0\n")
    );
}

#[test]
fn results_keep_the_order_of_the_inputs() {
    let server = Scripted::start(|client| {
        let (first, _) = request(client).unwrap();
        let number: u64 = first.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 * (5 - number)));
        client.say(format!(
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n{number}"
        ));
        client.close();
    });
    let folder = Folder::new();
    let to = format!("{}/", folder.path().to_str().unwrap());
    let mut lines = String::new();
    for number in 1..5 {
        let _ = writeln!(lines, "http://127.0.0.1:{}/{number}", server.port);
    }
    let mut command = command();
    command.args(["fetch", "--allow-private", "--json", "-j4", "-o", &to]);
    let outcome = run_with(command, (lines + "http://a b/\n").as_bytes());
    assert_eq!(outcome.status, 1, "{outcome:?}");
    let ends: Vec<String> = outcome
        .json()
        .iter()
        .map(|record| {
            record["uri"]
                .as_str()
                .unwrap()
                .chars()
                .rev()
                .take(1)
                .collect()
        })
        .collect();
    assert_eq!(ends, ["1", "2", "3", "4", "/"]);
    assert_eq!(fs::read(folder.path().join("3")).unwrap(), b"3");
}

/// Returns the files in a folder, sorted by name.
pub(crate) fn files(folder: &Folder) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn existing_files_remain_until_data_arrives() {
    let folder = Folder::new();
    folder.file("whole", "whole");
    folder.file("begun.part", "beg");
    folder.file("begun.part.version", "http://127.0.0.1:9/\n\"tag\"\n");
    let to = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let before = files(&folder);
    for arguments in [
        &["-C", "-", "-o", &to("whole")][..],
        &["-o", &to("whole")],
        &["-o", &to("begun")],
        &["-C", "-", "-o", &to("begun")],
        &["-C", "9", "-o", &to("begun")],
        &["-o", &to("new")],
    ] {
        let outcome = fetch(arguments.iter().copied().chain(["http://127.0.0.1:9/"]));
        assert_ne!(outcome.status, 0, "{arguments:?}");
        assert_eq!(files(&folder), before, "{arguments:?} {outcome:?}");
    }
}

#[test]
fn no_file_has_the_name_of_anothers_partial_file() {
    let server = http(&[
        ("/a", "200 OK\r\nContent-Length: 1", b"1"),
        ("/a.part", "200 OK\r\nContent-Length: 1", b"2"),
    ]);
    let folder = Folder::new();
    let to = format!("{}/", folder.path().to_str().unwrap());
    let url = |name: &str| format!("http://127.0.0.1:{}/{name}", server.port);
    assert_eq!(fetch(["-o", &to, &url("a.part"), &url("a")]).status, 0);
    let expected =
        [("a", "1"), ("a.part_", "2")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(&folder), expected);
}

#[test]
fn links_and_devices_are_written_directly() {
    let folder = Folder::new();
    let linked = folder.file("linked", "before");
    std::os::unix::fs::symlink(&linked, folder.path().join("link")).unwrap();
    let to = folder.path().join("link");
    assert_eq!(fetch(["-o", to.to_str().unwrap(), "data:,after"]).status, 0);
    assert!(to.is_symlink());
    assert_eq!(fs::read_to_string(linked).unwrap(), "after");
    let outcome = fetch(["-o", "/dev/full", "data:,after"]);
    assert_eq!(outcome.status, 3, "{outcome:?}");
    assert_eq!(fetch(["-o", "/dev/null", "data:,after"]).status, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn an_unwritable_record_hides_no_error() {
    let outcome = fetch(["--meta", "/dev/full", "http://127.0.0.1:9/"]);
    assert_eq!(outcome.status, 4, "{outcome:?}");
    assert!(
        outcome.err.contains("/dev/full") && outcome.err.contains("port 9"),
        "{}",
        outcome.err
    );
}
