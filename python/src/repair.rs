//! The lenient parser, under its own name.

use crate::errors;
use crate::reference::PyReference;
use pyo3::prelude::*;
use urikit::AnyRefBuf;

/// The reference, and each change: its offset in bytes, what was found, and what it became.
type Repaired = (PyReference, Vec<(usize, String, String)>);

#[pyfunction]
pub(crate) fn repair(py: Python<'_>, text: &str) -> PyResult<Repaired> {
    let repaired = py
        .detach(|| urikit::repair(text))
        .map_err(|error| errors::repair(py, &error, text))?;
    let changes = repaired.changes.into_iter();
    let changes = changes.map(|one| (one.offset, one.found, one.became));
    let reference = AnyRefBuf::from(repaired.reference);
    Ok((reference.into(), changes.collect()))
}
