//! Changes to components: the values that `Reference.replace` accepts, and a builder that applies
//! them.

use crate::errors;
use crate::text::Text;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};
use urikit::AnyRef;
use urikit::op::{Change, UriBuilder, Value};

/// Pairs of arguments that set the same component.
const EXCLUSIVE: [(&str, &str); 4] = [
    ("path", "segments"),
    ("query", "query_pairs"),
    ("userinfo", "user"),
    ("userinfo", "password"),
];

/// Returns a builder with the changes applied.
pub(crate) fn builder<'a>(
    reference: AnyRef<'a>,
    changes: Option<&Bound<'_, PyDict>>,
) -> PyResult<UriBuilder<'a>> {
    let mut builder = reference.to_builder();
    let Some(changes) = changes else {
        return Ok(builder);
    };
    for (one, other) in EXCLUSIVE {
        if changes.contains(one)? && changes.contains(other)? {
            let message = format!("replace() got both {one:?} and {other:?}");
            return Err(PyTypeError::new_err(message));
        }
    }
    let mut named = Vec::with_capacity(changes.len());
    for (name, value) in changes {
        named.push((name.cast::<PyString>()?.to_str()?.to_owned(), value));
    }
    // The order of the arguments does not matter. Removing the host removes the userinfo and the
    // port, and the scheme and the host decide how segments and pairs are written.
    named.sort_by_key(|(name, _)| match name.as_str() {
        "host" => 0,
        "segments" | "query_pairs" => 2,
        _ => 1,
    });
    for (name, value) in named {
        builder = match name.as_str() {
            "segments" => segments(builder, reference.path().as_str(), &value)?,
            name => change(builder, name, &value)?,
        };
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

/// Sets the segments of a path, which stays absolute if `path` is absolute.
fn segments<'a>(
    builder: UriBuilder<'a>,
    path: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<UriBuilder<'a>> {
    // Iterating over a string would yield its characters, which is never what the caller meant.
    if value.is_instance_of::<PyString>() {
        let message = "expected a list of segments, but found a string";
        return Err(PyTypeError::new_err(message));
    }
    let is_absolute = path.starts_with('/');
    let mut builder = builder.path(if is_absolute { "/" } else { "" });
    let mut count = 0;
    for segment in value.try_iter()? {
        let segment = segment?.extract::<Text<'_>>()?.to_string();
        // `push_segment` would replace an empty segment.
        builder = builder.insert_segment(count, segment);
        count += 1;
    }
    // The segments were inserted before the empty segment of `/`.
    Ok(if is_absolute {
        builder.remove_segment(count)
    } else {
        builder
    })
}

fn pairs<'a>(builder: UriBuilder<'a>, value: &Bound<'_, PyAny>) -> PyResult<UriBuilder<'a>> {
    let py = value.py();
    let mut builder = builder.remove_query();
    // A mapping is converted to its pairs, as in `urllib.parse.urlencode`.
    let value = match value.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.into_any(),
        Err(_) => value.clone(),
    };
    let mut was_empty = false;
    let mut is_first = true;
    for pair in value.try_iter()? {
        let (name, value) = pair_of(&pair?)?;
        let is_empty = name.is_empty() && value.is_none();
        // The next pair would replace an empty pair, and an empty query has no pairs.
        if was_empty || is_empty && is_first {
            let message = "an empty pair in the query must follow another pair, and be the last";
            return Err(errors::other(py, "EditError", message.to_owned()));
        }
        (was_empty, is_first) = (is_empty, false);
        builder = builder.query_append(name, value);
    }
    Ok(builder)
}

/// Converts a pair: a tuple, or a list, which JSON has instead of tuples.
fn pair_of(pair: &Bound<'_, PyAny>) -> PyResult<(String, Option<String>)> {
    let is_pair = pair.is_instance_of::<PyTuple>() || pair.is_instance_of::<PyList>();
    if !is_pair || pair.len()? != 2 {
        let message = "expected pairs, each a tuple or a list of a name and a value";
        return Err(PyTypeError::new_err(message));
    }
    let (name, value) = (pair.get_item(0)?, pair.get_item(1)?);
    let value: Option<Text<'_>> = value.extract()?;
    let name = name.extract::<Text<'_>>()?.to_string();
    Ok((name, value.map(|value| value.to_string())))
}
