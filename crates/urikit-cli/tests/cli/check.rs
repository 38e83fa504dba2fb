//! `uri check`: options, text output and exit statuses. The crate's tests check the outcomes.

use crate::support::{Folder, Outcome, command, run_with, uri, uri_with};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;
use urikit_testkit::servers::Scripted;

/// A folder with a guide that has one broken link and one missing fragment.
fn guide() -> Folder {
    let folder = Folder::new();
    folder.file(
        "guide.md",
        "# Guide\n\n[a](b.md) [c](c.md#two) [d](#guide)\n",
    );
    folder.file("c.md", "# One\n\n## Twoo\n");
    folder
}

/// Runs the command in a folder.
fn uri_in(folder: &Folder, arguments: &[&str]) -> Outcome {
    let mut command = command();
    command
        .current_dir(folder.path())
        .arg("check")
        .args(arguments);
    run_with(command, b"")
}

#[test]
fn text_shows_the_place_and_what_to_write() {
    let outcome = uri_in(&guide(), &["guide.md"]);
    assert_eq!(
        outcome.out,
        "guide.md\n  \
           guide.md:3:5: error: no such file [broken]\n    \
             [a](b.md) [c](c.md#two) [d](#guide)\n    \
             \u{20}   ^^^^\n    \
             did you mean c.md?\n  \
           guide.md:3:15: error: the page has no element with this id [fragment-missing]\n    \
             [a](b.md) [c](c.md#two) [d](#guide)\n    \
             \u{20}             ^^^^^^^^\n    \
             did you mean c.md#twoo?\n\
         \n\
         3 links in 1 document: 2 ok, 1 broken, 0 unverifiable, 0 not checked, 1 fragment-missing\n"
    );
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 1));
}

#[test]
fn statuses() {
    let folder = guide();
    let status = |arguments: &[&str]| uri_in(&folder, arguments).status;
    assert_eq!(status(&["c.md"]), 0);
    assert_eq!(status(&["-q", "."]), 1);
    assert_eq!(
        status(&[
            "--severity",
            "broken=note",
            "--severity",
            "fragment-missing=off",
            "."
        ]),
        0
    );
    let notes = [
        "--severity",
        "broken=note",
        "--severity",
        "fragment-missing=off",
        "--fail-on",
        "note",
        ".",
    ];
    assert_eq!(status(&notes), 1);
    assert_eq!(status(&["--severity", "brokn=note", "."]), 2);
    assert_eq!(status(&["--site", "ftp://a.example/=.", "."]), 2);
    assert_eq!(status(&["--site", "https://a.example/=absent", "."]), 2);
    // The status for a file that cannot be read takes precedence over that for findings.
    assert_eq!(status(&["absent.md", "."]), 3);
    let unread = uri_in(&folder, &["absent.md"]);
    assert!(
        unread.err.starts_with("uri: absent.md: no such file"),
        "{}",
        unread.err
    );
}

#[test]
fn exclusions() {
    let folder = guide();
    let outcome = uri_in(
        &folder,
        &[
            "--exclude",
            "^b",
            "--exclude-host",
            "a.example",
            "--no-fragments",
            "guide.md",
        ],
    );
    assert_eq!(
        outcome.out,
        "  warning: `--exclude-host a.example` excludes no link [unused-exclusion]\n\
         3 links in 1 document: 2 ok, 0 broken, 0 unverifiable, 1 not checked, 1 unused-exclusion\n\
         --exclude ^b excludes 1 link\n"
    );
    assert_eq!(outcome.status, 0);
    assert_eq!(
        uri_in(&folder, &["--fail-on", "warning", "--exclude", "x", "c.md"]).status,
        1
    );
}

