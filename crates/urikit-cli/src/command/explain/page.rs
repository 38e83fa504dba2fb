//! The page: error, components, the scheme's reading, normal form, verdicts, readers, findings,
//! notes.

use super::layout::{Layout, cut};
use super::parts::{Shown, parts};
use super::subject::Subject;
use super::{caret, list, notes, ruler, verdicts};
use crate::mask::{Masked, mask};
use crate::reading::{Failure, Reading};
use crate::report;
use crate::safe::{safe, wrap};
use crate::standard::Reader;
use crate::style::{DIM, ERROR, HEADING, NOTE};
use std::fmt::Write as _;
use urikit::Form;

/// A normal form longer than this many characters is cut off.
const LONGEST: usize = 2000;

impl Layout {
    /// The page for a reference.
    pub(super) fn page(self, subject: &Subject<'_>) -> String {
        let mut out = String::new();
        let columns = self.width - 2;
        if let Some(failure) = subject.chosen().and_then(Reading::failure) {
            let document = subject.chosen.document();
            let heading = format!("Not valid under {document}: ");
            self.failure(&mut out, heading, &failure, subject);
            out.push('\n');
        }
        if let Some(reading) = subject.shown() {
            self.components(&mut out, subject, reading);
            self.scheme(&mut out, reading.meaning(), subject);
            self.normalized(&mut out, subject);
            out.push('\n');
        }
        self.heading(&mut out, "Verdicts", HEADING);
        verdicts::verdicts(&mut out, subject, self.show_secrets, columns);
        if let Some(audit) = &subject.audit {
            self.readers(&mut out, audit);
        }
        self.notes(&mut out, subject);
        out
    }

    /// Why the chosen standard refuses it: the reference with a caret, what was expected, and by
    /// which rule.
    fn failure(self, out: &mut String, heading: String, failure: &Failure, subject: &Subject<'_>) {
        let text = String::from_utf8_lossy(subject.reference);
        let masked = Masked::new(&text, self.show_secrets);
        let columns = self.width - 2;
        let is_hidden = failure.offset().is_some_and(|offset| masked.hides(offset));
        let summary = if is_hidden {
            report::FOUND_MASKED.into()
        } else {
            failure.summary()
        };
        self.heading(out, &(heading + &summary), ERROR);
        // INVARIANT: the input is UTF-8 up to the offset, so the offset is the same in `text`.
        let mut lines = caret::caret(&masked, failure.offset(), columns);
        if let Some(expected) = failure.expected() {
            lines.extend(wrap(&format!("expected {expected}"), columns));
        }
        if let (Some(production), Some(section)) = (failure.production(), failure.section()) {
            let rule = wrap(&format!("{production}, {section}"), columns);
            lines.extend(rule.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        }
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }

    /// The normal form, by the chosen standard.
    fn normalized(self, out: &mut String, subject: &Subject<'_>) {
        let Some(normalized) = subject.normalized() else {
            return;
        };
        out.push('\n');
        if normalized.as_bytes() == subject.reference {
            self.heading(out, "Normal form: as it is", HEADING);
            return;
        }
        self.heading(out, "Normal form", HEADING);
        let text = cut(&mask(&normalized, self.show_secrets), LONGEST);
        for line in wrap(&safe(&text), self.width - 2) {
            let _ = writeln!(out, "  {line}");
        }
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
        if !text.is_empty() {
            out.push('\n');
            for line in ruler::ruler(&shown, &parts, columns) {
                let _ = writeln!(out, "  {line}");
            }
            out.push('\n');
        }
        let read = (&components, reading.reference());
        list::list(out, &shown, &parts, read, self.show_secrets, columns);
    }

    fn notes(self, out: &mut String, subject: &Subject<'_>) {
        let notes = notes::all(subject, self.show_secrets);
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
