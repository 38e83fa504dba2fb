//! `telnet`: sessions with inetutils' telnetd, and with servers that do as no server should.

use crate::desk::Desk;
use crate::support::Rendered as _;
use crate::support::{client, fails, fetch_with, plan, policy};
use rustix::net::SendFlags;
use std::io::{self, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::protocol::Telnet;
use urikit_access::{
    Buffer, Client, Error, ErrorKind, Policy, Prompt, Request, Response, Result, Terminal, Wanted,
};
use urikit_testkit::servers::{Conversation, Scripted, Telnetd, skip};

/// Holds a session. Nothing of it reaches the sink.
fn session(client: &mut Client, url: &str, prompt: &mut dyn Prompt) -> Result<Response> {
    let mut buffer = Buffer::default();
    let request = Request::new(Standard::Rfc3986.parse(url).unwrap());
    let begin = Instant::now();
    let result = client.fetch(&request, prompt, &mut buffer);
    assert!(buffer.bytes.is_empty() && buffer.entries.is_empty());
    assert!(
        begin.elapsed() < Duration::from_secs(20),
        "{url}: {:?}",
        begin.elapsed()
    );
    result
}

fn with(telnet: Telnet) -> Client {
    client().protocol(telnet)
}

fn at(server: &Scripted) -> String {
    format!("telnet://127.0.0.1:{}/", server.port)
}

fn ended_by(response: &Response, who: &str) -> bool {
    response.rendered().last().unwrap() == &format!("the {who} ended the session")
}

#[test]
fn a_session_with_a_real_server() {
    const LOGIN: &str = r#"
        printf 'login: '; read -r user
        stty -echo; printf 'Password: '; read -r password; stty echo; echo
        printf '%s\n' "$TERM" "$(stty size)" "$user" "$password" >"$log"
        printf 'Welcome, %s. \377 \033[1mbold\033[m\n' "$user"
    "#;
    let Some(server) = Telnetd::start(LOGIN) else {
        return skip("a_session_with_a_real_server", "telnetd");
    };
    let url = format!("telnet://guest:hunter2@127.0.0.1:{}/", server.port);
    let mut client = with(Telnet::new().terminal_type("vt220"));
    let mut desk = Desk::types(
        &[("login: ", b"somebody\r"), ("Password: ", b"secret\r")],
        false,
    );
    let response = session(&mut client, &url, &mut desk).unwrap();
    let screen = desk.screen.text();
    assert!(desk.is_dropped.load(Ordering::SeqCst));
    // The server echoes, and not this side too.
    assert!(screen.contains("login: somebody\r\n"), "{screen:?}");
    assert!(
        screen.contains("Password: \r\n") && !screen.contains("secret"),
        "{screen:?}"
    );
    assert!(
        screen.contains("Welcome, somebody. \u{fffd} \u{1b}[1mbold\u{1b}[m\r\n"),
        "{screen:?}"
    );
    assert_eq!(server.log(), "vt220\n43 132\nsomebody\nsecret\n");
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
    // RFC 1738, 3.8: the person is advised of both, and neither is sent, or kept in the steps.
    let told = [
        "The user to log in as: guest",
        "The password: hunter2",
        "The session ends with ^].",
    ];
    assert_eq!(desk.told, told);
    assert!(
        !format!("{:?}", response.rendered()).contains("hunter2"),
        "{:?}",
        response.rendered()
    );
    // What was planned was done.
    let planned: Vec<String> = plan(&client, &url)
        .unwrap()
        .steps()
        .iter()
        .map(ToString::to_string)
        .collect();
    let port = server.port;
    assert_eq!(
        planned[0],
        "then     advises the person of the user \"guest\""
    );
    assert_eq!(planned[1], "then     advises the person of the password");
    assert_eq!(planned[2], format!("connect  127.0.0.1:{port}"));
    assert_eq!(planned[3], "then     gives the person the terminal");
    assert_eq!(planned.len(), 4);
    assert_eq!(response.rendered()[..2], planned[..2]);
    assert_eq!(
        response.rendered()[2],
        format!("connected to 127.0.0.1:{port} (127.0.0.1)")
    );
    assert_eq!(response.rendered()[3], planned[3]);
    assert_eq!(response.rendered().len(), 5, "{:?}", response.rendered());
}

#[test]
fn the_escape_ends_a_session_with_a_real_server() {
    let Some(server) = Telnetd::start("printf 'ready: '; cat") else {
        return skip("the_escape_ends_a_session_with_a_real_server", "telnetd");
    };
    let url = format!("telnet://127.0.0.1:{}", server.port);
    let mut desk = Desk::types(&[("ready: ", b"abc\r"), ("abc\r\nabc\r\n", b"\x1d")], false);
    let response = session(&mut client(), &url, &mut desk).unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert!(desk.is_dropped.load(Ordering::SeqCst));
    // Another key.
    let mut desk = Desk::types(&[("ready: ", b"\x1dabc~never")], false);
    let response = session(&mut with(Telnet::new().escape(Some(b'~'))), &url, &mut desk).unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert_eq!(desk.told, ["The session ends with ~."]);
}

#[test]
fn a_signal_key_reaches_a_real_server() {
    let script = "trap 'printf \"caught it.\\n\"; exit' INT
        printf 'ready: '; while :; do sleep 0.1; done";
    let Some(server) = Telnetd::start(script) else {
        return skip("a_signal_key_reaches_a_real_server", "telnetd");
    };
    let url = format!("telnet://127.0.0.1:{}/", server.port);
    let mut desk = Desk::types(&[("ready: ", b"\x03")], false);
    let response = session(&mut client(), &url, &mut desk).unwrap();
    let screen = desk.screen.text();
    assert!(screen.ends_with("caught it.\r\n"), "{screen:?}");
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
}

/// RFC 854, Synch: `IAC DM`, of which `DM` is urgent data. The octet behind the `IAC` has to be
/// `DM` all the same, and not the next one of the data.
#[test]
fn urgent_data_takes_nothing_with_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!(
        "telnet://127.0.0.1:{}/",
        listener.local_addr().unwrap().port()
    );
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The session has begun when it answers.
        stream.write_all(b"before, \xff\xfb\x01").unwrap();
        let mut answer = [0; 3];
        stream.read_exact(&mut answer).unwrap();
        rustix::net::send(&stream, b"\xff\xf2", SendFlags::OOB).unwrap();
        stream.write_all(b"after").unwrap();
    });
    let mut desk = Desk::new();
    session(&mut client(), &url, &mut desk).unwrap();
    server.join().unwrap();
    assert_eq!(desk.screen.text(), "before, after");
}

