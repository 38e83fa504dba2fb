//! Uploads to vsftpd and pyftpdlib, and to scripted servers.

use super::{fake, with};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};
use urikit::Standard;
use urikit_access::protocol::FtpProtocol;
use urikit_access::{Buffer, Class, Client, Error, ErrorKind, Mode, NoPrompt, Upload, Uploaded};
use urikit_testkit::servers::{Folder, Pyftpdlib, Vsftpd, skip};

/// Sends a body, and compares what was sent with the plan.
fn send(
    client: &mut Client,
    url: &str,
    body: &[u8],
    more: impl Fn(Upload<'_>) -> Upload<'_>,
) -> Result<Uploaded, Error> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let upload = more(Upload::new(reference));
    let plan = client.plan_upload(&upload);
    let mut body = body;
    let sent = client.upload(&upload, &mut NoPrompt, &mut body, &mut Buffer::default())?;
    let steps = sent.rendered();
    if !steps.iter().any(|step| step.starts_with("reusing")) {
        assert_as_planned(&plan.unwrap(), &steps);
    }
    Ok(sent)
}

#[test]
fn to_vsftpd() {
    let folder = Folder::new("ftp-store");
    folder.write("in/.keep", "");
    let incoming = folder.path().join("in");
    std::fs::set_permissions(&incoming, std::fs::Permissions::from_mode(0o777)).unwrap();
    let more = [
        "write_enable=YES",
        "anon_upload_enable=YES",
        "anon_other_write_enable=YES",
        "anon_umask=022",
        "ascii_upload_enable=YES",
    ];
    let Some(server) = Vsftpd::start_with(&folder, &more) else {
        return skip("to_vsftpd", "vsftpd");
    };
    let at = format!("ftp://127.0.0.1:{}/in", server.port());
    let mut client = client();
    let body: Vec<u8> = (0..=255).cycle().take(500_000).collect();
    let sent = send(&mut client, &format!("{at}/a.bin"), &body, |it| it).unwrap();
    assert_eq!((sent.sent, sent.offset), (500_000, 0));
    assert_eq!(std::fs::read(incoming.join("a.bin")).unwrap(), body);
    // Appends over the same connection.
    send(&mut client, &format!("{at}/a.bin"), b"more", |it| {
        it.mode(Mode::Append)
    })
    .unwrap();
    assert!(
        std::fs::read(incoming.join("a.bin"))
            .unwrap()
            .ends_with(b"more")
    );
    // The file has another name until it is complete.
    send(&mut client, &format!("{at}/b.bin"), &body, |it| {
        it.via_temporary(true)
    })
    .unwrap();
    assert_eq!(std::fs::read(incoming.join("b.bin")).unwrap(), body);
    assert!(!incoming.join("b.bin.part").exists());
    // Resumes: sends only the missing part, even if the file still has its temporary name.
    for temporary in [false, true] {
        let name = if temporary { "c.bin.part" } else { "c.bin" };
        let _ = std::fs::remove_file(incoming.join("c.bin"));
        let path = folder.write(&format!("in/{name}"), &body[..123_456]);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666)).unwrap();
        let sent = send(&mut client, &format!("{at}/c.bin"), &body, |it| {
            it.resume(true).via_temporary(temporary).size(Some(500_000))
        });
        let sent = sent.unwrap();
        assert_eq!((sent.offset, sent.sent), (123_456, 376_544));
        assert_eq!(std::fs::read(incoming.join("c.bin")).unwrap(), body);
    }
    // Sends text with TYPE A.
    send(
        &mut client,
        &format!("{at}/t;type=a"),
        b"one\ntwo\r\n",
        |it| it,
    )
    .unwrap();
    let text = std::fs::read(incoming.join("t")).unwrap();
    assert!(
        text == b"one\ntwo\n" || text == b"one\r\ntwo\r\n",
        "{text:?}"
    );
    // The server's refusals are errors.
    let error = send(&mut client, &format!("{at}/../x"), b"x", |it| it).unwrap_err();
    assert!(
        error.to_string().starts_with("storing the file: "),
        "{error}"
    );
    let longer = send(&mut client, &format!("{at}/c.bin"), b"short", |it| {
        it.resume(true)
    });
    let error = longer.unwrap_err();
    let sizes = matches!(
        error.kind(),
        ErrorKind::LongerThere {
            there: 500_000,
            here: 5
        }
    );
    assert!(sizes, "{error}");
}

#[test]
fn to_pyftpdlib() {
    let folder = Folder::new("ftp-store");
    folder.write("x", "");
    let more = "Handler.authorizer.user_table['alice']['perm'] = 'elradfmwMT'";
    let Some(server) = Pyftpdlib::start_with(&folder, more) else {
        return skip("to_pyftpdlib", "python3-pyftpdlib");
    };
    let at = format!("127.0.0.1:{}", server.port());
    let url = format!("ftp://alice:p%40ss%3Aw%2Fd@{at}/a%20b");
    let sent = send(&mut client(), &url, b"hello", |it| it.via_temporary(true)).unwrap();
    assert_eq!(folder.read("a b"), "hello");
    assert!(!format!("{sent:?}").contains("p@ss"), "{sent:?}");
    let denied = send(&mut client(), &format!("ftp://{at}/a"), b"hello", |it| it);
    assert!(denied.unwrap_err().kind().is_denial());
}

