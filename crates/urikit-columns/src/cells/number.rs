//! Rows of numbers, and of truth values.

use super::Cells;
use crate::ColumnError;
use crate::column::Layout;
use arrow_array::{ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray};
use arrow_buffer::{BooleanBufferBuilder, NullBufferBuilder, ScalarBuffer};
use std::sync::Arc;

/// Rows of numbers.
#[derive(Debug)]
pub(crate) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(rows),
            nulls: NullBufferBuilder::new(rows),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, value: T::Native) {
        self.values.push(value);
        self.nulls.append_non_null();
    }

    #[inline]
    pub(crate) fn push_some(&mut self, value: Option<T::Native>) {
        match value {
            Some(value) => self.push(value),
            None => self.null(),
        }
    }
}

impl<T: ArrowPrimitiveType> Cells for Numbers<T> {
    #[inline]
    fn null(&mut self) {
        self.values.push(T::Native::default());
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.nulls.truncate(rows);
    }

    fn finish(self, _: Layout) -> Result<ArrayRef, ColumnError> {
        let values = ScalarBuffer::from(self.values);
        let array = PrimitiveArray::<T>::try_new(values, self.nulls.build())?;
        Ok(Arc::new(array))
    }
}

/// Rows of truth values.
#[derive(Debug)]
pub(crate) struct Flags {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

impl Flags {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            values: BooleanBufferBuilder::new(rows),
            nulls: NullBufferBuilder::new(rows),
        }
    }

    pub(crate) fn push(&mut self, value: bool) {
        self.values.append(value);
        self.nulls.append_non_null();
    }
}

impl Cells for Flags {
    fn null(&mut self) {
        self.values.append(false);
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.nulls.truncate(rows);
    }

    fn finish(self, _: Layout) -> Result<ArrayRef, ColumnError> {
        let array = BooleanArray::new(self.values.build(), self.nulls.build());
        Ok(Arc::new(array))
    }
}
