//! The extension module `urikit._urikit`, which the `urikit` package uses.
//!
//! The package's Python files define the public interface and document it. Only a few types, such
//! as `Reference` and `Column`, are classes in this module. Functions return plain values (strings,
//! numbers, tuples), which the Python files convert to named tuples. Errors are instances of the
//! classes in `urikit/_errors.py`.

#![deny(unsafe_code)] // `columns/capsule.rs` allows it: Arrow's C data interface

mod audit;
mod columns;
mod crawl;
mod edit;
mod errors;
mod extract;
mod keys;
mod names;
mod percent;
mod reference;
mod text;
mod urllib;
mod whatwg;

#[pyo3::pymodule]
mod _urikit {
    #[pymodule_export]
    use crate::audit::{PyGate, agree, audit, audit_target, read, same_site};
    #[cfg(feature = "bench")]
    #[pymodule_export]
    use crate::columns::bench::url_crate_host;
    #[pymodule_export]
    use crate::columns::column::PyColumn;
    #[pymodule_export]
    use crate::columns::kernel::apply;
    #[pymodule_export]
    use crate::crawl::{PyCrawlBatches, crawl};
    #[pymodule_export]
    use crate::extract::{extract, links};
    #[pymodule_export]
    use crate::keys::{PySuffixList, domain, surt, surt_range};
    #[pymodule_export]
    use crate::percent::{decode, encode};
    #[pymodule_export]
    use crate::reference::repair;
    #[pymodule_export]
    use crate::reference::{PyReference, parse, validate};
    #[pymodule_export]
    use crate::urllib::pairs;
    #[pymodule_export]
    use crate::urllib::split;
    #[pymodule_export]
    use crate::urllib::{defrag, join, quote, unquote, unquote_to_bytes, unsplit, urlencode};
    #[pymodule_export]
    use crate::whatwg::PyUrl;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::keys::add(module)?;
        crate::names::add(module)
    }
}
