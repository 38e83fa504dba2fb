//! Repeated Digest challenges (RFC 7616, 3.3).

use super::asked::with;
use super::upload::storing;
use super::{request, url};
use crate::support::Rendered as _;
use crate::support::fetch_with;
use urikit::Standard;
use urikit_access::protocol::HttpProtocol;
use urikit_access::{Buffer, Credentials, NoPrompt, Upload};
use urikit_testkit::servers::Scripted;

fn credentials() -> &'static Credentials {
    Box::leak(Box::new(Credentials {
        user: "tim".to_owned(),
        password: "hunter2".to_owned(),
    }))
}

/// Returns the nonce of the answer to a challenge in a request, which contains at most one answer.
fn nonce(lines: &[String]) -> Option<&str> {
    let mut answers = lines
        .iter()
        .filter_map(|line| line.strip_prefix("Authorization: Digest "));
    let answer = answers.next()?;
    assert_eq!(answers.next(), None, "{lines:?}");
    let (_, nonce) = answer.split_once(" nonce=\"").unwrap();
    nonce.split('"').next()
}

/// Starts a server that accepts only the nonce with the number `last`. The server's challenges mark
/// each earlier nonce with `says`, for example as stale.
fn stale(says: &'static str, last: usize) -> Scripted {
    Scripted::start(move |client| {
        let mut count = 0;
        while let Some(lines) = request(client) {
            let accepted = format!("n{last}");
            if nonce(&lines) == Some(&accepted) {
                client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
                continue;
            }
            count += 1;
            let says = if nonce(&lines).is_some() { says } else { "" };
            client.say(format!(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"a\", qop=\"auth\", \
                 nonce=\"n{count}\"{says}\r\nContent-Length: 2\r\n\r\nno"
            ));
        }
    })
}

/// Returns the number of requests so far.
fn requests(server: &Scripted) -> usize {
    let log = server.log();
    log.iter()
        .filter(|line| line.ends_with(" HTTP/1.1"))
        .count()
}

/// A stale nonce is replaced with the new one, but only once, because a server may send stale
/// challenges forever.
#[test]
fn a_stale_nonce_is_replaced_once() {
    for (says, last, count, is_in) in [
        ("", 1, 2, true),
        (", stale=true", 2, 3, true),
        (", stale=TRUE", 2, 3, true),
        (", stale=\"true\"", 2, 3, true),
        (", stale=true", 3, 3, false),
        (", stale=true", 1000, 3, false),
        // The login itself is wrong.
        ("", 2, 2, false),
        (", stale=false", 2, 2, false),
        (", stale=maybe", 2, 2, false),
    ] {
        let server = stale(says, last);
        let mut client = with(HttpProtocol::new().digest(true));
        let fetched = fetch_with(&mut client, &url(&server, "/"), |it| {
            it.credentials(credentials())
        });
        assert_eq!(requests(&server), count, "{says} {last}");
        match fetched {
            Ok((response, buffer)) => {
                assert!(is_in, "{says} {last}");
                assert_eq!(buffer.bytes, b"hello");
                let shown = response.rendered();
                assert!(!format!("{shown:?}").contains("tim"), "{shown:?}");
            }
            Err(error) => {
                assert!(!is_in, "{says} {last}: {error}");
                assert!(error.kind().is_denial(), "{error}");
                assert!(error.to_string().contains("401"), "{error}");
            }
        }
    }
}

/// The body is sent again with each answer to a challenge.
#[test]
fn a_stale_nonce_is_replaced_when_something_is_sent() {
    const FIRST: &str = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", \
        nonce=\"n1\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n";
    const STALE: &str = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", \
        nonce=\"n2\", qop=\"auth\", stale=true\r\nContent-Length: 0\r\n\r\n";
    const CREATED: &str = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
    for (answers, is_in) in [
        (&[FIRST, STALE, CREATED][..], true),
        (&[FIRST, STALE, STALE, CREATED], false),
    ] {
        let (server, requests) = storing(answers);
        let to = url(&server, "/a");
        let mut upload = Upload::new(Standard::Rfc3986.parse(&to).unwrap());
        upload.request.credentials = Some(credentials());
        let client = with(HttpProtocol::new().digest(true));
        let mut source = &b"hello"[..];
        let sent = client.upload(&upload, &mut NoPrompt, &mut source, &mut Buffer::default());
        assert_eq!(sent.is_ok(), is_in, "{sent:?}");
        let requests = requests.lock().unwrap();
        let sent: Vec<_> = requests
            .iter()
            .map(|(head, body)| (nonce(head), &body[..]))
            .collect();
        let body = &b"hello"[..];
        assert_eq!(sent, [(None, body), (Some("n1"), body), (Some("n2"), body)]);
    }
}

/// If the version has changed, the second request, for the complete body, also needs the login.
#[test]
fn each_request_of_an_access_is_answered() {
    let server = Scripted::start(|client| {
        while let Some(lines) = request(client) {
            let is_part = lines.iter().any(|line| line.starts_with("Range: "));
            client.say(match nonce(&lines) {
                None => {
                    "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"a\", qop=\"auth\", \
                     nonce=\"n\"\r\nContent-Length: 0\r\n\r\n"
                }
                Some(_) if is_part => {
                    "HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n"
                }
                Some(_) => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            });
        }
    });
    let mut client = with(HttpProtocol::new().digest(true));
    let (_, buffer) = fetch_with(&mut client, &url(&server, "/"), |it| {
        it.credentials(credentials()).resume_version(9, "\"1\"")
    })
    .unwrap();
    assert_eq!(buffer.bytes, b"hello");
}
