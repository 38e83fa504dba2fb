//! Checks the rows of `testdata/mime/`. Bodies are also cut into pieces at each octet.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod support;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use support::{decoded, latin1, octets};
use urikit_mime::ContentType;
use urikit_mime::boundary::parts;
use urikit_mime::parameter::MAX_PARAMETERS;
use urikit_mime::transfer::Encoding;
use urikit_testkit::data::project_root;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<T> {
    row: Vec<T>,
}

fn rows<T: for<'d> Deserialize<'d>>(name: &str) -> Vec<T> {
    let path = project_root().join("testdata/mime").join(name);
    let text = fs::read_to_string(path).unwrap();
    toml::from_str::<File<T>>(&text).unwrap().row
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Encoded {
    origin: String,
    encoding: String,
    body: String,
    text: String,
}

#[test]
fn transfer_encodings() {
    for row in rows::<Encoded>("transfer.toml") {
        let encoding = Encoding::parse(row.encoding.as_bytes());
        let (body, text) = (octets(&row.body), octets(&row.text));
        let complete = decoded(encoding, [&body[..]]);
        assert_eq!(latin1(&complete.octets), latin1(&text), "{}", row.origin);
        // The positions do not depend on the pieces either.
        for size in 1..body.len() {
            assert_eq!(
                decoded(encoding, body.chunks(size)),
                complete,
                "{}",
                row.origin
            );
        }
        for cut in 0..body.len() {
            let (first, second) = body.split_at(cut);
            assert_eq!(
                decoded(encoding, [first, second]),
                complete,
                "{} at {cut}",
                row.origin
            );
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    origin: String,
    value: String,
    r#type: String,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    #[serde(default)]
    absent: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Plain(String),
    Extended([String; 3]),
}

#[test]
fn parameters() {
    for row in rows::<Content>("parameters.toml") {
        let Some(content) = ContentType::parse(row.value.as_bytes()) else {
            assert_eq!(row.r#type, "", "{}", row.origin);
            continue;
        };
        let name = [content.type_name(), b"/", content.subtype()].concat();
        assert_eq!(latin1(&name), row.r#type, "{}", row.origin);
        for (name, expected) in &row.parameters {
            let found = content.parameter(name);
            let found = found.unwrap_or_else(|| panic!("{}: no {name}", row.origin));
            let expected = match expected {
                Value::Plain(text) => [text, "", ""],
                Value::Extended([text, charset, language]) => [&**text, charset, language],
            };
            let found = [
                &*found.octets,
                found.charset.unwrap_or_default(),
                found.language.unwrap_or_default(),
            ];
            assert_eq!(found.map(latin1), expected, "{}: {name}", row.origin);
        }
        for name in &row.absent {
            assert_eq!(content.parameter(name), None, "{}: {name}", row.origin);
        }
        assert!(content.parameters().is_complete());
    }
}

#[test]
fn the_number_of_parameters_is_limited() {
    let with = |count: usize| {
        let parameter = |number| format!("; a{number}=b");
        format!("a/b{}", (0..count).map(parameter).collect::<String>())
    };
    let (most, more) = (with(MAX_PARAMETERS), with(MAX_PARAMETERS + 1));
    let content = ContentType::parse(most.as_bytes()).unwrap();
    assert!(content.parameters().is_complete());
    assert!(content.parameter("a255").is_some());
    let content = ContentType::parse(more.as_bytes()).unwrap();
    assert!(!content.parameters().is_complete());
    assert!(content.parameter("a255").is_some() && content.parameter("a256").is_none());
}

#[test]
fn boundaries() {
    let boundary = |value: &str| {
        let content = ContentType::parse(value.as_bytes()).unwrap();
        content.boundary().map(|it| latin1(&it))
    };
    let long = "b".repeat(994);
    for (value, expected) in [
        ("multipart/mixed; boundary=b", Some("b")),
        ("multipart/mixed; boundary=\"a b \"", Some("a b")),
        ("multipart/mixed; boundary=\" \"", None),
        ("multipart/mixed; boundary=", None),
        ("multipart/mixed", None),
        ("text/plain; boundary=b", None),
        (&format!("multipart/mixed; boundary={long}"), Some(&*long)),
        (&format!("multipart/mixed; boundary={long}b"), None),
    ] {
        assert_eq!(boundary(value).as_deref(), expected, "{value}");
    }
}

#[test]
fn splits_at_delimiter_lines() {
    let blank = " ".repeat(996);
    for (body, expected) in [
        (
            "preamble\r\n--b\r\n\r\none\r\n--b  \r\nA: b\r\n\r\ntwo\r\n--b--\r\n\
             epilogue\r\n--b\r\nno",
            &["\r\none", "A: b\r\n\r\ntwo"][..],
        ),
        // A truncated delimiter line is text.
        ("--b\n--bb\nx --b\n--b", &["--bb\nx --b\n--b"]),
        ("--b\nx\n--b --\n--b- -\n--b--", &["x\n--b --\n--b- -"]),
        ("--b\nwithout an end", &["without an end"]),
        ("--b\n--b--", &[""]),
        ("--b\n--b\n", &["", ""]),
        ("none", &[]),
        (&format!("--b{blank}\nx"), &[]),
        (&format!("--b{}\nx", &blank[1..]), &["x"]),
    ] {
        let found: Vec<&str> = parts(body.as_bytes(), b"b")
            .map(|range| &body[range])
            .collect();
        assert_eq!(found, expected, "{body}");
    }
}
