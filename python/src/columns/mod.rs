//! Takes Arrow columns by the PyCapsule interface, calls a kernel, and returns columns by the same
//! interface.

#[cfg(feature = "bench")]
pub(crate) mod bench;
mod capsule;
pub(crate) mod column;
pub(crate) mod kernel;

use arrow_schema::ArrowError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

fn invalid(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
