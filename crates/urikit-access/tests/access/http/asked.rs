//! Settings of requests: fields, methods, data, cookies, codings, ranges and logins.

use super::{pages, request, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy};
use std::time::{Duration, Instant};
use urikit_access::policy::Refusal;
use urikit_access::protocol::HttpProtocol;
use urikit_access::protocol::http::Cookies;
use urikit_access::{ByteRange, Client, Credentials, ErrorKind, Wanted};
use urikit_testkit::servers::Scripted;

const EMPTY: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

pub(super) fn with(http: HttpProtocol) -> Client {
    Client::new(policy()).protocol(http)
}

/// Starts a server that reads a body with `Content-Length`, and responds with what it received.
/// `/N` redirects to `to` with status N.
fn echo(to: &'static str) -> Scripted {
    Scripted::start(move |client| {
        while let Some(lines) = request(client) {
            let length = lines
                .iter()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            let data = client.bytes(length);
            let target = lines[0].split(' ').nth(1).unwrap();
            let status = target.trim_start_matches('/').to_owned();
            if status.parse::<u16>().is_ok() {
                client.say(format!(
                    "HTTP/1.1 {status} To\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
                ));
                continue;
            }
            let text = format!("{} {}", lines[0], String::from_utf8_lossy(&data));
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}",
                text.len()
            ));
        }
    })
}

#[test]
fn fields_replace_the_defaults_and_secrets_are_masked() {
    let server = server(EMPTY);
    let http = HttpProtocol::new()
        .field("x-CASE", "a b")
        .and_then(|http| http.field("accept", "text/html"))
        .and_then(|http| http.field("Authorization", "Bearer hunter22"))
        .and_then(|http| http.field("Empty", ""))
        .and_then(|http| http.without_field("User-Agent"))
        .unwrap();
    let from = url(&server, "/");
    let mut client = with(http);
    let (response, _) = fetch(&mut client, &from).unwrap();
    let log = server.log();
    let expected = [
        "Accept-Encoding: identity",
        "x-CASE: a b",
        "accept: text/html",
        "Authorization: Bearer hunter22",
        "Empty: ",
        "",
    ];
    assert_eq!(log[2..], expected);
    let planned = plan(&client, &from).unwrap();
    assert_as_planned(&planned, &response.rendered());
    assert!(
        planned.to_string().contains("\"Authorization: ***\""),
        "{planned}"
    );
    for name in [
        "Content-Length",
        "transfer-encoding",
        "Connection",
        "a b",
        "",
        "a:",
    ] {
        assert!(HttpProtocol::new().field(name, "5").is_err(), "{name}");
    }
    assert!(HttpProtocol::new().field("a", "b\r\nc: d").is_err());
}

#[test]
fn secret_fields_stay_with_their_origin() {
    let other = server(EMPTY);
    let location = format!("http://localhost:{}/there", other.port);
    let first = server(format!(
        "HTTP/1.1 302 F\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
    ));
    let http = HttpProtocol::new().field("X-Api-Key", "hunter2").unwrap();
    let http = http.field("Accept-Language", "de").unwrap();
    fetch(&mut with(http), &url(&first, "/")).unwrap();
    assert!(first.log().contains(&"X-Api-Key: hunter2".to_owned()));
    assert!(!other.log().iter().any(|line| line.contains("hunter2")));
    assert!(other.log().contains(&"Accept-Language: de".to_owned()));
}

#[test]
fn data_is_sent_and_redirects_change_the_method() {
    let server = echo("/x");
    let post = || HttpProtocol::new().data("a=b&c");
    let put = || post().method("PUT").unwrap();
    for (http, path, answer) in [
        (post(), "/x", "POST /x HTTP/1.1 a=b&c"),
        (put(), "/x", "PUT /x HTTP/1.1 a=b&c"),
        (post(), "/301", "GET /x HTTP/1.1 "),
        (post(), "/302", "GET /x HTTP/1.1 "),
        (post(), "/303", "GET /x HTTP/1.1 "),
        (post(), "/307", "POST /x HTTP/1.1 a=b&c"),
        (post(), "/308", "POST /x HTTP/1.1 a=b&c"),
        (put(), "/302", "PUT /x HTTP/1.1 a=b&c"),
        (put(), "/303", "GET /x HTTP/1.1 "),
    ] {
        let mut client = with(http);
        let from = url(&server, path);
        let (response, buffer) = fetch(&mut client, &from).unwrap();
        assert_eq!(String::from_utf8_lossy(&buffer.bytes), answer, "{path}");
        if path == "/x" {
            let planned = plan(&client, &from).unwrap();
            assert_as_planned(&planned, &response.rendered());
            let planned = planned.to_string();
            assert!(planned.contains("Content-Type: application/x-www-form-urlencoded"));
            assert!(
                planned.contains("sends the data, whose length in bytes is \"5\""),
                "{planned}"
            );
        }
    }
    let large = "x".repeat(5_000_000);
    let (_, buffer) = fetch(
        &mut with(HttpProtocol::new().data(large)),
        &url(&server, "/x"),
    )
    .unwrap();
    assert_eq!(buffer.bytes.len(), "POST /x HTTP/1.1 ".len() + 5_000_000);
    for name in ["CONNECT", "HEAD", "A B", "", "GET\r\nX: y"] {
        assert!(HttpProtocol::new().method(name).is_err(), "{name}");
    }
}

