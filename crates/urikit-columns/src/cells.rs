//! Builders for the rows of a result.
//!
//! A kernel appends its result to a builder row by row. Builders grow like vectors, so no row needs
//! its own allocation.

pub(crate) use crate::text::Text;

use crate::ColumnError;
use crate::column::Layout;
use crate::text::offsets;
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, LargeListArray, ListArray, PrimitiveArray,
    StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, NullBufferBuilder, ScalarBuffer};
use arrow_schema::{Field, Fields};
use std::sync::Arc;

/// A builder for the rows of a result.
pub(crate) trait Cells: Send + Sized {
    /// Appends a null.
    fn null(&mut self);

    /// Removes all rows except the first `rows`.
    fn truncate(&mut self, rows: usize);

    /// Returns all rows as an array. Text has the given layout.
    ///
    /// # Errors
    ///
    /// Fails if the result is too large for its Arrow type.
    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError>;
}

/// A builder that can also build the items of lists.
pub(crate) trait CountedCells: Cells {
    /// Returns the number of rows.
    fn len(&self) -> usize;
}

/// A builder for rows of numbers.
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

/// A builder for rows of booleans.
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

/// A builder for rows that are lists of items.
#[derive(Debug)]
pub(crate) struct Lists<I> {
    items: I,
    ends: Vec<usize>,
    nulls: NullBufferBuilder,
}

impl<I: CountedCells> Lists<I> {
    pub(crate) fn new(items: I, rows: usize) -> Self {
        Self {
            items,
            ends: Vec::with_capacity(rows),
            nulls: NullBufferBuilder::new(rows),
        }
    }

    /// Appends a row that consists of the items that `fill` appends.
    #[inline]
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut I)) {
        fill(&mut self.items);
        self.ends.push(self.items.len());
        self.nulls.append_non_null();
    }

    /// Appends a row, as [`push`](Self::push) does. If `fill` fails, appends nothing.
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

impl<I: CountedCells> Cells for Lists<I> {
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

/// The builders for the fields of a struct.
pub(crate) trait StructFields: Send {
    /// Appends a null to each field.
    fn null(&mut self);

    /// Removes all rows except the first `rows`.
    fn truncate(&mut self, rows: usize);

    /// Returns the names and arrays of the fields.
    fn finish(self, layout: Layout) -> Result<Vec<(&'static str, ArrayRef)>, ColumnError>;
}

/// A builder for rows of structs.
#[derive(Debug)]
pub(crate) struct Structs<F> {
    fields: F,
    nulls: NullBufferBuilder,
}

impl<F: StructFields> Structs<F> {
    pub(crate) fn new(fields: F, rows: usize) -> Self {
        Self {
            fields,
            nulls: NullBufferBuilder::new(rows),
        }
    }

    /// Appends a row. `fill` must append one value to each field.
    #[inline]
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut F)) {
        fill(&mut self.fields);
        self.nulls.append_non_null();
    }

    /// Appends a row, as [`push`](Self::push) does. If `fill` fails, appends nothing.
    pub(crate) fn push_with<E>(
        &mut self,
        fill: impl FnOnce(&mut F) -> Result<(), E>,
    ) -> Result<(), E> {
        let rows = self.nulls.len();
        if let Err(error) = fill(&mut self.fields) {
            self.fields.truncate(rows);
            return Err(error);
        }
        self.nulls.append_non_null();
        Ok(())
    }
}

impl<F: StructFields> Cells for Structs<F> {
    fn null(&mut self) {
        self.fields.null();
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.fields.truncate(rows);
        self.nulls.truncate(rows);
    }

    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError> {
        let columns = self.fields.finish(layout)?;
        let field =
            |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let fields: Fields = columns.iter().map(field).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        Ok(Arc::new(StructArray::try_new(
            fields,
            arrays,
            self.nulls.build(),
        )?))
    }
}

impl<F: StructFields> CountedCells for Structs<F> {
    fn len(&self) -> usize {
        self.nulls.len()
    }
}

/// Defines the fields of a struct.
macro_rules! fields {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $cells:ty = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: $cells,)*
        }

        impl $name {
            pub(crate) fn new(rows: usize) -> Self {
                Self { $($field: <$cells>::new(rows),)* }
            }
        }

        impl $crate::cells::StructFields for $name {
            fn null(&mut self) {
                $($crate::cells::Cells::null(&mut self.$field);)*
            }

            fn truncate(&mut self, rows: usize) {
                $($crate::cells::Cells::truncate(&mut self.$field, rows);)*
            }

            fn finish(
                self,
                layout: $crate::column::Layout,
            ) -> Result<Vec<(&'static str, arrow_array::ArrayRef)>, $crate::ColumnError> {
                Ok(vec![$(($text, $crate::cells::Cells::finish(self.$field, layout)?),)*])
            }
        }
    };
}

pub(crate) use fields;

/// Rows, and memory that the kernel reuses for each row.
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
