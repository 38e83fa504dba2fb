//! Calls the functions of `urikit-columns` on any object that Python passes as a column.

use super::column::{PyColumn, one};
use super::{capsule, invalid};
use crate::errors;
use crate::keys::{self, PySuffixList};
use crate::names::{self, named};
use crate::text::Text;
use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use urikit_columns::{self as columns, ColumnError, Decoding, OnError, Options, Reader, Reason};
use urikit_domains::List;
use urikit_keys::{Profile, Steps};

/// The type of `registrable_domain` and similar functions.
type Divide = fn(&dyn Array, &List, Options) -> Result<ArrayRef, ColumnError>;

/// A function of `urikit-columns`, with its arguments.
enum Function {
    /// A function of one column.
    One(fn(&dyn Array, Options) -> Result<ArrayRef, ColumnError>),
    QueryValue(String, Decoding),
    QueryValueEach(Decoding),
    QueryPairs(Decoding),
    PathSegments(Decoding),
    Normalize(urikit::op::Level),
    Key(urikit::op::Level),
    Encode(urikit::percent::Place),
    Decode(urikit::percent::Place),
    Resolve(String),
    Domain(Divide, List),
    Surt(Profile),
    Canonicalize(Steps),
    /// A kernel that accepts two columns, such as `QueryValueEach`.
    ResolveEach,
    Compare,
}

