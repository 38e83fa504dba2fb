//! Tests the rows of `testdata/surt/profiles.toml` and ranges of keys, and checks that time is
//! linear.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use serde::Deserialize;
use std::fs;
use urikit_keys::{Profile, Scope};
use urikit_testkit::assert_linear;
use urikit_testkit::data::project_root;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    profile: String,
    url: String,
    key: Option<String>,
    #[serde(default)]
    error: bool,
    source: String,
}

#[derive(Deserialize)]
struct Rows {
    row: Vec<Row>,
}

#[test]
fn keys_are_those_of_the_rows() {
    let text = fs::read_to_string(project_root().join("testdata/surt/profiles.toml")).unwrap();
    for row in toml::from_str::<Rows>(&text).unwrap().row {
        let profile: Profile = row.profile.parse().unwrap();
        let key = profile.surt(&row.url).ok();
        assert_eq!(key, row.key, "{profile} {}: {}", row.url, row.source);
        assert_eq!(key.is_none(), row.error, "{}", row.url);
    }
}

/// Tries URLs for which the archives' programs take quadratic time.
#[test]
fn time_is_linear() {
    let texts: [fn(usize) -> String; 8] = [
        |n| format!("http://a/%{}41", "25".repeat(n)),
        |n| format!("http://a/?{}", "cfid=".repeat(n)),
        |n| format!("http://a/?{}", "sid=0123456789abcdef".repeat(n / 8)),
        |n| format!("http://a/{}", "/(0123456789abcdefghijklmn)".repeat(n / 8)),
        |n| {
            format!(
                "http://a/{}.aspx",
                "(a(0123456789abcdefghijklmn)".repeat(n / 8)
            )
        },
        |n| format!("http://a{}/", ".".repeat(n)),
        |n| format!("http://a/{}", "../x/".repeat(n)),
        |n| format!("http://{}b/", "www.".repeat(n)),
    ];
    for text in texts {
        for profile in Profile::ALL {
            let name = format!("{profile} {}", text(2));
            assert_linear(&name, 20_000, |size| {
                let url = text(size);
                move || drop(profile.surt(&url))
            });
        }
    }
}

#[test]
fn ranges_contain_the_keys_they_document() {
    let key = |url: &str| Profile::Urikit.surt(url).unwrap();
    let start = key("http://example.com/a");
    let is_in = |scope: Scope, url: &str| {
        let (start, end) = scope.range(&start).unwrap();
        (start..end).contains(&key(url))
    };
    for (url, host, domain) in [
        ("http://example.com/", true, true),
        ("http://example.com/z?~", true, true),
        ("http://a.example.com/", false, true),
        ("http://a.b.example.com:8080/", false, true),
        ("http://example-a.com/", false, false),
        ("http://examples.com/", false, false),
        ("http://example.org/", false, false),
    ] {
        assert_eq!(is_in(Scope::Host, url), host, "{url}");
        assert_eq!(is_in(Scope::Domain, url), domain, "{url}");
    }
    assert!(Scope::Host.range("mailto:a@b").is_none());
    assert_eq!(Scope::Prefix.range("a\u{D7FF}").unwrap().1, "a\u{E000}");
    assert_eq!(Scope::Prefix.range("a\u{10FFFF}").unwrap().1, "b");
    assert!(Scope::Prefix.range("").is_none());
}
