//! Links in text and references in documents.

use crate::{errors, names};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::document::{Extractor, Format, Report};

/// Range in characters, the reference, its kind, and the other reading.
type Link = (usize, usize, String, &'static str, Option<String>);

/// The links in a text, with ranges in characters of it.
#[pyfunction]
pub(crate) fn links(
    py: Python<'_>,
    text: &str,
    abbreviated: bool,
    addresses: bool,
    max_length: usize,
) -> Vec<Link> {
    py.detach(|| {
        let finder = Finder::new()
            .abbreviated(abbreviated)
            .addresses(addresses)
            .max_length(max_length);
        let mut count = Characters::new(text);
        let links = finder.links(text).map(|link| {
            let range = link.range();
            let alternative = link.alternative().map(str::to_owned);
            let kind = link.kind().as_str();
            let (start, end) = (count.to(range.start), count.to(range.end));
            (start, end, link.into_uri().into_owned(), kind, alternative)
        });
        links.collect()
    })
}

/// Bytes to characters; offsets must not decrease.
struct Characters<'a> {
    text: &'a str,
    at: usize,
    count: usize,
}

impl<'a> Characters<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            count: 0,
        }
    }

    fn to(&mut self, offset: usize) -> usize {
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.count += between.chars().count();
        self.at = offset;
        self.count
    }
}

/// Range in bytes, line and column, kind, as written, the reference, its target, the layer and URI
/// of its base, and the other reading.
type Found = (
    (usize, usize),
    Option<(usize, usize)>,
    &'static str,
    String,
    String,
    Option<String>,
    Option<(&'static str, String)>,
    Option<String>,
);

/// Bytes that are invalid, fields that are cut, what else exceeded a limit, and the charset.
type Facts = (usize, usize, bool, Option<&'static str>);

#[pyfunction]
#[allow(clippy::too_many_arguments)] // each is a keyword of the Python function
pub(crate) fn extract(
    py: Python<'_>,
    document: &Bound<'_, PyAny>,
    format: Option<&str>,
    base: Option<&str>,
    abbreviated: bool,
    addresses: bool,
    positions: bool,
    max_length: usize,
) -> PyResult<(Vec<Found>, Facts)> {
    let text;
    let octets: &[u8] = match document.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes(),
        Err(_) => {
            text = document.cast::<PyString>()?.to_cow()?;
            text.as_bytes()
        }
    };
    let format = match format {
        Some(name) => names::format(name)?,
        None => Format::guess("", octets).unwrap_or(Format::Text),
    };
    let finder = Finder::new().abbreviated(abbreviated).addresses(addresses);
    let mut extractor = Extractor::new()
        .finder(finder)
        .positions(positions)
        .max_document_length(max_length);
    if let Some(base) = base {
        extractor = extractor
            .base(Layer::Retrieval, base)
            .map_err(|error| errors::other(py, "ResolveError", error.to_string()))?;
    }
    let read = py.detach(|| {
        let mut found = Vec::new();
        let report = extractor.extract(format, octets, &mut |one| found.push(owned(&one)));
        report.map(|report| (found, facts(&report)))
    });
    read.map_err(|error| errors::other(py, "ParseError", error.to_string()))
}

fn owned(found: &urikit_extract::document::Reference<'_>) -> Found {
    let range = found.range();
    (
        (range.start, range.end),
        found
            .position()
            .map(|position| (position.line, position.column)),
        found.kind().as_str(),
        found.text().to_owned(),
        found.uri().to_owned(),
        found.target(),
        found.base().map(|(at, uri)| (layer(at), uri.to_owned())),
        found.alternative().map(str::to_owned),
    )
}

const fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Embedded => "embedded",
        Layer::Encapsulating => "encapsulating",
        Layer::Retrieval => "retrieval",
        Layer::Default => "default",
    }
}

fn facts(report: &Report) -> Facts {
    let exceeded = !report.exceeded.is_none();
    (
        report.invalid_bytes,
        report.cut_fields,
        exceeded,
        report.charset,
    )
}
