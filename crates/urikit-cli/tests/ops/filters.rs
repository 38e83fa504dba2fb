//! `--where`.

use crate::support::{Folder, uri, uri_with};

const URLS: &str = "\
https://www.example.com/a.html?utm_source=x&id=7
HTTP://EXAMPLE.com:80/b/c.PNG
ftp://ftp.example.com/pub/x
mailto:a@example.com
http://m%C3%BCnchen.de/#top
https://other.example:8443/?ID=8
";

/// The numbers of the lines of `URLS` that meet all conditions.
fn wanted(conditions: &[&str]) -> Vec<usize> {
    let conditions = conditions.iter().flat_map(|it| ["--where", it]);
    let outcome = uri_with(
        ["get", "{url}"].into_iter().chain(conditions),
        URLS.as_bytes(),
    );
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    let number = |line| URLS.lines().position(|it| it == line).unwrap() + 1;
    outcome.out.lines().map(number).collect()
}

#[test]
fn conditions_are_on_normalized_components() {
    for (condition, lines) in [
        ("host=*.example.com", &[1, 3][..]),
        ("host=*example.com", &[1, 2, 3]),
        ("host=EXAMPLE.COM", &[2]),
        ("host=münchen.de", &[5]),
        ("host=*.de", &[5]),
        ("host=xn--*", &[5]),
        ("host", &[1, 2, 3, 5, 6]),
        ("!host", &[4]),
        ("scheme=ftp", &[3]),
        ("scheme=http*", &[1, 2, 5, 6]),
        ("!scheme=http*", &[3, 4]),
        ("port=80", &[2, 5]),
        ("port=443", &[1]),
        ("port=8443", &[6]),
        ("query:utm_*", &[1]),
        ("!query:utm_*", &[2, 3, 4, 5, 6]),
        ("query:id", &[1, 6]),
        ("query:id=7", &[1]),
        ("query", &[1, 6]),
        ("fragment", &[5]),
        ("path=/b/*", &[2]),
        ("ext=png", &[2]),
        ("segment:1=pub", &[3]),
        ("file=a.html", &[1]),
        ("origin=http://example.com", &[2]),
        ("url=*example*", &[1, 2, 3, 4, 6]),
        ("user=*", &[]),
    ] {
        assert_eq!(wanted(&[condition]), lines, "{condition}");
    }
    assert_eq!(wanted(&["scheme=http*", "!host=*.com"]), [5, 6]);
    assert_eq!(wanted(&["scheme=http*", "host=*.com", "query"]), [1]);
}

#[test]
fn every_subcommand_on_references_has_them() {
    let run = |arguments: &[&str]| {
        let condition = ["--where", "host=b"];
        let references = ["http://a/", "http://b/x"];
        let outcome = uri(arguments.iter().copied().chain(condition).chain(references));
        assert_eq!(
            (outcome.err.as_str(), outcome.status),
            ("", 0),
            "{arguments:?}"
        );
        outcome.out
    };
    assert_eq!(run(&["normalize"]), "http://b/x\n");
    assert_eq!(run(&["get", "{path}"]), "/x\n");
    assert_eq!(run(&["edit", "-s", "path=/y"]), "http://b/y\n");
    assert_eq!(run(&["relativize", "--base", "http://b/"]), "x\n");
    assert_eq!(run(&["resolve", "--base", "http://c/"]), "http://b/x\n");
    // The first block that is printed has no blank line before it.
    assert!(run(&["parse"]).starts_with("form\tabsolute\nscheme\thttp\n"));
    assert_eq!(run(&["parse", "--json"]).lines().count(), 1);
    assert!(run(&["fetch", "--plan"]).starts_with("connect  b:80\n"));
    // `uri resolve` filters targets.
    let base = [
        "resolve",
        "--base",
        "http://b/",
        "--where",
        "host=b",
        "x",
        "//a/",
    ];
    assert_eq!(uri(base).out, "http://b/x\n");
    let folder = Folder::new();
    let file = folder.file(
        "t.html",
        "<a href=http://a/><a href=http://B/x><a href='/é'>",
    );
    let outcome = uri(["extract", "--where", "host=b", "--base", "http://c/", &file]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("http://B/x\n", 0),
        "{outcome:?}"
    );
}

#[test]
fn what_is_not_valid_is_reported_without_a_line() {
    let arguments = ["get", "{path}", "--where", "host=a"];
    let input = b"http://b/\nhttp://a b/\nhttp://a/x\n";
    let outcome = uri_with(arguments, input);
    assert_eq!((outcome.out.as_str(), outcome.status), ("/x\n", 1));
    assert!(
        outcome.err.starts_with("uri: -:2:9: not valid"),
        "{outcome:?}"
    );
    let outcome = uri_with(arguments.into_iter().chain(["--json"]), input);
    assert_eq!((outcome.out.lines().count(), outcome.err.as_str()), (2, ""));
}

#[test]
fn what_is_guessed_is_filtered_and_reported_if_it_is_wanted() {
    let arguments = ["--guess", "--where", "host=a.b", "a.b:8080", "c.d/x"];
    let outcome = uri(["get", "{url}"].into_iter().chain(arguments));
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("https://a.b:8080\n", 0)
    );
    assert_eq!(
        outcome.err,
        "uri: argument 1: the scheme is guessed: \"https://\" was added\n"
    );
}

#[test]
fn conditions_that_cannot_be_are_usage_errors() {
    for condition in ["", "nope=x", "segment:0=x", "!"] {
        let outcome = uri(["get", "x", "--where", condition, "http://a/"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{condition}"
        );
    }
}

#[test]
fn many_threads_keep_the_order() {
    let input = URLS.repeat(20_000);
    let outcome = uri_with(
        ["get", "{host}", "--where", "scheme=https"],
        input.as_bytes(),
    );
    assert!(outcome.out == "www.example.com\nother.example\n".repeat(20_000));
}
