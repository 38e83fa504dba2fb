//! `-C`, and partial files that another user prepared.

use crate::bodies::files;
use crate::support::Folder;
use crate::{fetch, request};
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use urikit_testkit::servers::Scripted;

/// A server whose first response ends after five of ten bytes. `versions` are the tags of the
/// responses. The body of version 2 has letters instead of digits.
fn http(versions: &'static [&'static str], ignores_if_range: bool) -> Scripted {
    let count = Arc::new(AtomicUsize::new(0));
    Scripted::start(move |client| {
        let Some((_, fields)) = request(client) else {
            return;
        };
        let number = count.fetch_add(1, Ordering::SeqCst);
        let tag = versions[number.min(versions.len() - 1)];
        let value = |name: &str| {
            let value = fields.iter().find_map(|field| field.strip_prefix(name));
            value.map(str::to_owned)
        };
        let from = value("Range: bytes=");
        let is_same = ignores_if_range || value("If-Range: ").is_none_or(|same| same == tag);
        let body = if tag == "\"2\"" {
            "abcdefghij"
        } else {
            "0123456789"
        };
        let field = if tag.is_empty() {
            String::new()
        } else {
            format!("ETag: {tag}\r\n")
        };
        client.say(match from.filter(|_| is_same) {
            Some(from) => {
                assert_eq!(from, "5-");
                format!(
                    "HTTP/1.1 206 Part\r\n{field}Content-Range: bytes 5-9/10\r\n\
                     Content-Length: 5\r\nConnection: close\r\n\r\n{}",
                    &body[5..]
                )
            }
            None => format!(
                "HTTP/1.1 200 OK\r\n{field}Content-Length: 10\r\nConnection: close\r\n\r\n{}",
                if number == 0 { &body[..5] } else { body }
            ),
        });
        client.close();
    })
}

/// Returns the lines that were sent and begin with `prefix`.
fn sent(server: &Scripted, prefix: &str) -> Vec<String> {
    let mut log = server.log();
    log.retain(|line| line.starts_with(prefix));
    log
}

fn path(folder: &Folder, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_transfer_is_resumed_where_it_ended() {
    let server = http(&["\"1\""], false);
    let folder = Folder::new();
    let to = path(&folder, "file");
    let url = format!("http://127.0.0.1:{}/#a", server.port);
    assert_eq!(fetch(["-o", &to, &url]).status, 5);
    assert!(!fs::exists(&to).unwrap());
    let beside = format!("http://127.0.0.1:{}/\n\"1\"\n", server.port);
    let kept = [("file.part", "01234"), ("file.part.version", &beside)];
    let kept = kept.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(&folder), kept);
    let outcome = fetch(["-C", "-", "-o", &to, &url]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    assert_eq!(
        files(&folder),
        [("file".to_owned(), "0123456789".to_owned())]
    );
    assert_eq!(sent(&server, "If-Range"), ["If-Range: \"1\""]);
}

/// A transfer that was interrupted after its last byte. The server has nothing more to send, and
/// the file is renamed.
#[test]
fn a_complete_partial_file_is_not_fetched_again() {
    for tag in ["ETag: \"1\"\r\n", ""] {
        let server = Scripted::start(move |client| {
            while let Some((line, _)) = request(client) {
                client.say(if line.starts_with("HEAD") {
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n".to_owned()
                } else {
                    format!(
                        "HTTP/1.1 416 No\r\n{tag}Content-Range: bytes */10\r\n\
                         Content-Length: 0\r\n\r\n"
                    )
                });
            }
        });
        let folder = Folder::new();
        let (to, url) = (
            path(&folder, "q"),
            format!("http://127.0.0.1:{}/q", server.port),
        );
        folder.file("q.part", "0123456789");
        folder.file("q.part.version", format!("{url}\n\"1\"\n"));
        let outcome = fetch(["-C", "-", "-o", &to, &url]);
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
        let complete = ("q".to_owned(), "0123456789".to_owned());
        assert_eq!(files(&folder), [complete]);
    }
}

/// The changed entity has the same length. The server may ignore `If-Range`.
#[test]
fn a_changed_entity_is_fetched_from_its_beginning() {
    for ignores_if_range in [false, true] {
        let server = http(&["\"1\"", "\"2\""], ignores_if_range);
        let folder = Folder::new();
        let to = path(&folder, "file");
        let url = format!("http://127.0.0.1:{}/", server.port);
        assert_eq!(fetch(["-o", &to, &url]).status, 5);
        let outcome = fetch(["-C", "-", "-o", &to, &url]);
        assert_eq!(outcome.status, 0, "{outcome:?}");
        assert!(outcome.err.contains("starting over"), "{outcome:?}");
        assert_eq!(
            files(&folder),
            [("file".to_owned(), "abcdefghij".to_owned())]
        );
    }
}

/// Without a validator, or with a partial file from another URL, the versions may differ.
#[test]
fn without_a_validator_the_transfer_starts_over() {
    for (versions, beside) in [
        (&[""][..], None),
        (&["W/\"1\""], None),
        (&["\"1\""], Some("http://other.example/\n\"1\"\n")),
        (&["\"1\""], Some("\"1\"\n")),
        (&["\"1\""], Some("")),
    ] {
        let server = http(versions, false);
        let folder = Folder::new();
        let to = path(&folder, "file");
        let url = format!("http://127.0.0.1:{}/", server.port);
        assert_eq!(fetch(["-o", &to, &url]).status, 5);
        if let Some(beside) = beside {
            folder.file("file.part.version", beside);
        }
        for resume in ["-", "5"] {
            folder.file("file.part", "xxxxx");
            let outcome = fetch(["-C", resume, "-o", &to, &url]);
            assert_eq!(outcome.status, 0, "{versions:?} {outcome:?}");
            assert!(outcome.err.contains("starting over"), "{outcome:?}");
            assert_eq!(
                files(&folder),
                [("file".to_owned(), "0123456789".to_owned())]
            );
        }
        assert!(sent(&server, "Range").is_empty());
    }
}

/// An FTP server with a file of ten bytes, which interrupts the first transfer.
fn ftp(dates: &'static [&'static str]) -> Scripted {
    let count = Arc::new(AtomicUsize::new(0));
    Scripted::start(move |client| {
        let mut data = None;
        let mut from = 0;
        let number = count.fetch_add(1, Ordering::SeqCst);
        client.say("220 hello\r\n");
        while let Some(line) = client.line() {
            let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
            let reply = match command {
                "USER" => "230 in".to_owned(),
                "SIZE" => "213 10".to_owned(),
                "MDTM" => format!("213 {}", dates[number]),
                "REST" => {
                    from = argument.parse().unwrap();
                    "350 from there".to_owned()
                }
                "EPSV" => {
                    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
                    let port = listener.local_addr().unwrap().port();
                    data = Some(listener);
                    format!("229 there (|||{port}|)")
                }
                "RETR" => {
                    client.say("150 here\r\n");
                    let body = if dates[number] == dates[0] {
                        "0123456789"
                    } else {
                        "abcdefghij"
                    };
                    let end = if number == 0 { 5 } else { 10 };
                    let (mut stream, _) = data.take().unwrap().accept().unwrap();
                    let _ = std::io::Write::write_all(&mut stream, &body.as_bytes()[from..end]);
                    if number == 0 {
                        "426 broken off"
                    } else {
                        "226 that was it"
                    }
                    .to_owned()
                }
                _ => "200 yes".to_owned(),
            };
            client.say(format!("{reply}\r\n"));
        }
    })
}

