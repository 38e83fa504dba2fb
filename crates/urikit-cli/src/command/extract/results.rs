//! The results of one file, with a limit that depends on the file's length.

use super::Settings;
use super::context::Context;
use super::output::{Chunk, Output};
use super::summary::Summary;
use crate::filter::{Filters, Verdict};
use crate::report::CUT;
use crate::run::pool::Sink;
use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;
use urikit_extract::document::{Collected, Found};
use urikit_report::extract::{Detail, Judged};
use urikit_report::position::has_scheme;

/// The length in bytes at which a chunk is sent to the collector.
const FULL: usize = 64 << 10;

/// The number of bytes that the other keys in the JSON object of a reference may take, in addition
/// to what [`Collected::PER_BYTE`] allows.
const PER_REFERENCE: usize = 512;

/// The number of bytes that may still be printed for a file, including all its entries.
#[derive(Default)]
pub(super) struct Allowance(RefCell<Collected>);

impl Settings {
    /// Returns true if `--kinds` includes this kind.
    fn has_kind(&self, kind: urikit_extract::Kind) -> bool {
        self.kinds.iter().any(|kinds| kinds.contains(kind))
    }

    /// Returns true if the URI passes the filters of `--where`.
    fn passes_filters(&self, uri: &str) -> bool {
        let is_wanted = |filters: &Filters| filters.verdict(uri.into()) == Verdict::Wanted;
        self.filters.as_ref().is_none_or(is_wanted)
    }
}

/// The name of a file.
#[derive(Clone, Copy)]
pub(super) struct FileName<'n> {
    /// The name with U+FFFD in place of bytes that are not UTF-8.
    pub(super) text: &'n str,
    pub(super) bytes: &'n [u8],
}

/// The results of a file, or of an entry in an archive.
pub(super) struct Results<'r> {
    settings: &'r Settings,
    /// The name of the file.
    source: &'r str,
    /// The name of the file, or the path of an entry in it.
    name: Cow<'r, str>,
    /// The name printed before references, in bytes, because file names need not be UTF-8.
    printed: Cow<'r, [u8]>,
    sink: &'r Sink<Output>,
    chunk: Chunk,
    allowance: &'r Allowance,
    /// The number of omitted references.
    left_out: u64,
    summary: Summary,
    context: Option<Context>,
    has_any: bool,
    is_closed: bool,
}

impl<'r> Results<'r> {
    /// Creates the results for a file.
    pub(super) fn new(
        settings: &'r Settings,
        file: FileName<'r>,
        allowance: &'r Allowance,
        sink: &'r Sink<Output>,
    ) -> Self {
        Self::with(settings, file, Cow::Borrowed(file.text), allowance, sink)
    }

    /// Creates the results for an entry in a file.
    pub(super) fn of_entry(
        settings: &'r Settings,
        file: FileName<'r>,
        path: String,
        allowance: &'r Allowance,
        sink: &'r Sink<Output>,
    ) -> Self {
        Self::with(settings, file, Cow::Owned(path), allowance, sink)
    }

    fn with(
        settings: &'r Settings,
        file: FileName<'r>,
        name: Cow<'r, str>,
        allowance: &'r Allowance,
        sink: &'r Sink<Output>,
    ) -> Self {
        Self {
            settings,
            source: file.text,
            printed: settings.printer.printed_name(file, &name),
            name,
            sink,
            chunk: Chunk::default(),
            allowance,
            left_out: 0,
            summary: Summary::default(),
            context: settings.around.map(Context::new),
            has_any: false,
            is_closed: false,
        }
    }

    /// Announces the next bytes of the file before they are searched.
    pub(super) fn will_read(&mut self, piece: &[u8]) {
        self.allowance.0.borrow_mut().read(piece.len());
        if let Some(context) = &mut self.context {
            context.read(piece);
        }
    }

    /// Marks a point at which all references found so far have been accepted. If `urgent`, sends
    /// these references to the collector, because more input may take a long time to arrive.
    pub(super) fn pause(&mut self, urgent: bool) {
        if let Some(context) = &mut self.context {
            let (printer, out) = (self.settings.printer, &mut self.chunk.out);
            context.settle(&mut |piece| printer.context(&piece, &self.printed, out));
        }
        if self.chunk.len() >= FULL || urgent {
            self.send();
        }
    }

