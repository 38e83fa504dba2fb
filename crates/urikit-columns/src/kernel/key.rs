//! Keys for deduplication.

use super::normalize::{is_able, write_normal};
use super::parts::no_keep;
use crate::cells::{Cells as _, Numbers, With};
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options};
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use urikit::op::Level;
use xxhash_rust::xxh3::xxh3_64;

/// Numbers, and the text that the last one was made of.
type Keys = With<Numbers<UInt64Type>, String>;

/// A number (UInt64) for each row that is the same for equivalent references: XXH3 with 64 bits and
/// the seed 0 of the bytes that [`normalize`](crate::normalize) gives at that level. It is stable:
/// other programs can compute it, and it is the same on every machine.
///
/// Different references have different numbers but for chance: among a billion, the probability
/// that any two share one is 2.7 %.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray, types::UInt64Type};
/// use urikit::op::Level;
/// use urikit_columns::{Options, key};
/// let urls = StringArray::from(vec!["http://a/", "HTTP://A:80", "http://b/"]);
/// let keys = key(&urls, Level::Scheme, Options::new())?;
/// let keys = keys.as_primitive::<UInt64Type>();
/// assert_eq!(keys.value(0), keys.value(1));
/// assert_ne!(keys.value(0), keys.value(2));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn key(
    column: &dyn Array,
    level: Level,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let reader = options.reader;
    is_able(reader, Some(level), "key")?;
    no_keep(options, "key")?;
    let kernel = Kernel {
        new: |rows| Keys {
            cells: Numbers::new(rows),
            memory: String::new(),
        },
        row: |text: &str, cells: &mut Keys| {
            cells.memory.clear();
            write_normal(text, reader, level, &mut cells.memory)?;
            cells.cells.push(xxh3_64(cells.memory.as_bytes()));
            Ok(())
        },
        keep: |_: &str, cells: &mut Keys| cells.null(),
    };
    unary(column, options, &kernel)
}
