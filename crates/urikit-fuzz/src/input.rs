//! Splits fuzz inputs into standards, options and strings, and lists the components that checks
//! compare.

use std::borrow::Cow;
use urikit::{AnyRef, Standard};

/// Splits off the first octet, which selects an option.
pub(crate) fn choice(data: &[u8]) -> Option<(usize, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first), rest))
}

/// Returns the standard that the first octet selects, and the rest as text.
pub(crate) fn by_standard(data: &[u8]) -> Option<(Standard, Cow<'_, str>)> {
    let (choice, rest) = choice(data)?;
    let standard = Standard::ALL[choice % Standard::ALL.len()];
    Some((standard, text(rest)))
}

/// Converts octets to text.
pub(crate) fn text(octets: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(octets)
}

/// Returns the strings before and after the first LF. Without an LF, the second string is empty.
pub(crate) fn two(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// Returns each component that can be edited, as written.
pub(crate) fn components(reference: AnyRef<'_>) -> Vec<(&'static str, Option<String>)> {
    let text = |text: &str| text.to_owned();
    vec![
        ("scheme", reference.scheme().map(text)),
        ("user", reference.user().map(|it| text(it.as_str()))),
        ("password", reference.password().map(|it| text(it.as_str()))),
        ("host", reference.host().map(|it| text(it.as_str()))),
        ("port", reference.port().map(text)),
        ("path", Some(text(reference.path().as_str()))),
        ("params", reference.params().map(|it| text(it.as_str()))),
        ("query", reference.query().map(|it| text(it.as_str()))),
        ("fragment", reference.fragment().map(|it| text(it.as_str()))),
    ]
}

/// Returns the octets that a string decodes to. A `%` that does not begin an escape is literal.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = |digit: u8| char::from(digit).to_digit(16);
        let escape = match (first, tail) {
            (b'%', [high, low, after @ ..]) => hex(*high).zip(hex(*low)).map(|it| (it, after)),
            _ => None,
        };
        if let Some(((high, low), after)) = escape {
            octets.push(u8::try_from(high << 4 | low).unwrap());
            rest = after;
        } else {
            octets.push(*first);
        }
    }
    octets
}
