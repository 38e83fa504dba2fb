//! `uri extract`: its output, files and folders, and errors.

use crate::support::{Folder, command, run_with, uri, uri_with};
use serde_json::json;

/// RFC 1738, Appendix.
const TEXT: &str = "\
    Yes, Jim, I found it under \"<URL:ftp://info.cern.ch/pub/www/doc;\ntype=d>\" but you can \
    probably pick it up from <URL:ftp://ds.in\nternic.net/rfc>.";

#[test]
fn the_contract_to_the_byte() {
    let outcome = uri_with(["extract", "--json"], TEXT.as_bytes());
    let first = outcome.out.lines().next().unwrap();
    assert_eq!(
        first,
        concat!(
            r#"{"source":"-","line":1,"column":29,"start":28,"end":72,"kind":"wrapped","#,
            r#""text":"<URL:ftp://info.cern.ch/pub/www/doc;\ntype=d>","#,
            r#""uri":"ftp://info.cern.ch/pub/www/doc;type=d","target":null,"#,
            r#""alternative":null,"part":null,"place":null,"valid":true,"error":null,"repaired":null,"#,
            r#""cut":false,"template":false,"#,
            r#""result":"ftp://info.cern.ch/pub/www/doc;type=d"}"#,
        )
    );
    assert_eq!(outcome.json()[1]["uri"], json!("ftp://ds.internic.net/rfc"));
    assert_eq!(outcome.json()[1]["line"], json!(2));
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
}

#[test]
fn one_reference_per_line_with_file_and_line_on_request() {
    let folder = Folder::new();
    let file = folder.file(
        "a.txt",
        "x\nhttp://a.example/ and mailto:b@c.example\n\nnews:a.b",
    );
    let plain = uri(["extract", &file]);
    assert_eq!(
        plain.out,
        "http://a.example/\nmailto:b@c.example\nnews:a.b\n"
    );
    let placed = uri(["extract", "-nH", &file]);
    assert_eq!(
        placed.out,
        format!("{file}:2:http://a.example/\n{file}:2:mailto:b@c.example\n{file}:4:news:a.b\n")
    );
    assert_eq!(
        uri(["extract", "-n", &file]).out.lines().last(),
        Some("4:news:a.b")
    );
    assert_eq!(uri(["extract", "-c", &file]).out, "3\n");
    assert_eq!(uri(["extract", "-cH", &file]).out, format!("{file}:3\n"));
}

#[test]
fn kinds_schemes_and_unique() {
    let text = b"http://a www.b.example c@d.example HTTP://e <http://f> http://a";
    let lines = |arguments: &[&str]| {
        let all = ["extract"].iter().chain(arguments);
        uri_with(all, text)
            .out
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&[]), ["http://a", "HTTP://e", "http://f", "http://a"]);
    assert_eq!(lines(&["--unique"]), ["http://a", "HTTP://e", "http://f"]);
    assert_eq!(lines(&["--unique", "-c"]), ["3"]);
    assert_eq!(lines(&["--kinds", "wrapped"]), ["http://f"]);
    assert_eq!(
        lines(&["--kinds", "abbreviated,address"]),
        ["http://www.b.example", "mailto:c@d.example"]
    );
    assert_eq!(lines(&["--kinds", "all"]).len(), 6);
    assert_eq!(
        lines(&["--kinds", "all", "--scheme", "mailto"]),
        ["mailto:c@d.example"]
    );
    assert_eq!(lines(&["--scheme", "gopher"]), <[&str; 0]>::default());
}

