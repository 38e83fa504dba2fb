//! The extension module `urikit._urikit`: what the package `urikit` is written on.
//!
//! The package's Python files have the public interface and its documentation; `Reference` alone is
//! a class of this module. Functions return plain values (strings, numbers, tuples), from which the
//! Python files make their named tuples. Errors are the classes of `urikit/_errors.py`.

#![deny(unsafe_code)] // `capsule.rs` allows it: Arrow's C data interface

mod audit;
mod edit;
mod errors;
mod extract;
mod names;
mod percent;
mod reference;
mod repair;

use pyo3::prelude::*;

#[pymodule]
mod _urikit {
    #[pymodule_export]
    use crate::audit::{agree, audit, read, PyGate};
    #[pymodule_export]
    use crate::extract::{extract, links};
    #[pymodule_export]
    use crate::percent::{decode, encode};
    #[pymodule_export]
    use crate::reference::{PyReference, parse, validate};
    #[pymodule_export]
    use crate::repair::repair;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::names::add(module)
    }
}
