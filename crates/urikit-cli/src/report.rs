//! Error messages: the position, the error, the input with a caret, the expected characters, and
//! the rule.

use crate::input::{Change, Input, Repairs, Source, Tolerance};
use crate::rejected::Rejected;
use crate::safe::{quoted, safe};
use crate::style::{DIM, ERROR, NOTE};
use anstyle::Style;
use std::fmt::{self, Write as _};
use std::io;
use urikit::Standard;
use urikit::error::Caret;
use urikit_report::Reader;
use urikit_report::mask::{Masked, mask};
use urikit_report::reading::Failure;

/// The message about a link that had to be cut off.
pub(crate) const CUT: &str = "the link is cut off, but continues in the text";

/// The options for error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    pub(crate) quiet: bool,
    pub(crate) show_secrets: bool,
    /// True if output to standard error is coloured. Stripping the colours from many messages would
    /// cost as much as writing the messages.
    pub(crate) is_coloured: bool,
}

impl Reporter {
    /// Returns the style for standard error, or an empty style if its output is not coloured.
    pub(crate) const fn style(self, style: Style) -> Style {
        if self.is_coloured {
            style
        } else {
            Style::new()
        }
    }

    /// Reports an input that is invalid or has no result.
    pub(crate) fn invalid(
        self,
        input: Input<'_>,
        reader: Reader,
        failure: &Failure,
        out: &mut String,
    ) {
        if self.quiet {
            return;
        }
        let text = input.to_text();
        let masked = Masked::new(&text, self.show_secrets);
        let explained = explain_in(&masked, failure, |style| self.style(style));
        let place = place(input, failure.offset(), &masked);
        let what = failure.verdict(reader, &explained.summary);
        write(self, out, &place, &what, &explained.lines);
        if let Some(why) = input.given.repairs.and_then(Repairs::failed) {
            let _ = writeln!(out, "  {}", why.explain());
        }
        if is_iri(input, reader, failure) {
            let _ = writeln!(out, "  valid under RFC 3987: --standard rfc3987");
        }
    }

    /// Reports the changes that `--guess` and `--lenient` made to `input`.
    pub(crate) fn repaired(self, input: Input<'_>, tolerance: Tolerance, out: &mut String) {
        let Some(changed) = input.given.repairs.and_then(Repairs::made) else {
            return;
        };
        if self.quiet {
            return;
        }
        // Only inputs in UTF-8 are repaired.
        let text = input.given.unparsed.text.unwrap_or_default();
        let masked = Masked::new(text, self.show_secrets);
        let all = &changed.changes;
        let place = place(input, all.first().map(|change| change.offset), &masked);
        let note = self.style(NOTE);
        let document = tolerance.reader.document();
        let what = describe_all(all, &masked);
        let why = match (changed.is_guessed, changed.is_repaired) {
            (true, false) => "the scheme is guessed".to_owned(),
            (true, true) => "the scheme is guessed, and the rest repaired".to_owned(),
            _ => format!("repaired, because it is not valid under {document}"),
        };
        let _ = writeln!(out, "{note}uri: {place}{note:#}: {why}: {what}");
    }

    /// Reports that `input` was replaced by the form that browsers serialize.
    pub(crate) fn reserialized(self, input: Input<'_>, written: &str, out: &mut String) {
        if self.quiet {
            return;
        }
        let text = input.to_text();
        let place = place(input, None, &Masked::new(&text, self.show_secrets));
        let note = self.style(NOTE);
        let written = mask(written, self.show_secrets);
        let written = safe(&written);
        let _ = writeln!(
            out,
            "{note}uri: {place}{note:#}: reserialized as browsers write it: {written}"
        );
    }

