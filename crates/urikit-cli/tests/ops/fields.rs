//! The fields of `uri get` beyond the components, and modifiers after their names.

use crate::support::uri;

#[track_caller]
fn get(template: &str, text: &str) -> String {
    let outcome = uri(["get", template, text]);
    assert_eq!(
        (outcome.err.as_str(), outcome.status),
        ("", 0),
        "{template}"
    );
    outcome.out.strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn segments_files_and_extensions() {
    let url = "http://a/b/c%20d/e.tar.GZ?q#f.x";
    for (template, expected) in [
        ("{segment:1}", "b"),
        ("{segment:2}", "c%20d"),
        ("{segment:2:decode}", "c d"),
        ("{segment:-1}", "e.tar.GZ"),
        ("{segment:-3}", "b"),
        ("{segment:4}{segment:-4}", ""),
        ("{file}", "e.tar.GZ"),
        ("{ext}", "GZ"),
        ("{ext:lower}", "gz"),
    ] {
        assert_eq!(get(template, url), expected, "{template}");
    }
    for (text, expected) in [
        ("http://a/b/", "|"),
        ("http://a", "|"),
        ("http://a/.profile", ".profile|"),
        ("http://a/b.", "b.|"),
        ("a.html", "a.html|html"),
        ("mailto:a@b.c", "|"),
        ("urn:a:b.c", "|"),
        ("http://a/b%2Ehtml", "b%2Ehtml|"),
    ] {
        assert_eq!(get("{file}|{ext}", text), expected, "{text}");
    }
    assert_eq!(get("{ext:decode}{ext:normal}", "/b%2Ehtml"), "htmlhtml");
}

#[test]
fn origins_ports_and_cases() {
    for (template, text, expected) in [
        ("{origin}", "HTTP://u:p@EX.com:80/x", "http://ex.com"),
        ("{origin}", "http://ex.com:8080/x", "http://ex.com:8080"),
        ("{origin}", "mailto:a@b", ""),
        ("{port:default}", "https://a/", "443"),
        ("{default:port}", "https://a/", "443"),
        ("{port:default}", "ssh://a", "22"),
        ("{host:lower}", "http://EX%C3%BC.COM/", "ex%C3%BC.com"),
        ("{host:decode:lower}", "http://%45X.COM/", "ex.com"),
        ("{host:normal}", "http://%45X.COM/", "ex.com"),
        ("{url:normal}", "HTTP://A:80/b/../%7Ec", "http://a/~c"),
        ("{normal:path}", "x://h/a/./%62", "/a/b"),
        (
            "{host:puny:must}",
            "http://m%C3%BCnchen.de/",
            "xn--mnchen-3ya.de",
        ),
    ] {
        assert_eq!(get(template, text), expected, "{template} {text}");
    }
}

#[test]
fn the_values_of_pairs_are_decoded() {
    let url = "?a=%C3%A9&decode=1&b=x+y&a:b=2&a=3&=4";
    for (template, expected) in [
        ("{query:a:decode}", "\u{e9}"),
        ("{query:a}", "%C3%A9"),
        // The first part after `query:` is the name.
        ("{query:decode}", "1"),
        ("{query:b:form}", "x y"),
        ("{query:a:b}", "2"),
        ("{query-all:a:decode}", "\u{e9} 3"),
        ("{query::decode}", "4"),
    ] {
        assert_eq!(get(template, url), expected, "{template}");
    }
}

#[test]
fn what_is_no_field_is_a_usage_error() {
    for template in [
        "{segment}",
        "{segment:0}",
        "{segment:x}",
        "{host:upper}",
        "{host:default}",
        "{path:puny}",
        "{origin:decode}",
        "{lower}",
    ] {
        let outcome = uri(["get", template, "http://a/"]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{template}"
        );
    }
    let outcome = uri(["get", "{segment:9:must}", "http://a/"]);
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.err.contains("`{segment:9:must}` is absent"),
        "{outcome:?}"
    );
}
