//! `uri send` to files, to scripted http servers, and to pyftpdlib.

use crate::support::{Folder, Outcome, command, run_with, uri};
use std::fs;
use urikit_testkit::servers::{self, Pyftpdlib, Scripted, skip};

fn send<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Outcome {
    uri(["send", "--allow-private"].into_iter().chain(arguments))
}

fn ok(outcome: &Outcome) {
    assert_eq!(
        (outcome.status, &*outcome.out, &*outcome.err),
        (0, "", ""),
        "{outcome:?}"
    );
}

/// A file that is sent to itself would become empty, or grow forever with -a.
#[test]
fn a_file_is_not_sent_to_itself() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let reset = || {
        for name in ["a", "soft", "hard", "a.part"] {
            let _ = fs::remove_file(path(name));
        }
        fs::write(path("a"), "hello").unwrap();
        std::os::unix::fs::symlink(path("a"), path("soft")).unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
    };
    for (from, to, options) in [
        ("a", "a", &[][..]),
        ("a", "soft", &[]),
        ("a", "hard", &[]),
        ("soft", "a", &[]),
        ("hard", "soft", &["-a"]),
        ("a", "a", &["-a"]),
        ("a", "a", &["-C", "-"]),
        ("a", "a", &["--temporary"]),
        ("a", "hard", &["--temporary"]),
    ] {
        reset();
        let (from, to) = (path(from), format!("file://{}", path(to)));
        let outcome = send(options.iter().copied().chain([&*from, &*to]));
        assert!(
            outcome
                .err
                .contains("the source and the target are the same file"),
            "{from} {to} {options:?}: {outcome:?}"
        );
        assert_ne!(outcome.status, 0);
        assert_eq!(
            fs::read_to_string(path("a")).unwrap(),
            "hello",
            "{from} {to}"
        );
    }
    reset();
    fs::rename(path("a"), path("a.part")).unwrap();
    let to = format!("file://{}", path("a"));
    send(["--temporary", &*path("a.part"), &*to]);
    assert_eq!(fs::read_to_string(path("a.part")).unwrap(), "hello");
    // Standard input can also be the destination file itself.
    reset();
    let mut command = command();
    command.args(["send", "-", &to]);
    command.stdin(fs::File::open(path("a")).unwrap());
    let output = command.output().unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read_to_string(path("a")).unwrap(), "hello");
}

/// The target keeps its content until the first byte of the source has been read.
#[test]
fn an_unreadable_source_destroys_nothing() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), "hello").unwrap();
    let to = format!("file://{}", path("a"));
    // Reading address 0 of the process's own memory is an error.
    let outcome = send(["/proc/self/mem", &to]);
    assert_ne!(outcome.status, 0, "{outcome:?}");
    assert_eq!(fs::read_to_string(path("a")).unwrap(), "hello");
    fs::write(path("empty"), "").unwrap();
    ok(&send([&*path("empty"), &to]));
    assert_eq!(fs::read_to_string(path("a")).unwrap(), "");
}

/// Neither a FIFO without a writer nor a silent standard input outlasts `-m`.
#[test]
fn a_silent_source_ends_with_the_time() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let fifo = path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let to = format!("file://{}", path("a"));
    let begun = std::time::Instant::now();
    let outcome = send(["-m", "0.2", &fifo, &to]);
    assert!(
        outcome.err.contains("the source sent nothing in time"),
        "{outcome:?}"
    );
    assert_eq!(outcome.status, 5);
    let mut silent = command();
    silent.args(["send", "-m", "0.2", "-", &to]);
    let (reader, _writer) = std::io::pipe().unwrap();
    assert_eq!(
        silent.stdin(reader).output().unwrap().status.code(),
        Some(5)
    );
    assert!(begun.elapsed().as_secs() < 10);
    // With a writer, the complete content is sent.
    let writer = {
        let fifo = fifo.clone();
        std::thread::spawn(move || fs::write(fifo, "from a fifo").unwrap())
    };
    ok(&send(["-m", "10", &fifo, &to]));
    writer.join().unwrap();
    assert_eq!(fs::read_to_string(path("a")).unwrap(), "from a fifo");
}

