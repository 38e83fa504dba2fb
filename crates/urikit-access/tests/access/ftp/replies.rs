//! Replies in every form and order (RFC 959, 4.2 and 5.4).

use super::{fake, fetch_as_planned, fetch_as_planned_with};
use crate::support::Rendered as _;
use crate::support::{client, fails, fetch, fetch_with, policy};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv6Addr, TcpListener};
use urikit::Standard;
use urikit_access::protocol::{FtpProtocol, Protocol as _};
use urikit_access::{Client, ErrorKind, Policy, Request, Wanted};
use urikit_schemes::GatewayRule;
use urikit_testkit::servers::Scripted;

/// Starts a server that replies differently to one command.
pub(super) fn server_with_reply(at: &'static str, reply: &'static str) -> Scripted {
    fake::start(move |control, line| {
        let is_it = line.split(' ').next() == Some(at);
        if is_it {
            control.say(reply);
        }
        is_it
    })
}

pub(super) fn url(server: &Scripted, path: &str) -> String {
    format!("ftp://127.0.0.1:{}{path}", server.port)
}

#[test]
fn forms_of_replies() {
    for reply in [
        "250 yes",
        "250",
        "200 yes",
        "250-first\r\nsecond\r\n250 last",
        "250-first\r\n250-second\r\n250 last",
        "250-first\r\n550 no, this is text\r\n 250 so is this\r\n250x\r\n250 last",
        "250-\r\n250 ",
        "250-x\r\n250",
    ] {
        let server = server_with_reply("CWD", reply);
        let (_, buffer) = fetch_as_planned(&mut client(), &url(&server, "/d/a"));
        assert_eq!(buffer.bytes, fake::FILE, "{reply:?}");
    }
    for reply in [
        "",
        " ",
        "25",
        "25 yes",
        "2500 yes",
        "250_yes",
        "650 yes",
        "050 yes",
        "yes",
        "\u{ff}",
        "2 50",
        "+50 yes",
        "150 wait",
        "350 more",
        "250\tyes",
        "25a yes",
        "\r\n250 yes",
    ] {
        let server = server_with_reply("CWD", reply);
        let error = fails(&mut client(), &url(&server, "/d/a"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{reply:?}: {error}"
        );
        assert!(
            error
                .to_string()
                .starts_with("changing to the directory \"d\": "),
            "{error}"
        );
    }
    for reply in [
        "550 no",
        "450 no",
        "550-no\r\n550 no",
        "500 what?",
        "421 bye",
        "530 who?",
        "553 bad",
    ] {
        let server = server_with_reply("CWD", reply);
        let error = fails(&mut client(), &url(&server, "/d/a"));
        assert!(error.kind().is_denial(), "{reply:?}: {error}");
    }
}

/// A transfer without a proper end is an error.
#[test]
fn ends_of_transfers() {
    for (begin, end, is_right) in [
        ("150 now", "226 done", true),
        ("125 now", "250 done", true),
        ("150-now\r\n150 now", "226-done\r\n226 done", true),
        ("150 now", "426 broken", false),
        ("150 now", "451 local", false),
        ("150 now", "551 type", false),
        ("150 now", "552 full", false),
        ("150 now", "550 no", false),
        ("150 now", "421 bye", false),
        ("150 now", "150 now", false),
        ("150 now", "350 more", false),
        ("150 now", "what", false),
        ("150 now", "213 5", false),
        ("150 now", "200 yes", false),
        ("110 mark", "226 done", false),
        ("226 done", "226 done", false),
        ("200 yes", "226 done", false),
        ("350 more", "226 done", false),
        ("550 no", "226 done", false),
        ("425 no data", "226 done", false),
        ("what", "226 done", false),
    ] {
        for path in ["/a", "/a.txt", "/", "/d;type=d"] {
            let server = fake::start(move |control, line| {
                let command = line.split(' ').next().unwrap();
                let is_it = matches!(command, "RETR" | "NLST");
                if is_it {
                    control.say(begin);
                    if begin.starts_with("150") || begin.starts_with("125") {
                        control.data().write_all(fake::FILE).unwrap();
                        control.say(end);
                    }
                }
                // The server does not support the other commands for a listing.
                let is_other = matches!(command, "FEAT" | "LIST");
                if is_other {
                    control.say("500 what?");
                }
                is_it || is_other
            });
            let result = fetch(&mut client(), &url(&server, path));
            assert_eq!(result.is_ok(), is_right, "{path} {begin} {end}: {result:?}");
        }
    }
}

/// Servers need not support commands that RFC 1738 does not use.
#[test]
fn extensions_are_optional() {
    for reply in ["500 what?", "502 no", "550 no", "504 no", "450 no"] {
        for path in ["/d/a", "/d/a.txt", "/d/", "/d;type=d"] {
            let server = fake::start(move |control, line| {
                let basic = [
                    "", "USER", "PASS", "CWD", "TYPE", "PASV", "RETR", "NLST", "QUIT",
                ];
                let is_basic = basic.contains(&line.split(' ').next().unwrap());
                if !is_basic {
                    control.say(reply);
                }
                !is_basic
            });
            let (response, buffer) = fetch_as_planned(&mut client(), &url(&server, path));
            assert_eq!(response.metadata.size, None);
            assert_eq!(buffer.bytes.is_empty(), response.metadata.is_listing);
            assert_eq!(
                buffer.entries.len(),
                if response.metadata.is_listing { 2 } else { 0 }
            );
        }
    }
    for reply in [
        "213 x",
        "213 -5",
        "213 ",
        "213 99999999999999999999",
        "200 5",
        "213 5 bytes",
    ] {
        let server = server_with_reply("SIZE", reply);
        let (response, _) = fetch_as_planned(&mut client(), &url(&server, "/a"));
        assert_eq!(response.metadata.size, None, "{reply}");
    }
    let server = server_with_reply("MDTM", "213 20201301000000");
    assert_eq!(
        fetch_as_planned(&mut client(), &url(&server, "/a"))
            .0
            .metadata
            .modified,
        None
    );
}

#[test]
fn resuming_without_support_by_the_server() {
    for reply in ["500 what?", "502 no", "504 no", "501 no"] {
        let server = server_with_reply("REST", reply);
        let result = fetch_with(&mut client(), &url(&server, "/a"), |request| {
            request.resume(2)
        });
        let error = result.unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::CannotResume),
            "{reply}: {error}"
        );
        assert!(!server.log().iter().any(|line| line.starts_with("RETR")));
    }
    for reply in ["200 yes", "226 yes", "150 yes"] {
        let server = server_with_reply("REST", reply);
        let result = fetch_with(&mut client(), &url(&server, "/a"), |request| {
            request.resume(2)
        });
        assert!(
            matches!(result.unwrap_err().kind(), ErrorKind::Protocol(_)),
            "{reply}"
        );
    }
    // The server accepts `REST`, but sends the complete file instead of the rest.
    let server = server_with_reply("REST", "350 yes");
    let result = fetch_with(&mut client(), &url(&server, "/a"), |request| {
        request.resume(2)
    });
    assert!(matches!(
        result.unwrap_err().kind(),
        ErrorKind::TooManyBytes { expected: 5 }
    ));
    // Listings are not resumed.
    let result = fetch_with(&mut client(), &url(&server, "/"), |request| {
        request.resume(2)
    });
    assert!(matches!(
        result.unwrap_err().kind(),
        ErrorKind::CannotResume
    ));
}

