//! `telnet`: sessions with telnetd of inetutils, and with scripted servers.

use crate::support::Rendered as _;
use crate::support::{client, fails, fetch_with, plan, policy};
use crate::user::TestUser;
use rustix::net::SendFlags;
use std::io::{self, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::protocol::TelnetProtocol;
use urikit_access::{
    Buffer, Client, Error, ErrorKind, Policy, Prompt, Request, Response, Result, Terminal, Wanted,
};
use urikit_testkit::servers::{Conversation, Scripted, Telnetd, skip};

/// Runs a session, and checks that the sink receives nothing.
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

fn with(telnet: TelnetProtocol) -> Client {
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
    let mut client = with(TelnetProtocol::new().terminal_type("vt220"));
    let mut user = TestUser::types(
        &[("login: ", b"somebody\r"), ("Password: ", b"secret\r")],
        false,
    );
    let response = session(&mut client, &url, &mut user).unwrap();
    let screen = user.screen.text();
    assert!(user.is_dropped.load(Ordering::SeqCst));
    // Only the server echoes.
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
    // The user and password are shown, but neither sent nor recorded (RFC 1738, 3.8).
    let told = [
        "Log in as the user: guest",
        "The password: hunter2",
        "The session ends with ^].",
    ];
    assert_eq!(user.notices, told);
    assert!(
        !format!("{:?}", response.rendered()).contains("hunter2"),
        "{:?}",
        response.rendered()
    );
    // The access took the planned steps.
    let planned: Vec<String> = plan(&client, &url)
        .unwrap()
        .steps()
        .iter()
        .map(ToString::to_string)
        .collect();
    let port = server.port;
    assert_eq!(planned[0], "then     shows the user name \"guest\"");
    assert_eq!(planned[1], "then     shows the password");
    assert_eq!(planned[2], format!("connect  127.0.0.1:{port}"));
    assert_eq!(planned[3], "then     connects the terminal to the session");
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
fn the_escape_key_ends_a_session_with_a_real_server() {
    let Some(server) = Telnetd::start("printf 'ready: '; cat") else {
        return skip(
            "the_escape_key_ends_a_session_with_a_real_server",
            "telnetd",
        );
    };
    let url = format!("telnet://127.0.0.1:{}", server.port);
    let mut user = TestUser::types(&[("ready: ", b"abc\r"), ("abc\r\nabc\r\n", b"\x1d")], false);
    let response = session(&mut client(), &url, &mut user).unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert!(user.is_dropped.load(Ordering::SeqCst));
    // Another escape key.
    let mut user = TestUser::types(&[("ready: ", b"\x1dabc~never")], false);
    let response = session(
        &mut with(TelnetProtocol::new().escape(Some(b'~'))),
        &url,
        &mut user,
    )
    .unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert_eq!(user.notices, ["The session ends with ~."]);
}

#[test]
fn a_signal_key_reaches_a_real_server() {
    // telnetd discards output that is pending when the signal arrives, so the reply comes later.
    let script = "trap 'sleep 0.3; printf \"caught it.\\n\"; exit' INT
        printf 'ready: '; while :; do sleep 0.1; done";
    let Some(server) = Telnetd::start(script) else {
        return skip("a_signal_key_reaches_a_real_server", "telnetd");
    };
    let url = format!("telnet://127.0.0.1:{}/", server.port);
    let mut user = TestUser::types(&[("ready: ", b"\x03")], false);
    let response = session(&mut client(), &url, &mut user).unwrap();
    let screen = user.screen.text();
    assert!(screen.ends_with("caught it.\r\n"), "{screen:?}");
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
}

/// In a Synch (RFC 854), the `DM` of `IAC DM` is urgent data. The client must read the `DM` after
/// the `IAC`, and not skip it.
#[test]
fn urgent_data_is_read_in_order() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!(
        "telnet://127.0.0.1:{}/",
        listener.local_addr().unwrap().port()
    );
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The reply to this option shows that the session has begun.
        stream.write_all(b"before, \xff\xfb\x01").unwrap();
        let mut answer = [0; 3];
        stream.read_exact(&mut answer).unwrap();
        rustix::net::send(&stream, b"\xff\xf2", SendFlags::OOB).unwrap();
        stream.write_all(b"after").unwrap();
    });
    let mut user = TestUser::new();
    session(&mut client(), &url, &mut user).unwrap();
    server.join().unwrap();
    assert_eq!(user.screen.text(), "before, after");
}

