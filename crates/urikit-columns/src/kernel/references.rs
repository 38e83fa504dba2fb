//! Functions that normalize, resolve and compare references, and that encode and decode
//! components.

use super::components::no_keep;
use crate::cells::{Cells as _, Text};
use crate::error::Reason;
use crate::run::{Kernel, binary, unary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit::op::{Equivalence, Level};
use urikit::percent::{EncodeError, Place, Reading};
use urikit::{AnyRef, Standard};
use urikit_audit::{Rejection, Whatwg};

/// Normalizes each reference to the given level, under the standard that the reader selects. With
/// `whatwg`, returns the URL as a browser writes it; this form has only one level.
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
/// See [`ColumnError`]. The reader must be a standard or `whatwg`; other readers have no normal
/// form.
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

/// Checks that a reader can resolve, normalize and compare. `whatwg` supports only the last level.
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

/// Resolves each reference against one base, under the standard that the reader selects, or under
/// `whatwg`.
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
/// [`ColumnError::Base`] if the base is not valid. See [`ColumnError`] for other errors.
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

/// Resolves each reference against the base in the same row of a second column.
///
/// The result is null where either column is null. A row with an invalid base is treated as
/// rejected.
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

/// Compares the two references of each row. Returns the first step in RFC 3986, 6.2 at which the
/// two references are equivalent: `identical`, `case`, `escapes`, `path` or `scheme`; otherwise
/// `different`.
///
/// The result is null where either reference is null or rejected. With `whatwg`, `scheme` means
/// that browsers write both references the same way.
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

/// Percent-encodes each string for a component of the standard that the reader selects, like
/// [`urikit::percent::encode`].
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit::percent::Place;
/// use urikit_columns::{Options, encode};
/// let data = StringArray::from(vec!["a b&c", "100%"]);
/// let written = encode(&data, Place::QueryValue, Options::new())?;
/// assert_eq!(written.as_string(), &StringArray::from(vec!["a%20b%26c", "100%25"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// [`ColumnError::NoSuchPlace`] if the standard does not define the component. See [`ColumnError`]
/// for other errors. A row is rejected only if it must be escaped and the component does not allow
/// escapes.
pub fn encode(
    column: &dyn Array,
    place: Place,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let standard = standard(options.reader, "encode")?;
    has(standard, place)?;
    let kernel = Kernel {
        new: Text::new,
        row: |data: &str, cells: &mut Text| {
            cells.push_with(|out| {
                let outcome =
                    urikit::percent::encode_into(data, place, standard, Reading::Data, out);
                outcome.map_err(Reason::Encode)
            })
        },
        keep: |text: &str, cells: &mut Text| cells.push(text),
    };
    unary(column, options, &kernel)
}

/// Decodes each component to UTF-8, as [`urikit::percent::decode`] does. In a query, a `+` is
/// decoded as a space under RFC 1630.
///
/// A row is rejected if a `%` does not begin an escape, or if the octets are not UTF-8.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit::percent::Place;
/// use urikit_columns::{Options, decode};
/// let written = StringArray::from(vec![Some("caf%C3%A9"), Some("%E9"), Some("100%")]);
/// let data = decode(&written, Place::Segment, Options::new())?;
/// assert_eq!(data.as_string(), &StringArray::from(vec![Some("café"), None, None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// [`ColumnError::NoSuchPlace`] if the standard does not define the component. See [`ColumnError`]
/// for other errors.
pub fn decode(
    column: &dyn Array,
    place: Place,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let standard = standard(options.reader, "decode")?;
    has(standard, place)?;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            let decoded = urikit::percent::decode(text, place, standard);
            let decoded = decoded.map_err(Reason::Decode)?;
            cells.push_octets(decoded.octets()).map_err(|_| {
                let error = decoded.decode_utf8().err();
                let offset = error.map_or(0, |error| error.offset);
                Reason::NotUtf8 { offset }
            })
        },
        keep: |text: &str, cells: &mut Text| cells.push(text),
    };
    unary(column, options, &kernel)
}

/// Returns the standard that the reader selects.
fn standard(reader: Reader, function: &'static str) -> Result<Standard, ColumnError> {
    match reader {
        Reader::Standard(standard) => Ok(standard),
        _ => Err(ColumnError::Reader { reader, function }),
    }
}

fn has(standard: Standard, place: Place) -> Result<(), ColumnError> {
    match urikit::percent::encode("", place, standard) {
        Err(error @ EncodeError::NoSuchPlace { .. }) => Err(ColumnError::NoSuchPlace(error)),
        _ => Ok(()),
    }
}
