//! The pairs of queries.

use super::parts::no_keep;
use crate::cells::{Cells as _, Lists, Records, Text, columns};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Decoding, Options};
use arrow_array::{Array, ArrayRef};

/// The pairs of a query, between ampersands; an empty query has none. An empty pair is one, as in
/// [`Pairs`](urikit::component::Pairs).
fn pairs(query: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let pairs = (!query.is_empty()).then(|| query.split('&'));
    pairs
        .into_iter()
        .flatten()
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (pair, None),
        })
}

/// The value of the first pair of the query with this name, which is compared with the decoded
/// name. Null where there is no such pair, or no `=` in it.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, query_value};
/// let urls = StringArray::from(vec!["?q=a+b%21&q=c", "?page", "?Q=x"]);
/// let values = query_value(&urls, "q", Decoding::Written, Options::new())?;
/// assert_eq!(values.as_string(), &StringArray::from(vec![Some("a+b%21"), None, None]));
/// let values = query_value(&urls, "q", Decoding::Form, Options::new())?;
/// assert_eq!(values.as_string(), &StringArray::from(vec![Some("a b!"), None, None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn query_value(
    column: &dyn Array,
    name: &str,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "query_value")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            let row = Row::read(text, reader)?;
            let mut pairs = pairs(row.query().unwrap_or_default());
            let found = pairs.find(|(written, _)| decoding.is_named(written, name));
            let Some(value) = found.and_then(|(_, value)| value) else {
                cells.null();
                return Ok(());
            };
            decoding.push(value, cells)
        },
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    unary(column, options, &kernel)
}

columns! {
    /// The fields of a pair.
    Pair {
        name: Text = "name",
        value: Text = "value",
    }
}

/// The pairs of the query: a list of structs with the fields `name` and `value`. The value is null
/// where there is no `=`; the list is empty for an empty query, and null without one.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, query_pairs};
/// let urls = StringArray::from(vec!["?a=1&b", "?", "/"]);
/// let pairs = query_pairs(&urls, Decoding::Written, Options::new())?;
/// let pairs = pairs.as_list::<i32>();
/// let lengths: Vec<_> = (0..3).map(|row| pairs.value_length(row)).collect();
/// assert_eq!(lengths, [2, 0, 0]);
/// assert!(pairs.is_null(2));
/// let first = pairs.value(0);
/// let values = first.as_struct().column_by_name("value").unwrap().as_string::<i32>();
/// assert_eq!(values, &StringArray::from(vec![Some("1"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn query_pairs(
    column: &dyn Array,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "query_pairs")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: |rows| Lists::new(Records::new(Pair::new(0), 0), rows),
        row: |text: &str, cells: &mut Lists<Records<Pair>>| {
            let row = Row::read(text, reader)?;
            let Some(query) = row.query() else {
                cells.null();
                return Ok(());
            };
            cells.push_with(|items| {
                for (name, value) in pairs(query) {
                    items.push_with(|to| -> Result<(), Reason> {
                        decoding.push(name, &mut to.name)?;
                        match value {
                            Some(value) => decoding.push(value, &mut to.value)?,
                            None => to.value.null(),
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            })
        },
        keep: |_: &str, cells: &mut Lists<Records<Pair>>| cells.null(),
    };
    unary(column, options, &kernel)
}