#[test]
fn invalid_links_in_markup_are_reported() {
    let page = b"<base href=http://a/><a href='b c'>d</a> <a href=\"e|f\"> <a href=g> \
                 <a href=http://h@i@j/>";
    let outcome = uri_with(["extract", "--json", "-v"], page);
    let found = outcome.json();
    assert_eq!(found[1]["uri"], json!("b c"));
    assert_eq!(found[1]["target"], json!("http://a/b%20c"));
    assert_eq!(found[1]["error"]["offset"], json!(1));
    assert_eq!(found[1]["error"]["found"], json!(" "));
    assert_eq!(found[1]["error"]["section"], json!("RFC 3986, 3.3"));
    assert_eq!(
        found[1]["repaired"],
        json!({"text": "b%20c", "changes": [{"offset": 1, "found": " ", "became": "%20"}]})
    );
    assert_eq!(found[2]["error"]["found"], json!("|"));
    assert_eq!(found[2]["repaired"]["text"], json!("e%7Cf"));
    assert_eq!(found[3]["target"], json!("http://a/g"));
    assert_eq!(found[3]["error"], json!(null));
    assert_eq!(found[3]["repaired"], json!(null));
    // A reference is not repaired if it is unclear which host it refers to.
    assert_eq!(found[4]["target"], json!(null));
    assert_eq!(found[4]["error"]["found"], json!("@"));
    assert_eq!(found[4]["repaired"], json!(null));
    assert_eq!(
        outcome.err,
        "uri: -:1:31: not valid under RFC 3986: found a space\n  b c\n   ^\n  \
         expected a path character, `/`, `?`, `#` or the end\n  segment, RFC 3986, 3.3\n  \
         repaired: b%20c\n\
         uri: -:1:51: not valid under RFC 3986: found `|`\n  e|f\n   ^\n  \
         expected a path character, `/`, `?`, `#` or the end\n  segment, RFC 3986, 3.3\n  \
         repaired: e%7Cf\n\
         uri: -:1:76: not valid under RFC 3986: found `@`\n  http://h@i@j/\n            ^\n  \
         expected a host character, `:`, `/`, `?`, `#` or the end\n  authority, RFC 3986, 3.2\n"
    );
    let plain = uri_with(["extract", "-v"], page);
    assert_eq!(
        plain.out,
        "http://a/\nhttp://a/b%20c\nhttp://a/e%7Cf\nhttp://a/g\nhttp://h@i@j/\n"
    );
    assert_eq!((plain.status, &plain.err), (0, &outcome.err));
    assert_eq!(uri_with(["extract", "-q", "--strict"], page).status, 1);
    assert_eq!(uri_with(["extract", "--strict"], page).status, 1);
    assert_eq!(uri_with(["extract", "--strict"], b"http://a/").status, 0);
    // Links that were not requested are not reported.
    assert_eq!(uri_with(["extract", "--scheme", "ftp"], page).err, "");
}

#[test]
fn utf_16_is_text_and_its_offsets_are_those_in_the_file() {
    let text = "\u{FEFF}é\nsee http://a.example/ now";
    let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.push(0);
    let outcome = uri_with(["extract", "--json"], &bytes);
    let found = &outcome.json()[0];
    assert_eq!(found["uri"], json!("http://a.example/"));
    assert_eq!((&found["line"], &found["column"]), (&json!(2), &json!(5)));
    assert_eq!((&found["start"], &found["end"]), (&json!(14), &json!(48)));
    assert_eq!(
        outcome.err,
        "uri: -: 1 byte is not valid UTF-16LE, and was skipped\n"
    );
}

/// A byte order mark takes up no column, in any charset.
#[test]
fn byte_order_marks_are_not_columns() {
    let text = "\u{FEFF}http://a.example/\n";
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, start) in [(text.as_bytes(), 3), (&utf_16, 2)] {
        for format in ["text", "markdown", "csv", "org", "html"] {
            let outcome = uri_with(["extract", "--json", "--as", format], bytes);
            let found = &outcome.json()[0];
            assert_eq!((&found["line"], &found["column"]), (&json!(1), &json!(1)));
            assert_eq!(found["start"], json!(start), "{format}");
        }
    }
}

#[test]
fn mail_with_too_many_parameters_is_mentioned() {
    // Before the number of sections was limited, this mail took seconds.
    let parameters = "; a*1=b".repeat(480_000);
    let mail = format!("Content-Type: text/plain{parameters}\n\nhttp://a.example/\n");
    let outcome = uri_with(["extract", "--as", "mail"], mail.as_bytes());
    assert_eq!((outcome.status, &*outcome.out), (0, "http://a.example/\n"));
    assert_eq!(
        outcome.err,
        "uri: -: header fields with too many parameters: 1\n"
    );
}

#[test]
fn folders_are_walked_by_name_and_keep_the_order() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    for nth in 0..40 {
        folder.file(
            &format!("b/{nth:02}"),
            format!("http://h{nth:02}/ ").repeat(if nth % 7 == 0 { 9_000 } else { 1 }),
        );
    }
    folder.file("a", "http://first/");
    folder.file("c", "http://last/");
    folder.file(".hidden", "http://hidden/");
    let path = folder.path().to_str().unwrap();
    let expected = uri(["extract", "-j1", path]);
    assert!(
        expected.out.starts_with("http://first/\nhttp://h00/\n"),
        "{}",
        expected.out
    );
    assert!(expected.out.ends_with("http://h39/\nhttp://last/\n"));
    assert_eq!(expected.out.lines().count(), 2 + 34 + 6 * 9_000);
    for jobs in ["-j0", "-j2", "-j7"] {
        assert!(uri(["extract", jobs, path]) == expected, "{jobs}");
    }
    assert!(
        uri(["extract", "--hidden", path])
            .out
            .starts_with("http://hidden/\n")
    );
    let counts = uri(["extract", "-c", path]);
    assert!(
        counts
            .out
            .starts_with(&format!("{path}/a:1\n{path}/b/00:9000\n")),
        "{}",
        counts.out
    );
}

