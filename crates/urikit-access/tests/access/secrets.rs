//! Secrets of a request are never displayed, regardless of the encoding in which a server repeats
//! them. Tests every combination of secret, encoding and protocol. Bodies and listings remain
//! exact.

use crate::http::request;
use crate::support::{client, policy};
use std::net::IpAddr;
use std::sync::Arc;
use urikit::Standard;
use urikit_access::protocol::CustomAccess;
use urikit_access::{
    Action, Buffer, Client, Credentials, Event, Line, NoPrompt, Plan, Prompt, Request, Resolver,
    Response, Result, Secret, Terminal,
};
use urikit_mime::base64;
use urikit_testkit::servers::Scripted;

/// Passwords with characters that encodings change.
const PASSWORDS: [&str; 4] = ["hunter2secret", "p@ss w:/d?", "h\u{fc}nter&+%41", "4444"];

/// Returns the forms in which a server may send a secret: the name of each encoding, and the text.
fn encodings(password: &str) -> Vec<(&'static str, String)> {
    let percent = |all: bool, form: bool| {
        let octet = |octet: u8| match octet {
            b' ' if form => "+".to_owned(),
            _ if !all && octet.is_ascii_alphanumeric() => char::from(octet).to_string(),
            octet => format!("%{octet:02x}"),
        };
        password.bytes().map(octet).collect::<String>()
    };
    let token = base64::encode(format!("bob:{password}").as_bytes()).to_string();
    vec![
        ("as it is", password.to_owned()),
        ("upper case", password.to_ascii_uppercase()),
        ("percent-encoded", percent(false, false)),
        ("every octet percent-encoded", percent(true, false)),
        (
            "twice percent-encoded",
            percent(true, false).replace('%', "%25"),
        ),
        ("form-encoded", percent(false, true)),
        ("base64", base64::encode(password.as_bytes()).to_string()),
        ("the Basic token", token.clone()),
        (
            "the Basic token, percent-encoded",
            token.replace('=', "%3D"),
        ),
        (
            "the Basic token without padding",
            token.trim_end_matches('=').to_owned(),
        ),
    ]
}

/// Starts a server that repeats a secret.
type Echo = fn(Arc<str>) -> Scripted;

/// The place of the secret, the scheme, and the server.
const PROTOCOLS: [(&str, &str, Echo); 8] = [
    ("a reason phrase", "http", |secret| {
        http(format!("401 no {secret}\r\nContent-Length: 0"))
    }),
    ("a redirect", "http", |secret| {
        http(format!(
            "302 F\r\nLocation: /a?t={secret}\r\nContent-Length: 0"
        ))
    }),
    ("a redirect to a host", "http", |secret| {
        http(format!(
            "302 F\r\nLocation: http://{secret}.invalid/\r\nContent-Length: 0"
        ))
    }),
    ("a redirect to a scheme", "http", |secret| {
        http(format!(
            "302 F\r\nLocation: {secret}:a\r\nContent-Length: 0"
        ))
    }),
    ("no status line", "http", |secret| {
        Scripted::start(move |client| {
            request(client);
            client.say(format!("{secret}\r\n\r\n"));
        })
    }),
    ("a refused directory", "ftp", |secret| {
        ftp(move |line| match line {
            "CWD a" => format!("550 CWD denied for bob/{secret}"),
            _ => "230 in".to_owned(),
        })
    }),
    ("a refused password", "ftp", |secret| {
        ftp(move |line| match line.split(' ').next() {
            Some("USER") => "331 password?".to_owned(),
            _ => format!("530-PASS {secret}: unknown\r\n {secret}\r\n530 {secret}"),
        })
    }),
    ("a reply", "news", |secret| {
        Scripted::start(move |client| {
            client.say(format!("200 hello {secret}\r\n"));
            while let Some(line) = client.line() {
                client.say(match line.split(' ').next() {
                    Some("CAPABILITIES") => "101 these\r\nREADER\r\n.\r\n".to_owned(),
                    Some("AUTHINFO") if line.contains("USER") => "381 go on\r\n".to_owned(),
                    Some("AUTHINFO") => format!("281 welcome {secret}\r\n"),
                    _ => format!("430 no such article {secret}\r\n"),
                });
            }
        })
    }),
];

