//! The page: heading, error, components, verdicts, notes.

use super::layout::Layout;
use super::parts::{Shown, parts};
use super::subject::Subject;
use super::{list, notes, ruler, verdicts};
use crate::input::Repairs;
use crate::mask::Masked;
use crate::reading::Reading;
use crate::report::{self, Line};
use crate::safe::wrap;
use crate::standard::Reader;
use crate::style::{ERROR, HEADING, NOTE};
use std::fmt::Write as _;
use urikit::Form;

impl Layout {
    /// The page for a reference.
    pub(super) fn page(self, subject: &Subject<'_>) -> String {
        let mut out = String::new();
        let columns = self.width - 2;
        if let Some(failure) = subject.chosen().and_then(Reading::failure) {
            let explained = report::explain(subject.reference, &failure, self.show_secrets);
            let document = subject.chosen.document();
            let heading = format!("Not valid under {document}: {}", explained.summary);
            self.heading(&mut out, &heading, ERROR);
            for line in explained.lines {
                // The caret's lines are short, and must not be wrapped.
                let lines = match line {
                    Line::Expected(line) => wrap(&line, columns),
                    Line::Caret(line) | Line::Production(line) => vec![line],
                };
                for line in lines {
                    let _ = writeln!(out, "  {line}");
                }
            }
            out.push('\n');
        }
        if let Some(reading) = subject.shown() {
            self.components(&mut out, subject, reading);
            self.scheme(&mut out, reading.meaning(), subject);
            out.push('\n');
        }
        self.heading(&mut out, "Verdicts", HEADING);
        verdicts::verdicts(&mut out, subject, self.show_secrets, columns);
        self.notes(&mut out, subject);
        out
    }

    /// The reference under its ruler, and the list.
    fn components(self, out: &mut String, subject: &Subject<'_>, reading: &Reading<'_>) {
        let Some(components) = reading.components() else {
            return;
        };
        let generic = if reading.is_valid() {
            ""
        } else {
            ", by its generic production only"
        };
        let form = match components.form {
            Form::Absolute if components.opaque => "absolute reference, opaque".to_owned(),
            Form::Empty => "empty reference".to_owned(),
            form => format!("{} reference", form.as_str()),
        };
        let reader = match reading.reader() {
            Reader::Whatwg => "browsers read it (WHATWG URL)".to_owned(),
            Reader::Rfc(standard) => format!("{} reads it", standard.document()),
        };
        let heading = format!("As {reader}{generic}: {form}");
        self.heading(out, &heading, HEADING);
        let text = match reading.reader() {
            Reader::Whatwg => reading.href().unwrap_or_default(),
            Reader::Rfc(_) => std::str::from_utf8(subject.reference).unwrap_or_default(),
        };
        let shown = Shown::new(text, self.show_secrets);
        let parts = parts(&components);
        let columns = self.width - 2;
        if let Some(ruler) = ruler::ruler(&shown, &parts, columns) {
            let _ = writeln!(out, "\n  {}", ruler::coloured(&shown, &parts));
            for line in ruler {
                let _ = writeln!(out, "  {line}");
            }
            out.push('\n');
        }
        let read = (&components, reading.reference());
        list::list(out, &shown, &parts, read, self.show_secrets, columns);
    }

    fn notes(self, out: &mut String, subject: &Subject<'_>) {
        let mut notes = Vec::new();
        if subject.prefixed {
            notes.push(
                "The prefix `URL:` was removed: it is not part of the URL (RFC 1738, Appendix)."
                    .to_owned(),
            );
        }
        let text = String::from_utf8_lossy(subject.reference);
        let masked = Masked::new(&text, self.show_secrets);
        if let Some(failure) = subject.chosen().and_then(Reading::failure)
            && !failure.offset().is_some_and(|offset| masked.hides(offset))
        {
            let browsers = subject
                .reading(Reader::Whatwg)
                .and_then(Reading::components);
            let refused = notes::Refused {
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
            notes.extend(notes::notes(&components, reading.reference()));
            if subject.argument > 1 && components.form == Form::RelativePath {
                notes.push(notes::later_argument(subject.argument));
            }
        }
        if notes.is_empty() {
            return;
        }
        out.push('\n');
        self.heading(out, "Notes", HEADING);
        for note in notes {
            let mut mark = "•";
            for line in wrap(&note, self.width - 4) {
                let _ = writeln!(out, "  {NOTE}{mark}{NOTE:#} {line}");
                mark = " ";
            }
        }
    }
}
