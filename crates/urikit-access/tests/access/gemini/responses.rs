//! Responses of every category.

use super::{Server, folder, say};
use crate::support::{Rendered as _, fails, fetch_with, policy};
use std::time::Duration;
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::{Buffer, Client, ErrorKind, Prompt, Request, Terminal, UrlError, Wanted};

/// A user who gives these answers.
struct User {
    answer: &'static str,
    asked: Vec<String>,
}

impl Prompt for User {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        self.asked.push(format!("{user} at {host}, hidden"));
        Some(self.answer.to_owned())
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, question: &str, _: &str) -> Option<String> {
        self.asked.push(question.to_owned());
        Some(self.answer.to_owned())
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

#[test]
fn a_body_with_its_media_type() {
    let Some(folder) = folder("a_body_with_its_media_type") else {
        return;
    };
    let server = Server::replies(&folder, "20 text/gemini; lang=en\r\n# Hi\r\n");
    let (response, buffer) = server.get("/a?b#c").unwrap();
    assert_eq!(buffer.bytes, b"# Hi\r\n");
    let media_type = response.metadata.media_type.as_deref();
    assert_eq!(media_type, Some("text/gemini; lang=en"));
    let language = ("lang".to_owned(), "en".to_owned());
    assert_eq!(response.metadata.attributes, [language]);
    assert_eq!(
        (response.hops[0].status, response.fragment.as_deref()),
        (Some(20), Some("c"))
    );
    // Without a body.
    let mut client = Client::new(policy());
    let url = server.url("");
    let (response, buffer) = fetch_with(&mut client, &url, |request| {
        request.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert!(buffer.bytes.is_empty());
    assert_eq!(response.metadata.media_type.as_deref(), media_type);
    let port = server.port;
    let requests = [
        format!("gemini://127.0.0.1:{port}/a?b\r\n"),
        format!("gemini://127.0.0.1:{port}/\r\n"),
    ];
    assert_eq!(server.log(), requests);
    // An empty body is a body.
    let server = Server::replies(&folder, "20 text/plain\r\n");
    assert!(server.get("/").unwrap().1.bytes.is_empty());
}

#[test]
fn a_request_has_at_most_1024_octets() {
    let Some(folder) = folder("a_request_has_at_most_1024_octets") else {
        return;
    };
    let server = Server::replies(&folder, "20 text/plain\r\nok");
    let length = server.url("/").len();
    let path = |more: usize| format!("/{}", "a".repeat(1024 - length + more));
    assert_eq!(server.get(&path(0)).unwrap().1.bytes, b"ok");
    let error = server.get_fails(&path(1));
    let is_it = matches!(
        error.kind(),
        ErrorKind::Url(UrlError::TooLong { max: 1024 })
    );
    assert!(is_it, "{error}");
    assert_eq!(server.log().len(), 1);
}

#[test]
fn input_becomes_the_query() {
    let Some(folder) = folder("input_becomes_the_query") else {
        return;
    };
    for (status, asked) in [("10", "Who?"), ("11", "Who? at 127.0.0.1, hidden")] {
        let server = Server::start(&folder, move |line, stream| {
            if line.ends_with("?red%20hat%21\r\n") {
                say(stream, b"20 text/plain\r\nhello red hat!");
            } else {
                say(stream, format!("{status} Who?\r\n").as_bytes());
            }
        });
        let mut user = User {
            answer: "red hat!",
            asked: Vec::new(),
        };
        let mut buffer = Buffer::default();
        let url = server.url("/who?old");
        let request = Request::new(Standard::Rfc3986.parse(&url).unwrap());
        let client = Client::new(policy());
        let response = client.fetch(&request, &mut user, &mut buffer).unwrap();
        assert_eq!(buffer.bytes, b"hello red hat!");
        assert_eq!(user.asked, [asked]);
        assert_eq!(response.final_uri, url);
        // Sensitive input is not displayed.
        let events = response.rendered().join("\n");
        assert_eq!(events.contains("red%20hat"), status == "10", "{events}");
        assert_eq!(events.contains("?***"), status == "11", "{events}");
        assert_eq!(server.log().len(), 2);
        // Without a user, the request fails, and displays what the server asks for.
        let error = server.get_fails("/who");
        assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
        assert!(
            error.to_string().contains(&format!("{status} Who?")),
            "{error}"
        );
        assert_eq!(error.status(), Some(status.parse().unwrap()));
    }
    // A server that always asks for more input.
    let server = Server::replies(&folder, "10 more\r\n");
    let mut user = User {
        answer: "a",
        asked: Vec::new(),
    };
    let url = server.url("/");
    let request = Request::new(Standard::Rfc3986.parse(&url).unwrap());
    let failed = Client::new(policy()).fetch(&request, &mut user, &mut Buffer::default());
    assert!(matches!(
        failed.unwrap_err().kind(),
        ErrorKind::Unsupported(_)
    ));
    assert_eq!(server.log().len(), 6);
}

#[test]
fn redirects_are_followed_five_times() {
    let Some(folder) = folder("redirects_are_followed_five_times") else {
        return;
    };
    let server = Server::start(&folder, |line, stream| {
        let path = line.trim_end().rsplit('/').next().unwrap();
        let reply = match path.parse::<u32>() {
            Ok(0) => "20 text/plain\r\nthere".to_owned(),
            Ok(left) => format!("3{} {}\r\n", left % 2, left - 1),
            Err(_) if path == "loop" => "31 /loop\r\n".to_owned(),
            Err(_) if path == "nowhere" => "30 \r\n".to_owned(),
            Err(_) => format!("30 {}\r\n", path.replace(':', "://")),
        };
        say(stream, reply.as_bytes());
    });
    let generous = || Client::new(policy().max_redirects(20));
    let get = |path: &str| fetch_with(&mut generous(), &server.url(path), |request| request);
    let (response, buffer) = get("/a/5").unwrap();
    assert_eq!(
        (buffer.bytes.as_slice(), response.hops.len()),
        (&b"there"[..], 6)
    );
    assert_eq!(response.final_uri, server.url("/a/0"));
    let refused = |path: &str| match get(path).unwrap_err().kind() {
        ErrorKind::Refused(refusal) => refusal.clone(),
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(refused("/a/6"), Refusal::Redirects { max: 5 });
    // Whatever the policy allows, a server never leads to files.
    let all = policy().network_schemes(["file", "gemini"]);
    let url = server.url("/file:example.org");
    let error = fails(&mut Client::new(all), &url);
    assert!(matches!(error.kind(), ErrorKind::Refused(_)), "{error}");
    assert!(matches!(refused("/loop"), Refusal::RedirectLoop { .. }));
    for scheme in ["https", "gopher", "spartan"] {
        let path = format!("/{scheme}:example.org");
        assert!(
            matches!(refused(&path), Refusal::Redirect { .. }),
            "{scheme}"
        );
    }
    assert!(matches!(
        get("/nowhere").unwrap_err().kind(),
        ErrorKind::Protocol(_)
    ));
    // The policy may allow fewer redirects.
    let mut strict = Client::new(policy().max_redirects(1));
    let error = fetch_with(&mut strict, &server.url("/a/2"), |request| request).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::Refused(Refusal::Redirects { max: 1 })
    ));
}

#[test]
fn failures_have_their_kinds() {
    let Some(folder) = folder("failures_have_their_kinds") else {
        return;
    };
    for (header, name, is_transient) in [
        ("40 later", "Server", true),
        ("41", "Server", true),
        ("42 CGI", "Server", true),
        ("43 proxy", "Server", true),
        ("44 7", "Server", true),
        ("45 undefined", "Server", true),
        ("50 no", "Server", false),
        ("51 Not found!", "NotFound", false),
        ("52 gone", "NotFound", false),
        ("53 no proxy", "Server", false),
        ("59", "Server", false),
        ("60 certificate", "LoginRequired", false),
        ("61 not you", "Forbidden", false),
        ("62 not valid", "LoginRequired", false),
    ] {
        let server = Server::replies(&folder, format!("{header}\r\n"));
        let error = server.get_fails("/");
        let kind = format!("{:?}", error.kind());
        assert!(kind.starts_with(name), "{header}: {kind}");
        assert!(error.kind().is_denial(), "{header}");
        assert_eq!(error.is_transient(), is_transient, "{header}");
        assert_eq!(error.status(), header[..2].parse().ok(), "{header}");
        assert!(error.to_string().contains(header), "{header}: {error}");
        let delay = (header == "44 7").then_some(Duration::from_secs(7));
        assert_eq!(error.retry_after(), delay, "{header}");
    }
}
