//! The page: findings, error, components, meaning under the scheme, normal form, verdicts, parsers
//! and notes.

use super::list::list;
use super::ruler::{excerpt, rows, ruler};
use super::verdicts::verdicts;
use crate::explain::{ComponentList, Explanation, Fault};
use crate::safe::safe;
use crate::text::Layout;
use crate::text::style::{DIM, ERROR, HEADING, NOTE};
use crate::text::{width, wrap};
use std::fmt::Write as _;

impl Layout {
    /// Formats the page for a reference. The page explains at most the first 64 KiB of the
    /// reference.
    pub fn explain(self, explanation: &Explanation<'_>) -> String {
        match explanation.of_beginning() {
            Some(beginning) => self.explain_all(&beginning),
            None => self.explain_all(explanation),
        }
    }

    fn explain_all(self, explanation: &Explanation<'_>) -> String {
        let mut out = String::new();
        if explanation.is_cut() {
            let (shown, length) = (explanation.reference.len(), explanation.length);
            let note = format!("Truncated: only the first {shown} of {length} bytes are explained");
            self.heading(&mut out, &note, NOTE);
            out.push('\n');
        }
        if let Some(audit) = &explanation.audit {
            self.findings(&mut out, audit);
        }
        if let Some(fault) = explanation.fault(self.show_secrets) {
            let document = explanation.chosen.document();
            let summary = &fault.summary;
            let hint = if fault.is_masked {
                " (--show-secrets shows it)"
            } else {
                ""
            };
            let heading = format!("Not valid under {document}: {summary}{hint}");
            self.heading(&mut out, &heading, ERROR);
            self.fault(&mut out, &fault);
            out.push('\n');
        }
        if let Some(list) = explanation.components(self.show_secrets) {
            self.components(&mut out, &list);
            if let Some(section) = explanation.scheme(self.show_secrets) {
                self.scheme(&mut out, &section);
            }
            self.normalized(&mut out, explanation);
            out.push('\n');
        }
        self.heading(&mut out, "Verdicts", HEADING);
        verdicts(&mut out, &explanation.verdicts(self.show_secrets), self);
        if let Some(table) = explanation.readers(self.show_secrets) {
            self.readers(&mut out, &table);
        }
        self.notes(&mut out, &explanation.notes(self.show_secrets));
        out
    }

    /// Writes an error: the reference with a caret, the expected characters and the rule.
    pub(super) fn fault(self, out: &mut String, fault: &Fault) {
        let columns = self.width - 2;
        let mut lines = caret(&fault.text, fault.offset, columns);
        if let Some(expected) = &fault.expected {
            lines.extend(wrap(&format!("expected {expected}"), columns));
        }
        if let Some(rule) = &fault.rule {
            let rule = wrap(rule, columns);
            lines.extend(rule.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        }
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }

    /// Writes the normal form under the chosen standard.
    fn normalized(self, out: &mut String, explanation: &Explanation<'_>) {
        let Some(normalized) = explanation.normalized() else {
            return;
        };
        out.push('\n');
        if normalized.as_bytes() == explanation.reference {
            self.heading(out, "Normal form: unchanged", HEADING);
            return;
        }
        self.heading(out, "Normal form", HEADING);
        let text = explanation.shown_normalized(&normalized, self.show_secrets);
        for line in wrap(&text, self.width - 2) {
            let _ = writeln!(out, "  {line}");
        }
    }

    /// Writes the reference with its ruler, and the list of components.
    fn components(self, out: &mut String, section: &ComponentList<'_>) {
        let generic = if section.is_generic_only {
            ", generic production only"
        } else {
            ""
        };
        let document = section.reader.document();
        let heading = format!("Components ({document}{generic}): {}", section.form);
        self.heading(out, &heading, HEADING);
        if !section.shown.original().is_empty() {
            out.push('\n');
            for line in ruler(&section.shown, &section.components, self.width - 2) {
                let _ = writeln!(out, "  {line}");
            }
            out.push('\n');
        }
        list(out, &section.components, self);
    }

    /// Writes the notes.
    fn notes(self, out: &mut String, notes: &[String]) {
        if notes.is_empty() {
            return;
        }
        out.push('\n');
        self.heading(out, "Notes", HEADING);
        for note in notes {
            let mut mark = "•";
            for line in wrap(note, self.width - 4) {
                let _ = writeln!(out, "  {NOTE}{mark}{NOTE:#} {line}");
                mark = " ";
            }
        }
    }
}

/// Returns the lines of the text, with a caret under the byte at `offset`.
fn caret(text: &str, offset: Option<usize>, columns: usize) -> Vec<String> {
    let mut is_marked = offset.is_none();
    let offset = offset.unwrap_or(0).min(text.len());
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
