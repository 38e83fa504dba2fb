//! The rows of `testdata/normalize/` and `testdata/compare/`.

use urikit::Standard;
use urikit::op::{Equivalence, Level};
use urikit_testkit::rows_normalize::{comparisons, normalizations};

#[test]
fn every_normal_form() {
    let mut wrong = Vec::new();
    for row in normalizations() {
        for standard in &row.standards {
            let standard: Standard = standard.parse().unwrap();
            let reference = match standard.parse(&row.input) {
                Ok(reference) => reference,
                Err(error) => {
                    wrong.push(format!("{standard}: {:?}: {error}", row.input));
                    continue;
                }
            };
            for (level, expected) in row.levels() {
                let level: Level = level.parse().unwrap();
                let normal = reference.normalize_to(level);
                if normal != expected {
                    wrong.push(format!(
                        "{standard} {level}: {:?} to {normal:?}, not {expected:?}",
                        row.input
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_comparison() {
    let mut wrong = Vec::new();
    for row in comparisons() {
        for standard in &row.standards {
            let standard: Standard = standard.parse().unwrap();
            let place = format!("{standard}: {:?} and {:?}", row.a, row.b);
            let (Ok(a), Ok(b)) = (standard.parse(&row.a), standard.parse(&row.b)) else {
                wrong.push(format!("{place}: not valid"));
                continue;
            };
            for by in [a.compare(b), b.compare(a)] {
                if by.map_or("different", Equivalence::name) != row.by {
                    wrong.push(format!("{place}: by {by:?}, not {}", row.by));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