#[test]
fn ftp_compares_size_and_date() {
    for (dates, body, rest) in [
        (
            &["20200101000000", "20200101000000"][..],
            "0123456789",
            &["REST 5"][..],
        ),
        (&["20200101000000", "20200101000001"], "abcdefghij", &[]),
        (&["20200101000000", "not known"], "abcdefghij", &[]),
    ] {
        let server = ftp(dates);
        let folder = Folder::new();
        let to = path(&folder, "file");
        let url = format!("ftp://127.0.0.1:{}/a;type=i", server.port);
        assert_eq!(fetch(["-o", &to, &url]).status, 5);
        let outcome = fetch(["-C", "-", "-o", &to, &url]);
        assert_eq!(outcome.status, 0, "{outcome:?}");
        assert_eq!(files(&folder), [("file".to_owned(), body.to_owned())]);
        assert_eq!(sent(&server, "REST"), rest);
        assert_eq!(
            outcome.err.contains("starting over"),
            rest.is_empty(),
            "{outcome:?}"
        );
    }
}

/// No file is written through a symbolic or hard link with the name of a partial file or of its
/// version file.
#[test]
fn planted_links_are_not_written_through() {
    let server = http(&["\"1\""], false);
    let url = format!("http://127.0.0.1:{}/", server.port);
    // Only the first response of this server is incomplete.
    assert_eq!(fetch([url.as_str()]).status, 5);
    for suffix in [".part", ".part.version"] {
        for resume in [&[][..], &["-C", "-"], &["-C", "3"]] {
            for is_symbolic in [true, false] {
                let folder = Folder::new();
                let victim = folder.file("victim", "precious");
                let to = path(&folder, "file");
                let planted = format!("{to}{suffix}");
                if is_symbolic {
                    symlink(&victim, &planted).unwrap();
                } else {
                    fs::hard_link(&victim, &planted).unwrap();
                }
                if suffix != ".part" {
                    folder.file("file.part", "012");
                }
                let outcome = fetch(resume.iter().copied().chain(["-o", &to, &url]));
                let text = fs::read_to_string(&victim).unwrap();
                assert_eq!(text, "precious", "{suffix} {resume:?} {outcome:?}");
                // `-C 3` needs three bytes.
                if outcome.status == 0 {
                    assert_eq!(fs::read_to_string(&to).unwrap(), "0123456789");
                } else {
                    assert_eq!((outcome.status, suffix), (3, ".part"), "{outcome:?}");
                }
            }
        }
    }
    // If the URL chose the name, a link with that name is replaced.
    let folder = Folder::new();
    let victim = folder.file("victim", "precious");
    symlink(&victim, folder.path().join("file")).unwrap();
    let to = path(&folder, "");
    assert_eq!(fetch(["-o", &to, &format!("{url}file")]).status, 0);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).unwrap(),
        "0123456789"
    );
    // A broken link does not create its target.
    let folder = Folder::new();
    let (to, victim) = (path(&folder, "file"), path(&folder, "victim"));
    symlink(&victim, format!("{to}.part")).unwrap();
    assert_eq!(fetch(["-o", &to, &url]).status, 0);
    assert!(!fs::exists(&victim).unwrap());
    assert_eq!(
        files(&folder),
        [("file".to_owned(), "0123456789".to_owned())]
    );
}
