//! A column of Arrow arrays as a Python class, and its rows as Python objects.

use super::{capsule, invalid};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array as _, ArrayRef, LargeStringArray, StringArray, StringViewArray, StructArray, make_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PyString, PyTuple};
use std::sync::Arc;

/// A column of results, in one chunk or several. Columns are immutable.
///
/// Every library that supports the Arrow PyCapsule interface accepts such a column:
/// ``pyarrow.array(column)``, ``polars.Series(column)``, ``pandas.Series.from_arrow(column)``. The
/// functions of ``urikit.columns`` accept it too.
///
/// >>> from urikit import columns
/// >>> column = columns.host(["http://example.com/", "http://a b/", None])
/// >>> column
/// Column(Utf8, rows=3, nulls=2)
/// >>> column.to_pylist()
/// ['example.com', None, None]
#[pyclass(frozen, module = "urikit.columns", name = "Column")]
pub(crate) struct PyColumn {
    /// One or more chunks, all of the same type.
    chunks: Vec<ArrayRef>,
}

impl PyColumn {
    /// INVARIANT: `chunks` contains at least one chunk, and all chunks have the same type.
    pub(crate) const fn new(chunks: Vec<ArrayRef>) -> Self {
        Self { chunks }
    }

    pub(super) fn chunks(&self) -> &[ArrayRef] {
        &self.chunks
    }

    fn field_named(&self, name: &str) -> PyResult<Self> {
        let missing = || PyKeyError::new_err(name.to_owned());
        let chunks = self.chunks.iter().map(|chunk| {
            let structs = chunk.as_struct_opt().ok_or_else(missing)?;
            let child = structs.column_by_name(name).ok_or_else(missing)?;
            with_nulls(child, structs.nulls()).map_err(invalid)
        });
        Ok(Self::new(chunks.collect::<PyResult<_>>()?))
    }

    /// Converts the column to the type that a consumer requests, if both types are string types.
    fn requested(&self, schema: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(schema) = schema.filter(|schema| !schema.is_none()) else {
            return Ok(Self::new(self.chunks.clone()));
        };
        let wanted = capsule::data_type(schema)?;
        let chunks = self.chunks.iter().map(|chunk| strings(chunk, &wanted));
        let chunks = chunks.collect::<Result<_, _>>();
        Ok(Self::new(chunks.map_err(invalid)?))
    }

    fn field(&self) -> Field {
        let first = self.chunks.first();
        let data_type = first.map_or(arrow_schema::DataType::Null, |one| one.data_type().clone());
        Field::new("", data_type, true)
    }
}

#[pymethods]
impl PyColumn {
    /// The name of the type in Arrow, such as ``'Utf8'``.
    #[getter]
    fn type_name(&self) -> String {
        self.field().data_type().to_string()
    }

