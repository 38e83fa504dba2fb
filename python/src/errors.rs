//! Converts the library's errors to the exceptions of `urikit/_errors.py`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PySlice, PyString, PyTuple};
use urikit::component::NotUtf8;
use urikit::op::{Component, RelativizeError, RepairError, ResolveError};
use urikit::percent::EncodeError;
use urikit::{EditError, ParseError};
use urikit_audit::Rejection;
use urikit_columns::Reason;
use urikit_extract::document::BaseError;
use urikit_keys::SurtError;

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
        Self {
            message: error.to_string(),
            expected: error.expected().map(|expected| expected.to_string()),
            found: error.found().map(|found| found.to_string()),
            production: error.production(),
            section: error.section(),
            ..Self::default()
        }
        .at(Some(error.offset()), text)
    }

    /// Sets the position. `text` is the string to which the offset refers, if known.
    fn at(mut self, offset: Option<usize>, text: Option<&str>) -> Self {
        let before = text.and_then(|text| text.as_bytes().get(..offset?));
        // An error inside an escape can have an offset within a character.
        self.index = before.map(|before| String::from_utf8_lossy(before).chars().count());
        self.offset = offset;
        self
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

/// Converts an error from a builder. `value` returns the new value of a component.
pub(crate) fn edit(
    py: Python<'_>,
    error: EditError,
    value: impl FnOnce(Component) -> Option<String>,
) -> PyErr {
    let message = error.to_string();
    let mut details = match error {
        EditError::Invalid(invalid) => {
            let (error, complete) = (invalid.error(), invalid.result().error());
            let result = invalid.into_result().into_value();
            // `error` counts from the start of the component, and `complete` from the start of the
            // result, so their difference is where the component begins in the result.
            let written = result.get(complete.offset() - error.offset()..);
            Details::of(&error, written)
        }
        EditError::Delimiter {
            component,
            found,
            offset,
        } => Details {
            found: Some(format!("`{found}`")),
            ..Details::default()
        }
        .at(Some(offset), value(component).as_deref()),
        _ => Details::default(),
    };
    details.message = message;
    details.raise(py, "EditError")
}

pub(crate) fn encode(py: Python<'_>, error: &EncodeError, data: Option<&str>) -> PyErr {
    let mut details = match error {
        EncodeError::NoEscapes(error) | EncodeError::InvalidHost(error) => Details::of(error, data),
        _ => Details::default(),
    };
    details.message = error.to_string();
    details.raise(py, "EditError")
}

pub(crate) fn surt(py: Python<'_>, error: &SurtError, url: &str) -> PyErr {
    match error {
        SurtError::Syntax(error) => parse(py, error, url),
        _ => other(py, "ParseError", error.to_string()),
    }
}

/// Converts an error about the base of a document.
pub(crate) fn base(py: Python<'_>, error: &BaseError, base: &str) -> PyErr {
    let mut details = match error {
        BaseError::Syntax(error) => Details::of(error, Some(base)),
        _ => Details::default(),
    };
    details.message = error.to_string();
    details.raise(py, "ResolveError")
}

/// Converts an error about a component that does not decode to UTF-8. `start` is the offset of the
/// component in the text.
pub(crate) fn not_utf8(py: Python<'_>, error: NotUtf8, start: usize, text: &str) -> PyErr {
    let error = NotUtf8 {
        offset: start + error.offset,
    };
    Details {
        message: error.to_string(),
        ..Details::default()
    }
    .at(Some(error.offset), Some(text))
    .raise(py, "ParseError")
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
            section: Some("RFC 3987, 3.1"),
            ..Details::default()
        }
        .at(Some(*offset), Some(text))
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

/// Creates a `RowError` for a rejected row, with its row number. `text` is the string to which the
/// offset refers.
pub(crate) fn row(py: Python<'_>, row: usize, reason: &Reason, text: Option<&str>) -> PyErr {
    let mut details = reason_details(reason, text);
    details.message = format!("row {row}: {reason}");
    with_row(py, details, row)
}

/// Converts the error for a base that is not valid.
pub(crate) fn column_base(py: Python<'_>, message: String, reason: &Reason, base: &str) -> PyErr {
    let mut details = reason_details(reason, Some(base));
    details.message = message;
    details.raise(py, "ResolveError")
}

fn reason_details(reason: &Reason, text: Option<&str>) -> Details {
    match reason {
        Reason::Rejected(Rejection::Rfc(error))
        | Reason::Base(Rejection::Rfc(error))
        | Reason::Decode(error)
        | Reason::Encode(EncodeError::NoEscapes(error) | EncodeError::InvalidHost(error))
        | Reason::Resolve(ResolveError::Reference(error))
        | Reason::Surt(SurtError::Syntax(error)) => Details::of(error, text),
        Reason::Base(rejection) => Details::default().at(rejection.offset(), text),
        _ => Details::default().at(reason.offset(), text),
    }
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
