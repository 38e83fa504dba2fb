//! Random edits of generated references.

use super::{components, generated};
use urikit::{AnyRef, Change, Edit, EditError, Rfc1630, Rfc1738, Rfc1808, Rfc2396, Rfc2732};
use urikit::{Rfc3986, Rfc3987, Spec, Standard, UriRefBuf, Value};
use urikit_testkit::Random;

const REFERENCES: usize = 30_000;

const NAMES: [&str; 9] = [
    "scheme", "user", "password", "host", "port", "path", "params", "query", "fragment",
];

/// What a component may be set to.
pub(super) const TEXTS: [&str; 46] = [
    "",
    "a",
    "http",
    "ftp",
    "mailto",
    "80",
    "0",
    "x-y",
    "a.b",
    "127.0.0.1",
    "[::1]",
    "[::1",
    "a:b",
    "a@b",
    "/",
    "//",
    "//a",
    "/a/b",
    "a/b",
    "/a;type=i",
    "a;b",
    "?",
    "#",
    "a?b#c",
    "%",
    "%4",
    "%41",
    "%zz",
    "100%",
    "%25",
    " ",
    "é",
    "\u{E000}",
    "\u{FDD0}",
    "a b",
    "a=b&c=d",
    "+",
    "..",
    "/..",
    "~",
    "\\",
    "\"<>^`{|}",
    "\0\n",
    "'()*!$,",
    "a_b",
    "1=a;",
];

/// The bytes that a text stands for when its escapes are escapes; a `%` that begins none is itself.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if let (b'%', [high, low, behind @ ..]) = (first, tail)
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            let digits = [*high, *low];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = behind;
        } else {
            bytes.push(*first);
        }
    }
    bytes
}

fn set<'a>(edit: Edit<'a>, name: &str, change: Change<'a>) -> Edit<'a> {
    match (name, change) {
        ("scheme", change) => edit.scheme(change),
        ("user", change) => edit.user(change),
        ("password", change) => edit.password(change),
        ("host", change) => edit.host(change),
        ("port", change) => edit.port(change),
        ("params", change) => edit.params(change),
        ("query", change) => edit.query(change),
        ("fragment", change) => edit.fragment(change),
        ("path", Change::Set(value)) => edit.path(value),
        (_, Change::Remove) => edit.path(""),
        _ => unreachable!(),
    }
}

/// How a text is meant.
#[derive(Clone, Copy, Debug)]
enum As {
    Nothing,
    Escaped,
    Raw,
    Exact,
}

#[test]
fn only_what_is_meant_changes() {
    let mut random = Random::new(8);
    let mut out = String::new();
    for standard in Standard::ALL {
        let (mut done, mut refused) = (0, 0);
        for text in generated(standard, REFERENCES) {
            let Ok(reference) = standard.parse(&text) else {
                panic!("{text:?}");
            };
            let name = *random.pick(&NAMES);
            let given = *random.pick(&TEXTS);
            let how = *random.pick(&[As::Nothing, As::Escaped, As::Escaped, As::Raw, As::Exact]);
            let change = match how {
                As::Nothing => Change::Remove,
                As::Escaped => given.into(),
                As::Raw => Value::raw(given).into(),
                As::Exact => Value::exact(given).into(),
            };
            out.clear();
            out.push_str("before");
            let case = format!("{standard}: {text:?}, {name} as {how:?} {given:?}");
            if let Ok(result) = set(reference.edit(), name, change).write_into(&mut out) {
                check(reference, result, name, how, given, &case);
                done += 1;
            } else {
                assert_eq!(out, "before", "{case}");
                refused += 1;
            }
        }
        // Neither is rare, or the test says little.
        assert!(
            done > REFERENCES / 5 && refused > REFERENCES / 50,
            "{standard}: {done}, {refused}"
        );
    }
}

fn check(before: AnyRef<'_>, after: AnyRef<'_>, name: &str, how: As, given: &str, case: &str) {
    let case = format!("{case}: {:?}", after.as_str());
    assert_eq!(after.standard().parse(after.as_str()), Ok(after), "{case}");
    for ((component, old), (_, new)) in components(before).into_iter().zip(components(after)) {
        if component != name {
            assert_eq!(old, new, "{case}");
            continue;
        }
        match how {
            As::Nothing if name == "path" => assert_eq!(new.unwrap(), "", "{case}"),
            As::Nothing => assert_eq!(new, None, "{case}"),
            As::Exact => assert_eq!(new.unwrap(), given, "{case}"),
            As::Escaped => assert_eq!(decoded(&new.unwrap()), decoded(given), "{case}"),
            As::Raw if matches!(name, "scheme" | "port") => {
                assert_eq!(new.unwrap(), given, "{case}");
            }
            As::Raw => assert_eq!(decoded(&new.unwrap()), given.as_bytes(), "{case}"),
        }
    }
}

