//! Functions that report why rows are rejected and what the audit finds.

use crate::cells::{Cells as _, Flags, Lists, Numbers, Structs, Text, fields};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, OnError, Options};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, StructArray};
use urikit_audit::Rejection;

fields! {
    /// The fields of a diagnosis.
    Diagnosis {
        offset: Numbers<Int64Type> = "offset",
        production: Text = "production",
        section: Text = "section",
        message: Text = "message",
    }
}

/// Returns the reason why a standard rejects each row: a struct with the fields `offset` (in bytes,
/// Int64), `production`, `section` and `message` of [`urikit::ParseError`].
///
/// The result is null if the row is null or is accepted. The result is always null for readers that
/// do not implement a standard, because they have no productions; [`reason`] returns the messages
/// of these readers.
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
        new: |rows| Structs::new(Diagnosis::new(rows), rows),
        row: |text: &str, cells: &mut Structs<Diagnosis>| {
            match Row::read(text, reader) {
                Err(Reason::Rejected(Rejection::Rfc(error))) => cells.push(|to| {
                    // INVARIANT: the length of text fits into 63 bits.
                    to.offset
                        .push(i64::try_from(error.offset()).unwrap_or(i64::MAX));
                    to.production.push_some(error.production());
                    to.section.push_some(error.section());
                    to.message.push_display(&error);
                }),
                _ => cells.null(),
            }
            Ok(())
        },
        keep: |_: &str, _: &mut Structs<Diagnosis>| {},
    };
    let options = options.on_error(OnError::Null);
    Ok(unary(column, options, &kernel)?.as_struct().clone())
}

/// Returns the reader's error message for each rejected row. The result is null if the row is
/// null or is accepted.
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
                Err(reason) => cells.push_display(&reason),
                Ok(_) => cells.null(),
            }
            Ok(())
        },
        keep: |_: &str, _: &mut Text| {},
    };
    unary(column, options.on_error(OnError::Null), &kernel)
}

/// Returns whether the voting readers of [`urikit_audit::agree`] agree on the scheme, userinfo,
/// host and port of each row. `threads` works as in [`Options`].
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

fields! {
    /// The fields of a finding.
    Found {
        code: Text = "code",
        severity: Text = "severity",
        offset: Numbers<Int64Type> = "offset",
        message: Text = "message",
    }
}

/// Returns the findings of [`urikit_audit::audit`] for each row, in order of their offsets, as
/// lists of structs with the fields `code`, `severity`, `offset` (in bytes, Int64) and `message`.
///
/// The list is empty if the audit finds nothing. `threads` works as in [`Options`].
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
        new: |rows| Lists::new(Structs::new(Found::new(0), 0), rows),
        row: |text: &str, cells: &mut Lists<Structs<Found>>| {
            let report = urikit_audit::audit(text);
            cells.push(|items| {
                for finding in report.findings().iter() {
                    items.push(|to| {
                        to.code.push(finding.code.as_str());
                        to.severity.push(finding.severity().as_str());
                        // INVARIANT: the length of text fits into 63 bits.
                        to.offset
                            .push(i64::try_from(finding.offset).unwrap_or(i64::MAX));
                        to.message.push(&report.message(finding));
                    });
                }
            });
            Ok(())
        },
        keep: |_: &str, _: &mut Lists<Structs<Found>>| {},
    };
    unary(column, Options::new().threads(threads), &kernel)
}