#[test]
fn options_in_a_file() {
    let folder = guide();
    folder.file(
        "uri.toml",
        "[check]\nexclude = [\"^b\", \"two$\"]\nno-forge = true\nquiet = false\n",
    );
    assert_eq!(uri_in(&folder, &["guide.md"]).status, 0);
    assert_eq!(uri_in(&folder, &["--no-config", "guide.md"]).status, 1);
    assert_eq!(
        uri_in(&folder, &["--explain-config", "-v", "guide.md"]).out,
        "--exclude=^b\turi.toml\n--exclude=two$\turi.toml\n--no-forge\turi.toml\n\
         -v\tcommand line\nguide.md\tcommand line\n"
    );
    folder.file("other.toml", "[check]\nexlude = [\"b\"]\n");
    let unknown = uri_in(&folder, &["--config", "other.toml", "guide.md"]);
    assert_eq!(
        unknown.err,
        "uri: other.toml: [check] has no option `exlude`; did you mean \"exclude\"?\n"
    );
    assert_eq!(unknown.status, 2);
    folder.file("other.toml", "[check\n");
    assert_eq!(
        uri_in(&folder, &["--config=other.toml", "guide.md"]).status,
        2
    );
    assert_eq!(
        uri_in(&folder, &["--config", "absent.toml", "guide.md"]).status,
        3
    );
    // Only a settings file that the command line names may set dangerous options.
    #[cfg(unix)]
    std::os::unix::fs::symlink("/tmp", folder.path().join("link")).unwrap();
    for (option, danger) in [
        (
            "allow-private = true",
            "permits requests to private addresses",
        ),
        (
            "allow-host = [\"a.test\"]",
            "permits requests to private addresses",
        ),
        (
            "header = \"a.example: X: $HOME\"",
            "sends an environment variable",
        ),
        ("allow-port = 6379", "permits requests to other ports"),
        (
            "proxy = \"http://a.example:1\"",
            "sends requests to a proxy",
        ),
        ("cert = \"a\"", "sends a client certificate"),
        ("insecure = true", "changes which servers are trusted"),
        ("cacert = \"a\"", "changes which servers are trusted"),
        ("fix = true", "changes files"),
        ("store = \"../x\"", "writes a file outside this folder"),
        ("state = \"../x\"", "writes a file outside this folder"),
        #[cfg(unix)]
        ("store = \"link/x\"", "writes a file outside this folder"),
        ("baseline = \"/tmp/x\"", "writes a file outside this folder"),
    ] {
        folder.file("uri.toml", format!("[check]\n{option}\n"));
        let outcome = uri_in(&folder, &["--offline", "guide.md"]);
        let key = option.split(' ').next().unwrap();
        let expected =
            format!("uri: uri.toml: `{key}` {danger}; to trust this file, add --config uri.toml\n");
        assert_eq!(outcome.err, expected);
        assert_eq!(outcome.status, 2);
        let named = uri_in(&folder, &["--config", "uri.toml", "--explain-config", "x"]);
        assert_eq!(named.status, 0, "{}", named.err);
    }
    folder.file(
        "uri.toml",
        "[check]\nallow-private = false\nstore = \"a/b\"\n",
    );
    let harmless = uri_in(&folder, &["--explain-config", "x"]);
    assert_eq!(harmless.status, 0, "{}", harmless.err);
    // Other subcommands do not read the file.
    let mut parse = command();
    parse.current_dir(folder.path()).args(["parse", "check"]);
    assert_eq!(run_with(parse, b"").status, 0);
}

