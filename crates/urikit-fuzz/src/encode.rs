//! Percent-encoding: data comes back, from every component of every standard.

use crate::input;
use urikit::Standard;
use urikit::grammar::ByteSet;
use urikit::percent::{
    self, EncodeError, Place, Reading, decode, encode_with, escape_unreserved, unescape_unreserved,
};

/// Data in a component of a standard.
fn comes_back(standard: Standard, place: Place, data: &[u8]) {
    let escaped = match percent::encode(data, place, standard) {
        Ok(escaped) => escaped,
        Err(EncodeError::NoEscapes(error)) => {
            assert!(error.offset() < data.len(), "{error}");
            return;
        }
        // The standard has no such component.
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
        // What is encoded needs nothing more.
        let again = percent::encode(&text, place, standard)
            .unwrap()
            .reading(Reading::Partly);
        let again = if form { again.form() } else { again };
        assert_eq!(again.to_string(), text, "{standard} {place} {form}");
    }
}

/// A standard and a component by the first two octets, and data.
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

/// A set of octets from the first ones; a text after them.
fn sets(standard: Standard, data: &[u8]) {
    let (set, text) = data.split_at(data.len().min(8));
    let set = ByteSet::of(set);
    let all = encode_with(text, &set).to_string();
    let back = crate::components::decoded(&all);
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
    let safe = standard.parse(&safe).expect("a safer reference is valid");
    assert_eq!(
        escape_unreserved(safe, &set).unwrap(),
        safe.as_str(),
        "{text}"
    );
    let of = crate::components::decoded;
    assert_eq!(of(safe.as_str()), of(&text), "{standard}");
    if let Ok(plain) = unescape_unreserved(safe, &set) {
        let plain = standard
            .parse(&plain)
            .expect("a plainer reference is valid");
        assert_eq!(of(plain.as_str()), of(&text), "{standard}");
        assert_eq!(unescape_unreserved(plain, &set).unwrap(), plain.as_str());
    }
}
