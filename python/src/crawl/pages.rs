//! Turns the events of an archive into rows.

use super::rows::{Link, Page, Rows};
use super::source::Source;
use crate::columns::invalid;
use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use pyo3::PyResult;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use urikit::Standard;
use urikit::op::Level;
use urikit_domains::List;
use urikit_extract::Kind;
use urikit_extract::container::{Container, Event, Input, Limit, Limits, Problem, Record};
use urikit_extract::document::{Collected, Extractor, Found};

/// The maximum length of a document that must be held in memory, and the maximum total length of
/// the links on a page.
const MAX_PAGE: usize = 64 << 20;

/// The number of bytes that are read from an archive at a time.
const BUFFER: usize = 256 << 10;

/// The path prefix of records in an unnamed archive.
const PREFIX: &str = "!/";

pub(super) struct Options {
    /// The name of the archive that is written to the rows.
    pub(super) file: String,
    /// True if links in text are collected too.
    pub(super) has_text: bool,
    pub(super) suffixes: List,
    /// The size of a batch in bytes.
    pub(super) batch_bytes: usize,
}

/// The error that means that the consumer wants no more batches.
pub(super) struct Stopped;

type Send<'s> = dyn FnMut(ArrayRef) -> Result<(), Stopped> + 's;

/// Reads the pages in these ranges of an archive, each given as an offset and a length, which may
/// be `TO_THE_END`. Each range consists of complete records. Fails if the archive cannot be read.
/// If a part of the archive is damaged or missing, this is reported in a row.
pub(super) fn read(
    mut source: Source,
    ranges: &[(u64, u64)],
    options: Options,
    send: &mut Send<'_>,
) -> PyResult<()> {
    let extractor = Extractor::new().max_document_length(MAX_PAGE);
    let mut pages = Pages {
        options,
        rows: Rows::new(),
        open: None,
        has_failed: source.has_failed(),
        failed: None,
        has_problem: false,
        send,
    };
    for (offset, length) in ranges {
        source.begin(*offset, *length)?;
        let flow = pages.range(&extractor, &mut source);
        if let Some(error) = source.take_error() {
            return Err(error);
        }
        if flow.is_break() {
            break;
        }
    }
    if !pages.rows.is_empty() {
        let _ = pages.flush();
    }
    pages.failed.map_or(Ok(()), |error| Err(invalid(error)))
}

/// Collects the pages of an archive.
struct Pages<'s> {
    options: Options,
    rows: Rows,
    /// The page whose end has not been reached yet.
    open: Option<Open>,
    /// True after an input error. Errors that the archive reader reports after such an error do not
    /// mean that the archive is damaged.
    has_failed: Arc<AtomicBool>,
    failed: Option<ArrowError>,
    /// True if a row reports a problem in the current range.
    has_problem: bool,
    send: &'s mut Send<'s>,
}

/// A page whose end has not been reached yet. The links found on the page so far are already in the
/// rows.
struct Open {
    path: String,
    url: String,
    /// The normalized URL.
    page: Option<String>,
    status: Option<i32>,
    media_type: String,
    problem: Option<String>,
    /// The number of references that are not links to pages.
    skipped: i64,
    /// The content of a metadata record. Only the end of the record shows whether it describes a
    /// response.
    metadata: Option<Vec<u8>>,
    links: usize,
    /// The size of the rows before this page began.
    before: usize,
    collected: Collected,
}

