//! `edit --strip-tracking`.

use crate::support::uri;

const TABLE: &str = include_str!("../../../urikit-keys/src/steps/tracking.tsv");

#[test]
fn every_name_of_the_table_is_removed() {
    let rows: Vec<(&str, &str)> = TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("a name and a source"))
        .collect();
    assert!(rows.len() > 40 && rows.is_sorted());
    for (name, source) in rows {
        assert!(source.starts_with("https://") && !name.is_empty());
        let name = name.replace('*', "any");
        let url = format!("http://a/?id=1&{name}=2&x#f");
        assert_eq!(
            uri(["edit", "--strip-tracking", &url]).out,
            "http://a/?id=1&x#f\n"
        );
    }
}

#[test]
fn everything_else_stays_as_written() {
    for (url, expected) in [
        (
            "HTTP://A/%7e?utm_source=x&UTM_x=1&utm=2#",
            "HTTP://A/%7e?UTM_x=1&utm=2#",
        ),
        ("http://a/?fbclid=1", "http://a/"),
        ("http://a/?fb%63lid=1&a=%7e", "http://a/?a=%7e"),
        (
            "http://a/?ref=1&source=2&si=3",
            "http://a/?ref=1&source=2&si=3",
        ),
        ("http://a/?", "http://a/?"),
        ("http://a", "http://a"),
    ] {
        assert_eq!(
            uri(["edit", "--strip-tracking", url]).out,
            format!("{expected}\n")
        );
    }
    // With other edits.
    let outcome = uri([
        "edit",
        "--strip-tracking",
        "--trim",
        "query=a",
        "?a&b&gclid",
    ]);
    assert_eq!(outcome.out, "?b\n");
}