#[test]
fn data_is_not_sent_again_to_another_server() {
    let other = server(EMPTY);
    let location = format!("http://127.0.0.1:{}/", other.port);
    let first = echo(Box::leak(location.into_boxed_str()));
    let error = fails(
        &mut with(HttpProtocol::new().data("secret")),
        &url(&first, "/307"),
    );
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    assert!(other.log().is_empty());
    fetch(
        &mut with(HttpProtocol::new().data("secret")),
        &url(&first, "/303"),
    )
    .unwrap();
    assert!(other.log()[0].starts_with("GET / "));
}

/// With a cookie store, a redirect that sets a cookie and leads back to the same URL does not loop.
/// Other servers do not receive the cookie.
#[test]
fn cookies_are_sent_again() {
    let server = Scripted::start(|client| {
        while let Some(lines) = request(client) {
            let has = lines
                .iter()
                .any(|line| line.starts_with("Cookie: ") && line.contains("id=31d4d96e"));
            client.say(if has {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            } else {
                "HTTP/1.1 302 F\r\nLocation: /\r\nSet-Cookie: id=31d4d96e; Path=/; HttpOnly\r\n\
                 Set-Cookie: no=x; Domain=com\r\nContent-Length: 0\r\n\r\n"
            });
        }
    });
    let error = fails(&mut client(), &url(&server, "/"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::RedirectLoop { .. })
        ),
        "{error}"
    );
    let cookies = Cookies::new();
    cookies.give("a=b; c=d");
    let mut client = with(HttpProtocol::new().cookies(cookies.clone()));
    let from = url(&server, "/");
    let (response, buffer) = fetch(&mut client, &from).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert!(
        server
            .log()
            .contains(&"Cookie: a=b; c=d; id=31d4d96e".to_owned()),
        "{:?}",
        server.log()
    );
    let shown = format!(
        "{:?} {}",
        response.rendered(),
        plan(&client, &from).unwrap()
    );
    assert!(
        shown.contains("Set-Cookie: id=***; Path=/; HttpOnly") && !shown.contains("31d4d96e"),
        "{shown}"
    );
    assert!(
        cookies
            .to_netscape()
            .contains("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t31d4d96e")
    );
    let other = super::server(EMPTY);
    fetch(&mut client, &format!("http://localhost:{}/", other.port)).unwrap();
    assert!(!other.log().iter().any(|line| line.contains("31d4d96e")));
}

#[test]
fn a_part_of_a_body_is_fetched() {
    let part = |range: &'static str, answer: &'static str| {
        let server = server(answer);
        let range: ByteRange = range.parse().unwrap();
        let fetched = fetch_with(&mut client(), &url(&server, "/"), |it| it.range(range));
        assert!(
            server.log().contains(&format!("Range: bytes={range}")),
            "{:?}",
            server.log()
        );
        fetched.map(|(response, buffer)| (response.metadata.size, buffer.bytes))
    };
    let some = "HTTP/1.1 206 P\r\nContent-Range: bytes 1-3/5\r\nContent-Length: 3\r\n\r\nell";
    assert_eq!(part("1-3", some).unwrap(), (Some(3), b"ell".to_vec()));
    let end = "HTTP/1.1 206 P\r\nContent-Range: bytes 3-4/5\r\nContent-Length: 2\r\n\r\nlo";
    for range in ["3-4", "3-", "3-100", "-2"] {
        assert_eq!(
            part(range, end).unwrap(),
            (Some(2), b"lo".to_vec()),
            "{range}"
        );
    }
    for range in ["0-3", "1-2", "1-4", "1-", "-3"] {
        assert!(part(range, some).is_err(), "{range}");
    }
    let all = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    assert!(matches!(
        part("1-3", all).unwrap_err().kind(),
        ErrorKind::NoRanges
    ));
    let error = fetch_with(&mut client(), "data:,a", |it| it.range(ByteRange::Last(1)));
    assert!(matches!(
        error.unwrap_err().kind(),
        ErrorKind::Unsupported(_)
    ));
}

