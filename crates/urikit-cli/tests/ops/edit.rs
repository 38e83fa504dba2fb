//! `uri edit`.

use crate::support::{Folder, keys, uri, uri_with};
use serde_json::json;
use urikit_testkit::rows::edits;

/// Runs `uri edit ARGUMENTS`, which must succeed and print these lines.
#[track_caller]
fn good(arguments: &[&str], lines: &[&str]) {
    let outcome = uri(["edit"].iter().chain(arguments));
    assert_eq!(outcome.err, "");
    assert_eq!(outcome.out.lines().collect::<Vec<_>>(), lines);
    assert_eq!(outcome.status, 0);
}

#[test]
fn every_row_through_the_command() {
    for (file, row) in edits() {
        if row.edits.iter().any(|edit| !edit.starts_with("--")) {
            continue; // only for the library
        }
        for standard in row.standards() {
            let edits = row.edits.iter().flat_map(|edit| edit.splitn(2, ' '));
            let before = ["edit", "--keep-port", "--standard", standard];
            let arguments = before.into_iter().chain(edits).chain(["--", &row.input]);
            let outcome = uri(arguments);
            let place = format!("{file}: {standard}: {:?} {:?}", row.input, row.edits);
            if let Some(result) = &row.result {
                assert_eq!(outcome.out, format!("{result}\n"), "{place}");
                assert_eq!((outcome.err.as_str(), outcome.status), ("", 0), "{place}");
            } else if row.error.as_deref() == Some("no params") {
                // The standard has no params, so the input does not matter.
                assert_eq!((outcome.out.as_str(), outcome.status), ("", 2), "{place}");
                assert!(outcome.err.contains("--standard rfc1808"), "{place}");
            } else {
                assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1), "{place}");
                assert!(outcome.err.starts_with("uri: argument 1: "), "{place}");
            }
        }
    }
}

#[test]
fn components_are_set_together() {
    good(
        &["-s", "scheme=http", "-shost=h", "--set=path=/a b", ""],
        &["http://h/a%20b"],
    );
    good(
        &["-s", "user=", "-s", "port=", "http://u@h:1/?#"],
        &["http://h/?#"],
    );
    good(
        &["-s", "query:=", "-s", "fragment:=", "http://h"],
        &["http://h?#"],
    );
    good(&["-s", "port?=99", "//a:88", "//a"], &["//a:88", "//a:99"]);
    good(
        &["-s", "scheme?=https", "ftp://a", "//a"],
        &["ftp://a", "https://a"],
    );
    good(&["-s", "host=[::1]", "http://a/"], &["http://[::1]/"]);
    good(&["-s", "user=:hej:", "http://h/"], &["http://%3Ahej%3A@h/"]);
}

#[test]
fn escapes_are_treated_in_three_ways() {
    good(&["-s", "path=/%41 %", "http://h"], &["http://h/%41%20%25"]);
    good(
        &["--raw", "-s", "path=/%41 %", "http://h"],
        &["http://h/%2541%20%25"],
    );
    good(&["-s", "path:=/%41", "http://h"], &["http://h/%41"]);
    good(
        &["--raw", "-a", "query=a b=1+1&", "http://h"],
        &["http://h?a%20b=1%2B1%26"],
    );
    good(
        &["--raw", "-a", "path=%61", "--replace", "q=%00", "//h/a?q=1"],
        &["//h/a/%2561?q=%2500"],
    );
    let outcome = uri(["edit", "-s", "path:=/a b", "http://u:secret@h"]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: the result would not be valid under RFC 3986: found a space\n\
         \x20 http://u:***@h/a b\n\
         \x20                 ^\n\
         \x20 expected a path character, `/`, `?`, `#` or the end\n\
         \x20 segment, RFC 3986, 3.3\n"
    );
    assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
}

