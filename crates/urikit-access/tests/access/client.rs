//! Tests of the client's behaviour with every protocol, using a custom scheme and protocols whose
//! results each test specifies.

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy, sent};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urikit_access::policy::Refusal;
use urikit_access::protocol::{CustomAccess, Outcome, Protocol};
use urikit_access::{
    Action, Argument, Class, Client, Context, ErrorKind, Line, Metadata, Output, Plan, Policy,
    Request, Resolver, Result, UrlError, Wanted,
};
use urikit_schemes::SchemeRegistry;
use urikit_testkit::servers::{Conversation, Scripted};

/// `x-finger://host/user`: sends one line, and receives the rest.
pub(super) struct Finger;

impl CustomAccess for Finger {
    fn schemes(&self) -> &[&'static str] {
        &["x-finger"]
    }

    fn own_ports(&self) -> &[u16] {
        &[79]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = request.reference;
        let port = url.port().map_or(Ok(79), |port| port.parse());
        let port = port.map_err(|_| UrlError::NoPort)?;
        let mut line = Line::default();
        for user in url.path().segments().take(1) {
            line = line.argument(Argument::new(user.decode(), "user")?);
        }
        let mut plan = Plan::new();
        plan.push(Action::Connect(
            url.host().unwrap().as_str().to_owned(),
            port,
        ));
        plan.send(line);
        Ok(plan)
    }
}

pub(super) fn with_finger(policy: Policy) -> Client {
    Client::new(policy).custom(Finger)
}

pub(super) fn refused(error: &urikit_access::Error) -> &Refusal {
    match error.kind() {
        ErrorKind::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_custom_scheme_is_fetched_by_its_steps() {
    let server = Scripted::start(|client| {
        let user = client.line().unwrap();
        client.say(format!("Login: {user}\r\n"));
    });
    let mut client = with_finger(policy());
    let url = format!("x-finger://127.0.0.1:{}/tim%20bl#top", server.port);
    let (response, buffer) = fetch(&mut client, &url).unwrap();
    assert_eq!(buffer.bytes, b"Login: tim bl\r\n");
    assert_eq!(response.fragment.as_deref(), Some("top"));
    assert!(!response.final_uri.contains('#'), "{}", response.final_uri);
    assert_eq!(sent(&response.rendered()), ["tim bl"]);
    assert_eq!(server.log(), ["tim bl"]);
    assert_as_planned(&plan(&client, &url).unwrap(), &response.rendered());
    let planned = plan(&client, &url).unwrap().to_string();
    assert_eq!(
        planned,
        format!("connect  127.0.0.1:{}\nsend     \"tim bl\"\n", server.port)
    );
}

#[test]
fn a_second_line_is_refused_before_connecting() {
    let server = Scripted::start(Conversation::hang);
    let mut client = with_finger(policy());
    for escape in ["%0D%0AQUIT", "%0A", "%00", "%0d"] {
        let url = format!("x-finger://127.0.0.1:{}/a{escape}", server.port);
        let error = fails(&mut client, &url);
        assert_eq!(error.class(), Class::Invalid, "{error}");
        assert!(error.rendered().is_empty(), "{error}");
    }
}

#[test]
fn unsupported_schemes_are_named() {
    let error = fails(&mut client(), "magic:abc");
    assert_eq!(
        error.to_string(),
        "the scheme `magic` is not supported, and no gateway is set for it"
    );
    assert_eq!(error.class(), Class::Failed);
    assert!(matches!(
        fails(&mut client(), "//h/a").kind(),
        ErrorKind::Relative
    ));
}

#[test]
fn loopback_and_ports_of_other_protocols_are_refused() {
    let server = Scripted::start(Conversation::hang);
    let url = format!("x-finger://127.0.0.1:{}/a", server.port);
    let error = fails(&mut with_finger(Policy::permissive()), &url);
    assert!(
        matches!(refused(&error), Refusal::Address { .. }),
        "{error}"
    );
    assert_eq!(error.class(), Class::Refused);
    for (host, port) in [
        ("127.0.0.1", 25),
        ("127.0.0.1", 0),
        ("[::1]", 6000),
        ("localhost", 22),
    ] {
        let error = fails(
            &mut with_finger(policy()),
            &format!("x-finger://{host}:{port}/a"),
        );
        assert_eq!(refused(&error), &Refusal::Port { port }, "{error}");
    }
    // The port does not belong to a protocol, and nothing listens on it.
    let error = fails(&mut with_finger(policy()), "x-finger://127.0.0.1/a");
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
}

/// Resolves each name to its addresses.
pub(super) struct Hosts(&'static [(&'static str, &'static [&'static str])]);

