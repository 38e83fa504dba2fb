//! Reuse of connections (RFC 1738, 3.2.5), according to the servers' logs.

use super::{fake, with};
use crate::support::Rendered as _;
use crate::support::{client, fetch};
use std::sync::atomic::{AtomicUsize, Ordering};
use urikit_access::Client;
use urikit_access::protocol::FtpProtocol;
use urikit_testkit::servers::{Folder, Scripted, Vsftpd, skip};

fn get(client: &mut Client, server: &Scripted, who: &str, path: &str) -> Vec<u8> {
    let url = format!("ftp://{who}127.0.0.1:{}{path}", server.port);
    match fetch(client, &url) {
        Ok((_, buffer)) => buffer.bytes,
        Err(error) => panic!("{url}: {error} {:?}", error.rendered()),
    }
}

/// Returns the commands since an earlier count, without `QUIT`, which may arrive late from another
/// connection.
fn since(server: &Scripted, count: &mut usize) -> Vec<String> {
    let mut log = server.log();
    log.retain(|line| line != "QUIT");
    let new = log[*count..].to_vec();
    *count = log.len();
    new
}

#[test]
fn the_same_directories_or_none() {
    let server = fake::start(|_, _| false);
    let (mut client, mut count) = (client(), 0);
    get(&mut client, &server, "", "/a/b/x");
    assert_eq!(
        since(&server, &mut count)[..5],
        [
            "USER anonymous",
            "PASS anonymous@example.org",
            "PWD",
            "CWD a",
            "CWD b"
        ]
    );
    // The directories and the type have not changed, so they are not sent again.
    get(&mut client, &server, "", "/a/b/y");
    assert_eq!(
        since(&server, &mut count),
        ["NOOP", "SIZE y", "MDTM y", "EPSV", "RETR y"]
    );
    get(&mut client, &server, "", "/a/b/z.txt");
    assert_eq!(
        since(&server, &mut count),
        ["NOOP", "SIZE z.txt", "MDTM z.txt", "EPSV", "RETR z.txt"]
    );
    // A listing needs a different type from the last file, but the type is not set twice.
    get(&mut client, &server, "", "/a/b/y");
    since(&server, &mut count);
    for type_a in [&["TYPE A"][..], &[]] {
        get(&mut client, &server, "", "/a/b/");
        let listing = ["EPSV", "MLSD"];
        let new = since(&server, &mut count);
        let sent: Vec<&str> = new.iter().map(String::as_str).skip(1).collect();
        let sent: Vec<&str> = sent.into_iter().filter(|line| *line != "FEAT").collect();
        let expected = [type_a, &listing].concat();
        assert_eq!(sent[..expected.len()], expected);
    }
    // A subdirectory can be entered.
    get(&mut client, &server, "", "/a/b/c/x");
    let new = since(&server, &mut count);
    assert_eq!(new[..3], ["NOOP", "CWD c", "TYPE I"], "{new:?}");
    // The server does not report the initial directory, so other directories need a new connection.
    for path in ["/a/x", "//x", "/%61/b/c%2F/x", "/x"] {
        get(&mut client, &server, "", path);
        let new = since(&server, &mut count);
        let login: Vec<&String> = new.iter().filter(|line| line.starts_with("USER")).collect();
        assert_eq!(login, ["USER anonymous"], "{path}: {new:?}");
    }
    // No `CWD` was sent before, so the session can change to any directory.
    get(&mut client, &server, "", "/x");
    since(&server, &mut count);
    get(&mut client, &server, "", "/a/b/x");
    let new = since(&server, &mut count);
    assert_eq!(new[..4], ["NOOP", "PWD", "CWD a", "CWD b"], "{new:?}");
}

/// A missing file does not end the session.
#[test]
fn after_a_refusal() {
    let server = fake::start(|control, line| {
        let is_it = ["RETR no", "CWD no"].contains(&line);
        if is_it {
            control.say("550 what?");
        }
        is_it
    });
    let (mut client, mut count) = (client(), 0);
    for (directory, cwd) in [("/", ""), ("/d/", "CWD d")] {
        for name in ["x", "no", "y", "no"] {
            let url = format!("ftp://127.0.0.1:{}{directory}{name}", server.port);
            assert_eq!(fetch(&mut client, &url).is_err(), name == "no", "{url}");
        }
        let new = since(&server, &mut count);
        let is_kept = |line: &&String| line.starts_with("USER") || **line == cwd;
        let kept = new.iter().filter(is_kept).count();
        assert_eq!(kept, 1, "{new:?}");
    }
}

/// One session serves several directories if the server reports the initial one.
#[test]
fn other_directories() {
    let server = fake::start(|control, line| {
        let is_it = line == "PWD";
        if is_it {
            control.say("257 \"/home/\"\"x\"\"\" is the directory");
        }
        is_it
    });
    let (mut client, mut count) = (client(), 0);
    get(&mut client, &server, "", "/a/b/x");
    since(&server, &mut count);
    for (path, way) in [
        ("/a/c/x", &["CWD /home/\"x\"", "CWD a", "CWD c"][..]),
        ("/a/c/d/x", &["CWD d"]),
        ("/x", &["CWD /home/\"x\""]),
        ("//x", &["CWD "]),
        ("/%2F/x", &["CWD /home/\"x\"", "CWD /"]),
    ] {
        get(&mut client, &server, "", path);
        let new = since(&server, &mut count);
        assert_eq!(new[0], "NOOP", "{path}");
        assert_eq!(new[1..=way.len()], *way, "{path}");
        assert_eq!(new[way.len() + 1], "SIZE x", "{path}");
    }
}

