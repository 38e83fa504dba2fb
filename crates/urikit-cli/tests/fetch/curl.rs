//! Habits from curl: error bodies, `--no-location`, `-f`, `-J`, `-v` while a transfer runs, and
//! binary bodies on a terminal.

use crate::support::{Folder, uri, uri_with};
use crate::terminal::on_terminal;
use crate::{fetch, http, request};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use urikit_testkit::servers::{self, Gophernicus, Scripted, skip};

fn url(server: &Scripted, path: &str) -> String {
    format!("http://127.0.0.1:{}{path}", server.port)
}

#[test]
fn the_body_of_an_error_is_written_on_request() {
    let folder = Folder::new();
    let server = http(&[
        (
            "/",
            "404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 4",
            b"none",
        ),
        (
            "/busy",
            "503 Busy\r\nRetry-After: 0\r\nContent-Length: 4",
            b"busy",
        ),
        ("/cut", "500 No\r\nContent-Length: 9", b"cut"),
    ]);
    let (from, file) = (url(&server, "/"), folder.path().join("file"));
    let to = file.to_str().unwrap();
    let outcome = fetch([&*from]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 5));
    let outcome = fetch(["--fail-with-body", &from]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("none", 5),
        "{outcome:?}"
    );
    assert_eq!(fetch(["--fail-with-body", "-o", to, &from]).status, 5);
    assert_eq!(std::fs::read(&file).unwrap(), b"none");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // The body of a temporary error is written only after the last attempt.
    let outcome = fetch(["--fail-with-body", "--retry", "2", &url(&server, "/busy")]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("busy", 5),
        "{outcome:?}"
    );
    assert_eq!(outcome.err.matches("trying again").count(), 2);
    // The body of an error may also be cut off.
    let cut = folder.path().join("cut");
    let outcome = fetch([
        "--fail-with-body",
        "-o",
        cut.to_str().unwrap(),
        &url(&server, "/cut"),
    ]);
    assert_eq!(outcome.status, 5);
    assert!(!cut.exists());
}

/// A partial file keeps its content regardless of what the server sends.
#[test]
fn the_body_of_an_error_is_never_appended() {
    let folder = Folder::new();
    let server = Scripted::start(|client| {
        let (_, fields) = request(client).unwrap_or_default();
        client.say(if fields.iter().any(|line| line.starts_with("Range:")) {
            "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"
        } else {
            "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\nhe"
        });
        client.close();
    });
    let file = folder.path().join("file");
    let arguments = ["--fail-with-body", "-C", "-", "-o", file.to_str().unwrap()];
    let from = url(&server, "/");
    for _ in 0..2 {
        let outcome = fetch(arguments.iter().copied().chain([&*from]));
        assert_eq!(outcome.status, 5, "{outcome:?}");
        let partial = folder.path().join("file.part");
        assert_eq!(std::fs::read(partial).unwrap(), b"he");
    }
    assert!(!file.exists());
    let is_for_rest = |line: &String| line == "Range: bytes=2-";
    assert!(
        server.log().iter().any(is_for_rest),
        "the second request is for the rest"
    );
}

#[test]
fn the_first_response_can_be_the_result() {
    let server = http(&[
        (
            "/a",
            "302 Found\r\nLocation: /b\r\nContent-Length: 3",
            b"see",
        ),
        ("/none", "404 Not Found\r\nContent-Length: 0", b""),
    ]);
    let outcome = fetch([
        "--no-location",
        "-w",
        " %{http_code} %{redirect_url}",
        &url(&server, "/a"),
    ]);
    let expected = format!("see 302 {}", url(&server, "/b"));
    assert_eq!((outcome.out, outcome.status), (expected, 0));
    let outcome = fetch(["--no-location", "--json", "-I", &url(&server, "/a")]);
    let record = &outcome.json()[0];
    assert_eq!((record["status"].as_u64(), outcome.status), (Some(302), 0));
    assert_eq!(record["final_uri"], record["uri"]);
    assert_eq!(fetch(["--no-location", &url(&server, "/none")]).status, 5);
    // The last of -L and --no-location applies, as in curl.
    assert_eq!(
        fetch([
            "--no-location",
            "-L",
            "--max-redirs",
            "0",
            &url(&server, "/a")
        ])
        .status,
        4
    );
}

