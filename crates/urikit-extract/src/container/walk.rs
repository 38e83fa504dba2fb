//! Reads a file at all levels, from containers to their entries and references.

use super::limits::{Budget, Counted, Limits};
use super::{Container, Event, Problem, Record, arc, warc};
use crate::document::{Extractor, Format, Found, TooLong};
#[cfg(all(feature = "zip", feature = "xml"))]
use crate::markup::office::Part;
use crate::reader::Unpacker;
use core::cell::{Cell, RefCell};
use core::ops::ControlFlow;
use std::io::{self, Cursor, Read, Seek};

/// A file that can be read from any offset. Implemented for all types that are [`Read`] and
/// [`Seek`].
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// The source of the bytes of a container.
pub enum Input<'i> {
    /// A stream, read from start to end. PDFs, and archives that have their directory at the end,
    /// are buffered in memory.
    Stream(&'i mut dyn Read),
    /// A file that can be read from any offset, so that archives need not be buffered in memory.
    File(&'i mut dyn ReadSeek),
}

impl core::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Stream(_) => "Stream",
            Self::File(_) => "File",
        })
    }
}

/// Reads a complete input into memory. Returns `None` if the input is longer than `limit` bytes.
pub(super) fn in_memory(input: &mut dyn Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    input.take(more).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// Returns the length of a file, and rewinds it.
#[cfg(feature = "zip")]
fn length(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = file.seek(io::SeekFrom::End(0))?;
    file.rewind()?;
    Ok(length)
}

/// An input whose beginning can be examined before the input is read.
pub(super) struct Peeked<R> {
    head: Cursor<Vec<u8>>,
    /// The error that occurred after the head had been read.
    error: Option<io::Error>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// Reads the beginning of an input, up to this length.
    pub(super) fn new(mut rest: R, length: usize) -> Self {
        let mut head = Vec::new();
        let more = u64::try_from(length).unwrap_or(u64::MAX);
        let error = rest.by_ref().take(more).read_to_end(&mut head).err();
        let head = Cursor::new(head);
        Self { head, error, rest }
    }

    pub(super) fn head(&self) -> &[u8] {
        self.head.get_ref()
    }

    /// Returns the error that occurred after the head had been read.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.head.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.rest.read(buffer),
        }
    }
}

