//! Rows that are lists.

use super::text::offsets;
use super::{Cells, Listed};
use crate::ColumnError;
use crate::column::Layout;
use arrow_array::{ArrayRef, LargeListArray, ListArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::Field;
use std::sync::Arc;

/// Rows that are lists of items.
#[derive(Debug)]
pub(crate) struct Lists<I> {
    items: I,
    ends: Vec<usize>,
    nulls: NullBufferBuilder,
}

impl<I: Listed> Lists<I> {
    pub(crate) fn new(items: I, rows: usize) -> Self {
        Self {
            items,
            ends: Vec::with_capacity(rows),
            nulls: NullBufferBuilder::new(rows),
        }
    }

    /// Appends a row: what `fill` appends to the items.
    #[inline]
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut I)) {
        fill(&mut self.items);
        self.ends.push(self.items.len());
        self.nulls.append_non_null();
    }

    /// As [`push`](Self::push), where `fill` may fail; no row is appended then.
    pub(crate) fn push_with<E>(
        &mut self,
        fill: impl FnOnce(&mut I) -> Result<(), E>,
    ) -> Result<(), E> {
        let items = self.items.len();
        if let Err(error) = fill(&mut self.items) {
            self.items.truncate(items);
            return Err(error);
        }
        self.ends.push(self.items.len());
        self.nulls.append_non_null();
        Ok(())
    }
}

impl<I: Listed> Cells for Lists<I> {
    fn null(&mut self) {
        self.ends.push(self.items.len());
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.items.truncate(self.ends.last().copied().unwrap_or(0));
        self.nulls.truncate(rows);
    }

    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError> {
        let items = self.items.finish(layout)?;
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        let nulls = self.nulls.build();
        Ok(match layout {
            Layout::Large => {
                let offsets = offsets::<i64>(&self.ends)?;
                Arc::new(LargeListArray::try_new(field, offsets, items, nulls)?)
            }
            Layout::Utf8 | Layout::View => {
                let offsets = offsets::<i32>(&self.ends)?;
                Arc::new(ListArray::try_new(field, offsets, items, nulls)?)
            }
        })
    }
}
