//! Messages about references that are not valid or cut off: one line for each reason in a file.

use crate::report::Reporter;

/// The maximum number of reasons to distinguish in each file.
const MAX_REASONS: usize = 64;

/// The reasons for messages about the references in a file, in order.
#[derive(Default)]
pub(super) struct Summary {
    reasons: Vec<Reason>,
    /// The number of references to which other reasons apply.
    others: u64,
}

/// A reason, and the references to which it applies.
struct Reason {
    what: String,
    /// The place of the first reference.
    place: String,
    count: u64,
}

impl Summary {
    /// Counts a reference.
    pub(super) fn add(&mut self, what: String, place: impl FnOnce() -> String) {
        let known = self.reasons.iter_mut().find(|reason| reason.what == what);
        if let Some(reason) = known {
            reason.count += 1;
        } else if self.reasons.len() < MAX_REASONS {
            let place = place();
            self.reasons.push(Reason {
                what,
                place,
                count: 1,
            });
        } else {
            self.others += 1;
        }
    }

    /// Appends the lines.
    pub(super) fn write(&self, name: &str, reporter: Reporter, out: &mut String) {
        for Reason { what, place, count } in &self.reasons {
            reporter.reason(place, what, *count, out);
        }
        if self.others > 0 {
            let what = "references that are not valid for other reasons (-v reports each)";
            out.push_str(&reporter.about(name, &format!("{what}: {}", self.others)));
        }
    }
}
