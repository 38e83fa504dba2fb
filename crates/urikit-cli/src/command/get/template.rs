//! The templates of `uri get`: text with fields in braces, and the columns of tables.

use crate::fields::{Field, Subject, Unfilled};
use crate::safe::safe;
use crate::sheet::Column;
use crate::suggest::is_url;
use std::io::{self, Write};

/// A template: text, and fields in braces.
#[derive(Debug)]
pub(super) struct Template {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    Field(Field),
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => escape(&mut chars, &mut plain),
                '{' => {
                    let field = field(&mut chars)?;
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                    parts.push(Part::Field(Field::new(&field)?));
                }
                _ => plain.push(c),
            }
        }
        parts.push(Part::Text(plain));
        Ok(Self { parts })
    }

    /// Parses the template given on a command line. Fails if the template has no field, and is a
    /// URL or contains the name of a field between commas. These are probably mistakes.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn argument(text: &str) -> Result<Self, String> {
        let template = Self::new(text)?;
        if template.fields().next().is_some() {
            return Ok(template);
        }
        if is_url(text) {
            // The URL is not shown, because it may contain a password.
            return Err("expected a template before the references, such as '{host}'".to_owned());
        }
        let in_braces = |part: &str| match Field::new(part) {
            Ok(_) => format!("{{{part}}}"),
            Err(_) => part.to_owned(),
        };
        let meant = text.split(',').map(in_braces).collect::<Vec<_>>().join(",");
        if meant == text {
            return Ok(template);
        }
        let (shown, meant) = (safe(text), safe(&meant));
        Err(format!(
            "no field in the template \"{shown}\"; did you mean '{meant}'?"
        ))
    }

    /// Appends the filled template. Returns `false` if the template consists only of fields, all
    /// of which are absent.
    pub(super) fn fill(&self, subject: &Subject<'_>, out: &mut Vec<u8>) -> Result<bool, Unfilled> {
        let mut is_there = self.parts.len() == 1;
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    out.extend_from_slice(text.as_bytes());
                    is_there |= !text.is_empty();
                }
                Part::Field(field) => is_there |= field.fill(subject, out)?,
            }
        }
        Ok(is_there)
    }
}

impl Template {
    /// Returns true if no field needs a valid reference. Only key fields, such as
    /// `surt:ia-python`, may accept any text.
    pub(super) fn is_unparsed(&self) -> bool {
        let mut fields = self.fields();
        let first = fields.next().is_some_and(Field::is_unparsed);
        first && fields.all(Field::is_unparsed)
    }

    /// Fills the template from text that need not be a reference, and appends the result.
    pub(super) fn fill_unparsed(&self, text: &str, out: &mut Vec<u8>) -> Result<bool, Unfilled> {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text.as_bytes()),
                Part::Field(field) => field.fill_unparsed(text, out)?,
            }
        }
        Ok(true)
    }

    /// Returns the fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(field) => Some(field),
            Part::Text(_) => None,
        })
    }
}

/// Reads the rest of an escape: `\n`, `\r`, `\t`, `\{`, `\}` or `\\`. Before any other character,
/// the backslash is literal.
fn escape(chars: &mut std::str::Chars<'_>, out: &mut String) {
    match chars.clone().next() {
        Some('n') => out.push('\n'),
        Some('r') => out.push('\r'),
        Some('t') => out.push('\t'),
        Some(c @ ('{' | '}' | '\\')) => out.push(c),
        _ => return out.push('\\'),
    }
    chars.next();
}

/// Reads a field's name, up to the closing brace.
fn field(chars: &mut std::str::Chars<'_>) -> Result<String, String> {
    let mut field = String::new();
    while let Some(c) = chars.next() {
        match c {
            '}' => return Ok(field),
            '\\' => escape(chars, &mut field),
            _ => field.push(c),
        }
    }
    Err("expected a `}` after `{`; `\\{` is a literal brace".to_owned())
}

/// Writes decoded bytes in a form that is safe for a terminal. Line endings and tabs remain.
pub(super) fn write_safe<W: Write>(out: &mut W, bytes: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.split_inclusive(['\n', '\t']) {
        let end = line.trim_end_matches(['\n', '\t']);
        out.write_all(safe(end).as_bytes())?;
        out.write_all(line.get(end.len()..).unwrap_or_default().as_bytes())?;
    }
    Ok(())
}

/// The columns of a table: the parts of a template between its commas.
pub(super) struct Columns {
    columns: Vec<TableColumn>,
}

/// A column with its template.
struct TableColumn {
    name: String,
    template: Template,
}

impl Columns {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
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
            Ok(TableColumn {
                name: name(&part),
                template: Template::new(&part)?,
            })
        });
        let columns = columns.collect::<Result<_, String>>()?;
        Ok(Self { columns })
    }

    /// Returns the columns for the header.
    pub(super) fn columns(&self) -> Vec<Column> {
        let column = |column: &TableColumn| Column {
            name: column.name.clone().into(),
            ..Column::text("")
        };
        self.columns.iter().map(column).collect()
    }

    /// Fills the cells from text that need not be a reference. Returns `None` if a template needs a
    /// reference.
    pub(super) fn fill_unparsed(
        &self,
        text: &str,
    ) -> Option<Result<Vec<Option<Vec<u8>>>, Unfilled>> {
        let mut columns = self.columns.iter();
        let all = columns.all(|column| column.template.is_unparsed());
        let cells = self.columns.iter().map(|TableColumn { template, .. }| {
            let mut cell = Vec::new();
            template.fill_unparsed(text, &mut cell)?;
            Ok(Some(cell))
        });
        all.then(|| cells.collect())
    }

    /// Fills the cells for a reference.
    pub(super) fn fill(&self, subject: &Subject<'_>) -> Result<Vec<Option<Vec<u8>>>, Unfilled> {
        let cells = self.columns.iter().map(|TableColumn { template, .. }| {
            let mut cell = Vec::new();
            let is_there = template.fill(subject, &mut cell)?;
            Ok(is_there.then_some(cell))
        });
        cells.collect()
    }
}

/// Returns the name of a column: the field if the part is a single field, otherwise the part's
/// text.
fn name(part: &str) -> String {
    let part = part.trim();
    let field = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let is_one = |it: &&str| !it.contains(['{', '}']);
    field.filter(is_one).unwrap_or(part).to_owned()
}