impl Resolver for Hosts {
    fn resolve(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        let addresses = found.ok_or(std::io::ErrorKind::NotFound)?.1;
        Ok(addresses.iter().map(|it| it.parse().unwrap()).collect())
    }
}

#[test]
fn every_address_of_a_name_is_checked() {
    let server = Scripted::start(|client| {
        client.line();
        client.say("hello");
    });
    let names = Hosts(&[
        ("mixed.example", &["169.254.169.254", "127.0.0.1"]),
        ("refused.example", &["169.254.169.254", "0.0.0.0"]),
    ]);
    // A connection to the first address would hang.
    let policy = policy().connect_timeout(Duration::from_secs(3));
    let mut client = with_finger(policy).resolver(names);
    let at = |name: &str| format!("x-finger://{name}:{}/a", server.port);
    let begin = Instant::now();
    let (response, buffer) = fetch(&mut client, &at("mixed.example")).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert_eq!(buffer.bytes, b"hello");
    let connected = |event: &String| event.starts_with("connected to ");
    let connected: Vec<_> = response.rendered().into_iter().filter(connected).collect();
    let expected = format!("connected to mixed.example:{} (127.0.0.1)", server.port);
    assert_eq!(connected, [expected]);
    let error = fails(&mut client, &at("refused.example"));
    let is_address = matches!(refused(&error), Refusal::Address { .. });
    assert!(is_address, "{error}");
    assert_eq!(server.log(), ["a"]);
}

/// The addresses of a redirect's target are checked.
#[test]
fn the_host_of_a_redirect_is_checked() {
    let server = Scripted::start(|client| {
        let path = client.line();
        let mut port = String::new();
        while let Some(line) = client.line().filter(|line| !line.is_empty()) {
            if let Some((_, its)) = line
                .strip_prefix("Host: ")
                .and_then(|it| it.split_once(':'))
            {
                its.clone_into(&mut port);
            }
        }
        let target = match path.as_deref() {
            Some("GET /to-metadata HTTP/1.1") => format!("http://metadata.example:{port}/"),
            Some("GET /to-next HTTP/1.1") => format!("http://next.example:{port}/there"),
            _ => {
                client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
                return;
            }
        };
        client.say(format!(
            "HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n"
        ));
    });
    let names = Hosts(&[
        ("first.example", &["127.0.0.1"]),
        ("next.example", &["127.0.0.1"]),
        ("metadata.example", &["169.254.169.254"]),
    ]);
    let mut client = client().resolver(names);
    let at = |path: &str| format!("http://first.example:{}/{path}", server.port);
    // The address is refused, not the redirect.
    assert_eq!(
        fetch(&mut client, &at("to-next")).unwrap().1.bytes,
        b"hello"
    );
    let before = server.log().len();
    let error = fails(&mut client, &at("to-metadata"));
    let is_address = matches!(refused(&error), Refusal::Address { .. });
    assert!(is_address, "{error}");
    assert!(error.to_string().contains("metadata.example"), "{error}");
    let log = server.log().split_off(before);
    let requests = log.iter().filter(|line| line.starts_with("GET "));
    assert_eq!(requests.count(), 1, "{log:?}");
}

/// Resolves a name to a different address each time, and counts the lookups.
struct Rotating(Vec<&'static str>, Arc<AtomicUsize>);

impl Resolver for Rotating {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        let at = self.1.fetch_add(1, Ordering::SeqCst);
        Ok(vec![self.0[at.min(self.0.len() - 1)].parse().unwrap()])
    }
}

#[test]
fn a_name_is_resolved_once_and_the_checked_address_is_used() {
    let server = Scripted::start(|client| {
        client.line();
        client.say("hello");
    });
    // A second lookup would return the address of a cloud's metadata service.
    let count = Arc::new(AtomicUsize::new(0));
    let answers = Rotating(vec!["127.0.0.1", "169.254.169.254"], Arc::clone(&count));
    let mut client = with_finger(policy()).resolver(answers);
    let url = format!("x-finger://rebinding.example:{}/a", server.port);
    assert_eq!(fetch(&mut client, &url).unwrap().1.bytes, b"hello");
    assert_eq!(count.load(Ordering::SeqCst), 1);
    // The next access uses the same answer, and its own policy checks it.
    assert_eq!(fetch(&mut client, &url).unwrap().1.bytes, b"hello");
    let mut strict = client.clone().policy(policy().allow_private(false));
    let error = fails(&mut strict, &url);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    assert!(
        matches!(refused(&error), Refusal::Address { .. }),
        "{error}"
    );
}