    /// Reports an invalid reference in a file. `place` is the position where the reference begins,
    /// and `repaired` is the form that browsers change it to.
    pub(crate) fn invalid_reference(
        self,
        place: &str,
        text: &str,
        reader: Reader,
        failure: &Failure,
        repaired: Option<&str>,
        out: &mut String,
    ) {
        if self.quiet {
            return;
        }
        let masked = Masked::new(text, self.show_secrets);
        let explained = explain_in(&masked, failure, |style| self.style(style));
        let what = failure.verdict(reader, &explained.summary);
        write(self, out, place, &what, &explained.lines);
        if let Some(repaired) = repaired {
            let shown = Caret::new(&mask(repaired, self.show_secrets), 0).to_string();
            let shown = shown.lines().next().unwrap_or_default();
            let _ = writeln!(out, "  repaired: {shown}");
        }
    }

    /// Returns the reason why a reference in a file is not valid, on one line.
    pub(crate) fn why_invalid(self, text: &str, reader: Reader, failure: &Failure) -> String {
        let masked = Masked::new(text, self.show_secrets);
        let explained = explain_in(&masked, failure, |style| self.style(style));
        failure.verdict(reader, &explained.summary)
    }

    /// Reports what several references in a file have in common, and the position of the first one.
    pub(crate) fn reason(self, place: &str, what: &str, count: u64, out: &mut String) {
        if self.quiet {
            return;
        }
        match count {
            1 => write(self, out, place, what, &[]),
            many => {
                let what = format!("{what} (the first of {many}; -v reports each)");
                write(self, out, place, &what, &[]);
            }
        }
    }

    /// Reports a link in a file that was too long and had to be cut off.
    pub(crate) fn cut_reference(self, place: &str, text: &str, out: &mut String) {
        if self.quiet {
            return;
        }
        let shown = Caret::new(&mask(text, self.show_secrets), 0).to_string();
        let line = Line::Caret(shown.lines().next().unwrap_or_default().to_owned());
        write(self, out, place, CUT, &[line]);
    }

    /// Returns the position of a reference in a file, a line and a column, for messages.
    pub(crate) fn place_in(self, name: &str, position: Option<(usize, usize)>) -> String {
        let name = mask(name, self.show_secrets);
        let name = safe(&name);
        match position {
            Some((line, column)) => format!("{name}:{line}:{column}"),
            None => name.into_owned(),
        }
    }

    /// Reports that the `result` for `input` would be invalid.
    pub(crate) fn bad_result(
        self,
        input: Input<'_>,
        reader: Reader,
        result: &str,
        failure: &Failure,
        out: &mut String,
    ) {
        if self.quiet {
            return;
        }
        let result = Masked::new(result, self.show_secrets);
        let explained = explain_in(&result, failure, |style| self.style(style));
        let text = input.to_text();
        let place = place(input, None, &Masked::new(&text, self.show_secrets));
        let document = reader.document();
        let summary = explained.summary;
        let what = format!("the result would not be valid under {document}: {summary}");
        write(self, out, &place, &what, &explained.lines);
    }

    /// Returns the position of an input, for messages.
    pub(crate) fn place(self, input: Input<'_>) -> String {
        let text = String::from_utf8_lossy(input.bytes);
        place(input, None, &Masked::new(&text, self.show_secrets))
    }

    /// Reports an input that has no value.
    pub(crate) fn without_value(self, input: Input<'_>, why: &str, out: &mut String) {
        if !self.quiet {
            let place = place(input, None, &Masked::new("", self.show_secrets));
            write(self, out, &place, &safe(why), &[]);
        }
    }

    /// Returns a message with the number of rejected inputs and the reasons.
    pub(crate) fn rejected(self, rejected: &Rejected, inputs: u64, shown: u64) -> String {
        if self.quiet || rejected.total() == 0 {
            return String::new();
        }
        let style = self.style(ERROR);
        let total = rejected.total();
        let were = if total == 1 { "was" } else { "were" };
        let first = match shown {
            0 => String::new(),
            _ if shown >= total => String::new(),
            _ => format!("; only the first {shown} were reported"),
        };
        let lines = rejected.lines();
        format!("{style}uri:{style:#} {total} of {inputs} inputs {were} rejected{first}:\n{lines}")
    }

