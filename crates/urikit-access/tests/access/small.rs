//! Finger, Spartan and Nex.

use crate::support::{Rendered as _, assert_as_planned, client, fails, fetch, plan, policy};
use std::time::Duration;
use urikit_access::policy::Refusal;
use urikit_access::{Client, ErrorKind, UrlError};
use urikit_testkit::servers::{Fingerd, Folder, Scripted, Smolserve, skip};

/// Starts a server that sends the same reply to every line.
fn replies(reply: impl AsRef<[u8]> + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client| {
        client.line();
        client.say(reply.as_ref());
    })
}

#[test]
fn fingerd() {
    let Some(server) = Fingerd::start("#!/bin/sh\nprintf 'asked for:'; printf ' %s' \"$@\"\n")
    else {
        return skip("fingerd", "fingerd with openbsd-inetd");
    };
    for (before, path, expected) in [
        ("", "", "asked for:"),
        ("", "/timbl", "timbl"),
        ("timbl@", "", "timbl"),
        ("", "/%2FW%20timbl", "-l"),
    ] {
        let url = format!("finger://{before}127.0.0.1:{}{path}", server.port);
        let mut client = client();
        let planned = plan(&client, &url).unwrap();
        let (response, buffer) = fetch(&mut client, &url).unwrap();
        assert_as_planned(&planned, &response.rendered());
        let text = String::from_utf8(buffer.bytes).unwrap();
        assert!(
            text.starts_with("asked for:") && text.contains(expected),
            "{url}: {text}"
        );
        assert_eq!(response.metadata.media_type.as_deref(), Some("text/plain"));
    }
}

#[test]
fn smolserve() {
    let root = Folder::new("small-root");
    root.write("index.gmi", "# Guests\n=: /sign Your name?\n");
    root.write("index", "Welcome\n=> log/ Log\n");
    root.write("a b.txt", "hello\n");
    root.write("log/one.txt", "one\n");
    let Some(server) = Smolserve::start(&root) else {
        return skip("smolserve", "smolserve");
    };
    let at = |path: &str| format!("spartan://127.0.0.1:{}{path}", server.spartan_port);
    for (path, expected, media_type) in [
        ("", "# Guests\n=: /sign Your name?\n", "text/gemini"),
        ("/a%20b.txt", "hello\n", "text/plain"),
    ] {
        let mut client = client();
        let planned = plan(&client, &at(path)).unwrap();
        let (response, buffer) = fetch(&mut client, &at(path)).unwrap();
        assert_as_planned(&planned, &response.rendered());
        assert_eq!(buffer.bytes, expected.as_bytes());
        let found = response.metadata.media_type.unwrap_or_default();
        assert!(found.starts_with(media_type), "{found}");
    }
    let error = fails(&mut client(), &at("/none"));
    let is_it = matches!(error.kind(), ErrorKind::Server { code: Some(4), .. });
    assert!(is_it, "{error}");
    let at = |path: &str| format!("nex://127.0.0.1:{}{path}", server.nex_port);
    let (response, buffer) = fetch(&mut client(), &at("/")).unwrap();
    assert!(response.metadata.is_listing);
    let last = buffer.entries.last().unwrap();
    assert_eq!(last.reference.as_deref(), Some(&*at("/log/")));
    let (_, buffer) = fetch(&mut client(), &at("/log/")).unwrap();
    let one = at("/log/one.txt");
    let mut entries = buffer.entries.iter();
    assert!(entries.any(|entry| entry.reference.as_deref() == Some(&one)));
    assert_eq!(fetch(&mut client(), &one).unwrap().1.bytes, b"one\n");
}

#[test]
fn a_finger_request_is_one_line() {
    let server = replies("Login: timbl\r\n");
    let at = |path: &str| format!("finger://127.0.0.1:{}{path}", server.port);
    for (path, line) in [("", ""), ("/", ""), ("/a@b", "a@b"), ("//W%20a", "/W a")] {
        let (_, buffer) = fetch(&mut client(), &at(path)).unwrap();
        assert_eq!(buffer.bytes, b"Login: timbl\r\n");
        assert_eq!(server.log().last().unwrap(), line, "{path}");
    }
    for octet in ["%0D%0Ab", "%00", "%0A"] {
        let error = fails(&mut client(), &at(&format!("/a{octet}")));
        let is_it = matches!(error.kind(), ErrorKind::Url(UrlError::Control { .. }));
        assert!(is_it, "{error}");
    }
    assert_eq!(server.log().len(), 4);
    // An empty answer may be a failure.
    let error = fails(
        &mut client(),
        &format!("finger://127.0.0.1:{}/a", replies("").port),
    );
    assert!(
        matches!(error.kind(), ErrorKind::EndedEarly { .. }),
        "{error}"
    );
}

