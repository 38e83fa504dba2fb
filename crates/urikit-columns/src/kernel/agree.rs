//! What the readers of the audit say.

use crate::cells::{Flags, Lists, Numbers, Records, Text, columns};
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray};

/// Whether the readers that vote agree on the scheme, userinfo, host and port of each row, as
/// [`urikit_audit::agree`] decides; `threads` as in [`Options`].
///
/// ```
/// use arrow_array::{BooleanArray, StringArray};
/// let urls = StringArray::from(vec![Some("http://a/"), Some("http://a\\@b/"), None]);
/// let agreed = urikit_columns::agree(&urls, 0)?;
/// assert_eq!(agreed, BooleanArray::from(vec![Some(true), Some(false), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn agree(column: &dyn Array, threads: usize) -> Result<BooleanArray, ColumnError> {
    let kernel = Kernel {
        new: Flags::new,
        row: |text: &str, cells: &mut Flags| {
            cells.push(urikit_audit::agree(text).is_unanimous());
            Ok(())
        },
        keep: |_: &str, _: &mut Flags| {},
    };
    let result = unary(column, Options::new().threads(threads), &kernel)?;
    Ok(result.as_boolean().clone())
}

columns! {
    /// The fields of a finding.
    Found {
        code: Text = "code",
        severity: Text = "severity",
        offset: Numbers<Int64Type> = "offset",
        message: Text = "message",
    }
}

/// The findings of the audit in each row, by offset: a list of structs with the fields `code`,
/// `severity`, `offset` (in bytes, Int64) and `message`, as [`urikit_audit::audit`] reports them. The list is
/// empty where there is nothing to find; `threads` as in [`Options`].
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// let urls = StringArray::from(vec!["http://a/", "http://10.0.0.1:25/"]);
/// let findings = urikit_columns::findings(&urls, 0)?;
/// let findings = findings.as_list::<i32>();
/// assert_eq!(findings.value_length(0), 0);
/// let found = findings.value(1);
/// let codes = found.as_struct().column_by_name("code").unwrap().as_string::<i32>();
/// assert_eq!(codes, &StringArray::from(vec!["private-address", "blocked-port"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn findings(column: &dyn Array, threads: usize) -> Result<ArrayRef, ColumnError> {
    let kernel = Kernel {
        new: |rows| Lists::new(Records::new(Found::new(0), 0), rows),
        row: |text: &str, cells: &mut Lists<Records<Found>>| {
            let report = urikit_audit::audit(text);
            cells.push(|items| {
                for finding in report.findings().iter() {
                    items.push(|to| {
                        to.code.push(finding.code.as_str());
                        to.severity.push(finding.severity().as_str());
                        // INVARIANT: no text is longer than this.
                        to.offset
                            .push(i64::try_from(finding.offset).unwrap_or(i64::MAX));
                        to.message.push(&report.message(finding));
                    });
                }
            });
            Ok(())
        },
        keep: |_: &str, _: &mut Lists<Records<Found>>| {},
    };
    unary(column, Options::new().threads(threads), &kernel)
}
