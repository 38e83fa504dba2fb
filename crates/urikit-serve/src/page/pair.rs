//! Two references side by side.

use super::difference::{Difference, cut};
use urikit_report::Reader;
use urikit_report::compare::Compare;
use urikit_report::explain::Explanation;
use urikit_report::input::Given;
use urikit_report::mask::mask;
use urikit_report::safe::safe;

/// Two references.
pub(super) struct SideBySide {
    /// The level at which the references are equivalent, or why they are not.
    pub(super) verdict: String,
    /// True if the references are equivalent.
    pub(super) is_equivalent: bool,
    /// The differences between the two references as written.
    pub(super) difference: Difference,
    pub(super) rows: Vec<Row>,
}

/// A component of both references.
pub(super) struct Row {
    pub(super) key: &'static str,
    pub(super) a: Option<String>,
    pub(super) b: Option<String>,
}

impl Row {
    pub(super) const fn cells(&self) -> [&Option<String>; 2] {
        [&self.a, &self.b]
    }

    pub(super) fn differs(&self) -> bool {
        self.a != self.b
    }
}

/// Compares two references under a standard. Passwords are masked.
pub(super) fn compare(a: &str, b: &str, reader: Reader) -> SideBySide {
    let compare = Compare {
        reader,
        ..Compare::default()
    };
    let comparison = compare.compare([a, b].map(Given::from));
    let verdict = match (&comparison.failures, comparison.by) {
        ([Some(failure), _], _) => format!("The first is not valid: {}", failure.summary()),
        ([_, Some(failure)], _) => format!("The second is not valid: {}", failure.summary()),
        (_, Some(level)) => format!("Equivalent at the level “{}”", level.name()),
        _ => "Not equivalent at any level".to_owned(),
    };
    let is_masked = [a, b].iter().any(|text| mask(text, false) != **text);
    let verdict = if is_masked && !comparison.is_valid {
        "At least one reference is not valid".to_owned()
    } else {
        verdict
    };
    let lists = [a, b].map(|text| components(text, reader));
    let keys = [
        "scheme", "user", "password", "host", "port", "path", "params", "query", "fragment",
    ];
    let rows = keys.into_iter().filter_map(|key| {
        let [a, b] = lists.each_ref().map(|list| {
            let found = list.iter().find(|(own, _)| *own == key)?;
            Some(safe(&cut(&found.1)).into_owned())
        });
        (a.is_some() || b.is_some()).then_some(Row { key, a, b })
    });
    SideBySide {
        is_equivalent: comparison.by.is_some(),
        verdict,
        difference: Difference::new(&mask(a, false), &mask(b, false)),
        rows: rows.collect(),
    }
}

/// Returns the components that are present.
fn components(text: &str, reader: Reader) -> Vec<(&'static str, String)> {
    let explanation = Explanation::new(text.into(), text.into(), reader, None);
    let list = explanation.components(false);
    let components = list.map(|list| list.components).unwrap_or_default();
    let pairs = components
        .into_iter()
        .map(|component| (component.key, component.value));
    pairs.collect()
}
