//! What is found in one file: passed on while the file is read, and bounded by its length.

use super::choice::Kinds;
use super::collect::{Chunk, Found, Hashes};
use super::context::{Around, Context};
use super::judge::{Judge, Judged};
use super::places::Places;
use super::print::{Detail, Printer};
use crate::exit::Exit;
use crate::filter::{Filters, Verdict};
use crate::report::Reporter;
use crate::run::pool::Sink;
use std::borrow::Cow;
use std::mem;
use urikit_extract::Kind;
use urikit_extract::document;

/// A chunk of this many bytes is passed on.
const FULL: usize = 64 << 10;

/// How much may be printed for each byte that was read, and for each reference. A base URI, which
/// every target repeats, may have 8 KiB; all else that is printed comes from the document, and an
/// invalid byte takes the most: its escapes, and the change that the repair made.
const PER_BYTE: u64 = 64;
const PER_REFERENCE: u64 = 8 << 10;

/// Which references are printed, and how.
pub(super) struct Wanted {
    pub(super) kinds: Vec<Kinds>,
    pub(super) schemes: Vec<String>,
    pub(super) places: Places,
    pub(super) filters: Option<Filters>,
    pub(super) unique: bool,
    pub(super) judge: Judge,
    /// The exit status when a reference is not valid.
    pub(super) if_invalid: Exit,
    pub(super) printer: Printer,
    pub(super) reporter: Reporter,
    /// Whether the first reference of each file is enough.
    pub(super) only_first: bool,
    /// The lines around references that are printed too.
    pub(super) around: Option<Around>,
}

impl Wanted {
    fn has_kind(&self, kind: Kind) -> bool {
        self.kinds.iter().any(|kinds| kinds.contains(kind))
    }

    fn has_scheme_of(&self, uri: &str) -> bool {
        let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let is_it = |name: &String| name.eq_ignore_ascii_case(scheme);
        self.schemes.is_empty() || self.schemes.iter().any(is_it)
    }

    /// Whether the filters want this one.
    fn passes_filters(&self, uri: &str) -> bool {
        let is_wanted = |filters: &Filters| filters.verdict(uri.into()) == Verdict::Wanted;
        self.filters.as_ref().is_none_or(is_wanted)
    }
}

/// The results of one file, or of an entry in it.
pub(super) struct Results<'r> {
    wanted: &'r Wanted,
    /// The file.
    source: &'r str,
    /// The same, or the path of an entry in it.
    name: Cow<'r, str>,
    sink: &'r Sink<Found>,
    chunk: Chunk,
    /// How many bytes may still be printed.
    allowed: u64,
    /// How many references were left out.
    left_out: u64,
    context: Option<Context>,
    has_any: bool,
    is_closed: bool,
}

impl<'r> Results<'r> {
    pub(super) fn new(wanted: &'r Wanted, name: &'r str, sink: &'r Sink<Found>) -> Self {
        Self::with(wanted, name, Cow::Borrowed(name), sink)
    }

    /// The results of an entry of a file.
    pub(super) fn of_entry(
        wanted: &'r Wanted,
        source: &'r str,
        path: String,
        sink: &'r Sink<Found>,
    ) -> Self {
        Self::with(wanted, source, Cow::Owned(path), sink)
    }

    fn with(
        wanted: &'r Wanted,
        source: &'r str,
        name: Cow<'r, str>,
        sink: &'r Sink<Found>,
    ) -> Self {
        Self {
            wanted,
            source,
            name,
            sink,
            chunk: Chunk::default(),
            allowed: 0,
            left_out: 0,
            context: wanted.around.map(Context::new),
            has_any: false,
            is_closed: false,
        }
    }

    /// Records that these bytes are read next.
    pub(super) fn will_read(&mut self, piece: &[u8]) {
        self.allowed += PER_BYTE * u64::try_from(piece.len()).unwrap_or(u64::MAX / PER_BYTE);
        if let Some(context) = &mut self.context {
            context.read(piece);
        }
    }

    /// Records that all references so far were taken. Passes them on if that is `urgent`, because
    /// what follows may not come for a long time.
    pub(super) fn pause(&mut self, urgent: bool) {
        if let Some(context) = &mut self.context {
            let (printer, out) = (self.wanted.printer, &mut self.chunk.out);
            context.settle(&mut |piece| printer.context(&piece, &self.name, out));
        }
        if self.chunk.len() >= FULL || urgent {
            self.send();
        }
    }

