//! Percent-encodes and decodes data by component and standard.

use crate::text::Text;
use crate::{errors, names};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urikit::percent;

#[pyfunction]
#[pyo3(signature = (data, place, standard = "rfc3986"))]
pub(crate) fn encode(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    place: &str,
    standard: &str,
) -> PyResult<String> {
    let (place, standard) = (names::place(place)?, names::standard(standard)?);
    let text;
    let octets: &[u8] = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes(),
        Err(_) => {
            text = data.extract::<Text<'_>>()?;
            text.as_bytes()
        }
    };
    match percent::encode(octets, place, standard) {
        Ok(escaped) => Ok(escaped.to_string()),
        Err(error) => Err(errors::other(py, "EditError", error.to_string())),
    }
}

#[pyfunction]
#[pyo3(signature = (text, place, standard = "rfc3986"))]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    text: Text<'_>,
    place: &str,
    standard: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (place, standard) = (names::place(place)?, names::standard(standard)?);
    match percent::decode(&text, place, standard) {
        Ok(decoded) => Ok(PyBytes::new(py, &decoded.to_bytes())),
        Err(error) => Err(errors::parse(py, &error, &text)),
    }
}
