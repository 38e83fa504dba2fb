//! Bodies of `PUT` and `POST`.

use super::{gateways, request, server, url};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, policy};
use std::io::{self, Read};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use urikit::Standard;
use urikit_access::protocol::HttpProtocol;
use urikit_access::{
    Buffer, Class, Client, Credentials, Error, ErrorKind, Mode, NoPrompt, Proxies, Upload, Uploaded,
};
use urikit_testkit::servers::{Conversation, Scripted};

const CREATED: &str = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nmade";

/// Uploads `source`, and compares the lines that were sent with the plan.
pub(super) fn send(
    client: &mut Client,
    to: &str,
    source: &mut dyn Read,
    more: impl Fn(Upload<'_>) -> Upload<'_>,
) -> Result<(Uploaded, Vec<u8>), Error> {
    let upload = more(Upload::new(Standard::Rfc3986.parse(to).unwrap()));
    let plan = client.plan_upload(&upload);
    let mut buffer = Buffer::default();
    let sent = client.upload(&upload, &mut NoPrompt, source, &mut buffer)?;
    assert_as_planned(&plan.unwrap(), &sent.rendered());
    Ok((sent, buffer.bytes))
}

/// Reads the body of a request: by its length, or in chunks.
fn body(client: &mut Conversation, head: &[String]) -> Vec<u8> {
    let length = head
        .iter()
        .find_map(|line| line.strip_prefix("Content-Length: "));
    if let Some(length) = length {
        return client.bytes(length.parse().unwrap());
    }
    assert!(head.contains(&"Transfer-Encoding: chunked".to_owned()));
    let mut all = Vec::new();
    loop {
        let size = client.line().unwrap();
        let size = u64::from_str_radix(&size, 16).unwrap();
        all.extend(client.bytes(size));
        assert_eq!(client.line().unwrap(), "");
        if size == 0 {
            return all;
        }
    }
}

pub(super) type Requests = Arc<Mutex<Vec<(Vec<String>, Vec<u8>)>>>;

/// Starts a server that stores each request, and sends these responses in turn, repeating the last
/// one.
pub(super) fn storing(answers: &'static [&'static str]) -> (Scripted, Requests) {
    let requests = Requests::default();
    let to = Arc::clone(&requests);
    let server = Scripted::start(move |client| {
        while let Some(head) = request(client) {
            let body = body(client, &head);
            let mut requests = to.lock().unwrap();
            let answer = answers[requests.len().min(answers.len() - 1)];
            requests.push((head, body));
            drop(requests);
            client.say(answer);
        }
    });
    (server, requests)
}

#[test]
fn a_body_of_known_size_is_put() {
    let (server, requests) = storing(&[CREATED]);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    let (sent, reply) = send(
        &mut client(),
        &url(&server, "/a?b#c"),
        &mut &b"hello"[..],
        |it| it.size(Some(5)).media_type("text/plain"),
    )
    .unwrap();
    assert_eq!((sent.sent, sent.offset, &*reply), (5, 0, &b"made"[..]));
    let expected = [
        "PUT /a?b HTTP/1.1",
        host.as_str(),
        concat!("User-Agent: urikit/", env!("CARGO_PKG_VERSION")),
        "Accept: */*",
        "Accept-Encoding: identity",
        "Content-Type: text/plain",
        "Content-Length: 5",
    ];
    let requests = requests.lock().unwrap();
    assert_eq!(
        requests[0],
        (expected.map(str::to_owned).to_vec(), b"hello".to_vec())
    );
}

#[test]
fn methods_and_fields_are_those_of_the_caller() {
    let (server, requests) = storing(&[CREATED]);
    let to = url(&server, "/a");
    for (http, mode, method) in [
        (HttpProtocol::new(), Mode::Post, "POST"),
        (
            HttpProtocol::new().method("POST").unwrap(),
            Mode::Replace,
            "POST",
        ),
        (
            HttpProtocol::new().method("PATCH").unwrap(),
            Mode::Replace,
            "PATCH",
        ),
        (HttpProtocol::new().data("ignored"), Mode::Replace, "PUT"),
    ] {
        let http = http.field("Content-Type", "a/b").unwrap();
        let mut client = client().protocol(http);
        send(&mut client, &to, &mut &b"x"[..], |it| {
            it.mode(mode).media_type("c/d").size(Some(1))
        })
        .unwrap();
        let (head, body) = requests.lock().unwrap().pop().unwrap();
        assert_eq!(
            (&*head[0], &*body),
            (&*format!("{method} /a HTTP/1.1"), &b"x"[..])
        );
        let types: Vec<_> = head
            .iter()
            .filter(|line| line.starts_with("Content-T"))
            .collect();
        assert_eq!(types, ["Content-Type: a/b"]);
    }
}

