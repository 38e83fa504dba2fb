//! Logins to news servers, and the servers that they are sent to (RFC 4643).

use super::news_scripted::{reader, scripted, url};
use crate::support::Rendered as _;
use crate::support::{client, fails, fetch, plan, sent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::{
    Buffer, Class, Client, Credentials, ErrorKind, Prompt, Request, Response, Terminal,
};
use urikit_testkit::servers::Scripted;

/// A server that requires a login for everything.
fn closed() -> Scripted {
    Scripted::start(|client| {
        client.say("200 hello\r\n");
        let mut is_in = false;
        while let Some(line) = client.line() {
            client.say(match &*line {
                "CAPABILITIES" => "101 these\r\nREADER\r\nAUTHINFO USER\r\n.\r\n",
                "AUTHINFO USER tim" => "381 password\r\n",
                "AUTHINFO USER open" | "AUTHINFO PASS s3cret" => {
                    is_in = true;
                    "281 in\r\n"
                }
                line if line.starts_with("AUTHINFO") => "481 no\r\n",
                _ if !is_in => "480 log in\r\n",
                _ => "220 0 <a@b>\r\n\r\nx\r\n.\r\n",
            });
        }
    })
}

/// A user who answers.
struct Answering {
    user: Option<&'static str>,
    password: Option<&'static str>,
    agrees: bool,
    asked: Vec<String>,
}

impl Prompt for Answering {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        self.asked.push(format!("password of {user} at {host}"));
        self.password.map(str::to_owned)
    }

    fn confirm(&mut self, question: &str) -> bool {
        self.asked.push(question.to_owned());
        self.agrees
    }

    fn input(&mut self, question: &str, _: &str) -> Option<String> {
        self.asked.push(question.to_owned());
        self.user.map(str::to_owned)
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

fn fetch_as(
    client: &mut Client,
    text: &str,
    credentials: Option<&Credentials>,
    prompt: &mut Answering,
) -> urikit_access::Result<(Response, Buffer)> {
    let reference = Standard::Rfc3986.parse(text).unwrap();
    let mut request = Request::new(reference);
    if let Some(credentials) = credentials {
        request = request.credentials(credentials);
    }
    let mut buffer = Buffer::default();
    let response = client.fetch(&request, prompt, &mut buffer)?;
    Ok((response, buffer))
}

const fn somebody() -> Answering {
    Answering {
        user: Some("tim"),
        password: Some("s3cret"),
        agrees: true,
        asked: Vec::new(),
    }
}

#[test]
fn logging_in() {
    let server = closed();
    let with_user = |user: &str| format!("news://{user}@127.0.0.1:{}/a@b.example", server.port);
    // A login in the URL is sent immediately.
    let text = with_user("tim:s3cret");
    let (response, _) = fetch(&mut client(), &text).unwrap();
    let commands = [
        "CAPABILITIES",
        "AUTHINFO USER tim",
        "AUTHINFO PASS ***",
        "ARTICLE <a@b.example>",
    ];
    assert_eq!(sent(&response.rendered()), commands);
    crate::support::assert_as_planned(&plan(&client(), &text).unwrap(), &response.rendered());
    assert!(!response.rendered().concat().contains("s3cret"));
    fetch(&mut client(), &with_user("open:x")).unwrap();
    // The login may come from the request.
    let credentials = Credentials {
        user: "tim".to_owned(),
        password: "s3cret".to_owned(),
    };
    let text = url(&server, "a@b.example");
    let mut nobody = Answering {
        user: None,
        password: None,
        ..somebody()
    };
    let (response, _) = fetch_as(&mut client(), &text, Some(&credentials), &mut nobody).unwrap();
    assert_eq!(sent(&response.rendered()), commands);
    assert!(nobody.asked.is_empty());
    // The user enters the login when the server requires one.
    let mut prompt = somebody();
    let mut kept = client();
    let (response, buffer) = fetch_as(&mut kept, &text, None, &mut prompt).unwrap();
    assert_eq!(buffer.bytes, b"\r\nx\r\n");
    assert_eq!(
        sent(&response.rendered())[1..],
        [
            "ARTICLE <a@b.example>",
            "AUTHINFO USER tim",
            "AUTHINFO PASS ***",
            "ARTICLE <a@b.example>"
        ]
    );
    assert_eq!(
        prompt.asked,
        [
            "User at 127.0.0.1",
            "password of tim at 127.0.0.1",
            "Send the password to 127.0.0.1 unencrypted?"
        ]
    );
    // A typed login is not reused.
    let error = fails(&mut kept, &text);
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    let (response, _) = fetch_as(&mut client(), &with_user("tim"), None, &mut somebody()).unwrap();
    assert_eq!(sent(&response.rendered()), commands);
    // The server repeats the password in a reply, in an invalid reply, and in a truncated one.
    for answer in [
        "481 wrong: AUTHINFO PASS hunter2 (hunter2)\r\n",
        "381 hunter2\r\n",
        "what is hunter2?\r\n",
        "281 welcome, hunter2\r\n",
        "481 hunter2",
    ] {
        let server = reader(move |line, client| match line {
            "AUTHINFO USER tim" => Some("381 go on\r\n".to_owned()),
            "AUTHINFO PASS hunter2" => {
                client.say(answer);
                answer.ends_with('\n').then(String::new)
            }
            _ => Some("430 none\r\n".to_owned()),
        });
        let port = server.port;
        let error = fails(
            &mut client(),
            &format!("news://tim:hunter2@127.0.0.1:{port}/a@b.example"),
        );
        let told = format!("{error} {error:?} {:?}", error.rendered());
        assert!(!told.contains("hunter2"), "{answer:?}: {told}");
        if let Some(answer) = answer.strip_suffix("\r\n") {
            let masked = format!("< {}", answer.replace("hunter2", "***"));
            assert!(error.rendered().contains(&masked), "{answer:?}: {told}");
        }
    }
}

/// A password is only sent with its user. `user-pass-char` includes the space (RFC 4643, 3.1).
#[test]
fn credentials_with_spaces() {
    let server = scripted(&[
        ("AUTHINFO USER tim b l", "381 go on\r\n"),
        ("AUTHINFO PASS my s3cret ", "281 welcome\r\n"),
        (
            "ARTICLE <a@b.example>",
            "220 0 <a@b.example>\r\n\r\nx\r\n.\r\n",
        ),
    ]);
    let text = format!(
        "news://tim%20b%20l:my%20s3cret%20@127.0.0.1:{}/a@b.example",
        server.port
    );
    let (_, buffer) = fetch(&mut client(), &text).unwrap();
    assert_eq!(buffer.bytes, b"\r\nx\r\n");
    for control in ["%0D%0AQUIT", "%00", "%09"] {
        let text = format!(
            "news://tim{control}:x@127.0.0.1:{}/a@b.example",
            server.port
        );
        assert_eq!(fails(&mut client(), &text).class(), Class::Invalid);
    }
}

#[test]
fn the_password_of_the_request_is_for_its_own_user() {
    let server = reader(|line, _| {
        let answer = match line.split_at_checked(13) {
            Some(("AUTHINFO USER", _)) => "381 go on\r\n",
            Some(("AUTHINFO PASS", _)) => "281 in\r\n",
            _ => "430 none\r\n",
        };
        Some(answer.to_owned())
    });
    let credentials = Credentials {
        user: "tim".to_owned(),
        password: "s3cret".to_owned(),
    };
    let users = [
        ("tim", true),
        ("t%69m", true),
        ("alice", false),
        ("ti", false),
    ];
    for (user, is_same) in users {
        let nntp = format!("nntp://{user}@127.0.0.1:{}/g/1", server.port);
        let news = format!("news://{user}@127.0.0.1:{}/a@b.example", server.port);
        for text in [news, nntp] {
            let mut nobody = Answering {
                password: None,
                ..somebody()
            };
            let before = server.log().len();
            let fetched = fetch_as(&mut client(), &text, Some(&credentials), &mut nobody);
            let log = server.log().split_off(before);
            let names = |line: &String| line.starts_with("AUTHINFO USER");
            let user = user.replace("%69", "i");
            assert_eq!(
                log.iter().find(|line| names(line)),
                Some(&format!("AUTHINFO USER {user}")),
                "{text}: {fetched:?}"
            );
            let is_sent = log.iter().any(|line| line.contains("s3cret"));
            assert_eq!(is_sent, is_same, "{text}: {log:?}");
            // The user is asked for the password of another login.
            assert_eq!(nobody.asked.is_empty(), is_same, "{text}");
        }
    }
}

#[test]
fn no_login() {
    let server = closed();
    let text = url(&server, "a@b.example");
    let error = fails(&mut client(), &text);
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    assert!(error.to_string().contains("480 log in"), "{error}");
    let before = server.log().len();
    let mut prompt = Answering {
        agrees: false,
        ..somebody()
    };
    let error = fetch_as(&mut client(), &text, None, &mut prompt).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::NoConsent)),
        "{error}"
    );
    assert!(
        !server.log()[before..]
            .iter()
            .any(|line| line.contains("PASS"))
    );
    let wrong = format!("news://tim:wrong@127.0.0.1:{}/a@b.example", server.port);
    let error = fails(&mut client(), &wrong);
    assert!(error.kind().is_denial(), "{error}");
    assert_eq!(
        error.to_string(),
        "logging in: the server requires a valid login; sent \"AUTHINFO PASS ***\"; \
         received \"481 no\""
    );
    // A server that requires another login after a successful login.
    let server = reader(|line, _| {
        Some(
            if line.starts_with("AUTHINFO") {
                "281 in\r\n"
            } else {
                "480 log in\r\n"
            }
            .to_owned(),
        )
    });
    let error = fails(
        &mut client(),
        &format!("news://u:p@127.0.0.1:{}/g", server.port),
    );
    assert!(error.kind().is_denial(), "{error}");
    let mut prompt = somebody();
    let error = fetch_as(&mut client(), &url(&server, "g"), None, &mut prompt).unwrap_err();
    assert!(error.kind().is_denial(), "{error}");
}

