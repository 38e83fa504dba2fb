//! The page: findings, error, components, meaning under the scheme, normal form, verdicts, parsers
//! and notes.

use super::list::{Shown, list, parts};
use super::ruler::{excerpt, rows, ruler};
use super::verdicts::verdicts;
use super::{Subject, notes};
use crate::mask::{Masked, mask};
use crate::reading::{Failure, Reading};
use crate::report;
use crate::safe::{safe, width, wrap};
use crate::standard::Reader;
use crate::style::{DIM, ERROR, HEADING, NOTE};
use anstyle::Style;
use std::fmt::Write as _;
use urikit::Form;

/// The layout of a page.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The width of the page, in columns.
    pub(super) width: usize,
    pub(super) show_secrets: bool,
}

impl Layout {
    /// Writes a heading.
    pub(super) fn heading(self, out: &mut String, text: &str, style: Style) {
        for line in wrap(text, self.width) {
            let _ = writeln!(out, "{style}{line}{style:#}");
        }
    }
}

/// Shortens a string to `longest` characters, and adds its length in bytes.
pub(super) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{start}… ({} bytes in total)", text.len())
        }
        None => text.to_owned(),
    }
}

/// The maximum length of a normal form, in characters. Longer forms are cut off.
const LONGEST: usize = 1000;

impl Layout {
    /// Formats the page of a reference.
    pub(super) fn page(self, subject: &Subject<'_>) -> String {
        let mut out = String::new();
        if subject.is_cut() {
            let (shown, length) = (subject.reference.len(), subject.length);
            let note = format!("Cut: only the first {shown} of {length} bytes are explained");
            self.heading(&mut out, &note, NOTE);
            out.push('\n');
        }
        if let Some(audit) = &subject.audit {
            self.findings(&mut out, audit);
        }
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
        verdicts(&mut out, subject, self);
        if let Some(audit) = &subject.audit {
            self.readers(&mut out, audit);
        }
        self.notes(&mut out, subject);
        out
    }

    /// Writes the error of the chosen standard: the reference with a caret, the expected characters
    /// and the rule.
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
        let mut lines = caret(&masked, failure.offset(), columns);
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

    /// Writes the normal form under the chosen standard.
    fn normalized(self, out: &mut String, subject: &Subject<'_>) {
        let Some(normalized) = subject.normalized() else {
            return;
        };
        out.push('\n');
        if normalized.as_bytes() == subject.reference {
            self.heading(out, "Normal form: unchanged", HEADING);
            return;
        }
        self.heading(out, "Normal form", HEADING);
        let text = cut(&mask(&normalized, self.show_secrets), LONGEST);
        for line in wrap(&safe(&text), self.width - 2) {
            let _ = writeln!(out, "  {line}");
        }
    }

    /// Writes the reference with its ruler, and the list of components.
    fn components(self, out: &mut String, subject: &Subject<'_>, reading: &Reading<'_>) {
        let Some(components) = reading.components() else {
            return;
        };
        let generic = if reading.is_valid() {
            ""
        } else {
            ", generic production only"
        };
        let form = match components.form {
            Form::Absolute if components.opaque => "absolute reference, opaque".to_owned(),
            Form::Empty => "empty reference".to_owned(),
            form => format!("{} reference", form.as_str()),
        };
        let document = reading.reader().document();
        let heading = format!("Components ({document}{generic}): {form}");
        self.heading(out, &heading, HEADING);
        let text = match reading.reader() {
            Reader::Whatwg => reading.href().unwrap_or_default(),
            Reader::Rfc(_) => std::str::from_utf8(subject.reference).unwrap_or_default(),
        };
        let shown = Shown::new(text, self.show_secrets);
        let parts = parts(&components);
        if !text.is_empty() {
            out.push('\n');
            for line in ruler(&shown, &parts, self.width - 2) {
                let _ = writeln!(out, "  {line}");
            }
            out.push('\n');
        }
        list(out, &shown, &parts, reading, self);
    }

    /// Writes the notes.
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

/// Returns the lines of the text, with a caret under the byte at `offset` of the original.
pub(super) fn caret(masked: &Masked<'_>, offset: Option<usize>, columns: usize) -> Vec<String> {
    let text = &*masked.text;
    let mut is_marked = offset.is_none();
    let offset = masked.offset(offset.unwrap_or(0)).min(text.len());
    let shown = excerpt(text, offset);
    let (cut, rest) = (shown.start > 0, shown.end < text.len());
    let text = text.get(shown.clone()).unwrap_or_default();
    let offset = offset.saturating_sub(shown.start);
    let mut lines = Vec::new();
    if cut {
        lines.push("…".to_owned());
    }
    // Leave one column free, because a caret may follow the last character.
    for row in rows(text, columns.saturating_sub(1), &[]) {
        let line = text.get(row.clone()).unwrap_or_default();
        lines.push(safe(line).into_owned());
        if !is_marked && (offset < row.end || row.end == text.len()) {
            is_marked = true;
            let before = text.get(row.start..offset).unwrap_or_default();
            let indent = width(&safe(before));
            lines.push(format!("{:indent$}{ERROR}^{ERROR:#}", ""));
        }
    }
    if rest {
        lines.push("…".to_owned());
    }
    lines
}
