//! The values of some pages.

use super::super::cells::Cells;
use super::super::prefixed::Prefixed;
use super::super::records::invalid;
use super::guard::guarded;
use super::others::Others;
use super::plain::{ENOUGH, Next, Plain};
use parquet::column::page::{Page, PageReader};
use parquet::schema::types::ColumnDescPtr;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The values of consecutive pages of a column.
pub(in crate::input) struct Values {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    /// The page that is being read, if the library need not decode it.
    plain: Plain,
    others: Others,
    /// The numbers of the rows that follow, from 1.
    rows: Range<u64>,
    /// The longest value, in bytes.
    max: usize,
}

/// Consecutive rows.
pub(in crate::input) enum Rows {
    /// As a page has them.
    Prefixed(Prefixed),
    Cells(Cells),
}

impl Values {
    /// Those of `pages`, which may refer to a dictionary; these are their rows, from 1.
    pub(super) fn new(
        pages: Box<dyn PageReader>,
        dictionary: Option<Page>,
        column: ColumnDescPtr,
        rows: Range<u64>,
        max: usize,
    ) -> Self {
        Self {
            pages,
            plain: Plain::default(),
            others: Others::new(Arc::clone(&column), dictionary),
            column,
            rows,
            max,
        }
    }

    /// The next rows, with the number of the first; `None` after the last. What is copied is copied
    /// into `memory`.
    ///
    /// # Errors
    ///
    /// If they cannot be read, and neither can those that follow.
    pub(in crate::input) fn next(&mut self, memory: Vec<u8>) -> io::Result<Option<(u64, Rows)>> {
        let next = self.read(memory);
        next.map_err(|error| lost(&self.rows, &error))
    }

    fn read(&mut self, memory: Vec<u8>) -> io::Result<Option<(u64, Rows)>> {
        loop {
            let first = self.rows.start;
            if !self.plain.is_empty() {
                let rows = self.plain(memory)?;
                return Ok(Some((first, rows)));
            }
            if !self.others.is_empty() || self.others.decode()? {
                let cells = self.others(memory);
                return Ok(Some((first, Rows::Cells(cells))));
            }
            let Some(page) = guarded(|| self.pages.get_next_page())? else {
                return if self.rows.is_empty() {
                    Ok(None)
                } else {
                    Err(invalid(
                        "not valid Parquet: pages have fewer values than they say",
                    ))
                };
            };
            match Plain::of(&page, self.column.max_def_level()) {
                Some(plain) => self.plain = plain,
                None => self.others.give(page),
            }
        }
    }

    /// Rows of the page that is being read.
    fn plain(&mut self, memory: Vec<u8>) -> io::Result<Rows> {
        match self.plain.next(self.max) {
            Next::Values(values) => {
                self.rows.start += values.count;
                Ok(Rows::Prefixed(values))
            }
            Next::TooLong => {
                self.rows.start += 1;
                let mut cells = Cells::within(memory);
                cells.push_too_long(self.max);
                Ok(Rows::Cells(cells))
            }
            Next::Short => Err(invalid("not valid Parquet: a page ends within a value")),
        }
    }

    /// The rows that the library decoded.
    fn others(&mut self, memory: Vec<u8>) -> Cells {
        let mut cells = Cells::within(memory);
        while cells.data.len() < ENOUGH && !self.others.is_empty() {
            match self.others.next() {
                Some(value) if value.len() > self.max => cells.push_too_long(self.max),
                Some(value) => cells.push(value.data()),
                None => {
                    let name = self.column.path().string();
                    cells.push_broken(format!("`{name}` has no value"));
                }
            }
        }
        self.rows.start += cells.len() as u64;
        cells
    }
}

/// An error that says which rows cannot be read.
pub(super) fn lost(rows: &Range<u64>, error: &io::Error) -> io::Error {
    let last = rows.end.saturating_sub(1);
    invalid(format!("rows {} to {last}: {error}", rows.start))
}