#[test]
fn failing_is_the_default() {
    let (server, folder) = (
        http(&[("/", "200 OK\r\nContent-Length: 5", b"hello")]),
        Folder::new(),
    );
    let from = url(&server, "/");
    let list = folder.path().join("urls.txt");
    std::fs::write(&list, format!("{from}\n")).unwrap();
    let list = list.to_str().unwrap();
    let to = folder.path().join("f").display().to_string();
    for arguments in [
        &["-fsSL", &*from][..],
        &["-sSfL", &from],
        &["-ff", &from],
        &["--fail", &from],
        &["-f", list],
        &["-s", "-f", list],
    ] {
        let outcome = fetch(arguments.iter().copied());
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("hello", 0),
            "{arguments:?} {outcome:?}"
        );
    }
    // An `f` in a value is part of the value.
    for arguments in [
        &["-sfo", &*to][..],
        &[&format!("-fo{to}")],
        &["-A", "-f", "-o", &to],
    ] {
        let outcome = fetch(arguments.iter().copied().chain([&*from]));
        assert_eq!(outcome.status == 0, arguments[0] != "-A", "{outcome:?}");
    }
    assert_eq!(std::fs::read(&to).unwrap(), b"hello");
    assert_eq!(fetch(["--proto", "-ftp", &from]).status, 0);
    let outcome = fetch(["-f", &from]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.err.contains("no file is named `http://127.0.0.1"),
        "{outcome:?}"
    );
    assert!(outcome.err.contains("omit curl's -f"), "{outcome:?}");
}

#[test]
fn the_server_may_choose_a_safe_name() {
    let server = http(&[
        (
            "/a",
            "200 OK\r\nContent-Disposition: attachment; filename=\"../x/b.txt\"\r\nContent-Length: 1",
            b"1",
        ),
        (
            "/dot",
            "200 OK\r\nContent-Disposition: attachment; filename=.profile\r\nContent-Length: 1",
            b"2",
        ),
        (
            "/utf8",
            "200 OK\r\nContent-Disposition: attachment; filename=\"c\"; filename*=UTF-8''%e2%82%ac%20x\r\nContent-Length: 1",
            b"3",
        ),
        ("/plain", "200 OK\r\nContent-Length: 1", b"4"),
        (
            "/none",
            "404 No\r\nContent-Disposition: attachment; filename=no\r\nContent-Length: 0",
            b"",
        ),
        (
            "/cut",
            "200 OK\r\nContent-Disposition: attachment; filename=cut\r\nContent-Length: 9",
            b"5",
        ),
    ]);
    let folder = Folder::new();
    let to = format!("{}/", folder.path().display());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    for (path, name) in [
        ("/a", "b.txt"),
        ("/a", "b.txt.1"),
        ("/dot", "_.profile"),
        ("/utf8", "\u{20ac} x"),
        ("/plain", "plain"),
    ] {
        let outcome = fetch([
            "-J",
            "-o",
            &to,
            "-w",
            "%{filename_effective}",
            &url(&server, path),
        ]);
        assert_eq!(outcome.status, 0, "{outcome:?}");
        assert!(outcome.err.contains("saved as "), "{outcome:?}");
        assert!(outcome.out.ends_with(name), "{outcome:?}");
        assert_eq!(read(name).len(), 1, "{name}");
    }
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count(), 5);
    assert_eq!(fetch(["-OJ", "-o", &to, &url(&server, "/a")]).status, 2);
    assert_eq!(fetch(["-J", &url(&server, "/a")]).status, 2);
    assert_eq!(fetch(["-J", "-o", &to, &url(&server, "/none")]).status, 5);
    assert_eq!(count(), 5);
    assert_eq!(fetch(["-J", "-o", &to, &url(&server, "/cut")]).status, 5);
    assert!(!folder.path().join("cut").exists());
}

