//! Tests that each step, applied separately, makes its change and no other.

#![allow(clippy::panic)] // a test fails by panicking

use urikit::Standard;
use urikit_keys::{Canonicalizer, Profile, Scope, Step, Steps};

fn apply(steps: Steps, text: &str) -> String {
    let mut out = String::new();
    let mut canonicalizer = Canonicalizer::new(steps);
    match Standard::Rfc3986.parse(text) {
        Ok(reference) => canonicalizer.write(reference, &mut out),
        Err(error) => panic!("{text}: {error}"),
    }
    let mut split = String::new();
    canonicalizer.write_split(text, &mut split);
    assert_eq!(out, split, "{text}");
    out
}

const REFERENCES: [&str; 14] = [
    "http://u:p@www.a.example.:80//b///c/;x;JSESSIONID=1/?z=1&a&utm_source=x&sid=2&b=#f",
    "mailto:a@b?subject=x",
    "//h",
    "?",
    "#",
    "",
    "a:b",
    "file:///etc/",
    "http://[::1]:8080/?",
    "http://h/?&&",
    "urn:x:y?+a?=b#c",
    "../a/./b;c=d",
    "http://www./",
    "a//b/",
];

#[test]
fn the_empty_set_changes_nothing() {
    for text in REFERENCES {
        assert_eq!(apply(Steps::NONE, text), text);
    }
}

#[test]
fn each_step_does_what_it_documents() {
    let rows = [
        (Step::TrimHostDots, "http://.a..b./c", "http://a.b/c"),
        (Step::StripWww, "http://WWW.a.b/www.c", "http://a.b/www.c"),
        (Step::StripWww, "http://www.com/", "http://www.com/"),
        (Step::StripWww, "http://www.com./", "http://www.com./"),
        (Step::StripWww, "http://www2.a.b/", "http://www2.a.b/"),
        (Step::DropUserinfo, "http://u:p@a/", "http://a/"),
        (
            Step::CollapseSlashes,
            "http://a//b///c?//",
            "http://a/b/c?//",
        ),
        (Step::DropTrailingSlash, "http://a/b/?c/", "http://a/b?c/"),
        (Step::DropTrailingSlash, "http://a/", "http://a/"),
        (
            Step::StripSessionIds,
            "http://a/b;jsessionid=1F;c/d;PHPSESSID?sid=1&x&ASPSESSIONIDQQ=2",
            "http://a/b;c/d?x",
        ),
        (
            Step::StripTracking,
            "http://a/?utm_x=1&UTM_X=1&utm%5Fy&gclid=&q",
            "http://a/?UTM_X=1&q",
        ),
        (Step::StripTracking, "http://a/?gclid=1", "http://a/"),
        (
            Step::DropBlankValues,
            "http://a/?a=&b&c=1&&",
            "http://a/?c=1",
        ),
        (
            Step::SortQuery,
            "http://a/?b=2&a=2&a&a=&a=1",
            "http://a/?a&a=&a=1&a=2&b=2",
        ),
        (Step::DropEmptyQuery, "http://a/?#x", "http://a/#x"),
        (Step::SortQuery, "http://a/?", "http://a/?"),
        (Step::DropFragment, "http://a/#x", "http://a/"),
        (Step::DropFragment, "#", ""),
    ];
    for (step, text, expected) in rows {
        assert_eq!(
            apply(Steps::NONE.with(step), text),
            expected,
            "{step} {text}"
        );
    }
}

#[test]
fn every_result_is_a_reference_and_canonical() {
    for text in REFERENCES {
        for bits in 0..1_u32 << Step::ALL.len() {
            let chosen = Step::ALL.into_iter().enumerate();
            let chosen = chosen.filter(|(number, _)| bits & 1 << number != 0);
            let steps: Steps = chosen.map(|(_, step)| step).collect();
            let once = apply(steps, text);
            assert_eq!(apply(steps, &once), once, "{text} {steps:?}");
        }
    }
}

#[test]
fn errors_list_all_names() {
    let step = "x".parse::<Step>().map_err(|error| error.expected());
    assert_eq!(step, Err(&Step::ALL.map(Step::name)[..]));
    let profile = "x".parse::<Profile>().map_err(|error| error.expected());
    assert_eq!(profile, Err(&Profile::ALL.map(Profile::name)[..]));
    let scope = "x".parse::<Scope>().map_err(|error| error.expected());
    assert_eq!(scope, Err(&Scope::ALL.map(Scope::name)[..]));
}
