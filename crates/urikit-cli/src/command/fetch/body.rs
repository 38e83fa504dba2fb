//! Writes bodies and lists to standard output or to files, with a progress bar.

use super::destination::name_in;
use super::list::{ListStyle, Printer};
use super::partial::{Partial, Resume};
use crate::output::Spill;
use crate::safe::is_safe;
use crate::stdout::{Stdout, stdout};
use indicatif::{HumanBytes, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use urikit_access::listing::Entry;
use urikit_access::{Hop, Metadata, Sink};

/// The destination of one body.
pub(super) enum Target {
    /// Discards the body.
    Discard,
    Stdout {
        /// True if bodies are written unchanged, even to a terminal.
        is_explicit: bool,
    },
    /// Standard output, after the bodies of all earlier references.
    InOrder(Spill),
    File(Box<Partial>),
    /// A new file in this folder. The server may choose the name; otherwise, the given name is
    /// used.
    ByHeader {
        folder: PathBuf,
        otherwise: OsString,
    },
}

impl Target {
    /// Returns the offset to resume at, and the version of the bytes before it.
    pub(super) fn resumed(&self, resume: Option<Resume>) -> (u64, Option<String>) {
        match (self, resume) {
            (Self::File(partial), _) => partial.resumed().map_or((0, None), |(offset, version)| {
                (offset, Some(version.to_owned()))
            }),
            (Self::Stdout { .. } | Self::InOrder(_), Some(Resume::At(offset))) => (offset, None),
            _ => (0, None),
        }
    }

    /// Returns the reason why a transfer cannot resume from an existing file.
    pub(super) const fn note(&self) -> Option<&'static str> {
        match self {
            Self::File(partial) => partial.note(),
            Self::Discard | Self::Stdout { .. } | Self::InOrder(_) | Self::ByHeader { .. } => None,
        }
    }
}

/// A body while it is being written to its target.
pub(super) struct Body {
    writer: Writer,
    /// Makes bytes safe to print, if the target is a terminal.
    visible: Option<Visible>,
    printer: Printer,
    /// A reusable buffer for the text of an entry.
    text: String,
    bar: Bar,
    wrote_output: bool,
    /// The number of body bytes received so far.
    received: u64,
    /// True if the body explains an error that the server reported.
    is_error: bool,
    /// The path of a file whose name the server chose.
    chosen: Option<PathBuf>,
    /// With `-i`, the response heads that have not been written yet.
    heads: Option<Vec<u8>>,
}

enum Writer {
    Discard,
    Stdout(BufWriter<Stdout>),
    InOrder {
        waiting: Vec<u8>,
        spill: Spill,
    },
    File(Box<Partial>),
    /// The file has not been created yet.
    ByHeader {
        folder: PathBuf,
        otherwise: OsString,
    },
}

/// The size of buffers, in bytes.
const BUFFER: usize = 64 << 10;

impl Body {
    /// Creates a body that is written to `target`. `terminal` is true if standard output is a
    /// terminal. The progress bar is hidden if the output itself shows progress or is discarded.
    pub(super) fn new(target: Target, terminal: bool, list: ListStyle, mut bar: Bar) -> Self {
        let is_stdout = matches!(target, Target::Stdout { .. } | Target::InOrder(_));
        let is_file = matches!(target, Target::File(_) | Target::ByHeader { .. });
        let is_unchanged = matches!(target, Target::Stdout { is_explicit: true });
        if !is_file && (terminal || !is_stdout) {
            bar.hide();
        }
        Self {
            writer: match target {
                Target::Discard => Writer::Discard,
                Target::Stdout { .. } => Writer::Stdout(BufWriter::with_capacity(BUFFER, stdout())),
                Target::InOrder(spill) => Writer::InOrder {
                    waiting: Vec::new(),
                    spill,
                },
                Target::File(partial) => Writer::File(partial),
                Target::ByHeader { folder, otherwise } => Writer::ByHeader { folder, otherwise },
            },
            visible: (terminal && is_stdout && !is_unchanged).then(Visible::default),
            printer: Printer::new(list, terminal && is_stdout),
            text: String::new(),
            bar,
            wrote_output: false,
            received: 0,
            is_error: false,
            chosen: None,
            heads: None,
        }
    }