/// A stalled transfer shows what happened so far.
#[test]
fn steps_are_printed_when_they_happen() {
    let server = Scripted::start(|client| {
        request(client);
        client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        client.hang();
    });
    let mut child = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args([
            "fetch",
            "-v",
            "-j2",
            "--allow-private",
            &url(&server, "/"),
            "data:,a",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let is_head =
        |line: &std::io::Result<String>| line.as_ref().unwrap() == "[1] < HTTP/1.1 200 OK";
    assert!(lines.any(|line| is_head(&line)));
    child.kill().unwrap();
    child.wait().unwrap();
    // Messages about errors and retries also contain the number.
    let busy = http(&[("/", "503 Busy\r\nRetry-After: 0\r\nContent-Length: 0", b"")]);
    let outcome = fetch(["-v", "-j2", "--retry", "1", "^", &url(&busy, "/")]);
    assert!(
        outcome
            .err
            .lines()
            .all(|line| line.starts_with("[1] ") || line.starts_with("[2] "))
    );
    assert!(
        outcome.err.contains("\n[2] uri: argument 2: "),
        "{outcome:?}"
    );
    assert_eq!(
        outcome.err.matches("< HTTP/1.1 503 Busy\n").count(),
        2,
        "{outcome:?}"
    );
    let outcome = fetch(["-v", "-q", &url(&busy, "/")]);
    assert_eq!(outcome.err, "");
}

#[test]
fn hints_fit_the_error() {
    let server = http(&[
        ("/", "200 OK\r\nContent-Length: 5", b"hello"),
        (
            "/digest",
            "401 No\r\nWWW-Authenticate: Digest realm=\"a, b\", nonce=\"c\"\r\nContent-Length: 0",
            b"",
        ),
        (
            "/both",
            "401 No\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"c\", Basic realm=\"a\"\r\nContent-Length: 0",
            b"",
        ),
    ]);
    let outcome = fetch(["-r", "1-2", &url(&server, "/")]);
    assert!(
        outcome.err.contains("omit -r to") && !outcome.err.contains("-C"),
        "{outcome:?}"
    );
    assert!(fetch([&*url(&server, "/digest")]).err.contains("--digest"));
    assert!(!fetch([&*url(&server, "/both")]).err.contains("--digest"));
    let plain = Scripted::start(|client| {
        client.bytes(5);
        client.say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        client.close();
    });
    let outcome = fetch([&*format!("https://127.0.0.1:{}/", plain.port)]);
    assert_eq!(outcome.status, 5);
    let expected = format!(
        "uri: argument 1: 127.0.0.1:{} does not speak TLS (is it http?)\n",
        plain.port
    );
    assert_eq!(outcome.err, expected);
}

/// The status comes first, then the URL and its place. `-v` shows the exchange.
#[test]
fn a_refusal_is_a_status_a_url_and_a_line() {
    let server = http(&[
        ("/", "200 OK\r\nContent-Length: 1", b"a"),
        ("/none", "404 Not Found\r\nContent-Length: 0", b""),
        (
            "/to",
            "302 Found\r\nLocation: /none\r\nContent-Length: 0",
            b"",
        ),
        ("/busy", "503 Busy\r\nContent-Length: 0", b""),
    ]);
    let folder = Folder::new();
    let (missing, redirected) = (url(&server, "/none"), url(&server, "/to"));
    let list = format!("{}\n{missing}\n{redirected}\n", url(&server, "/"));
    let file = folder.path().join("urls.txt");
    std::fs::write(&file, &list).unwrap();
    let file = file.to_str().unwrap();
    let other = folder.path().join("other.txt");
    std::fs::write(&other, &missing).unwrap();
    let other = other.to_str().unwrap();
    let expected = format!(
        "uri: 404 Not Found  {missing}  (line 2)\n\
         uri: 404 Not Found  {redirected} → {missing}  (line 3)\n"
    );
    let outcome = fetch(["-f", file]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str()),
        ("a", &*expected)
    );
    let outcome = uri_with(["fetch", "--allow-private"], list.as_bytes());
    assert_eq!((outcome.err.as_str(), outcome.status), (&*expected, 5));
    let outcome = fetch(["-f", file, "-f", other]);
    for place in ["line 2 of ", "line 3 of ", "line 1 of "] {
        assert!(outcome.err.contains(place), "{outcome:?}");
    }
    let outcome = fetch([&*missing]);
    assert_eq!(
        outcome.err,
        format!("uri: 404 Not Found  {missing}  (argument 1)\n")
    );
    let outcome = fetch(["-v", &missing]);
    for line in ["> GET /none HTTP/1.1\n", "< HTTP/1.1 404 Not Found\n"] {
        assert!(outcome.err.contains(line), "{outcome:?}");
    }
    let outcome = fetch(["--retry", "1", "--retry-delay", "0", &url(&server, "/busy")]);
    let retry = "uri: argument 1: 503 Busy; trying again in 0 s\nuri: 503 Busy  http://";
    assert!(outcome.err.starts_with(retry), "{outcome:?}");
    // Data and templates contain the complete error.
    let outcome = fetch(["--json", "-I", &missing]);
    let message = outcome.json()[0]["error"]["message"].to_string();
    assert!(message.contains("not found on the server"), "{message}");
}

/// A run never writes a file twice, and reports each name that differs from the one in the URL.
#[test]
fn changed_names_are_reported() {
    let server = http(&[
        ("/a/n", "200 OK\r\nContent-Length: 1", b"1"),
        ("/b/n", "200 OK\r\nContent-Length: 1", b"2"),
        ("/c/n", "200 OK\r\nContent-Length: 1", b"3"),
        ("/x:y", "200 OK\r\nContent-Length: 1", b"4"),
        ("/n.part", "200 OK\r\nContent-Length: 1", b"5"),
        ("/none:x", "404 No\r\nContent-Length: 0", b""),
    ]);
    let folder = Folder::new();
    let to = format!("{}/", folder.path().to_str().unwrap());
    let all = ["/a/n", "/b/n", "/c/n", "/x:y", "/n.part", "/none:x"].map(|path| url(&server, path));
    let run = |options: &[&str]| {
        let arguments = [options, &["-o", &*to]].concat().into_iter();
        fetch(arguments.chain(all.iter().map(String::as_str)))
    };
    let outcome = run(&[]);
    let expected = [(2, "n.1"), (3, "n.2"), (4, "x_y"), (5, "n.part_")]
        .map(|(number, name)| format!("uri: argument {number}: saved as {to}{name}\n"));
    let missing = format!("uri: 404 No  {}  (argument 6)\n", all[5]);
    assert_eq!(outcome.err, expected.concat() + &missing);
    for (name, content) in [("n", "1"), ("n.1", "2"), ("n.2", "3"), ("n.part_", "5")] {
        let found = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(found, content, "{name}");
    }
    // A second run uses the same names.
    let records = run(&["--json"]).json();
    let names = ["n", "n.1", "n.2", "x_y", "n.part_"].map(|name| format!("{to}{name}"));
    for (index, name) in names.iter().enumerate() {
        assert_eq!(records[index]["file"], **name);
        assert_eq!(records[index]["renamed"], index > 0, "{name}");
    }
    assert_eq!(records[5]["file"], serde_json::Value::Null);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5);
    let one = folder.path().join("one");
    let outcome = fetch(["--json", "-o", one.to_str().unwrap(), &all[0]]);
    let record = &outcome.json()[0];
    assert_eq!(record["file"], one.to_str().unwrap());
    assert_eq!(record["renamed"], false);
    let record = &fetch(["--json", "-J", "-o", &to, &all[0]]).json()[0];
    assert_eq!(record["file"], format!("{to}n.3"));
    assert_eq!(record["renamed"], true);
}

