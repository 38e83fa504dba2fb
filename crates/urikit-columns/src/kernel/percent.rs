//! Percent-encoding: columns of data to text for a component, and back.

use crate::cells::Text;
use crate::error::Reason;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options, Reader};
use arrow_array::{Array, ArrayRef};
use urikit::Standard;
use urikit::percent::{EncodeError, Place, Reading};

/// Data, encoded for a component of the standard that is the reader: what is not literal there
/// becomes escapes ([`urikit::percent::encode`]).
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
/// [`ColumnError::NoSuchPlace`] if the standard does not have the component; otherwise see
/// [`ColumnError`]. A row is rejected only where the component allows no escapes.
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

/// The data that a component of the standard encodes ([`urikit::percent::decode`]), as UTF-8. In a
/// query of RFC 1630 a `+` is a space. A row is rejected if a `%` begins no escape, or if the octets
/// are not UTF-8.
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
/// [`ColumnError::NoSuchPlace`] if the standard does not have the component; otherwise see
/// [`ColumnError`].
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
                let error = decoded.to_utf8().err();
                let offset = error.map_or(0, |error| error.offset);
                Reason::NotUtf8 { offset }
            })
        },
        keep: |text: &str, cells: &mut Text| cells.push(text),
    };
    unary(column, options, &kernel)
}

/// The reader, if it is a standard.
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