/// A body of unknown size is sent in chunks. An empty body of known size is sent with a length.
#[test]
fn sizes() {
    let (server, requests) = storing(&[CREATED]);
    let to = url(&server, "/a");
    let large: Vec<u8> = (0..=255).cycle().take(3_000_000).collect();
    for (content, size) in [
        (&large[..], None),
        (&large, Some(3_000_000)),
        (b"", None),
        (b"", Some(0)),
    ] {
        let mut source = content;
        let (sent, _) = send(&mut client(), &to, &mut source, |it| it.size(size)).unwrap();
        assert_eq!(usize::try_from(sent.sent).unwrap(), content.len());
        let (head, body) = requests.lock().unwrap().pop().unwrap();
        assert!(body == content, "{head:?}");
        let is_chunked = head.contains(&"Transfer-Encoding: chunked".to_owned());
        assert_eq!(is_chunked, size.is_none(), "{head:?}");
    }
}

/// A file that changes while it is sent is an error, and no complete body reaches the server.
#[test]
fn a_body_of_another_size_is_an_error() {
    for (content, size) in [(&b"hello"[..], 4), (b"hello", 6), (b"x", 0)] {
        let (server, requests) = storing(&[CREATED]);
        let mut source = content;
        let error = send(&mut client(), &url(&server, "/a"), &mut source, |it| {
            it.size(Some(size))
        })
        .unwrap_err();
        assert!(error.to_string().contains("has changed"), "{error}");
        assert_eq!(error.class(), Class::Local, "{error}");
        drop(server);
        let complete = requests
            .lock()
            .unwrap()
            .iter()
            .any(|(_, body)| body.len() as u64 == size);
        assert!(!complete, "{size}");
    }
}

/// If the source fails, the final chunk is not sent.
#[test]
fn a_source_that_fails_sends_no_end() {
    struct Fails(usize);
    impl Read for Fails {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::Other)?;
            to.fill(b'x');
            Ok(to.len())
        }
    }
    let ended = Arc::new(Mutex::new(None));
    let to = Arc::clone(&ended);
    let server = Scripted::start(move |client| {
        request(client).unwrap();
        let mut last = String::new();
        while let Some(line) = client.line() {
            last = line;
        }
        *to.lock().unwrap() = Some(last);
    });
    let error = send(&mut client(), &url(&server, "/a"), &mut Fails(20), |it| it).unwrap_err();
    assert_eq!(error.class(), Class::Local, "{error}");
    // The server may notice the end of the connection later.
    let last = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        ended.lock().unwrap().take()
    });
    // The last chunk has the size 0, and an empty line follows it.
    let last = last.unwrap();
    assert!(last != "0" && !last.is_empty(), "{last}");
}

/// An endless source that counts the bytes read from it.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0 += to.len() as u64;
        Ok(to.len())
    }
}

/// If the server refuses early, sending stops, and an endless body is no longer read. The error
/// quotes the server's response, even if the server closed the connection after it.
#[test]
fn an_early_refusal_ends_the_sending() {
    for _ in 0..20 {
        let server = server("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n");
        let mut source = Endless(0);
        let error = send(&mut client(), &url(&server, "/a"), &mut source, |it| it).unwrap_err();
        assert!(
            error.to_string().contains("413 Content Too Large"),
            "{error}"
        );
        assert!(source.0 < 100 << 20, "{}", source.0);
    }
}

/// It is an error if the server closes the connection without a response, or sends a success before
/// the end of the body and then closes the connection.
#[test]
fn a_connection_that_ends_is_an_error() {
    for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"] {
        let server = server(answer);
        let error = send(&mut client(), &url(&server, "/a"), &mut Endless(0), |it| it).unwrap_err();
        assert_eq!(error.class(), Class::Failed, "{answer:?}: {error}");
    }
}

