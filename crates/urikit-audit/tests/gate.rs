//! Tests which URLs a gate accepts, and its findings about those that it rejects.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use urikit_audit::{CheckedHost, Code, Gate, Severity};

fn codes(gate: &Gate, input: &str) -> Vec<Code> {
    let found = gate.check(input).unwrap_err();
    found.iter().map(|finding| finding.code).collect()
}

#[test]
fn the_strict_gate_lets_ordinary_urls_pass() {
    let gate = Gate::strict();
    for (input, host, port) in [
        ("http://example.com", "example.com", 80),
        ("HTTPS://WWW.Example.com:443/a?b#c", "www.example.com", 443),
        ("http://8.8.8.8/", "8.8.8.8", 80),
        (
            "http://[2001:4860:4860:0::8888]/",
            "2001:4860:4860::8888",
            80,
        ),
        ("http://user@example.com./%7Ea", "example.com.", 80),
        ("http://xn--bcher-kva.example/", "xn--bcher-kva.example", 80),
    ] {
        let checked = gate
            .check(input)
            .unwrap_or_else(|found| panic!("{input}: {found}"));
        assert_eq!(checked.host().to_string(), host);
        assert_eq!(checked.port(), Some(port));
        assert_eq!(checked.uri(), input);
    }
}

#[test]
fn everything_else_is_refused_with_its_reasons() {
    let gate = Gate::strict();
    assert_eq!(
        codes(&gate, "/a/b"),
        [
            Code::RelativeReference,
            Code::MissingHost,
            Code::NotAbsolute
        ]
    );
    assert_eq!(codes(&gate, "ftp://example.com/"), [Code::SchemeNotAllowed]);
    assert_eq!(
        codes(&gate, "https://example.com:8443/"),
        [Code::PortNotAllowed]
    );
    assert_eq!(
        codes(&gate, "http://example.com:25/"),
        [Code::PortNotAllowed, Code::BlockedPort]
    );
    assert_eq!(codes(&gate, "http://10.0.0.1/"), [Code::PrivateAddress]);
    assert_eq!(codes(&gate, "http://localhost/"), [Code::LoopbackAddress]);
    assert_eq!(
        codes(&gate, "http://user:secret@example.com/"),
        [Code::Password]
    );
    for input in [
        "",
        "http://",
        "http://[::1",
        "x",
        "http://a b/",
        "http://\u{430}.example/",
    ] {
        assert!(gate.check(input).is_err(), "{input:?}");
    }
}

#[test]
fn lists_match_on_label_boundaries() {
    let gate = Gate::strict()
        .allow_domain("Example.com.")
        .allow_host("one.example");
    for input in [
        "http://example.com/",
        "http://EXAMPLE.COM./",
        "http://a.b.example.com/",
        "http://one.example/",
    ] {
        assert!(gate.check(input).is_ok(), "{input}");
    }
    for input in [
        "http://badexample.com/",
        "http://example.com.evil.example/",
        "http://example.comx/",
        "http://a.one.example/",
        "http://8.8.8.8/",
    ] {
        assert_eq!(codes(&gate, input), [Code::HostNotAllowed], "{input}");
    }
    assert!(gate.check("http://example.com@evil.example/").is_err());
}

#[test]
fn lists_match_addresses_by_value() {
    let gate = Gate::strict()
        .allow_address([10, 0, 0, 1].into())
        .allow_address("fd00::1".parse().unwrap());
    for input in [
        "http://10.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://[fd00:0:0::1]/",
    ] {
        let checked = gate
            .check(input)
            .unwrap_or_else(|found| panic!("{input}: {found}"));
        assert!(matches!(checked.host(), CheckedHost::Address(_)));
    }
    for input in [
        "http://10.0.0.2/",
        "http://10.1/",
        "http://012.0.0.1/",
        "http://[fd00::2]/",
    ] {
        assert!(gate.check(input).is_err(), "{input}");
    }
}

