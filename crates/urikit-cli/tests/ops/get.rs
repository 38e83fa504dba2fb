//! `uri get`.

use crate::support::{uri, uri_with};
use serde_json::json;

/// Runs `uri get TEMPLATE URI`, which must succeed. Returns the output without the final newline.
#[track_caller]
fn get(template: &str, uri_text: &str) -> String {
    let outcome = uri(["get", template, uri_text]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    outcome.out.strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn components_are_as_written() {
    let url = "FTP://us%65r:p%77@h%6Fst:021/a/%2Fb;type=i?q=%41+b&&x&q=#%7e";
    for (template, expected) in [
        ("{scheme}", "FTP"),
        ("{authority}", "us%65r:p%77@h%6Fst:021"),
        ("{userinfo}", "us%65r:p%77"),
        ("{user}", "us%65r"),
        ("{password}", "p%77"),
        ("{host}", "h%6Fst"),
        ("{port}", "021"),
        ("{default:port}", "021"),
        ("{path}", "/a/%2Fb;type=i"),
        ("{segments}", "a %2Fb;type=i"),
        ("{params}", ""),
        ("{query}", "q=%41+b&&x&q="),
        ("{query:q}", "%41+b"),
        ("{query:x}", ""),
        ("{query:none}", ""),
        ("{query-all:q}", "%41+b "),
        ("{fragment}", "%7e"),
        ("{url}", url),
        (
            "{decode:user} {decode:host} {decode:fragment}",
            "user host ~",
        ),
        ("{decode:query:q}", "A+b"),
        ("{form:query:q}", "A b"),
        ("{decode:segments}", "a /b;type=i"),
        ("{must:query:x}", ""),
        ("{must:decode:host}", "host"),
    ] {
        assert_eq!(get(template, url), expected, "{template}");
    }
    assert_eq!(get("{default:port}", "gopher://h"), "70");
    assert_eq!(get("{query:}", "//h/?=bar"), "bar");
    assert_eq!(get("{query:a b}{query:c:d}", "?a%20b=1&c:d=2"), "12");
    assert_eq!(get("{query:a}", "mailto:a@b?a=1"), "1");
}

#[test]
fn escapes_and_braces() {
    assert_eq!(get("\\{{scheme}\\}", "x:"), "{x}");
    assert_eq!(get("a\\tb\\nc\\\\d\\q\\", ""), "a\tb\nc\\d\\q\\");
    assert_eq!(get("{query:\\}}", "?%7D=1"), "1");
    assert_eq!(get("}[scheme]", "x:"), "}[scheme]");
    assert_eq!(get("", "x:"), "");
    for template in [
        "{scheme",
        "{none}",
        "{}",
        "{default:host}",
        "{decode:url}",
        "{query:a",
    ] {
        let outcome = uri(["get", template, "x:"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{template}"
        );
    }
}

#[test]
fn bytes_are_bytes() {
    let mut command = crate::support::command();
    let output = command
        .args(["get", "{decode:path}", "/%FF%00"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"/\xff\0\n");
    let json = uri(["get", "--json", "{decode:path}", "/%FF"]).json();
    assert_eq!(
        json,
        [json!({
            "input": "/%FF", "standard": "rfc3986", "valid": true, "text": "/\u{FFFD}",
            "text_base64": "L/8=", "error": null, "query_pairs": null,
            "fields": {"decode:path": "/\u{FFFD}"}, "result": "/\u{FFFD}",
        })]
    );
}

#[test]
fn components_depend_on_the_standard() {
    let query = |standard| {
        uri([
            "get",
            "--standard",
            standard,
            "{path} {query}",
            "mailto:a@b?c",
        ])
        .out
    };
    assert_eq!(query("rfc2396"), "a@b?c \n");
    assert_eq!(query("rfc3986"), "a@b c\n");
    assert_eq!(
        uri(["get", "--standard", "rfc1808", "{params}", "a;b"]).out,
        "b\n"
    );
    assert_eq!(
        uri(["get", "--standard", "whatwg", "{host}", "HTTP:\\\\H"]).out,
        "h\n"
    );
}

#[test]
fn an_invalid_or_absent_component_is_reported_and_the_rest_is_filled() {
    let outcome = uri_with(["get", "{must:query}"], b"?a\n^\nb\n?\n");
    assert_eq!(outcome.out, "a\n\n\n\n");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.err.contains("uri: -:2:1: not valid"),
        "{}",
        outcome.err
    );
    assert!(
        outcome
            .err
            .contains("uri: -:3:1: `{must:query}` is absent\n  b\n"),
        "{}",
        outcome.err
    );
    let json = uri_with(["get", "--json", "{must:query}"], b"^\nb\n").json();
    assert_eq!(
        (&json[0]["valid"], &json[0]["text"]),
        (&json!(false), &json!(null))
    );
    assert_eq!(
        json[1]["error"]["message"],
        json!("`{must:query}` is absent")
    );
    // No message shows a password.
    let outcome = uri(["get", "{must:query}", "http://u:secret@h"]);
    assert!(!outcome.err.contains("secret"));
}

#[test]
fn hosts_by_idna() {
    let iri = |template, iri| {
        let outcome = uri(["get", "--standard", "rfc3987", template, iri]);
        assert_eq!(
            (outcome.err.as_str(), outcome.status),
            ("", 0),
            "{template}"
        );
        outcome.out.trim_end().to_owned()
    };
    let url = "HTTPS://u:p@B%C3%9Ccher.example/ü?#";
    for (template, expected) in [
        ("{puny:host}", "xn--bcher-kva.example"),
        ("{decode:puny:host}", "xn--bcher-kva.example"),
        ("{idn:host}", "bücher.example"),
        ("{puny:url}", "HTTPS://u:p@xn--bcher-kva.example/ü?#"),
        ("{idn:url}", "HTTPS://u:p@bücher.example/ü?#"),
        (
            "{default:puny:url}",
            "HTTPS://u:p@xn--bcher-kva.example:443/ü?#",
        ),
        ("{default:url}", "HTTPS://u:p@B%C3%9Ccher.example:443/ü?#"),
    ] {
        assert_eq!(iri(template, url), expected, "{template}");
    }
    assert_eq!(
        get("{idn:host}", "//xn--99zt52a.example.org"),
        "納豆.example.org"
    );
    // A host that needs no conversion remains as written.
    for host in ["EX%41MPLE.com", "[::1]", "127.0.0.1", "a_b", ""] {
        let url = format!("x://{host}/");
        assert_eq!(get("{puny:host}{idn:host}", &url), host.repeat(2));
        assert_eq!(get("{puny:url}", &url), url);
    }
    assert_eq!(get("{decode:idn:host}", "//EX%41MPLE.com"), "EXAMPLE.com");
    assert_eq!(get("{puny:url}{puny:host}", "mailto:a@b"), "mailto:a@b");
    assert_eq!(get("{default:url} {default:url}", "//h"), "//h //h");
    assert_eq!(get("{default:url}", "http://h:/"), "http://h:/");
    assert_eq!(uri(["get", "{puny:path}", "x:"]).status, 2);
}

#[test]
fn a_host_that_is_not_a_domain_name_is_reported() {
    let outcome = uri_with(["get", "{idn:host}"], b"//xn-----\n//a\n");
    assert_eq!((outcome.out.as_str(), outcome.status), ("\na\n", 1));
    assert_eq!(
        outcome.err,
        "uri: -:1:1: `{idn:host}`: expected an internationalized domain name as the host \
         (RFC 3987, 3.1)\n  //xn-----\n"
    );
    let outcome = uri(["get", "--json", "{puny:url}", "//%FC"]);
    assert_eq!(outcome.status, 1);
    assert_eq!(
        (&outcome.json()[0]["valid"], &outcome.json()[0]["text"]),
        (&json!(true), &json!(null))
    );
}

#[test]
fn strict_refuses_control_characters() {
    assert_eq!(get("{decode:path}", "/a%0Ab"), "/a\nb");
    assert_eq!(
        get("{strict:path}{decode:strict:query}", "/a%0Ab?%20"),
        "/a%0Ab "
    );
    for control in ["%0A", "%00", "%1F", "%7F"] {
        let outcome = uri([
            "get",
            "{strict:decode:path}",
            &format!("/a{control}b"),
            "/%C3%A9",
        ]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("\n/é\n", 1));
        let message =
            "uri: argument 1: `{strict:decode:path}`: the result contains a control character\n";
        assert!(outcome.err.starts_with(message), "{}", outcome.err);
    }
}

#[test]
fn pairs_between_any_separator() {
    for (separator, reference) in [
        (";", "?a=1&2;b=3"),
        ("Z", "?a=1&2Zb=3"),
        ("g", "?a=1&2gb=3"),
    ] {
        let outcome = uri([
            "get",
            "--query-separator",
            separator,
            "{query:a} {query-all:b}",
            reference,
        ]);
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            ("1&2 3\n", "")
        );
    }
    for wrong in ["", "aa", "a", "F", "0", "%", "=", " ", "é"] {
        let outcome = uri(["get", "--query-separator", wrong, "x", "x:"]);
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2), "{wrong}");
        assert!(
            outcome
                .err
                .contains("expected an ASCII letter or punctuation mark"),
            "{}",
            outcome.err
        );
    }
}

#[test]
fn pairs_in_json() {
    let pairs = |arguments: &[&str]| {
        let outcome = uri(["get", "--json", "x"].iter().chain(arguments));
        outcome.json()[0]["query_pairs"].clone()
    };
    assert_eq!(
        pairs(&["?q=caf%C3%A9+%2B&page&=x&a=b=c&"]),
        json!([
            {"key": "q", "value": "café++"}, {"key": "page", "value": null},
            {"key": "", "value": "x"}, {"key": "a", "value": "b=c"},
            {"key": "", "value": null},
        ])
    );
    // A value that is not UTF-8 remains as written.
    assert_eq!(
        pairs(&["?%FF%41=%41%FF"]),
        json!([{"key": "%FF%41", "value": "%41%FF"}])
    );
    assert_eq!(
        pairs(&["--query-separator", ";", "?a&b;c"]),
        json!([{"key": "a&b", "value": null}, {"key": "c", "value": null}])
    );
    assert_eq!(
        (pairs(&["?"]), pairs(&["/"]), pairs(&["^"])),
        (json!([]), json!(null), json!(null))
    );
    assert_eq!(
        pairs(&["--standard", "rfc2396", "mailto:a@b?c=d"]),
        json!(null)
    );
}