#[test]
fn files_of_this_machine() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a b.txt"), "hello").unwrap();
    fs::write(path("c.txt"), "more").unwrap();
    fs::create_dir(path("to")).unwrap();
    let to = format!("file://{}/", path("to"));
    // If the URL ends in a slash, the names of the files are appended.
    ok(&send([&*path("a b.txt"), &path("c.txt"), &to]));
    assert_eq!(fs::read_to_string(path("to/a b.txt")).unwrap(), "hello");
    assert_eq!(fs::read_to_string(path("to/c.txt")).unwrap(), "more");
    let one = format!("{to}one");
    ok(&send([&*path("a b.txt"), &one]));
    ok(&send(["-a", &*path("c.txt"), &one]));
    assert_eq!(fs::read_to_string(path("to/one")).unwrap(), "hellomore");
    // Only the missing end is sent.
    fs::write(path("to/two"), "he").unwrap();
    let outcome = send(["-C", "-", "--json", &*path("a b.txt"), &format!("{to}two")]);
    assert!(
        outcome.out.contains(r#""offset":2,"sent":3,"#),
        "{outcome:?}"
    );
    assert_eq!(fs::read_to_string(path("to/two")).unwrap(), "hello");
    // A longer file on the server is a different file.
    let outcome = send(["-C", "-", &*path("c.txt"), &format!("{to}two")]);
    assert!(
        outcome.err.ends_with(
            "the remote file (5 bytes) is larger than the local one (4 bytes)\n  omit -C to replace it\n"
        ),
        "{outcome:?}"
    );
    assert_eq!(outcome.status, 5);
    assert_eq!(fs::read_to_string(path("to/two")).unwrap(), "hello");
    ok(&send([
        "--temporary",
        &*path("c.txt"),
        &format!("{to}three"),
    ]));
    assert_eq!(fs::read_to_string(path("to/three")).unwrap(), "more");
    assert!(!fs::exists(path("to/three.part")).unwrap());
    // Standard input.
    let mut program = command();
    program.args(["send", "-", &format!("{to}four")]);
    let outcome = run_with(program, b"typed");
    assert_eq!((outcome.status, &*outcome.err), (0, ""), "{outcome:?}");
    assert_eq!(fs::read_to_string(path("to/four")).unwrap(), "typed");
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    let file = folder.path().join("a.txt").to_str().unwrap().to_owned();
    fs::write(&file, "hello").unwrap();
    for (arguments, status, message) in [
        (&["x"][..], 2, "required"),
        (
            &[&*file, &file, "ftp://127.0.0.1/a"],
            2,
            "the URL must end in a slash",
        ),
        (
            &["-", "ftp://127.0.0.1/d/"],
            2,
            "standard input has no name",
        ),
        (&["-", "-", "ftp://127.0.0.1/d/"], 2, "only once"),
        (
            &["-a", "--temporary", &file, "ftp://127.0.0.1/a"],
            2,
            "cannot be used",
        ),
        (&[&*file, "ftp://127.0.0.1/a b"], 1, "found"),
        (&["none.txt", "ftp://127.0.0.1/a"], 3, "uri: none.txt: "),
        (&["/", "ftp://127.0.0.1/a"], 3, "uri: /: "),
        (
            &[&*file, "gopher://127.0.0.1/0a"],
            5,
            "URLs of this scheme do not support uploads",
        ),
        (&[&*file, "urn:a:b"], 5, "the scheme `urn` is not supported"),
        (
            &[&*file, "mailto:a@b.example"],
            5,
            "sending requires the address of a sender",
        ),
        (
            &[&*file, "ftp://127.0.0.1:25/a"],
            4,
            "--allow-port 25 allows this port",
        ),
        (
            &["--proto", "=http", &file, "ftp://127.0.0.1/a"],
            4,
            "is not allowed",
        ),
        (
            &[
                "--gateway",
                "ftp=http://h/ask?uri=",
                &file,
                "ftp://127.0.0.1/a",
            ],
            5,
            "gateway",
        ),
    ] {
        let outcome = send(arguments.iter().copied());
        assert_eq!(outcome.status, status, "{arguments:?} {outcome:?}");
        assert!(outcome.err.contains(message), "{arguments:?} {outcome:?}");
    }
    // Without --allow-private.
    let outcome = uri(["send", &file, "ftp://127.0.0.1/a"]);
    assert_eq!(outcome.status, 4, "{outcome:?}");
    let outcome = uri(["send", "-q", &file, "ftp://127.0.0.1/a"]);
    assert_eq!((outcome.status, &*outcome.err), (4, ""), "{outcome:?}");
}