impl Extractor {
    /// Reads the container with this name, and calls `each` with the path of each entry and the
    /// [events](Event) of the entry, such as its references. Reading ends when `each` returns
    /// [`ControlFlow::Break`].
    ///
    /// An entry that cannot be read is reported as [`Event::Failed`], and the other entries are
    /// still read. References are relative to the base that the entry declares. If an entry does
    /// not declare a base, references are relative to the URL of the entry in a web archive, or
    /// otherwise to the base of this extractor.
    pub fn unpack(
        &self,
        container: Container,
        name: &str,
        input: Input<'_>,
        limits: Limits,
        each: &mut dyn FnMut(&str, Event<'_>) -> ControlFlow<()>,
    ) {
        let budget = Budget::new(limits);
        let mut walk = self.walk(&budget, each);
        let _ = match input {
            Input::Stream(input) => {
                let mut input = Counted {
                    budget: &budget,
                    inner: input,
                };
                walk.container(container, name, name, &mut input)
            }
            Input::File(file) => from_file(&mut walk, container, name, file),
        };
    }

    /// Reads the document with this name, and the archives attached to it if it is mail.
    ///
    /// Calls `each` with the events of the document, as for an entry of a container. The events of
    /// an attached archive are interleaved with those of the document. The paths of the archive's
    /// entries begin with the name of the document: `a.eml!/b.zip!/c.html`. An attachment without a
    /// name is identified by its number.
    ///
    /// If a limit is exceeded, unpacking stops, but the rest of the document is still read.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urikit_extract::container::{Event, Limits};
    /// use urikit_extract::document::{Extractor, Format};
    ///
    /// let mail = b"Content-Type: application/warc; name=b.warc\n\nWARC/1.0\nWARC-Type: resource\n\
    ///     WARC-Target-URI: http://a.example/\nContent-Type: text/css\nContent-Length: 12\n\n\
    ///     @import 'c';\n\n";
    /// let mut found = Vec::new();
    /// let limits = Limits::default();
    /// Extractor::new().read(Format::Mail, "a.eml", &mut &mail[..], limits, &mut |path, event| {
    ///     if let Event::Reference(reference) = event {
    ///         found.push((path.to_owned(), reference.target().unwrap()));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// let path = "a.eml!/b.warc!/http://a.example/";
    /// assert_eq!(found, [(path.to_owned(), "http://a.example/c".to_owned())]);
    /// ```
    pub fn read(
        &self,
        format: Format,
        name: &str,
        input: &mut dyn Read,
        limits: Limits,
        each: &mut dyn FnMut(&str, Event<'_>) -> ControlFlow<()>,
    ) {
        let budget = Budget::new(limits);
        let mut walk = self.walk(&budget, each);
        let mut input = Counted {
            budget: &budget,
            inner: input,
        };
        let _ = walk.document(&Entry::new(name, name), format, &mut input);
    }

    /// Starts reading a file.
    fn walk<'w>(&'w self, budget: &'w Budget, each: &'w mut Each<'w>) -> Walk<'w> {
        Walk {
            extractor: self,
            budget,
            each,
            opens: open,
            depth: 0,
        }
    }
}

/// Reads a container in a file that can be read from any offset.
fn from_file(
    walk: &mut Walk<'_>,
    container: Container,
    path: &str,
    file: &mut dyn ReadSeek,
) -> Flow {
    match container {
        #[cfg(feature = "zip")]
        Container::Zip => {
            match length(file) {
                Ok(length) => walk.budget.add_source(length),
                Err(error) => return walk.failed(path, &error.into()),
            }
            walk.depth += 1;
            super::archives::zip_entries(walk, path, file)
        }
        _ => {
            if let Err(error) = file.rewind() {
                return walk.failed(path, &error.into());
            }
            let budget = walk.budget;
            let mut input = Counted {
                budget,
                inner: file,
            };
            walk.container(container, path, path, &mut input)
        }
    }
}

/// Reads the entries of the container at a path, from start to end.
fn open(
    walk: &mut Walk<'_>,
    container: Container,
    path: &str,
    name: &str,
    input: &mut dyn Read,
) -> Flow {
    match container {
        #[cfg(feature = "gzip")]
        Container::Gzip => super::archives::gzip_entry(walk, path, name, input),
        #[cfg(feature = "zstd")]
        Container::Zstd => super::archives::zstd_entry(walk, path, name, input),
        #[cfg(feature = "xz")]
        Container::Xz => super::archives::xz_entry(walk, path, name, input),
        #[cfg(feature = "bzip2")]
        Container::Bzip2 => super::archives::bzip2_entry(walk, path, name, input),
        #[cfg(feature = "tar")]
        Container::Tar => super::archives::tar_entries(walk, path, input),
        #[cfg(feature = "zip")]
        Container::Zip => match walk.in_memory(path, input) {
            Ok(bytes) => super::archives::zip_entries(walk, path, &mut Cursor::new(bytes)),
            Err(flow) => flow,
        },
        #[cfg(feature = "pdf")]
        Container::Pdf => match walk.in_memory(path, input) {
            Ok(bytes) => super::pages::entries(walk, path, &bytes),
            Err(flow) => flow,
        },
        Container::Warc => warc::entries(walk, path, input),
        Container::Arc => arc::entries(walk, path, input),
        #[allow(unreachable_patterns)] // if all features are enabled
        other => {
            let _ = name;
            let what = format!("this build does not read {other} (cargo feature `{other}`)");
            walk.failed(path, &Problem::Unsupported(what))
        }
    }
}

/// The size of the pieces in which an entry is read, in bytes.
const PIECE: usize = 64 << 10;

/// The closure that receives the path of an entry and an event. The closure may end the walk early.
pub(super) type Each<'e> = dyn FnMut(&str, Event<'_>) -> ControlFlow<()> + 'e;

/// Determines whether to continue reading. Reading ends if a limit of the file is exceeded or the
/// closure wants no more events.
pub(super) type Flow = ControlFlow<()>;

/// Reads the entries of the container with this path and name.
pub(super) type OpenContainer = fn(&mut Walk<'_>, Container, &str, &str, &mut dyn Read) -> Flow;

/// Reads one file and everything nested in it.
pub(super) struct Walk<'w> {
    pub(super) extractor: &'w Extractor,
    pub(super) budget: &'w Budget,
    pub(super) each: &'w mut Each<'w>,
    pub(super) opens: OpenContainer,
    /// The number of containers that enclose the current entry.
    pub(super) depth: usize,
}

impl Walk<'_> {
    /// Reads the entries of the container at a path. `name` is the last part of the path.
    pub(super) fn container(
        &mut self,
        container: Container,
        path: &str,
        name: &str,
        input: &mut dyn Read,
    ) -> Flow {
        if let Err(limit) = self.budget.depth(self.depth + 1) {
            return self.failed(path, &limit.into());
        }
        self.depth += 1;
        let flow = (self.opens)(self, container, path, name, input);
        self.depth -= 1;
        flow
    }

