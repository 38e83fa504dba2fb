//! Which standards heed which choice: what the command tells people must be so.

use crate::resolve;
use urikit::Standard;
use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};

/// Whether a choice makes any difference under `standard`.
fn differs(standard: Standard, base: &str, reference: &str, choices: &[Options]) -> bool {
    let base = standard.parse(base).unwrap();
    let mut targets = choices
        .iter()
        .map(|choice| resolve(base, reference, *choice));
    let first = targets.next().unwrap();
    targets.any(|target| target != first)
}

#[test]
fn a_choice_is_heeded_by_the_standards_that_it_names_and_by_no_other() {
    let above_root =
        [AboveRoot::Keep, AboveRoot::Drop, AboveRoot::Refuse].map(|above_root| Options {
            above_root: Some(above_root),
            ..Options::default()
        });
    let same_scheme = [SameScheme::Strict, SameScheme::Inherit].map(|same_scheme| Options {
        same_scheme,
        ..Options::default()
    });
    let slash_rule = [SlashRule::Examples, SlashRule::Text].map(|slash_rule| Options {
        slash_rule,
        ..Options::default()
    });
    for standard in Standard::ALL {
        let heeded = [
            differs(standard, "http://a/b", "../../g", &above_root),
            differs(standard, "http://a/b", "http:g", &same_scheme),
            differs(standard, "magic://a/b/c//d/e/f", "/g", &slash_rule),
        ];
        let named = [
            AboveRoot::STANDARDS.contains(&standard),
            SameScheme::STANDARDS.contains(&standard),
            SlashRule::STANDARDS.contains(&standard),
        ];
        assert_eq!(heeded, named, "{standard}");
    }
}
