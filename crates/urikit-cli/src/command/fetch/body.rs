//! Writes bodies and lists to standard output or into files, with a progress bar.

use super::list::{ListStyle, Printer};
use super::partial::{Partial, Resume};
use crate::output::Spill;
use crate::safe::is_safe;
use crate::stdout::{Stdout, stdout};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};
use urikit_access::listing::Entry;
use urikit_access::{Metadata, Sink};

/// The destination of one body.
pub(super) enum Target {
    /// Discards the body.
    Discard,
    Stdout,
    /// Standard output, after the bodies of all earlier references.
    InOrder(Spill),
    File(Box<Partial>),
}

impl Target {
    /// Returns the byte to resume at, and the version of the bytes before it.
    pub(super) fn resumed(&self, resume: Option<Resume>) -> (u64, Option<String>) {
        match (self, resume) {
            (Self::File(partial), _) => partial.resumed().map_or((0, None), |(offset, version)| {
                (offset, Some(version.to_owned()))
            }),
            (Self::Stdout | Self::InOrder(_), Some(Resume::At(offset))) => (offset, None),
            _ => (0, None),
        }
    }

    /// Returns the reason why an existing file cannot be resumed.
    pub(super) const fn note(&self) -> Option<&'static str> {
        match self {
            Self::File(partial) => partial.note(),
            Self::Discard | Self::Stdout | Self::InOrder(_) => None,
        }
    }
}

/// A body on its way to its target.
pub(super) struct Body {
    writer: Writer,
    /// Makes bytes safe, if the target is a terminal.
    visible: Option<Visible>,
    printer: Printer,
    /// The text of an entry; reused.
    text: String,
    bar: Bar,
    wrote_output: bool,
}

enum Writer {
    Discard,
    Stdout(BufWriter<Stdout>),
    InOrder { waiting: Vec<u8>, spill: Spill },
    File(Box<Partial>),
}

/// The size of buffers, in bytes.
const BUFFER: usize = 64 << 10;

impl Body {
    /// A body that is written to `target`. `terminal` is true if standard output is a terminal. The
    /// bar is hidden if the output itself shows progress or is discarded.
    pub(super) fn new(target: Target, terminal: bool, list: ListStyle, mut bar: Bar) -> Self {
        let is_stdout = matches!(target, Target::Stdout | Target::InOrder(_));
        let is_file = matches!(target, Target::File(_));
        if !is_file && (terminal || !is_stdout) {
            bar.hide();
        }
        Self {
            writer: match target {
                Target::Discard => Writer::Discard,
                Target::Stdout => Writer::Stdout(BufWriter::with_capacity(BUFFER, stdout())),
                Target::InOrder(spill) => Writer::InOrder {
                    waiting: Vec::new(),
                    spill,
                },
                Target::File(partial) => Writer::File(partial),
            },
            visible: (terminal && is_stdout).then(Visible::default),
            printer: Printer::new(list, terminal && is_stdout),
            text: String::new(),
            bar,
            wrote_output: false,
        }
    }

    /// Returns true if anything was written to standard output.
    pub(super) const fn wrote_output(&self) -> bool {
        self.wrote_output
    }

    /// Ends the body. A complete file gets its final name.
    pub(super) fn end(mut self, is_complete: bool) -> io::Result<()> {
        let mut entries = String::new();
        self.printer.end(&mut entries);
        self.write(entries.as_bytes())?;
        self.bar.clear();
        match self.writer {
            Writer::Discard => Ok(()),
            Writer::Stdout(mut out) => out.flush(),
            Writer::InOrder { waiting, .. } if waiting.is_empty() => Ok(()),
            Writer::InOrder { waiting, spill } => spill.put(waiting),
            Writer::File(partial) => partial.end(is_complete),
        }
    }

    /// Writes bytes that are safe for the target.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let is_output = matches!(self.writer, Writer::Stdout(_) | Writer::InOrder { .. });
        self.wrote_output |= is_output && !bytes.is_empty();
        match &mut self.writer {
            Writer::Discard => Ok(()),
            Writer::Stdout(out) => out.write_all(bytes),
            Writer::InOrder { waiting, spill } => {
                waiting.extend_from_slice(bytes);
                if waiting.len() >= BUFFER {
                    return spill.put(std::mem::take(waiting));
                }
                Ok(())
            }
            Writer::File(partial) => partial.write(bytes),
        }
    }
}

