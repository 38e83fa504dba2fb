//! Links in text and references in documents.

use crate::text::Text;
use crate::{errors, names};
use core::ops::ControlFlow;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::Cursor;
use std::time::{Duration, Instant};
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Collected, Extractor, Format, Report, TooLong};

/// The options of a search: abbreviated links, addresses, defanged links, and the standard that
/// decides whether links are valid.
type Wanted<'a> = (bool, bool, bool, Option<&'a str>);

/// Additional information about a link: whether it is valid, whether it is cut off, its repaired
/// form, and its alternative reading.
type Marks = (bool, bool, Option<String>, Option<String>);

/// A link: the start and the end of its range in characters, the reference, its kind, and its
/// marks.
type Link = (usize, usize, String, &'static str, Marks);

/// Returns the links in text, with ranges in characters.
#[pyfunction]
pub(crate) fn links(
    py: Python<'_>,
    text: Text<'_>,
    wanted: Wanted<'_>,
    max_length: usize,
) -> PyResult<Vec<Link>> {
    let finder = finder(wanted)?.max_length(max_length);
    Ok(py.detach(|| {
        let mut count = Characters::new(text.as_str());
        let links = finder.links(text.as_str()).map(|link| {
            let range = link.range();
            let (start, end) = (count.to(range.start), count.to(range.end));
            let marks = (
                link.is_valid(),
                link.is_cut(),
                link.repaired().map(|one| one.reference.into_string()),
                link.alternative().map(str::to_owned),
            );
            let kind = link.kind().as_str();
            (start, end, link.into_uri().into_owned(), kind, marks)
        });
        links.collect()
    }))
}

fn finder((abbreviated, addresses, refang, standard): Wanted<'_>) -> PyResult<Finder> {
    let finder = Finder::new()
        .abbreviated(abbreviated)
        .addresses(addresses)
        .refang(refang);
    Ok(match standard {
        Some(name) => finder.standard(names::standard(name)?),
        None => finder,
    })
}

/// Converts byte offsets in UTF-8 to character offsets. Each offset must be at least as large as
/// the preceding one.
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
        let between = self.text.as_bytes().get(self.at..offset);
        // INVARIANT: a character begins with a byte that is not 10xxxxxx (RFC 3629, 3).
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.count += between.unwrap_or_default().iter().filter(begins).count();
        self.at = offset;
        self.count
    }
}

/// Converts all offsets in a document from bytes to characters. The offsets may be in any order.
fn count_characters(text: &str, found: &mut [Found], malformed: &mut Option<usize>) {
    let ranges = found
        .iter_mut()
        .flat_map(|((start, end), ..)| [start, end])
        .chain(malformed);
    let mut offsets: Vec<&mut usize> = ranges.collect();
    offsets.sort_unstable();
    let mut count = Characters::new(text);
    for offset in offsets {
        *offset = count.to(*offset);
    }
}

/// A reference in a document: its range, in characters if the document is a string and otherwise in
/// bytes; its line and column; its kind, the text as
/// written, the reference, and its target; the level and URI of its base; its marks; and its
/// position in the markup.
type Found = (
    (usize, usize),
    Option<(usize, usize)>,
    (&'static str, String, String, Option<String>),
    Option<(&'static str, String)>,
    Marks,
    Option<Place>,
);

/// A place: the element, the attribute, `rel`, `type`, the syntax in other formats, the header
/// field, the entry of a container, and the sheet, cell, paragraph and slide of an office document.
type Place = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<&'static str>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<u32>,
    Option<u32>,
);

/// The number of invalid bytes, the number of truncated fields, whether another limit was exceeded,
/// the offset of the first error in the markup, the charset, and the entries of a container that
/// were not read, each with the reason.
type Facts = (
    usize,
    usize,
    bool,
    Option<usize>,
    Option<&'static str>,
    Vec<(String, String)>,
);

#[pyfunction]
#[allow(clippy::too_many_arguments)] // each is a keyword of the Python function
pub(crate) fn extract(
    py: Python<'_>,
    document: &Bound<'_, PyAny>,
    format: Option<&str>,
    base: Option<Text<'_>>,
    wanted: Wanted<'_>,
    deep: bool,
    positions: bool,
    charset: Option<&str>,
    max_length: usize,
) -> PyResult<(Vec<Found>, Facts)> {
    let (octets, text) = match document.cast::<PyBytes>() {
        Ok(bytes) => (bytes.as_bytes(), None),
        Err(_) => {
            let text = document.extract::<Text<'_>>()?.as_str();
            (text.as_bytes(), Some(text))
        }
    };
    let container = match format {
        Some(_) => None,
        None => Container::guess("", octets),
    };
    let format = match format {
        Some(name) => names::format(name)?,
        None => Format::guess("", octets).unwrap_or(Format::Text),
    };
    let mut extractor = Extractor::new()
        .finder(finder(wanted)?)
        .deep(deep)
        .positions(positions)
        .max_document_length(max_length);
    if let Some(base) = base {
        extractor = extractor
            .base(Layer::Retrieval, &base)
            .map_err(|error| errors::base(py, &error, &base))?;
    }
    if let Some(label) = charset {
        extractor = extractor.charset(label).ok_or_else(|| {
            PyValueError::new_err(format!(
                "expected a charset of the Encoding Standard, but found {label:?}"
            ))
        })?;
    }
    if let Some(text) = text {
        if charset.is_some() {
            let message = "expected bytes: a charset has no meaning for a string";
            return Err(PyTypeError::new_err(message));
        }
        // Each part of mail has its own charset, which `Extractor::charset` does not change.
        if format == Format::Mail && !text.is_ascii() && declares_charset(text) {
            let message = "expected bytes: mail in a charset other than UTF-8 is not text";
            return Err(PyValueError::new_err(message));
        }
        // The text is already decoded, whatever it declares.
        extractor = extractor.charset("utf-8").unwrap_or_default();
    }
    py.detach(|| match container {
        Some(container) => unpack(&extractor, container, octets),
        None => {
            let (mut found, mut facts) = read(&extractor, format, octets)?;
            if let Some(text) = text.filter(|text| !text.is_ascii()) {
                count_characters(text, &mut found, &mut facts.3);
            }
            Ok((found, facts))
        }
    })
}

/// The number of bytes that are read before the call looks for signals such as `SIGINT`.
const PIECE: usize = 1 << 20;

/// Extracts the references in a document.
fn read(extractor: &Extractor, format: Format, octets: &[u8]) -> PyResult<(Vec<Found>, Facts)> {
    let too_long =
        |error: TooLong| Python::attach(|py| errors::other(py, "ParseError", error.to_string()));
    let mut found = Vec::new();
    let mut collected = Collected::new(octets.len());
    let mut each = |one: urikit_extract::document::Found<'_>| {
        // The base is stored twice for each reference: on its own, and as a part of the target.
        let base = one.base().map_or(0, |(_, base)| base.len());
        if collected.take(2 * base + one.uri().len()) {
            found.push(owned(&one));
        }
    };
    let mut extraction = extractor.begin(format);
    for piece in octets.chunks(PIECE) {
        extraction.push(piece, &mut each).map_err(too_long)?;
        if octets.len() > PIECE {
            Python::attach(|py| py.check_signals())?;
        }
    }
    let report = extraction.finish(&mut each);
    Ok((found, facts(&report, &collected)))
}

