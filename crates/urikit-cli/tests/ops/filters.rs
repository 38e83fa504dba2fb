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
        // alternatives and negation
        ("ext=png|HTML", &[1, 2]),
        ("scheme!=http*", &[3, 4]),
        ("!scheme!=ftp", &[3]),
        ("host!=example.com", &[1, 3, 4, 5, 6]),
        ("query:id!=7", &[2, 3, 4, 5, 6]),
        ("fragment or scheme=ftp", &[3, 5]),
        ("host=\"example.com\" or !host", &[2, 4]),
        ("fragment=\"top or not\" or ext=\"png\"", &[2]),
        // domains
        ("domain=example.com", &[1, 2, 3]),
        ("domain=münchen.de", &[5]),
        ("suffix=com|de", &[1, 2, 3, 5]),
        // A host with escapes is a registered name, but does not follow the syntax of the DNS.
        ("host_kind=name", &[1, 2, 3, 6]),
        // modifiers, before or after the name
        ("host:lower~^ftp", &[3]),
        ("lower:ext=png", &[2]),
        ("host:idn~ü", &[5]),
        ("host:idn=*ü*", &[5]),
        ("path:decode~/x$", &[3]),
        // regular expressions are case-sensitive and match any part
        ("ext~PNG", &[2]),
        ("ext~png", &[]),
        ("host~^(ftp|www)[.]", &[1, 3]),
        ("query:id~^[78]$", &[1, 6]),
        // numbers
        ("port<80", &[3]),
        ("port<=80", &[2, 3, 5]),
        ("port>443", &[6]),
        ("port>=443", &[1, 6]),
        ("query:id>=8", &[6]),
        ("segment:1>0", &[]),
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
    for (condition, message) in [
        ("", "expected a field"),
        ("!", "expected a field"),
        ("=secret", "expected a field"),
        (
            "hots=secret",
            "no component \"hots\"; did you mean \"host\"?",
        ),
        (
            "host:lowr=secret",
            "no modifier \"lowr\"; did you mean \"lower\"?",
        ),
        ("segment:0=secret", "needs a number"),
        ("host==secret", "`==` is written `=`"),
        ("host~=secret", "`~=` is reserved"),
        ("host =secret", "no blanks are allowed around `=`"),
        ("host= secret", "no blanks are allowed around `=`"),
        ("port< 80", "no blanks are allowed around `<`"),
        ("path=/secret?", "`?` is not a wildcard"),
        ("host=secret?", "`?` is not a wildcard"),
        ("path=/[secret]", "`[` is not a wildcard"),
        ("ext=[secret]", "`[` is not a wildcard"),
        ("port<secret", "expected a decimal integer after `<`"),
        ("port>=8.0", "expected a decimal integer after `>=`"),
        ("host~(secret", "unclosed group"),
        ("host=\"secret", "expected a closing"),
        ("host=\"a\"secret", "expected ` or ` or the end"),
        ("host=a or ", "expected a field"),
        ("host=a or hots", "did you mean \"host\"?"),
    ] {
        let outcome = uri(["get", "x", "--where", condition, "http://a/"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{condition}"
        );
        assert!(outcome.err.contains(message), "{condition}: {outcome:?}");
        assert!(!outcome.err.contains("secret"), "{condition}: {outcome:?}");
    }
}

/// Characters that are special elsewhere in a condition.
#[test]
fn special_characters_can_be_written() {
    for (condition, url, is_met) in [
        ("query:a%3Db=1", "http://h/?a%3Db=1", true),
        ("query:a%3Cb", "http://h/?a%3Cb", true),
        ("query:a*=1", "http://h/?abc=1", true),
        ("path=/a\\*", "http://h/a*", true),
        ("path=/a\\*", "http://h/ab", false),
        ("query:q=a\\|b", "http://h/?q=a%7Cb", true),
        ("query:q=a\\|b", "http://h/?q=a", false),
        (
            "query:q=\"a \\\"or\\\" b\"",
            "http://h/?q=a%20%22or%22%20b",
            true,
        ),
        ("host=[::1]", "http://[::1]/", true),
        ("host_kind=ipv4|ipv6", "http://[::1]/", true),
        ("query:form:q=a b", "http://h/?form:q=a%20b", true),
        ("form:query:q=a b", "http://h/?q=a+b", true),
        ("query:q=a b", "http://h/?q=a+b", false),
    ] {
        let outcome = uri(["get", "{url}", "--where", condition, url]);
        assert_eq!(outcome.status, 0, "{condition}: {outcome:?}");
        assert_eq!(!outcome.out.is_empty(), is_met, "{condition}: {outcome:?}");
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
