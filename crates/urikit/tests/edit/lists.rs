//! Segments and pairs against plain lists of texts.

use super::generated;
use super::random::{TEXTS, decoded};
use urikit::op::Component;
use urikit::{AnyRef, Change, EditError, Standard, UriBuf, UriBuilder, UriRef, Value};
use urikit_testkit::Random;

fn segments(reference: AnyRef<'_>) -> Vec<String> {
    let segments = reference.path().segments();
    segments
        .map(|segment| segment.as_str().to_owned())
        .collect()
}

fn pairs(reference: AnyRef<'_>) -> Vec<String> {
    let pairs = reference.query_pairs();
    pairs.map(|pair| pair.as_str().to_owned()).collect()
}

/// Some texts hold what ends a segment or a pair; in both readings it is data.
#[test]
fn segments_are_a_list() {
    let mut random = Random::new(11);
    let mut out = String::new();
    for standard in Standard::ALL {
        let mut done = 0;
        for text in generated(standard, 10_000) {
            let reference = standard.parse(&text).unwrap();
            let mut expected = segments(reference);
            let given = *random.pick(&TEXTS);
            let index = random.below(expected.len() + 2);
            let way = random.below(3);
            let is_data = random.chance(50);
            let value = || {
                if is_data {
                    Value::from(given)
                } else {
                    Value::lenient(given)
                }
            };
            let edit = reference.to_builder();
            let edit = match way {
                0 => edit.push_segment(value()),
                1 => edit.insert_segment(index, value()),
                _ => edit.remove_segment(index),
            };
            out.clear();
            let Ok(after) = edit.write_into(&mut out) else {
                continue;
            };
            done += 1;
            let mut found = segments(after);
            let case = format!("{text:?} {way} {index} {given:?} {is_data}: {found:?}");
            let is_given = |segment: &str| {
                if is_data {
                    decoded(segment) == given.as_bytes()
                } else {
                    decoded(segment) == decoded(given)
                }
            };
            // What was put in is taken out, whatever was escaped in it.
            match way {
                0 => {
                    let last = found.pop().unwrap();
                    assert!(!last.contains('/') && is_given(&last), "{case}");
                    if expected.last().is_some_and(String::is_empty) {
                        expected.pop();
                    }
                }
                1 => {
                    let new = found.remove(index);
                    assert!(!new.contains('/') && is_given(&new), "{case}");
                }
                _ => drop(expected.remove(index)),
            }
            assert_eq!(found, expected, "{case}");
            assert_eq!(after.query(), reference.query(), "{case}");
        }
        assert!(done > 2_000, "{standard}: {done}");
    }
}

#[test]
fn pairs_are_a_list() {
    const PIECES: [&str; 9] = ["a=1", "b=2", "a", "a=", "", "=x", "%61=3", "A=4", "c=%26"];
    let mut random = Random::new(12);
    let mut out = String::new();
    for _ in 0..20_000 {
        let count = random.below(6);
        let old: Vec<&str> = (0..count).map(|_| *random.pick(&PIECES)).collect();
        let text = format!("http://h/?{}#f?a=1", old.join("&"));
        let reference = UriRef::parse(&text).unwrap();
        let is_a = |pair: &&str| matches!(pair.split('=').next(), Some("a" | "%61"));
        out.clear();
        let (edit, expected) = match random.below(5) {
            0 => (
                reference.to_builder().query_append("x&y=z", "p&q=r"),
                [old.clone(), vec!["x%26y%3Dz=p%26q%3Dr"]].concat(),
            ),
            1 => {
                let mut pairs = old.clone();
                let first = old.iter().position(&is_a);
                let mut at = 0;
                pairs.retain(|pair| {
                    at += 1;
                    !is_a(pair) || Some(at - 1) == first
                });
                let name = first.map(|at| old.get(at).unwrap().split('=').next().unwrap());
                match first {
                    Some(at) if name == Some("a") => *pairs.get_mut(at).unwrap() = "a=n",
                    Some(at) => *pairs.get_mut(at).unwrap() = "%61=n",
                    None => pairs.push("a=n"),
                }
                (reference.to_builder().query_set("a", "n"), pairs)
            }
            2 => {
                let mut pairs = old.clone();
                pairs.retain(|pair| !is_a(pair));
                (
                    reference.to_builder().query_remove(Value::lenient("%61")),
                    pairs,
                )
            }
            // As data, no pair has this name.
            3 => (reference.to_builder().query_remove("%61"), old.clone()),
            _ => {
                let mut pairs = old.clone();
                pairs.sort_by_key(|pair| {
                    let name = pair.split('=').next().unwrap();
                    (pair.is_empty(), name.replace("%61", "a").to_lowercase())
                });
                (reference.to_builder().sort_query(), pairs)
            }
        };
        let after = edit.write_into(&mut out).unwrap();
        let mut found = pairs(after);
        let mut expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        // An empty pair at the end is filled, and a lone one is none.
        let is_only_empty = |list: &Vec<String>| list.iter().all(String::is_empty);
        if is_only_empty(&found) && is_only_empty(&expected) {
            found.clear();
            expected.clear();
        }
        if let [.., before, _] = expected.as_slice()
            && before.is_empty()
            && found.len() < expected.len()
        {
            expected.remove(expected.len() - 2);
        }
        assert_eq!(found, expected, "{text}");
        assert_eq!(after.fragment().unwrap(), "f?a=1");
    }
}