#[test]
fn every_spelling_of_an_address_is_checked() {
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "2130706433",
        "0x7f.1",
        "127.1",
        "0177.0.0.1",
        "%31%32%37.0.0.1",
        "[64:ff9b::7f00:1]",
        "0",
        "0.0.0.0",
        "[::]",
        "169.254.169.254",
        "10.0.0.1",
    ] {
        let error = fails(
            &mut with_finger(Policy::permissive()),
            &format!("x-finger://{host}:7979/a"),
        );
        match error.kind() {
            ErrorKind::Refused(Refusal::Address { .. }) => {}
            // Some systems reject the short forms.
            ErrorKind::Network(_) | ErrorKind::HostNotFound if !host.starts_with('[') => {}
            other => panic!("{host}: {other:?}"),
        }
    }
}

#[test]
fn invalid_names_are_not_resolved() {
    for host in ["a%0Ab", "a%20b", "a%2Fb", "%00", "", "a%25b", "[v1.x]"] {
        let error = fails(
            &mut with_finger(policy()),
            &format!("x-finger://{host}:7979/a"),
        );
        assert!(
            matches!(error.kind(), ErrorKind::HostNotFound),
            "{host}: {error}"
        );
    }
}

#[test]
fn every_wait_times_out() {
    let slow = Scripted::start(|client| client.drip("a", Duration::from_millis(100)));
    let silent = Scripted::start(Conversation::hang);
    for port in [slow.port, silent.port] {
        let policy = policy()
            .idle_timeout(Duration::from_millis(400))
            .total_timeout(Duration::from_secs(1));
        let begin = Instant::now();
        let error = fails(
            &mut with_finger(policy),
            &format!("x-finger://127.0.0.1:{port}/a"),
        );
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(
            begin.elapsed() < Duration::from_secs(3),
            "{:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn resolving_a_name_times_out() {
    struct Never;
    impl Resolver for Never {
        fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            std::thread::sleep(Duration::from_secs(60));
            Ok(Vec::new())
        }
    }
    let policy = policy().connect_timeout(Duration::from_millis(300));
    let begin = Instant::now();
    let error = fails(
        &mut with_finger(policy).resolver(Never),
        "x-finger://slow.example/a",
    );
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

#[test]
fn the_length_of_a_body_is_limited() {
    let server = Scripted::start(|client| client.say_forever([b'a'; 1000]));
    let url = format!("x-finger://127.0.0.1:{}/a", server.port);
    let error = fails(&mut with_finger(policy().max_bytes(100_000)), &url);
    assert_eq!(refused(&error), &Refusal::Bytes { max: 100_000 });
}

/// A protocol for http and gopher whose results a test specifies.
pub(super) struct Returning<F> {
    does: Arc<F>,
    schemes: &'static [&'static str],
    redirect_schemes: &'static [&'static str],
}

impl<F> Protocol for Returning<F>
where
    F: Fn(&Request<'_>, &mut Output<'_>) -> Result<Outcome> + Send + Sync,
{
    fn schemes(&self) -> &[&'static str] {
        self.schemes
    }

    fn redirect_schemes(&self) -> &[&'static str] {
        self.redirect_schemes
    }

    fn plan(&self, _: &Request<'_>) -> Result<Plan> {
        Ok(Plan::new())
    }

    fn access(
        &self,
        request: &Request<'_>,
        _: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        (self.does)(request, output)
    }
}

pub(super) fn client_returning(
    does: impl Fn(&Request<'_>, &mut Output<'_>) -> Result<Outcome> + Send + Sync + 'static,
) -> Client {
    client_with(policy(), does)
}

pub(super) fn client_with(
    policy: Policy,
    does: impl Fn(&Request<'_>, &mut Output<'_>) -> Result<Outcome> + Send + Sync + 'static,
) -> Client {
    let does = Arc::new(does);
    let protocols: [(&[&str], &[&str]); 3] = [
        (&["http", "https"], &["http", "https"]),
        (&["prospero"], &["ftp", "gopher", "wais"]),
        (&["ftp", "gopher", "wais"], &[]),
    ];
    let mut client = Client::new(policy);
    for (schemes, redirect_schemes) in protocols {
        client = client.protocol(Returning {
            does: Arc::clone(&does),
            schemes,
            redirect_schemes,
        });
    }
    client
}

