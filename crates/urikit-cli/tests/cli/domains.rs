//! Registrable domains, keys of web archives, and named steps of canonicalization.

use super::support::{Folder, keys, uri};

/// Returns the plain output, without the final newline.
fn line(arguments: &[&str]) -> String {
    let outcome = uri(arguments);
    assert_eq!(
        (outcome.status, outcome.err.as_str()),
        (0, ""),
        "{arguments:?}"
    );
    outcome.out.trim_end_matches('\n').to_owned()
}

#[test]
fn templates_have_domains() {
    let template = "{domain}|{suffix}|{subdomain}";
    let get = |url| line(&["get", template, url]);
    assert_eq!(get("http://a.b.Example.CO.UK./"), "Example.CO.UK|CO.UK|a.b");
    assert_eq!(get("http://example.com/"), "example.com|com|");
    assert_eq!(get("http://co.uk/"), "|co.uk|");
    for url in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://[::1]/",
        "mailto:a@b.com",
        "/x",
    ] {
        assert_eq!(get(url), "||", "{url}");
    }
    assert_eq!(
        line(&["get", "{domain}", "http://a.github.io/"]),
        "github.io"
    );
    assert_eq!(
        line(&["get", "{private:domain}", "http://a.github.io/"]),
        "a.github.io"
    );
    assert_eq!(line(&["get", "{lower:domain}", "http://A.B.COM/"]), "b.com");
    assert_eq!(
        line(&[
            "get",
            "{host}",
            "--where",
            "domain=example.com",
            "http://A.Example.com/",
            "http://b/"
        ]),
        "A.Example.com"
    );
}

#[test]
fn a_list_is_read_at_run_time() {
    let folder = Folder::new();
    let list = folder.file("list.dat", "// ===BEGIN ICANN DOMAINS===\nb.test\n*.c\n");
    let get = |url| line(&["get", "{domain}", "--suffix-list", &list, url]);
    assert_eq!(get("http://x.a.b.test/"), "a.b.test");
    assert_eq!(get("http://x.a.b.c/"), "a.b.c");
    let outcome = uri(["get", "{domain}", "--suffix-list", "/nowhere", "http://a/"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.err.contains("/nowhere"), "{}", outcome.err);
    // The date of the built-in list.
    let help = uri(["get", "--help"]).out;
    let words: Vec<_> = help.split_whitespace().collect();
    assert!(
        words.join(" ").contains("the built-in list of 20"),
        "{help}"
    );
}

#[test]
fn templates_have_keys() {
    let url = "http://www2.Example.com/A?b&a";
    assert_eq!(line(&["get", "{surt}", url]), "com,example,www2)/A?b&a");
    assert_eq!(
        line(&["get", "{surt:ia-python}", url]),
        "com,example)/a?a&b"
    );
    assert_eq!(line(&["get", "{surt:ia-java}", url]), "com,example)/a?a&b");
    assert_eq!(
        line(&["get", "{surt:cdxj}", url]),
        "com,example,www2)/a?b&a"
    );
    assert_eq!(uri(["get", "{surt:other}", url]).status, 2);
    let outcome = uri(["get", "{surt}", "/relative"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("expected a scheme"), "{}", outcome.err);
}

#[test]
fn normalize_prints_keys_of_any_text() {
    let key = |key, url| line(&["normalize", "--key", key, url]);
    assert_eq!(
        key("surt:ia-python", "example.com/a|b?z&a"),
        "com,example)/a|b?a&z"
    );
    assert_eq!(key("surt", "http://example.com/"), "com,example)/");
    let outcome = uri(["normalize", "--key", "surt:urikit", "http://a/|"]);
    assert_eq!((outcome.status, outcome.out.as_str()), (1, "\n"));
    let outcome = uri(["normalize", "--key", "surt:ia-java", "http://a:b/"]);
    assert_eq!(outcome.status, 1);
    assert_eq!(uri(["normalize", "--key", "other", "http://a/"]).status, 2);
    assert_eq!(
        uri(["normalize", "--key", "surt", "--level", "case", "http://a/"]).status,
        2
    );
    let record = &uri(["normalize", "--key", "surt:cdxj", "--json", "http://A/|"]).json()[0];
    assert_eq!(
        (&record["surt"], &record["normalized"]),
        (&"cdxj".into(), &"a)/|".into())
    );
    assert_eq!(record["valid"], true);
}

#[test]
fn steps_are_applied_where_they_are_named() {
    let url = "HTTP://A/?z=1&utm_source=x&b#top";
    assert_eq!(
        line(&["normalize", url]),
        "http://a/?z=1&utm_source=x&b#top"
    );
    let steps = "sort-query,strip-tracking";
    assert_eq!(
        line(&["normalize", "--step", steps, url]),
        "http://a/?b&z=1#top"
    );
    let given = [
        "normalize",
        "--step",
        "drop-fragment",
        "--step",
        steps,
        "--standard",
        "whatwg",
        url,
    ];
    assert_eq!(line(&given), "http://a/?b&z=1");
    assert_eq!(uri(["normalize", "--step", "other", url]).status, 2);
    let record = &uri(["normalize", "--step", steps, "--json", url]).json()[0];
    assert_eq!(
        record["steps"],
        serde_json::json!(["sort-query", "strip-tracking"])
    );
    let plain = &uri(["normalize", "--json", url]).json()[0];
    assert!(!keys(plain).contains(&"steps") && !keys(plain).contains(&"surt"));
}