#[test]
fn plans_and_passwords() {
    let folder = Folder::new();
    let file = folder.path().join("a.txt").to_str().unwrap().to_owned();
    fs::write(&file, "hello").unwrap();
    let url = "ftp://u:hunter2@host.dom/pub/";
    let outcome = send(["--plan", &file, url]);
    assert!(outcome.out.contains("send     \"PASS ***\""), "{outcome:?}");
    assert!(
        outcome
            .out
            .contains("send     \"STOR a.txt\"\nthen     sends the body\n"),
        "{outcome:?}"
    );
    assert!(!outcome.out.contains("hunter2"), "{outcome:?}");
    let outcome = send(["--plan", "--json", &file, url]);
    assert!(
        outcome
            .out
            .contains(r#""action":"send","text":"STOR a.txt""#),
        "{outcome:?}"
    );
    let outcome = send(["--json", &file, "ftp://u:hunter2@host.invalid/a b"]);
    assert!(outcome.out.contains(r#""valid":false"#), "{outcome:?}");
}

#[test]
fn to_pyftpdlib() {
    let folder = servers::Folder::new("send");
    folder.write("in/.keep", "");
    let more = "Handler.authorizer.user_table['alice']['perm'] = 'elradfmwMT'";
    let Some(server) = Pyftpdlib::start_with(&folder, more) else {
        return skip("send: to_pyftpdlib", "python3-pyftpdlib");
    };
    let own = Folder::new();
    let file = own.path().join("a b.txt").to_str().unwrap().to_owned();
    fs::write(&file, "hello").unwrap();
    let url = format!("ftp://alice@127.0.0.1:{}/in/", server.port());
    let outcome = send(["-v", "-u", "alice:p@ss:w/d", &file, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(outcome.err.contains("> STOR a b.txt\n"), "{outcome:?}");
    assert!(!outcome.err.contains("p@ss"), "{outcome:?}");
    assert_eq!(folder.read("in/a b.txt"), "hello");
}

/// A server that returns the body of each request that has a length.
fn echo() -> Scripted {
    Scripted::start(|client| {
        let (mut length, mut lines) = (0, Vec::new());
        while let Some(line) = client.line().filter(|line| !line.is_empty()) {
            if let Some(digits) = line.strip_prefix("Content-Length: ") {
                length = digits.parse().unwrap();
            }
            lines.push(line);
        }
        let body = client.bytes(length);
        client.say(format!(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: {length}\r\n\r\n"
        ));
        client.say(body);
    })
}

#[test]
fn to_http() {
    let server = echo();
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a b.txt"), "hello").unwrap();
    let to = format!("http://127.0.0.1:{}/d/", server.port);
    // The method is PUT, and the name of the file is appended. The response is printed.
    let outcome = send([&*path("a b.txt"), &to]);
    assert_eq!(
        (outcome.status, &*outcome.out, &*outcome.err),
        (0, "hello", "")
    );
    assert_eq!(server.log()[0], "PUT /d/a%20b.txt HTTP/1.1");
    let outcome = send(["--json", &*path("a b.txt"), &to]);
    assert!(
        outcome.out.ends_with('\n') && outcome.out.contains(r#""sent":5,"#),
        "{outcome:?}"
    );
    // POST with header fields, a login and a cookie jar.
    let jar = path("jar");
    let outcome = send([
        "-X",
        "POST",
        "-H",
        "Content-Type: a/b",
        "-u",
        "me:hunter2",
        "-c",
        &jar,
        "-v",
        &path("a b.txt"),
        &format!("{to}x"),
    ]);
    assert_eq!((outcome.status, &*outcome.out), (0, "hello"), "{outcome:?}");
    assert!(
        outcome.err.contains("> POST /d/x HTTP/1.1\n"),
        "{outcome:?}"
    );
    assert!(
        outcome.err.contains("> Authorization: Basic ***\n"),
        "{outcome:?}"
    );
    assert!(
        !outcome.err.contains("hunter2") && !outcome.err.contains("bWU6"),
        "{outcome:?}"
    );
    let login = "Authorization: Basic bWU6aHVudGVyMg==".to_owned();
    assert!(
        server.log().contains(&login) && server.log().contains(&"Content-Type: a/b".to_owned())
    );
    assert!(fs::read_to_string(&jar).unwrap().contains("\ta\tb\n"));
    // The login comes from .netrc.
    fs::write(path("netrc"), "machine 127.0.0.1 login u password p").unwrap();
    let before = server.log().len();
    send(["--netrc-file", &*path("netrc"), &*path("a b.txt"), &to]);
    assert!(server.log()[before..].contains(&"Authorization: Basic dTpw".to_owned()));
    // Modes that http does not support.
    for (option, message) in [("-a", "cannot append"), ("--temporary", "temporary name")] {
        let outcome = send([option, &*path("a b.txt"), &to]);
        assert!(
            outcome.status == 5 && outcome.err.contains(message),
            "{outcome:?}"
        );
    }
    let outcome = uri(["send", &*path("a b.txt"), &to]);
    assert_eq!((outcome.status, &*outcome.out), (4, ""), "{outcome:?}");
}

/// The plan includes the size of a file. Standard input has no size.
#[test]
fn plans_for_http() {
    let folder = Folder::new();
    let file = folder.path().join("a.txt").to_str().unwrap().to_owned();
    fs::write(&file, "hello").unwrap();
    let outcome = send(["--plan", "-u", "me:hunter2", &file, "https://host.dom/d/"]);
    let lines: Vec<_> = outcome.out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "connect  host.dom:443",
            "then     starts TLS",
            "send     \"PUT /d/a.txt HTTP/1.1\"",
        ]
    );
    assert!(
        lines.contains(&"send     \"Content-Length: 5\""),
        "{outcome:?}"
    );
    assert!(
        lines.contains(&"send     \"Authorization: Basic ***\""),
        "{outcome:?}"
    );
    assert_eq!(*lines.last().unwrap(), "then     sends the body");
    let outcome = send(["--plan", "-X", "POST", "-", "http://host.dom/d"]);
    assert!(
        outcome.out.contains("\"POST /d HTTP/1.1\"\n"),
        "{outcome:?}"
    );
    assert!(
        outcome.out.contains("\"Transfer-Encoding: chunked\"\n"),
        "{outcome:?}"
    );
}

/// Options that only apply to fetching are rejected.
#[test]
fn options_that_do_nothing_are_refused() {
    let help = uri(["send", "--help"]).out;
    for option in [
        "--data",
        "--data-raw",
        "--data-binary",
        "--max-items",
        "--max-redirs",
        "--proto-redir",
        "--mail",
        "--send",
        "--retry",
        "--retry-delay",
        "--retry-max-time",
    ] {
        assert!(!help.contains(&format!("{option} ")), "{option}");
        let outcome = send([option, "1", "a", "ftp://127.0.0.1/a"]);
        assert_eq!(outcome.status, 2, "{option}: {outcome:?}");
    }
}

/// Attachments are shown by name and size, so the recipients and the text stay visible.
#[test]
fn attachments_are_not_printed() {
    let Some(server) = servers::Aiosmtpd::start() else {
        return skip("send: attachments", "aiosmtpd");
    };
    let folder = Folder::new();
    let file = folder.file("large.bin", vec![7; 200_000]);
    let smtp = format!("127.0.0.1:{}", server.port);
    let outcome = send([
        "--smtp",
        &smtp,
        "--mail-from",
        "me@example.org",
        &file,
        "mailto:a@b.example?subject=x&body=see",
    ]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let end = "\n\r\nsee\r\n\r\n[attachment \"large.bin\", 200000 bytes]\r\n";
    assert!(outcome.out.ends_with(end), "{}", outcome.out);
    assert!(outcome.out.len() < 500);
    assert!(outcome.err.contains("To: a@b.example"), "{outcome:?}");
    assert!(server.messages().contains("filename="));
}