#[test]
fn standard_input_and_dump() {
    let folder = guide();
    let mut command = command();
    command
        .current_dir(folder.path())
        .args(["check", "--offline", "--slugs", "mdbook"]);
    let outcome = run_with(
        command,
        b"see file://localhost/absent/x and http://a.example/\n",
    );
    assert!(
        outcome.out.contains("-:1:5: error: no such file [broken]"),
        "{}",
        outcome.out
    );
    assert_eq!(outcome.status, 1);
    let dump = uri_in(&folder, &["--dump", "--exclude", "two", "guide.md"]);
    let names: Vec<_> = dump
        .out
        .lines()
        .map(|line| line.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(names, ["b.md", "guide.md#guide"]);
    assert_eq!(uri(["check", "--slugs", "nothing", "x"]).status, 2);
    let dangerous = uri_with(
        ["check", "-v", "--offline"],
        "<http://a.example/\u{202e}x>".as_bytes(),
    );
    assert!(!dangerous.out.contains('\u{202e}'), "{}", dangerous.out);
}

#[test]
fn formats() {
    let folder = Folder::new();
    let text = b"# A\n\n[b](b.md) [c](#c)\n";
    let check = |arguments: &[&str], input: &[u8]| {
        let mut command = command();
        command
            .current_dir(folder.path())
            .args(["check", "--offline", "--no-config"])
            .args(arguments);
        run_with(command, input)
    };
    // Nothing shows that these lines are Markdown.
    let outcome = check(&["-"], text);
    assert!(outcome.out.starts_with("0 links"), "{}", outcome.out);
    let outcome = check(&["--as", "markdown", "-"], text);
    for found in ["-:3:5: error: no such file", "-:3:15: error: the page has"] {
        assert!(outcome.out.contains(found), "{}", outcome.out);
    }
    assert_eq!(outcome.status, 1);
    let names = check(&["--fail-on", "x", "--format", "x", "-"], b"");
    for expected in ["off, note, warning, error", "--fail-on"] {
        assert!(names.err.contains(expected), "{}", names.err);
    }
    let names = check(&["--format", "x", "-"], b"");
    assert!(names.err.contains("text, json, jsonl"), "{}", names.err);
}

/// A tool reads the ids only in the documents that it builds. A forge shows all others.
#[test]
fn profiles_of_documents() {
    for (settings, text, built) in [
        ("mkdocs.yml", "site_name: a\n", "docs/a.md"),
        ("mkdocs.yml", "docs_dir: pages\n", "pages/b/a.md"),
        ("book.toml", "[book]\n", "src/a.md"),
        ("book.toml", "[book]\nsrc = \"x\"\n", "x/a.md"),
        ("hugo.toml", "title = \"a\"\n", "content/a.md"),
    ] {
        let folder = Folder::new();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        folder.file(settings, text);
        let (inner, _) = built.rsplit_once('/').unwrap();
        std::fs::create_dir_all(folder.path().join(inner)).unwrap();
        let missing = |path: &str| {
            folder.file(path, "## A {#own}\n\n[a](#own)\n");
            let outcome = uri_in(&folder, &["--offline", "--no-config", path]);
            outcome.out.contains("[fragment-missing]")
        };
        assert!(missing("README.md"), "{settings} {text}");
        assert!(!missing(built), "{settings} {text}");
    }
}

/// A base such as `/` is relative to the root of the site, and is not a link itself.
#[test]
fn bases_of_pages() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("pages")).unwrap();
    folder.file("k.html", "<p id=x>");
    folder.file(
        "pages/j.html",
        "<base href=\"/\"><a href=\"k.html#x\">a</a> <a href=/pages/j.html>b</a>\
         <a href=\"k.html#y\">c</a> <a href=\"l.html\">d</a>",
    );
    folder.file("pages/n.html", "<base href=gone/><a href=../j.html>");
    let outcome = uri_in(&folder, &["--offline", "--no-config", "."]);
    let counts = "7 links in 3 documents: 4 ok, 1 broken, 0 unverifiable, 2 not checked, \
                  1 fragment-missing\n";
    assert!(outcome.out.ends_with(counts), "{}", outcome.out);
}

/// `--remap` also changes the URLs of files.
#[test]
fn remapped_files() {
    let folder = guide();
    folder.file("a.md", "[a](/x/c.md#one) [b](file:///y/c.md)");
    let target = format!("file://{}/c.md", folder.path().display());
    let remap = format!("^file:///.*/c\\.md$={target}");
    let options = ["--offline", "--no-config", "--remap", &remap];
    let outcome = uri_in(&folder, &[&options[..], &["a.md"]].concat());
    assert!(outcome.out.starts_with("2 links"), "{}", outcome.out);
    let steps = uri_in(
        &folder,
        &[&options[..], &["--explain", "file:///y/c.md"]].concat(),
    );
    let expected = format!("remapped: {target}\na file, not a URL of a site\n");
    assert_eq!(steps.out, expected);
}

