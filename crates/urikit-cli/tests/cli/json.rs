//! `uri parse --json`: the keys and their order are a public interface.

use crate::support::{keys, uri};
use serde_json::{Value, json};

fn parse(standard: &str, text: &str) -> Value {
    let outcome = uri(["parse", "--json", "--standard", standard, text]);
    assert_eq!(outcome.err, "", "errors are in the object");
    let mut lines = outcome.json();
    assert_eq!(lines.len(), 1);
    let value = lines.remove(0);
    assert_eq!(outcome.status, i32::from(value["valid"] != json!(true)));
    value
}

#[test]
fn the_contract_to_the_byte() {
    let outcome = uri([
        "parse",
        "--json",
        "--standard",
        "rfc1738",
        "ftp://foo:@h.dom:21/%2Fetc/motd;type=a",
    ]);
    assert_eq!(
        outcome.out,
        concat!(
            r#"{"input":"ftp://foo:@h.dom:21/%2Fetc/motd;type=a","standard":"rfc1738","#,
            r#""valid":true,"generic_valid":true,"error":null,"form":"absolute","scheme":"ftp","#,
            r#""authority":"foo:@h.dom:21","userinfo":"foo:","user":"foo","password":"","#,
            r#""host":"h.dom","host_kind":"name","port":"21","path":"/%2Fetc/motd;type=a","#,
            r#""params":null,"query":null,"fragment":null,"opaque":false,"#,
            r#""details":{"scheme":"ftp","cwd":["/etc"],"name":"motd","type":"a"},"#,
            r#""scheme_text":"RFC 1738, 3.2","scheme_error":null,"port_number":21,"#,
            r#""query_pairs":null,"domain":"h.dom","suffix":"dom","#,
            r#""result":"form\tabsolute\nscheme\tftp\nauthority\tfoo:@h.dom:21\n"#,
            r#"userinfo\tfoo:\nuser\tfoo\npassword\t\nhost\th.dom\nhost_kind\tname\nport\t21\n"#,
            r#"path\t/%2Fetc/motd;type=a"}"#,
            "\n"
        )
    );
}

#[test]
fn an_invalid_input_has_the_same_keys_and_no_components() {
    let valid = parse("rfc3986", "a:b");
    let invalid = parse("rfc2396", "http://a/b^c");
    assert_eq!(keys(&valid), keys(&invalid));
    let error = json!({
        "class": "syntax",
        "offset": 10, "found": "^", "expected": "a path character, `/`, `?`, `#` or the end",
        "production": "segment", "section": "RFC 2396, 3.3",
        "message": "expected a path character, `/`, `?`, `#` or the end, but found `^` at byte 10 \
                    (segment, RFC 2396, 3.3)",
    });
    assert_eq!(invalid["error"], error);
    assert_eq!(
        keys(&invalid["error"]),
        [
            "class",
            "offset",
            "found",
            "expected",
            "production",
            "section",
            "message"
        ]
    );
    for key in keys(&invalid).into_iter().skip_while(|key| *key != "form") {
        assert_eq!(invalid[key], Value::Null, "{key}");
    }
}

#[test]
fn at_the_end_nothing_is_found() {
    let error = &parse("rfc3986", "http://a/%4")["error"];
    assert_eq!(error["offset"], json!(11));
    assert_eq!(error["found"], Value::Null);
    assert_eq!(error["production"], json!("pct-encoded"));
}

#[test]
fn generic_valid_differs_under_the_first_two_standards() {
    let value = parse("rfc1738", "http:xyz");
    assert_eq!(value["valid"], json!(false));
    assert_eq!(value["generic_valid"], json!(true));
    assert_eq!(value["error"]["offset"], json!(5));
    assert_eq!(value["path"], json!("xyz"));
    // The specific production accepts this URI, but the generic `uri` of RFC 1630 does not allow
    // the colon.
    let value = parse("rfc1630", "http://info.cern.ch:8000/imaginary/test");
    assert_eq!(value["valid"], json!(true));
    assert_eq!(value["generic_valid"], json!(false));
    assert_eq!(value["port"], json!("8000"));
    for standard in [
        "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987", "whatwg",
    ] {
        for text in ["http://a/", "http://a b/"] {
            let value = parse(standard, text);
            assert_eq!(value["valid"], value["generic_valid"], "{standard} {text}");
        }
    }
}

#[test]
fn whatwg_has_the_url_record_and_errors_without_offsets() {
    let value = parse("whatwg", "//a/b");
    assert_eq!(
        value["error"],
        json!({
            "class": "syntax", "offset": null, "found": null, "expected": null, "production": null,
            "section": "WHATWG URL", "message": "relative URL without a base",
        })
    );
    let value = parse("whatwg", " HTTP:\\\\u:p@0x7f.1:8080\\a b?#");
    for (key, expected) in [
        ("scheme", json!("http")),
        ("authority", json!("u:p@127.0.0.1:8080")),
        ("userinfo", json!("u:p")),
        ("user", json!("u")),
        ("password", json!("p")),
        ("host", json!("127.0.0.1")),
        ("host_kind", json!("ipv4")),
        ("port", json!("8080")),
        ("path", json!("/a%20b")),
        ("query", json!("")),
        ("fragment", json!("")),
        ("opaque", json!(false)),
    ] {
        assert_eq!(value[key], expected, "{key}");
    }
    for (text, kind) in [
        ("http://[::1]/", json!("ipv6")),
        ("http://a_b/", json!("reg-name")),
        ("http://münchen.de/", json!("name")),
        ("file:///x", json!("empty")),
        ("foo:/x", Value::Null),
    ] {
        assert_eq!(parse("whatwg", text)["host_kind"], kind, "{text}");
    }
    assert_eq!(parse("whatwg", "mailto:a@b")["opaque"], json!(true));
    assert_eq!(parse("whatwg", "http://@h/")["userinfo"], Value::Null);
}

#[test]
fn data_is_exact() {
    let value = parse("rfc3986", "http://u:secret@h/\u{1b}\"\\");
    assert_eq!(value["input"], json!("http://u:secret@h/\u{1b}\"\\"));
    assert_eq!(
        parse("rfc3986", "http://u:secret@h/")["password"],
        json!("secret")
    );
}