    fn send(&mut self) {
        let chunk = mem::take(&mut self.chunk);
        self.is_closed = !self.sink.put(Found::References(chunk));
    }

    /// Whether the rest of the file need not be read.
    pub(super) const fn is_enough(&self) -> bool {
        self.has_any && self.wanted.only_first
    }

    /// The name that is printed.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether no more results are wanted.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Takes a reference, if it was requested.
    pub(super) fn take(&mut self, reference: &document::Found<'_>) {
        let kind = reference.kind();
        if self.is_closed
            || self.is_enough()
            || !self.wanted.has_kind(kind)
            || !self.wanted.places.contain(reference.place())
        {
            return;
        }
        let judged = self.wanted.judge.judge(reference);
        let uri = judged.target.as_deref().unwrap_or(reference.uri());
        if !self.wanted.has_scheme_of(uri) || !self.wanted.passes_filters(uri) {
            return;
        }
        if !self.print(reference, &judged) {
            self.left_out += 1;
            return;
        }
        self.has_any = true;
        self.chunk
            .end(self.wanted.unique.then(|| Hashes::hash(uri)));
        self.report(reference, &judged);
        if self.chunk.len() >= FULL {
            self.send();
        }
    }

    /// Reports a reference that is not valid, or that had to be cut.
    fn report(&mut self, reference: &document::Found<'_>, judged: &Judged) {
        let Wanted {
            judge, reporter, ..
        } = self.wanted;
        let Some(at) = reference.position() else {
            // Messages are not wanted.
            if judged.failure.is_some() {
                self.chunk.exit = self.chunk.exit.max(self.wanted.if_invalid);
            }
            return;
        };
        let place = || reporter.place_in(&self.name, at.line, at.column);
        if let Some(failure) = &judged.failure {
            let repaired = judged.repaired.as_ref().map(|repaired| &*repaired.text);
            self.chunk.exit = self.chunk.exit.max(self.wanted.if_invalid);
            let messages = &mut self.chunk.messages;
            let reader = judge.reader_of(reference);
            let uri = reference.uri();
            reporter.invalid_reference(&place(), uri, reader, failure, repaired, messages);
        }
        if reference.is_cut() {
            reporter.cut_reference(&place(), reference.uri(), &mut self.chunk.messages);
        }
    }

    /// Prints a reference, if that is allowed; else without the list of changes; else not.
    fn print(&mut self, reference: &document::Found<'_>, judged: &Judged) -> bool {
        let printer = self.wanted.printer;
        let name = if printer.json {
            self.source
        } else {
            &self.name
        };
        let mut own = Vec::new();
        // With context, it waits until its line is complete.
        let out = match &self.context {
            Some(_) => &mut own,
            None => &mut self.chunk.out,
        };
        let before = out.len();
        for detail in [Detail::All, Detail::NoChanges] {
            printer.print(reference, judged, name, detail, out);
            let more = u64::try_from(out.len() - before).unwrap_or(u64::MAX);
            let allowed = self.allowed + PER_REFERENCE;
            if let Some(left) = allowed.checked_sub(more) {
                self.allowed = left;
                if let Some(context) = &mut self.context {
                    context.found(reference.range(), own);
                }
                return true;
            }
            out.truncate(before);
        }
        false
    }

    /// Passes on the rest. Returns messages, and whether references were left out.
    pub(super) fn finish(mut self) -> (Vec<String>, bool) {
        let mut messages = Vec::new();
        if let Some(context) = self.context {
            let (printer, out) = (self.wanted.printer, &mut self.chunk.out);
            let without = context.finish(&mut |piece| printer.context(&piece, &self.name, out));
            if without > 0 {
                messages.push(format!(
                    "references without context, because they were found too far after their \
                     lines: {without}"
                ));
            }
        }
        self.sink.put(Found::References(self.chunk));
        if self.left_out > 0 {
            messages.push(format!(
                "references left out, because more than {PER_BYTE} times the file and \
                 {PER_REFERENCE} bytes for each would be printed: {}",
                self.left_out
            ));
        }
        (messages, self.left_out > 0)
    }
}