/// If the server does not negotiate, for example because it serves another protocol, lines are
/// echoed and edited locally.
#[test]
fn lines_are_edited_locally_if_the_server_does_not_echo() {
    let server = Scripted::start(|client| {
        client.say("220 ready\r\n");
        let line = client.bytes(12);
        client.say(format!("{}\r\0", line.escape_ascii()));
    });
    let mut user = TestUser::types(&[("ready", b"HELP\x7fO \xff me\r")], false);
    let response = session(&mut client(), &at(&server), &mut user).unwrap();
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
    assert_eq!(
        user.screen.text(),
        "220 ready\r\nHELP\u{8} \u{8}O \u{fffd} me\r\nHELO \\xff\\xff me\\r\\n\r"
    );
}

/// A terminal with a slow display, which records whether the server had received the line before.
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

/// The echo is displayed before the line is sent, so that it precedes the reply.
#[test]
fn the_echo_precedes_the_reply() {
    let (has_come, was_late) = (Arc::default(), Arc::default());
    let to: Arc<AtomicBool> = Arc::clone(&has_come);
    let server = Scripted::start(move |client| {
        assert_eq!(client.bytes(7), b"typed\r\n");
        to.store(true, Ordering::SeqCst);
        client.hang(); // keeps the session open until everything is displayed
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
        "the URL identifies a session, which needs a terminal",
    );
    let attributes = fetch_with(&mut client(), &at(&server), |it| {
        it.wanted(Wanted::Metadata)
    });
    is(
        attributes.unwrap_err(),
        "the URL identifies a session, which has no metadata",
    );
    let error = fetch_with(&mut client(), &at(&server), |it| it.resume(1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

/// The policy applies to sessions.
#[test]
fn ports_and_addresses_are_checked() {
    let mut user = TestUser::new();
    let server = Scripted::start(Conversation::hang);
    let error = session(
        &mut Client::new(Policy::permissive()),
        &at(&server),
        &mut user,
    )
    .unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
        "{error}"
    );
    for port in [0, 25, 513] {
        let url = format!("telnet://127.0.0.1:{port}/");
        let error = session(&mut client(), &url, &mut user).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
            "{error}"
        );
    }
    let error = session(&mut client(), "telnet://127.0.0.1:99999/", &mut user).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Url(_)), "{error}");
}

