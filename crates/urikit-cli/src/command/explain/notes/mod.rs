//! Notes on a reference: what was probably meant, and how to correct it.

mod accepted;
mod refused;
mod typed;

use super::subject::Subject;
use crate::input::Repairs;
use crate::mask::Masked;
use crate::reading::Reading;
use crate::report;
use crate::standard::Reader;
use refused::Refused;
use urikit::Form;

/// All notes, each a sentence or more. They show no password.
pub(super) fn all(subject: &Subject<'_>, show_secrets: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if subject.prefixed {
        notes.push(
            "The prefix `URL:` was removed: it is not part of the URL (RFC 1738, Appendix)."
                .to_owned(),
        );
    }
    let text = String::from_utf8_lossy(subject.reference);
    notes.extend(typed::typed(&text));
    let masked = Masked::new(&text, show_secrets);
    if let Some(failure) = subject.chosen().and_then(Reading::failure)
        && !failure.offset().is_some_and(|offset| masked.hides(offset))
    {
        let browsers = subject
            .reading(Reader::Whatwg)
            .and_then(Reading::components);
        let refused = Refused {
            text: &text,
            failure: &failure,
            browsers_host: browsers.and_then(|components| components.host),
        };
        notes.extend(refused.advice());
    }
    if let Some(why) = subject.input.repairs.and_then(Repairs::failed) {
        notes.push(report::unrepaired(why));
    }
    if let Some(reading) = subject.shown()
        && let Some(components) = reading.components()
    {
        notes.extend(accepted::accepted(&components, reading.reference()));
        if subject.argument > 1 && components.form == Form::RelativePath {
            notes.push(later_argument(subject.argument));
        }
    }
    notes
}

/// The note on a relative reference that may be the rest of the previous argument.
fn later_argument(number: u64) -> String {
    format!(
        "This is argument {number}. If it belongs to the previous argument, quote the complete \
         reference for your shell, and write a space as `%20`."
    )
}
