//! Runs jobs on terminals of 40, 80 and 200 columns, with and without colours. Pages and messages
//! must fit, show the relevant text, and contain no escape codes without colours.

use crate::terminal::on_terminal;
use unicode_width::UnicodeWidthStr as _;

/// The arguments, the exit status, and the text that must appear, wherever lines end.
type Job<'a> = (&'a [&'a str], i32, &'a [&'a str]);

const JOBS: &[Job<'_>] = &[
    (
        &[],
        2,
        &[
            "no subcommand. Try one of these:",
            "uri explain 'https://example.org/a?b=c#d'",
        ],
    ),
    (
        &["pars", "http://a/"],
        2,
        &["no subcommand \"pars\"; did you mean \"parse\"?"],
    ),
    (
        &["http://u:p@example.org/"],
        2,
        &["uri explain 'http://u:***@example.org/'"],
    ),
    (
        &["audit", "--print0", "x"],
        2,
        &["`uri audit` has no option `--print0`"],
    ),
    (
        &["get", "--guess", "{host}", "example.com/x"],
        0,
        &[
            "example.com\n",
            "the scheme is guessed: \"https://\" was added",
        ],
    ),
    (
        &["get", "--guess", "--lenient", "{url}", "  münchen.de/a b "],
        0,
        &[
            "https://xn--mnchen-3ya.de/a%20b\n",
            "\"münchen.de\" became \"xn--mnchen-3ya.de\"",
        ],
    ),
    (
        &["parse", "--lenient", "http://example.org/a b|c"],
        0,
        &[
            "path\t/a%20b%7Cc\n",
            "repaired, because it is not valid under RFC 3986",
        ],
    ),
    (
        &[
            "normalize",
            "--lenient",
            "http://good.example example.org/a/long/path/to/the/end/of/it",
        ],
        1,
        &["http://good.example", "^", "--lenient cannot repair it"],
    ),
    (
        &["explain", "--lenient", "http://example.org/a b"],
        0,
        &["http://example.org/a%20b", "\" \" became \"%20\""],
    ),
    (
        &[
            "get",
            "{host:lower} {segment:2} {file} {ext} {origin} {port:default}",
            "HTTP://Ex.org/a/b.c",
        ],
        0,
        &["ex.org b.c b.c c http://ex.org 80\n"],
    ),
    (
        &[
            "get",
            "{query:q:decode} {normal:path}",
            "http://a/./b?q=%41",
        ],
        0,
        &["A /b\n"],
    ),
    (
        &["get", "{nope}", "http://a/"],
        2,
        &["no component \"nope\""],
    ),
    (
        &[
            "get",
            "{host}",
            "http://example.org/a/page/with^something/wrong/in/the/middle/of/it",
        ],
        1,
        &[
            "with^something",
            "expected a path character",
            "segment, RFC 3986, 3.3",
        ],
    ),
    (
        &[
            "normalize",
            "--where",
            "host=*.example.com",
            "http://a.example.com",
            "http://b/",
        ],
        0,
        &["http://a.example.com/\n"],
    ),
    (
        &["get", "--where", "nope=x", "{host}", "http://a/"],
        2,
        &["'nope=***'", "no component \"nope\""],
    ),
    (
        &[
            "edit",
            "--strip-tracking",
            "http://example.org/?utm_source=x&b=c",
        ],
        0,
        &["http://example.org/?b=c\n"],
    ),
    (
        &[
            "edit",
            "--standard",
            "whatwg",
            "-s",
            "path=/x",
            "http:\\\\example.org\\b",
        ],
        0,
        &[
            "http://example.org/x\n",
            "reserialized as browsers write it",
        ],
    ),
    (
        &["get", "--standard", "whatwg", "{path}", "http:\\\\h\\b"],
        0,
        &["/b\n"],
    ),
    (
        &["edit", "-s", "host=münchen.de", "http://example.org/x"],
        0,
        &["http://xn--mnchen-3ya.de/x\n"],
    ),
    (
        &["explain", "--standard", "rfc3987", "http://münchen.de/"],
        0,
        &[
            "http://münchen.de/",
            "connects to xn--mnchen-3ya.de, port 80",
        ],
    ),
    (
        &[
            "fetch",
            "--plan",
            "--standard",
            "rfc3987",
            "http://münchen.de/",
        ],
        0,
        &["connect  xn--mnchen-3ya.de:80\n"],
    ),
    (
        &["compare", "http://example.com", "HTTP://EXAMPLE.com:80/"],
        0,
        &["scheme\n"],
    ),
    (
        &[
            "compare",
            "http://example.org/a/long/path b/to/what/is/compared",
            "http://a/",
        ],
        1,
        &[
            "path b/to",
            "^",
            "argument 1: not valid under RFC 3986: found a space",
        ],
    ),
    (
        &["encode", "a b/c?d"],
        0,
        &[
            "a%20b%2Fc%3Fd\n",
            "--component: not given; the result is valid in any component",
        ],
    ),
    (
        &["encode", "--component", "segment", "ä/b"],
        0,
        &["%C3%A4%2Fb\n"],
    ),
    (
        &[
            "resolve",
            "--base",
            "http://example.org/a/long/path b/to/what/is/the/base",
            "x",
        ],
        2,
        &["path b/to", "^", "--base: not valid under RFC 3986"],
    ),
    (&["schemes", "nope"], 1, &["no known scheme \"nope\""]),
];

#[test]
fn pages_and_messages_fit_the_terminal() {
    for (arguments, status, seen) in JOBS {
        for (columns, colours) in [40, 80, 200]
            .into_iter()
            .flat_map(|c| [(c, false), (c, true)])
        {
            let screen = on_terminal(columns, colours, arguments);
            let place = format!("{arguments:?}, {columns}, {colours}:\n{}", screen.text);
            assert_eq!(screen.status, *status, "{place}");
            assert!(colours || !screen.text.contains('\u{1b}'), "{place}");
            let plain = screen.plain();
            for line in plain.lines() {
                // Tabs separate a key of `parse` from its value, which is data.
                let fits = line.width() <= usize::from(columns) || line.contains('\t');
                assert!(fits, "{line}\n{place}");
            }
            // Lines may end anywhere.
            let [text, seen_all] = [&plain, &seen.join("\0")].map(|text| without_blanks(text));
            for part in seen_all.split('\0') {
                assert!(text.contains(part), "{part}\n{place}");
            }
        }
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}