#[test]
fn a_file_has_one_line_for_each_reason() {
    let folder = Folder::new();
    let page = folder.file(
        "a.html",
        "<a href='b c'> http://a.example/b...\n<a href='d e f'>",
    );
    let many = "http://a.example/?b[]=c\n".repeat(5000);
    let text = folder.file("b.txt", many + "http://a.example/b|c");
    let outcome = uri(["extract", "-q", &page, &text]);
    assert_eq!((outcome.status, &*outcome.err), (0, ""));
    let outcome = uri(["extract", "--json", "--strict", &page, &text]);
    assert_eq!(
        outcome.err,
        format!(
            "uri: {page}:1:10: not valid under RFC 3986: found a space (the first of 2; -v reports \
             each)\nuri: {page}:1:16: the link is cut off, but continues in the text\n\
             uri: {text}:1:1: not valid under RFC 3986: found `[` (the first of 5000; -v reports \
             each)\nuri: {text}:5001:1: not valid under RFC 3986: found `|`\n"
        )
    );
    assert_eq!(outcome.status, 1);
    let found = outcome.json();
    let is_reported = |found: &&serde_json::Value| !found["error"].is_null();
    assert_eq!(found.iter().filter(is_reported).count(), 5003);
    let verbose = uri(["extract", "--verbose", &page, &text]).err;
    let lines = verbose.lines().filter(|line| line.starts_with("uri:"));
    assert_eq!(lines.count(), 5004);
}

#[test]
fn an_unreadable_file_is_reported_and_the_others_are_read() {
    let folder = Folder::new();
    let binary = folder.file("binary", b"http://a/ \0 http://b/");
    let odd = folder.file("odd", b"http://c/\xff http://d/");
    let missing = folder.path().join("missing");
    let arguments = ["extract", missing.to_str().unwrap(), &binary, &odd];
    let outcome = uri(arguments);
    assert_eq!(outcome.out, "http://c/\nhttp://d/\n");
    assert_eq!(outcome.status, 3);
    let lines: Vec<_> = outcome.err.lines().collect();
    assert!(
        lines[0].ends_with("missing: No such file or directory"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].ends_with("odd:1:1: the link is cut off, but continues in the text"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].ends_with("odd: 1 byte is not valid UTF-8, and was skipped"),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].contains("binary: skipped: it is binary"),
        "{}",
        lines[3]
    );
    assert_eq!(lines.len(), 4);
    let quiet = uri(["extract", "-q", missing.to_str().unwrap(), &odd]);
    assert_eq!((quiet.err.as_str(), quiet.status), ("", 3));
    // With --as text, the file is read.
    let read = uri(["extract", "--as", "text", &binary]);
    assert_eq!(
        (read.out.as_str(), read.status),
        ("http://a/\nhttp://b/\n", 0)
    );
}

#[test]
fn the_status_is_1_if_nothing_is_found() {
    let outcome = uri_with(["extract"], b"README.md 1.2.3.4 a::b os.path.join");
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str(), outcome.status),
        ("", "", 1)
    );
    assert_eq!(uri_with(["extract", "-c"], b"").out, "");
}

#[test]
fn an_invalid_base_is_a_usage_error() {
    for base in ["", "a/b", "http://a b/", "//a/"] {
        let outcome = uri_with(["extract", "--base", base], b"http://a/");
        assert_eq!((outcome.out.as_str(), outcome.status), ("", 2), "{base}");
        assert!(
            outcome.err.starts_with("uri: --base: expected "),
            "{}",
            outcome.err
        );
    }
    let outcome = uri_with(
        ["extract", "--base", "http://a/b/c", "--json"],
        b"<URL:http://x/y>",
    );
    assert_eq!(outcome.json()[0]["target"], json!("http://x/y"));
}

#[test]
fn a_closed_pipe_ends_it_silently() {
    let folder = Folder::new();
    let file = folder.file("many", "http://a.example/\n".repeat(200_000));
    let script = format!("{} extract {file} | head -n 1", env!("CARGO_BIN_EXE_uri"));
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"http://a.example/\n");
    assert_eq!(output.stderr, b"");
}

