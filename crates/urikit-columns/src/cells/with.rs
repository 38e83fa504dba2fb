//! Rows, and what a kernel keeps from one to the next.

use super::Cells;
use crate::ColumnError;
use crate::column::Layout;
use arrow_array::ArrayRef;

/// Rows, and memory that the kernel uses again for each.
#[derive(Debug)]
pub(crate) struct With<C, M> {
    pub(crate) cells: C,
    pub(crate) memory: M,
}

impl<C: Cells, M: Send> Cells for With<C, M> {
    fn null(&mut self) {
        self.cells.null();
    }

    fn truncate(&mut self, rows: usize) {
        self.cells.truncate(rows);
    }

    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError> {
        self.cells.finish(layout)
    }
}