#[test]
fn a_spartan_request_has_a_host_a_path_and_data() {
    let server = Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        let length = line.rsplit(' ').next().unwrap_or_default();
        let data = client.bytes(length.parse().unwrap());
        client.say("2 text/gemini\r\n");
        client.say(data);
    });
    let at = |path: &str| format!("spartan://127.0.0.1:{}{path}", server.port);
    for (path, line, data) in [
        ("", "127.0.0.1 / 0", &b""[..]),
        ("/a%20b", "127.0.0.1 /a%20b 0", b""),
        ("/a?hello%20there", "127.0.0.1 /a 11", b"hello there"),
        ("?%C3%A9%20~", "127.0.0.1 / 4", b"\xc3\xa9 ~"),
    ] {
        let url = at(path);
        let mut client = client();
        let planned = plan(&client, &url).unwrap();
        let (response, buffer) = fetch(&mut client, &url).unwrap();
        assert_as_planned(&planned, &response.rendered());
        assert_eq!(buffer.bytes, data, "{path}");
        assert_eq!(server.log().last().unwrap(), line);
        assert_eq!(response.metadata.media_type.as_deref(), Some("text/gemini"));
        assert_eq!(response.hops[0].status, Some(2));
    }
}

/// On any port but spartan's own, a line of the data could be a command of another protocol.
#[test]
fn spartan_sends_lines_of_data_only_to_its_port() {
    let server = Scripted::start(|client| drop(client.line()));
    for octet in ["%0D%0A", "%0A", "%0D", "%00", "%1B", "%7F"] {
        let path = format!("/x?{octet}FLUSHALL{octet}");
        let error = fails(
            &mut client(),
            &format!("spartan://127.0.0.1:{}{path}", server.port),
        );
        let is_it = matches!(error.kind(), ErrorKind::Url(UrlError::Control { .. }));
        assert!(is_it, "{octet}: {error}");
        for port in ["", ":", ":300"] {
            let url = format!("spartan://a.example{port}{path}");
            assert!(plan(&client(), &url).is_ok(), "{url}");
        }
    }
    assert_eq!(server.log(), Vec::<String>::new());
    let planned = plan(&client(), "spartan://a.example/?a%0D%0Ab%00").unwrap();
    let sent = r#"send     "a.example / 5\r\na\r\nb\0""#;
    assert!(planned.to_string().contains(sent), "{planned}");
}

#[test]
fn spartan_redirects_stay_on_the_server() {
    let server = Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        client.say(match line.split(' ').nth(1) {
            Some("/there") => "2 text/plain\r\nhere",
            Some("/old") => "3 /there\r\n",
            Some("/loop") => "3 /loop\r\n",
            Some("/host") => "3 //example.org/\r\n",
            Some("/url") => "3 spartan://example.org/\r\n",
            Some("/relative") => "3 there\r\n",
            _ => "4 Not found\r\n",
        });
    });
    let at = |path: &str| format!("spartan://127.0.0.1:{}{path}", server.port);
    // The data is not sent again.
    let (response, buffer) = fetch(&mut client(), &at("/old?data")).unwrap();
    assert_eq!(buffer.bytes, b"here");
    assert_eq!(response.final_uri, at("/there"));
    assert_eq!(server.log(), ["127.0.0.1 /old 4", "127.0.0.1 /there 0"]);
    for path in ["/host", "/url", "/relative"] {
        let error = fails(&mut client(), &at(path));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{path}: {error}"
        );
    }
    let error = fails(&mut client(), &at("/loop"));
    let is_it = matches!(
        error.kind(),
        ErrorKind::Refused(Refusal::RedirectLoop { .. })
    );
    assert!(is_it, "{error}");
    let error = fails(&mut client(), &at("/none"));
    assert!(
        matches!(error.kind(), ErrorKind::Server { code: Some(4), .. }),
        "{error}"
    );
}