fn http(head: String) -> Scripted {
    Scripted::start(move |client| {
        while let Some(lines) = request(client) {
            // The target of a redirect, which is in the second request line.
            let head = if lines[0].contains("?t=") {
                "200 OK\r\nContent-Length: 0"
            } else {
                &head
            };
            client.say(format!("HTTP/1.1 {head}\r\n\r\n"));
        }
    })
}

fn ftp(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client| {
        client.say("220 hello\r\n");
        while let Some(line) = client.line() {
            client.say(format!("{}\r\n", answer(&line)));
        }
    })
}

/// Fails to resolve every name, without delay.
struct NoNames;

impl Resolver for NoNames {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(Vec::new())
    }
}

/// Returns everything that is displayed about an access.
fn shown(fetched: &Result<Response>) -> String {
    let (message, events) = match fetched {
        Ok(response) => (String::new(), &response.events[..]),
        Err(error) => (error.to_string(), error.events()),
    };
    let lines: Vec<String> = events.iter().map(Event::to_string).collect();
    let sources = fetched.as_ref().err().map(|error| format!("{error:?}"));
    format!(
        "{message}\n{}\n{}",
        lines.join("\n"),
        sources.unwrap_or_default()
    )
}

fn bob(password: &str) -> Credentials {
    let (user, password) = ("bob".to_owned(), password.to_owned());
    Credentials { user, password }
}