    /// Sends the chunk to the collector.
    fn send(&mut self) {
        let chunk = mem::take(&mut self.chunk);
        self.is_closed = !self.sink.put(Output::References(chunk));
    }

    /// Returns true if the rest of the file is not needed.
    pub(super) const fn is_enough(&self) -> bool {
        self.has_any && self.settings.only_first
    }

    /// Returns the name to print.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the collector has stopped.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Accepts a reference, or ignores it if the options exclude it.
    pub(super) fn take(&mut self, reference: &Found<'_>) {
        let kind = reference.kind();
        if self.is_closed
            || self.is_enough()
            || !self.settings.has_kind(kind)
            || !self.settings.places.contain(reference.place())
        {
            return;
        }
        let judged = self.settings.judge.judge(reference);
        let uri = judged.target.as_deref().unwrap_or(reference.uri());
        if !has_scheme(uri, &self.settings.schemes) || !self.settings.passes_filters(uri) {
            return;
        }
        if !self.print(reference, &judged) {
            self.left_out += 1;
            return;
        }
        self.has_any = true;
        let hash = self.settings.unique.as_ref().map(|hasher| hasher.hash(uri));
        self.chunk.end(hash);
        self.report(reference, &judged);
        if self.chunk.len() >= FULL {
            self.send();
        }
    }

    /// Reports a reference that is not valid or was cut off.
    fn report(&mut self, reference: &Found<'_>, judged: &Judged) {
        if reference.is_template() {
            return;
        }
        let Settings {
            judge, reporter, ..
        } = self.settings;
        if judged.failure.is_some() {
            self.chunk.exit = self.chunk.exit.max(self.settings.if_invalid);
        }
        if reporter.quiet {
            return;
        }
        // A link in a PDF has no position.
        let position = reference.position().map(|at| (at.line, at.column));
        let place = || reporter.place_in(&self.name, position);
        let uri = reference.uri();
        let (is_verbose, messages) = (self.settings.is_verbose, &mut self.chunk.messages);
        if let Some(failure) = &judged.failure {
            let reader = judge.reader_of(reference);
            if is_verbose {
                let repaired = judged.repaired.as_ref().map(|repaired| &*repaired.text);
                reporter.invalid_reference(&place(), uri, reader, failure, repaired, messages);
            } else {
                let why = reporter.why_invalid(uri, reader, failure);
                self.summary.add(why, place);
            }
        }
        if reference.is_cut() {
            if is_verbose {
                reporter.cut_reference(&place(), uri, messages);
            } else {
                self.summary.add(CUT.to_owned(), place);
            }
        }
    }

    /// Prints a reference. If the output would be too long, omits the list of changes. Returns
    /// false if the output would still be too long.
    fn print(&mut self, reference: &Found<'_>, judged: &Judged) -> bool {
        let printer = self.settings.printer;
        let name = (self.source, &*self.printed);
        let mut waiting = Vec::new();
        // With context lines, a reference is printed after its line.
        let out = match &self.context {
            Some(_) => &mut waiting,
            None => &mut self.chunk.out,
        };
        let before = out.len();
        for detail in [Detail::All, Detail::NoChanges] {
            printer.print(reference, judged, name, detail, out);
            let more = (out.len() - before).saturating_sub(PER_REFERENCE);
            if self.allowance.0.borrow_mut().take(more) {
                if let Some(context) = &mut self.context {
                    context.found(reference.range(), waiting);
                }
                return true;
            }
            out.truncate(before);
        }
        false
    }

    /// Returns the remaining results and messages, and true if references were omitted.
    pub(super) fn finish(mut self) -> (Chunk, Vec<String>, bool) {
        let mut messages = Vec::new();
        if let Some(context) = self.context {
            let (printer, out) = (self.settings.printer, &mut self.chunk.out);
            let without = context.finish(&mut |piece| printer.context(&piece, &self.printed, out));
            if without > 0 {
                messages.push(format!(
                    "references whose context lines were no longer available: {without}"
                ));
            }
        }
        let messages_so_far = &mut self.chunk.messages;
        self.summary
            .write(&self.name, self.settings.reporter, messages_so_far);
        if self.left_out > 0 {
            messages.push(format!(
                "references omitted, because the output would exceed 64 times the size of the \
                 unpacked file plus {PER_REFERENCE} bytes for each reference: {}",
                self.left_out
            ));
        }
        (self.chunk, messages, self.left_out > 0)
    }
}
