//! The three layouts of text in Arrow.

use arrow_schema::DataType;

/// How Arrow stores the texts of a column. Results have the layout of the column that they come
/// from, and a plain one where that is a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Offsets of 32 bits.
    Utf8,
    /// Offsets of 64 bits.
    Large,
    /// A view for each text.
    View,
}

impl Layout {
    /// The layout of a type; `None` if it is not one of text.
    pub(crate) const fn of(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 => Some(Self::Utf8),
            DataType::LargeUtf8 => Some(Self::Large),
            DataType::Utf8View => Some(Self::View),
            _ => None,
        }
    }
}
