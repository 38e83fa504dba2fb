//! The meaning of the reference under its scheme, and the steps that a client takes to fetch it.

use crate::explain::SchemeSection;
use crate::text::Layout;
use crate::text::style::{DIM, HEADING, NOTE};
use crate::text::wrap;
use std::fmt::Write as _;

/// The minimum width of a value on the same line as its name. `wrap` never makes narrower lines.
const LEAST: usize = 8;

impl Layout {
    /// Writes the section.
    pub(super) fn scheme(self, out: &mut String, section: &SchemeSection) {
        out.push('\n');
        match section {
            SchemeSection::Invalid {
                name,
                fault,
                is_reserialized,
            } => {
                let heading = format!("Not a valid {name} URL: {}", fault.summary);
                self.heading(out, &heading, NOTE);
                if *is_reserialized {
                    let _ = writeln!(out, "  {DIM}as browsers write it:{DIM:#}");
                }
                self.fault(out, fault);
            }
            SchemeSection::Hidden { heading } => {
                self.heading(out, heading, HEADING);
                let _ = writeln!(
                    out,
                    "  {DIM}hidden because it would reveal a password; --show-secrets shows \
                     it{DIM:#}"
                );
            }
            SchemeSection::Valid {
                heading,
                fields,
                client,
            } => {
                self.heading(out, heading, HEADING);
                self.fields(out, fields);
                match client {
                    Some(Ok(steps)) => self.steps(out, steps),
                    Some(Err(why)) => {
                        let text = format!("No client can fetch it: {why}");
                        for line in wrap(&text, self.width - 2) {
                            let _ = writeln!(out, "  {NOTE}{line}{NOTE:#}");
                        }
                    }
                    None => {}
                }
            }
        }
    }

    /// Writes the fields of the scheme.
    fn fields(self, out: &mut String, fields: &[(String, String)]) {
        let names = fields.iter().map(|(name, _)| name.len());
        let indent = names.max().unwrap_or(0) + 2;
        // On a narrow page, values are on the line after their names.
        let is_narrow = self.width < indent + 2 + LEAST;
        let indent = if is_narrow { 2 } else { indent };
        for (name, value) in fields {
            let mut name = name.as_str();
            if is_narrow {
                let _ = writeln!(out, "  {name}");
                name = "";
            }
            let room = self.width.saturating_sub(indent + 2);
            for line in wrap(value, room) {
                let _ = writeln!(out, "  {name:indent$}{line}");
                name = "";
            }
        }
    }

    /// Writes the steps that a client takes.
    fn steps(self, out: &mut String, steps: &[String]) {
        let _ = writeln!(out, "\n  A client");
        for step in steps {
            let mut mark = "·";
            for line in wrap(step, self.width.saturating_sub(6)) {
                let _ = writeln!(out, "    {DIM}{mark}{DIM:#} {line}");
                mark = " ";
            }
        }
    }
}