/// Binary files are skipped with a message if the user named them or their names are those of
/// documents.
#[test]
fn binary_files() {
    let folder = Folder::new();
    folder.file("n.md", b"a\0[b](missing.md)\n");
    folder.file("n.png", b"\x89PNG\0");
    let run = |arguments: &[&str]| {
        let outcome = uri_in(
            &folder,
            &[&["--offline", "--no-config"], arguments].concat(),
        );
        assert_eq!(outcome.status, 0);
        outcome.err
    };
    let skipped = "skipped: it is binary";
    let hint = "(--as sets the format)";
    assert_eq!(run(&["n.md"]), format!("uri: n.md: {skipped} {hint}\n"));
    let both = format!("uri: n.md: {skipped}, as is 1 other file {hint}\n");
    assert_eq!(run(&["n.md", "n.png"]), both);
    assert_eq!(run(&["."]), format!("uri: ./n.md: {skipped} {hint}\n"));
    assert_eq!(run(&["-q", "n.md"]), "");
    let read = uri_in(&folder, &["--offline", "--as", "markdown", "n.md"]);
    assert_eq!((read.err.as_str(), read.status), ("", 1));
}

/// Containers that servers send as binary are read, too.
#[test]
fn compressed_pages() {
    let server = Scripted::start(|client| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(b"<a href=/gone>").unwrap();
            let (status, body) = match line.split(' ').nth(1) {
                Some("/page.html.gz") => ("200 OK", packed.finish().unwrap()),
                Some("/picture") => ("200 OK", b"\x89PNG\0".to_vec()),
                _ => ("404 Not Found", Vec::new()),
            };
            let length = body.len();
            client.say(format!(
                "HTTP/1.1 {status}\r\nContent-Type: application/octet-stream\r\n\
                 Content-Length: {length}\r\n\r\n"
            ));
            if line.starts_with("GET") {
                client.say(body);
            }
        }
    });
    let url = |path: &str| format!("http://127.0.0.1:{}/{path}", server.port);
    let arguments = |path| {
        ["check", "--allow-private", "--no-config"]
            .map(str::to_owned)
            .into_iter()
            .chain([url(path)])
    };
    let outcome = uri(arguments("page.html.gz"));
    assert!(outcome.out.contains("404"), "{}", outcome.out);
    assert_eq!(outcome.status, 1);
    let outcome = uri(arguments("picture"));
    assert!(
        outcome.err.contains("skipped: it is binary"),
        "{}",
        outcome.err
    );
    assert_eq!(outcome.status, 0);
}

/// Serves a page, a redirect and a page that does not exist; `/wait` has no answer.
fn server() -> Scripted {
    Scripted::start(|client| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let path = line.split(' ').nth(1).unwrap_or_default();
            let (status, fields) = match path {
                "/old" => ("301 Moved Permanently", "Location: /new\r\n"),
                "/new" => ("200 OK", "Content-Type: text/html\r\n"),
                "/wait" => return client.hang(),
                _ => ("404 Not Found", ""),
            };
            let body = if line.starts_with("GET") {
                "<p id=x>"
            } else {
                ""
            };
            client.say(format!(
                "HTTP/1.1 {status}\r\n{fields}Content-Length: 8\r\n\r\n{body}"
            ));
        }
    })
}

#[test]
fn links_to_servers() {
    let server = server();
    let host = format!("127.0.0.1:{}", server.port);
    let text = format!("<http://{host}/old#x> <http://{host}/gone>");
    let outcome = uri_with(["check", "-v", "--allow-host", &host], text.as_bytes());
    let lines = [
        "error: 404 Not Found [broken]",
        &format!("note: the page has moved to http://{host}/new [redirect-permanent]"),
        &format!("write http://{host}/new#x"),
        "2 links in 1 document: 1 ok, 1 broken",
        // robots.txt, /old and /new with its fragment, and /gone twice.
        &format!("{host}         4      0 s       2"),
    ];
    for line in lines {
        assert!(outcome.out.contains(line), "{line}:\n{}", outcome.out);
    }
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 1));
    let field = format!("{host}: X-Key: $URIKIT_TEST_KEY");
    let mut command = command();
    command
        .args(["check", "-q", "--allow-private", "--no-robots", "--header"])
        .args([&field, "-"])
        .env("URIKIT_TEST_KEY", "secret");
    let text = format!("<http://{host}/new>");
    assert_eq!(run_with(command, text.as_bytes()).status, 0);
    let log = server.log();
    assert!(log.iter().any(|line| line == "X-Key: secret"), "{log:?}");
    let refused = uri_with(["check", "-v"], text.as_bytes());
    let expected = "note: refused: 127.0.0.1 is a loopback address [not-checked]";
    assert!(refused.out.contains(expected), "{}", refused.out);
    assert_eq!(refused.status, 0);
}

