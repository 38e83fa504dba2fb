//! Arrow's C data interface in PyCapsules. Only this file contains `unsafe` code.
//!
//! See <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>. A capsule
//! owns its structure until a consumer moves the structure out of the capsule and marks the capsule
//! as released. Pointers cannot be checked, so we trust the producer of a capsule to fill the
//! structure as the interface requires. We do check that text is UTF-8 and that offsets are within
//! the text.

#![allow(unsafe_code)]

use super::invalid;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array as _, ArrayReader as _, ArrayRef, NullArray, make_array};
use arrow_data::ArrayData;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Arc;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";
/// The error number `EINVAL`, which streams return because their errors are `errno` values.
const INVALID: c_int = 22;

/// Imports an array from the result of `__arrow_c_array__`.
pub(super) fn import_array(capsules: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema
        .pointer_checked(Some(SCHEMA))?
        .cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules with these names contain these structures (PyCapsule interface), and nobody
    // else reads or writes them while we hold the GIL. `from_raw` moves both structures out of
    // their capsules, and marks the capsules as released.
    let (schema, array) = unsafe {
        (
            FFI_ArrowSchema::from_raw(schema.as_ptr()),
            FFI_ArrowArray::from_raw(array.as_ptr()),
        )
    };
    if schema.release().is_none() || array.is_released() {
        return Err(PyTypeError::new_err("the capsule has already been used"));
    }
    // SAFETY: the producer filled both structures as the interface requires, and the schema
    // describes the array.
    let data = unsafe { from_ffi(array, &schema) }.map_err(invalid)?;
    checked(data).map_err(invalid)
}

/// Imports the arrays and the field from the result of `__arrow_c_stream__`.
pub(super) fn import_stream(
    py: Python<'_>,
    capsule: &Bound<'_, PyAny>,
) -> PyResult<(Vec<ArrayRef>, Field)> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = capsule
        .pointer_checked(Some(STREAM))?
        .cast::<FFI_ArrowArrayStream>();
    // SAFETY: as in `import_array`.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    if stream.release().is_none() || stream.get_next().is_none() {
        return Err(PyTypeError::new_err("the capsule has already been used"));
    }
    // The producer may need the GIL in another thread, so we release it.
    py.detach(|| {
        let (mut stream, field) = schema(stream)?;
        if is_null(field.data_type()) {
            let rows = lengths(&mut stream)?.into_iter();
            let arrays = rows.map(|rows| Arc::new(NullArray::new(rows)) as ArrayRef);
            return Ok((arrays.collect(), Field::new("", DataType::Null, true)));
        }
        let reader = ArrayStreamReader::try_new(stream)?;
        let field = reader.field().as_ref().clone();
        let arrays = reader.map(|array| checked(array?.to_data()));
        Ok((arrays.collect::<Result<_, _>>()?, field))
    })
    .map_err(invalid)
}

/// Reads the type of a stream.
fn schema(mut stream: FFI_ArrowArrayStream) -> Result<(FFI_ArrowArrayStream, Field), ArrowError> {
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream has not been released, and it fills the schema as the interface requires.
    let code = stream
        .get_schema()
        .map(|get| unsafe { get(&raw mut stream, &raw mut schema) });
    if code != Some(0) {
        let message = format!(
            "the stream has no schema (error {})",
            code.unwrap_or(INVALID)
        );
        return Err(ArrowError::CDataInterface(message));
    }
    let field = Field::try_from(&schema)?;
    Ok((stream, field))
}

/// Returns true if a column, or the only column of a table, has the type Null.
///
/// For this type, Polars exports a buffer that Arrow's format does not define and that
/// `arrow-array` rejects. Null rows have no content, so it is enough to know how many there are.
fn is_null(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null => true,
        DataType::Struct(fields) => {
            matches!(&**fields, [only] if *only.data_type() == DataType::Null)
        }
        _ => false,
    }
}

/// Reads the lengths of the arrays in a stream.
fn lengths(stream: &mut FFI_ArrowArrayStream) -> Result<Vec<usize>, ArrowError> {
    let mut lengths = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream has not been released, and it fills the array as the interface
        // requires.
        let code = stream
            .get_next()
            .map(|get| unsafe { get(&raw mut *stream, &raw mut array) });
        if code != Some(0) {
            let message = format!("the stream ends with error {}", code.unwrap_or(INVALID));
            return Err(ArrowError::CDataInterface(message));
        }
        if array.is_released() {
            return Ok(lengths);
        }
        lengths.push(array.len());
    }
}

