//! Allowed schemes and redirects: `--proto` and `--proto-redir`, as in curl.

use crate::{fetch, http};
use urikit_testkit::servers::{Conversation, Scripted};

/// A server that redirects to `location`.
fn to(location: &str) -> Scripted {
    let location = location.to_owned();
    Scripted::start(move |client| {
        let line = client.line().unwrap_or_default();
        while client.line().is_some_and(|line| !line.is_empty()) {}
        client.say(if line.contains("/there") {
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere".to_owned()
        } else {
            format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
        });
    })
}

fn url(server: &Scripted) -> String {
    format!("http://127.0.0.1:{}/", server.port)
}

/// Servers of other protocols may read a gopher selector as a command. A redirect must not send a
/// selector to Redis.
#[test]
fn a_redirect_does_not_leave_http() {
    let redis = Scripted::start(Conversation::hang);
    let server = to(&format!("gopher://127.0.0.1:{}/1FLUSHALL", redis.port));
    let outcome = fetch([url(&server).as_str()]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("", 4),
        "{outcome:?}"
    );
    assert!(
        outcome.err.ends_with(
            "refused: a redirect from the scheme `http` to `gopher` is not allowed\n  \
             add +gopher to --proto-redir to allow this redirect\n"
        ),
        "{}",
        outcome.err
    );
    assert!(redis.log().is_empty());
    // The user can allow this redirect.
    let gopher = Scripted::start(|client| {
        client.line();
        client.say("a text\r\n.\r\n");
    });
    let server = to(&format!("gopher://127.0.0.1:{}/0a", gopher.port));
    let outcome = fetch(["--proto-redir", "+gopher", &url(&server)]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("a text\r\n", 0),
        "{outcome:?}"
    );
    // If --proto denies the scheme, --proto-redir does not help.
    let outcome = fetch(["--proto", "-gopher", "--proto-redir", "all", &url(&server)]);
    assert_eq!(outcome.status, 4, "{outcome:?}");
    assert!(!outcome.err.contains("--proto"), "{outcome:?}");
}

#[test]
fn no_option_allows_a_redirect_to_this_machine() {
    for target in [
        "file:///etc/hostname",
        "telnet://127.0.0.1/",
        "mailto:a@h",
        "data:,a",
    ] {
        let server = to(target);
        for rules in [
            "all",
            "+file,telnet,mailto,data",
            "=file,telnet,mailto,data",
        ] {
            let outcome = fetch(["--proto-redir", rules, &url(&server)]);
            let found = (outcome.out.as_str(), outcome.status);
            assert_eq!(found, ("", 4), "{target} {rules} {outcome:?}");
            assert!(!outcome.err.contains("--proto-redir"), "{outcome:?}");
        }
    }
}

#[test]
fn schemes_are_allowed_as_with_curl() {
    let server = to("/there");
    for (rules, allowed) in [
        ("=http,https", true),
        ("all", true),
        ("-ftp", true),
        ("-all,http", true),
        ("=https", false),
        ("-http", false),
        ("=all,-http", false),
        ("-all", false),
    ] {
        let outcome = fetch(["--proto", rules, &url(&server)]);
        assert_eq!(
            outcome.status,
            if allowed { 0 } else { 4 },
            "{rules} {outcome:?}"
        );
        let outcome = fetch(["--proto-redir", rules, &url(&server)]);
        assert_eq!(
            outcome.status,
            if allowed { 0 } else { 4 },
            "{rules} {outcome:?}"
        );
    }
    let outcome = fetch(["--proto", "=http", "--plan", "ftp://h/a"]);
    assert_eq!(outcome.status, 4, "{outcome:?}");
    assert!(
        outcome.err.contains("the scheme `ftp` is not allowed"),
        "{outcome:?}"
    );
    let pages = http(&[("/", "200 OK\r\nContent-Length: 2", b"ok")]);
    assert_eq!(fetch(["--proto", "=http", &url(&pages)]).out, "ok");
}

/// In curl, a name without a prefix only adds to the allowed schemes, so this would deny nothing.
#[test]
fn a_list_without_prefixes_is_refused() {
    for option in ["--proto", "--proto-redir"] {
        for list in ["https", "http,https", "HTTPS"] {
            let outcome = fetch([option, list, "data:,a"]);
            assert_eq!(
                (outcome.out.as_str(), outcome.status),
                ("", 2),
                "{outcome:?}"
            );
            assert!(
                outcome.err.contains(&format!("`={list}`")),
                "{}",
                outcome.err
            );
        }
    }
    let outcome = fetch(["--proto", "=https", "data:,a"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("", 4),
        "{outcome:?}"
    );
    for list in ["+https", "-all,data", "all", "=data,http"] {
        let outcome = fetch(["--proto", list, "data:,a"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("a", 0),
            "{outcome:?}"
        );
    }
}

/// A misspelled scheme would leave the scheme that was meant allowed or denied.
#[test]
fn an_unknown_scheme_is_refused() {
    for (option, list) in [
        ("--proto", "=htps"),
        ("--proto", "-all,+htps"),
        ("--proto-redir", "-htps"),
    ] {
        let outcome = fetch([option, list, "data:,a"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{outcome:?}"
        );
        let expected = format!(
            "`{option}`: no known scheme \"htps\"; did you mean \"https\"? (see uri schemes)"
        );
        assert!(outcome.err.contains(&expected), "{}", outcome.err);
    }
    // A gateway makes a scheme known.
    let gateway = ["--gateway", "quux=http://127.0.0.1:1/ask?uri="];
    let rules = ["--proto", "=quux,data", "data:,a"];
    let outcome = fetch(gateway.into_iter().chain(rules));
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("a", 0),
        "{outcome:?}"
    );
}