#[test]
fn pairs_are_trimmed_replaced_appended_and_sorted() {
    let url = "https://example.com?search=hello&utm_source=tracker&more=data";
    good(
        &["--trim", "query=utm_*", url],
        &["https://example.com?search=hello&more=data"],
    );
    good(
        &[
            "--qtrim",
            "utm_source",
            "--qtrim",
            "more",
            "--qtrim",
            "search",
            url,
        ],
        &["https://example.com"],
    );
    good(
        &["--qtrim", "\\*", "//h?*=moo&user=many#more"],
        &["//h?user=many#more"],
    );
    good(
        &["--replace", "b=foo", "//h?a=123&b=321&b=987"],
        &["//h?a=123&b=foo"],
    );
    good(
        &["--replace", "key", "//h?that=thing&key=foo"],
        &["//h?that=thing&key"],
    );
    good(
        &["--replace", "key=foo", "//h?that=thing"],
        &["//h?that=thing"],
    );
    good(
        &["--replace-append", "key=foo", "//h?that=thing"],
        &["//h?that=thing&key=foo"],
    );
    good(&["--force-replace", "key=foo", "//h"], &["//h?key=foo"]);
    good(
        &["-a", "query=c=moo", "--sort-query", "//h/foo?x=hi#rye"],
        &["//h/foo?c=moo&x=hi#rye"],
    );
    good(
        &[
            "--qtrim",
            "a",
            "-a",
            "query=a=ciao",
            "-a",
            "query=b=salve",
            "//h?a=hi&b=hello&x=y",
        ],
        &["//h?b=hello&x=y&a=ciao&b=salve"],
    );
    good(
        &["--sort-query", "--query-separator", ":", "//h?u=t:a=h:t"],
        &["//h?a=h:t:u=t"],
    );
    good(
        &["-a", "path=add", "-a", "path=two", "//h"],
        &["//h/add/two"],
    );
}

#[test]
fn ports_are_kept_omitted_or_written() {
    good(&["-s", "port=443", "https://h:22/"], &["https://h/"]);
    good(
        &["-s", "port=443", "--keep-port", "https://h:22/"],
        &["https://h:443/"],
    );
    good(&["-s", "port:=443", "https://h:22/"], &["https://h:443/"]);
    good(
        &["-s", "fragment=x", "https://h:443/"],
        &["https://h:443/#x"],
    );
    good(
        &["-s", "scheme=ftp", "-s", "port=21", "https://h/"],
        &["ftp://h/"],
    );
    good(
        &["--default-port", "https://h/", "x://h/", "ftp://h:1/"],
        &["https://h:443/", "x://h/", "ftp://h:1/"],
    );
    good(
        &["--default-port", "mailto:a@b", "//h", "/x"],
        &["mailto:a@b", "//h", "/x"],
    );
    // Leading zeros do not change the number.
    good(&["-s", "port=0443", "https://h:22/"], &["https://h/"]);
    good(&["-s", "port:=0443", "https://h:22/"], &["https://h:0443/"]);
    // No port is added without a host.
    good(
        &["--default-port", "http:///x", "http:x", "http://u@/x"],
        &["http:///x", "http:x", "http://u@/x"],
    );
    good(
        &["--default-port", "-s", "host=h", "http:///x", "http:/x"],
        &["http://h:80/x", "http://h:80/x"],
    );
}

#[test]
fn words_are_combined() {
    good(
        &[
            "--iterate",
            "port=81 443",
            "--iterate",
            "scheme=sftp moo",
            "https://h",
        ],
        &["sftp://h:81", "moo://h:81", "sftp://h:443", "moo://h:443"],
    );
    good(
        &["--iterate", "port=22 80", "-s", "host=g", "http://h"],
        &["http://g:22", "http://g"],
    );
    // One of the words may be invalid.
    let outcome = uri(["edit", "--iterate", "port=1 x 2", "http://h"]);
    assert_eq!(outcome.out, "http://h:1\n\nhttp://h:2\n");
    assert_eq!(outcome.status, 1);
}

#[test]
fn an_invalid_input_stops_no_other() {
    let outcome = uri_with(
        ["edit", "-s", "fragment=x"],
        b"http://a/\n\xff\nhttp://b/ c\n\nhttp://d/",
    );
    assert_eq!(outcome.out, "http://a/#x\n\n\n#x\nhttp://d/#x\n");
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("uri: -:2:1: ") && outcome.err.contains("uri: -:3:10: "));
    let outcome = uri(["edit", "-q", "-s", "port=1", "mailto:a@b", "//a"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str()),
        ("\n//a:1\n", "")
    );
}