#[test]
fn options_of_fetch() {
    let server = server();
    // The server is the proxy of the request.
    let proxy = format!("http://127.0.0.1:{}", server.port);
    let options = ["check", "--no-robots", "-A", "Agent/1", "--proxy", &proxy];
    let text = b"<http://a.example/new>";
    let by_proxy = uri_with(options, text);
    assert_eq!(by_proxy.status, 1, "{}{}", by_proxy.out, by_proxy.err);
    let log = server.log();
    let is_sent = |expected: &str| log.iter().any(|line| line.eq_ignore_ascii_case(expected));
    assert!(is_sent("HEAD http://a.example/new HTTP/1.1"), "{log:?}");
    assert!(is_sent("User-Agent: Agent/1"), "{log:?}");
    // A redirect is not followed.
    let url = format!("<{proxy}/old>");
    let refused = [
        "check",
        "--allow-private",
        "--no-robots",
        "--max-redirs",
        "0",
    ];
    let refused = uri_with(refused, url.as_bytes());
    assert!(
        refused.out.contains("too many redirects"),
        "{}",
        refused.out
    );
    let absent = uri(["check", "--cacert", "absent.pem", "a.md"]);
    let expected = "cannot use certificates in absent.pem: No such file";
    assert!(absent.err.contains(expected), "{}", absent.err);
    assert_eq!(absent.status, 2);
    assert_eq!(uri(["check", "--key", "key.pem", "a.md"]).status, 2);
}

#[test]
fn recursion() {
    let server = Scripted::start(|client| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let path = line.split(' ').nth(1).unwrap_or_default();
            let (status, body) = match path {
                "/" => ("200 OK", "<a href=a>"),
                "/a" => ("200 OK", "<a href=gone>"),
                _ => ("404 Not Found", ""),
            };
            let (length, body) = (body.len(), if line.starts_with("GET") { body } else { "" });
            client.say(format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n\
                 {body}"
            ));
        }
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    let alone = uri(["check", "--allow-private", &url]);
    assert_eq!((alone.err.as_str(), alone.status), ("", 0), "{}", alone.out);
    let all = uri(["check", "-r", "--allow-private", &url]);
    let expected = "2 links in 2 documents: 1 ok, 1 broken";
    assert!(all.out.contains(expected), "{}", all.out);
    assert!(all.out.starts_with(&format!("{url}a\n")), "{}", all.out);
    assert_eq!(all.status, 1);
    assert!(!server.log().iter().any(|line| line.contains("robots.txt")));
    assert_eq!(uri(["check", "--depth", "2", &url]).status, 2);
}

#[test]
fn an_interrupted_run_prints_what_it_found() {
    let server = server();
    let host = format!("127.0.0.1:{}", server.port);
    let folder = Folder::new();
    folder.file("a.md", format!("<http://{host}/new> <http://{host}/wait>"));
    let mut command = command();
    command.current_dir(folder.path()).args([
        "check",
        "-v",
        "--no-robots",
        "--allow-private",
        "--timeout=60",
        "a.md",
    ]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !server.log().iter().any(|line| line.contains("/wait")) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        out.contains("2 links in 1 document: 1 ok, 0 broken"),
        "{out}"
    );
    assert!(
        out.contains("note: the run was interrupted [not-checked]"),
        "{out}"
    );
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        err,
        "uri: interrupted: the remaining links were not checked\n"
    );
    assert_eq!(output.status.code(), Some(3));
}
