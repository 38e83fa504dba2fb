//! Which column of a file is read.

use super::super::records::invalid;
use parquet::basic::Type as Physical;
use parquet::schema::types::SchemaDescriptor;
use std::io;

/// The column of this name or number, from 0; without one, the only column of text.
///
/// # Errors
///
/// If there is no such column.
pub(super) fn find(schema: &SchemaDescriptor, name: Option<&str>) -> io::Result<usize> {
    let columns = schema.columns();
    let is_text = |nth: usize| {
        columns
            .get(nth)
            .is_some_and(|it| it.physical_type() == Physical::BYTE_ARRAY && it.max_rep_level() == 0)
    };
    let names = || {
        let names: Vec<_> = columns
            .iter()
            .take(50)
            .map(|it| it.path().string())
            .collect();
        names.join(", ")
    };
    let Some(name) = name else {
        let mut texts = (0..columns.len()).filter(|nth| is_text(*nth));
        return match (texts.next(), texts.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(invalid(format!("expected --column, one of {}", names()))),
        };
    };
    let with_name = columns.iter().position(|it| it.path().string() == name);
    let numbered = || {
        let number: usize = name.parse().ok()?;
        number.checked_sub(1).filter(|nth| *nth < columns.len())
    };
    match with_name.or_else(numbered) {
        Some(nth) if is_text(nth) => Ok(nth),
        Some(_) => Err(invalid(format!("the column `{name}` has no text"))),
        None => Err(invalid(format!(
            "expected the column `{name}`, but found {}",
            names()
        ))),
    }
}