#[test]
fn every_secret_in_every_encoding_and_protocol() {
    let mut cases = 0;
    for password in PASSWORDS {
        for (encoding, text) in encodings(password) {
            for (place, scheme, start) in PROTOCOLS {
                let server = start(text.as_str().into());
                let path = if scheme == "news" { "a@h" } else { "a/b" };
                let url = format!("{scheme}://127.0.0.1:{}/{path}", server.port);
                let credentials = bob(password);
                let reference = Standard::Rfc3986.parse(&url).unwrap();
                let request = Request::new(reference).credentials(&credentials);
                let mut buffer = Buffer::default();
                let fetched =
                    client()
                        .resolver(NoNames)
                        .fetch(&request, &mut NoPrompt, &mut buffer);
                // The port may contain the digits of the secret.
                let shown = shown(&fetched).replace(&server.port.to_string(), "PORT");
                let shown = shown.to_lowercase();
                assert!(
                    !shown.contains(&text.to_lowercase()),
                    "{encoding}, {place}: {text} in {shown}"
                );
                assert!(
                    shown.contains("***"),
                    "{encoding}, {place}: {text} is not masked in {shown}"
                );
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 320);
}

#[test]
fn the_password_of_the_url_is_masked_too() {
    let server = PROTOCOLS[5].2("hunter2secret".into());
    for userinfo in ["bob:hunter2secret", "bob:h%75nter2secret"] {
        let url = format!("ftp://{userinfo}@127.0.0.1:{}/a/b", server.port);
        let reference = Standard::Rfc3986.parse(&url).unwrap();
        let mut buffer = Buffer::default();
        let fetched = client().fetch(&Request::new(reference), &mut NoPrompt, &mut buffer);
        let shown = shown(&fetched);
        assert!(shown.contains("550 CWD denied for bob/***"), "{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn a_password_that_the_user_types_is_masked_too() {
    struct Typing;
    impl Prompt for Typing {
        fn password(&mut self, _: &str, _: &str) -> Option<String> {
            Some("hunter2secret".to_owned())
        }
        fn confirm(&mut self, _: &str) -> bool {
            true
        }
        fn input(&mut self, _: &str, _: &str) -> Option<String> {
            None
        }
        fn notify(&mut self, _: &str) {}
        fn terminal(&mut self) -> Option<Terminal> {
            None
        }
    }
    let server = PROTOCOLS[6].2("hunter2secret".into());
    let url = format!("ftp://bob@127.0.0.1:{}/a/b", server.port);
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let fetched = client().fetch(
        &Request::new(reference),
        &mut Typing,
        &mut Buffer::default(),
    );
    let shown = shown(&fetched);
    assert!(shown.contains("530-PASS ***: unknown"), "{shown}");
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// To have its secrets masked, a custom scheme only needs to wrap them in [`Secret`].
#[test]
fn secrets_of_a_custom_scheme_are_masked() {
    struct Login;
    impl CustomAccess for Login {
        fn schemes(&self) -> &[&'static str] {
            &["x-login"]
        }
        fn plan(&self, request: &Request<'_>) -> Result<Plan> {
            let port = request.reference.port().unwrap().parse().unwrap();
            let mut plan = Plan::new();
            plan.push(Action::Connect("127.0.0.1".to_owned(), port));
            let secret = Secret::new(*b"hunter2secret", "password")?;
            plan.send(Line::new("LOGIN ").secret(secret));
            Ok(plan)
        }
    }
    let server = Scripted::start(|client| {
        client.line();
        client.say("x".repeat(200) + "hunter2secret\r\n");
    });
    let url = format!("x-login://127.0.0.1:{}/", server.port);
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let client = Client::new(policy()).custom(Login);
    let mut buffer = Buffer::default();
    let fetched = client.fetch(&Request::new(reference), &mut NoPrompt, &mut buffer);
    assert!(!shown(&fetched).contains("hunter2"));
    // The body is exact.
    assert!(buffer.bytes.ends_with(b"hunter2secret\r\n"));
}

/// A short secret is masked only in known positions, so other text remains readable.
#[test]
fn short_secrets_are_masked_in_known_positions() {
    let server = ftp(|line| match line.split(' ').next() {
        Some("USER") => "331 password?".to_owned(),
        Some("PASS") => format!("530-{line}: unknown\r\n bob:in ftp://bob:in@h/\r\n530 in vain"),
        _ => "500 no".to_owned(),
    });
    let credentials = bob("in");
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let request = Request::new(reference).credentials(&credentials);
    let error = client()
        .fetch(&request, &mut NoPrompt, &mut Buffer::default())
        .unwrap_err();
    assert!(
        error.to_string().ends_with(
            "sent \"PASS ***\"; received \"530-PASS ***: unknown\\r\\n bob:*** \
             ftp://bob:***@h/\\r\\n530 in vain\""
        ),
        "{error}"
    );
}

/// Secrets are masked before a long line is truncated, so no part of a secret remains.
#[test]
fn a_secret_is_not_cut_in_two() {
    for before in 180..205 {
        let reply = format!("550 {}hunter2secret", "x".repeat(before));
        let server = ftp(move |line| match line {
            "CWD a" => reply.clone(),
            _ => "230 in".to_owned(),
        });
        let credentials = bob("hunter2secret");
        let url = format!("ftp://127.0.0.1:{}/a/b", server.port);
        let reference = Standard::Rfc3986.parse(&url).unwrap();
        let request = Request::new(reference).credentials(&credentials);
        let fetched = client().fetch(&request, &mut NoPrompt, &mut Buffer::default());
        assert!(!shown(&fetched).contains("xh"), "{}", shown(&fetched));
    }
}

/// The strings of a response are exact, but its `Debug` may end up in a log.
#[test]
fn a_response_masks_passwords_in_debug() {
    let server = http("200 OK\r\nContent-Length: 0".to_owned());
    let url = format!("http://u:topsecret@127.0.0.1:{}/", server.port);
    let request = Request::new(urikit::UriRef::parse(&url).unwrap());
    let response = client().fetch(&request, &mut NoPrompt, &mut Buffer::default());
    let response = response.unwrap();
    assert_eq!((&response.uri, &response.final_uri), (&url, &url));
    let shown = format!("{response:?}");
    assert!(!shown.contains("topsecret"), "{shown}");
    assert!(shown.contains("uri: \"http://u:***@127.0.0.1:"), "{shown}");
    let shown = format!("{:?}", client());
    assert!(
        shown.starts_with("Client { policy: ") && shown.contains("\"http\""),
        "{shown}"
    );
}
