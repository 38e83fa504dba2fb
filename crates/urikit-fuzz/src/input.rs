//! From octets to what a check needs.

use std::borrow::Cow;
use urikit::Standard;

/// The first octet, which makes a choice, and the rest.
pub(crate) fn choice(data: &[u8]) -> Option<(usize, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first), rest))
}

/// A standard chosen by the first octet, and the rest as text.
pub(crate) fn by_standard(data: &[u8]) -> Option<(Standard, Cow<'_, str>)> {
    let (choice, rest) = choice(data)?;
    let standard = Standard::ALL[choice % Standard::ALL.len()];
    Some((standard, text(rest)))
}

/// Octets as text.
pub(crate) fn text(octets: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(octets)
}

/// The two texts around the first LF, the second empty without one.
pub(crate) fn two(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
