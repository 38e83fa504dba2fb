//! The template of `uri get`: text, and components in braces.

use super::field::{Field, Unfilled};
use std::io::{self, Write};
use urikit::AnyRef;

/// A template.
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
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// A sentence about what is wrong.
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

    /// Appends the template filled from `reference`, whose query has pairs between such separators.
    pub(super) fn fill(
        &self,
        reference: AnyRef<'_>,
        separator: char,
        out: &mut Vec<u8>,
    ) -> Result<(), Unfilled> {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text.as_bytes()),
                Part::Field(field) => field.fill(reference, separator, out)?,
            }
        }
        Ok(())
    }
}

/// What follows a backslash: `\n`, `\r`, `\t`, `\{`, `\}` or `\\`; before anything else it is itself.
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

/// What stands between braces.
fn field(chars: &mut std::str::Chars<'_>) -> Result<String, String> {
    let mut field = String::new();
    while let Some(c) = chars.next() {
        match c {
            '}' => return Ok(field),
            '\\' => escape(chars, &mut field),
            _ => field.push(c),
        }
    }
    Err("a `{` has no `}`; `\\{` is a brace".to_owned())
}

/// Writes decoded bytes as a terminal may have them.
pub(super) fn write_safe<W: Write>(out: &mut W, bytes: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.split_inclusive(['\n', '\t']) {
        let end = line.trim_end_matches(['\n', '\t']);
        out.write_all(crate::safe::safe(end).as_bytes())?;
        out.write_all(line.get(end.len()..).unwrap_or_default().as_bytes())?;
    }
    Ok(())
}