/// Returns whether a message declares a charset other than UTF-8 or US-ASCII in one of its parts. A
/// mention of `charset=` in the text of the message counts too.
fn declares_charset(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut parameters = lower.split("charset").skip(1);
    parameters.any(|rest| {
        let rest = rest.trim_start();
        let value = rest.trim_start_matches(['*', '=', '"', '\'', ' ', '\t']);
        let is_unicode = ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|label| value.starts_with(label));
        rest.starts_with(['*', '=']) && !is_unicode
    })
}

/// The interval at which unpacking looks for signals.
const SIGNALS: Duration = Duration::from_millis(100);

/// Extracts the references in an unnamed container.
fn unpack(
    extractor: &Extractor,
    container: Container,
    octets: &[u8],
) -> PyResult<(Vec<Found>, Facts)> {
    let mut checked = Instant::now();
    let mut interrupt = None;
    let mut found = Vec::new();
    let mut failed = Vec::new();
    let mut collected = Collected::new(octets.len());
    let mut all = (0_usize, 0_usize, false);
    let mut charset = None;
    let mut each = |path: &str, event: Event<'_>| {
        match event {
            Event::Reference(one) => {
                let base = one.base().map_or(0, |(_, base)| base.len());
                let length = 2 * base + one.uri().len() + path.len();
                if collected.take(length) {
                    found.push(owned(one));
                }
            }
            Event::End(report) => {
                all.0 += report.invalid_bytes;
                all.1 += report.cut_fields;
                all.2 |= !report.exceeded.is_none();
                charset = charset.or(report.charset);
            }
            Event::Failed(problem) if collected.take(path.len()) => {
                failed.push((inner(path).to_owned(), problem.to_string()));
            }
            _ => {}
        }
        if checked.elapsed() < SIGNALS {
            return ControlFlow::Continue(());
        }
        checked = Instant::now();
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                interrupt = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let mut file = Cursor::new(octets);
    let input = Input::File(&mut file);
    extractor.unpack(container, "", input, Limits::default(), &mut each);
    if let Some(error) = interrupt {
        return Err(error);
    }
    let (invalid_bytes, cut_fields, exceeded) = all;
    let exceeded = exceeded || collected.omitted() > 0;
    Ok((
        found,
        (invalid_bytes, cut_fields, exceeded, None, charset, failed),
    ))
}

/// Returns the path of an entry, without the prefix for its unnamed container.
fn inner(path: &str) -> &str {
    path.strip_prefix("!/").unwrap_or(path)
}

fn owned(found: &urikit_extract::document::Found<'_>) -> Found {
    let range = found.range();
    let place = found.place();
    let text = |part: Option<&str>| part.map(str::to_owned);
    (
        (range.start, range.end),
        found
            .position()
            .map(|position| (position.line, position.column)),
        (
            found.kind().as_str(),
            found.text().to_owned(),
            found.uri().to_owned(),
            found.target(),
        ),
        found.base().map(|(at, uri)| (layer(at), uri.to_owned())),
        (
            found.is_valid(),
            found.is_cut(),
            found.repaired().map(|one| one.reference.into_string()),
            text(found.alternative()),
        ),
        (!place.is_none()).then(|| {
            (
                text(place.element()),
                text(place.attribute()),
                text(place.rel()),
                text(place.media_type()),
                place.syntax().map(|one| one.as_str()),
                text(place.field()),
                text(place.entry().map(inner)),
                text(place.sheet()),
                text(place.cell()),
                place.paragraph(),
                place.slide(),
            )
        }),
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

fn facts(report: &Report, collected: &Collected) -> Facts {
    let exceeded = !report.exceeded.is_none() || collected.omitted() > 0;
    (
        report.invalid_bytes,
        report.cut_fields,
        exceeded,
        report.malformed_from,
        report.charset,
        Vec::new(),
    )
}
