//! Random edits of generated references, and edits of long references, which take linear time.

use super::{components, generated};
use std::hint::black_box;
use urikit::{
    AnyRef, AnyRefBuf, Change, EditError, IriBuf, IriRefBuf, Reference, Standard, UriBuf,
    UriBuilder, UriRef, UriRefBuf, Value,
};
use urikit_testkit::{Random, assert_linear};

const REFERENCES: usize = 30_000;

const NAMES: [&str; 9] = [
    "scheme", "user", "password", "host", "port", "path", "params", "query", "fragment",
];

/// Values for components.
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

/// Decodes the escapes in a string. A `%` that does not begin an escape is literal.
pub(super) fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if let (b'%', [high, low, after @ ..]) = (first, tail)
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            let digits = [*high, *low];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    bytes
}

fn set<'a>(edit: UriBuilder<'a>, name: &str, change: Change<'a>) -> UriBuilder<'a> {
    match (name, change) {
        ("scheme", change) => edit.scheme(change),
        ("user", change) => edit.user(change),
        ("password", change) => edit.password(change),
        ("host", change) => edit.host(change),
        ("port", change) => edit.port(change),
        ("params", change) => edit.params(change),
        ("query", change) => edit.query(change),
        ("fragment", change) => edit.fragment(change),
        (_, Change::Set(value)) => edit.path(value),
        (_, Change::Remove) => edit.path(""),
    }
}

/// How to interpret a string.
#[derive(Clone, Copy, Debug)]
enum As {
    Nothing,
    /// A plain string, which is data in a leaf, and must already be escaped in a complete
    /// component.
    ByPlace,
    Lenient,
    Data,
    Encoded,
}

/// `Data` appears twice, because it escapes the most.
const WAYS: [As; 6] = [
    As::Nothing,
    As::ByPlace,
    As::Lenient,
    As::Lenient,
    As::Data,
    As::Encoded,
];

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
            let how = *random.pick(&WAYS);
            let change = match how {
                As::Nothing => Change::Remove,
                As::ByPlace => given.into(),
                As::Lenient => Value::lenient(given).into(),
                As::Data => Value::data(given).into(),
                As::Encoded => Value::encoded(given).into(),
            };
            out.clear();
            out.push_str("before");
            let case = format!("{standard}: {text:?}, {name} as {how:?} {given:?}");
            if let Ok(result) = set(reference.to_builder(), name, change).write_into(&mut out) {
                check(reference, result, name, how, given, &case);
                done += 1;
            } else {
                assert_eq!(out, "before", "{case}");
                refused += 1;
            }
        }
        // Successes and failures must both be common, because otherwise the test would show little.
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
        let is_leaf = matches!(name, "user" | "password");
        let is_iri = after.standard() == Standard::Rfc3987;
        match how {
            As::Nothing if name == "path" => assert_eq!(new.unwrap(), "", "{case}"),
            As::Nothing => assert_eq!(new, None, "{case}"),
            // This host has a different DNS name.
            _ if name == "host" && !given.is_ascii() && !is_iri => {
                let name = cfg!(feature = "idna").then_some(("é", "xn--9ca"));
                assert_eq!(Some((given, &*new.unwrap())), name, "{case}");
            }
            As::ByPlace if is_leaf => {
                assert_eq!(decoded(&new.unwrap()), given.as_bytes(), "{case}");
            }
            As::ByPlace | As::Encoded => assert_eq!(new.unwrap(), given, "{case}"),
            As::Lenient => assert_eq!(decoded(&new.unwrap()), decoded(given), "{case}"),
            As::Data if matches!(name, "scheme" | "port") => {
                assert_eq!(new.unwrap(), given, "{case}");
            }
            As::Data => assert_eq!(decoded(&new.unwrap()), given.as_bytes(), "{case}"),
        }
    }
}

