//! Wraps messages to the width of the terminal.

use crate::columns::columns;
use crate::safe::{char_width, width};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};

/// The additional indentation of continuation lines, in columns.
const INDENT: usize = 2;

/// The minimum width at which messages are wrapped, in columns.
const NARROWEST: usize = 20;

/// Formats a message, and writes it to standard error with a newline.
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::screen::message(&format!($($argument)*))
    };
}
pub(crate) use say;

/// Writes a message to standard error with a newline. Writes nothing if the message is empty.
pub(crate) fn message(text: &str) {
    if text.is_empty() {
        return;
    }
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut shown = fitted(text).into_owned();
    shown.push('\n');
    if AutoStream::choice(&io::stderr()) == ColorChoice::Never {
        shown = strip_str(&shown).to_string();
    }
    // One write keeps the output of other processes from splitting the message. An error cannot be
    // reported if standard error is closed.
    let _ = AutoStream::always(io::stderr()).write_all(shown.as_bytes());
}

/// Wraps messages for standard error, if it is a terminal.
pub(crate) fn fitted(messages: &str) -> Cow<'_, str> {
    if !io::stderr().is_terminal() {
        return Cow::Borrowed(messages);
    }
    match columns(io::stderr()).filter(|columns| *columns >= NARROWEST) {
        Some(columns) => wrapped(messages, INDENT, columns),
        None => Cow::Borrowed(messages),
    }
}

/// Wraps the lines of `text` that are wider than `columns`, at spaces if possible. Continuation
/// lines are indented by `indent` more columns. If the next line is a caret, the line is cut
/// around the caret instead of wrapped.
pub(crate) fn wrapped(text: &str, indent: usize, columns: usize) -> Cow<'_, str> {
    let columns = columns.max(NARROWEST);
    if text.lines().all(|line| shown_width(line) <= columns) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let caret = lines.next_if(|next| without_styles(next).trim_start() == "^");
        match caret {
            Some(caret) => cut(&mut out, line, caret, columns),
            None => wrap(&mut out, line, indent, columns),
        }
    }
    if !text.ends_with('\n') {
        out.pop();
    }
    Cow::Owned(out)
}

/// Removes the styling from a line.
fn without_styles(line: &str) -> String {
    strip_str(line).to_string()
}

fn shown_width(line: &str) -> usize {
    strip_str(line).map(width).sum()
}

/// Appends a line, wrapped. Continuation lines are indented by `deeper` more columns.
fn wrap(out: &mut String, line: &str, deeper: usize, columns: usize) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = (indent + deeper).min(columns / 2);
    let mut at = 0;
    for word in line.split_inclusive(' ') {
        let needed = shown_width(word.trim_end());
        // A word that is too long for any line is not moved to a new line.
        if at > indent && at + needed > columns && indent + needed <= columns {
            at = next_line(out, indent);
        }
        let mut is_escape = false;
        for c in word.chars() {
            is_escape |= c == '\x1b';
            if is_escape {
                is_escape = !c.is_ascii_alphabetic();
                out.push(c);
                continue;
            }
            let needed = char_width(c);
            if at + needed > columns {
                if c == ' ' {
                    continue;
                }
                at = next_line(out, indent);
            }
            out.push(c);
            at += needed;
        }
    }
    end_line(out);
}

/// Starts a continuation line, and returns its width so far, in columns.
fn next_line(out: &mut String, indent: usize) -> usize {
    end_line(out);
    out.extend(std::iter::repeat_n(' ', indent));
    indent
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// Appends the part of a line around its caret that fits the width, and then the caret.
fn cut(out: &mut String, line: &str, caret: &str, columns: usize) {
    let at = shown_width(caret) - 1;
    if shown_width(line) <= columns && at < columns {
        out.extend([line, "\n", caret, "\n"]);
        return;
    }
    let (indent, text) = line.split_at_checked(2).unwrap_or(("", line));
    let room = columns - indent.len();
    let mut at = at.saturating_sub(indent.len());
    let mut rest = text.chars();
    out.push_str(indent);
    // If the beginning is cut off, a third of the width is kept for the text after the caret.
    let wanted = room * 2 / 3;
    if at > wanted {
        let mut dropped = 0;
        while dropped < at - wanted + 1 {
            let Some(c) = rest.next() else { break };
            dropped += char_width(c);
        }
        out.push('…');
        at = at + 1 - dropped;
    }
    let left: usize = rest.clone().map(char_width).sum();
    let used = usize::from(rest.as_str().len() < text.len());
    if used + left <= room {
        out.push_str(rest.as_str());
    } else {
        let mut free = room - used - 1;
        for c in rest {
            let needed = char_width(c);
            if needed > free {
                break;
            }
            free -= needed;
            out.push(c);
        }
        out.push('…');
    }
    out.push('\n');
    out.push_str(indent);
    out.extend(std::iter::repeat_n(' ', at));
    out.extend([caret.trim_start_matches(' '), "\n"]);
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(
            wrapped(
                "\x1b[31muri:\x1b[0m one two three four\n  and five\n",
                2,
                20
            ),
            "\x1b[31muri:\x1b[0m one two three\n  four\n  and five\n"
        );
        assert_eq!(
            wrapped("uri: aaaaaaaaaaaaaaaaaaaaaaaaa", 4, 20),
            "uri: aaaaaaaaaaaaaaa\n    aaaaaaaaaa"
        );
    }

    #[test]
    fn a_caret_stays_under_its_character() {
        let line = format!("  {}^{}", "a".repeat(30), "b".repeat(30));
        let caret = format!("  {}\x1b[31m^\x1b[0m", " ".repeat(30));
        assert_eq!(
            wrapped(&format!("{line}\n{caret}\n"), 2, 20),
            "  …aaaaaaaaaaa^bbbb…\n              \x1b[31m^\x1b[0m\n"
        );
        let line = format!("  ab^{}", "c".repeat(30));
        assert_eq!(
            wrapped(&format!("{line}\n    ^"), 2, 20),
            "  ab^cccccccccccccc…\n    ^"
        );
    }
}
