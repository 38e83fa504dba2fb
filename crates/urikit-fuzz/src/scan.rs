//! The versions of the scanner against each other.

use crate::components::components;
use crate::input;
use std::sync::{Mutex, PoisonError};
use urikit::op::Level;
use urikit::{Standard, limit_scanner, repair};

/// The first has no masks at all.
const LEVELS: [&str; 4] = ["bytes", "sse2", "avx2", "avx512"];

/// A standard by the first octet, and a text of any length.
pub(crate) fn scan(data: &[u8]) {
    // The version is set for the complete process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    let mut first = None;
    for level in LEVELS {
        if limit_scanner(level) {
            let found = all(standard, &text);
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!(*first, found, "{text:?} under {standard} at {level}");
        }
    }
    limit_scanner("avx512");
}

/// All that depends on the scanner.
fn all(standard: Standard, text: &str) -> Vec<String> {
    let repaired = repair(text).map(|repaired| (repaired.reference, repaired.changes));
    let mut found = vec![format!("{repaired:?}")];
    match standard.parse(text) {
        Err(error) => found.push(format!("{error:?}")),
        Ok(reference) => {
            found.push(format!(
                "{:?} {:?}",
                components(reference),
                reference.host_kind()
            ));
            for level in Level::ALL {
                let normal = reference.normalize_to(level);
                found.push(format!("{normal} {}", reference.is_normal(level)));
            }
            for pair in reference.query_pairs() {
                found.push(format!("{pair:?}"));
            }
            let parts = [
                reference.query(),
                reference.fragment(),
                reference.userinfo(),
            ];
            for part in parts.into_iter().flatten() {
                found.push(format!("{:?} {:?}", part.to_bytes(), part.decode_utf8()));
            }
        }
    }
    found
}
