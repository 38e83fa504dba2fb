//! Columns of text in any of Arrow's layouts.

use crate::ColumnError;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// The layout in which Arrow stores text.
///
/// The result of a function has the layout of the column, or of the dictionary's values if the
/// column is dictionary-encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Offsets of 32 bits.
    Utf8,
    /// Offsets of 64 bits.
    Large,
    /// A view (a length with a reference to the text) for each row.
    View,
}

impl Layout {
    /// Returns the layout of a type, or `None` if it is not a text type.
    pub(crate) const fn of(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 => Some(Self::Utf8),
            DataType::LargeUtf8 => Some(Self::Large),
            DataType::Utf8View => Some(Self::View),
            _ => None,
        }
    }
}

/// A borrowed column of text.
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
    /// A dictionary, with the index of each row's value. The indices of null rows have no meaning.
    Dictionary {
        keys: Vec<usize>,
        nulls: Option<&'a NullBuffer>,
        values: Box<Column<'a>>,
    },
    /// The values of a dictionary. Unused values are treated as null.
    Used {
        used: Vec<bool>,
        values: Box<Column<'a>>,
    },
    /// A column that contains only nulls.
    Null,
}

impl<'a> Column<'a> {
    /// Reads an array as a column.
    ///
    /// # Errors
    ///
    /// Fails if the array does not contain text.
    pub(crate) fn new(array: &'a dyn Array) -> Result<Self, ColumnError> {
        let (rows, layout) = match array.data_type() {
            DataType::Utf8 => (Rows::Utf8(array.as_string()), Layout::Utf8),
            DataType::LargeUtf8 => (Rows::Large(array.as_string()), Layout::Large),
            DataType::Utf8View => (Rows::View(array.as_string_view()), Layout::View),
            DataType::Null => (Rows::Null, Layout::Utf8),
            DataType::Dictionary(_, values) if Layout::of(values).is_some() => {
                let dictionary = array.as_any_dictionary();
                let values = Self::new(dictionary.values().as_ref())?;
                // `normalized_keys` needs at least one value.
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

    /// Returns the number of rows.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the text of a row, or `None` for a null or a row past the end.
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

    /// Returns the values of a dictionary, with nulls in place of values that no row uses. Returns
    /// `None` for other columns, and for a dictionary with more values than rows.
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

    /// Returns another borrow of the same array. Returns `None` for a dictionary, because
    /// dictionaries are never nested.
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