    /// Chooses whether the head of each response is also written.
    pub(super) fn with_heads(mut self, is_wanted: bool) -> Self {
        self.heads = is_wanted.then(Vec::new);
        self
    }

    /// Returns the path of a file whose name the server chose.
    pub(super) fn chosen(&self) -> Option<PathBuf> {
        self.chosen.clone()
    }

    /// Returns true if the body explains an error that the server reported.
    pub(super) const fn is_error(&self) -> bool {
        self.is_error
    }

    /// Returns the number of body bytes received so far.
    pub(super) const fn received(&self) -> u64 {
        self.received
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
            Writer::Discard | Writer::ByHeader { .. } => Ok(()),
            Writer::Stdout(mut out) => out.flush(),
            Writer::InOrder { waiting, .. } if waiting.is_empty() => Ok(()),
            Writer::InOrder { waiting, spill } => spill.put(waiting),
            Writer::File(partial) => partial.end(is_complete),
        }
    }

    /// Writes bytes that have already been made safe for the target.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let is_output = matches!(self.writer, Writer::Stdout(_) | Writer::InOrder { .. });
        self.wrote_output |= is_output && !bytes.is_empty();
        match &mut self.writer {
            Writer::Discard | Writer::ByHeader { .. } => Ok(()),
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

/// Returns the head of a response as the server sent it, except that whitespace follows RFC 9112.
fn head_of(hop: &Hop) -> Vec<u8> {
    let version = hop.version.unwrap_or_default();
    let mut head = format!("{version} {}\r\n", hop.status_text());
    for (name, value) in &hop.attributes {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

impl Sink for Body {
    fn head(&mut self, response: &Hop) -> io::Result<()> {
        let Some(heads) = &mut self.heads else {
            return Ok(());
        };
        heads.extend(head_of(response));
        // A file is opened only when its body arrives.
        if matches!(self.writer, Writer::File(_) | Writer::ByHeader { .. }) {
            return Ok(());
        }
        let (heads, wrote_output) = (std::mem::take(heads), self.wrote_output);
        self.show(&heads)?;
        // Another attempt may follow even if a head has been written.
        self.wrote_output = wrote_output;
        Ok(())
    }

    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.bar.begin(metadata);
        self.is_error = metadata.is_error;
        if let Writer::ByHeader { folder, otherwise } = &self.writer {
            let name = name_in(metadata);
            let partial = Partial::reserve(folder, name.as_ref().unwrap_or(otherwise))?;
            self.chosen = Some(partial.path().to_owned());
            self.writer = Writer::File(Box::new(partial));
        }
        let Writer::File(partial) = &mut self.writer else {
            return Ok(());
        };
        let Some(heads) = &mut self.heads else {
            return partial.begin(metadata);
        };
        // A transfer cannot resume from a file that includes response heads, because the offsets in
        // it differ from those in the body.
        let mut metadata = metadata.clone();
        metadata.validator = None;
        partial.begin(&metadata)?;
        partial.write(&std::mem::take(heads))
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.received == 0 && self.visible.is_some() && is_binary(bytes) {
            let what = "the body is binary, and standard output is a terminal";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        self.received = self.received.saturating_add(bytes.len() as u64);
        self.show(bytes)?;
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

impl Body {
    /// Writes bytes, after making them safe for the target.
    fn show(&mut self, bytes: &[u8]) -> io::Result<()> {
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
        Ok(())
    }
}

/// Returns true if a body that begins with these bytes is binary, because they include a control
/// character that text does not contain. The escape character is allowed, because it may begin a
/// colour code.
fn is_binary(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\x0b\x0c\r\x08\x1b".contains(byte);
    bytes.iter().any(is_control)
}

/// Makes bytes safe for a terminal. Line endings and tabs are kept. Unsafe characters, and bytes
/// that are not UTF-8, become U+FFFD.
#[derive(Default)]
struct Visible {
    /// The beginning of an incomplete character.
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
    /// The number of bytes that a resumed transfer skips.
    offset: u64,
    received: u64,
    entries: u64,
    shown: Option<ProgressBar>,
    /// The time when the numbers were last updated.
    updated: Instant,
    /// The bars that are shown together.
    bars: MultiProgress,
    /// The text that distinguishes this bar from others.
    label: Option<String>,
}

/// The maximum length of a label, in characters.
const MAX_LABEL: usize = 40;

/// The interval between updates.
const PERIOD: Duration = Duration::from_millis(100);

impl Bar {
    /// A single bar.
    pub(super) fn new(is_wanted: bool, bars: &MultiProgress) -> Self {
        let now = Instant::now();
        Self {
            is_wanted: is_wanted && io::stderr().is_terminal(),
            begun: now,
            size: None,
            offset: 0,
            received: 0,
            entries: 0,
            shown: None,
            updated: now,
            bars: bars.clone(),
            label: None,
        }
    }

    /// Shows the bar, with a label, together with other bars.
    pub(super) fn labelled(mut self, label: &str) -> Self {
        self.label = Some(match label.char_indices().nth_back(MAX_LABEL) {
            Some((at, _)) => format!("…{}", label.get(at..).unwrap_or_default()),
            None => label.to_owned(),
        });
        self
    }

    /// Keeps the bar hidden.
    pub(super) const fn hide(&mut self) {
        self.is_wanted = false;
    }

    fn begin(&mut self, metadata: &Metadata) {
        self.size = metadata.size;
        (self.offset, self.received) = (metadata.offset, metadata.offset);
        self.begun = Instant::now();
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
        if self.shown.is_some() && self.updated.elapsed() < PERIOD {
            return;
        }
        self.updated = Instant::now();
        let text = self.rate();
        let bar = match &mut self.shown {
            Some(bar) => bar,
            shown => shown.insert(added(self.size, self.label.as_deref(), &self.bars)),
        };
        bar.set_position(self.received);
        bar.set_message(text);
    }

    /// Returns the average rate since the body began, the remaining time at this rate, and the
    /// number of entries.
    fn rate(&self) -> String {
        let millis = self.begun.elapsed().as_millis().max(1);
        let bytes = self.received.saturating_sub(self.offset);
        let rate = u128::from(bytes) * 1000 / millis;
        let rate = u64::try_from(rate).unwrap_or(u64::MAX);
        let mut text = format!("{}/s", HumanBytes(rate));
        let left = self.size.map(|size| size.saturating_sub(self.received));
        if let Some(seconds) = left.and_then(|left| left.checked_div(rate)) {
            let _ = write!(text, " {}", HumanDuration(Duration::from_secs(seconds)));
        }
        if self.entries > 0 {
            let _ = write!(text, " {} entries", self.entries);
        }
        text
    }

    /// Removes the bar from the terminal.
    fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

/// Adds a bar to the visible bars.
fn added(size: Option<u64>, label: Option<&str>, bars: &MultiProgress) -> ProgressBar {
    let (bar, template) = match size {
        Some(size) => (
            ProgressBar::new(size),
            "{wide_bar} {bytes}/{total_bytes} {msg}",
        ),
        None => (ProgressBar::no_length(), "{spinner} {bytes} {msg}"),
    };
    let template = match label {
        Some(_) => format!("{{prefix}} {template}"),
        None => template.to_owned(),
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    let bar = bars.add(bar);
    match label {
        Some(label) => bar.with_prefix(label.to_owned()),
        None => bar,
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
