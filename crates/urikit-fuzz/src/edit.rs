//! The checks for editing and percent-encoding.
//!
//! An edit puts the given value into the chosen component and changes nothing else. Encoded data
//! decodes to the same data, in every component of every standard.

use crate::input;
use crate::input::{components, decoded};
use urikit::grammar::ByteSet;
use urikit::percent::{
    self, EncodeError, Place, Reading, decode, encode_with, escape_unreserved, unescape_unreserved,
};
use urikit::{AnyRef, Change, Standard, UriBuilder, Value};

/// The form of the given text: data, already encoded, or a mixture of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum As {
    Lenient,
    Data,
    Encoded,
}

const WAYS: [As; 4] = [As::Lenient, As::Data, As::Encoded, As::Data];

impl As {
    fn value(self, text: &str) -> Value<'_> {
        match self {
            Self::Lenient => Value::lenient(text),
            Self::Data => Value::data(text),
            Self::Encoded => Value::encoded(text),
        }
    }

    /// Returns the octets to which the edited component must decode.
    fn octets(self, text: &str) -> Vec<u8> {
        match self {
            Self::Data => text.as_bytes().to_vec(),
            Self::Lenient | Self::Encoded => decoded(text),
        }
    }
}

/// Checks editing. The first octet selects an operation and the meaning of its value, and the
/// second selects a standard. A reference and a value follow.
pub(crate) fn edit(data: &[u8]) {
    let Some((choice, rest)) = input::choice(data) else {
        return;
    };
    let Some((standard, text)) = input::by_standard(rest) else {
        return;
    };
    let (before, given) = input::two(&text);
    let Ok(before) = standard.parse(before) else {
        return;
    };
    let (operation, how) = (choice >> 2, WAYS[choice & 3]);
    let value = how.value(given);
    match operation % 14 {
        0 => component(
            before,
            "scheme",
            given,
            before.to_builder().scheme(value),
            how,
        ),
        1 => component(before, "user", given, before.to_builder().user(value), how),
        2 => component(
            before,
            "password",
            given,
            before.to_builder().password(value),
            how,
        ),
        3 => component(before, "host", given, before.to_builder().host(value), how),
        4 => component(before, "port", given, before.to_builder().port(value), how),
        5 => component(before, "path", given, before.to_builder().path(value), how),
        6 => component(
            before,
            "params",
            given,
            before.to_builder().params(value),
            how,
        ),
        7 => component(
            before,
            "query",
            given,
            before.to_builder().query(value),
            how,
        ),
        8 => component(
            before,
            "fragment",
            given,
            before.to_builder().fragment(value),
            how,
        ),
        9 => push(before, given, how),
        10 => insert(before, given, how),
        11 => append(before, given, how),
        12 => parameter(before, given, how),
        _ => {
            let removed = before.to_builder().query_remove(value);
            let mut out = String::new();
            if let Ok(after) = removed.write_into(&mut out) {
                others(before, after, "query", "query_remove");
            }
        }
    }
}

/// Writes the edited reference, and checks that it has the same components when it is parsed.
fn written<'o>(edit: UriBuilder<'_>, out: &'o mut String) -> Option<AnyRef<'o>> {
    let after = edit.write_into(out).ok()?;
    let again = after.standard().parse(after.as_str());
    assert_eq!(again.map(components), Ok(components(after)), "{after:?}");
    Some(after)
}

/// Checks that all components except one are unchanged.
fn others(before: AnyRef<'_>, after: AnyRef<'_>, name: &str, case: &str) -> Option<String> {
    let mut changed = None;
    for ((component, old), (_, new)) in components(before).into_iter().zip(components(after)) {
        if component == name {
            changed = new;
        } else {
            assert_eq!(old, new, "{case}: {before:?} {after:?}");
        }
    }
    changed
}

fn component(before: AnyRef<'_>, name: &str, given: &str, edit: UriBuilder<'_>, how: As) {
    let mut out = String::new();
    let Some(after) = written(edit, &mut out) else {
        return;
    };
    let case = format!("{name} {how:?} {given:?}");
    let new = others(before, after, name, &case).expect("the component is present");
    let is_dns = name == "host" && !given.is_ascii();
    if !is_dns {
        assert_eq!(
            decoded(&new),
            how.octets(given),
            "{case}: {before:?} {after:?}"
        );
    }
    if how == As::Encoded && !is_dns {
        assert_eq!(new, given, "{case}: {before:?}");
    }
}

fn segments(reference: AnyRef<'_>) -> Vec<String> {
    let all = reference.path().segments();
    all.map(|segment| segment.as_str().to_owned()).collect()
}

fn push(before: AnyRef<'_>, given: &str, how: As) {
    let mut out = String::new();
    let edit = before.to_builder().push_segment(how.value(given));
    if let Some(after) = written(edit, &mut out) {
        let case = format!("push_segment {how:?} {given:?}");
        others(before, after, "path", &case);
        let (old, new) = (segments(before), segments(after));
        let last = new.last().expect("a segment was pushed");
        assert_eq!(
            decoded(last),
            how.octets(given),
            "{case}: {before:?} {after:?}"
        );
        assert!(new.len() <= old.len() + 1, "{case}: {before:?} {after:?}");
    }
}

