//! The API returns exactly the lines that the command prints with `--json`. Without `page`, the
//! lines of three operations lack the key `result`.

use crate::server::Server;
use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// References: valid and invalid ones, those on which parsers disagree, and those with passwords.
const REFERENCES: &[&[u8]] = &[
    b"http://example.com/",
    b"HTTP://u:secret@EXAMPLE.com:80/%7Ea/./b?x=1&y=%C3%A9+z#f",
    b"ftp://foo:@host.dom:21/%2Fetc/motd;type=a",
    b"http://good.example\\@evil.example/",
    b"http://[::1]:0080/",
    b"http://127.1/a b",
    b"http://example.com:99999/",
    b"urn:isbn:0451450523",
    b"mailto:a@b.example?subject=x%20y",
    b"data:text/plain,a%2cb",
    b"../g;x=1/./y",
    b"",
    b"#s",
    b"?y",
    b"//host/path",
    "http://r\u{e9}sum\u{e9}.example.org/\u{fc}".as_bytes(),
    "http://ex\u{430}mple.com/".as_bytes(),
    b"url: http://a/b",
    b"URL:http://a/ b",
    b"www.example.com/path",
    b"C:\\Windows",
    b"wais://host/db?words",
    b"gopher://host:70/0a%09b",
    b"http://\xff/",
    b"/\xc3",
    b"javascript:alert(1)",
    b"jar:http://a/!/b",
    b"https://www.google.com/url?q=http://a.example/&utm_source=x",
    b"<script>alert('&amp;')</script>",
    b"http://a/?q=%3Cscript%3E\"'",
];

/// Texts to encode and decode.
const TEXTS: &[&[u8]] = &[
    b"a b&c",
    b"a%20b%26c",
    b"100%",
    b"two+words",
    b"%FF%00%1B",
    "r\u{e9}sum\u{e9}".as_bytes(),
    b"\xff",
    b"",
    b"http://www.example.org/D%C3%BCrst",
];

/// Operations on one reference, with their options.
const ON_REFERENCES: &[(&str, &[(&str, &str)])] = &[
    ("explain", &[]),
    (
        "explain",
        &[("standard", "rfc1738"), ("scheme-text", "original")],
    ),
    ("explain", &[("standard", "whatwg")]),
    ("explain", &[("lenient", ""), ("guess", "")]),
    ("parse", &[]),
    ("parse", &[("standard", "rfc1630")]),
    ("parse", &[("standard", "whatwg")]),
    ("parse", &[("standard", "rfc3987"), ("guess", "")]),
    ("parse", &[("lenient", "")]),
    ("resolve", &[("base", "http://a/b/c/d;p?q")]),
    (
        "resolve",
        &[("base", "http://a/b/c/d;p?q"), ("lenient", "")],
    ),
    ("resolve", &[("base", "http://a/b"), ("standard", "whatwg")]),
    (
        "resolve",
        &[("base", "http://a/b"), ("standard", "rfc1738")],
    ),
    (
        "resolve",
        &[
            ("base", "http://a/b"),
            ("above-root", "refuse"),
            ("same-scheme", "inherit"),
        ],
    ),
    (
        "resolve",
        &[
            ("base", "magic://a/b//d/e"),
            ("standard", "rfc1630"),
            ("slash-rule", "text"),
        ],
    ),
    ("normalize", &[]),
    (
        "normalize",
        &[("level", "escapes"), ("standard", "rfc2396")],
    ),
    ("normalize", &[("standard", "whatwg")]),
    ("normalize", &[("key", "surt:ia-python")]),
    (
        "normalize",
        &[
            ("step", "strip-tracking,unwrap,drop-fragment"),
            ("guess", ""),
        ],
    ),
    ("audit", &[]),
];

