//! The segments of paths.

use super::parts::no_keep;
use crate::cells::{Cells as _, Lists, Text};
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Decoding, Options};
use arrow_array::{Array, ArrayRef};

/// The segments of the path: a list of texts, what is between the slashes. A first slash precedes
/// the first segment; an empty path has none, and `/` has one, which is empty. Null where the path
/// is.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, path_segments};
/// let urls = StringArray::from(vec!["ftp://host.dom/%2Fetc/motd"]); // RFC 1738, 3.2.2
/// let segments = path_segments(&urls, Decoding::Decoded, Options::new())?;
/// let first = segments.as_list::<i32>().value(0);
/// assert_eq!(first.as_string(), &StringArray::from(vec!["/etc", "motd"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn path_segments(
    column: &dyn Array,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "path_segments")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: |rows| Lists::new(Text::new(0), rows),
        row: |text: &str, cells: &mut Lists<Text>| {
            let row = Row::read(text, reader)?;
            let Some(path) = row.path() else {
                cells.null();
                return Ok(());
            };
            cells.push_with(|items| {
                segments(path).try_for_each(|segment| decoding.push(segment, items))
            })
        },
        keep: |_: &str, cells: &mut Lists<Text>| cells.null(),
    };
    unary(column, options, &kernel)
}

/// As [`Path::segments`](urikit::component::Path::segments), for paths that other parsers give.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let relative = path.strip_prefix('/').unwrap_or(path);
    let segments = (!path.is_empty()).then(|| relative.split('/'));
    segments.into_iter().flatten()
}
