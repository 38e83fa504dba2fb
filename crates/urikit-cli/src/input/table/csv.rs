//! A column of CSV (RFC 4180), or of TSV.

use super::cells::Cells;
use super::records::{Records, invalid};
use super::rows::Rows;
use std::io::{self, Read};

/// Reads CSV whose first row has the names of the columns. If that has a tab and no comma, tabs
/// separate the cells.
pub(super) struct Csv {
    rows: Rows,
    /// The name in the first row, or the number.
    name: String,
    /// Its place, once the first row was read.
    place: Option<usize>,
    is_live: bool,
}

impl Csv {
    /// The column of this name or number. A row of more than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, name: &str, is_live: bool, max: usize) -> Self {
        Self {
            rows: Rows::new(source, max),
            name: name.to_owned(),
            place: None,
            is_live,
        }
    }

    /// The column's place among those of the first row.
    fn place(&mut self) -> io::Result<usize> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        let name = &self.name;
        let Some(names) = self.rows.next()? else {
            return Err(invalid(format!(
                "expected the column `{name}`, but found no first row"
            )));
        };
        let found = names.iter().position(|it| it == name.as_bytes());
        let numbered = || {
            let number: usize = name.parse().ok()?;
            number.checked_sub(1).filter(|place| *place < names.len())
        };
        let Some(place) = found.or_else(numbered) else {
            let names: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
            let names = names.join(", ");
            return Err(invalid(format!(
                "expected the column `{name}`, but found {names}"
            )));
        };
        self.place = Some(place);
        Ok(place)
    }
}

impl Records for Csv {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        let place = self.place()?;
        let number = self.rows.number();
        let Some(row) = self.rows.next()? else {
            return Ok(None);
        };
        // A row that is too short has no difference between an empty value and none.
        cells.push(row.get(place).unwrap_or_default());
        Ok(Some(number))
    }

    fn may_wait(&self) -> bool {
        self.is_live && self.rows.may_wait()
    }
}
