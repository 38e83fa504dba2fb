//! A column of CSV, as inputs that end in NUL.

use super::rows::Rows;
use std::io::{self, Read};

/// Reads the column's values, each followed by a NUL.
pub(super) struct Column<R> {
    rows: Rows<R>,
    /// The name in the first row, or the number.
    name: String,
    /// Its place, once the first row was read.
    place: Option<usize>,
    /// Values that were read, and how many bytes of them were returned.
    values: Vec<u8>,
    returned: usize,
    /// Why no more values follow.
    failed: Option<io::Error>,
    /// How many bytes to collect before any are returned.
    enough: usize,
}

impl<R: Read> Column<R> {
    /// The column of this name or number. Values are returned as they come if `is_live` is set,
    /// and otherwise many at once. A row of more than `max_row` bytes is an error.
    pub(super) fn new(source: R, name: &str, is_live: bool, max_row: usize) -> Self {
        Self {
            rows: Rows::new(source, max_row),
            name: name.to_owned(),
            place: None,
            values: Vec::new(),
            returned: 0,
            failed: None,
            enough: if is_live { 1 } else { 16 << 10 },
        }
    }

    /// The column's place among those of the first row.
    fn place(&mut self) -> io::Result<usize> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        let Some(names) = self.rows.next()? else {
            let name = &self.name;
            return Err(invalid(&format!(
                "expected the column `{name}`, but found no first row"
            )));
        };
        let found = names.iter().position(|it| it == self.name.as_bytes());
        let numbered = || {
            let number: usize = self.name.parse().ok()?;
            number.checked_sub(1).filter(|place| *place < names.len())
        };
        let Some(place) = found.or_else(numbered) else {
            let names: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
            let (name, names) = (&self.name, names.join(", "));
            return Err(invalid(&format!(
                "expected the column `{name}`, but found {names}"
            )));
        };
        self.place = Some(place);
        Ok(place)
    }

    /// Reads the next values.
    ///
    /// # Errors
    ///
    /// If they cannot be read; those before are in `values`.
    fn fill(&mut self) -> io::Result<()> {
        let place = self.place()?;
        while self.values.len() < self.enough
            && let Some(row) = self.rows.next()?
        {
            let value = row.get(place).unwrap_or_default();
            if value.contains(&b'\0') {
                return Err(invalid("found a NUL in the column"));
            }
            self.values.extend_from_slice(value);
            self.values.push(b'\0');
        }
        Ok(())
    }
}

impl<R: Read> Read for Column<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.returned == self.values.len() {
            self.values.clear();
            self.returned = 0;
            if self.failed.is_none() {
                self.failed = self.fill().err();
            }
            // The values before an error come first.
            if self.values.is_empty()
                && let Some(error) = self.failed.take()
            {
                return Err(error);
            }
        }
        let left = self.values.get(self.returned..).unwrap_or_default();
        let length = left.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(left) {
            *to = *from;
        }
        self.returned += length;
        Ok(length)
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