/// A server that negotiates nothing, such as another service's: lines, shown and edited here.
#[test]
fn lines_are_edited_here_where_the_server_does_not_echo() {
    let server = Scripted::start(|client| {
        client.say("220 ready\r\n");
        let line = client.bytes(12);
        client.say(format!("{}\r\0", line.escape_ascii()));
    });
    let mut desk = Desk::types(&[("ready", b"HELP\x7fO \xff me\r")], false);
    let response = session(&mut client(), &at(&server), &mut desk).unwrap();
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
    assert_eq!(
        desk.screen.text(),
        "220 ready\r\nHELP\u{8} \u{8}O \u{fffd} me\r\nHELO \\xff\\xff me\\r\\n\r"
    );
}

/// A terminal that is slow to show what is typed, and tells whether the server had it before that.
struct Slow {
    has_come: Arc<AtomicBool>,
    was_late: Arc<AtomicBool>,
}

impl io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.starts_with(b"typed") {
            std::thread::sleep(Duration::from_millis(300));
            let has_come = self.has_come.load(Ordering::SeqCst);
            self.was_late.store(has_come, Ordering::SeqCst);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct AtSlow(Option<Slow>);

impl Prompt for AtSlow {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, _: &str) {}

    fn has_terminal(&mut self) -> bool {
        true
    }

    fn terminal(&mut self) -> Option<Terminal> {
        Some(Terminal::new(&b"typed\r"[..], self.0.take()?))
    }
}