    /// Reads an input into memory. If that fails, reports the failure and returns an error that
    /// says whether to continue.
    #[allow(dead_code)] // without the features that need it
    pub(super) fn in_memory(&mut self, path: &str, input: &mut dyn Read) -> Result<Vec<u8>, Flow> {
        let limit = self.extractor.max_length();
        match in_memory(input, limit) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(self.failed(path, &Problem::TooLong(TooLong { limit }))),
            Err(error) => Err(self.failed(path, &error.into())),
        }
    }

    /// Reports why an entry was not read, or was only partially read.
    pub(super) fn failed(&mut self, path: &str, problem: &Problem) -> Flow {
        // Libraries wrap the errors of `Unpacked`, so the limit is read from the budget.
        let exceeded = self.budget.exceeded();
        match exceeded {
            Some(limit) => {
                let _ = (self.each)(path, Event::Failed(&Problem::Limit(limit)));
                ControlFlow::Break(())
            }
            None => (self.each)(path, Event::Failed(problem)),
        }
    }

    /// Reads the content of a record of a web archive.
    pub(super) fn record(
        &mut self,
        entry: Entry<'_>,
        record: &Record<'_>,
        input: &mut dyn Read,
    ) -> Flow {
        (self.each)(entry.path, Event::Record(record))?;
        self.entry(entry, input)
    }

    /// Reads an entry of a container.
    pub(super) fn entry(&mut self, entry: Entry<'_>, input: &mut dyn Read) -> Flow {
        if let Err(limit) = self.budget.entry() {
            return self.failed(entry.path, &limit.into());
        }
        let mut input = Peeked::new(input, Format::GUESS_LENGTH);
        if let Some(container) = Container::guess(entry.name, input.head()) {
            return self.container(container, entry.path, entry.name, &mut input);
        }
        let format = entry.format;
        match format.or_else(|| Format::guess(entry.name, input.head())) {
            Some(format) => self.document(&entry, format, &mut input),
            None => match input.take_error() {
                Some(error) => self.failed(entry.path, &error.into()),
                None => (self.each)(entry.path, Event::Binary),
            },
        }
    }

    /// Reads a document, and the entries of the containers attached to it.
    pub(super) fn document(
        &mut self,
        entry: &Entry<'_>,
        format: Format,
        input: &mut dyn Read,
    ) -> Flow {
        let with_base = entry.base.map(|base| self.extractor.retrieved_from(base));
        let (extractor, long_bases) = match &with_base {
            // The header and the content of a response have the same base, which is counted once.
            Some((extractor, long)) if !entry.is_http_header => (extractor, *long),
            Some((extractor, _)) => (extractor, 0),
            None => (self.extractor, 0),
        };
        let document = Document {
            extractor: self.extractor,
            budget: self.budget,
            each: RefCell::new(&mut *self.each),
            opens: self.opens,
            depth: self.depth,
            path: entry.path,
            attached: Cell::new(0),
            flow: Cell::new(ControlFlow::Continue(())),
        };
        let begin = || {
            if entry.is_http_header {
                extractor.begin_http_header()
            } else {
                extractor.begin_with(format, Some(&document))
            }
        };
        #[cfg(all(feature = "zip", feature = "xml"))]
        let mut extraction = entry
            .part
            .map_or_else(begin, |part| extractor.begin_part(part));
        #[cfg(not(all(feature = "zip", feature = "xml")))]
        let mut extraction = begin();
        let mut buffer = vec![0; PIECE];
        let problem = loop {
            let length = match input.read(&mut buffer) {
                Ok(0) => break None,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Some(Problem::Io(error)),
            };
            let piece = buffer.get(..length).unwrap_or_default();
            document.take(Event::Bytes(piece));
            let pushed = extraction.push(piece, &mut |reference| document.found(reference));
            if let Err(error) = pushed {
                break Some(Problem::TooLong(error));
            }
            document.flow.get()?;
        };
        // References found before an error are still reported.
        let mut report = extraction.finish(&mut |reference| document.found(reference));
        report.exceeded.long_bases += long_bases;
        document.flow.get()?;
        match problem {
            Some(problem) => self.failed(entry.path, &problem),
            None => (self.each)(entry.path, Event::End(report)),
        }
    }

    /// Reports a reference that is not part of the text, such as a link in a PDF.
    #[cfg(feature = "pdf")]
    pub(super) fn link(&mut self, path: &str, uri: &str) -> Flow {
        let mut flow = ControlFlow::Continue(());
        let each = &mut *self.each;
        self.extractor.link(uri, &mut |reference| {
            flow = each(path, Event::Reference(&with_entry_path(reference, path)));
        });
        flow
    }
}

