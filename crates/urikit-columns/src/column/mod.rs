//! Columns of text, whatever their layout.

mod layout;

pub(crate) use layout::Layout;

use crate::ColumnError;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// A column of text, borrowed.
#[derive(Debug)]
pub(crate) struct Column<'a> {
    rows: Rows<'a>,
    len: usize,
    pub(crate) layout: Layout,
}

#[derive(Debug)]
enum Rows<'a> {
    Utf8(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// The number of the value of each row; where the row is null, the number means nothing.
    Dictionary {
        keys: Vec<usize>,
        nulls: Option<&'a NullBuffer>,
        values: Box<Column<'a>>,
    },
    /// Only the values that a dictionary uses.
    Used {
        used: Vec<bool>,
        values: Box<Column<'a>>,
    },
    /// Nulls only.
    Null,
}

impl<'a> Column<'a> {
    /// The column of an array.
    ///
    /// # Errors
    ///
    /// If it is not one of text.
    pub(crate) fn new(array: &'a dyn Array) -> Result<Self, ColumnError> {
        let (rows, layout) = match array.data_type() {
            DataType::Utf8 => (Rows::Utf8(array.as_string()), Layout::Utf8),
            DataType::LargeUtf8 => (Rows::Large(array.as_string()), Layout::Large),
            DataType::Utf8View => (Rows::View(array.as_string_view()), Layout::View),
            DataType::Null => (Rows::Null, Layout::Utf8),
            DataType::Dictionary(_, values) if Layout::of(values).is_some() => {
                let dictionary = array.as_any_dictionary();
                let values = Self::new(dictionary.values().as_ref())?;
                // With no values, there is nothing that keys could be compared with.
                let keys = match values.len {
                    0 => vec![0; array.len()],
                    _ => dictionary.normalized_keys(),
                };
                let layout = values.layout;
                let rows = Rows::Dictionary {
                    keys,
                    nulls: dictionary.keys().nulls(),
                    values: Box::new(values),
                };
                (rows, layout)
            }
            found => return Err(ColumnError::NotText(found.clone())),
        };
        Ok(Self {
            rows,
            len: array.len(),
            layout,
        })
    }

    /// The number of rows.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The text of a row; `None` for a null, and past the end.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a str> {
        if row >= self.len {
            return None;
        }
        match &self.rows {
            Rows::Utf8(array) => array.is_valid(row).then(|| array.value(row)),
            Rows::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Rows::View(array) => array.is_valid(row).then(|| array.value(row)),
            Rows::Dictionary {
                keys,
                nulls,
                values,
            } => {
                let is_valid = nulls.is_none_or(|nulls| nulls.is_valid(row));
                values.get(*keys.get(row).filter(|_| is_valid)?)
            }
            Rows::Used { used, values } => values.get(row).filter(|_| used.get(row) == Some(&true)),
            Rows::Null => None,
        }
    }

    /// The values of a dictionary, those that no row has as nulls; `None` if it is not one, or if
    /// it has more values than rows.
    pub(crate) fn distinct(&self) -> Option<Column<'a>> {
        let Rows::Dictionary {
            keys,
            nulls,
            values,
        } = &self.rows
        else {
            return None;
        };
        if values.len > self.len {
            return None;
        }
        let mut used = vec![false; values.len];
        for (row, key) in keys.iter().enumerate() {
            if nulls.is_none_or(|nulls| nulls.is_valid(row))
                && let Some(used) = used.get_mut(*key)
            {
                *used = true;
            }
        }
        Some(Column {
            len: values.len,
            layout: values.layout,
            rows: Rows::Used {
                used,
                values: Box::new(values.shallow()?),
            },
        })
    }

    /// A second view of the same array; `None` for a dictionary, which has no dictionaries in it.
    fn shallow(&self) -> Option<Column<'a>> {
        let rows = match &self.rows {
            Rows::Utf8(array) => Rows::Utf8(array),
            Rows::Large(array) => Rows::Large(array),
            Rows::View(array) => Rows::View(array),
            Rows::Null => Rows::Null,
            Rows::Dictionary { .. } | Rows::Used { .. } => return None,
        };
        Some(Column { rows, ..*self })
    }
}
