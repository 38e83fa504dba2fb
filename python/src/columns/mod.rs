//! Receives Arrow columns through the PyCapsule interface, calls a kernel, and returns columns
//! through the same interface.

#[cfg(feature = "bench")]
pub(crate) mod bench;
mod capsule;
pub(crate) mod column;
pub(crate) mod kernel;

use arrow_schema::ArrowError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use urikit_columns::ColumnError;

pub(crate) fn invalid(error: ArrowError) -> PyErr {
    // Suggests the type to use if a result is too large.
    PyValueError::new_err(ColumnError::from(error).to_string())
}
