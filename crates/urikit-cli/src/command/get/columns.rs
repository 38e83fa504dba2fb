//! `get --csv`: a template for each column.

use super::template::Template;
use crate::csv::row;
use crate::fields::{Subject, Unfilled};
use std::io;

/// The columns: the parts of a template between its commas.
pub(super) struct Columns {
    columns: Vec<(String, Template)>,
}

impl Columns {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut parts = vec![String::new()];
        let mut is_field = false;
        for c in text.chars() {
            match c {
                ',' if !is_field => {
                    parts.push(String::new());
                    continue;
                }
                '{' => is_field = true,
                '}' => is_field = false,
                _ => {}
            }
            if let Some(part) = parts.last_mut() {
                part.push(c);
            }
        }
        let columns = parts.into_iter().map(|part| {
            let template = Template::new(&part)?;
            Ok((name(&part), template))
        });
        let columns = columns.collect::<Result<_, String>>()?;
        Ok(Self { columns })
    }

    /// The row of names.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Writing to memory does not fail.
        let _ = row(&mut out, self.columns.iter().map(|(name, _)| name));
        out
    }

    /// Appends the row of a reference.
    pub(super) fn fill(&self, subject: &Subject<'_>, out: &mut Vec<u8>) -> Result<(), Unfilled> {
        let mut cells = Vec::with_capacity(self.columns.len());
        for (_, template) in &self.columns {
            let mut cell = Vec::new();
            template.fill(subject, &mut cell)?;
            cells.push(cell);
        }
        let _ = row(out, cells);
        Ok(())
    }

    /// Appends the row of an input that is not valid.
    pub(super) fn empty(&self, out: &mut Vec<u8>) -> io::Result<()> {
        row(out, self.columns.iter().map(|_| ""))
    }
}

/// A column that is one field has its name.
fn name(part: &str) -> String {
    let part = part.trim();
    let field = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let is_one = |it: &&str| !it.contains(['{', '}']);
    field.filter(is_one).unwrap_or(part).to_owned()
}