impl Sink for Body {
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.bar.begin(metadata);
        match &mut self.writer {
            Writer::File(partial) => partial.begin(metadata),
            Writer::Discard | Writer::Stdout(_) | Writer::InOrder { .. } => Ok(()),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(visible) = &mut self.visible {
            let text = visible.show(bytes);
            self.write(text.as_bytes())?;
            // On a terminal, the text must appear as it arrives.
            if let Writer::Stdout(out) = &mut self.writer {
                out.flush()?;
            }
        } else {
            self.write(bytes)?;
        }
        self.bar.add(bytes.len());
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        self.printer.entry(entry, &mut text)?;
        self.write(text.as_bytes())?;
        text.clear();
        self.text = text;
        self.bar.add_entry();
        Ok(())
    }
}

/// Makes bytes safe for a terminal. Line ends and tabs stay. Unsafe characters, and bytes that are
/// not UTF-8, become U+FFFD.
#[derive(Default)]
struct Visible {
    /// The beginning of a character that is not complete yet.
    partial: Vec<u8>,
}

impl Visible {
    fn show(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.partial);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                match c {
                    '\n' | '\t' => text.push(c),
                    '\r' => {}
                    _ if is_safe(c) => text.push(c),
                    _ => text.push(char::REPLACEMENT_CHARACTER),
                }
            }
            let is_begun = std::str::from_utf8(chunk.invalid())
                .is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && is_begun {
                self.partial = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        text
    }
}

/// A progress bar on standard error, for transfers that take more than a second.
pub(super) struct Bar {
    is_wanted: bool,
    begun: Instant,
    size: Option<u64>,
    received: u64,
    entries: u64,
    shown: Option<ProgressBar>,
    /// The group of bars that are shown together, with the label of this one.
    group: Option<(MultiProgress, String)>,
}

/// The maximum length of a label, in characters.
const MAX_LABEL: usize = 40;

impl Bar {
    /// A single bar.
    pub(super) fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted: is_wanted && io::stderr().is_terminal(),
            begun: Instant::now(),
            size: None,
            received: 0,
            entries: 0,
            shown: None,
            group: None,
        }
    }

    /// Shows the bar together with others, with a label.
    pub(super) fn labelled(mut self, bars: &MultiProgress, label: &str) -> Self {
        let label = match label.char_indices().nth_back(MAX_LABEL) {
            Some((at, _)) => format!("…{}", label.get(at..).unwrap_or_default()),
            None => label.to_owned(),
        };
        self.group = Some((bars.clone(), label));
        self
    }

    /// Never shows the bar.
    pub(super) const fn hide(&mut self) {
        self.is_wanted = false;
    }

    fn begin(&mut self, metadata: &Metadata) {
        self.size = metadata.size;
        self.received = metadata.offset;
    }

    fn add(&mut self, bytes: usize) {
        self.received = self.received.saturating_add(bytes as u64);
        self.show();
    }

    fn add_entry(&mut self) {
        self.entries += 1;
        self.show();
    }

    fn show(&mut self) {
        if !self.is_wanted || self.begun.elapsed() < Duration::from_secs(1) {
            return;
        }
        let (size, group) = (self.size, &self.group);
        let bar = self.shown.get_or_insert_with(|| {
            let (bar, template) = match size {
                Some(size) => (
                    ProgressBar::new(size),
                    "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
                ),
                None => (
                    ProgressBar::no_length(),
                    "{spinner} {bytes} {bytes_per_sec} {msg}",
                ),
            };
            let template = match group {
                Some(_) => format!("{{prefix}} {template}"),
                None => template.to_owned(),
            };
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            match group {
                Some((bars, label)) => bars.add(bar).with_prefix(label.clone()),
                None => bar,
            }
        });
        bar.set_position(self.received);
        if self.entries > 0 {
            bar.set_message(format!("{} entries", self.entries));
        }
    }

    /// Removes the bar from the terminal.
    fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Visible;

    #[test]
    fn terminals_get_only_safe_text() {
        let mut visible = Visible::default();
        assert_eq!(visible.show(b"a\tb\r\n\x1b[2J\xc3"), "a\tb\n\u{FFFD}[2J");
        assert_eq!(visible.show(b"\xa9\xff."), "é\u{FFFD}.");
    }
}