/// The policy's time limits do not apply to sessions.
#[test]
fn a_session_may_be_silent() {
    let server = Scripted::start(|client| {
        for octet in b"\xff\xfb\x01a\r\0b" {
            std::thread::sleep(Duration::from_millis(300));
            client.say([*octet]);
        }
        assert_eq!(client.bytes(3), b"\xff\xfd\x01"); // unread data would reset the connection
    });
    let times = policy()
        .idle_timeout(Duration::from_millis(100))
        .total_timeout(Duration::from_secs(1));
    let mut user = TestUser::new();
    let response = session(&mut Client::new(times), &at(&server), &mut user).unwrap();
    assert!(ended_by(&response, "server"));
    assert_eq!(user.screen.text(), "a\rb");
    // A configured idle timeout applies.
    let silent = Scripted::start(Conversation::hang);
    let mut client = with(TelnetProtocol::new().idle_timeout(Duration::from_millis(300)));
    let error = session(&mut client, &at(&silent), &mut TestUser::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

#[test]
fn a_session_ends_after_the_input() {
    let answers = Scripted::start(|client| {
        let asked = client.bytes(100);
        client.say(asked);
    });
    let mut user = TestUser::types(&[("", b"begun")], true);
    let response = session(&mut client(), &at(&answers), &mut user).unwrap();
    assert!(ended_by(&response, "server"), "{:?}", response.rendered());
    assert_eq!(user.screen.text(), "begunbegun");
    // This server never closes the connection.
    let endless = Scripted::start(|client| client.drip("x", Duration::from_millis(50)));
    let silent = Scripted::start(|client| {
        client.hang();
        std::thread::sleep(Duration::from_secs(30));
    });
    for server in [endless, silent] {
        let mut client = Client::new(policy().idle_timeout(Duration::from_millis(500)));
        let mut user = TestUser::types(&[], true);
        let error = session(&mut client, &at(&server), &mut user).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    }
}

#[test]
fn a_flood_is_displayed_and_can_be_ended() {
    let server = Scripted::start(|client| client.say_forever([b'x'; 10_000]));
    let mut user = TestUser::types(&[("xxx", b"\x1d")], false);
    let begin = Instant::now();
    let response = session(&mut client(), &at(&server), &mut user).unwrap();
    assert!(ended_by(&response, "user"), "{:?}", response.rendered());
    assert!(
        begin.elapsed() < Duration::from_secs(5),
        "{:?}",
        begin.elapsed()
    );
}

/// Endless negotiation receives a limited number of answers.
#[test]
fn answers_are_limited() {
    let loops: [&'static [u8]; 4] = [
        b"\xff\xfb\x01\xff\xfc\x01",             // WILL ECHO, WONT ECHO
        b"\xff\xfd\x22",                         // DO LINEMODE
        b"\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0", // DO TERMINAL-TYPE, and SEND
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
        let mut client = with(TelnetProtocol::new().terminal_type("vt220"));
        let error = session(&mut client, &at(&server), &mut TestUser::new()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{octets:?}: {error}"
        );
        assert!(error.to_string().starts_with("in the session: "), "{error}");
        std::thread::sleep(Duration::from_millis(100));
        assert!(*answers.lock().unwrap() <= 11_000, "{octets:?}");
    }
    // Redundant commands are not answered.
    let server = Scripted::start(|client| {
        for _ in 0..5000 {
            client.say(b"\xff\xfb\x03\xff\xfe\x01\xff\xfc\x22");
        }
        client.say("done");
        assert_eq!(client.bytes(3), b"\xff\xfd\x03");
    });
    let mut user = TestUser::new();
    let response = session(&mut client(), &at(&server), &mut user).unwrap();
    assert!(ended_by(&response, "server"));
    assert_eq!(user.screen.text(), "done");
}

#[test]
fn an_endless_subnegotiation_is_an_error() {
    let server = Scripted::start(|client| {
        client.say(b"\xff\xfa\x18");
        client.say_forever(b"xxxxxxxx");
    });
    let mut user = TestUser::new();
    let error = session(&mut client(), &at(&server), &mut user).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    assert_eq!(user.screen.text(), "");
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
        let response = session(&mut client(), &at(&server), &mut TestUser::new()).unwrap();
        assert!(ended_by(&response, "server"), "{octets:?}");
    }
}

#[test]
fn a_server_that_does_not_read_is_an_error() {
    let server = Scripted::start(|_| std::thread::sleep(Duration::from_secs(30)));
    let mut user = TestUser::new();
    // The lines are longer than all buffers between the client and the server.
    let sender = user.sender.clone().unwrap();
    for _ in 0..64 {
        sender.send(b"x\r".repeat(1 << 18)).unwrap();
    }
    let mut client = Client::new(policy().idle_timeout(Duration::from_millis(500)));
    let error = session(&mut client, &at(&server), &mut user).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

/// A terminal that fails.
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
fn a_failing_terminal_ends_the_session() {
    let speaks = Scripted::start(|client| client.drip("hello", Duration::from_millis(200)));
    let silent = Scripted::start(Conversation::hang);
    for (server, reading_breaks) in [(speaks, false), (silent, true)] {
        let error = session(&mut client(), &at(&server), &mut Broken(reading_breaks)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Local(_)), "{error}");
    }
}
