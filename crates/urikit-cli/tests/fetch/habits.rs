//! Behaviour that users of curl expect.

use crate::support::{Folder, Outcome, uri};
use crate::terminal::on_terminal;
use crate::{fetch, http};

#[test]
fn redirects_are_noted_for_people_only() {
    let server = http(&[
        ("/a", "200 OK\r\nContent-Length: 2", b"a\n"),
        ("/b", "302 Found\r\nLocation: a\r\nContent-Length: 0", b""),
    ]);
    let url = format!("http://127.0.0.1:{}/b", server.port);
    let outcome = fetch([&*url]);
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("a\n", ""));
    let outcome = fetch(["-v", &url]);
    assert!(
        outcome.err.contains("redirected to http://127.0.0.1:"),
        "{}",
        outcome.err
    );
    for columns in [40, 80, 200] {
        for colours in [false, true] {
            let on = |options: &[&str]| {
                let all = [&["fetch", "--allow-private"][..], options, &[&*url]].concat();
                on_terminal(columns, colours, &all)
            };
            let screen = on(&[]);
            let notes: Vec<_> = screen.plain().lines().map(str::to_owned).collect();
            let note = notes
                .iter()
                .find(|line| line.contains("redirected to"))
                .unwrap();
            assert!(
                !note.starts_with("uri:"),
                "it does not look like an error: {note}"
            );
            assert!(
                !screen.text.contains("\x1b[31m"),
                "nor is it red: {}",
                screen.text
            );
            for quiet in [&["-q"][..], &["-s"], &["-sS"]] {
                assert_eq!(on(quiet).plain(), "a\n", "{quiet:?}");
            }
        }
    }
}

#[test]
fn curls_options_are_accepted() {
    let ok = uri(["fetch", "-L", "-s", "-S", "data:,abc"]);
    assert_eq!(
        (ok.out.as_str(), ok.err.as_str(), ok.status),
        ("abc", "", 0)
    );
    let failing = "http://127.0.0.1/";
    let silent = uri(["fetch", "-s", failing]);
    assert_eq!((silent.err.as_str(), silent.status), ("", 4));
    let shown = uri(["fetch", "-sS", failing]);
    assert!(shown.err.starts_with("uri: argument 1: "), "{}", shown.err);
    assert_eq!(shown.err, uri(["fetch", failing]).err);
}

#[test]
fn attributes_can_be_written_to_standard_output() {
    let folder = Folder::new();
    let body = folder.path().join("body");
    let to = body.to_str().unwrap();
    let outcome = uri(["fetch", "--meta", "-", "-o", to, "data:,abc"]);
    assert_eq!(outcome.json().len(), 1, "{outcome:?}");
    assert_eq!(outcome.json()[0]["size"], 3);
    assert_eq!(std::fs::read_to_string(&body).unwrap(), "abc");
    // --json prints the same line, and it is printed only once.
    let both = uri(["fetch", "--meta", "-", "--json", "-o", to, "data:,abc"]);
    let without_time = |outcome: &Outcome| {
        let mut record = outcome.json()[0].clone();
        record["hops"][0]["seconds"] = 0.into();
        record
    };
    assert_eq!(both.json().len(), 1);
    assert_eq!(without_time(&both), without_time(&outcome));
    let several = ["-j4", "data:,a", "data:,b", "data:,c"];
    let several = ["fetch", "--meta", "-", "-I"].into_iter().chain(several);
    let lines = uri(several).out;
    assert_eq!(
        lines.lines().filter(|line| line.starts_with('{')).count(),
        3,
        "{lines}"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = Folder::new();
    let missing = format!("{}/none/file", folder.path().to_str().unwrap());
    for file in [&*missing, "/dev/full"] {
        let outcome = uri(["fetch", "-o", file, "data:,abc"]);
        assert!(
            outcome.err.contains(&format!("{file}: ")),
            "{}",
            outcome.err
        );
        assert_eq!(outcome.status, 3, "{}", outcome.err);
    }
}
