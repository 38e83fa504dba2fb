//! The rows of a result while they are made.
//!
//! A kernel appends to one of these, row by row. They grow as vectors do, so that nothing is
//! allocated for a single row.

mod list;
mod number;
mod record;
mod text;
mod with;

pub(crate) use list::Lists;
pub(crate) use number::{Flags, Numbers};
pub(crate) use record::{Columns, Records, columns};
pub(crate) use text::Text;
pub(crate) use with::With;

use crate::ColumnError;
use crate::column::Layout;
use arrow_array::ArrayRef;

/// The rows of a result.
pub(crate) trait Cells: Send + Sized {
    /// Appends a null.
    fn null(&mut self);

    /// Removes the rows after the first `rows`.
    fn truncate(&mut self, rows: usize);

    /// The array of all rows; texts in this layout.
    ///
    /// # Errors
    ///
    /// If Arrow cannot hold it.
    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError>;
}

/// The items of all lists, one after the other.
pub(crate) trait Listed: Cells {
    /// How many there are.
    fn len(&self) -> usize;
}
