//! The template of `uri get`: text, and fields in braces.

use crate::fields::{Field, Subject, Unfilled};
use std::io::{self, Write};

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
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
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

    /// Appends the template filled from the reference. Returns `false` if it has a field and no
    /// text, and the component is absent.
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

/// Reads what follows a backslash: `\n`, `\r`, `\t`, `\{`, `\}` or `\\`. Before any other
/// character a backslash is literal.
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

/// Writes decoded bytes, made safe for a terminal; line ends and tabs remain.
pub(super) fn write_safe<W: Write>(out: &mut W, bytes: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.split_inclusive(['\n', '\t']) {
        let end = line.trim_end_matches(['\n', '\t']);
        out.write_all(crate::safe::safe(end).as_bytes())?;
        out.write_all(line.get(end.len()..).unwrap_or_default().as_bytes())?;
    }
    Ok(())
}
