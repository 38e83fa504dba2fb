//! Equivalence of telephone numbers (RFC 3966, 4).

use super::Tel;
use super::syntax::{digits, order};
use core::cmp::Ordering;
use urikit::component::Encoded;
use urikit::internal::escaped_octet;

pub(super) fn is_equivalent(a: &Tel<'_>, b: &Tel<'_>) -> bool {
    is_number(a.number(), b.number())
        && is_both(a.ext(), b.ext(), is_number)
        && is_both(a.isub(), b.isub(), is_value)
        && is_both(a.phone_context(), b.phone_context(), is_context)
        && is_same_parameters(a, b)
}

fn is_both<T>(a: Option<T>, b: Option<T>, is: impl Fn(T, T) -> bool) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => is(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Digit by digit, without visual separators. (The `+` is among the digits.)
fn is_number(a: &str, b: &str) -> bool {
    let lower = |c: char| c.to_ascii_lowercase();
    digits(a).map(lower).eq(digits(b).map(lower))
}

/// As host names, or digit by digit.
fn is_context(a: &str, b: &str) -> bool {
    match (a.starts_with('+'), b.starts_with('+')) {
        (true, true) => is_number(a, b),
        (false, false) => a.eq_ignore_ascii_case(b),
        _ => false,
    }
}

/// Without case; an escape of a character that is neither reserved nor unsafe is the same as the
/// character (RFC 3966, 3).
fn is_value(a: Encoded<'_>, b: Encoded<'_>) -> bool {
    normal(a).eq(normal(b))
}

/// The octets of a value, and for each whether it is an escape that is kept.
fn normal(value: Encoded<'_>) -> impl Iterator<Item = (bool, u8)> + '_ {
    let mut rest = value.as_str().as_bytes();
    core::iter::from_fn(move || {
        let (first, after) = rest.split_first()?;
        let Some(octet) = escaped_octet(rest) else {
            rest = after;
            return Some((false, first.to_ascii_lowercase()));
        };
        rest = rest.get(3..).unwrap_or_default();
        let is_plain = octet.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&octet);
        Some((
            !is_plain,
            if is_plain {
                octet.to_ascii_lowercase()
            } else {
                octet
            },
        ))
    })
}

/// The other parameters, by name.
fn is_same_parameters(a: &Tel<'_>, b: &Tel<'_>) -> bool {
    let is_same = |x: (&str, Option<Encoded<'_>>), y: (&str, Option<Encoded<'_>>)| {
        order(x.0, y.0) == Ordering::Equal && is_both(x.1, y.1, is_value)
    };
    let mut pairs = a.parameters().zip(b.parameters());
    if a.parameters().count() != b.parameters().count() {
        return false;
    }
    // Both sides have the same number of names, without duplicates. If they are not sorted, there
    // are few of them.
    pairs.all(|(x, y)| is_same(x, y))
        || a.parameters().count() <= super::syntax::UNORDERED_MAX
            && a.parameters()
                .all(|x| b.parameters().any(|y| is_same(x, y)))
}