/// After a 416 without a size, the client asks the server for the size.
#[test]
fn a_refused_rest_is_complete_if_the_size_is_the_same() {
    for (size, is_complete) in [(5, true), (6, false)] {
        let server = Scripted::start(move |client| {
            while let Some(lines) = request(client) {
                client.say(if lines[0].starts_with("HEAD") {
                    format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n")
                } else {
                    "HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n".to_owned()
                });
            }
        });
        let fetched = fetch_with(&mut client(), &url(&server, "/"), |it| it.resume(5));
        assert_eq!(fetched.is_ok(), is_complete);
    }
}

/// Only a login in the caller's URL is sent, and never to another origin (RFC 9110, 4.2.4).
#[test]
fn the_login_of_a_url_is_sent_with_a_warning() {
    let server = pages(&[
        (
            "/a",
            "HTTP/1.1 302 F\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
        ),
        ("/b", EMPTY),
    ]);
    let from = format!("http://Aladdin:open%20sesame@127.0.0.1:{}/a", server.port);
    let (response, _) = fetch(&mut client(), &from).unwrap();
    let field = "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="; // RFC 7617, 2
    assert_eq!(server.log().iter().filter(|line| *line == field).count(), 2);
    let shown = format!(
        "{:?} {}",
        response.rendered(),
        plan(&client(), &from).unwrap()
    );
    assert!(
        shown.contains("deprecated") && !shown.contains("sesame"),
        "{shown}"
    );
    let there = format!("http://u:hunter2@127.0.0.1:{}/b", server.port);
    let first = super::server(format!(
        "HTTP/1.1 302 F\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n"
    ));
    let error = fails(&mut client(), &url(&first, "/"));
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Credentials)),
        "{error}"
    );
}

#[test]
fn a_digest_challenge_is_answered() {
    let server = Scripted::start(|client| {
        while let Some(lines) = request(client) {
            let answer = lines
                .iter()
                .find(|line| line.starts_with("Authorization: Digest "));
            client.say(match answer {
                Some(answer) if answer.contains("username=\"tim\"") => {
                    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
                }
                _ => {
                    "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nWWW-Authenticate: \
                     Digest realm=\"a\", qop=\"auth\", nonce=\"b\", algorithm=SHA-256\r\n\
                     Content-Length: 2\r\n\r\nno"
                }
            });
        }
    });
    let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
        user: "tim".to_owned(),
        password: "hunter2".to_owned(),
    }));
    let mut client = with(HttpProtocol::new().digest(true));
    let (response, buffer) = fetch_with(&mut client, &url(&server, "/"), |it| {
        it.credentials(credentials)
    })
    .unwrap();
    assert_eq!(buffer.bytes, b"hello");
    let shown = response.rendered();
    assert!(
        shown.contains(&"> Authorization: Digest ***".to_owned()),
        "{shown:?}"
    );
    assert!(
        !server
            .log()
            .iter()
            .any(|line| line.contains("Basic") || line.contains("hunter2"))
    );
}

#[test]
fn busy_servers_are_transient_errors() {
    for (line, is_transient, after) in [
        (
            "503 Busy\r\nRetry-After: 7",
            true,
            Some(Duration::from_secs(7)),
        ),
        (
            "503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT",
            true,
            Some(Duration::ZERO),
        ),
        ("429 Too Many\r\nRetry-After: soon", true, None),
        ("408 Timeout", true, None),
        ("404 Not Found\r\nRetry-After: 7", false, None),
        ("501 Not Implemented", false, None),
    ] {
        let server = server(format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n"));
        let error = fails(&mut client(), &url(&server, "/"));
        assert_eq!(
            (error.is_transient(), error.retry_after()),
            (is_transient, after),
            "{line}"
        );
    }
}

/// An endless body that arrives too slowly is an error, even without a time limit.
#[test]
fn an_endless_drip_ends() {
    for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA: "] {
        let server = Scripted::start(move |client| {
            request(client);
            client.say(head);
            client.drip("a", Duration::from_millis(50));
        });
        let policy = policy()
            .total_timeout(Duration::MAX)
            .idle_timeout(Duration::from_millis(400))
            .min_rate(100, Duration::from_secs(1));
        let begun = Instant::now();
        let error = fails(&mut Client::new(policy), &url(&server, "/"));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

/// A program may fetch inside its own runtime.
#[test]
fn a_runtime_of_the_caller_does_no_harm() {
    let server = server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    let from = url(&server, "/");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let bytes = runtime.block_on(async move {
        let mut client = client();
        fetch_with(&mut client, &from, |it| it.wanted(Wanted::Body))
            .unwrap()
            .1
            .bytes
    });
    assert_eq!(bytes, b"hello");
}