#[test]
fn bodies_of_the_wrong_length_are_errors() {
    let sized = |size: u64, bytes: &'static [u8]| {
        client_returning(move |_, output| {
            let mut known = Metadata::default();
            known.size = Some(size);
            output.begin(known)?;
            output.bytes(bytes).map(|()| Outcome::Done)
        })
    };
    let error = fails(&mut sized(6, b"five!"), "http://h/");
    assert!(
        matches!(
            error.kind(),
            ErrorKind::EndedEarly {
                expected: Some(6),
                received: 5
            }
        ),
        "{error}"
    );
    let error = fails(&mut sized(4, b"five!"), "http://h/");
    assert!(
        matches!(error.kind(), ErrorKind::TooManyBytes { expected: 4 }),
        "{error}"
    );
    let error = fails(&mut sized(u64::MAX, b""), "http://h/");
    assert!(matches!(refused(&error), Refusal::Bytes { .. }), "{error}");
    let (response, _) = fetch(&mut sized(5, b"five!"), "http://h/").unwrap();
    assert_eq!((response.received, response.metadata.size), (5, Some(5)));
    // If only metadata was requested, no bytes are missing.
    let mut client = sized(6, b"");
    assert_eq!(
        fetch_with(&mut client, "http://h/", |request| request
            .wanted(Wanted::Metadata))
        .unwrap()
        .0
        .metadata
        .size,
        Some(6)
    );
    // The limit for bodies does not apply to metadata.
    let attributes = fetch_with(&mut sized(u64::MAX, b""), "http://h/", |request| {
        request.wanted(Wanted::Metadata)
    });
    assert_eq!(attributes.unwrap().0.metadata.size, Some(u64::MAX));
}

#[test]
fn resuming_fails_if_the_server_sends_everything() {
    let mut client = client_returning(|_, output| {
        output.begin(Metadata::default())?;
        output.bytes(b"whole").map(|()| Outcome::Done)
    });
    let error = fetch_with(&mut client, "http://h/", |request| request.resume(3)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
}

#[test]
fn resuming_fails_if_the_protocol_ignores_it() {
    let server = Scripted::start(|client| {
        client.line();
        client.say("whole");
    });
    let url = format!("x-finger://127.0.0.1:{}/a", server.port);
    let error = fetch_with(&mut with_finger(policy()), &url, |request| {
        request.resume(3)
    });
    let error = error.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
}

#[test]
fn the_media_type_is_detected_if_the_server_gives_none() {
    let mut client = client_returning(|_, output| {
        output
            .bytes(b"\x89PNG\r\n\x1a\n....")
            .map(|()| Outcome::Done)
    });
    let (response, buffer) = fetch(&mut client, "http://h/").unwrap();
    assert_eq!(response.metadata.media_type.as_deref(), Some("image/png"));
    assert_eq!(buffer.metadata.media_type.as_deref(), Some("image/png"));
}

#[test]
fn a_gateway_gets_the_complete_uri() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let mut registry = SchemeRegistry::new();
    for rule in [
        "wais=http://gate.example/get?uri=",
        "prospero=proxy:http://proxy.example:8080",
    ] {
        let rule: urikit_schemes::GatewayRule = rule.parse().unwrap();
        registry.set_gateway(&rule.scheme, rule.gateway).unwrap();
    }
    let mut client = client_returning(move |request, output| {
        let proxy = request.proxy.map(|proxy| proxy.url().as_str().to_owned());
        to.lock()
            .unwrap()
            .push((request.reference.as_str().to_owned(), proxy));
        output.bytes(b"").map(|()| Outcome::Done)
    })
    .registry(registry);
    fetch(&mut client, "wais://h/db?a+b#c").unwrap();
    fetch(&mut client, "prospero://h/obj").unwrap();
    let proxy = Some("http://proxy.example:8080".to_owned());
    let expected = [
        (
            "http://gate.example/get?uri=wais://h/db?a%2Bb".to_owned(),
            None,
        ),
        ("prospero://h/obj".to_owned(), proxy),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[test]
fn an_iri_is_fetched_as_a_uri() {
    let seen = Arc::new(Mutex::new(String::new()));
    let to = Arc::clone(&seen);
    let client = client_returning(move |request, output| {
        request
            .reference
            .as_str()
            .clone_into(&mut to.lock().unwrap());
        output.bytes(b"").map(|()| Outcome::Done)
    });
    let text = "http://résumé.example.org/é#ö"; // the host of RFC 3987, 3.1
    let reference = urikit::Standard::Rfc3987.parse(text).unwrap();
    let mut buffer = urikit_access::Buffer::default();
    let request = Request::new(reference);
    let response = client
        .fetch(&request, &mut urikit_access::NoPrompt, &mut buffer)
        .unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        "http://xn--rsum-bpad.example.org/%C3%A9#%C3%B6"
    );
    assert_eq!(response.uri, text);
    assert_eq!(
        response.final_uri,
        "http://xn--rsum-bpad.example.org/%C3%A9"
    );
}