/// `;type=a` converts line endings to those of this machine. Without a typecode, the file is
/// unchanged.
#[cfg(not(windows))]
#[test]
fn line_ends() {
    let server = fake::start(|control, line| {
        if line.starts_with("RETR") {
            control.transfer(b"one\r\ntwo\r\r\nthree\rfour\r\n");
        } else if line.starts_with("SIZE") {
            control.say("500 what?");
        } else {
            return false;
        }
        true
    });
    for (path, kind, bytes) in [
        (
            "/README;type=a",
            "TYPE A",
            &b"one\ntwo\r\nthree\rfour\n"[..],
        ),
        ("/README", "TYPE I", b"one\r\ntwo\r\r\nthree\rfour\r\n"),
    ] {
        let (_, buffer) = fetch_as_planned(&mut client(), &url(&server, path));
        assert_eq!(buffer.bytes, bytes, "{path}");
        assert!(server.log().iter().any(|line| line == kind), "{path}");
    }
}

#[test]
fn metadata_by_any_supported_command() {
    let find = |server: &Scripted| {
        fetch_with(&mut client(), &url(server, "/a"), |request| {
            request.wanted(Wanted::Metadata)
        })
    };
    // If `MLST` is refused or its reply has no facts, the client uses the other commands.
    for reply in [
        "550 no",
        "250 done",
        "250-this\r\n250 all",
        "250-x\r\n \r\n250 all",
    ] {
        let server = server_with_reply("MLST", reply);
        assert_eq!(find(&server).unwrap().0.metadata.size, Some(5), "{reply}");
    }
    // This reply lacks the space before the facts.
    let server = server_with_reply("MLST", "250-this\r\nType=file;Size=7; /a\r\n250 all");
    assert_eq!(find(&server).unwrap().0.metadata.size, Some(7));
    // The server reports a date for a directory.
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("SIZE") || line.starts_with("FEAT");
        if is_it {
            control.say("550 no file");
        }
        is_it
    });
    let (response, _) = find(&server).unwrap();
    assert!(response.metadata.is_listing && response.metadata.modified.is_some());
    let (_, buffer) = fetch_as_planned_with(&mut client(), &url(&server, "/a"), |request| {
        request.wanted(Wanted::Metadata)
    });
    assert!(buffer.bytes.is_empty());
}

