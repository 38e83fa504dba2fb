//! `uri check` when something fails: a kill, a full disk, a folder that vanishes, damaged files. In
//! each case, the results so far are reported, and data that was already written is not lost.

use crate::support::{Folder, Outcome, command, run_with, uri};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use urikit_testkit::servers::Scripted;

/// The number of pages of the site.
const PAGES: usize = 60;

/// Serves a site whose pages link to one another. While `is_slow` is true, requests for the second
/// half of the pages are never answered.
fn site(is_slow: &Arc<AtomicBool>) -> Scripted {
    let is_slow = Arc::clone(is_slow);
    Scripted::start(move |client| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let path = line.split(' ').nth(1).unwrap_or_default();
            let page = path.trim_start_matches('/').parse::<usize>().ok();
            let (status, body) = match page {
                Some(page) if page > PAGES / 2 && is_slow.load(Ordering::SeqCst) => {
                    return client.hang();
                }
                Some(page) if page < PAGES => {
                    let next = page + 1;
                    let body = format!("<a href={next}#top> <a href=gone{page}> <p id=top>");
                    ("200 OK", body)
                }
                _ => ("404 Not Found", String::new()),
            };
            let length = body.len();
            let body = if line.starts_with("GET") { &*body } else { "" };
            client.say(format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n\
                 {body}"
            ));
        }
    })
}

/// Counts the requests for pages of the site.
fn requests(log: &[String]) -> usize {
    let pages = log.iter().filter(|line| line.starts_with("GET /"));
    pages.filter(|line| !line.contains("gone")).count()
}

