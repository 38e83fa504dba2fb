//! Why rows are rejected.

use crate::cells::{Cells as _, Numbers, Records, Text, columns};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, OnError, Options};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, StructArray};
use urikit_audit::Rejection;

columns! {
    /// The fields of a diagnosis.
    Diagnosis {
        offset: Numbers<Int64Type> = "offset",
        production: Text = "production",
        section: Text = "section",
        message: Text = "message",
    }
}

/// Why the reader rejects each row: a struct with the fields `offset` (in bytes, Int64),
/// `production`, `section` and `message`, as [`urikit::ParseError`] has them. Null where the row is
/// accepted or null; and always for a reader that has no productions, which is one that is no
/// standard: [`reason`] gives its message.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use urikit_columns::{Options, diagnose};
/// let urls = StringArray::from(vec!["http://a/", "http://a/|"]);
/// let diagnoses = diagnose(&urls, Options::new())?;
/// assert!(diagnoses.is_null(0));
/// let field = |name| diagnoses.column_by_name(name).unwrap().as_string::<i32>().value(1);
/// assert_eq!((field("production"), field("section")), ("segment", "RFC 3986, 3.3"));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn diagnose(
    column: &dyn Array,
    options: impl Into<Options>,
) -> Result<StructArray, ColumnError> {
    let options = options.into();
    let reader = options.reader;
    let kernel = Kernel {
        new: |rows| Records::new(Diagnosis::new(rows), rows),
        row: |text: &str, cells: &mut Records<Diagnosis>| {
            match Row::read(text, reader) {
                Err(Reason::Rejected(Rejection::Rfc(error))) => cells.push(|to| {
                    // INVARIANT: no text is longer than this.
                    to.offset
                        .push(i64::try_from(error.offset()).unwrap_or(i64::MAX));
                    to.production.push_some(error.production());
                    to.section.push_some(error.section());
                    to.message.push_shown(&error);
                }),
                _ => cells.null(),
            }
            Ok(())
        },
        keep: |_: &str, _: &mut Records<Diagnosis>| {},
    };
    let options = options.on_error(OnError::Null);
    Ok(unary(column, options, &kernel)?.as_struct().clone())
}

/// Why the reader rejects each row, as a sentence, for any reader. Null where the row is accepted
/// or null.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use urikit_columns::{Reader, reason};
/// let urls = StringArray::from(vec!["http://a/", "/relative"]);
/// let reasons = reason(&urls, Reader::Whatwg)?;
/// assert!(reasons.is_null(0));
/// assert_eq!(reasons.as_string::<i32>().value(1), "relative URL without a base");
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn reason(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            match Row::read(text, reader) {
                Err(reason) => cells.push_shown(&reason),
                Ok(_) => cells.null(),
            }
            Ok(())
        },
        keep: |_: &str, _: &mut Text| {},
    };
    unary(column, options.on_error(OnError::Null), &kernel)
}