impl Function {
    /// Finds a kernel by its name. The arguments of the kernel are passed as strings.
    fn named(name: &str, arguments: &[Text<'_>], list: List) -> PyResult<Self> {
        let argument = |index: usize| {
            let missing = || PyTypeError::new_err(format!("{name} needs more arguments"));
            arguments
                .get(index)
                .map(|one| one.as_str())
                .ok_or_else(missing)
        };
        let decoding = |index: usize| named::<Decoding>(argument(index)?);
        Ok(match name {
            "parse" => Self::One(|column, options| Ok(Arc::new(columns::parse(column, options)?))),
            "scheme" => Self::One(|column, options| columns::scheme(column, options)),
            "authority" => Self::One(|column, options| columns::authority(column, options)),
            "userinfo" => Self::One(|column, options| columns::userinfo(column, options)),
            "host" => Self::One(|column, options| columns::host(column, options)),
            "host_kind" => Self::One(|column, options| columns::host_kind(column, options)),
            "port" => Self::One(|column, options| columns::port(column, options)),
            "port_number" => {
                Self::One(|column, options| Ok(Arc::new(columns::port_number(column, options)?)))
            }
            "path" => Self::One(|column, options| columns::path(column, options)),
            "path_query" => Self::One(|column, options| columns::path_query(column, options)),
            "query" => Self::One(|column, options| columns::query(column, options)),
            "fragment" => Self::One(|column, options| columns::fragment(column, options)),
            "reason" => Self::One(|column, options| columns::reason(column, options)),
            "diagnose" => {
                Self::One(|column, options| Ok(Arc::new(columns::diagnose(column, options)?)))
            }
            "agree" => {
                Self::One(|column, options| Ok(Arc::new(columns::agree(column, options.threads)?)))
            }
            "findings" => Self::One(|column, options| columns::findings(column, options.threads)),
            "query_value" => Self::QueryValue(argument(0)?.to_owned(), decoding(1)?),
            "query_value_each" => Self::QueryValueEach(decoding(0)?),
            "query_pairs" => Self::QueryPairs(decoding(0)?),
            "path_segments" => Self::PathSegments(decoding(0)?),
            "normalize" => Self::Normalize(names::level(argument(0)?)?),
            "key" => Self::Key(names::level(argument(0)?)?),
            "encode" => Self::Encode(names::place(argument(0)?)?),
            "decode" => Self::Decode(names::place(argument(0)?)?),
            "resolve" => Self::Resolve(argument(0)?.to_owned()),
            "registrable_domain" => Self::Domain(
                |column, list, options| columns::registrable_domain(column, list, options),
                list,
            ),
            "public_suffix" => Self::Domain(
                |column, list, options| columns::public_suffix(column, list, options),
                list,
            ),
            "subdomain" => Self::Domain(
                |column, list, options| columns::subdomain(column, list, options),
                list,
            ),
            "surt" => Self::Surt(named(argument(0)?)?),
            "canonicalize" => Self::Canonicalize(named(argument(0)?)?),
            "resolve_each" => Self::ResolveEach,
            "compare" => Self::Compare,
            other => return Err(PyValueError::new_err(format!("no function {other:?}"))),
        })
    }

    /// Calls the kernel on a chunk. `other` is the second column, for kernels that accept two.
    fn call(
        &self,
        column: &dyn Array,
        other: &dyn Array,
        options: Options,
    ) -> Result<ArrayRef, ColumnError> {
        match self {
            Self::One(kernel) => kernel(column, options),
            Self::QueryValue(name, decoding) => {
                columns::query_value(column, name, *decoding, options)
            }
            Self::QueryValueEach(decoding) => {
                columns::query_value_each(column, other, *decoding, options)
            }
            Self::QueryPairs(decoding) => columns::query_pairs(column, *decoding, options),
            Self::PathSegments(decoding) => columns::path_segments(column, *decoding, options),
            Self::Normalize(level) => columns::normalize(column, *level, options),
            Self::Key(level) => columns::key(column, *level, options),
            Self::Encode(place) => columns::encode(column, *place, options),
            Self::Decode(place) => columns::decode(column, *place, options),
            Self::Resolve(base) => columns::resolve(column, base, options),
            Self::Domain(divide, list) => divide(column, list, options),
            Self::Surt(profile) => {
                columns::surt(column, *profile, options.on_error, options.threads)
            }
            Self::Canonicalize(steps) => columns::canonicalize(column, *steps, options),
            Self::ResolveEach => columns::resolve_each(column, other, options),
            Self::Compare => columns::compare(column, other, options),
        }
    }
}

/// Calls a function of `urikit-columns` by its name, chunk by chunk and without the GIL. A signal
/// handler can end the call between chunks, and between parts of long chunks.
#[pyfunction]
#[pyo3(signature = (
    function, column, other, arguments, reader, on_error, threads, private = false, suffixes = None
))]
#[allow(clippy::too_many_arguments)] // keywords of the Python functions
pub(crate) fn apply(
    py: Python<'_>,
    function: &str,
    column: &Bound<'_, PyAny>,
    other: Option<&Bound<'_, PyAny>>,
    arguments: Vec<Bound<'_, PyString>>,
    reader: &str,
    on_error: &str,
    threads: usize,
    private: bool,
    suffixes: Option<&Bound<'_, PySuffixList>>,
) -> PyResult<PyColumn> {
    let arguments = arguments.iter().map(|one| one.extract::<Text<'_>>());
    let arguments = arguments.collect::<PyResult<Vec<_>>>()?;
    let function = Function::named(function, &arguments, keys::list(suffixes, private))?;
    let options = Options::new()
        .reader(named::<Reader>(reader)?)
        .on_error(named::<OnError>(on_error)?)
        .threads(threads);
    let mut left = chunks(column)?;
    let mut right = None;
    if let Some(other) = other {
        // The two columns may be split into chunks at different rows.
        left = vec![one(py, &left)?];
        right = Some(one(py, &chunks(other)?)?);
    }
    let mut first_row = 0;
    let mut results = Vec::with_capacity(left.len());
    for (chunk, other) in pieces(left, right, threads) {
        py.check_signals()?;
        let other = &other;
        let result = py.detach(|| function.call(&chunk, other, options));
        let base = match &function {
            Function::Resolve(base) => Base::All(base),
            _ => Base::Each(other),
        };
        results.push(result.map_err(|error| raise(py, &error, first_row, &chunk, base))?);
        first_row += chunk.len();
    }
    Ok(PyColumn::new(results))
}

/// The number of rows that each thread reads before the call looks for signals such as `SIGINT`.
// An audit of this many rows takes more than a second, which delays an interrupt. The fastest
// functions take a few milliseconds, so starting the threads must not happen more often.
const ROWS_PER_THREAD: usize = 1 << 18;

/// Divides long chunks. The second array of each pair is a part of the second column if there is
/// one, and otherwise the same array as the first.
fn pieces(
    left: Vec<ArrayRef>,
    right: Option<ArrayRef>,
    threads: usize,
) -> Vec<(ArrayRef, ArrayRef)> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let rows = threads.saturating_mul(ROWS_PER_THREAD);
    let mut pieces = Vec::with_capacity(left.len());
    for chunk in left {
        let other = right.as_ref().unwrap_or(&chunk);
        // The values of a dictionary are read once, however many rows refer to them. If the lengths
        // differ, the function returns an error.
        let is_dictionary =
            |array: &ArrayRef| matches!(array.data_type(), DataType::Dictionary(..));
        if chunk.len() <= rows
            || chunk.len() != other.len()
            || is_dictionary(&chunk)
            || is_dictionary(other)
        {
            pieces.push((Arc::clone(&chunk), Arc::clone(other)));
            continue;
        }
        for first in (0..chunk.len()).step_by(rows) {
            let length = rows.min(chunk.len() - first);
            pieces.push((chunk.slice(first, length), other.slice(first, length)));
        }
    }
    pieces
}