#[test]
fn a_killed_run_continues() {
    let is_slow = Arc::new(AtomicBool::new(true));
    let (killed, whole) = (site(&is_slow), site(&Arc::new(AtomicBool::new(false))));
    let folder = Folder::new();
    let arguments = |server: &Scripted| {
        let url = format!("http://127.0.0.1:{}/0", server.port);
        let fixed = ["check", "-r", "--allow-private", "--format", "jsonl"];
        let mut arguments: Vec<_> = fixed.map(str::to_owned).into();
        arguments.extend(["--timeout".to_owned(), "60".to_owned(), url]);
        arguments
    };
    let expected = uri(arguments(&whole));
    assert_eq!(expected.status, 1);
    let with_state = || {
        let mut command = command();
        command.current_dir(folder.path()).args(arguments(&killed));
        command.args(["--state", "state"]);
        command
    };
    let mut first = with_state();
    let child = first.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    let last = format!("GET /{} ", PAGES / 2 + 1);
    while !killed.log().iter().any(|line| line.starts_with(&last)) {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait_with_output().unwrap();
    let before = requests(&killed.log());
    assert!(folder.path().join("state").exists());
    // Another run must not use the state.
    let other = uri([
        "check",
        "--state",
        folder.path().join("state").to_str().unwrap(),
        ".",
    ]);
    assert!(
        other
            .err
            .contains("the state of another run: http://127.0.0.1:"),
        "{}",
        other.err
    );
    assert_eq!(other.status, 3);

    is_slow.store(false, Ordering::SeqCst);
    let outcome = run_with(with_state(), b"");
    let port = |text: &str| text.replace(&killed.port.to_string(), &whole.port.to_string());
    assert_eq!(port(&outcome.out), expected.out);
    let note = outcome.err.trim_end();
    assert!(
        note.starts_with("continuing from state: ") && note.ends_with(" URLs"),
        "{note}"
    );
    assert_eq!(outcome.status, 1);
    // The page that was not answered is requested again, and the pages after it for the first time.
    // The last link refers to no page, and is requested twice.
    let again = requests(&killed.log()) - before;
    assert_eq!(again, PAGES - (PAGES / 2 + 1) + 2, "{before}");
    assert!(
        !folder.path().join("state").exists(),
        "a complete run removes its state"
    );
}

#[test]
fn damaged_and_foreign_states_are_errors() {
    let folder = Folder::new();
    folder.file("a.md", "[a](a.md)");
    let run = || {
        let mut command = command();
        command.current_dir(folder.path());
        command.args(["check", "--state", "state", "a.md"]);
        run_with(command, b"")
    };
    folder.file("state", "something else\n");
    let outcome = run();
    let expected = "uri: state: not a state file of this version of `uri check`\n";
    assert_eq!((&*outcome.err, outcome.status), (expected, 3));
    let header = "{\"uri-check-state\":1,\"of\":\"a.md\"}\n";
    folder.file("state", format!("{header}{}", "x".repeat(100)));
    let outcome = run();
    let expected = format!(
        "uri: state: the state is damaged at byte {}; remove it to start again\n",
        header.len()
    );
    assert_eq!((&*outcome.err, outcome.status), (&*expected, 3));
    assert_eq!(
        uri(["check", "--offline", "--state", "x", "a.md"]).status,
        2
    );
}

/// Runs the command with the largest size of a file in blocks of 512 or 1024 bytes. Writing more is
/// an error, as on a full disk.
fn limited(folder: &Path, blocks: usize, arguments: &[&str]) -> Outcome {
    let mut shell = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    shell.args(["-c", &script, "sh"]);
    shell.arg(env!("CARGO_BIN_EXE_uri")).args(arguments);
    let output = shell
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Outcome {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    let server = site(&Arc::new(AtomicBool::new(false)));
    let url = format!("http://127.0.0.1:{}/0", server.port);
    let store = "{\"url\":\"https://a.example/\",\"outcome\":\"ok\",\"first\":\"2026-01-01\",\
                 \"last\":\"2026-01-01\"}\n";
    folder.file("store", store);
    let access = ["check", "-r", "--allow-private", "--format", "jsonl", &*url];
    let expected = uri(access);
    let run = |options: &[&str]| limited(folder.path(), 2, &[&access[..], options].concat());
    // The report is complete, and the old store stays.
    let outcome = run(&["--store", "store"]);
    assert_eq!(outcome.out, expected.out);
    assert!(
        outcome.err.starts_with("uri: store: File too large"),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.status, 3);
    assert_eq!(
        fs::read_to_string(folder.path().join("store")).unwrap(),
        store
    );
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1, "nothing is left beside the store");
    // So is that with a state, which keeps the answers that fit.
    let outcome = run(&["--state", "state"]);
    assert_eq!(outcome.out, expected.out);
    assert!(
        outcome.err.starts_with("uri: state: File too large"),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.status, 3);
    // A file that --fix cannot rewrite is left unchanged.
    let text = format!("[a](B.md)\n{}", "x".repeat(10_000));
    folder.file("a.md", &text);
    folder.file("b.md", "");
    let outcome = limited(folder.path(), 2, &["check", "--fix", "--offline", "a.md"]);
    assert!(
        outcome.err.starts_with("uri: a.md: File too large"),
        "{}",
        outcome.err
    );
    assert!(outcome.out.contains("write b.md"), "{}", outcome.out);
    assert_eq!(outcome.status, 3);
    assert_eq!(
        fs::read_to_string(folder.path().join("a.md")).unwrap(),
        text
    );
    // The report itself cannot be written.
    let mut command = command();
    command.args(["check", "--offline", folder.path().to_str().unwrap()]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command.stdout(full).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        err.to_lowercase().contains("no space left on device"),
        "{err}"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_folder_that_vanishes() {
    let folder = Folder::new();
    folder.file("kept.md", "[a](gone/a.md) [b](kept.md)");
    fs::create_dir(folder.path().join("gone")).unwrap();
    folder.file("gone/a.md", "[x](b.md)");
    let mut command = command();
    command.current_dir(folder.path());
    command.args(["check", "--offline", "--files-from", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    list.write_all(b"kept.md\n").unwrap();
    list.flush().unwrap();
    fs::remove_dir_all(folder.path().join("gone")).unwrap();
    list.write_all(b"gone/a.md\n").unwrap();
    drop(list);
    let output = child.wait_with_output().unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        out.contains("kept.md:1:5: error: no such file [broken]"),
        "{out}"
    );
    assert!(out.contains(": 1 ok, 1 broken"), "{out}");
    assert!(err.starts_with("uri: gone/a.md: no such file"), "{err}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_store_that_was_cut_in_half() {
    let folder = Folder::new();
    let line = |n: usize| {
        format!(
            "{{\"url\":\"https://a.example/{n:03}\",\"outcome\":\"ok\",\"first\":\"2026-01-01\",\
             \"last\":\"2026-01-01\"}}\n"
        )
    };
    let all: String = (0..100).map(line).collect();
    let half = &all.as_bytes()[..all.len() / 2 + 10];
    folder.file("store", half);
    let links: Vec<_> = (0..100)
        .map(|n| format!("<https://a.example/{n:03}>\n"))
        .collect();
    folder.file("a.md", links.concat());
    let mut command = command();
    command.current_dir(folder.path());
    command.args(["check", "--check-store", "--store", "store"]);
    command.args(["--max-age", "100000d", "a.md"]);
    let outcome = run_with(command, b"");
    assert!(
        outcome.out.contains("100 links in 1 document: 50 ok"),
        "{}",
        outcome.out
    );
    assert!(
        outcome
            .err
            .starts_with("uri: store:51: skipped: EOF while parsing"),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.status, 1);
}

/// A server that sends much more than a page.
#[test]
fn pages_that_do_not_end() {
    let bomb = {
        let zeros = vec![0; 1 << 20];
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..64 {
            encoder.write_all(&zeros).unwrap();
        }
        encoder.finish().unwrap()
    };
    let server = Scripted::start(move |client| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let is_bomb = line.contains("/bomb");
            let (length, coding) = if is_bomb {
                (bomb.len(), "Content-Encoding: gzip\r\n")
            } else {
                (2 << 30, "")
            };
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{coding}Content-Length: {length}\r\n\
                 \r\n"
            ));
            match line.starts_with("GET") {
                true if is_bomb => drop(client.say(&bomb)),
                true => client.say_forever("<p>text</p>".repeat(6_000)),
                false => {}
            }
        }
    });
    let host = format!("127.0.0.1:{}", server.port);
    let text = format!("<http://{host}/2g#x> <http://{host}/bomb#x> <http://{host}/2g>");
    let mut command = command();
    command.args(["check", "-v", "--no-robots", "--allow-private", "-"]);
    let outcome = run_with(command, text.as_bytes());
    assert!(
        outcome
            .out
            .contains("3 links in 1 document: 1 ok, 0 broken, 2 unver"),
        "{}",
        outcome.out
    );
    let why = "fragments cannot be checked in this format";
    assert_eq!(outcome.out.matches(why).count(), 2, "{}", outcome.out);
    assert_eq!((&*outcome.err, outcome.status), ("", 0));
}
