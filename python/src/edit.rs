//! `Reference.replace`: keywords to changes of a builder.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use urikit::AnyRef;
use urikit::op::{Change, UriBuilder, Value};

/// A builder with the changes.
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

fn change<'a>(
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
        "port" => match value.extract::<u64>() {
            Ok(number) => builder.port(number),
            Err(_) => builder.port(component(value)?),
        },
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

/// Text that is escaped already, a `Data`, or `None`.
fn component(value: &Bound<'_, PyAny>) -> PyResult<Change<'static>> {
    if value.is_none() {
        return Ok(Change::Remove);
    }
    let text = value.cast::<PyString>()?.to_cow()?.into_owned();
    let class = value.py().import("urikit._data")?.getattr("Data")?;
    let is_data = value.is_instance(&class)?;
    Ok(Change::Set(if is_data {
        Value::data(text)
    } else {
        Value::from(text)
    }))
}

/// Data, or `None`.
fn leaf(value: &Bound<'_, PyAny>) -> PyResult<Change<'static>> {
    if value.is_none() {
        return Ok(Change::Remove);
    }
    let text = value.cast::<PyString>()?.to_cow()?.into_owned();
    Ok(Change::Set(Value::data(text)))
}

fn segments<'a>(builder: UriBuilder<'a>, value: &Bound<'_, PyAny>) -> PyResult<UriBuilder<'a>> {
    let mut builder = builder.path("");
    for segment in value.try_iter()? {
        let segment = segment?.cast::<PyString>()?.to_cow()?.into_owned();
        builder = builder.push_segment(segment);
    }
    Ok(builder)
}

fn pairs<'a>(builder: UriBuilder<'a>, value: &Bound<'_, PyAny>) -> PyResult<UriBuilder<'a>> {
    let mut builder = builder.remove_query();
    for pair in value.try_iter()? {
        let (name, value): (String, Option<String>) = pair?.extract()?;
        builder = builder.query_append(name, value);
    }
    Ok(builder)
}