#[test]
fn a_reference_given_as_a_file_shows_no_password() {
    let mut command = command();
    command.args(["extract", "http://u:s3kr1t@h/"]);
    let outcome = run_with(command, b"");
    assert_eq!(outcome.status, 3);
    assert!(!outcome.err.contains("s3kr1t"), "{}", outcome.err);
}

#[test]
fn links_are_taken_whole_and_reported() {
    let text = b"see http://a.example/?b[]=c and http://a.example/d http://e:f/g";
    let outcome = uri_with(["extract", "--json", "-v"], text);
    let found = outcome.json();
    assert_eq!(found[0]["uri"], json!("http://a.example/?b[]=c"));
    assert_eq!(found[0]["valid"], json!(false));
    assert_eq!(found[0]["error"]["offset"], json!(19));
    assert_eq!(
        found[0]["repaired"]["text"],
        json!("http://a.example/?b%5B%5D=c")
    );
    assert_eq!(
        (&found[1]["valid"], &found[1]["error"]),
        (&json!(true), &json!(null))
    );
    assert_eq!(found[2]["repaired"], json!(null));
    let lines: Vec<_> = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("uri:"))
        .collect();
    assert_eq!(lines[0], "uri: -:1:5: not valid under RFC 3986: found `[`");
    assert_eq!(lines.len(), 2);
    assert!(
        outcome
            .err
            .contains("\n  repaired: http://a.example/?b%5B%5D=c\n")
    );
    let plain = uri_with(["extract", "-v"], text);
    assert_eq!((plain.status, plain.err), (0, outcome.err));
    assert_eq!(
        plain.out,
        "http://a.example/?b[]=c\nhttp://a.example/d\nhttp://e:f/g\n"
    );
    assert_eq!(uri_with(["extract", "--strict"], text).status, 1);
    assert_eq!(uri_with(["extract", "-q"], text).err, "");
    // Passwords are masked in messages.
    let secret = uri_with(["extract"], b"http://user:s3kr1t@h/a|b");
    assert!(
        !secret.err.contains("s3kr1t") && secret.out.contains("s3kr1t"),
        "{}",
        secret.err
    );
}

#[test]
fn a_cut_link_says_so() {
    let outcome = uri_with(
        ["extract", "--json"],
        "http://a.example/b\u{200B}c".as_bytes(),
    );
    assert_eq!(outcome.json()[0]["cut"], json!(true));
    assert_eq!(
        outcome.err,
        "uri: -:1:1: the link is cut off, but continues in the text\n"
    );
}

#[test]
fn references_are_judged_by_the_chosen_standard() {
    let text = "http://[::1]/ http://a.example/é http://a.example/b|c http://d:e/".as_bytes();
    let valid = |standard: &str| {
        let outcome = uri_with(["extract", "--json", "--standard", standard], text);
        let valid = outcome
            .json()
            .iter()
            .map(|found| found["valid"].as_bool())
            .collect();
        let valid: Option<Vec<bool>> = valid;
        valid.unwrap()
    };
    assert_eq!(valid("rfc3986"), [true, false, false, false]);
    assert_eq!(valid("rfc3987"), [true, true, false, false]);
    // Under RFC 2396, `d:e` is a registry-based name.
    assert_eq!(valid("rfc2396"), [false, false, false, true]);
    assert_eq!(valid("whatwg"), [true, true, true, false]);
    let page = b"<base href=http://a.example/><a href='b c'>";
    let outcome = uri_with(["extract", "--json", "--standard", "whatwg"], page);
    assert_eq!(outcome.json()[1]["target"], json!("http://a.example/b%20c"));
    assert_eq!(outcome.err, "");
}

#[test]
fn defanged_indicators_on_request() {
    let text = b"hxxp://evil[.]example/a http://good.example/ jo[@]evil[.]com";
    assert_eq!(uri_with(["extract"], text).out, "http://good.example/\n");
    assert_eq!(
        uri_with(["extract", "--kinds", "all"], text).out,
        "http://good.example/\n"
    );
    assert_eq!(
        uri_with(["extract", "--refang"], text).out,
        "hxxp://evil[.]example/a\thttp://evil.example/a\nhttp://good.example/\n\
         jo[@]evil[.]com\tmailto:jo@evil.com\n"
    );
    let outcome = uri_with(["extract", "--json", "--kinds", "defanged"], text);
    let found = outcome.json();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["kind"], json!("defanged"));
    assert_eq!(found[0]["text"], json!("hxxp://evil[.]example/a"));
    assert_eq!(found[0]["uri"], json!("http://evil.example/a"));
}

