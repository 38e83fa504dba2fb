//! Reads documents: their links, and the comments that exclude links.

mod base;
mod comments;

pub(crate) use base::{Base, Bases, file_url};

use comments::IgnoredLines;
use std::fs::File;
use std::io::{self, Cursor, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use urikit::op::Layer;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format, Found};

/// A document to check.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) kind: SourceKind,
}

/// The content of a document, or the place to read it from.
#[derive(Clone, Debug)]
pub(crate) enum SourceKind {
    File {
        path: PathBuf,
        /// The folder that was searched, if the user did not name the file.
        folder: Option<PathBuf>,
    },
    Bytes(Vec<u8>),
    Url(String),
    Unreadable(String),
}

impl Source {
    /// A file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::new(path.into(), None)
    }

    /// A file that was found in `folder`, the root for references that begin with `/`.
    pub fn found(path: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self::new(path.into(), Some(folder.into()))
    }

    fn new(path: PathBuf, folder: Option<PathBuf>) -> Self {
        Self {
            name: path.to_string_lossy().into_owned(),
            kind: SourceKind::File { path, folder },
        }
    }

    /// A document in memory, such as standard input. A known extension in the name determines the
    /// format; otherwise the content does.
    pub fn text(name: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            kind: SourceKind::Bytes(content.into()),
        }
    }

    /// A page that the prober requests.
    pub fn url(url: impl Into<String>) -> Self {
        let url = url.into();
        Self {
            name: url.clone(),
            kind: SourceKind::Url(url),
        }
    }

    /// A document that cannot be read, and the reason.
    pub fn unreadable(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: SourceKind::Unreadable(reason.into()),
        }
    }
}

/// Receives the links in a document.
pub(crate) trait Links {
    /// Receives a link in the entry at `path`, or in the document itself. `is_ignored` is true if a
    /// comment excludes it.
    fn take(&mut self, entry: Option<&str>, found: &Found<'_>, is_ignored: bool);
}

/// The kind of a document, which is known after it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DocumentKind {
    Text(Format),
    Container,
    /// The document is binary, so it was not read.
    Binary,
}

/// The maximum size of documents that are read in one piece. Larger documents are read in several
/// pieces, and a comment in them takes effect only if it lies within one piece.
const MAX_WHOLE: u64 = 64 << 20;
const PIECE: usize = 4 << 20;

/// Reads a file in this format; `None` guesses the format.
pub(crate) fn read_file(
    path: &Path,
    name: &str,
    format: Option<Format>,
    extractor: &Extractor,
    links: &mut dyn Links,
) -> Result<DocumentKind, String> {
    let mut file = File::open(path).map_err(message)?;
    let length = file.metadata().map_err(message)?.len();
    if length > MAX_WHOLE {
        return read_long(file, name, format, extractor, links);
    }
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    file.by_ref()
        .take(MAX_WHOLE + 1)
        .read_to_end(&mut content)
        .map_err(message)?;
    read(&content, name, format, extractor, links)
}

/// Reads a document in memory in this format; `None` guesses the format.
pub(crate) fn read(
    content: &[u8],
    name: &str,
    format: Option<Format>,
    extractor: &Extractor,
    links: &mut dyn Links,
) -> Result<DocumentKind, String> {
    if format.is_none()
        && let Some(container) = Container::guess(name, content)
    {
        unpack(
            container,
            name,
            Input::Stream(&mut Cursor::new(content)),
            extractor,
            links,
        )?;
        return Ok(DocumentKind::Container);
    }
    let Some(format) = format.or_else(|| Format::guess(name, content)) else {
        return Ok(DocumentKind::Binary);
    };
    let ignored = IgnoredLines::read(format, content);
    let mut each = |found: Found<'_>| take(None, &found, &ignored, links);
    extractor
        .extract(format, content, &mut each)
        .map_err(|error| error.to_string())?;
    Ok(DocumentKind::Text(format))
}

/// Reads a long file in pieces.
fn read_long(
    mut file: File,
    name: &str,
    format: Option<Format>,
    extractor: &Extractor,
    links: &mut dyn Links,
) -> Result<DocumentKind, String> {
    let mut buffer = vec![0; PIECE];
    let mut length = fill(&mut file, &mut buffer)?;
    let start = buffer.get(..length).unwrap_or_default();
    if format.is_none()
        && let Some(container) = Container::guess(name, start)
    {
        unpack(container, name, Input::File(&mut file), extractor, links)?;
        return Ok(DocumentKind::Container);
    }
    let Some(format) = format.or_else(|| Format::guess(name, start)) else {
        return Ok(DocumentKind::Binary);
    };
    let mut extraction = extractor.begin(format);
    let none = IgnoredLines::default();
    let mut each = |found: Found<'_>| take(None, &found, &none, links);
    while length > 0 {
        let piece = buffer.get(..length).unwrap_or_default();
        extraction
            .push(piece, &mut each)
            .map_err(|error| error.to_string())?;
        length = fill(&mut file, &mut buffer)?;
    }
    extraction.finish(&mut each);
    Ok(DocumentKind::Text(format))
}

fn take(entry: Option<&str>, found: &Found<'_>, ignored: &IgnoredLines, links: &mut dyn Links) {
    let is_ignored = found.position().is_some_and(|at| ignored.contain(at.line));
    links.take(entry, found, is_ignored);
}

/// Reads the entries of a container.
fn unpack(
    container: Container,
    name: &str,
    input: Input<'_>,
    extractor: &Extractor,
    links: &mut dyn Links,
) -> Result<(), String> {
    let mut failed = None;
    let mut each = |path: &str, event: Event<'_>| {
        match event {
            Event::Reference(found) => links.take(Some(path), found, false),
            Event::Failed(problem) => {
                failed.get_or_insert_with(|| format!("{path}: {problem}"));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    };
    extractor.unpack(container, name, input, Limits::default(), &mut each);
    failed.map_or(Ok(()), Err)
}

fn fill(file: &mut File, buffer: &mut [u8]) -> Result<usize, String> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome.map_err(message),
        }
    }
}

/// Describes an operating system error, without its number.
#[allow(clippy::needless_pass_by_value)] // for `map_err`
pub(crate) fn message(error: io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let text = text.get(..end).unwrap_or_default();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Sets the base of a document.
pub(crate) fn with_base(extractor: &Extractor, base: &str) -> Extractor {
    let extractor = extractor.clone();
    extractor
        .clone()
        .base(Layer::Retrieval, base)
        .unwrap_or(extractor)
}