/// The base of all rows, or a column of bases.
enum Base<'a> {
    All(&'a str),
    Each(&'a ArrayRef),
}

/// Returns the Python error. The row number in the error refers to the complete column.
fn raise(
    py: Python<'_>,
    error: &ColumnError,
    first_row: usize,
    chunk: &ArrayRef,
    base: Base<'_>,
) -> PyErr {
    match (error, base) {
        (ColumnError::NotText(_), _) => PyTypeError::new_err(error.to_string()),
        (ColumnError::Row { row, reason }, base) => {
            let column = match (reason, base) {
                (Reason::Base(_), Base::Each(bases)) => bases,
                _ => chunk,
            };
            errors::row(py, first_row + row, reason, text(column, *row).as_deref())
        }
        (ColumnError::Base(reason), Base::All(base)) => {
            errors::column_base(py, error.to_string(), reason, base)
        }
        (other, _) => PyValueError::new_err(other.to_string()),
    }
}

/// Returns the chunks of a column. A table with a single column is treated as that column.
pub(super) fn chunks(value: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if let Ok(column) = value.cast::<PyColumn>() {
        return Ok(column.get().chunks().to_vec());
    }
    let arrays = if value.hasattr("__arrow_c_stream__")? {
        let capsule = value.call_method0("__arrow_c_stream__")?;
        let (arrays, field) = capsule::import_stream(value.py(), &capsule)?;
        if arrays.is_empty() {
            vec![arrow_array::new_empty_array(field.data_type())]
        } else {
            arrays
        }
    } else if value.hasattr("__arrow_c_array__")? {
        vec![capsule::import_array(
            &value.call_method0("__arrow_c_array__")?,
        )?]
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        vec![Arc::new(strings(value)?) as ArrayRef]
    } else {
        let name = value.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a column with the Arrow PyCapsule interface (__arrow_c_stream__ or \
             __arrow_c_array__) or a list of strings, but found {name}"
        )));
    };
    arrays.into_iter().map(only_column).collect()
}

/// Converts a list of strings to an array.
fn strings(rows: &Bound<'_, PyAny>) -> PyResult<StringArray> {
    let mut array = StringBuilder::new();
    let mut bytes = 0;
    for (row, value) in rows.try_iter()?.enumerate() {
        let value = value?;
        if value.is_none() {
            array.append_null();
            continue;
        }
        let Ok(text) = value.cast::<PyString>() else {
            let name = value.get_type().fully_qualified_name()?;
            let message = format!("expected a string or None in row {row}, but found {name}");
            return Err(PyTypeError::new_err(message));
        };
        match text.to_str() {
            Ok(utf8) => {
                bytes += utf8.len();
                // Appending would panic if the offset did not fit.
                if i32::try_from(bytes).is_err() {
                    return Err(invalid(ArrowError::OffsetOverflowError(bytes)));
                }
                array.append_value(utf8);
            }
            Err(error) => return Err(errors::surrogate_in_row(text, &error, row)),
        }
    }
    Ok(array.finish())
}

fn only_column(array: ArrayRef) -> PyResult<ArrayRef> {
    match array.data_type() {
        DataType::Struct(fields) if fields.len() == 1 && array.null_count() == 0 => {
            Ok(Arc::clone(array.as_struct().column(0)))
        }
        DataType::Struct(fields) => Err(PyTypeError::new_err(format!(
            "expected one column, but found a table of {} columns: select one",
            fields.len()
        ))),
        _ => Ok(array),
    }
}

/// Returns the text of a row, in which the caller looks up the character at an offset.
pub(super) fn text(chunk: &ArrayRef, row: usize) -> Option<String> {
    let text = match chunk.data_type() {
        DataType::Utf8 => chunk.as_string::<i32>().value(row),
        DataType::LargeUtf8 => chunk.as_string::<i64>().value(row),
        DataType::Utf8View => chunk.as_string_view().value(row),
        DataType::Dictionary(..) => {
            let row = chunk.slice(row, 1);
            let dictionary = row.as_any_dictionary_opt()?;
            // `normalized_keys` needs at least one value.
            if dictionary.values().is_empty() {
                return None;
            }
            let value = *dictionary.normalized_keys().first()?;
            return text(dictionary.values(), value);
        }
        _ => return None,
    };
    Some(text.to_owned())
}