#[test]
fn the_errors_say_what_is_wrong() {
    let mut out = String::new();
    let url = UriRef::parse("http://h/a/b").unwrap();
    let mut error = |edit: UriBuilder<'_>| edit.write_into(&mut out).unwrap_err();
    let segments = 2;
    assert_eq!(
        error(url.to_builder().remove_segment(2)),
        EditError::NoSuchSegment { index: 2, segments }
    );
    assert_eq!(
        error(url.to_builder().insert_segment(3, "x")),
        EditError::NoSuchSegment { index: 3, segments }
    );
    for dots in [".", "..", "%2e", ".%2E", "%2e%2e"] {
        for value in [Value::lenient(dots), Value::encoded(dots)] {
            let pushed = error(url.to_builder().push_segment(value.clone()));
            assert_eq!(pushed, EditError::DotSegment, "{dots}");
            let inserted = error(url.to_builder().insert_segment(0, value));
            assert_eq!(inserted, EditError::DotSegment, "{dots}");
        }
        let pushed = url.to_builder().push_segment(dots).build_ref();
        if dots.contains('%') {
            let escaped = dots.replace('%', "%25");
            assert_eq!(pushed.unwrap().as_str(), format!("http://h/a/b/{escaped}"));
        } else {
            assert_eq!(pushed, Err(EditError::DotSegment), "{dots}");
        }
    }
    assert_eq!(error(url.to_builder().password("x")), EditError::NeedsUser);
    for path in ["a", "a/b", ":80", "?"] {
        let joined = error(url.to_builder().path(path));
        assert_eq!(joined, EditError::NeedsSlash, "{path}");
    }
    let text = error(url.to_builder().port(80).path("a")).to_string();
    assert_eq!(text, "a path after a host must begin with `/`");
    let opaque = Standard::Rfc2396.parse("mailto:a@b").unwrap();
    let component = Component::Path;
    let segments = EditError::Opaque { component };
    assert_eq!(error(opaque.to_builder().push_segment("x")), segments);
    let text = error(opaque.to_builder().host(Change::Remove).user("u")).to_string();
    assert_eq!(text, "a userinfo needs a host");
    let text = error(url.to_builder().params("x")).to_string();
    assert_eq!(text, "RFC 3986 has no params");
    // A text without more is as it must be written, too.
    let (path, query) = (Component::Path, Component::Query);
    for (edit, component, found, offset) in [
        (url.to_builder().path("/a?b"), path, '?', 2),
        (url.to_builder().path("/%C3#b"), path, '#', 4),
        (url.to_builder().query("a#b"), query, '#', 1),
    ] {
        let expected = EditError::Delimiter {
            component,
            found,
            offset,
        };
        assert_eq!(error(edit), expected);
    }
    assert_eq!(
        error(url.to_builder().path("/ ")),
        error(url.to_builder().path(Value::encoded("/ ")))
    );
    let error = error(url.to_builder().path(Value::encoded("/ ")));
    assert_eq!(
        error.to_string(),
        "the path is not valid: expected a path character, `/`, `?`, `#` or the end, but found a \
         space at byte 1 (segment, RFC 3986, 3.3)"
    );
}

#[test]
fn many_pairs_are_appended_as_one_by_one() {
    for text in ["http://h/", "http://h/?", "http://h/?a=1", "http://h/?a&#s"] {
        let pairs = [("x&y", "50% +"), ("", ""), ("é", "a=b")];
        let (mut each, mut all) = (UriBuf::parse(text).unwrap(), UriBuf::parse(text).unwrap());
        for (name, value) in pairs {
            each.query_append(name, value).unwrap();
        }
        all.query_extend(pairs).unwrap();
        assert_eq!(all, each);
        // Owned text, and no value at all.
        all.query_extend(vec![(String::from("z"), None::<String>)])
            .unwrap();
        each.query_append("z", None::<String>).unwrap();
        assert_eq!(all, each);
        all.query_extend(std::iter::empty::<(&str, &str)>())
            .unwrap();
        assert_eq!(all, each);
        // All or none.
        let bad = [("b", Value::from("1")), ("c", Value::encoded("a b"))];
        assert!(all.query_extend(bad).is_err());
        assert_eq!(all, each);
    }
}
