//! Two columns compared.

use super::normalize::is_able;
use super::parts::no_keep;
use crate::cells::{Cells as _, Text};
use crate::run::{Kernel, binary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit::op::Equivalence;
use urikit_audit::Whatwg;

/// Whether the two references of each row are equivalent, and by which step of the ladder of RFC
/// 3986, 6.2: `identical`, `case`, `escapes`, `path`, `scheme`, or `different`. Null where either
/// is null or rejected. With `whatwg`, `scheme` means that browsers write both the same.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, compare};
/// let left = StringArray::from(vec!["http://a/", "http://a/%7Eb", "http://a/x"]);
/// let right = StringArray::from(vec!["http://A:80", "http://a/~b", "http://a/X"]);
/// let by = compare(&left, &right, Options::new())?;
/// assert_eq!(by.as_string(), &StringArray::from(vec!["scheme", "escapes", "different"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn compare(
    left: &dyn Array,
    right: &dyn Array,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    is_able(options.reader, None, "compare")?;
    no_keep(options, "compare")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |left: &str, right: &str, cells: &mut Text| {
            let by = if let Reader::Standard(standard) = reader {
                standard.parse(left)?.compare(standard.parse(right)?)
            } else {
                let (one, other) = (Whatwg.parse(left)?, Whatwg.parse(right)?);
                match one == other {
                    true if left == right => Some(Equivalence::Identical),
                    true => Some(Equivalence::Scheme),
                    false => None,
                }
            };
            cells.push(by.map_or("different", Equivalence::name));
            Ok(())
        },
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    binary(left, right, options, &kernel)
}
