//! Rows as Python objects.

use super::invalid;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The types that kernels give.
pub(super) fn value(py: Python<'_>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(row) {
        return Ok(py.None());
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_py_any(py),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_py_any(py),
        DataType::Utf8View => array.as_string_view().value(row).into_py_any(py),
        DataType::Boolean => array.as_boolean().value(row).into_py_any(py),
        DataType::Int32 => number::<Int32Type>(py, array, row),
        DataType::UInt64 => number::<UInt64Type>(py, array, row),
        DataType::Int64 => number::<Int64Type>(py, array, row),
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), value(py, column, row)?)?;
            }
            dict.into_py_any(py)
        }
        DataType::List(_) => list(py, &array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(py, &array.as_list::<i64>().value(row)),
        other => Err(invalid(ArrowError::NotYetImplemented(format!(
            "to_pylist of {other}"
        )))),
    }
}

fn list(py: Python<'_>, items: &ArrayRef) -> PyResult<Py<PyAny>> {
    let list = PyList::empty(py);
    for item in 0..items.len() {
        list.append(value(py, items, item)?)?;
    }
    list.into_py_any(py)
}

fn number<'py, T>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>>
where
    T: ArrowPrimitiveType,
    T::Native: IntoPyObject<'py>,
{
    array.as_primitive::<T>().value(row).into_py_any(py)
}