impl Pages<'_> {
    /// Reads the records in one range.
    fn range(&mut self, extractor: &Extractor, source: &mut Source) -> ControlFlow<()> {
        self.has_problem = false;
        let mut input = BufReader::with_capacity(BUFFER, source);
        // In theory, a file object may return fewer bytes than the magic number has, but this does
        // not happen in practice.
        let head = input.fill_buf().unwrap_or_default();
        let container = Container::guess("", head);
        // Archives within records are not read, because they are not pages.
        let depth = match container {
            Some(Container::Gzip) => 2,
            Some(Container::Warc | Container::Arc) => 1,
            _ if head.is_empty() => return self.end_range(input.get_ref()),
            _ => return self.damaged("expected a WARC, WAT or ARC file"),
        };
        let limits = Limits::default()
            .max_depth(depth)
            .max_entries(u64::MAX)
            .max_unpacked(u64::MAX);
        let mut flow = ControlFlow::Continue(());
        if let Some(container) = container {
            extractor.unpack(
                container,
                "",
                Input::Stream(&mut input),
                limits,
                &mut |path, event| {
                    flow = self.take(path, &event);
                    flow
                },
            );
        }
        flow?;
        self.end_page()?;
        match input.fill_buf() {
            Ok([_, ..]) => self.damaged("the rest of the archive was not read"),
            _ => self.end_range(input.get_ref()),
        }
    }

    /// Ends a range whose bytes have all been read. Reports a range that the archive does not have,
    /// unless a row already reports that a record is incomplete.
    fn end_range(&mut self, source: &Source) -> ControlFlow<()> {
        let has_failed = self.has_failed.load(Ordering::Relaxed);
        if source.is_complete() || self.has_problem || has_failed {
            return ControlFlow::Continue(());
        }
        self.damaged("the archive ends before the end of the range")
    }

    fn take(&mut self, path: &str, event: &Event<'_>) -> ControlFlow<()> {
        if self.has_failed.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        match event {
            Event::Record(record) => {
                self.end_page()?;
                self.begin_page(path, record);
            }
            Event::Bytes(bytes) => {
                if let Some(open) = &mut self.open {
                    open.collected.read(bytes.len());
                    if let Some(metadata) = &mut open.metadata
                        && metadata.len() < MAX_PAGE
                    {
                        metadata.extend_from_slice(bytes);
                    }
                }
            }
            Event::Reference(found) => self.link(found),
            // The record contains an archive or a PDF, which is not read.
            Event::Failed(Problem::Limit(Limit::Depth(_))) => {}
            Event::Failed(problem) => match &mut self.open {
                Some(open) if path.starts_with(&open.path) => {
                    open.problem.get_or_insert_with(|| problem.to_string());
                }
                _ => {
                    self.end_page()?;
                    return self.damaged(&problem.to_string());
                }
            },
            // The compressed file contains something other than an archive.
            Event::End(_) | Event::Binary if self.open.is_none() && path == PREFIX => {
                return self.damaged("expected a WARC, WAT or ARC file");
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_page(&mut self, path: &str, record: &Record<'_>) {
        let is_metadata =
            record.kind == "metadata" && record.media_type.starts_with("application/json");
        if !is_metadata && !matches!(record.kind, "response" | "resource") {
            return;
        }
        let page = repaired(record.url);
        self.open = Some(Open {
            path: path.to_owned(),
            url: record.url.to_owned(),
            page,
            status: record.status().map(i32::from),
            media_type: essence(record.media_type),
            problem: None,
            skipped: 0,
            metadata: is_metadata.then(Vec::new),
            links: 0,
            before: self.rows.bytes(),
            collected: Collected::default(),
        });
    }

    fn link(&mut self, found: &Found<'_>) {
        let Some(open) = &mut self.open else { return };
        if found.kind() != Kind::Link && !self.options.has_text {
            return;
        }
        // A base applies to links, but is not a link itself.
        if found.place().element() == Some("base") {
            return;
        }
        let target = found.target().and_then(|target| normal(&target));
        let Some(target) = target else {
            open.skipped += 1;
            return;
        };
        let base = found.base().map(|(_, base)| base);
        let length = found.uri().len() + base.map_or(0, str::len) + target.len();
        if !open.collected.take(length) || self.rows.bytes() - open.before > MAX_PAGE {
            let what = "the page has more links than the limit";
            open.problem.get_or_insert_with(|| what.to_owned());
            open.skipped += 1;
            return;
        }
        let (host, domain) = hosts(&target, &self.options.suffixes);
        let place = found.place();
        open.links += 1;
        self.rows.push(&Link {
            uri: found.uri(),
            base,
            target: &target,
            host: host.as_deref(),
            domain: domain.as_deref(),
            element: place.element(),
            attribute: place.attribute(),
            rel: place.rel(),
            field: place.field(),
        });
    }

    /// Ends the open page, if any.
    fn end_page(&mut self) -> ControlFlow<()> {
        let Some(mut open) = self.open.take() else {
            return ControlFlow::Continue(());
        };
        if let Some(metadata) = &open.metadata {
            match serde_json::from_slice::<Wat<'_>>(metadata) {
                Ok(wat) => {
                    let Some(response) = wat.response() else {
                        if open.links == 0 {
                            return ControlFlow::Continue(());
                        }
                        // This code is never reached, because only responses have links.
                        return self.row(&open);
                    };
                    open.status = response.status();
                    open.media_type = essence(&response.media_type());
                }
                Err(error) => {
                    open.problem.get_or_insert_with(|| error.to_string());
                }
            }
        }
        self.row(&open)
    }

    fn row(&mut self, open: &Open) -> ControlFlow<()> {
        self.has_problem |= open.problem.is_some();
        let (host, domain) = match &open.page {
            Some(page) => hosts(page, &self.options.suffixes),
            None => (None, None),
        };
        self.rows.end_page(&Page {
            file: &self.options.file,
            url: Some(&open.url),
            normal: open.page.as_deref(),
            host: host.as_deref(),
            domain: domain.as_deref(),
            media_type: Some(&*open.media_type).filter(|name| !name.is_empty()),
            problem: open.problem.as_deref(),
            status: open.status,
            skipped: open.skipped,
        });
        self.flush_if_full()
    }

    /// Adds a row for the part of the archive that cannot be read.
    fn damaged(&mut self, problem: &str) -> ControlFlow<()> {
        self.has_problem = true;
        self.rows.end_page(&Page {
            file: &self.options.file,
            problem: Some(problem),
            ..Page::default()
        });
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> ControlFlow<()> {
        if self.rows.bytes() < self.options.batch_bytes {
            return ControlFlow::Continue(());
        }
        self.flush()
    }

    fn flush(&mut self) -> ControlFlow<()> {
        match self.rows.take() {
            Ok(batch) => match (self.send)(batch) {
                Ok(()) => ControlFlow::Continue(()),
                Err(Stopped) => ControlFlow::Break(()),
            },
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Returns a media type without its parameters.
fn essence(media_type: &str) -> String {
    let name = media_type.split(';').next().unwrap_or_default();
    name.trim().to_ascii_lowercase()
}

/// Normalizes the URL of a page, after repairing it if it is invalid.
fn repaired(url: &str) -> Option<String> {
    normal(url).or_else(|| normal(urikit::repair(url).ok()?.reference.as_str()))
}

/// Normalizes a target: an IRI becomes a URI, in the normal form of its scheme. Returns `None` if
/// the target has no host, as in `mailto:`, because such a target is not a page.
fn normal(target: &str) -> Option<String> {
    let uri = if target.is_ascii() {
        Cow::Borrowed(target)
    } else {
        let iri = urikit::Iri::parse(target).ok()?;
        let uri = iri.to_uri_idna().unwrap_or_else(|_| iri.to_uri());
        Cow::Owned(uri.into_string())
    };
    let uri = Standard::Rfc3986.parse(&uri).ok()?;
    uri.host().filter(|host| !host.as_str().is_empty())?;
    let mut normal = String::with_capacity(target.len() + 1);
    uri.normalize_into(Level::Scheme, &mut normal);
    Some(normal)
}

/// Returns the host and the registrable domain of a normalized URI, both reversed. Returns `None`
/// for the host and the domain if the host is an address or contains escapes.
fn hosts(uri: &str, suffixes: &List) -> (Option<String>, Option<String>) {
    let Ok(uri) = Standard::Rfc3986.parse(uri) else {
        return (None, None);
    };
    let host = uri.host().map(|host| host.as_str());
    let host = host.filter(|host| !host.contains('%'));
    match host.and_then(|host| suffixes.domain(host)) {
        Some(domain) => (
            Some(reversed(domain.name())),
            domain.registrable().map(reversed),
        ),
        None => (None, None),
    }
}

/// Reverses the labels of a name: `www.example.com` becomes `com.example.www`.
fn reversed(name: &str) -> String {
    let mut reversed = String::with_capacity(name.len());
    for label in name.rsplit('.') {
        if !reversed.is_empty() {
            reversed.push('.');
        }
        reversed.push_str(label);
    }
    reversed
}

/// The data of a WAT record, except its links.
#[derive(Deserialize)]
struct Wat<'w> {
    #[serde(borrow, rename = "Envelope")]
    envelope: Option<Envelope<'w>>,
}

#[derive(Deserialize)]
struct Envelope<'w> {
    #[serde(borrow, rename = "Payload-Metadata")]
    payload: Option<Payload<'w>>,
}

#[derive(Deserialize)]
struct Payload<'w> {
    #[serde(borrow, rename = "HTTP-Response-Metadata")]
    response: Option<Response<'w>>,
}

#[derive(Deserialize)]
struct Response<'w> {
    #[serde(rename = "Response-Message")]
    message: Option<Message>,
    #[serde(borrow, rename = "Headers", default)]
    headers: HashMap<Cow<'w, str>, serde_json::Value>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "Status")]
    status: Option<serde_json::Value>,
}

impl<'w> Wat<'w> {
    fn response(self) -> Option<Response<'w>> {
        self.envelope?.payload?.response
    }
}

impl Response<'_> {
    /// The status code, which is a string.
    fn status(&self) -> Option<i32> {
        self.message
            .as_ref()?
            .status
            .as_ref()?
            .as_str()?
            .parse()
            .ok()
    }

    fn media_type(&self) -> String {
        let mut headers = self.headers.iter();
        let found = headers.find(|(name, _)| name.eq_ignore_ascii_case("Content-Type"));
        let value = found.and_then(|(_, value)| value.as_str());
        value.unwrap_or_default().to_owned()
    }
}