#[test]
fn what_is_allowed_by_name_may_be_local() {
    let gate = Gate::strict().allow_host("localhost").allow_port(8080);
    assert!(gate.check("http://localhost:8080/").is_ok());
    assert!(gate.check("http://127.0.0.1:8080/").is_err());
    let gate = Gate::strict().allow_scheme("ftp").allow_port(2121);
    assert!(gate.check("ftp://ftp.example.com:2121/a").is_ok());
    assert!(gate.check("ftp://ftp.example.com/a%0D%0ADELE%20b").is_err());
}

#[test]
fn schemes_and_ports_replace_the_defaults() {
    let gate = Gate::strict().schemes(["HTTPS", "ftp"]);
    assert!(gate.check("https://example.com/").is_ok());
    assert!(gate.check("ftp://example.com/").is_ok());
    assert_eq!(
        codes(&gate, "HTTP://example.com/"),
        [Code::SchemeNotAllowed]
    );
    let gate = gate.schemes(["ftp"]).allow_scheme("http");
    assert!(gate.check("http://example.com/").is_ok());
    assert_eq!(
        codes(&gate, "https://example.com/"),
        [Code::SchemeNotAllowed]
    );
    let gate = Gate::strict().schemes([""; 0]);
    assert_eq!(
        codes(&gate, "https://example.com/"),
        [Code::SchemeNotAllowed]
    );

    let gate = Gate::strict().allow_port(81).ports([8080]);
    assert!(gate.check("http://example.com:8080/").is_ok());
    for input in [
        "http://example.com/",
        "https://example.com/",
        "http://example.com:81/",
    ] {
        assert_eq!(codes(&gate, input), [Code::PortNotAllowed], "{input}");
    }
    // A scheme without a default port.
    let other = gate.clone().allow_scheme("x");
    assert_eq!(codes(&other, "x://example.com/"), [Code::PortNotAllowed]);
    assert!(other.check("x://example.com:8080/").is_ok());
    assert!(
        gate.allow_port(80)
            .check("http://example.com/")
            .is_ok_and(|checked| checked.port() == Some(80))
    );
}

#[test]
fn empty_lists_of_hosts_can_allow_no_host() {
    let gate = Gate::strict().only_allowed_hosts();
    for input in ["http://example.com/", "http://8.8.8.8/"] {
        assert_eq!(codes(&gate, input), [Code::HostNotAllowed], "{input}");
    }
    let gate = gate.allow_domain("example.com");
    assert!(gate.check("http://a.example.com/").is_ok());
}

#[test]
fn the_threshold_never_allows_a_dispute() {
    let gate = Gate::strict().reject_from(Severity::High);
    assert!(gate.check("http://user:secret@example.com/").is_ok());
    assert!(gate.check("http://example.com/a b").is_err());
    assert!(gate.check("http://ex%61mple.com/").is_err());
    // Both standards reject the input, so it is not disputed, but it is not a URI.
    assert!(gate.check("http://a<b/").is_err());
    let gate = Gate::strict().reject_from(Severity::Info);
    assert!(gate.check("http://example.com:80/").is_err());
    // Lists and addresses apply regardless of the threshold.
    let gate = Gate::strict().reject_from(Severity::High);
    assert!(gate.check("ftp://example.com/").is_err());
    assert!(gate.check("http://10.0.0.1/").is_err());
    assert!(gate.check("http://[::ffff:127.0.0.1]/").is_err());
}

#[test]
fn urls_within_urls_are_rejected() {
    let gate = Gate::strict()
        .allow_scheme("jar")
        .allow_scheme("url")
        .reject_from(Severity::High);
    for input in [
        "jar:http://10.0.0.1/a.jar!/b",
        "url:http://ex%61mple.com/",
        "url:http://127.1/",
    ] {
        let found = gate.check(input).unwrap_err();
        assert!(found.contains(Code::NestedUrl), "{input}");
    }
    // If the input does not contain a URL with a hidden host, allowing the scheme is enough.
    assert!(
        Gate::strict()
            .allow_scheme("feed")
            .allow_port(80)
            .check("feed://example.com/")
            .is_ok()
    );
    assert!(Gate::strict().check("feed://example.com/").is_err());
}