/// What is typed is shown before it is sent: its answer can then not be shown before it.
#[test]
fn a_line_is_shown_before_its_answer_can_come() {
    let (has_come, was_late) = (Arc::default(), Arc::default());
    let to: Arc<AtomicBool> = Arc::clone(&has_come);
    let server = Scripted::start(move |client| {
        assert_eq!(client.bytes(7), b"typed\r\n");
        to.store(true, Ordering::SeqCst);
        client.hang(); // so that the session goes on until all is shown
    });
    let slow = Slow {
        has_come: Arc::clone(&has_come),
        was_late: Arc::clone(&was_late),
    };
    session(&mut client(), &at(&server), &mut AtSlow(Some(slow))).unwrap();
    assert!(has_come.load(Ordering::SeqCst));
    assert!(!was_late.load(Ordering::SeqCst));
}

#[test]
fn without_a_terminal_nothing_is_connected_to() {
    let count = Arc::new(AtomicUsize::new(0));
    let to = Arc::clone(&count);
    let server = Scripted::start(move |client| {
        to.fetch_add(1, Ordering::SeqCst);
        client.hang();
    });
    let is = |error: Error, text: &str| {
        assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
        assert_eq!(error.to_string(), text);
        assert!(error.rendered().is_empty());
    };
    is(
        fails(&mut client(), &at(&server)),
        "the URL names a session, which needs a terminal",
    );
    let attributes = fetch_with(&mut client(), &at(&server), |it| {
        it.wanted(Wanted::Metadata)
    });
    is(
        attributes.unwrap_err(),
        "the URL names a session, which has no attributes",
    );
    let error = fetch_with(&mut client(), &at(&server), |it| it.resume(1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

/// Rules 4 and 5.
#[test]
fn ports_and_addresses_are_judged() {
    let mut desk = Desk::new();
    let server = Scripted::start(Conversation::hang);
    let error = session(&mut Client::new(Policy::new()), &at(&server), &mut desk).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
        "{error}"
    );
    for port in [0, 25, 513] {
        let url = format!("telnet://127.0.0.1:{port}/");
        let error = session(&mut client(), &url, &mut desk).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
            "{error}"
        );
    }
    let error = session(&mut client(), "telnet://127.0.0.1:99999/", &mut desk).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Url(_)), "{error}");
}

