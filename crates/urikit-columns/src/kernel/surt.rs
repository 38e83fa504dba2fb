//! Keys of web archives.

use crate::cells::{Text, With};
use crate::error::Reason;
use crate::run::{Kernel, unary};
use crate::{ColumnError, OnError, Options};
use arrow_array::{Array, ArrayRef};
use urikit_keys::{Profile, SurtWriter};

/// The key of each URL by a profile ([`Profile`]). A profile has its own parser, so there is no
/// reader; `threads` as in [`Options`].
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{OnError, surt, urikit_keys::Profile};
/// let urls = StringArray::from(vec!["http://www.Example.com/A?b&a", "http://a:b/"]);
/// let keys = surt(&urls, Profile::IaPython, OnError::Null, 0)?;
/// assert_eq!(keys.as_string(), &StringArray::from(vec![Some("com,example)/a?a&b"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn surt(
    column: &dyn Array,
    profile: Profile,
    on_error: OnError,
    threads: usize,
) -> Result<ArrayRef, ColumnError> {
    type Keys = With<Text, SurtWriter>;
    let kernel = Kernel {
        new: |rows| Keys {
            cells: Text::new(rows),
            memory: SurtWriter::new(),
        },
        row: |text: &str, keys: &mut Keys| {
            let writer = &mut keys.memory;
            let outcome = keys.cells.push_with(|out| writer.write(text, profile, out));
            outcome.map_err(Reason::Surt)
        },
        keep: |text: &str, keys: &mut Keys| keys.cells.push(text),
    };
    let options = Options::new().on_error(on_error).threads(threads);
    unary(column, options, &kernel)
}
