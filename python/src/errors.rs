//! Converts the library's errors to the exceptions of `urikit/_errors.py`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PySlice, PyString, PyTuple};
use urikit::op::{RelativizeError, RepairError, ResolveError};
use urikit::{EditError, ParseError};

/// The arguments of the Python error classes: the message, the position, and the violated rule.
#[derive(Default)]
struct Details {
    message: String,
    /// The offset of the error in bytes.
    offset: Option<usize>,
    /// The offset of the error in characters.
    index: Option<usize>,
    expected: Option<String>,
    found: Option<String>,
    production: Option<&'static str>,
    section: Option<&'static str>,
}

impl Details {
    /// Returns the details of a parse error. `text` is the string to which the offset refers, if
    /// known.
    fn of(error: &ParseError, text: Option<&str>) -> Self {
        let offset = error.offset();
        let before = text.and_then(|text| text.as_bytes().get(..offset));
        // An error inside an escape can have an offset within a character.
        let index = before.map(|before| String::from_utf8_lossy(before).chars().count());
        Self {
            message: error.to_string(),
            offset: Some(offset),
            index,
            expected: error.expected().map(|expected| expected.to_string()),
            found: error.found().map(|found| found.to_string()),
            production: error.production(),
            section: error.section(),
        }
    }

    fn raise(self, py: Python<'_>, class: &str) -> PyErr {
        static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
        let make = || {
            let module = MODULE
                .get_or_try_init(py, || py.import("urikit._errors").map(Bound::unbind))?
                .bind(py);
            let arguments = (
                self.message,
                self.offset,
                self.index,
                self.expected,
                self.found,
                self.production,
                self.section,
            );
            module.getattr(class)?.call1(arguments)
        };
        make().map_or_else(|error| error, PyErr::from_value)
    }
}

pub(crate) fn parse(py: Python<'_>, error: &ParseError, text: &str) -> PyErr {
    Details::of(error, Some(text)).raise(py, "ParseError")
}

pub(crate) fn edit(py: Python<'_>, error: &EditError) -> PyErr {
    let mut details = match error {
        EditError::Invalid(invalid) => Details::of(&invalid.error(), None),
        EditError::Delimiter { found, offset, .. } => Details {
            offset: Some(*offset),
            found: Some(format!("`{found}`")),
            ..Details::default()
        },
        _ => Details::default(),
    };
    details.message = error.to_string();
    details.raise(py, "EditError")
}

pub(crate) fn resolve(py: Python<'_>, error: &ResolveError, reference: &str) -> PyErr {
    let mut details = match error {
        ResolveError::Reference(error) => Details::of(error, Some(reference)),
        _ => Details::default(),
    };
    details.message = error.to_string();
    details.raise(py, "ResolveError")
}

pub(crate) fn relativize(py: Python<'_>, error: RelativizeError) -> PyErr {
    other(py, "ResolveError", error.to_string())
}

pub(crate) fn repair(py: Python<'_>, error: &RepairError, text: &str) -> PyErr {
    match error {
        RepairError::Parse(error) => parse(py, error, text),
        RepairError::NotADomainName { offset } => Details {
            message: error.to_string(),
            offset: Some(*offset),
            index: text.get(..*offset).map(|before| before.chars().count()),
            section: Some("RFC 3987, 3.1"),
            ..Details::default()
        }
        .raise(py, "ParseError"),
        _ => other(py, "ParseError", error.to_string()),
    }
}

/// Converts the `UnicodeEncodeError` for a lone surrogate.
pub(crate) fn surrogate(text: &Bound<'_, PyString>, error: &PyErr) -> PyErr {
    match surrogate_details(text, error) {
        Ok(details) => details.raise(text.py(), "ParseError"),
        Err(error) => error,
    }
}

fn surrogate_details(text: &Bound<'_, PyString>, error: &PyErr) -> PyResult<Details> {
    let py = text.py();
    let index: usize = error.value(py).getattr("start")?.extract()?;
    let before = text.get_item(PySlice::new(py, 0, index.cast_signed(), 1))?;
    let offset = before.cast::<PyString>()?.to_str()?.len();
    let expected = "a Unicode character";
    let found = "a lone surrogate";
    Ok(Details {
        message: format!("expected {expected}, but found {found} at byte {offset}"),
        offset: Some(offset),
        index: Some(index),
        expected: Some(expected.to_owned()),
        found: Some(found.to_owned()),
        ..Details::default()
    })
}

/// Creates an error without an offset.
pub(crate) fn other(py: Python<'_>, class: &str, message: String) -> PyErr {
    Details {
        message,
        ..Details::default()
    }
    .raise(py, class)
}

/// Creates a `RowError` for a rejected row, with its row number.
pub(crate) fn row(
    py: Python<'_>,
    row: usize,
    reason: &str,
    error: Option<&ParseError>,
    offset: Option<usize>,
    text: Option<&str>,
) -> PyErr {
    let mut details = error.map_or_else(Details::default, |error| Details::of(error, text));
    details.message = format!("row {row}: {reason}");
    details.offset = offset;
    with_row(py, details, row)
}

/// Creates a `RowError` for a string with a lone surrogate.
pub(crate) fn surrogate_in_row(text: &Bound<'_, PyString>, error: &PyErr, row: usize) -> PyErr {
    match surrogate_details(text, error) {
        Ok(mut details) => {
            details.message = format!("row {row}: {}", details.message);
            with_row(text.py(), details, row)
        }
        Err(error) => error,
    }
}

fn with_row(py: Python<'_>, details: Details, row: usize) -> PyErr {
    let error = details.raise(py, "RowError");
    let set = error.value(py).setattr("row", row);
    set.err().unwrap_or(error)
}

/// Creates an error whose class in `urikit._errors` takes arguments other than `Details`.
pub(crate) fn with<'py>(py: Python<'py>, class: &str, arguments: Bound<'py, PyTuple>) -> PyErr {
    let make = || {
        py.import("urikit._errors")?
            .getattr(class)?
            .call1(arguments)
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
