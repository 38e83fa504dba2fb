//! Text arguments: Python `str` objects that contain valid Unicode text.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Deref;

/// A text argument.
///
/// A Python `str` may contain lone surrogates, which UTF-8 cannot represent. Extracting `&str`
/// from it raises `UnicodeEncodeError`; this type raises `urikit.ParseError`, as for any other
/// text that is not a reference.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    pub(crate) const fn as_str(self) -> &'a str {
        self.0
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match (value.extract::<&'a str>(), value.cast::<PyString>()) {
            (Ok(text), _) => Ok(Self(text)),
            (Err(error), Ok(text)) => Err(errors::surrogate(&text, &error)),
            (Err(error), Err(_)) => Err(error),
        }
    }
}
