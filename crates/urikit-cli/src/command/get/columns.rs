//! Tables of `uri get`: a template for each column.

use super::template::Template;
use crate::fields::{Subject, Unfilled};
use crate::sheet::Column;

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

    /// The columns, by their names.
    pub(super) fn columns(&self) -> Vec<Column> {
        let column = |(name, _): &(String, Template)| Column {
            name: name.clone().into(),
            ..Column::text("")
        };
        self.columns.iter().map(column).collect()
    }

    /// The cells of a reference.
    pub(super) fn fill(&self, subject: &Subject<'_>) -> Result<Vec<Option<Vec<u8>>>, Unfilled> {
        let cells = self.columns.iter().map(|(_, template)| {
            let mut cell = Vec::new();
            let is_there = template.fill(subject, &mut cell)?;
            Ok(is_there.then_some(cell))
        });
        cells.collect()
    }
}

/// A column that is one field has its name.
fn name(part: &str) -> String {
    let part = part.trim();
    let field = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let is_one = |it: &&str| !it.contains(['{', '}']);
    field.filter(is_one).unwrap_or(part).to_owned()
}
