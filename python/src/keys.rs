//! Domains according to the Public Suffix List, and keys of web archives.

use crate::text::Text;
use crate::{errors, names};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urikit_domains::List;
use urikit_keys::{Profile, Scope, Step};

/// A public suffix list that is read at run time. ``urikit.domain`` and the functions of
/// ``urikit.columns`` accept it as ``suffixes``.
///
/// The text must have the format of ``public_suffix_list.dat``.
///
/// >>> import urikit
/// >>> rules = "// ===BEGIN ICANN DOMAINS===\nexample\nco.example\n// ===END ICANN DOMAINS==="
/// >>> urikit.domain("www.a.co.example", suffixes=urikit.SuffixList(rules)).registrable
/// 'a.co.example'
#[pyclass(frozen, module = "urikit", name = "SuffixList")]
pub(crate) struct PySuffixList {
    pub(crate) list: List,
    text: String,
}

#[pymethods]
impl PySuffixList {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        let text = text.to_string();
        let invalid = |error: urikit_domains::ListError| PyValueError::new_err(error.to_string());
        let list = List::parse(&text).map_err(invalid)?;
        Ok(Self { list, text })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (&str,)) {
        (py.get_type::<Self>().into_any(), (&self.text,))
    }
}

/// Returns the public suffix list to use.
pub(crate) fn list(suffixes: Option<&Bound<'_, PySuffixList>>, private: bool) -> List {
    let list = suffixes.map_or_else(List::builtin, |given| given.get().list.clone());
    list.with_private(private)
}

/// The suffix, the registrable domain, the subdomain, whether the list has a rule for the suffix,
/// and whether that rule is private.
type Divided = (String, Option<String>, Option<String>, bool, bool);

#[pyfunction]
pub(crate) fn domain(
    host: Text<'_>,
    private: bool,
    suffixes: Option<&Bound<'_, PySuffixList>>,
) -> Option<Divided> {
    let list = list(suffixes, private);
    let domain = list.domain(&host)?;
    Some((
        domain.suffix().to_owned(),
        domain.registrable().map(str::to_owned),
        domain.subdomain().map(str::to_owned),
        domain.is_listed(),
        domain.is_private(),
    ))
}

#[pyfunction]
pub(crate) fn surt(py: Python<'_>, url: Text<'_>, profile: &str) -> PyResult<String> {
    let profile: Profile = names::named(profile)?;
    profile
        .surt(&url)
        .map_err(|error| errors::surt(py, &error, &url))
}

#[pyfunction]
pub(crate) fn surt_range(key: Text<'_>, scope: &str) -> PyResult<Option<(String, String)>> {
    Ok(names::named::<Scope>(scope)?.range(&key))
}

/// Adds the constants to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let tuple = |names: Vec<&'static str>| pyo3::types::PyTuple::new(py, names);
    module.add(
        "SURT_PROFILES",
        tuple(Profile::ALL.iter().map(|one| one.name()).collect())?,
    )?;
    module.add(
        "STEPS",
        tuple(Step::ALL.iter().map(|one| one.name()).collect())?,
    )?;
    module.add("SUFFIX_LIST_DATE", urikit_domains::LIST_DATE)?;
    module.add("SUFFIX_LIST_VERSION", urikit_domains::LIST_VERSION)
}