    /// Returns a message about a file.
    pub(crate) fn about(self, name: &str, message: &str) -> String {
        if self.quiet {
            return String::new();
        }
        // Users often pass a reference instead of a file name, so the name may contain a password.
        let name = mask(name, self.show_secrets);
        let style = self.style(ERROR);
        format!("{style}uri: {}{style:#}: {}\n", safe(&name), safe(message))
    }

    /// Reports a source that cannot be read.
    pub(crate) fn unreadable(self, source: &Source, error: &io::Error, out: &mut String) {
        out.push_str(&self.about(&source.name(), &io_message(error)));
    }
}

/// Returns true if RFC 3986 rejects an input that RFC 3987 accepts.
fn is_iri(input: Input<'_>, reader: Reader, failure: &Failure) -> bool {
    let is_rejected = matches!(failure, Failure::Rfc(_));
    is_rejected
        && reader == Reader::Rfc(Standard::Rfc3986)
        && input
            .text
            .is_some_and(|text| !text.is_ascii() && Standard::Rfc3987.parse(text).is_ok())
}

/// Writes a message: the position, the error, and the lines that explain the error.
fn write(reporter: Reporter, out: &mut String, place: &str, what: &str, lines: &[Line]) {
    let error = reporter.style(ERROR);
    let _ = writeln!(out, "{error}uri: {place}{error:#}: {what}");
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

/// Returns `FILE:LINE:COLUMN` or `argument N`. The column is counted in the masked text, because a
/// column in the original would reveal the length of a password.
fn place(input: Input<'_>, offset: Option<usize>, masked: &Masked<'_>) -> String {
    match input.source {
        Source::Arguments => format!("argument {}", input.number),
        source => {
            let name = source.name();
            let before = masked.before(offset.unwrap_or(0));
            let (line, column) = in_file(input, before);
            format!("{}:{line}:{column}", safe(&name))
        }
    }
}

/// Returns the line and the column, both counted from 1, of the character after this part of an
/// input.
fn in_file(input: Input<'_>, before: &str) -> (u64, usize) {
    if !input.is_quoted {
        return (input.number, input.column + before.chars().count() + 1);
    }
    // Cells may contain line breaks, and quotes in them are written twice.
    let lines = before.matches('\n').count() as u64;
    let (last, start) = match before.rsplit_once('\n') {
        Some((_, last)) => (last, 0),
        None => (before, input.column),
    };
    let column = last.chars().count() + last.matches('"').count();
    (input.number + lines, start + column + 1)
}

/// The maximum number of different changes in a message. If only one more change remains, it is
/// also described, because the text "1 more" would take as much space.
const MAX_CHANGES: usize = 4;

/// The maximum number of characters shown for each change in a message.
const MAX_CHANGED: usize = 24;

/// Describes the changes of a repair.
fn describe_all(changes: &[Change], masked: &Masked<'_>) -> String {
    let mut named: Vec<(String, usize)> = Vec::new();
    let mut more = 0;
    for change in changes {
        let what = describe(change, masked);
        if let Some((_, times)) = named.iter_mut().find(|(named, _)| *named == what) {
            *times += 1;
        } else if named.len() <= MAX_CHANGES {
            named.push((what, 1));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let counted = named.split_off(MAX_CHANGES);
        more += counted.iter().map(|(_, times)| times).sum::<usize>();
    }
    let mut all: Vec<_> = named
        .into_iter()
        .map(|(what, times)| match times {
            1 => what,
            many => format!("{what} ({many} times)"),
        })
        .collect();
    if more > 0 {
        all.push(format!("{more} more"));
    }
    all.join(", ")
}

/// Describes a change. If the change is in a password, the description omits the characters.
fn describe(change: &Change, masked: &Masked<'_>) -> String {
    let mut offsets = change.offset..change.offset + change.found.len();
    if offsets.any(|offset| masked.hides(offset)) {
        return "masked characters were changed".to_owned();
    }
    let [found, became] = [&change.found, &change.became].map(|text| {
        let end = text.char_indices().nth(MAX_CHANGED);
        let shown = end.and_then(|(end, _)| text.get(..end));
        match shown {
            Some(shown) => format!("{}…", quoted(shown.as_bytes())),
            None => quoted(text.as_bytes()),
        }
    });
    if change.found.is_empty() {
        format!("{became} was added")
    } else if change.became.is_empty() {
        format!("{found} was removed")
    } else {
        format!("{found} became {became}")
    }
}

/// The summary of an error at a character within a password.
pub(crate) const FOUND_MASKED: &str = "found a masked character (--show-secrets shows it)";

/// A failure, described in words.
pub(crate) struct Explained {
    /// A one-line description of the error.
    pub(crate) summary: String,
    /// The lines that explain the error.
    pub(crate) lines: Vec<Line>,
}

/// A line of an explanation.
pub(crate) enum Line {
    /// The input, or the caret below it.
    Caret(String),
    /// The expected characters or parts.
    Expected(String),
    /// The grammar rule that requires the expected characters or parts.
    Production(String),
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caret(text) | Self::Expected(text) | Self::Production(text) => f.write_str(text),
        }
    }
}