#[test]
fn hostile_spartan_servers() {
    for reply in ["", "2", "2 text/plain"] {
        let error = fails(
            &mut client(),
            &format!("spartan://127.0.0.1:{}/", replies(reply).port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::EndedEarly { .. }),
            "{reply:?}: {error}"
        );
    }
    for reply in [
        "\r\n",
        "20 text/plain\r\n",
        "1 a\r\n",
        "2text\r\n",
        "HTTP/1.1 400\r\n",
    ] {
        let error = fails(
            &mut client(),
            &format!("spartan://127.0.0.1:{}/", replies(reply).port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{reply:?}: {error}"
        );
    }
    let endless = Scripted::start(|client| client.say_forever("2"));
    let error = fails(
        &mut client(),
        &format!("spartan://127.0.0.1:{}/", endless.port),
    );
    assert!(
        matches!(error.kind(), ErrorKind::LineTooLong { .. }),
        "{error}"
    );
}

#[test]
fn nex_documents_and_directories() {
    let server = Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        client.say(match &*line {
            "" | "sub/" => {
                "Welcome\n=> about.txt\n=> ../log/ The log\n=> gemini://example.org/\r\n=>no\n\n"
            }
            "a b.txt" => "hello\n",
            "logo" => "text\n",
            "logo.gif" => "GIF89a\x01",
            _ => "",
        });
    });
    let at = |path: &str| format!("nex://127.0.0.1:{}{path}", server.port);
    let (response, buffer) = fetch(&mut client(), &at("/sub/")).unwrap();
    assert!(response.metadata.is_listing);
    let entries = buffer.entries.iter();
    let entries = entries.map(|entry| {
        let reference = entry.reference.as_deref().unwrap_or("-");
        (entry.kind.as_str(), entry.name.as_str(), reference)
    });
    let (about, log) = (at("/sub/about.txt"), at("/log/"));
    let expected = [
        ("text", "Welcome", "-"),
        ("file", "about.txt", about.as_str()),
        ("directory", "The log", log.as_str()),
        (
            "directory",
            "gemini://example.org/",
            "gemini://example.org/",
        ),
        ("text", "=>no", "-"),
        ("text", "", "-"),
    ];
    assert!(entries.eq(expected), "{:#?}", buffer.entries);
    for (path, bytes, media_type) in [
        ("/a%20b.txt", &b"hello\n"[..], "text/plain"),
        ("/logo", b"text\n", "text/plain"),
        ("/logo.gif", b"GIF89a\x01", "image/gif"),
    ] {
        let url = at(path);
        let mut client = client();
        let planned = plan(&client, &url).unwrap();
        let (response, buffer) = fetch(&mut client, &url).unwrap();
        assert_as_planned(&planned, &response.rendered());
        assert_eq!(buffer.bytes, bytes);
        assert_eq!(response.metadata.media_type.as_deref(), Some(media_type));
    }
    assert_eq!(fetch(&mut client(), &at("")).unwrap().1.entries.len(), 6);
    let error = fails(&mut client(), &at("/none"));
    assert!(
        matches!(error.kind(), ErrorKind::EndedEarly { .. }),
        "{error}"
    );
    let error = fails(&mut client(), &at("/a%0D%0Ab"));
    let is_it = matches!(error.kind(), ErrorKind::Url(UrlError::Control { .. }));
    assert!(is_it, "{error}");
}

/// Silent servers, endless answers, other protocols' ports and private addresses.
#[test]
fn limits_and_the_policy_apply() {
    let strict = || {
        let policy = policy()
            .idle_timeout(Duration::from_millis(300))
            .max_bytes(100_000);
        Client::new(policy.max_items(1_000))
    };
    let silent = Scripted::start(|client| client.hang());
    let endless = Scripted::start(|client| {
        client.line();
        client.say("2 text/plain\r\n");
        client.say_forever("=> a\n");
    });
    for scheme in ["finger", "nex", "spartan"] {
        let error = fails(
            &mut strict(),
            &format!("{scheme}://127.0.0.1:{}/", silent.port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Timeout(_)),
            "{scheme}: {error}"
        );
        let error = fails(
            &mut strict(),
            &format!("{scheme}://127.0.0.1:{}/", endless.port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Refused(_)),
            "{scheme}: {error}"
        );
        let error = fails(&mut client(), &format!("{scheme}://127.0.0.1:25/"));
        let is_port = matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. }));
        assert!(is_port, "{scheme}: {error}");
        let mut public = Client::new(urikit_access::Policy::new());
        let error = fails(&mut public, &format!("{scheme}://127.0.0.1/"));
        let is_address = matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. }));
        assert!(is_address, "{scheme}: {error}");
    }
}