/// The setters of an owned reference: the same, and a failed one changes nothing.
fn owned<S: Spec>(random: &mut Random) {
    for text in generated(S::STANDARD, 4_000) {
        let mut reference = UriRefBuf::<S>::parse_as(text.clone()).unwrap();
        let given = *random.pick(&TEXTS);
        let index = random.below(4);
        let way = random.below(15);
        let change = || Change::from(given);
        let outcome: Result<(), EditError> = match way {
            0 => reference.set_scheme(given),
            1 => reference.set_userinfo(given),
            2 => reference.set_user(change()),
            3 => reference.set_password(given),
            4 => reference.set_host(given),
            5 => reference.set_port(given),
            6 => reference.set_path(given),
            7 => reference.set_query(given),
            8 => reference.set_fragment(None),
            9 => reference.push_segment(given),
            10 => reference.insert_segment(index, given),
            11 => reference.remove_segment(index),
            12 => reference.query_append(given, None),
            13 => reference.query_set(given, Value::raw("x y")),
            _ => reference.query_remove(given),
        };
        let case = format!("{} {text:?} {way} {given:?}", S::STANDARD);
        if outcome.is_err() {
            assert_eq!(reference.as_str(), text, "{case}");
        }
        let again = S::STANDARD.parse(reference.as_str()).expect(&case);
        assert_eq!(
            components(again),
            components(*reference.as_uri_ref()),
            "{case}"
        );
        // Anything can be told of an error, without the password.
        if let Err(error) = outcome {
            assert!(!error.to_string().contains('\n'), "{case}");
        }
    }
}

#[test]
fn a_failed_setter_changes_nothing() {
    let mut random = Random::new(9);
    owned::<Rfc1630>(&mut random);
    owned::<Rfc1738>(&mut random);
    owned::<Rfc1808>(&mut random);
    owned::<Rfc2396>(&mut random);
    owned::<Rfc2732>(&mut random);
    owned::<Rfc3986>(&mut random);
    owned::<Rfc3987>(&mut random);
}

#[test]
fn an_edit_without_a_change_gives_the_same_text() {
    let mut out = String::new();
    for standard in Standard::ALL {
        for text in generated(standard, 5_000) {
            for reference in [standard.parse(&text), standard.parse_generic(&text)]
                .into_iter()
                .flatten()
            {
                out.clear();
                let same = reference.edit().write_into(&mut out).unwrap();
                assert_eq!(same, reference);
            }
        }
    }
}

#[test]
fn a_password_is_masked_and_nothing_else_is_changed() {
    for standard in Standard::ALL {
        for text in generated(standard, 5_000) {
            let reference = standard.parse(&text).unwrap();
            let shown = reference.redact().to_string();
            let mut appended = String::from("x");
            reference.redact_into(&mut appended);
            assert_eq!(appended, format!("x{shown}"));
            match reference.password() {
                Some(password) if !password.is_empty() => {
                    let secret = format!(":{password}@");
                    assert_eq!(shown, text.replacen(&secret, ":***@", 1), "{standard}");
                }
                _ if text.contains("//") && text.contains('@') => {}
                _ => assert_eq!(shown, text, "{standard}"),
            }
        }
    }
    for (standard, text, shown) in [
        (Standard::Rfc2396, "http://u:p@a_b/", "http://u:***@a_b/"),
        (Standard::Rfc1630, "x://u:p@h/", ""),
        (Standard::Rfc1738, "x://u:p@h_/;@", "x://u:***@h_/;@"),
        (
            Standard::Rfc3986,
            "http://u:@h/?a:b@c",
            "http://u:@h/?a:b@c",
        ),
        (Standard::Rfc3986, "http://u@h/:b@c", "http://u@h/:b@c"),
        (Standard::Rfc3986, "//u:a:b@h", "//u:***@h"),
        // All that a production took for one opaque rest.
        (Standard::Rfc1738, "x://u:p?w@h_", "x://u:***@h_"),
        (Standard::Rfc3986, "mailto:a:b@c", "mailto:a:b@c"),
    ] {
        if let Ok(reference) = standard.parse(text) {
            assert_eq!(reference.redact().to_string(), shown);
        } else {
            assert_eq!(shown, "", "{standard}: {text}");
        }
    }
}
