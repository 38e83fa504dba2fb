//! Resolving against the RFCs' algorithms written out literally, and relativizing against
//! resolving.

use crate::input;
use urikit::Standard;
use urikit::op::{AboveRoot, Options, RelativeOptions, SameScheme, SlashRule};

/// The algorithms, step by step. The tests of the core use the same file.
#[path = "../../urikit/tests/resolve/literal.rs"]
#[allow(unreachable_pub, dead_code)]
mod literal;

/// The literal algorithms take quadratic time.
const LONGEST: usize = 4096;

/// A standard by the first octet, options by the second, a base and a reference.
pub(crate) fn resolve(data: &[u8]) {
    let Some((choice, rest)) = input::choice(data) else {
        return;
    };
    let Some((standard, text)) = input::by_standard(rest) else {
        return;
    };
    let (base, reference) = input::two(&text);
    let (Ok(base), Ok(reference)) = (standard.parse(base), standard.parse(reference)) else {
        return;
    };
    // RFC 1738 has no relative references.
    let is_rfc1738 = standard == Standard::Rfc1738;
    if base.scheme().is_none() || text.len() > LONGEST || is_rfc1738 {
        return;
    }
    let options = options(standard, choice);
    let mut target = String::from("before");
    let outcome = reference.resolve_into(base, options, &mut target);
    let target = target.strip_prefix("before").expect("appended");
    let Some((expected, meant)) = literal::resolve(base, reference, options) else {
        assert!(outcome.is_err(), "{base} {reference}: {target}");
        assert_eq!(target, "", "an error appends nothing");
        return;
    };
    assert!(
        outcome.is_ok(),
        "{base} {reference}: {outcome:?}, {expected}"
    );
    assert_eq!(target, expected, "{base} {reference} {options:?}");
    let parsed = standard.parse(target).expect("a target is valid");
    assert!(parsed.scheme().is_some());
    if let Some(meant) = meant {
        assert_eq!(literal::components(parsed), meant, "{base} {reference}");
    }
}

/// The choices that a standard leaves.
fn options(standard: Standard, choice: usize) -> Options {
    let above_root = match standard {
        Standard::Rfc1808 | Standard::Rfc2396 | Standard::Rfc2732 => choice & 3,
        _ => 0,
    };
    Options {
        above_root: [
            None,
            Some(AboveRoot::Keep),
            Some(AboveRoot::Drop),
            Some(AboveRoot::Refuse),
        ][above_root],
        same_scheme: [SameScheme::Strict, SameScheme::Inherit][choice >> 2 & 1],
        slash_rule: [SlashRule::Examples, SlashRule::Text][choice >> 3 & 1],
    }
}

/// A standard by the first octet, options by the second, a base and a target.
pub(crate) fn relativize(data: &[u8]) {
    let Some((choice, rest)) = input::choice(data) else {
        return;
    };
    let Some((standard, text)) = input::by_standard(rest) else {
        return;
    };
    let (base, target) = input::two(&text);
    let (Ok(base), Ok(target)) = (standard.parse(base), standard.parse(target)) else {
        return;
    };
    let mut options = RelativeOptions::default();
    if choice & 1 > 0 {
        options = options.no_parent();
    }
    if choice & 2 > 0 {
        options = options.no_absolute_path();
    }
    let mut found = String::from("before");
    let outcome = target.relative_to_into(base, options, &mut found);
    let found = found.strip_prefix("before").expect("appended");
    if outcome.is_err() {
        assert_eq!(found, "", "an error appends nothing");
        return;
    }
    let reference = standard.parse(found).expect("a reference is valid");
    assert!(
        found.len() <= target.as_str().len(),
        "{base} {target}: {found}"
    );
    let mut again = String::new();
    let outcome = reference.resolve_into(base, Options::default(), &mut again);
    assert!(outcome.is_ok(), "{base} {target}: {found}: {outcome:?}");
    assert_eq!(again, target.as_str(), "{base}: {found}");
}