/// Runs `uri`, and returns the lines that it prints.
fn lines(arguments: &[&str], input: &[u8]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args(arguments)
        .arg("--json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Converts parameters to the options of the command.
fn options(parameters: &[(&str, &str)]) -> Vec<String> {
    let mut options = Vec::new();
    for (name, value) in parameters {
        options.push(format!("--{name}"));
        if !value.is_empty() {
            options.push((*value).to_owned());
        }
    }
    options
}

/// Operations whose results are pages of text.
const WITH_PAGES: &[&str] = &["explain", "audit", "same-site"];

/// Removes the key `result`, which is the last one.
fn without_result(line: &str) -> String {
    let at = line.rfind(",\"result\":").unwrap();
    let value = &line[at + 10..line.len() - 2];
    assert!(
        serde_json::from_str::<Option<String>>(value).is_ok(),
        "{value}"
    );
    format!("{}}}\n", &line[..at])
}

/// Compares the lines of the command with the responses for the same inputs.
fn compare(
    server: &Server,
    (operation, parameters): (&str, &[(&str, &str)]),
    (name, inputs): (&str, &[&[u8]]),
) -> usize {
    let (subcommand, given) = match operation {
        "same-site" => ("audit", options(parameters)),
        _ => (operation, options(parameters)),
    };
    let arguments: Vec<_> = [subcommand, "--null", "-f", "-"]
        .into_iter()
        .chain(given.iter().map(String::as_str))
        .collect();
    let input: Vec<u8> = inputs
        .iter()
        .flat_map(|input| [input, &b"\0"[..]].concat())
        .collect();
    let lines = lines(&arguments, &input);
    assert_eq!(lines.len(), inputs.len(), "{arguments:?}");
    for (input, line) in inputs.iter().zip(&lines) {
        let mut all: Vec<_> = parameters
            .iter()
            .map(|(name, value)| (*name, value.as_bytes()))
            .collect();
        all.push((name, input));
        if WITH_PAGES.contains(&operation) {
            let short = server.ask(operation, &all);
            assert_eq!(
                short.text(),
                without_result(line),
                "{operation} {parameters:?}"
            );
            all.push(("page", b"true"));
        }
        let response = server.ask(operation, &all);
        assert_eq!(
            response.status,
            200,
            "{operation} {input:?}: {}",
            response.text()
        );
        assert_eq!(response.field("content-type"), Some("application/json"));
        assert_eq!(response.text(), line, "{operation} {parameters:?}");
        // As JSON, if the input is text.
        if let Ok(text) = std::str::from_utf8(input) {
            let values = parameters.iter().map(|(name, value)| match *value {
                "" => ((*name).to_owned(), Value::Bool(true)),
                value => ((*name).to_owned(), value.into()),
            });
            let mut object: serde_json::Map<_, _> = values.collect();
            object.insert(name.to_owned(), text.into());
            if WITH_PAGES.contains(&operation) {
                object.insert("page".to_owned(), true.into());
            }
            let body = Value::Object(object).to_string();
            let target = format!("/api/v1/{operation}");
            let posted = server.post(&target, "application/json", body.as_bytes());
            assert_eq!(posted.text(), line, "{operation} {body}");
        }
    }
    inputs.len()
}

#[test]
fn results_for_references() {
    let server = Server::start(&["--quiet"]);
    let mut compared = 0;
    for one in ON_REFERENCES {
        compared += compare(&server, *one, ("url", REFERENCES));
    }
    for same in ["origin", "domain"] {
        let parameters = [("base", "https://www.good.example/a"), ("same", same)];
        compared += compare(&server, ("same-site", &parameters), ("url", REFERENCES));
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn results_for_texts() {
    let server = Server::start(&["--quiet"]);
    let all: &[(&str, &[(&str, &str)])] = &[
        ("encode", &[]),
        ("encode", &[("component", "query-value"), ("form", "")]),
        ("encode", &[("component", "path"), ("partly", "")]),
        ("encode", &[("charset", "latin-1"), ("standard", "rfc1738")]),
        ("encode", &[("iri", ""), ("idna", "")]),
        ("decode", &[]),
        ("decode", &[("form", ""), ("lenient", "")]),
        ("decode", &[("component", "query"), ("standard", "rfc1630")]),
        ("decode", &[("charset", "bytes")]),
        ("decode", &[("iri", "")]),
    ];
    for one in all {
        compare(&server, *one, ("text", TEXTS));
    }
}

#[test]
fn comparisons() {
    let server = Server::start(&["--quiet"]);
    let pairs: &[[&[u8]; 2]] = &[
        [b"http://example.com", b"HTTP://EXAMPLE.com:80/"],
        [b"http://a/?x=1&y=2#f", b"http://a/?y=2&x=3"],
        [b"http://a/", b"a b"],
        [b"", b""],
        [b"http://a/\xff", b"http://a/"],
        [b"example.com", b"https://example.com"],
    ];
    let all: &[&[(&str, &str)]] = &[
        &[],
        &[("diff", "")],
        &[("ignore", "fragment,query-order"), ("diff", "")],
        &[("standard", "whatwg")],
        &[("guess", ""), ("lenient", "")],
    ];
    for parameters in all {
        for [a, b] in pairs {
            let given = options(parameters);
            let arguments: Vec<_> = ["compare", "-f", "-"]
                .into_iter()
                .chain(given.iter().map(String::as_str))
                .collect();
            let line = lines(&arguments, &[a, &b"\t"[..], b, b"\n"].concat()).remove(0);
            let mut all: Vec<_> = parameters
                .iter()
                .map(|(name, value)| (*name, value.as_bytes()))
                .collect();
            all.extend([("a", *a), ("b", *b)]);
            assert_eq!(server.ask("compare", &all).text(), line, "{parameters:?}");
        }
    }
}

#[test]
fn extraction() {
    let server = Server::start(&["--quiet"]);
    let documents: &[(&str, &[u8])] = &[
        (
            "text",
            b"See <URL:http://a.example/b\n c> and www.example.org, hxxp://x[.]example.",
        ),
        (
            "html",
            b"<base href=/x/><a href='b c' rel=nofollow>http://\xff/ <img src=//i/%></a>",
        ),
        (
            "markdown",
            b"[a](http://a/ 'b') <http://c/> `http://d/`\n\n[e]: /f\n",
        ),
        (
            "mail",
            b"Subject: http://s/\r\nContent-Type: text/plain\r\n\r\nhttp://b/=\r\n",
        ),
        ("csv", b"a,http://x/.\nb,\"http://y/\"\"\"\n"),
    ];
    for (format, document) in documents {
        let all: &[&[(&str, &str)]] = &[
            &[],
            &[("as", format), ("base", "https://example.org/d/")],
            &[
                ("as", format),
                ("kinds", "all"),
                ("refang", ""),
                ("defang", ""),
            ],
            &[("as", format), ("standard", "whatwg"), ("templates", "")],
            &[("as", format), ("detect", "uts58"), ("deep", "")],
            &[("as", format), ("scheme", "HTTP"), ("unique", "")],
            &[
                ("as", format),
                ("in", "a@href"),
                ("in", "syntax=link"),
                ("rel", "nofollow"),
            ],
            &[
                ("as", format),
                ("in", "field=subject"),
                ("charset", "latin1"),
            ],
        ];
        for parameters in all {
            let given = options(parameters);
            let arguments: Vec<_> = ["extract"]
                .into_iter()
                .chain(given.iter().map(String::as_str))
                .collect();
            let expected = lines(&arguments, document).concat();
            let query: Vec<_> = parameters
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let target = format!("/api/v1/extract?{}", query.join("&"));
            let response = server.post(&target, "application/octet-stream", document);
            assert_eq!(response.status, 200, "{}", response.text());
            assert_eq!(response.text(), expected, "{format} {parameters:?}");
        }
    }
}

#[test]
fn schemes() {
    let server = Server::start(&["--quiet"]);
    let all = server.get("/api/v1/schemes");
    assert_eq!(all.field("content-type"), Some("application/x-ndjson"));
    assert_eq!(all.text(), lines(&["schemes"], b"").concat());
    let one = server.ask("schemes", &[("name", b"Gopher:")]);
    assert_eq!(one.text(), lines(&["schemes", "gopher"], b"").concat());
    assert_eq!(
        server.ask("schemes", &[("name", b"nope")]).problem(),
        "invalid-parameter"
    );
}
