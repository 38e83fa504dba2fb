//! `uri send`: to this machine, to scripted servers, and to pyftpdlib.

use crate::support::{Folder, Outcome, command, run_with, uri};
use std::fs;
use urikit_testkit::servers::{self, Pyftpdlib, skip};

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

#[test]
fn files_of_this_machine() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a b.txt"), "hello").unwrap();
    fs::write(path("c.txt"), "more").unwrap();
    fs::create_dir(path("to")).unwrap();
    let to = format!("file://{}/", path("to"));
    // The names of the files are appended to a URL that ends in a slash.
    ok(&send([&*path("a b.txt"), &path("c.txt"), &to]));
    assert_eq!(fs::read_to_string(path("to/a b.txt")).unwrap(), "hello");
    assert_eq!(fs::read_to_string(path("to/c.txt")).unwrap(), "more");
    let one = format!("{to}one");
    ok(&send([&*path("a b.txt"), &one]));
    ok(&send(["-a", &*path("c.txt"), &one]));
    assert_eq!(fs::read_to_string(path("to/one")).unwrap(), "hellomore");
    // Only what is missing.
    fs::write(path("to/two"), "he").unwrap();
    let outcome = send(["-C", "-", "--json", &*path("a b.txt"), &format!("{to}two")]);
    assert!(
        outcome.out.contains(r#""offset":2,"sent":3,"#),
        "{outcome:?}"
    );
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
            "a URL that ends in a slash",
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
            "nothing can be sent to a URL of this scheme",
        ),
        (&[&*file, "urn:a:b"], 5, "the scheme `urn` is not supported"),
        (
            &[&*file, "mailto:a@b.example"],
            5,
            "sending needs the address of a sender",
        ),
        (
            &[&*file, "ftp://127.0.0.1:25/a"],
            4,
            "--allow-port 25 allows it",
        ),
        (
            &["--proto", "=http", &file, "ftp://127.0.0.1/a"],
            4,
            "is not allowed",
        ),
        (
            &["--gateway", "ftp=http://h/ask?uri=", &file, "ftp://127.0.0.1/a"],
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
