//! The request that each URL causes, which must equal the plan.

use super::get_fails;
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, sent};
use urikit_access::policy::Refusal;
use urikit_access::{Class, ErrorKind, Request, Wanted};
use urikit_testkit::servers::{Conversation, Scripted};

/// A server that replies with the request, in Gopher+ format.
fn echo() -> Scripted {
    Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        let body = if line.contains('!') || line.contains('$') {
            "+INFO: 0a\ta\th\t70\t+\r\n+ADMIN:\r\n Admin: <a@b>\r\n".to_owned()
        } else {
            format!("{line}\r\n")
        };
        if line.split('\t').count() > 2 {
            client.say("+-2\r\n");
        }
        client.say(body);
    })
}

/// The examples of RFC 1738, 3.4.1 to 3.4.8, and RFC 4266, 2.1 to 2.8.
#[test]
fn the_request_for_each_url_equals_the_plan() {
    for (path, line) in [
        ("", ""),
        ("0", ""),
        ("1/sub", "/sub"),
        (
            "00/Weather/California/Los%20Angeles",
            "0/Weather/California/Los Angeles",
        ),
        ("0Stuff:About%20us", "Stuff:About us"),
        ("0a?b=c", "a?b=c"),
        ("0%7Ea/../b", "~a/../b"),
        ("9a;b", "a;b"),
        ("xunknown", "unknown"),
        ("+redundant", "redundant"),
        ("7find%09foo%20bar", "find\tfoo bar"),
        ("7find%09foo+bar", "find\tfoo+bar"),
        ("7find%09", "find\t"),
        ("7find%09foo%09+", "find\tfoo\t+"),
        ("0doc%09%09+", "doc\t\t+"),
        ("0doc%09%09%2B", "doc\t\t+"),
        ("0doc%09%09!", "doc\t\t!"),
        ("1doc%09%09$", "doc\t\t$"),
        ("0doc%09%09!+ADMIN", "doc\t\t!+ADMIN"),
        ("0doc%09%09!+ABSTRACT%20+SMELL", "doc\t\t!+ABSTRACT +SMELL"),
        ("1doc%09%09$+VIEWS+ABSTRACT", "doc\t\t$+VIEWS+ABSTRACT"),
        ("0doc%09%09+text/plain%20En_US", "doc\t\t+text/plain En_US"),
        ("8user%09words", "user\twords"),
    ] {
        let server = echo();
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let mut client = client();
        let planned = plan(&client, &url).unwrap();
        let (response, _) = fetch(&mut client, &url).unwrap();
        assert_as_planned(&planned, &response.rendered());
        assert_eq!(server.log(), [line], "{path}: {:?}", response.rendered());
        assert_eq!(sent(&response.rendered()), [line.replace('\t', "\\t")]);
        assert_eq!(response.scheme, "gopher");
    }
}

/// A request for metadata asks for `!`, regardless of what the URL refers to.
#[test]
fn the_request_for_metadata_equals_the_plan() {
    for (path, line) in [
        ("", "\t\t!"),
        ("0doc", "doc\t\t!"),
        // A search is requested without words (Gopher+, Appendix II).
        ("7find%09words", "find\t\t!"),
        ("7find", "find\t\t!"),
        ("0doc%09%09+", "doc\t\t!"),
        ("0doc%09%09!+ADMIN", "doc\t\t!"),
        ("1doc%09%09$", "doc\t\t!"),
        ("0doc%09%09?", "doc\t\t!"),
        ("0doc%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A", "doc\t\t!"),
    ] {
        let server = echo();
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let mut client = client();
        let reference = urikit::Standard::Rfc3986.parse(&url).unwrap();
        let planned = client
            .plan(&Request::new(reference).wanted(Wanted::Metadata))
            .unwrap();
        let (response, buffer) = fetch_with(&mut client, &url, |request| {
            request.wanted(Wanted::Metadata)
        })
        .unwrap();
        assert_as_planned(&planned, &response.rendered());
        assert_eq!(server.log(), [line], "{path}");
        assert_eq!(buffer.metadata.attributes[0].0, "+INFO");
        assert!(buffer.bytes.is_empty() && buffer.entries.is_empty());
    }
}

