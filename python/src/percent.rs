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
    let (octets, text) = match data.cast::<PyBytes>() {
        Ok(bytes) => (bytes.as_bytes(), None),
        Err(_) => {
            let text = data.extract::<Text<'_>>()?.as_str();
            (text.as_bytes(), Some(text))
        }
    };
    match percent::encode(octets, place, standard) {
        Ok(escaped) => Ok(escaped.to_string()),
        Err(error) => Err(errors::encode(py, &error, text)),
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
