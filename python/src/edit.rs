//! Changes to components: the values that `Reference.replace` accepts, and a builder that applies
//! them.

use crate::errors;
use crate::text::Text;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use urikit::AnyRef;
use urikit::op::{Change, UriBuilder, Value};

/// Returns a builder with the changes applied.
pub(crate) fn builder<'a>(
    reference: AnyRef<'a>,
    changes: Option<&Bound<'_, PyDict>>,
) -> PyResult<UriBuilder<'a>> {
    let mut builder = reference.to_builder();
    let Some(changes) = changes else {
        return Ok(builder);
    };
    for (name, value) in changes {
        let name = name.cast::<PyString>()?.to_cow()?;
        builder = change(builder, &name, &value)?;
    }
    Ok(builder)
}

/// Returns the builder with one component changed.
pub(crate) fn change<'a>(
    builder: UriBuilder<'a>,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<UriBuilder<'a>> {
    Ok(match name {
        "scheme" => builder.scheme(component(value)?),
        "userinfo" => builder.userinfo(component(value)?),
        "user" => builder.user(leaf(value)?),
        "password" => builder.password(leaf(value)?),
        "host" => match component(value)? {
            Change::Remove => builder.remove_authority(),
            host @ Change::Set(_) => builder.host(host),
        },
        "port" if value.is_none() || value.is_instance_of::<PyString>() => {
            builder.port(component(value)?)
        }
        "port" => builder.port(port(value)?),
        "path" => match component(value)? {
            Change::Remove => builder.path(""),
            Change::Set(path) => builder.path(path),
        },
        "query" => builder.query(component(value)?),
        "fragment" => builder.fragment(component(value)?),
        "segments" => segments(builder, value)?,
        "query_pairs" => pairs(builder, value)?,
        name => {
            let message = format!("replace() got an unexpected keyword argument {name:?}");
            return Err(PyTypeError::new_err(message));
        }
    })
}

/// Converts an argument, which is text that is already escaped, a `Data`, or `None`.
fn component(value: &Bound<'_, PyAny>) -> PyResult<Change<'static>> {
    if value.is_none() {
        return Ok(Change::Remove);
    }
    let text = value.extract::<Text<'_>>()?.to_string();
    let class = value.py().import("urikit._data")?.getattr("Data")?;
    let is_data = value.is_instance(&class)?;
    Ok(Change::Set(if is_data {
        Value::data(text)
    } else {
        Value::from(text)
    }))
}

/// Converts a port number.
fn port(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let py = value.py();
    match value.extract::<u16>() {
        Ok(number) => Ok(number.into()),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
            let message = format!("expected a port from 0 to 65535, but found {value}");
            Err(errors::other(py, "EditError", message))
        }
        Err(error) => Err(error),
    }
}

/// Converts data, or `None`.
fn leaf(value: &Bound<'_, PyAny>) -> PyResult<Change<'static>> {
    if value.is_none() {
        return Ok(Change::Remove);
    }
    let text = value.extract::<Text<'_>>()?.to_string();
    Ok(Change::Set(Value::data(text)))
}

fn segments<'a>(builder: UriBuilder<'a>, value: &Bound<'_, PyAny>) -> PyResult<UriBuilder<'a>> {
    let mut builder = builder.path("");
    for segment in value.try_iter()? {
        let segment = segment?.extract::<Text<'_>>()?.to_string();
        builder = builder.push_segment(segment);
    }
    Ok(builder)
}

fn pairs<'a>(builder: UriBuilder<'a>, value: &Bound<'_, PyAny>) -> PyResult<UriBuilder<'a>> {
    let mut builder = builder.remove_query();
    // A mapping is converted to its pairs, as in `urllib.parse.urlencode`.
    let value = match value.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.into_any(),
        Err(_) => value.clone(),
    };
    for pair in value.try_iter()? {
        let pair = pair?;
        let (name, value): (Text<'_>, Option<Text<'_>>) = pair.extract()?;
        builder = builder.query_append(name.to_string(), value.map(|value| value.to_string()));
    }
    Ok(builder)
}