/// A session may be silent for longer than other accesses may, and last longer.
#[test]
fn a_session_may_be_silent() {
    let server = Scripted::start(|client| {
        for octet in b"\xff\xfb\x01a\r\0b" {
            std::thread::sleep(Duration::from_millis(300));
            client.say([*octet]);
        }
        assert_eq!(client.bytes(3), b"\xff\xfd\x01"); // what is not read would reset the connection
    });
    let times = policy()
        .idle_timeout(Duration::from_millis(100))
        .total_timeout(Duration::from_secs(1));
    let mut desk = Desk::new();
    let response = session(&mut Client::new(times), &at(&server), &mut desk).unwrap();
    assert!(ended_by(&response, "server"));
    assert_eq!(desk.screen.text(), "a\rb");
    // But where a longest silence is set, it is kept to.
    let silent = Scripted::start(Conversation::hang);
    let mut client = with(Telnet::new().idle_timeout(Duration::from_millis(300)));
    let error = session(&mut client, &at(&silent), &mut Desk::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

#[test]
fn a_session_ends_when_nobody_types_any_more() {
    let answers = Scripted::start(|client| {
        let asked = client.bytes(100);
        client.say(asked);
    });
    let mut desk = Desk::types(&[("", b"begun")], true);
    let response = session(&mut client(), &at(&answers), &mut desk).unwrap();
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
    assert_eq!(desk.screen.text(), "begunbegun");
    // A server that goes on for ever.
    let endless = Scripted::start(|client| client.drip("x", Duration::from_millis(50)));
    let silent = Scripted::start(|client| {
        client.hang();
        std::thread::sleep(Duration::from_secs(30));
    });
    for server in [endless, silent] {
        let mut client = Client::new(policy().idle_timeout(Duration::from_millis(500)));
        let mut desk = Desk::types(&[], true);
        let error = session(&mut client, &at(&server), &mut desk).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    }
}

#[test]
fn a_flood_is_shown_and_can_be_ended() {
    let server = Scripted::start(|client| client.say_forever([b'x'; 10_000]));
    let mut desk = Desk::types(&[("xxx", b"\x1d")], false);
    let begin = Instant::now();
    let response = session(&mut client(), &at(&server), &mut desk).unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert!(
        begin.elapsed() < Duration::from_secs(5),
        "{:?}",
        begin.elapsed()
    );
}

/// Negotiation that never ends is answered so often, and no more.
#[test]
fn nobody_is_answered_for_ever() {
    let loops: [&'static [u8]; 4] = [
        b"\xff\xfb\x01\xff\xfc\x01",             // WILL ECHO, WONT ECHO
        b"\xff\xfd\x22",                         // DO LINEMODE
        b"\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0", // DO TERMINAL-TYPE, and again its SEND
        b"\xff\xfd\x03x\xff\xfe\x03",            // with data between
    ];
    for octets in loops {
        let answers = Arc::new(Mutex::new(0));
        let to = Arc::clone(&answers);
        let server = Scripted::start(move |client| {
            for _ in 0..5000 {
                client.say(octets);
            }
            *to.lock().unwrap() = client.bytes(1 << 20).len();
        });
        let mut client = with(Telnet::new().terminal_type("vt220"));
        let error = session(&mut client, &at(&server), &mut Desk::new()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{octets:?}: {error}"
        );
        assert!(error.to_string().starts_with("in the session: "), "{error}");
        std::thread::sleep(Duration::from_millis(100));
        assert!(*answers.lock().unwrap() <= 11_000, "{octets:?}");
    }
    // What changes nothing is not answered at all.
    let server = Scripted::start(|client| {
        for _ in 0..5000 {
            client.say(b"\xff\xfb\x03\xff\xfe\x01\xff\xfc\x22");
        }
        client.say("done");
        assert_eq!(client.bytes(3), b"\xff\xfd\x03");
    });
    let mut desk = Desk::new();
    let response = session(&mut client(), &at(&server), &mut desk).unwrap();
    assert!(ended_by(&response, "server"));
    assert_eq!(desk.screen.text(), "done");
}

#[test]
fn an_endless_subnegotiation_is_no_session() {
    let server = Scripted::start(|client| {
        client.say(b"\xff\xfa\x18");
        client.say_forever(b"xxxxxxxx");
    });
    let mut desk = Desk::new();
    let error = session(&mut client(), &at(&server), &mut desk).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    assert_eq!(desk.screen.text(), "");
}

#[test]
fn a_server_may_end_anywhere() {
    let ends: [&'static [u8]; 6] = [
        b"",
        b"\xff",
        b"\xff\xfd",
        b"\xff\xfa",
        b"\xff\xfa\x18\x01\xff",
        b"\r",
    ];
    for octets in ends {
        let server = Scripted::start(move |client| {
            client.say(octets);
        });
        let response = session(&mut client(), &at(&server), &mut Desk::new()).unwrap();
        assert!(ended_by(&response, "server"), "{octets:?}");
    }
}

#[test]
fn a_server_that_takes_nothing_is_left() {
    let server = Scripted::start(|_| std::thread::sleep(Duration::from_secs(30)));
    let mut desk = Desk::new();
    // A line of its own each time, more than any buffer between the two takes.
    let sender = desk.sender.clone().unwrap();
    for _ in 0..64 {
        sender.send(b"x\r".repeat(1 << 18)).unwrap();
    }
    let mut client = Client::new(policy().idle_timeout(Duration::from_millis(500)));
    let error = session(&mut client, &at(&server), &mut desk).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

/// A person whose terminal breaks.
struct Broken(bool);

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(50));
        Err(if self.0 {
            io::ErrorKind::BrokenPipe
        } else {
            io::ErrorKind::WouldBlock
        }
        .into())
    }
}

impl io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Prompt for Broken {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, _: &str) {}

    fn has_terminal(&mut self) -> bool {
        true
    }

    fn terminal(&mut self) -> Option<Terminal> {
        Some(Terminal::new(Self(self.0), Self(self.0)))
    }
}

#[test]
fn a_terminal_that_breaks_ends_the_session() {
    let speaks = Scripted::start(|client| client.drip("hello", Duration::from_millis(200)));
    let silent = Scripted::start(Conversation::hang);
    for (server, reading_breaks) in [(speaks, false), (silent, true)] {
        let error = session(&mut client(), &at(&server), &mut Broken(reading_breaks)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Local(_)), "{error}");
    }
}
