//! Fingerprints, which identify the same problem in two versions of a file.

use crate::{Checked, Rule};
use std::collections::HashMap;
use xxhash_rust::xxh3::Xxh3Default;

/// Computes the fingerprints of problems, one document after another.
///
/// A fingerprint depends on the rule, the document, the reference as written, and the number of
/// equal problems that precede the problem in the document. The fingerprint does not change if the
/// line moves.
#[derive(Default)]
pub(super) struct Fingerprints {
    document: String,
    counts: HashMap<u128, u32>,
}

impl Fingerprints {
    /// Returns the fingerprint of the next problem, as 32 hexadecimal digits.
    pub(super) fn next(&mut self, rule: Rule, checked: &Checked) -> String {
        let link = &checked.link;
        if *self.document != *link.document {
            link.document.as_ref().clone_into(&mut self.document);
            self.counts.clear();
        }
        let same = digest(&[rule.id(), &link.document, &link.reference]);
        let count = self.counts.entry(same).or_default();
        *count = count.saturating_add(1);
        match count {
            1 => format!("{same:032x}"),
            count => format!(
                "{:032x}",
                digest(&[&format!("{same:032x}"), &count.to_string()])
            ),
        }
    }
}

/// Returns the fingerprint of a finding that is not about a particular link.
pub(super) fn of_text(rule: Rule, message: &str) -> String {
    format!("{:032x}", digest(&[rule.id(), message]))
}

/// Returns the hash of several strings.
fn digest(parts: &[&str]) -> u128 {
    let mut hash = Xxh3Default::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest128()
}