    /// The number of null rows.
    ///
    /// >>> from urikit import columns
    /// >>> columns.host(["http://a/", None]).null_count
    /// 1
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    /// Returns the rows as Python objects, without using any other library: strings, numbers,
    /// ``None``, a dictionary for each struct, and lists.
    ///
    /// >>> from urikit import columns
    /// >>> columns.diagnose(["http://a/|"]).to_pylist()[0]["offset"]
    /// 9
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in &self.chunks {
            for row in 0..chunk.len() {
                list.append(value(py, chunk, row)?)?;
            }
        }
        Ok(list)
    }

    /// Returns a row by its number, or a field of a struct column by its name. The fields of a null
    /// struct are null.
    ///
    /// >>> from urikit import columns
    /// >>> column = columns.parse(["http://a/x", "http://b/y"])
    /// >>> column["host"][-1]
    /// 'b'
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(name) = key.cast::<PyString>() {
            return self.field_named(name.to_str()?)?.into_py_any(py);
        }
        let index: isize = key.extract()?;
        let length = self.__len__();
        let row = if index < 0 {
            length.checked_sub(index.unsigned_abs())
        } else {
            Some(index.unsigned_abs())
        };
        let mut row = row
            .filter(|row| *row < length)
            .ok_or_else(|| PyIndexError::new_err(format!("row {index} of {length}")))?;
        for chunk in &self.chunks {
            if row < chunk.len() {
                return value(py, chunk, row);
            }
            row -= chunk.len();
        }
        Ok(py.None()) // not reached: the row is within the length
    }

    /// Iterates over the rows as Python objects.
    ///
    /// >>> from urikit import columns
    /// >>> list(columns.host(["http://a/", None]))
    /// ['a', None]
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    /// Returns a struct column in which null structs are replaced with structs of nulls. Libraries
    /// can convert such a column to a table, which cannot have null rows:
    /// ``pyarrow.table(column.unnest())``.
    ///
    /// >>> from urikit import columns
    /// >>> parts = columns.parse(["http://a/x", "|"])
    /// >>> parts.null_count, parts.unnest().null_count
    /// (1, 0)
    fn unnest(&self) -> PyResult<Self> {
        let chunks = self.chunks.iter().map(|chunk| {
            let structs = chunk.as_struct_opt().ok_or_else(|| {
                PyTypeError::new_err(format!("expected structs, but found {}", self.type_name()))
            })?;
            let fields = structs.columns().iter();
            let fields = fields.map(|child| with_nulls(child, structs.nulls()));
            let fields = fields.collect::<Result<Vec<_>, _>>().map_err(invalid)?;
            let table = StructArray::try_new_with_length(
                structs.fields().clone(),
                fields,
                None,
                structs.len(),
            );
            Ok(Arc::new(table.map_err(invalid)?) as ArrayRef)
        });
        Ok(Self::new(chunks.collect::<PyResult<_>>()?))
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let (rows, nulls) = (self.__len__(), self.null_count());
        format!("Column({}, rows={rows}, nulls={nulls})", self.type_name())
    }

    /// Returns the column's type as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.field())
    }

    /// Returns the column as one array, in capsules. If there are several chunks, they are copied
    /// into one. If the requested schema is another string type, the column is converted to that
    /// type; any other schema is ignored.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let this = self.requested(requested_schema)?;
        capsule::export_array(py, &one(py, &this.chunks)?)
    }

    /// Returns the column as a stream of its chunks, in a capsule. Nothing is copied unless the
    /// requested schema is another string type.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let this = self.requested(requested_schema)?;
        let field = this.field();
        capsule::export_stream(py, this.chunks, field)
    }
}

/// Returns a field of a struct column, which is also null wherever the struct is null.
fn with_nulls(child: &ArrayRef, nulls: Option<&NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let nulls = NullBuffer::union(nulls, child.nulls());
    Ok(make_array(
        child.to_data().into_builder().nulls(nulls).build()?,
    ))
}

/// Converts strings to another of the three string types. Returns other arrays unchanged.
fn strings(array: &ArrayRef, wanted: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == wanted {
        return Ok(Arc::clone(array));
    }
    match array.data_type() {
        DataType::Utf8 => collected(array, array.as_string::<i32>().iter(), wanted),
        DataType::LargeUtf8 => collected(array, array.as_string::<i64>().iter(), wanted),
        DataType::Utf8View => collected(array, array.as_string_view().iter(), wanted),
        _ => Ok(Arc::clone(array)),
    }
}

fn collected<'a>(
    array: &ArrayRef,
    rows: impl Iterator<Item = Option<&'a str>> + Clone,
    wanted: &DataType,
) -> Result<ArrayRef, ArrowError> {
    Ok(match wanted {
        DataType::Utf8 => {
            let bytes = rows.clone().flatten().map(str::len).sum();
            // Collecting would panic if the offsets did not fit.
            if i32::try_from(bytes).is_err() {
                return Err(ArrowError::OffsetOverflowError(bytes));
            }
            Arc::new(rows.collect::<StringArray>())
        }
        DataType::LargeUtf8 => Arc::new(rows.collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(rows.collect::<StringViewArray>()),
        _ => Arc::clone(array),
    })
}

/// Returns the chunks as one array.
pub(super) fn one(py: Python<'_>, chunks: &[ArrayRef]) -> PyResult<ArrayRef> {
    if let [only] = chunks {
        return Ok(only.clone());
    }
    let arrays: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
    py.detach(|| arrow_select::concat::concat(&arrays))
        .map_err(invalid)
}

/// Converts one row to a Python object. Supports all types that kernels return.
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
