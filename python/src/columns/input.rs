//! What a column is made of: anything with the PyCapsule interface, or a list of strings.

use super::capsule;
use super::column::PyColumn;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, StringArray};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;

/// The chunks of a column. A table with one column is that column.
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
        let texts: Vec<Option<String>> = value.extract()?;
        vec![Arc::new(StringArray::from(texts)) as ArrayRef]
    } else {
        let name = value.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a column with the Arrow PyCapsule interface (__arrow_c_stream__ or \
             __arrow_c_array__) or a list of strings, but found {name}"
        )));
    };
    arrays.into_iter().map(only_column).collect()
}

fn only_column(array: ArrayRef) -> PyResult<ArrayRef> {
    match array.data_type() {
        DataType::Struct(fields) if fields.len() == 1 && array.null_count() == 0 => {
            Ok(Arc::clone(array.as_struct().column(0)))
        }
        DataType::Struct(fields) => Err(PyTypeError::new_err(format!(
            "expected one column, but found a table of {}: select one",
            fields.len()
        ))),
        _ => Ok(array),
    }
}

/// The text of a row, to find the character at an offset.
pub(super) fn text(chunk: &ArrayRef, row: usize) -> Option<String> {
    let text = match chunk.data_type() {
        DataType::Utf8 => chunk.as_string::<i32>().value(row),
        DataType::LargeUtf8 => chunk.as_string::<i64>().value(row),
        DataType::Utf8View => chunk.as_string_view().value(row),
        _ => return None,
    };
    Some(text.to_owned())
}