/// The policy's limits apply.
#[test]
fn limits() {
    let server = fake::start(|_, _| false);
    let refused = |policy: Policy, path: &str| {
        let error = fails(&mut Client::new(policy), &url(&server, path));
        assert!(matches!(error.kind(), ErrorKind::Refused(_)), "{error}");
    };
    refused(policy().max_bytes(4), "/a");
    refused(policy().max_bytes(4), "/a.txt");
    refused(policy().max_items(1), "/");
    refused(policy().allow_private(false), "/a");
    assert!(
        fetch(
            &mut Client::new(policy().max_bytes(5).max_items(2)),
            &url(&server, "/a")
        )
        .is_ok()
    );
    assert!(
        fetch(
            &mut Client::new(policy().max_bytes(5).max_items(2)),
            &url(&server, "/")
        )
        .is_ok()
    );
}

/// Invalid ftp URLs are refused before connecting.
#[test]
fn invalid_ftp_urls() {
    for bad in [
        "ftp://127.0.0.1/a?b",
        "ftp:///a",
        "ftp:a",
        "ftp://127.0.0.1/a;type=x",
        "ftp://127.0.0.1:70000/a",
    ] {
        let error = fails(&mut client(), bad);
        assert!(matches!(error.kind(), ErrorKind::Url(_)), "{bad}: {error}");
        assert!(error.rendered().is_empty());
    }
}

/// An FTP server cannot be a proxy.
#[test]
fn no_proxy() {
    let rule: GatewayRule = "x-a=proxy:http://127.0.0.1:2121".parse().unwrap();
    let reference = Standard::Rfc3986.parse("ftp://127.0.0.1/a").unwrap();
    let mut request = Request::new(reference);
    request.proxy = Some(&rule.gateway);
    let error = FtpProtocol::new().plan(&request).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
}

/// The reply to `EPSV` contains no address, so it works over IPv6.
#[test]
fn over_ipv6() {
    let Ok(listener) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else {
        println!("SKIPPED over_ipv6: this machine has no IPv6 loopback address");
        return;
    };
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut control = BufReader::new(listener.accept().unwrap().0);
        let data = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).unwrap();
        control.get_mut().write_all(b"220 hello\r\n").unwrap();
        let mut line = String::new();
        while control.read_line(&mut line).is_ok_and(|count| count > 0) {
            let reply = match line.trim_end() {
                "USER anonymous" => "230 in\r\n".to_owned(),
                "TYPE I" => "200 yes\r\n".to_owned(),
                "EPSV" => format!("229 (|||{}|)\r\n", data.local_addr().unwrap().port()),
                "RETR a" => {
                    let mut data = data.accept().unwrap().0;
                    data.write_all(fake::FILE).unwrap();
                    "150 now\r\n226 done\r\n".to_owned()
                }
                _ => "500 what?\r\n".to_owned(),
            };
            let _ = control.get_mut().write_all(reply.as_bytes());
            line.clear();
        }
    });
    let (response, buffer) = fetch_as_planned(&mut client(), &format!("ftp://[::1]:{port}/a"));
    assert_eq!(buffer.bytes, fake::FILE);
    assert!(
        response
            .rendered()
            .iter()
            .filter(|step| step.contains("::1"))
            .count()
            >= 2
    );
}

/// A file is resumed only if its size and date are unchanged; otherwise, and if the server cannot
/// resume, it is fetched from its beginning.
#[test]
fn another_version_is_fetched_from_its_beginning() {
    let same = "5 2020-01-01T00:00:00Z";
    for (replies, path, validator, offset) in [
        (&[][..], "/a", same, 2),
        (&[], "/a", "5 2019-01-01T00:00:00Z", 0),
        (&[], "/a", "6 2020-01-01T00:00:00Z", 0),
        (&[], "/a", "\"etag\"", 0),
        (&[("SIZE", "213 6")], "/a", same, 0),
        (&[("SIZE", "500 what?")], "/a", same, 0),
        (&[("MDTM", "500 what?")], "/a", same, 0),
        (&[("REST", "502 no")], "/a", same, 0),
        // The unit of offsets in text is unknown.
        (&[], "/a.txt;type=a", same, 0),
        (&[], "/a.txt", same, 2),
    ] {
        let server = fake::start(move |control, line| {
            let command = line.split(' ').next().unwrap();
            if command == "RETR" {
                let from = if offset > 0 { 2 } else { 0 };
                let mut whole = fake::FILE.to_vec();
                if replies == [("SIZE", "213 6")] {
                    whole.push(b'!');
                }
                control.transfer(&whole[from..]);
                return true;
            }
            match replies.iter().find(|(name, _)| *name == command) {
                Some((_, reply)) => control.say(reply),
                None => return false,
            }
            true
        });
        let url = format!("ftp://127.0.0.1:{}{path}", server.port);
        let (response, buffer) = fetch_with(&mut client(), &url, |request| {
            request.resume_version(2, validator)
        })
        .unwrap();
        let whole = buffer.bytes.starts_with(b"hello");
        assert_eq!(
            (buffer.metadata.offset, whole),
            (offset, offset == 0),
            "{replies:?}"
        );
        let steps = response.rendered();
        let over = steps.iter().any(|step| step.starts_with("starting over"));
        assert_eq!(over, offset == 0, "{replies:?}");
    }
}