/// A body that cannot be sent is refused before connecting.
#[test]
fn refused_at_once() {
    for (url, more) in [
        ("ftp://127.0.0.1:9/", None),
        ("ftp://127.0.0.1/d;type=d", None),
        ("ftp://127.0.0.1/a%0D%0ADELE%20b", None),
        ("gopher://127.0.0.1/0a", None),
        ("ftp://127.0.0.1/a;type=a", Some("resume")),
        ("ftp://127.0.0.1/a", Some("append and resume")),
        ("ftp://127.0.0.1/a", Some("post")),
    ] {
        let more = |it: Upload<'static>| match more {
            None => it,
            Some("resume") => it.resume(true),
            Some("post") => it.mode(Mode::Post),
            Some(_) => it.resume(true).mode(Mode::Append),
        };
        let upload = more(Upload::new(Standard::Rfc3986.parse(url).unwrap()));
        assert!(client().plan_upload(&upload).is_err(), "{url}");
        let sent = client().upload(
            &upload,
            &mut NoPrompt,
            &mut &b"x"[..],
            &mut Buffer::default(),
        );
        assert!(sent.unwrap_err().rendered().is_empty(), "{url}");
    }
}

/// Starts a server that stores what it receives.
fn storing() -> (urikit_testkit::servers::Scripted, Arc<Mutex<Vec<u8>>>) {
    let stored = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&stored);
    let server = fake::start(move |control, line| {
        let is_it = line.starts_with("STOR");
        if is_it {
            control.say("150 go on");
            let mut all = Vec::new();
            control.data().read_to_end(&mut all).unwrap();
            *to.lock().unwrap() = all;
            control.say("226 stored");
        }
        is_it
    });
    (server, stored)
}

/// A remote file that is longer than the local one cannot be its beginning.
#[test]
fn a_longer_file_is_not_resumed() {
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("SIZE");
        if is_it {
            control.say("213 9");
        }
        is_it
    });
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    for size in [None, Some(5)] {
        let sent = send(&mut client(), &url, b"hello", |it| {
            it.resume(true).size(size)
        });
        let error = sent.unwrap_err();
        assert_eq!(
            error.to_string(),
            "resuming the transfer: the remote file (9 bytes) is larger than the local one \
             (5 bytes)"
        );
        assert_eq!(error.class(), Class::Failed);
    }
    let log = server.log();
    let stores = |line: &String| line.starts_with("STOR") || line.starts_with("APPE");
    assert!(!log.iter().any(stores), "{log:?}");
}

/// Without a size, `STOR` could replace the part that the server has.
#[test]
fn an_unknown_size_is_not_taken_for_a_missing_file() {
    for (size, date, is_stored) in [
        ("550 no such file", "550 no such file", true),
        ("550 SIZE is not allowed", "213 20200101000000", false),
        ("500 what?", "550 no such file", false),
        ("502 no", "550 no such file", false),
        ("213 many", "213 20200101000000", false),
    ] {
        let server = fake::start(move |control, line| {
            let reply = match line.split(' ').next() {
                Some("SIZE") => size,
                Some("MDTM") => date,
                Some("STOR") => {
                    control.say("150 go on");
                    drop(control.data());
                    "226 stored"
                }
                _ => return false,
            };
            control.say(reply);
            true
        });
        let url = format!("ftp://127.0.0.1:{}/a", server.port);
        let sent = send(&mut client(), &url, b"", |it| it.resume(true));
        assert_eq!(sent.is_ok(), is_stored, "{size}: {sent:?}");
        let has_stored = server.log().iter().any(|line| line.starts_with("STOR"));
        assert_eq!(has_stored, is_stored, "{size}");
        if let Err(error) = sent {
            let text = error.to_string();
            let start = "asking for the size of the file: the server cannot resume the transfer";
            assert!(text.starts_with(start), "{text}");
        }
    }
}

#[test]
fn names_are_not_tried_in_another_spelling() {
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("STOR") || line.starts_with("CWD");
        if is_it {
            control.say("550 no such file");
        }
        is_it
    });
    for path in ["/a%FF", "/d%FF/a"] {
        let url = format!("ftp://127.0.0.1:{}{path}", server.port);
        assert!(send(&mut client(), &url, b"x", |it| it).is_err());
    }
    let log = server.log();
    let count = |command: &str| log.iter().filter(|line| line.starts_with(command)).count();
    assert_eq!((count("STOR"), count("CWD")), (1, 1), "{log:?}");
}

/// The body does not have the announced size, the server gives up, or it refuses to rename the
/// file.
#[test]
fn incomplete() {
    let (server, stored) = storing();
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    send(&mut client(), &url, b"hello", |it| it.size(Some(5))).unwrap();
    assert_eq!(*stored.lock().unwrap(), b"hello");
    for size in [4, 6] {
        let sent = send(&mut client(), &url, b"hello", |it| {
            it.size(Some(size)).via_temporary(true)
        });
        let error = sent.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Local(_)), "{error}");
    }
    let log = server.log();
    assert!(!log.iter().any(|line| line.starts_with("RNFR")), "{log:?}");
    let sent = send(&mut client(), &url, b"hello", |it| it.via_temporary(true));
    let error = sent.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("renaming the complete file: "),
        "{error}"
    );
    for reply in ["552 full", "451 local", "150 more", "200 yes"] {
        let server = fake::start(move |control, line| {
            let is_it = line.starts_with("STOR");
            if is_it {
                control.say("150 go on");
                drop(control.data());
                control.say(reply);
            }
            is_it
        });
        let url = format!("ftp://127.0.0.1:{}/a", server.port);
        let sent = send(
            &mut with(FtpProtocol::new()),
            &url,
            &vec![1; 1_000_000],
            |it| it,
        );
        let error = sent.unwrap_err();
        if reply.starts_with("552") || reply.starts_with("451") {
            assert!(error.kind().is_denial(), "{reply}: {error}");
        }
    }
}
