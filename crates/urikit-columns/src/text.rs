//! A builder for rows of text.

use crate::ColumnError;
use crate::cells::{Cells, CountedCells};
use crate::column::Layout;
use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use std::fmt;
use std::sync::Arc;

/// A builder for rows of text: one string that contains all rows, and the offset at which each row
/// ends.
#[derive(Debug)]
pub(crate) struct Text {
    data: String,
    ends: Vec<usize>,
    nulls: NullBufferBuilder,
    /// A buffer for [`push_octets`](Self::push_octets).
    octets: Vec<u8>,
}

impl Text {
    /// Creates a builder with room for `rows` rows.
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            data: String::new(),
            ends: Vec::with_capacity(rows),
            nulls: NullBufferBuilder::new(rows),
            octets: Vec::new(),
        }
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        self.data.push_str(text);
        self.end();
    }

    /// Appends a row or a null.
    #[inline]
    pub(crate) fn push_some(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push(text),
            None => self.null(),
        }
    }

    /// Appends a row that consists of the text that `write` appends.
    ///
    /// # Errors
    ///
    /// Fails, and appends nothing, if `write` fails.
    #[inline]
    pub(crate) fn push_with<E>(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.data.len();
        match write(&mut self.data) {
            Ok(()) => self.end(),
            Err(error) => {
                self.data.truncate(start);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Appends a row of octets, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// If the row is not UTF-8, returns the index of the first invalid octet, and does not append
    /// the row.
    pub(crate) fn push_octets(&mut self, octets: impl Iterator<Item = u8>) -> Result<(), usize> {
        self.octets.clear();
        self.octets.extend(octets);
        match std::str::from_utf8(&self.octets) {
            Ok(text) => {
                self.data.push_str(text);
                self.end();
                Ok(())
            }
            Err(error) => Err(error.valid_up_to()),
        }
    }

    /// Appends a row with the `Display` form of a value.
    pub(crate) fn push_display(&mut self, value: &impl fmt::Display) {
        use fmt::Write as _;
        // INVARIANT: writing to a string does not fail.
        let _ = write!(self.data, "{value}");
        self.end();
    }

    #[inline]
    fn end(&mut self) {
        self.ends.push(self.data.len());
        self.nulls.append_non_null();
    }
}

impl Cells for Text {
    #[inline]
    fn null(&mut self) {
        self.ends.push(self.data.len());
        self.nulls.append_null();
    }

    fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.data.truncate(self.ends.last().copied().unwrap_or(0));
        self.nulls.truncate(rows);
    }

    fn finish(self, layout: Layout) -> Result<ArrayRef, ColumnError> {
        let Self {
            data, ends, nulls, ..
        } = self;
        let nulls = nulls.build();
        Ok(match layout {
            Layout::Utf8 => {
                let offsets = offsets::<i32>(&ends)?;
                let values = Buffer::from(data.into_bytes());
                Arc::new(StringArray::try_new(offsets, values, nulls)?)
            }
            Layout::Large => {
                let offsets = offsets::<i64>(&ends)?;
                let values = Buffer::from(data.into_bytes());
                Arc::new(LargeStringArray::try_new(offsets, values, nulls)?)
            }
            Layout::View => views(data, &ends, nulls)?,
        })
    }
}

impl CountedCells for Text {
    fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Converts the ends of rows to Arrow's offsets.
pub(crate) fn offsets<O>(ends: &[usize]) -> Result<OffsetBuffer<O>, ColumnError>
where
    O: TryFrom<usize> + Default + arrow_buffer::ArrowNativeType,
{
    let last = ends.last().copied().unwrap_or(0);
    if O::try_from(last).is_err() {
        return Err(ColumnError::TooLarge { length: last });
    }
    let mut offsets = Vec::with_capacity(ends.len() + 1);
    offsets.push(O::default());
    // INVARIANT: the last row's end is the largest offset, and it fits.
    offsets.extend(ends.iter().map(|end| O::usize_as(*end)));
    Ok(OffsetBuffer::new(ScalarBuffer::from(offsets)))
}

/// Creates an array of views into one buffer.
fn views(data: String, ends: &[usize], nulls: Option<NullBuffer>) -> Result<ArrayRef, ColumnError> {
    // Arrow defines the offset of a view as a signed 32-bit number.
    if i32::try_from(data.len()).is_err() {
        return Err(ColumnError::TooLarge { length: data.len() });
    }
    let bytes = data.as_bytes();
    let mut start = 0;
    let mut views = Vec::with_capacity(ends.len());
    for end in ends {
        let text = bytes.get(start..*end).unwrap_or_default();
        // INVARIANT: offsets are at most the length, which fits.
        let offset = u32::try_from(start).unwrap_or_default();
        views.push(make_view(text, 0, offset));
        start = *end;
    }
    let buffer = Buffer::from(data.into_bytes());
    Ok(Arc::new(StringViewArray::try_new(
        ScalarBuffer::from(views),
        vec![buffer],
        nulls,
    )?))
}

#[cfg(test)]
mod tests {
    use super::offsets;
    use crate::ColumnError;

    #[test]
    fn too_large_results_name_the_type_to_use() {
        let end = usize::try_from(i32::MAX).unwrap() + 1;
        let error = offsets::<i32>(&[0, end]).unwrap_err();
        assert!(matches!(error, ColumnError::TooLarge { length } if length == end));
        assert!(
            error
                .to_string()
                .ends_with("use a column of type LargeUtf8 (large_string)")
        );
        assert!(offsets::<i64>(&[0, end]).is_ok());
    }
}