/// Returns the array if its buffers are valid for its type: offsets are within the text, and the
/// text is UTF-8.
fn checked(mut data: ArrayData) -> Result<ArrayRef, ArrowError> {
    data.align_buffers();
    data.validate_full()?;
    Ok(make_array(data))
}

/// Reads the type that a consumer requests, from a capsule with a schema. The capsule still belongs
/// to the consumer.
pub(super) fn data_type(schema: &Bound<'_, PyAny>) -> PyResult<DataType> {
    let schema = schema
        .cast::<PyCapsule>()?
        .pointer_checked(Some(SCHEMA))?
        .cast::<FFI_ArrowSchema>();
    // SAFETY: a capsule with this name contains a schema, which lives as long as the capsule, and
    // nobody modifies it while we hold the GIL.
    let schema = unsafe { schema.as_ref() };
    if schema.release().is_none() {
        return Err(PyTypeError::new_err("the capsule has already been used"));
    }
    DataType::try_from(schema).map_err(invalid)
}

/// Creates the result of `__arrow_c_schema__`.
pub(super) fn export_schema<'py>(
    py: Python<'py>,
    field: &Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(invalid)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Creates the result of `__arrow_c_array__`.
pub(super) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyTuple>> {
    // The schema that `to_ffi` returns would declare that the column has no nulls.
    let schema = export_schema(py, &Field::new("", array.data_type().clone(), true))?;
    let (array, _) = to_ffi(&array.to_data()).map_err(invalid)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// Creates the result of `__arrow_c_stream__`, which is a stream of the chunks.
pub(super) fn export_stream(
    py: Python<'_>,
    chunks: Vec<ArrayRef>,
    field: Field,
) -> PyResult<Bound<'_, PyCapsule>> {
    let state = Box::new(Chunks {
        rest: chunks.into_iter(),
        field,
        error: None,
    });
    let state = Box::into_raw(state).cast::<c_void>();
    let (schema, next, error) = (
        Some(get_schema as _),
        Some(get_next as _),
        Some(get_error as _),
    );
    // SAFETY: the callbacks take a pointer to this structure and read its private data as `Chunks`;
    // `release` frees the data, and only once.
    let stream =
        unsafe { FFI_ArrowArrayStream::new_unchecked(schema, next, error, Some(release), state) };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The private data of an exported stream.
struct Chunks {
    rest: std::vec::IntoIter<ArrayRef>,
    field: Field,
    error: Option<CString>,
}

impl Chunks {
    /// Returns the private data of a stream.
    ///
    /// # Safety
    ///
    /// `stream` points to a stream that `export_stream` made and that has not been released; nobody
    /// else uses the stream during the call (C stream interface).
    unsafe fn of<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Self {
        // SAFETY: the private data is the box that `export_stream` made.
        unsafe { &mut *(*stream).private_data().cast::<Self>() }
    }

    /// Writes a structure to memory that the consumer provides.
    ///
    /// # Safety
    ///
    /// `out` points to memory for a value of type `T`, which may be uninitialized.
    unsafe fn give<T>(&mut self, made: Result<T, ArrowError>, out: *mut T) -> c_int {
        match made {
            Ok(value) => {
                // SAFETY: by this function's contract, `out` points to memory for a `T`.
                unsafe { out.write(value) };
                0
            }
            Err(error) => {
                self.error = CString::new(error.to_string().replace('\0', " ")).ok();
                INVALID
            }
        }
    }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: the consumer calls this function with a stream that has not been released, and with
    // memory for a schema.
    unsafe {
        let chunks = Chunks::of(stream);
        let schema = FFI_ArrowSchema::try_from(&chunks.field);
        chunks.give(schema, out)
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: the consumer calls this function with a stream that has not been released, and with
    // memory for an array.
    unsafe {
        let chunks = Chunks::of(stream);
        let next = match chunks.rest.next() {
            Some(chunk) => to_ffi(&chunk.to_data()).map(|(array, _)| array),
            None => Ok(FFI_ArrowArray::empty()), // the end
        };
        chunks.give(next, out)
    }
}

unsafe extern "C" fn get_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: the consumer calls this function with a stream that has not been released.
    let chunks = unsafe { Chunks::of(stream) };
    chunks
        .error
        .as_deref()
        .map_or(std::ptr::null(), CStr::as_ptr)
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer calls this function once, with a stream that `export_stream` made. The
    // function takes the box back and marks the stream as released.
    unsafe {
        drop(Box::from_raw((*stream).private_data().cast::<Chunks>()));
        (*stream).set_private_data(std::ptr::null_mut());
        (*stream).set_release(None);
    }
}