fn insert(before: AnyRef<'_>, given: &str, how: As) {
    let old = segments(before);
    for index in 0..old.len().min(3) {
        let mut out = String::new();
        let edit = before.to_builder().insert_segment(index, how.value(given));
        if let Some(after) = written(edit, &mut out) {
            let case = format!("insert_segment {index} {how:?} {given:?}");
            others(before, after, "path", &case);
            let new = segments(after);
            assert!(
                new.iter()
                    .any(|segment| decoded(segment) == how.octets(given)),
                "{case}: {before:?} {after:?}"
            );
            assert!(new.len() <= old.len() + 1, "{case}: {before:?} {after:?}");
        }
    }
}

fn append(before: AnyRef<'_>, given: &str, how: As) {
    let mut out = String::new();
    let edit = before
        .to_builder()
        .query_append(how.value(given), Change::Remove);
    if let Some(after) = written(edit, &mut out) {
        let case = format!("query_append {how:?} {given:?}");
        others(before, after, "query", &case);
        let pairs = |reference: AnyRef<'_>| reference.query_pairs().count();
        let (old, new) = (pairs(before), pairs(after));
        assert!(new <= old + 1, "{case}: {before:?} {after:?}");
    }
}

fn parameter(before: AnyRef<'_>, given: &str, how: As) {
    let mut out = String::new();
    let edit = before
        .to_builder()
        .query_set(how.value(given), Value::data("x y"));
    if let Some(after) = written(edit, &mut out) {
        let case = format!("query_set {how:?} {given:?}");
        others(before, after, "query", &case);
        let pairs = |reference: AnyRef<'_>| reference.query_pairs().count();
        assert!(
            pairs(after) <= pairs(before) + 1,
            "{case}: {before:?} {after:?}"
        );
    }
}

/// Encodes data for a component of a standard, and decodes it again.
fn comes_back(standard: Standard, place: Place, data: &[u8]) {
    let escaped = match percent::encode(data, place, standard) {
        Ok(escaped) => escaped,
        Err(EncodeError::NoEscapes(error)) => {
            assert!(error.offset() < data.len(), "{error}");
            return;
        }
        // The standard does not define the component, or the data cannot be a host.
        Err(_) => return,
    };
    for form in [false, true] {
        if form && !place.is_query() {
            continue;
        }
        let escaped = if form {
            escaped.clone().form()
        } else {
            escaped.clone()
        };
        let text = escaped.to_string();
        let decoded = decode(&text, place, standard).unwrap();
        let decoded = if form { decoded.form() } else { decoded };
        assert_eq!(
            decoded.to_bytes(),
            data,
            "{standard} {place} {form}: {text:?}"
        );
        // Encoded text needs no further escaping.
        let again = percent::encode(&text, place, standard)
            .unwrap()
            .reading(Reading::Partly);
        let again = if form { again.form() } else { again };
        assert_eq!(again.to_string(), text, "{standard} {place} {form}");
    }
}

/// Checks encoding. The first two octets select a standard and a component, and the rest is data.
pub(crate) fn encode(data: &[u8]) {
    let Some((which, rest)) = input::choice(data) else {
        return;
    };
    let Some((choice, octets)) = input::choice(rest) else {
        return;
    };
    let standard = Standard::ALL[which % Standard::ALL.len()];
    comes_back(standard, Place::ALL[choice % Place::ALL.len()], octets);
    sets(standard, octets);
}

/// Checks that a set of characters is escaped. The first eight octets are the set, and the rest is
/// the text to escape.
fn sets(standard: Standard, data: &[u8]) {
    let (set, text) = data.split_at(data.len().min(8));
    let set = ByteSet::of(set);
    let all = encode_with(text, &set).to_string();
    let back = crate::input::decoded(&all);
    if set.contains(b'%') {
        return;
    }
    assert_eq!(back, text, "{all:?}");
    let text = input::text(text);
    let Ok(reference) = standard.parse(&text) else {
        return;
    };
    let Ok(safe) = escape_unreserved(reference, &set) else {
        return;
    };
    let safe = standard
        .parse(&safe)
        .expect("the escaped reference is valid");
    assert_eq!(
        escape_unreserved(safe, &set).unwrap(),
        safe.as_str(),
        "{text}"
    );
    let of = crate::input::decoded;
    assert_eq!(of(safe.as_str()), of(&text), "{standard}");
    if let Ok(plain) = unescape_unreserved(safe, &set) {
        let plain = standard
            .parse(&plain)
            .expect("the unescaped reference is valid");
        assert_eq!(of(plain.as_str()), of(&text), "{standard}");
        assert_eq!(unescape_unreserved(plain, &set).unwrap(), plain.as_str());
    }
}