/// A document being read.
struct Document<'d> {
    extractor: &'d Extractor,
    budget: &'d Budget,
    each: RefCell<&'d mut Each<'d>>,
    opens: OpenContainer,
    depth: usize,
    path: &'d str,
    /// The number of containers attached to the document so far.
    attached: Cell<u64>,
    /// Indicates whether the closure wants more events.
    flow: Cell<Flow>,
}

impl Document<'_> {
    fn take(&self, event: Event<'_>) {
        if self.flow.get().is_continue() {
            self.flow.set((self.each.borrow_mut())(self.path, event));
        }
    }

    fn found(&self, reference: Found<'_>) {
        // At depth 0, the document is a file and not an entry.
        let reference = match self.depth {
            0 => reference,
            _ => with_entry_path(reference, self.path),
        };
        self.take(Event::Reference(&reference));
    }
}

impl Unpacker for Document<'_> {
    fn is_packed(&self, name: &str, head: &[u8]) -> bool {
        Container::guess(name, head).is_some()
    }

    fn unpack(&self, name: &str, mut file: &[u8]) {
        self.attached.set(self.attached.get() + 1);
        let Some(container) = Container::guess(name, file) else {
            return;
        };
        if self.flow.get().is_break() {
            return;
        }
        let number = self.attached.get().to_string();
        let name = if name.is_empty() { &number } else { name };
        let path = format!("{}!/{name}", self.path);
        let mut each = self.each.borrow_mut();
        let mut walk = Walk {
            extractor: self.extractor,
            budget: self.budget,
            each: &mut **each,
            opens: self.opens,
            depth: self.depth,
        };
        let flow = match self.budget.exceeded() {
            Some(limit) => walk.failed(&path, &limit.into()),
            None => walk.container(container, &path, name, &mut file),
        };
        // If a limit is exceeded, unpacking stops, but the document is still read.
        if self.budget.exceeded().is_none() {
            self.flow.set(flow);
        }
    }
}

/// Adds the path of the entry to a reference.
fn with_entry_path<'r>(mut reference: Found<'r>, path: &'r str) -> Found<'r> {
    reference.place = core::mem::take(&mut reference.place).with_entry(path);
    reference
}

/// The description of an entry in its container.
#[derive(Clone, Copy)]
pub(super) struct Entry<'e> {
    pub(super) path: &'e str,
    /// The name that the format may be guessed from.
    pub(super) name: &'e str,
    /// The format, if the container specifies it.
    pub(super) format: Option<Format>,
    /// The URL that the entry was retrieved from.
    pub(super) base: Option<&'e str>,
    /// True for the header of an HTTP response.
    pub(super) is_http_header: bool,
    /// The data needed to read the entry if it is a part of an office document.
    #[cfg(all(feature = "zip", feature = "xml"))]
    pub(super) part: Option<&'e Part>,
}

impl<'e> Entry<'e> {
    pub(super) const fn new(path: &'e str, name: &'e str) -> Self {
        Self {
            path,
            name,
            format: None,
            base: None,
            is_http_header: false,
            #[cfg(all(feature = "zip", feature = "xml"))]
            part: None,
        }
    }
}
