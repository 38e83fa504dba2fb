//! Parses the names of standards, readers and levels, and exports them all as tuples.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::str::FromStr;
use urikit::op::Level;
use urikit::percent::Place;
use urikit::{Standard, UnknownName};
use urikit_audit::{Code, READERS, Reader, VOTERS};
use urikit_extract::document::Format;

/// Looks up a name. If the name does not exist, the `ValueError` lists the valid names.
pub(crate) fn named<T: FromStr>(name: &str) -> PyResult<T>
where
    T::Err: std::fmt::Display,
{
    name.parse()
        .map_err(|error: T::Err| PyValueError::new_err(format!("{error}, but found {name:?}")))
}

pub(crate) fn standard(name: &str) -> PyResult<Standard> {
    name.parse()
        .map_err(|error: UnknownName| PyValueError::new_err(error.to_string()))
}

/// Returns the error for the name of a standard in `parse`, which also accepts `whatwg`.
pub(crate) fn unknown_standard(name: &str) -> PyErr {
    let names = Standard::ALL.map(Standard::name).join(", ");
    PyValueError::new_err(format!(
        "expected one of {names}, whatwg, but found {name:?}"
    ))
}

pub(crate) fn level(name: &str) -> PyResult<Level> {
    named(name)
}

pub(crate) fn place(name: &str) -> PyResult<Place> {
    named(name)
}

pub(crate) fn format(name: &str) -> PyResult<Format> {
    named(name)
}

pub(crate) fn reader(name: &str) -> PyResult<&'static dyn Reader> {
    let found = READERS.into_iter().find(|reader| reader.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = READERS.iter().map(|reader| reader.name()).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("expected one of {names}, but found {name:?}"))
    })
}

/// Adds the constants to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let tuple = |names: Vec<&'static str>| PyTuple::new(py, names);
    module.add(
        "STANDARDS",
        tuple(Standard::ALL.iter().map(|one| one.name()).collect())?,
    )?;
    module.add(
        "READERS",
        tuple(READERS.iter().map(|one| one.name()).collect())?,
    )?;
    module.add(
        "VOTERS",
        tuple(VOTERS.iter().map(|one| one.name()).collect())?,
    )?;
    module.add(
        "LEVELS",
        tuple(Level::ALL.iter().map(|one| one.name()).collect())?,
    )?;
    module.add(
        "PLACES",
        tuple(Place::ALL.iter().map(|one| one.as_str()).collect())?,
    )?;
    module.add(
        "FORMATS",
        tuple(Format::ALL.iter().map(|one| one.as_str()).collect())?,
    )?;
    module.add(
        "CODES",
        tuple(Code::ALL.iter().map(|one| one.as_str()).collect())?,
    )
}
