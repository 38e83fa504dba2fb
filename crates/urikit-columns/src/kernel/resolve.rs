//! References resolved against a base.

use super::normalize::is_able;
use crate::cells::Text;
use crate::error::Reason;
use crate::run::{Kernel, binary, unary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit::AnyRef;
use urikit_audit::{Rejection, Whatwg};

/// The target of each row against one base, by the standard that is the reader, or by `whatwg`.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, resolve};
/// let references = StringArray::from(vec!["../g", "//h", ""]); // RFC 3986, 5.4
/// let targets = resolve(&references, "http://a/b/c/d;p?q", Options::new())?;
/// let expected = StringArray::from(vec!["http://a/b/g", "http://h", "http://a/b/c/d;p?q"]);
/// assert_eq!(targets.as_string(), &expected);
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// [`ColumnError::Base`] if the base is not valid; otherwise see [`ColumnError`].
pub fn resolve(
    column: &dyn Array,
    base: &str,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    is_able(options.reader, None, "resolve")?;
    let keep = |text: &str, cells: &mut Text| cells.push(text);
    if let Reader::Standard(standard) = options.reader {
        let base = standard.parse(base);
        let base = base.map_err(|error| ColumnError::Base(error.into()))?;
        if base.scheme().is_none() {
            let error = urikit::op::ResolveError::BaseIsRelative;
            return Err(ColumnError::Base(Reason::Resolve(error)));
        }
        let row = |text: &str, cells: &mut Text| {
            let reference = standard.parse(text)?;
            cells.push_with(|out| write_target(reference, base, out))
        };
        let new = Text::new;
        return unary(column, options, &Kernel { new, row, keep });
    }
    let base = Whatwg.parse(base);
    let base = base.map_err(|error| ColumnError::Base(error.into()))?;
    let row = |text: &str, cells: &mut Text| {
        let target = base.join(text).map_err(Rejection::Whatwg)?;
        cells.push(target.as_str());
        Ok(())
    };
    let new = Text::new;
    unary(column, options, &Kernel { new, row, keep })
}

/// As [`resolve`], where each row has its own base, in a second column; null where either is. A
/// row whose base is rejected is a rejected row.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn resolve_each(
    column: &dyn Array,
    bases: &dyn Array,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    is_able(options.reader, None, "resolve")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, base: &str, cells: &mut Text| {
            if let Reader::Standard(standard) = reader {
                let base = standard.parse(base);
                let base = base.map_err(|error| Reason::Base(Rejection::Rfc(error)))?;
                let reference = standard.parse(text)?;
                return cells.push_with(|out| write_target(reference, base, out));
            }
            let base = Whatwg.parse(base).map_err(Reason::Base)?;
            let target = base.join(text).map_err(Rejection::Whatwg)?;
            cells.push(target.as_str());
            Ok(())
        },
        keep: |text: &str, cells: &mut Text| cells.push(text),
    };
    binary(column, bases, options, &kernel)
}

fn write_target(reference: AnyRef<'_>, base: AnyRef<'_>, out: &mut String) -> Result<(), Reason> {
    let options = urikit::op::Options::default();
    let outcome = reference.resolve_into(base, options, out);
    outcome.map(drop).map_err(Reason::Resolve)
}