#[test]
fn connections_of_users_are_not_shared() {
    let server = closed();
    let mut client = client();
    let at = |user: &str| format!("news://{user}127.0.0.1:{}/a@b.example", server.port);
    fetch(&mut client, &at("tim:s3cret@")).unwrap();
    fetch(&mut client, &at("tim:s3cret@")).unwrap();
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|line| *line == "CAPABILITIES")
            .count(),
        1
    );
    assert!(matches!(
        fails(&mut client, &at("")).kind(),
        ErrorKind::NoPassword
    ));
    let error = fails(&mut client, &at("tim:x@"));
    assert!(error.kind().is_denial(), "{error}");
}

#[test]
fn nothing_is_sent_in_plain_text_if_tls_is_required() {
    let heard = Arc::new(AtomicBool::new(false));
    let to = Arc::clone(&heard);
    let server = Scripted::start(move |client| {
        client.say("200 hello\r\n");
        let first = client.bytes(1);
        // 22: a handshake record (RFC 8446, 5.1).
        to.store(first == [22], Ordering::SeqCst);
    });
    let url = format!("snews://u:p@127.0.0.1:{}/g", server.port);
    let error = fails(&mut client(), &url);
    assert!(
        error.to_string().starts_with("securing 127.0.0.1 by TLS"),
        "{error}"
    );
    assert!(sent(&error.rendered()).is_empty());
    std::thread::sleep(Duration::from_millis(100));
    assert!(heard.load(Ordering::SeqCst));
}