/// The setters of an owned reference do what the builder does, and change nothing if they fail.
macro_rules! setters {
    ($name:ident, $T:ty, $build:ident) => {
        fn $name(reference: &mut $T, random: &mut Random) {
            let text = reference.as_str().to_owned();
            let standard = reference.as_any().standard();
            let given = *random.pick(&TEXTS);
            let index = random.below(4);
            let way = random.below(20);
            let is_lenient = random.chance(50);
            let value = || {
                if is_lenient {
                    Value::lenient(given)
                } else {
                    Value::from(given)
                }
            };
            let old = reference.clone();
            let edit = old.to_builder();
            let (outcome, built): (Result<(), EditError>, _) = match way {
                0 => (reference.set_scheme(value()), edit.scheme(value())),
                1 | 2 => (reference.set_userinfo(value()), edit.userinfo(value())),
                3 => {
                    let change = || Change::from(given);
                    (reference.set_user(change()), edit.user(change()))
                }
                4 => (reference.set_password(value()), edit.password(value())),
                5 => (reference.set_host(value()), edit.host(value())),
                6 => (reference.set_port(value()), edit.port(value())),
                7 | 8 => (reference.set_path(value()), edit.path(value())),
                9 => (reference.set_query(value()), edit.query(value())),
                10 => (reference.set_fragment(value()), edit.fragment(value())),
                11 => (reference.push_segment(value()), edit.push_segment(value())),
                12 => {
                    let edit = edit.insert_segment(index, value());
                    (reference.insert_segment(index, value()), edit)
                }
                13 => (reference.remove_segment(index), edit.remove_segment(index)),
                14 => {
                    let edit = edit.query_append(value(), Change::Remove);
                    (reference.query_append(value(), Change::Remove), edit)
                }
                15 => {
                    let edit = edit.query_set(value(), Value::data("x y"));
                    (reference.query_set(value(), Value::data("x y")), edit)
                }
                16 => (reference.query_remove(value()), edit.query_remove(value())),
                17 => (reference.remove_authority(), edit.remove_authority()),
                18 => (reference.remove_query(), edit.remove_query()),
                _ => {
                    reference.remove_fragment();
                    (Ok(()), edit.remove_fragment())
                }
            };
            let case = format!("{standard} {text:?} {way} {given:?} {is_lenient}");
            let built = built.$build();
            match (&outcome, &built) {
                (Ok(()), Ok(built)) => assert_eq!(&*reference, built, "{case}"),
                (Err(a), Err(b)) => assert_eq!(a, b, "{case}"),
                _ => panic!("{case}: {outcome:?} and {built:?}"),
            }
            if outcome.is_err() {
                assert_eq!(reference.as_str(), text, "{case}");
            }
            let again = standard.parse(reference.as_str()).expect(&case);
            assert_eq!(components(again), components(reference.as_any()), "{case}");
            // An error can be shown without revealing the password.
            if let Err(error) = outcome {
                assert!(!error.to_string().contains('\n'), "{case}");
            }
        }
    };
}

setters!(set_any, AnyRefBuf, build_any);
setters!(set_uri, UriBuf, build);
setters!(set_uri_ref, UriRefBuf, build_ref);
setters!(set_iri, IriBuf, build_iri);
setters!(set_iri_ref, IriRefBuf, build_iri_ref);

#[test]
fn a_failed_setter_changes_nothing() {
    let mut random = Random::new(9);
    let random = &mut random;
    for standard in Standard::ALL {
        for text in generated(standard, 4_000) {
            set_any(&mut AnyRefBuf::parse(&text, standard).unwrap(), random);
            let is_absolute = standard.parse(&text).unwrap().scheme().is_some();
            match standard {
                Standard::Rfc3986 => {
                    set_uri_ref(&mut UriRefBuf::parse(&text).unwrap(), random);
                    assert_eq!(UriBuf::parse(&text).is_ok(), is_absolute, "{text}");
                    if let Ok(mut uri) = UriBuf::try_from(text) {
                        set_uri(&mut uri, random);
                    }
                }
                Standard::Rfc3987 => {
                    set_iri_ref(&mut IriRefBuf::parse(&text).unwrap(), random);
                    assert_eq!(IriBuf::parse(&text).is_ok(), is_absolute, "{text}");
                    if let Ok(mut iri) = IriBuf::try_from(text) {
                        set_iri(&mut iri, random);
                    }
                }
                _ => {}
            }
        }
    }
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
                let same = reference.to_builder().write_into(&mut out).unwrap();
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
            let shown = reference.display_redacted().to_string();
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
        // RFC 1738's production matches all of this text as one opaque part.
        (Standard::Rfc1738, "x://u:p?w@h_", "x://u:***@h_"),
        (Standard::Rfc3986, "mailto:a:b@c", "mailto:a:b@c"),
        // A URL after another scheme.
        (
            Standard::Rfc3986,
            "jdbc:mysql://u:p@h/x",
            "jdbc:mysql://u:***@h/x",
        ),
        (
            Standard::Rfc2396,
            "jdbc:mysql://u:p@h/x",
            "jdbc:mysql://u:***@h/x",
        ),
        (
            Standard::Rfc3987,
            "view-source:x:y://u:p@h",
            "view-source:x:y://u:***@h",
        ),
        (Standard::Rfc3986, "x:y://h/u:p@h", "x:y://h/u:p@h"),
        (Standard::Rfc3986, "x:y//u:p@h", "x:y//u:p@h"),
    ] {
        if let Ok(reference) = standard.parse(text) {
            assert_eq!(reference.display_redacted().to_string(), shown);
            if text.starts_with("jdbc:") {
                assert!(format!("{reference:?}").contains(shown), "{reference:?}");
            }
        } else {
            assert_eq!(shown, "", "{standard}: {text}");
        }
    }
}