#[test]
fn templates_on_request() {
    let text = b"https://s3.{Region}.amazonaws.com/x http://a.example/%s http://b.example/";
    let outcome = uri_with(["extract"], text);
    assert_eq!(outcome.out, "http://b.example/\n");
    assert_eq!(outcome.err, "");
    let outcome = uri_with(["extract", "--templates", "--strict", "--json"], text);
    assert_eq!((outcome.status, &*outcome.err), (0, ""));
    let found = outcome.json();
    let template = json!("https://s3.{Region}.amazonaws.com/x");
    assert_eq!(found[0]["uri"], template);
    assert_eq!([&found[0]["template"], &found[0]["valid"]], [true, false]);
    assert_eq!([&found[2]["template"], &found[2]["valid"]], [false, true]);
}

#[test]
fn links_by_uts58_on_request() {
    let text = "<URL:http://a.example/b> http://example.com/a(b/c)d http://localhost/ EXAMPLE.COM";
    let detect = |kinds| {
        uri_with(
            ["extract", "--detect", "uts58", "--kinds", kinds],
            text.as_bytes(),
        )
    };
    assert_eq!(detect("bare").out, "http://example.com/a(b/c\n");
    assert_eq!(
        detect("all").out,
        "http://example.com/a(b/c\nhttp://EXAMPLE.COM\n"
    );
    let outcome = detect("defanged");
    assert_eq!(outcome.status, 2);
    let message = "UTS #58 does not find defanged links";
    assert!(outcome.err.contains(message), "{outcome:?}");
}

#[test]
fn places() {
    let page = br#"<link rel=stylesheet href=a><a href=b rel="ugc NoFollow"><img src=c><q cite=d>"#;
    let lines = |arguments: &[&str]| {
        let all = ["extract", "--as", "html"].iter().chain(arguments);
        uri_with(all, page).out.lines().collect::<String>()
    };
    assert_eq!(lines(&["--in", "a@href"]), "b");
    assert_eq!(lines(&["--in", "@href"]), "ab");
    assert_eq!(lines(&["--in", "IMG", "--in", "*@cite"]), "cd");
    assert_eq!(lines(&["--rel", "nofollow"]), "b");
    assert_eq!(lines(&["--rel", "nofollow", "--in", "link"]), "");
    let json = uri_with(["extract", "--as=html", "--json", "--in=a"], page).json();
    let place = json!({"element": "a", "attribute": "href", "rel": "ugc NoFollow"});
    assert_eq!(json[0]["place"], place);
    let markdown = ["extract", "--as=markdown", "--in=syntax=image"];
    assert_eq!(uri_with(markdown, b"[a](b) ![c](d)").out, "d\n");
    let mail = ["extract", "--as=mail", "--in=field=list-help"];
    let message = b"List-Help: <http://a.example/>\nX: http://b.example/\n\n";
    assert_eq!(uri_with(mail, message).out, "http://a.example/\n");
    for wrong in ["", "syntax=x", "a b", "a=b"] {
        let outcome = uri_with(["extract", "--in", wrong], page);
        assert_eq!(outcome.status, 2, "{wrong}");
    }
}

#[test]
fn charsets_and_fragments() {
    let text = "<script>1</script><a href='/\u{e9}'>"
        .chars()
        .map(|letter| letter as u8);
    let text: Vec<u8> = text.collect();
    let arguments = ["extract", "--base=http://a.example/"];
    assert_eq!(uri_with(arguments, &text).out, "http://a.example/\u{e9}\n");
    let given = ["extract", "--base=http://a.example/", "--charset=koi8-r"];
    assert_eq!(uri_with(given, &text).out, "http://a.example/\u{418}\n");
    assert_eq!(uri_with(["extract", "--charset=none"], &text).status, 2);
}

#[test]
fn links_for_programs() {
    let page =
        b"<script type=application/json>{\"a\": \"http:\\/\\/a.example\"}</script><a href=b>";
    assert_eq!(uri_with(["extract", "--as=html"], page).out, "b\n");
    let deep = ["extract", "--as=html", "--deep", "--json"];
    let json = uri_with(deep, page).json();
    assert_eq!(json[0]["uri"], json!("http://a.example"));
    let place = json!({"element": "script", "type": "application/json", "syntax": "json"});
    assert_eq!(json[0]["place"], place);
    let only = ["extract", "--as=html", "--deep", "--in=syntax=json"];
    assert_eq!(uri_with(only, page).out, "http://a.example\n");
}