#[test]
fn json_is_the_object_of_parse_for_the_result() {
    let input = "http://u:p@h/";
    let edited = uri(["edit", "--json", "-s", "query:=", input]);
    let parsed = uri(["parse", "--json", "http://u:p@h/?"]);
    let parsed = parsed
        .out
        .split_once(r#","standard""#)
        .and_then(|(_, rest)| rest.split_once(r#","domain""#))
        .unwrap()
        .0
        .to_owned();
    let start = r#"{"input":"http://u:p@h/","edited":"http://u:p@h/?","standard""#;
    let end = r#","result":"http://u:p@h/?"}"#;
    assert_eq!(edited.out, format!("{start}{parsed}{end}\n"));

    let outcome = uri(["edit", "--json", "-s", "port=1", "^", "mailto:a@b"]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 1));
    let [invalid, refused] = &outcome.json()[..] else {
        panic!("{}", outcome.out);
    };
    assert_eq!(invalid["error"]["offset"], json!(0));
    assert_eq!(refused["error"]["offset"], json!(null));
    assert_eq!(refused["error"]["message"], json!("a port needs a host"));
    assert_eq!(keys(invalid), keys(refused));
    assert_eq!(
        (&refused["edited"], &refused["valid"]),
        (&json!(null), &json!(false))
    );
}

#[test]
fn pairs_in_json_are_those_of_the_result() {
    let input = "http://h/?a=1Zb=%C3%A9Z";
    let options = [
        "edit",
        "--json",
        "--query-separator",
        "Z",
        "--replace",
        "a=xZ",
        input,
    ];
    let edited = &uri(options).json()[0];
    assert_eq!(edited["edited"], json!("http://h/?a=x%5AZb=%C3%A9Z"));
    assert_eq!(
        edited["query_pairs"],
        json!([
            {"key": "a", "value": "xZ"}, {"key": "b", "value": "é"}, {"key": "", "value": null},
        ])
    );
    for absent in uri(["edit", "--json", "--qtrim", "a", "//h?a", "^"]).json() {
        assert_eq!(absent["query_pairs"], json!(null));
    }
}

#[test]
fn messages_say_what_is_missing() {
    let message = |arguments: &[&str]| uri(["edit"].iter().chain(arguments)).err;
    assert_eq!(
        message(&["-s", "path:=a", "http://h/"]),
        "uri: argument 1: a path after a host must begin with `/`\n  http://h/\n"
    );
    assert_eq!(
        message(&["-s", "user=", "http://u:secret@h/"]),
        "uri: argument 1: a password needs a user; `-s userinfo=` removes both, and `-s user:=` \
         makes the user empty\n\
         \x20 http://u:***@h/\n"
    );
    assert!(message(&["-s", "query", "http://h/"]).starts_with(
        "uri: `--set`: expected COMPONENT=TEXT; `query=` removes the query, and `query:=` makes \
         it empty\n"
    ));
    assert!(message(&["-s", "secret"]).starts_with("uri: `--set`: expected COMPONENT=TEXT\n"));
    // The hints in the messages are correct.
    good(&["-s", "userinfo=", "http://u:p@h/?q"], &["http://h/?q"]);
    good(&["-s", "user:=", "http://u:p@h/?q"], &["http://:p@h/?q"]);
    good(&["-s", "query=", "http://u:p@h/?q"], &["http://u:p@h/"]);
    good(&["-s", "query:=", "http://u:p@h/?q"], &["http://u:p@h/?"]);
}

#[test]
fn invalid_options_are_usage_errors() {
    for arguments in [
        &["-s", "nope=secret"][..],
        &["-s", "host"],
        &["-s", "port=1", "-s", "port=2"],
        &["-s", "port=1", "--iterate", "port=2 3"],
        &["-s", "user=1", "-s", "userinfo=2"],
        &["--iterate", "port="],
        &["-a", "host=x"],
        &["--trim", "path=x"],
        &["--query-separator", "aa"],
        &["--query-separator", "A"],
        &["--query-separator", "#"],
        &["--query-separator", "<"],
        &["-s", "params="],
        &["--standard", "rfc2396", "--iterate", "params=1 2"],
        &["--replace"],
    ] {
        let outcome = uri(["edit"]
            .iter()
            .chain(arguments)
            .chain(&["http://h/"])
            .take(arguments.len() + 1));
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{arguments:?}"
        );
        assert!(
            !outcome.err.is_empty() && !outcome.err.contains("secret"),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_thousand_pairs_and_megabytes_pass_and_threads_keep_the_order() {
    let pairs: Vec<String> = (0..1_000).map(|n| format!("k{n}=v")).collect();
    let query = pairs.join("&");
    let long = "x".repeat(3 << 20);
    let mut input = format!("http://h/?{query}\nhttp://h/{long}?k1=2#\n");
    let outcome = uri_with(["edit", "--replace", "k1=new"], input.as_bytes());
    let expected = query.replacen("k1=v", "k1=new", 1);
    assert!(outcome.out == format!("http://h/?{expected}\nhttp://h/{long}?k1=new#\n"));
    for number in 0..20_000 {
        input += "http://h";
        input += &number.to_string();
        input += "/\n";
    }
    let one = uri_with(["edit", "-s", "query=x"], input.as_bytes());
    assert!(one == uri_with(["edit", "-j3", "-s", "query=x"], input.as_bytes()));
    let folder = Folder::new();
    let file = folder.file("list", &input);
    assert!(one == uri(["edit", "-s", "query=x", "-f", &file]));
}
