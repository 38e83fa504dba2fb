//! Rows with several named fields.

use super::{Cells, Listed};
use crate::ColumnError;
use crate::column::Layout;
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{Field, Fields};
use std::sync::Arc;

/// The columns of a record: for each field, the rows of its values.
pub(crate) trait Columns: Send {
    /// Appends a null to each.
    fn null(&mut self);

    /// Removes the rows after the first `rows`.
    fn truncate(&mut self, rows: usize);

    /// The names, and the arrays.
    fn finish(self, layout: Layout) -> Result<Vec<(&'static str, ArrayRef)>, ColumnError>;
}

/// Rows with several named fields.
#[derive(Debug)]
pub(crate) struct Records<C> {
    columns: C,
    nulls: NullBufferBuilder,
}

impl<C: Columns> Records<C> {
    pub(crate) fn new(columns: C, rows: usize) -> Self {
        Self {
            columns,
            nulls: NullBufferBuilder::new(rows),
        }
    }

    /// Appends a row; `fill` has to append one value to each column.
    #[inline]
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut C)) {
        fill(&mut self.columns);
        self.nulls.append_non_null();
    }

    /// As [`push`](Self::push), where `fill` may fail; no row is appended then.
    pub(crate) fn push_with<E>(
        &mut self,
        fill: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        let rows = self.nulls.len();
        if let Err(error) = fill(&mut self.columns) {
            self.columns.truncate(rows);
            return Err(error);
        }
        self.nulls.append_non_null();
        Ok(())
    }
}

impl<C: Columns> Cells for Records<C> {
    fn null(&mut self) {
        self.columns.null();
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.columns.truncate(rows);
        self.nulls.truncate(rows);
    }

    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError> {
        let columns = self.columns.finish(layout)?;
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

impl<C: Columns> Listed for Records<C> {
    fn len(&self) -> usize {
        self.nulls.len()
    }
}

/// Defines the columns of a record.
macro_rules! columns {
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

        impl $crate::cells::Columns for $name {
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

pub(crate) use columns;