#[test]
fn one_job_is_the_default_and_the_order_is_kept() {
    let help = uri(["fetch", "-h"]).out;
    let line = "Fetch up to N references at a time, 0 for one per core; output keeps their order";
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("{line} [default: 1]")), "{help}");
    let server = Scripted::start(|client| {
        while let Some((first, _)) = request(client) {
            // Later references are ready first.
            let number: u64 = first.trim_matches(|c: char| !c.is_ascii_digit())[..1]
                .parse()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20 * (8 - number)));
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{number}"
            ));
        }
    });
    let all: Vec<_> = (0..8)
        .map(|number| url(&server, &format!("/{number}")))
        .collect();
    for jobs in ["1", "3", "8", "0"] {
        let outcome = fetch(
            ["-j", jobs]
                .into_iter()
                .chain(all.iter().map(String::as_str)),
        );
        assert_eq!(outcome.out, "01234567", "{jobs} {outcome:?}");
    }
}

#[test]
fn a_gopher_url_without_a_type_gets_a_hint() {
    let server = Scripted::start(|client| {
        let is_text = client.line().is_some_and(|line| line == "/about");
        client.say(if is_text {
            "hello\r\n.\r\n"
        } else {
            "3no such item\t\terror.host\t1\r\n.\r\n"
        });
        client.close();
    });
    let at = |path: &str| format!("gopher://127.0.0.1:{}{path}", server.port);
    let outcome = fetch([&*at("/about")]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    let hint = format!("for a text file: {}\n", at("/0/about"));
    assert!(outcome.err.ends_with(&hint), "{outcome:?}");
    assert_eq!(fetch([&*at("/0/about")]).out, "hello\r\n");
    assert!(!fetch([&*at("/0/none")]).err.contains("for a text"));
}

/// gophernicus sends its error message as if it were the item.
#[test]
fn a_gopher_url_without_a_type_gets_a_hint_from_a_real_server() {
    let folder = servers::Folder::new("gopher");
    folder.write("about", "hello\n");
    let Some(server) = Gophernicus::start(&folder) else {
        return skip("curl: a gopher URL without a type", "gophernicus");
    };
    let at = |path: &str| format!("gopher://127.0.0.1:{}{path}", server.port);
    let outcome = fetch([&*at("/about")]);
    let hint = format!("for a text file: {}\n", at("/0/about"));
    assert!(outcome.err.ends_with(&hint), "{outcome:?}");
    let outcome = fetch([&*at("/0/about")]);
    assert_eq!((&*outcome.err, outcome.status), ("", 0), "{outcome:?}");
    assert!(outcome.out.starts_with("hello"), "{outcome:?}");
    // The first letter of each path is an item type, so the bodies may be what the user wants.
    for path in ["/hURL:about", "/Iabout", "/gabout"] {
        assert_eq!(fetch([&*at(path), "-o", "/dev/null"]).err, "", "{path}");
    }
}

/// Old menus are in Latin-1.
#[test]
fn gopher_menus_in_latin_1_are_readable() {
    let server = Scripted::start(|client| {
        client.line();
        client.say(b"0Caf\xe9\t/c\th\t70\r\n0Caf\xc3\xa9\t/d\th\t70\r\n.\r\n");
    });
    let outcome = fetch([&*format!("gopher://127.0.0.1:{}/", server.port)]);
    assert_eq!(outcome.out.matches("Caf\u{e9}").count(), 2, "{outcome:?}");
}

#[test]
fn binary_bodies_are_not_shown_on_a_terminal() {
    let shown = |arguments: &[&str]| on_terminal(80, false, &[&["fetch"], arguments].concat());
    let screen = shown(&["data:,a%00b%07"]);
    assert_eq!(screen.status, 3, "{screen:?}");
    assert!(screen.text.contains("the body is binary"), "{screen:?}");
    assert!(screen.text.contains("-o - to the terminal"), "{screen:?}");
    let screen = shown(&["-o", "-", "data:,a%07b"]);
    assert!(screen.text.contains("a\x07b"), "{screen:?}");
    assert_eq!(shown(&["data:,caf%e9"]).status, 0);
    assert_eq!(uri(["fetch", "data:,a%00b"]).out, "a\0b");
}