/// A URL that decodes to CR, LF or NUL is refused before connecting, except for a form in exactly
/// the format of RFC 1738, 3.4.9. TAB is allowed only as a delimiter.
#[test]
fn a_second_line_is_refused_before_connecting() {
    let server = Scripted::start(Conversation::hang);
    for path in [
        "0a%0D%0Ab",
        "0a%0A",
        "0a%00",
        "0a%0d",
        "7a%09b%0D%0A",
        "7a%09%0A",
        "0a%09%09!%0D%0A",
        "0a%09%09+%09%0D%0A",
        "0a%09%09+%091%0D%0A+-1%0D%0A.%0D%0A",
        "0a%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0AGET",
        "0a%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A.%0D%0A",
        "0a%09%09+%091%0D%0A+-1%0D%0Ao%00ne%0D%0A.%0D%0A",
        "0a%09%09+%091%0D%0A+-1%0D%0Ao%09ne%0D%0A.%0D%0A",
        "0a%0A%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A",
        "0a%09b%0A%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A",
        "0a%09%09+%091%0A+-1%0Aone%0A.%0A",
        "0a%09b%09c%09d",
        "8user%0A",
    ] {
        let error = get_fails(&server, path);
        assert_eq!(error.class(), Class::Invalid, "{path}: {error}");
        assert!(
            error.rendered().is_empty(),
            "{path}: {error}: {:?}",
            error.rendered()
        );
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        assert!(plan(&client(), &url).is_err(), "{path}");
    }
    assert!(server.log().is_empty());
}

/// Sessions are reported, but the client does not connect (RFC 1436, Appendix).
#[test]
fn sessions_are_reported() {
    for (path, reference, name) in [
        (
            "8library",
            Some("telnet://library@h.invalid:23"),
            "a telnet session; log in as library",
        ),
        ("8", Some("telnet://h.invalid:23"), "a telnet session"),
        (
            "Ta%3Ab",
            Some("tn3270://a%3Ab@h.invalid:23"),
            "a tn3270 session; log in as a:b",
        ),
        ("2", None, "a CSO phone book, which uses the ph protocol"),
    ] {
        let url = format!("gopher://h.invalid:23/{path}");
        let (response, buffer) = fetch(&mut client(), &url).unwrap();
        let text = format!("{}: {name}", reference.unwrap_or("h.invalid:23"));
        assert_eq!(response.rendered(), [text.as_str()]);
        assert!(buffer.metadata.is_listing);
        let entry = &buffer.entries[0];
        assert_eq!(
            (entry.kind.as_str(), entry.name.as_str()),
            ("session", name)
        );
        assert_eq!(entry.reference.as_deref(), reference);
        let planned = plan(&client(), &url).unwrap().to_string();
        assert_eq!(planned, format!("then     shows the user \"{text}\"\n"));
    }
}

/// A link in a gopher URL is a redirect, to which the policy applies.
#[test]
fn a_link_is_a_redirect() {
    let server = super::replies("hello");
    let url = format!(
        "gopher://h.invalid/hURL:gopher://127.0.0.1:{}/0a#top",
        server.port
    );
    // The fragment is that of the requested URL.
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert_eq!(response.fragment.as_deref(), Some("top"));
    assert_eq!(
        response.final_uri,
        format!("gopher://127.0.0.1:{}/0a", server.port)
    );
    assert_eq!(server.log(), ["a"]);
    let planned = plan(&client(), &url).unwrap().to_string();
    assert_eq!(
        planned,
        format!(
            "then     is redirected to \"gopher://127.0.0.1:{}/0a\"\n",
            server.port
        )
    );
    for target in [
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "telnet://h/",
        "tn3270://h/",
        "mailto:a@b",
        "data:,a",
        "javascript:alert(1)",
        "http://127.0.0.1/",
    ] {
        for slash in ["", "/"] {
            let url = format!("gopher://h.invalid/h{slash}URL:{target}");
            let error = fails(&mut client(), &url);
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Refused(Refusal::Scheme { .. } | Refusal::Redirect { .. })
                ),
                "{target}: {error}"
            );
            assert_eq!(error.class(), Class::Refused);
        }
    }
}

/// Links that form a circle are an error.
#[test]
fn links_in_circles_end() {
    // Eleven nested links, each escaped once more.
    let mut url = "gopher://h.invalid/0x".to_owned();
    for _ in 0..11 {
        url = format!("gopher://h.invalid/hURL:{}", url.replace('%', "%25"));
    }
    let error = fails(&mut client(), &url);
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Redirects { max: 10 })
        ),
        "{error}"
    );
}

#[test]
fn a_search_without_words_explains_how_to_add_them() {
    let server = Scripted::start(Conversation::hang);
    let error = get_fails(&server, "7find");
    assert!(
        error
            .to_string()
            .contains("gopher://host/7selector%09words"),
        "{error}"
    );
    assert!(error.rendered().is_empty(), "{:?}", error.rendered());
}

/// Ports of other protocols are refused; 70 is allowed.
#[test]
fn ports_of_other_protocols_are_refused() {
    for port in [25, 22, 0, 6000] {
        let error = fails(&mut client(), &format!("gopher://127.0.0.1:{port}/0a"));
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
            "{error}"
        );
    }
    let error = fails(&mut client(), "gopher://127.0.0.1/0a");
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
}

#[test]
fn transfers_cannot_be_resumed() {
    let server = Scripted::start(Conversation::hang);
    let url = format!("gopher://127.0.0.1:{}/9a", server.port);
    let error = fetch_with(&mut client(), &url, |request| request.resume(3)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
    assert!(error.rendered().is_empty());
}
