//! Hostile servers: every wait times out, everything received is limited, and no error is taken
//! for success.

use super::fake::{self, Control};
use crate::support::{client, fails, fetch, memory, policy};
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::Event;
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::{Client, Error, ErrorKind, Metadata, NoPrompt, Policy, Request, Sink};
use urikit_testkit::servers::{Conversation, Scripted};

/// Every command of a retrieval and of a listing, and the URL that needs it.
const STEPS: &[(&str, &str)] = &[
    ("", "/d/a"),
    ("USER", "/d/a"),
    ("PASS", "/d/a"),
    ("CWD", "/d/a"),
    ("TYPE", "/d/a"),
    ("SIZE", "/d/a"),
    ("MDTM", "/d/a"),
    ("EPSV", "/d/a"),
    ("PASV", "/d/a"),
    ("RETR", "/d/a"),
    ("NLST", "/d/"),
    ("FEAT", "/d/"),
    ("MLSD", "/d/"),
    ("LIST", "/d/"),
];

/// Starts a server that replies differently to one command. If this command is `PASV`, `LIST` or
/// `NLST`, the server does not support the commands that the client would try first.
fn server_acting(
    at: &'static str,
    act: impl Fn(&mut Control<'_>) + Send + Sync + 'static,
) -> Scripted {
    fake::start(move |control, line| {
        let command = line.split(' ').next().unwrap();
        if command == at {
            act(control);
        } else if matches!(
            (command, at),
            ("EPSV", "PASV") | ("FEAT", "LIST" | "NLST") | ("LIST", "NLST")
        ) {
            control.say("500 what?");
        } else {
            return false;
        }
        true
    })
}

fn url(server: &Scripted, path: &str) -> String {
    format!("ftp://127.0.0.1:{}{path}", server.port)
}

fn refused(error: &Error) -> &Refusal {
    match error.kind() {
        ErrorKind::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

/// Returns a policy with short timeouts.
fn short_timeouts() -> Policy {
    policy()
        .idle_timeout(Duration::from_millis(400))
        .total_timeout(Duration::from_secs(1))
}

/// The connection ends at any step.
#[test]
fn closing_early() {
    for (at, path) in STEPS {
        for part in ["", "2", "220", "220 all but the end", "220-and\r\n"] {
            let server = server_acting(at, move |control| {
                control.client.say(part);
                control.client.close();
            });
            let error = fails(&mut client(), &url(&server, path));
            let is_expected = matches!(
                error.kind(),
                ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
            );
            assert!(is_expected, "{at} {part}: {error}");
        }
    }
}

/// At any step, the server falls silent, or sends one byte at a time.
#[test]
fn nothing_hangs() {
    std::thread::scope(|scope| {
        for (at, path) in STEPS {
            for text in ["", "220-", "220-a\r\n", "a"] {
                scope.spawn(move || {
                    let server = server_acting(at, move |control| match text {
                        "" => control.client.hang(),
                        text => control.client.drip(text, Duration::from_millis(50)),
                    });
                    let begin = Instant::now();
                    let error = fails(&mut Client::new(short_timeouts()), &url(&server, path));
                    let took = begin.elapsed();
                    assert!(took < Duration::from_secs(4), "{at} {text}: {took:?}");
                    assert!(
                        matches!(error.kind(), ErrorKind::Timeout(_)),
                        "{at} {text}: {error}"
                    );
                });
            }
        }
    });
}

/// Endless lines, endless replies and invalid replies are errors.
#[test]
fn endless_replies() {
    for (at, path) in STEPS {
        let server = server_acting(at, |control| control.client.say_forever([b'2'; 4096]));
        let error = fails(&mut client(), &url(&server, path));
        assert!(
            matches!(error.kind(), ErrorKind::LineTooLong { .. }),
            "{at}: {error}"
        );
        for line in ["220-", "220-again\r\n", "220-\r\n\r\n"] {
            let server = server_acting(at, move |control| control.client.say_forever(line));
            let error = fails(&mut client(), &url(&server, path));
            let is_expected = match error.kind() {
                ErrorKind::Protocol(expected) => expected.starts_with("a reply of at most"),
                ErrorKind::LineTooLong { .. } => line == "220-",
                _ => false,
            };
            assert!(is_expected, "{at}: {error}");
        }
        let server = server_acting(at, |control| {
            control.client.say_forever("\u{1b}[2J\u{0}rubbish\r\n");
        });
        let error = fails(&mut client(), &url(&server, path));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{at}: {error}"
        );
        assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
    }
}

/// Data connections go to the host of the control connection, regardless of the address that the
/// server sends.
#[test]
fn data_from_elsewhere() {
    // Nothing listens at this address.
    let reply = |control: &mut Control<'_>, as_epsv: bool| {
        let port = control.listen();
        let (high, low) = (port / 256, port % 256);
        control.say(&if as_epsv {
            format!("229 there (|1|192.0.2.1|{port}|)")
        } else {
            format!("227 there (192,0,2,1,{high},{low})")
        });
    };
    let pasv = server_acting("PASV", move |control| reply(control, false));
    let epsv = server_acting("EPSV", move |control| reply(control, true));
    for server in [pasv, epsv] {
        let (response, buffer) = fetch(&mut client(), &url(&server, "/a")).unwrap();
        assert_eq!(buffer.bytes, fake::FILE);
        let connected = response.events.iter().filter_map(|event| match event {
            Event::Connected { address, .. } => Some(*address),
            Event::ConnectedForData(address) => Some(address.ip()),
            _ => None,
        });
        let connected: Vec<IpAddr> = connected.collect();
        assert_eq!(connected, [Ipv4Addr::LOCALHOST; 2]);
    }
}

/// Data connections to ports of other protocols are refused.
#[test]
fn data_ports_of_other_protocols() {
    for port in [0, 21, 22, 25, 6000, 6667] {
        let (high, low) = (port / 256, port % 256);
        let pasv = server_acting("PASV", move |control| {
            control.say(&format!("227 there (127,0,0,1,{high},{low})"));
        });
        let epsv = server_acting("EPSV", move |control| {
            control.say(&format!("229 there (|||{port}|)"));
        });
        for server in [pasv, epsv] {
            let error = fails(&mut client(), &url(&server, "/a"));
            assert_eq!(refused(&error), &Refusal::Port { port }, "{error}");
            assert!(!server.log().iter().any(|line| line.starts_with("RETR")));
        }
    }
    for text in [
        "227 there (127,0,0,1,256,1)",
        "227 no",
        "227 1,2,3,4,5",
        "229 (|||1|)",
        "200 yes",
    ] {
        let server = server_acting("PASV", move |control| control.say(text));
        let error = fails(&mut client(), &url(&server, "/a"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{text}: {error}"
        );
    }
    for text in [
        "229 (|||65536|)",
        "229 (|||-1|)",
        "229 (|||)",
        "229 none",
        "227 (127,0,0,1,99,99)",
    ] {
        let server = server_acting("EPSV", move |control| control.say(text));
        let error = fails(&mut client(), &url(&server, "/a"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{text}: {error}"
        );
    }
}

/// Nothing listens on the data port, or the data connection stays silent.
#[test]
fn data_that_never_comes() {
    let server = server_acting("EPSV", |control| {
        // The port is above the range from which systems choose ports, so no other test listens on
        // it.
        control.say("229 there (|||61987|)");
    });
    let error = fails(&mut client(), &url(&server, "/a"));
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
    assert!(
        error.to_string().starts_with("connecting to 127.0.0.1:"),
        "{error}"
    );
    for at in ["RETR", "NLST", "MLSD"] {
        let path = if at == "RETR" { "/a" } else { "/" };
        let server = server_acting(at, |control| {
            control.say("150 soon");
            let _data = control.data();
            control.client.hang();
        });
        let begin = Instant::now();
        let error = fails(&mut Client::new(short_timeouts()), &url(&server, path));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(3));
        // All data was sent, but the completion reply is missing.
        let server = server_acting(at, |control| {
            control.say("150 soon");
            let _ = control.data().write_all(fake::FILE);
            control.client.hang();
        });
        let error = fails(&mut Client::new(short_timeouts()), &url(&server, path));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        let server = server_acting(at, |control| {
            control.say("150 soon");
            let _ = control.data().write_all(fake::FILE);
            control.client.close();
        });
        let error = fails(&mut client(), &url(&server, path));
        let is_expected = matches!(
            error.kind(),
            ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
        );
        assert!(is_expected, "{error}");
        assert!(
            error.to_string().contains("ending the transfer: "),
            "{error}"
        );
    }
}

/// The server sends fewer bytes than announced, or more.
#[test]
fn wrong_sizes() {
    for (size, is_early) in [(6, true), (4, false), (u64::MAX / 2, true)] {
        let server = server_acting("SIZE", move |control| control.say(&format!("213 {size}")));
        let client = &mut Client::new(policy().max_bytes(u64::MAX));
        let error = fails(client, &url(&server, "/a"));
        match error.kind() {
            ErrorKind::EndedEarly {
                expected,
                received: 5,
            } if is_early => assert_eq!(*expected, Some(size)),
            ErrorKind::TooManyBytes { expected } if !is_early => assert_eq!(*expected, size),
            other => panic!("{size}: {other:?}"),
        }
    }
    let server = server_acting("SIZE", |control| control.say("213 18446744073709551615"));
    let error = fails(&mut client(), &url(&server, "/a"));
    assert!(matches!(refused(&error), Refusal::Bytes { .. }), "{error}");
}

/// Endless data is limited.
#[test]
fn data_that_never_ends() {
    let server = fake::start(|control, line| {
        if line.starts_with("SIZE") {
            control.say("500 what?");
        } else if line.starts_with("RETR") {
            control.say("150 now");
            let mut data = control.data();
            while data.write_all(&[b'a'; 4096]).is_ok() {}
        } else {
            return false;
        }
        true
    });
    for path in ["/a", "/a.txt"] {
        let error = fails(
            &mut Client::new(policy().max_bytes(1_000_000)),
            &url(&server, path),
        );
        assert_eq!(refused(&error), &Refusal::Bytes { max: 1_000_000 });
    }
    // One byte at a time: the total timeout applies.
    let server = server_acting("RETR", |control| {
        control.say("150 now");
        let mut data = control.data();
        while data.write_all(b"a").is_ok() {
            std::thread::sleep(Duration::from_millis(300));
        }
    });
    let begin = Instant::now();
    let error = fails(&mut Client::new(short_timeouts()), &url(&server, "/a.txt"));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

/// Counts bytes, and stores none.
#[derive(Default)]
struct Counter(u64);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        self.0 += 1;
        Ok(())
    }
}

/// Starts a server that sends an endless listing of numbered lines.
fn lists(at: &'static str, before: &'static str) -> (Scripted, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let to = Arc::clone(&count);
    let server = server_acting(at, move |control| {
        control.say("150 now");
        let mut data = control.data();
        for block in 0.. {
            let line = |line| format!("{before}name{block}-{line}\r\n");
            let lines = (0..1000).map(line).collect::<Vec<_>>().concat();
            if data.write_all(lines.as_bytes()).is_err() {
                break;
            }
            to.fetch_add(1000, Ordering::Relaxed);
        }
        drop(data);
        control.say("226 all");
    });
    (server, count)
}

/// An endless listing fails at the limit, and needs constant memory until then.
#[test]
fn listings_without_an_end() {
    for (at, line) in [
        ("NLST", ""),
        ("MLSD", "type=file; "),
        ("LIST", "-rw-r--r-- 1 a b 1 Jan 01 2020 "),
    ] {
        let max = 1_000_000;
        let (server, _) = lists(at, line);
        let listing = url(&server, "/");
        let reference = Standard::Rfc3986.parse(&listing).unwrap();
        let mut counts = Counter::default();
        let begin = Instant::now();
        let patient = policy()
            .max_items(max)
            .total_timeout(Duration::from_secs(60));
        let client = Client::new(patient);
        let request = Request::new(reference);
        let (fetched, memory) = memory(|| client.fetch(&request, &mut NoPrompt, &mut counts));
        let error = fetched.unwrap_err();
        assert_eq!(refused(&error), &Refusal::Items { max }, "{at}");
        assert_eq!(counts.0, max);
        println!("{max} names in {:?}, {memory} bytes", begin.elapsed());
        assert!(memory < 256 << 10, "{at}: {memory} bytes");
    }
    // Lines without a name count too.
    for (at, line) in [
        ("NLST", "\r\n"),
        ("NLST", ".\r\n"),
        ("MLSD", "\r\n"),
        ("LIST", "total 1\r\n"),
        ("LIST", "drwxr-xr-x 2 a b 1 Jan 01 2020 .\r\n"),
    ] {
        let server = server_acting(at, move |control| {
            control.say("150 now");
            let mut data = control.data();
            while data.write_all(line.repeat(1000).as_bytes()).is_ok() {}
        });
        let error = fails(&mut client(), &url(&server, "/"));
        assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    }
    let server = server_acting("NLST", |control| {
        control.say("150 now");
        let mut data = control.data();
        while data.write_all(&[b'a'; 4096]).is_ok() {}
    });
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
}

/// Long facts are truncated.
#[test]
fn long_facts() {
    let server = server_acting("MLSD", |control| {
        control.say("150 now");
        let mut data = control.data();
        let line = format!("type=file;perm={};size=5; a\r\n", "r".repeat(60_000));
        let _ = data.write_all(line.as_bytes());
        drop(data);
        control.say("226 all");
    });
    let (_, buffer) = fetch(&mut client(), &url(&server, "/")).unwrap();
    assert_eq!(
        (buffer.entries[0].size, buffer.entries[0].details[0].1.len()),
        (Some(5), 256)
    );
}

/// A server that sends all replies together, before any command.
#[test]
fn all_replies_at_once() {
    let server = Scripted::start(|client: &mut Conversation| {
        client.say(
            "220 a\r\n331 b\r\n230 c\r\n200 d\r\n213 5\r\n213 20200101000000\r\n\
                    229 (|||9|)\r\n150 e\r\n226 f\r\n",
        );
        client.hang();
    });
    let error = fails(&mut client(), &url(&server, "/a"));
    assert_eq!(refused(&error), &Refusal::Port { port: 9 });
}

/// It is an error if a server sends lines too slowly, even if part of a line has always arrived. A
/// slow caller is not an error.
#[test]
fn the_rate_of_a_listing_is_that_of_the_server() {
    struct Slow(Duration);
    impl Sink for Slow {
        fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
            Ok(())
        }
        fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
            Ok(())
        }
        fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
            std::thread::sleep(self.0);
            Ok(())
        }
    }
    let listed = |pause: Duration, lines: usize, sink: Duration| {
        let server = server_acting("LIST", move |control| {
            control.say("150 here it comes");
            let mut data = control.data();
            let (begin, end) = fake::UNIX.split_at(20);
            let _ = data.write_all(begin.as_bytes());
            for _ in 0..lines {
                let _ = data.write_all([end, begin].concat().as_bytes());
                std::thread::sleep(pause);
            }
            let _ = data.write_all(end.as_bytes());
            drop(data);
            control.say("226 that was it");
        });
        let policy = policy()
            .total_timeout(Duration::MAX)
            .min_rate(3000, Duration::from_secs(1));
        let url = url(&server, "/d/");
        let request = Request::new(urikit::UriRef::parse(&url).unwrap());
        Client::new(policy).fetch(&request, &mut NoPrompt, &mut Slow(sink))
    };
    let error = listed(Duration::from_millis(100), 1000, Duration::ZERO).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    listed(Duration::ZERO, 60, Duration::from_millis(50)).unwrap();
}