#[test]
fn a_thousand_pairs_and_a_query_of_a_mebibyte_pass() {
    let pairs: Vec<String> = (0..1_000).map(|n| format!("k{n}=v%20{n}")).collect();
    let text = format!("http://h/?{}#f", pairs.join("&"));
    let mut url: urikit::UriRefBuf = text.parse().unwrap();
    url.query_set("k500", "new").unwrap();
    url.query_remove("k999").unwrap();
    assert_eq!(url.as_uri_ref().query_pairs().count(), 999);
    assert_eq!(
        url.as_uri_ref().query_get_raw("k500").unwrap().as_str(),
        "k500=new"
    );
    let mut expected = pairs.clone();
    expected.pop();
    *expected.get_mut(500).unwrap() = "k500=new".to_owned();
    assert_eq!(url.as_str(), format!("http://h/?{}#f", expected.join("&")));

    let long = "x".repeat(1 << 20);
    url.query_append("long", long.as_str()).unwrap();
    assert!(url.as_str().len() > 1 << 20);
    url.remove_fragment();
    assert!(url.as_str().ends_with(&long));
}

type Edit = for<'a> fn(UriBuilder<'a>) -> UriBuilder<'a>;

const EDITS: [Edit; 10] = [
    |edit| edit.scheme("ftp"),
    |edit| edit.push_segment("x"),
    |edit| edit.insert_segment(1, "x"),
    |edit| edit.remove_segment(1),
    |edit| edit.query_append("x", "y"),
    |edit| edit.query_set("a", "y"),
    |edit| edit.query_replace("b", "y"),
    |edit| edit.query_remove("a"),
    |edit| edit.query_remove(Value::lenient("%61")),
    |edit| edit.sort_query(),
];

/// Small enough that memory comes from the heap rather than page by page from the system: on a busy
/// machine, the pages would cost more than the work.
const SIZE: usize = 4_000;

#[test]
fn time_is_linear() {
    for repeated in ["a=1&", "&", "a&", "%61=&", "/a", "//", "%2e/", "b&a&"] {
        let text = |times: usize| format!("http://h/{r}?{r}", r = repeated.repeat(times));
        for (nth, edit) in EDITS.iter().enumerate() {
            assert_linear(&format!("{repeated} {nth}"), SIZE, |size| {
                let text = text(size);
                move || {
                    let reference = UriRef::parse(&text).unwrap();
                    let _ = black_box(edit(reference.to_builder()).write_into(&mut String::new()));
                }
            });
        }
        assert_linear(repeated, SIZE, |size| {
            let text = text(size);
            move || {
                let reference = UriRef::parse(&text).unwrap();
                let path = reference.path().as_str().trim_start_matches('/');
                let below = reference.to_builder().join_below(path);
                let _ = black_box(below.write_into(&mut String::new()));
                let _ = black_box(reference.display_redacted().to_string());
                let _ = black_box(reference.query().unwrap().decode().form().octets().count());
            }
        });
    }
}
