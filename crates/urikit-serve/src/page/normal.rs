//! The normal forms of a reference, each with its differences from the preceding form.

use super::difference::Difference;
use urikit::op::Level;
use urikit_report::Reader;
use urikit_report::explain::Explanation;
use urikit_report::mask::mask;

/// A normal form.
pub(super) struct NormalForm {
    /// The name of the level.
    pub(super) level: &'static str,
    /// The section that defines the level.
    pub(super) section: &'static str,
    /// The differences from the preceding form.
    pub(super) difference: Difference,
}

/// Returns the normal forms under the chosen standard, lowest level first, and the form that
/// browsers use. Passwords are masked.
pub(super) fn forms(explanation: &Explanation<'_>) -> Vec<NormalForm> {
    let written = String::from_utf8_lossy(explanation.reference);
    let mut forms = Vec::new();
    let mut add = |level, section, before: &str, after: &str| {
        let [before, after] = [before, after].map(|text| mask(text, false));
        let difference = Difference::new(&before, &after);
        forms.push(NormalForm {
            level,
            section,
            difference,
        });
    };
    let chosen = explanation.chosen().filter(|reading| reading.is_valid());
    if let Some(reference) = chosen.and_then(|reading| reading.reference()) {
        let mut before = written.clone().into_owned();
        for level in Level::ALL {
            let mut after = String::new();
            reference.normalize_into(level, &mut after);
            add(level.name(), section(level), &before, &after);
            before = after;
        }
    }
    if let Some(href) = explanation
        .reading(Reader::Whatwg)
        .and_then(|reading| reading.href())
    {
        add("browsers", "WHATWG URL", &written, href);
    }
    forms
}

/// Returns the section that defines a level.
const fn section(level: Level) -> &'static str {
    match level {
        Level::Case => "RFC 3986, 6.2.2.1",
        Level::Escapes => "RFC 3986, 6.2.2.2",
        Level::Path => "RFC 3986, 6.2.2.3",
        Level::Scheme => "RFC 3986, 6.2.3",
    }
}
