//! A body on its way to standard output or into a file.

use super::bar::Bar;
use super::list::Printer;
use super::partial::Partial;
use super::place::Opened;
use crate::output::{Output, Spill};
use crate::safe::is_safe;
use std::io::{self, BufWriter, StdoutLock, Write as _};
use urikit_access::listing::Entry;
use urikit_access::{Metadata, Sink};

/// Writes bytes and entries.
pub(super) struct Body {
    to: To,
    printer: Printer,
    /// What is printed of an entry: the same memory for each.
    text: String,
    bar: Bar,
    has_output: bool,
}

enum To {
    Nothing,
    Output {
        out: BufWriter<StdoutLock<'static>>,
        terminal: Option<Visible>,
    },
    /// Standard output, in the order of the references.
    Turn {
        waiting: Vec<u8>,
        spill: Spill,
        terminal: Option<Visible>,
    },
    File(Box<Partial>),
}

/// How much of a body is passed on at once.
const PIECE: usize = 64 << 10;

impl Body {
    pub(super) fn new(
        opened: Opened,
        printer: impl FnOnce(bool) -> Printer,
        output: Output,
        (mut bar, spill): (Bar, Option<&Spill>),
    ) -> Self {
        let (to, shows_bar, terminal) = match opened {
            Opened::Nothing => (To::Nothing, false, output.terminal),
            Opened::Output => {
                if let Some(spill) = spill {
                    let to = To::Turn {
                        waiting: Vec::new(),
                        spill: spill.clone(),
                        terminal: output.terminal.then(Visible::default),
                    };
                    bar.hide_if(output.terminal);
                    return Self {
                        to,
                        printer: printer(output.terminal),
                        text: String::new(),
                        bar,
                        has_output: false,
                    };
                }
                let out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
                let terminal = output.terminal.then(Visible::default);
                (
                    To::Output { out, terminal },
                    !output.terminal,
                    output.terminal,
                )
            }
            Opened::File(partial) => (To::File(partial), true, false),
        };
        Self {
            to,
            printer: printer(terminal),
            text: String::new(),
            bar: {
                bar.hide_if(!shows_bar);
                bar
            },
            has_output: false,
        }
    }

    /// Ends the body, which is complete or not.
    pub(super) fn end(mut self, is_complete: bool) -> io::Result<()> {
        let mut entries = String::new();
        self.printer.end(&mut entries);
        self.print(entries.as_bytes())?;
        self.bar.end();
        match self.to {
            To::Nothing => Ok(()),
            To::Output { mut out, .. } => out.flush(),
            To::Turn { waiting, spill, .. } => {
                if waiting.is_empty() {
                    Ok(())
                } else {
                    spill.put(waiting)
                }
            }
            To::File(partial) => partial.end(is_complete),
        }
    }

    /// Whether something was written to standard output.
    pub(super) const fn has_output(&self) -> bool {
        self.has_output
    }

    /// Writes text that is safe for a terminal.
    fn print(&mut self, text: &[u8]) -> io::Result<()> {
        self.has_output |= self.is_output() && !text.is_empty();
        match &mut self.to {
            To::Nothing => Ok(()),
            To::Output { out, .. } => {
                self.bar.clear();
                out.write_all(text)
            }
            To::Turn { waiting, spill, .. } => pass_on(waiting, text, spill),
            To::File(partial) => partial.write(text),
        }
    }

    const fn is_output(&self) -> bool {
        matches!(self.to, To::Output { .. } | To::Turn { .. })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.has_output |= self.is_output() && !bytes.is_empty();
        match &mut self.to {
            To::Nothing => Ok(()),
            To::Output {
                out,
                terminal: None,
            } => out.write_all(bytes),
            To::Output {
                out,
                terminal: Some(visible),
            } => {
                self.bar.clear();
                out.write_all(visible.show(bytes).as_bytes())?;
                out.flush()
            }
            To::Turn {
                waiting,
                spill,
                terminal,
            } => match terminal {
                None => pass_on(waiting, bytes, spill),
                Some(visible) => pass_on(waiting, visible.show(bytes).as_bytes(), spill),
            },
            To::File(partial) => partial.write(bytes),
        }
    }
}

/// Adds bytes to those that wait, and passes them on if there are enough.
fn pass_on(waiting: &mut Vec<u8>, bytes: &[u8], spill: &Spill) -> io::Result<()> {
    waiting.extend_from_slice(bytes);
    if waiting.len() >= PIECE {
        return spill.put(std::mem::take(waiting));
    }
    Ok(())
}

impl Sink for Body {
    fn begin(&mut self, known: &Metadata) -> io::Result<()> {
        self.bar.begin(known);
        match &mut self.to {
            To::File(partial) => partial.begin(known),
            To::Nothing | To::Output { .. } | To::Turn { .. } => Ok(()),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)?;
        self.bar.add(bytes.len());
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        self.printer.entry(entry, &mut text)?;
        self.print(text.as_bytes())?;
        text.clear();
        self.text = text;
        self.bar.add_entry();
        Ok(())
    }
}

/// Makes bytes safe for a terminal: lines and tabs remain. Unsafe characters, and bytes that are
/// not UTF-8, become U+FFFD.
#[derive(Default)]
struct Visible {
    /// The start of a character whose rest has not arrived.
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
