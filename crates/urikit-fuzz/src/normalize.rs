//! Normal forms.

use crate::input;
use urikit::AnyRef;
use urikit::internal::fast;
use urikit::op::{Equivalence, Level};

/// A standard by the first octet, and a text.
pub(crate) fn normalize(data: &[u8]) {
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    let both = [standard.parse(&text), standard.parse_generic(&text)];
    for reference in both.into_iter().flatten() {
        for level in Level::ALL {
            at(reference, level);
        }
    }
}

fn at(reference: AnyRef<'_>, level: Level) {
    let normal = reference.normalize_to(level);
    let place = format!("{reference:?} {level}: {normal:?}");
    let is_same = normal.as_str() == reference.as_str();
    assert_eq!(normal.is_borrowed(), is_same, "{place}");
    assert_eq!(reference.is_normal(level), is_same, "{place}");
    let mut without = String::new();
    fast::normalize_without(reference, level, &mut without);
    assert_eq!(normal.as_str(), without, "{place}");
    let again = if reference.is_generic() {
        reference.standard().parse_generic(normal.as_str())
    } else {
        reference.standard().parse(normal.as_str())
    };
    let again = again.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(
        again.is_normal(level),
        "{place}, then {}",
        again.normalize_to(level)
    );
    for higher in Level::ALL.into_iter().filter(|higher| *higher > level) {
        let at_once = reference.normalize_to(higher);
        assert_eq!(
            again.normalize_to(higher),
            at_once,
            "{place}, then {higher}"
        );
    }
    let compared = reference.compare(again);
    assert!(
        compared.is_some_and(|by| by <= Equivalence::from(level)),
        "{place}: {compared:?}"
    );
}
