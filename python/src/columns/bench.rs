//! For benchmarks: returns the hosts of a column, parsed with the `url` crate, through the same
//! interface.

use super::column::PyColumn;
use super::invalid;
use super::kernel::chunks;
use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, StringArray};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use std::sync::Arc;

#[pyfunction]
pub(crate) fn url_crate_host(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
    let chunks = chunks(column)?;
    let hosts = py.detach(|| chunks.iter().map(hosts).collect::<Result<Vec<_>, _>>());
    Ok(PyColumn::new(hosts.map_err(invalid)?))
}

fn hosts(chunk: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let texts: &StringArray = chunk
        .as_string_opt()
        .ok_or_else(|| ArrowError::InvalidArgumentError("expected Utf8".to_owned()))?;
    let mut hosts = StringBuilder::with_capacity(texts.len(), texts.len() * 16);
    for text in texts {
        let url = text.and_then(|text| url::Url::parse(text).ok());
        hosts.append_option(url.as_ref().and_then(url::Url::host_str));
    }
    Ok(Arc::new(hosts.finish()))
}