/// The policy limits the size of uploads, and the time to wait for a server that does not read.
#[test]
fn limits() {
    let (server, _) = storing(&[CREATED]);
    let mut small = Client::new(policy().max_bytes(10));
    let error = send(
        &mut small,
        &url(&server, "/a"),
        &mut io::repeat(b'x'),
        |it| it,
    );
    assert_eq!(error.unwrap_err().class(), Class::Refused);
    let hanging = Scripted::start(Conversation::hang);
    let mut source = io::repeat(b'x');
    // The total timeout passes before the body reaches the maximum size that the policy allows.
    let mut client = Client::new(policy().total_timeout(Duration::from_millis(500)));
    let error = send(&mut client, &url(&hanging, "/a"), &mut source, |it| it).unwrap_err();
    let is_late = match error.kind() {
        ErrorKind::Timeout(_) => true,
        ErrorKind::Network(error) => error.kind() == io::ErrorKind::TimedOut,
        _ => false,
    };
    assert!(is_late, "{error}");
    let mut closed = Client::new(urikit_access::Policy::permissive());
    let error = send(&mut closed, &url(&server, "/a"), &mut &b""[..], |it| it).unwrap_err();
    assert_eq!(error.class(), Class::Refused, "{error}");
}

#[test]
fn a_redirect_is_not_followed() {
    for status in ["301 Moved", "303 See Other", "307 Temporary Redirect"] {
        let answer = format!("HTTP/1.1 {status}\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
        let server = server(answer);
        let error = send(&mut client(), &url(&server, "/a"), &mut &b""[..], |it| {
            it.size(Some(0))
        })
        .unwrap_err();
        assert!(
            error.to_string().contains(&format!("{status}, to /b")),
            "{error}"
        );
        let starts = |line: &&String| line.ends_with(" HTTP/1.1");
        assert_eq!(server.log().iter().filter(starts).count(), 1);
    }
}

/// Operations that HTTP does not support are refused before connecting.
#[test]
fn what_http_cannot_do_is_refused() {
    let server = Scripted::start(Conversation::hang);
    let to = url(&server, "/a");
    let more: [fn(Upload<'_>) -> Upload<'_>; 3] = [
        |it| it.mode(Mode::Append),
        |it| it.resume(true),
        |it| it.via_temporary(true),
    ];
    for more in more {
        let error = send(&mut client(), &to, &mut &b""[..], more).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
        let reference = Standard::Rfc3986.parse(&to).unwrap();
        assert!(client().plan_upload(&more(Upload::new(reference))).is_err());
    }
    let mut gated = client().registry(gateways(&["http=proxy:http://127.0.0.1:1/".to_owned()]));
    let error = send(&mut gated, &to, &mut &b""[..], |it| it).unwrap_err();
    assert!(error.to_string().contains("gateway"), "{error}");
    assert!(server.log().is_empty());
}

fn credentials() -> &'static Credentials {
    Box::leak(Box::new(Credentials {
        user: "Mufasa".to_owned(),
        password: "Circle of Life".to_owned(),
    }))
}

/// Cookies and logins, including those in URLs, are sent and masked as in a fetch.
#[test]
fn logins_are_sent_and_masked() {
    let (server, requests) = storing(&[CREATED]);
    let to = url(&server, "/a");
    let mut upload = Upload::new(Standard::Rfc3986.parse(&to).unwrap());
    upload.request.credentials = Some(credentials());
    let plan = client().plan_upload(&upload).unwrap().to_string();
    assert!(
        plan.contains("send     \"Authorization: Basic ***\"\n"),
        "{plan}"
    );
    let steps = client()
        .upload(
            &upload,
            &mut NoPrompt,
            &mut &b"x"[..],
            &mut Buffer::default(),
        )
        .unwrap()
        .rendered();
    assert_as_planned(&client().plan_upload(&upload).unwrap(), &steps);
    let field = "Authorization: Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl".to_owned();
    assert!(requests.lock().unwrap()[0].0.contains(&field));
    let from_url = to.replace("//", "//u:hunter2@");
    let (sent, _) = send(&mut client(), &from_url, &mut &b"x"[..], |it| it).unwrap();
    assert!(!format!("{steps:?}{:?}", sent.rendered()).contains("hunter2"));
    let field = "Authorization: Basic dTpodW50ZXIy".to_owned();
    assert!(requests.lock().unwrap()[1].0.contains(&field));
}

/// The body is sent again with the answer to a Digest challenge.
#[test]
fn a_digest_challenge_is_answered() {
    const CHALLENGE: &str = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", \
        nonce=\"n\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n";
    let (server, requests) = storing(&[CHALLENGE, CREATED]);
    let to = url(&server, "/a");
    let upload = |size| {
        let mut upload = Upload::new(Standard::Rfc3986.parse(&to).unwrap()).size(size);
        upload.request.credentials = Some(credentials());
        upload
    };
    let client = client().protocol(HttpProtocol::new().digest(true));
    let mut source = &b"hello"[..];
    client
        .upload(
            &upload(None),
            &mut NoPrompt,
            &mut source,
            &mut Buffer::default(),
        )
        .unwrap();
    let requests = requests.lock().unwrap();
    assert_eq!(requests.len(), 2);
    let is_answer = |line: &String| line.starts_with("Authorization: Digest username=\"Mufasa\"");
    for (at, (head, body)) in requests.iter().enumerate() {
        assert_eq!(
            (&**body, head.iter().any(is_answer)),
            (&b"hello"[..], at == 1)
        );
    }
    drop(requests);
    let large = 16 << 20;
    for size in [None, Some(large + 1)] {
        let mut source = io::repeat(b'x').take(large + 1);
        let error = client
            .upload(
                &upload(size),
                &mut NoPrompt,
                &mut source,
                &mut Buffer::default(),
            )
            .unwrap_err();
        assert!(error.to_string().contains("at most 16 MiB"), "{error}");
    }
}

/// A proxy receives the complete URI.
#[test]
fn a_proxy_gets_the_complete_uri() {
    let (proxy, requests) = storing(&[CREATED]);
    let at = format!("tim:hunter2@127.0.0.1:{}", proxy.port)
        .parse()
        .unwrap();
    let mut client = Client::new(policy()).proxies(Proxies::new().all(at));
    let (sent, _) = send(&mut client, "http://name.example/a", &mut &b"x"[..], |it| {
        it
    })
    .unwrap();
    let requests = requests.lock().unwrap();
    assert_eq!(requests[0].0[0], "PUT http://name.example/a HTTP/1.1");
    assert!(!format!("{:?}", sent.rendered()).contains("hunter2"));
}

/// After a request that was not sent completely, the connection is not reused, because the server
/// would interpret the next request as the rest of the body.
#[test]
fn an_unfinished_request_ends_its_connection() {
    const CHALLENGE: &str = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", \
        nonce=\"n\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n";
    let heads = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&heads);
    let server = Scripted::start(move |client| {
        let head = request(client).unwrap();
        let is_answer = |line: &String| line.starts_with("Authorization: Digest");
        let is_first = !head.iter().any(is_answer);
        to.lock().unwrap().push(head);
        if is_first {
            // The server does not read the body, so this connection cannot be used for another
            // request.
            client.say(CHALLENGE);
            std::thread::sleep(std::time::Duration::from_millis(500));
        } else {
            client.bytes(64 << 20);
            client.say(CREATED);
        }
    });
    let mut client = client().protocol(HttpProtocol::new().digest(true).data(vec![b'x'; 64 << 20]));
    let (_, buffer) = crate::support::fetch_with(&mut client, &url(&server, "/a"), |it| {
        it.credentials(credentials())
    })
    .unwrap();
    assert_eq!(buffer.bytes, b"made");
    assert_eq!(heads.lock().unwrap().len(), 2);
}

/// The policy's rates also apply to uploads.
#[test]
fn rates() {
    let (server, _) = storing(&[CREATED]);
    let mut slow = Client::new(policy().max_rate(500_000));
    let begun = std::time::Instant::now();
    let mut source = io::repeat(b'x').take(500_000);
    send(&mut slow, &url(&server, "/a"), &mut source, |it| it).unwrap();
    assert!(begun.elapsed() > std::time::Duration::from_millis(900));
}
