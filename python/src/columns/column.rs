//! A column of Arrow arrays as a Python class, and its rows as Python objects.

use super::{capsule, invalid};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

/// A column of results, in one chunk or several. It cannot be changed.
///
/// Every library with the Arrow PyCapsule interface takes it: ``pyarrow.array(column)``,
/// ``polars.Series(column)``, ``pandas.Series.from_arrow(column)``. So do the functions of
/// ``urikit.columns``.
///
/// >>> from urikit import columns
/// >>> column = columns.host(["http://example.com/", "http://a b/", None])
/// >>> column
/// Column(Utf8, rows=3, nulls=2)
/// >>> column.to_pylist()
/// ['example.com', None, None]
#[pyclass(frozen, module = "urikit.columns", name = "Column")]
pub(crate) struct PyColumn {
    /// At least one chunk. All have the same type.
    chunks: Vec<ArrayRef>,
}

impl PyColumn {
    /// INVARIANT: there is at least one chunk, and all have the same type.
    pub(super) const fn new(chunks: Vec<ArrayRef>) -> Self {
        Self { chunks }
    }

    pub(super) fn chunks(&self) -> &[ArrayRef] {
        &self.chunks
    }

    fn field(&self) -> Field {
        let first = self.chunks.first();
        let data_type = first.map_or(arrow_schema::DataType::Null, |one| one.data_type().clone());
        Field::new("", data_type, true)
    }
}

#[pymethods]
impl PyColumn {
    /// The type in Arrow's words, such as ``'Utf8'``.
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

    /// Returns the rows as Python objects, without any other library: strings, numbers, ``None``, a
    /// dictionary for each struct, and lists.
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

    /// A field of a column of structs. Null structs have null fields.
    fn __getitem__(&self, name: &str) -> PyResult<Self> {
        let field = |chunk: &ArrayRef| {
            let structs = chunk.as_struct_opt()?;
            let child = structs.column_by_name(name)?;
            let nulls = NullBuffer::union(structs.nulls(), child.nulls());
            Some(child.to_data().into_builder().nulls(nulls))
        };
        let missing = || PyKeyError::new_err(name.to_owned());
        let chunks = self.chunks.iter().map(|chunk| {
            let data = field(chunk).ok_or_else(missing)?.build().map_err(invalid)?;
            Ok(make_array(data))
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

    /// The type, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.field())
    }

    /// The column as one array, as capsules; several chunks are copied into one.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // a consumer has to take what there is
        capsule::export_array(py, &one(py, &self.chunks)?)
    }

    /// The column as a stream of its chunks, as a capsule. Nothing is copied.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsule::export_stream(py, self.chunks.clone(), self.field())
    }
}

/// The chunks as one array.
pub(super) fn one(py: Python<'_>, chunks: &[ArrayRef]) -> PyResult<ArrayRef> {
    if let [only] = chunks {
        return Ok(only.clone());
    }
    let arrays: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
    py.detach(|| arrow_select::concat::concat(&arrays))
        .map_err(invalid)
}

/// Converts one row to a Python object. Covers the types that kernels return.
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