/// Describes a failure in words. Passwords are masked, and the text is safe for a terminal.
pub(crate) fn explain(bytes: &[u8], failure: &Failure, show_secrets: bool) -> Explained {
    let text = String::from_utf8_lossy(bytes);
    explain_in(&Masked::new(&text, show_secrets), failure, |style| style)
}

/// Describes a failure in words, with styles from `shown`.
fn explain_in(masked: &Masked<'_>, failure: &Failure, shown: impl Fn(Style) -> Style) -> Explained {
    let Some(offset) = failure.offset() else {
        let shown = Caret::new(&masked.text, 0).to_string();
        let line = shown.lines().next().unwrap_or_default().to_owned();
        return Explained {
            summary: failure.summary().into_owned(),
            lines: vec![Line::Caret(line)],
        };
    };
    // INVARIANT: the input is UTF-8 up to the offset, so the offset is the same in `text`.
    let summary = if masked.hides(offset) {
        FOUND_MASKED.to_owned()
    } else {
        failure.summary().into_owned()
    };
    let caret = Caret::new(&masked.text, masked.offset(offset)).to_string();
    let [error, dim] = [ERROR, DIM].map(shown);
    // The first line is the input, and the second is the caret.
    let mut lines: Vec<Line> = caret
        .lines()
        .enumerate()
        .map(|(number, line)| match line.strip_suffix('^') {
            Some(indent) if number == 1 => format!("{indent}{error}^{error:#}"),
            _ => line.to_owned(),
        })
        .map(Line::Caret)
        .collect();
    if let Some(expected) = failure.expected() {
        lines.push(Line::Expected(format!("expected {expected}")));
    }
    if let (Some(production), Some(section)) = (failure.production(), failure.section()) {
        let rule = format!("{dim}{production}, {section}{dim:#}");
        lines.push(Line::Production(rule));
    }
    Explained { summary, lines }
}

/// Returns the message that `count` binary files were skipped, to be printed after the name of the
/// first one.
pub(crate) fn skipped_message(count: u64) -> String {
    let others = match count {
        0 | 1 => String::new(),
        2 => ", as is 1 other file".to_owned(),
        many => format!(", as are {} other files", many - 1),
    };
    format!("skipped: it is binary{others} (--as sets the format)")
}

/// Returns the operating system's message without the error number.
pub(crate) fn io_message(error: &io::Error) -> String {
    let message = error.to_string();
    let Some(code) = error.raw_os_error() else {
        return message;
    };
    // This removes only the suffix that std appends, because the name of a file could contain the
    // same text.
    let end = format!(" (os error {code})");
    message.strip_suffix(&end).unwrap_or(&message).to_owned()
}