#[test]
fn connections_are_not_shared_between_users() {
    let server = fake::start(|_, _| false);
    let (mut client, mut count) = (client(), 0);
    for who in ["", "a:p@", "a:q@", "b:p@", "anonymous:p@"] {
        get(&mut client, &server, who, "/x");
        let new = since(&server, &mut count);
        assert!(new[0].starts_with("USER "), "{who}: {new:?}");
        get(&mut client, &server, who, "/x");
        let new = since(&server, &mut count);
        assert_eq!(new[0], "NOOP", "{who}: {new:?}");
    }
    // The case of the host does not matter.
    let url = format!("ftp://LOCALHOST:{}/x", server.port);
    fetch(&mut client, &url).unwrap();
    since(&server, &mut count);
    fetch(&mut client, &url.to_ascii_lowercase()).unwrap();
    assert_eq!(since(&server, &mut count)[0], "NOOP");
}

#[test]
fn failed_connections_are_not_pooled() {
    for (at, reply) in [
        ("RETR", "what"),
        ("CWD", "550 no"),
        ("SIZE", "what"),
        ("EPSV", "229 what"),
    ] {
        let server = fake::start(move |control, line| {
            let is_it = line.starts_with(at) && control.client.number == 0;
            if is_it {
                control.say(reply);
            }
            is_it
        });
        let mut client = client();
        let url = format!("ftp://127.0.0.1:{}/a/x", server.port);
        assert!(fetch(&mut client, &url).is_err());
        let mut count = 0;
        since(&server, &mut count);
        get(&mut client, &server, "", "/a/x");
        let new = since(&server, &mut count);
        assert!(
            new.contains(&"USER anonymous".to_owned()) && !new.contains(&"NOOP".to_owned()),
            "{new:?}"
        );
    }
}

/// A server that closes every connection is only tried once more.
#[test]
fn closed_connections_are_replaced_once() {
    for death in ["", "421 idle for too long", "500 what?", "what"] {
        let server = fake::start(move |control, line| {
            if line == "NOOP" {
                if !death.is_empty() {
                    control.say(death);
                }
                control.client.close();
            }
            line == "NOOP"
        });
        let (mut client, mut count) = (client(), 0);
        get(&mut client, &server, "", "/x");
        since(&server, &mut count);
        assert_eq!(get(&mut client, &server, "", "/x"), fake::FILE);
        let new = since(&server, &mut count);
        let sent: Vec<&str> = new
            .iter()
            .map(String::as_str)
            .filter(|line| *line != "QUIT")
            .collect();
        assert_eq!(sent[..2], ["NOOP", "USER anonymous"], "{death}: {new:?}");
    }
    let logins = AtomicUsize::new(0);
    let server = fake::start(move |control, line| {
        let dies = line == "NOOP"
            || (line.starts_with("USER") && logins.fetch_add(1, Ordering::SeqCst) > 0);
        if dies {
            control.client.close();
        }
        dies
    });
    let mut client = client();
    get(&mut client, &server, "", "/x");
    assert!(fetch(&mut client, &format!("ftp://127.0.0.1:{}/x", server.port)).is_err());
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|line| line.starts_with("USER"))
            .count(),
        2
    );
}

/// The server says goodbye unexpectedly.
#[test]
fn connections_with_unexpected_replies_are_replaced() {
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("RETR");
        if is_it {
            control.transfer(b"hello");
            control.say("421 that was enough");
        }
        is_it
    });
    let mut client = client();
    for _ in 0..2 {
        assert_eq!(get(&mut client, &server, "", "/x"), fake::FILE);
    }
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|line| line.starts_with("USER"))
            .count(),
        2
    );
}

#[test]
fn nothing_is_pooled_if_disabled() {
    let server = fake::start(|_, _| false);
    let mut client = with(FtpProtocol::new().keep_connections(false));
    for _ in 0..2 {
        get(&mut client, &server, "", "/x");
    }
    super::wait_for("QUIT", || {
        server.log().iter().filter(|line| *line == "QUIT").count() == 2
    });
    assert!(!server.log().contains(&"NOOP".to_owned()));
}

/// vsftpd closes idle connections.
#[test]
fn vsftpd_closes_idle_connections() {
    let folder = Folder::new("ftp");
    folder.write("pub/a", "a");
    let Some(server) = Vsftpd::start_with(&folder, &["idle_session_timeout=1"]) else {
        return skip("vsftpd_closes_idle_connections", "vsftpd");
    };
    let url = format!("ftp://127.0.0.1:{}/pub/a", server.port());
    let mut client = client();
    for pause in [0, 0, 2500] {
        std::thread::sleep(std::time::Duration::from_millis(pause));
        assert_eq!(fetch(&mut client, &url).unwrap().1.bytes, b"a");
    }
    let commands = server.commands();
    let count = |command: &str| commands.iter().filter(|line| *line == command).count();
    assert_eq!(
        (count("USER anonymous"), count("CWD pub"), count("RETR a")),
        (2, 2, 3),
        "{commands:?}"
    );
}
