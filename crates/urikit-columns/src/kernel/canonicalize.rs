//! Named steps of canonicalization.

use super::normalize::is_able;
use crate::cells::{Text, With};
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit_audit::Whatwg;
use urikit_keys::{Canonicalizer, Steps};

/// Each reference after these steps ([`Steps`]); none is applied that is not named. With `whatwg`,
/// the URL as a browser writes it, and then the steps.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, canonicalize, urikit_keys::Steps};
/// let urls = StringArray::from(vec!["http://a/?z&utm_source=x&b#top"]);
/// let steps: Steps = "strip-tracking,sort-query".parse().unwrap();
/// let urls = canonicalize(&urls, steps, Options::new())?;
/// assert_eq!(urls.as_string(), &StringArray::from(vec!["http://a/?b&z#top"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`]; the reader has to be a standard, or `whatwg`.
pub fn canonicalize(
    column: &dyn Array,
    steps: Steps,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    type Canonical = With<Text, Canonicalizer>;
    let options = options.into();
    is_able(options.reader, None, "canonicalize")?;
    let kernel = Kernel {
        new: |rows| Canonical {
            cells: Text::new(rows),
            memory: Canonicalizer::new(steps),
        },
        row: |text: &str, to: &mut Canonical| {
            let canonicalizer = &mut to.memory;
            if let Reader::Standard(standard) = options.reader {
                let reference = standard.parse(text)?;
                return to.cells.push_with(|out| {
                    canonicalizer.write(reference, out);
                    Ok(())
                });
            }
            let url = Whatwg.parse(text)?;
            to.cells.push_with(|out| {
                canonicalizer.write_split(url.as_str(), out);
                Ok(())
            })
        },
        keep: |text: &str, to: &mut Canonical| to.cells.push(text),
    };
    unary(column, options, &kernel)
}
