//! Normal forms.

use crate::cells::Text;
use crate::error::Reason;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit::op::Level;
use urikit_audit::Whatwg;

/// The normal form of each row at a level, by the standard that is the reader; with `whatwg`, the
/// URL as a browser writes it, which has one level only.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit::op::Level;
/// use urikit_columns::{OnError, Options, normalize};
/// let urls = StringArray::from(vec!["HTTP://A:80/%7e/../b", "http://a/|"]);
/// let options = Options::new().on_error(OnError::Keep);
/// let normal = normalize(&urls, Level::Scheme, options)?;
/// assert_eq!(normal.as_string(), &StringArray::from(vec!["http://a/b", "http://a/|"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`]; the other readers have no normal form.
pub fn normalize(
    column: &dyn Array,
    level: Level,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let reader = options.reader;
    is_able(reader, Some(level), "normalize")?;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            cells.push_with(|out| write_normal(text, reader, level, out))
        },
        keep: |text: &str, cells: &mut Text| cells.push(text),
    };
    unary(column, options, &kernel)
}

/// The readers that resolve, normalize and compare; browsers have the last level only.
pub(super) fn is_able(
    reader: Reader,
    level: Option<Level>,
    function: &'static str,
) -> Result<(), ColumnError> {
    match reader {
        Reader::Whatwg if level.is_some_and(|level| level != Level::Scheme) => {
            Err(ColumnError::Level)
        }
        Reader::Standard(_) | Reader::Whatwg => Ok(()),
        _ => Err(ColumnError::Reader { reader, function }),
    }
}

/// Appends the normal form of a reference.
#[inline]
pub(super) fn write_normal(
    text: &str,
    reader: Reader,
    level: Level,
    out: &mut String,
) -> Result<(), Reason> {
    if let Reader::Standard(standard) = reader {
        standard.parse(text)?.normalize_into(level, out);
    } else {
        out.push_str(Whatwg.parse(text)?.as_str());
    }
    Ok(())
}
