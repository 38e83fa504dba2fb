//! Messages on a terminal, in lines that fit it.

use crate::columns::columns;
use crate::safe::{char_width, width};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::LazyLock;

/// How much deeper the continuation of a message is indented.
const INDENT: usize = 2;

/// The narrowest terminal for which messages are wrapped.
const NARROWEST: usize = 20;

/// Writes a message, formatted as by `format!`, and ends its line.
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::screen::message(&format!($($argument)*))
    };
}
pub(crate) use say;

/// Writes a message to standard error, and ends its line; nothing if it is empty.
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
    // At once, so that nothing that others write there comes between its parts. If standard error
    // is closed, this cannot be reported.
    let _ = AutoStream::always(io::stderr()).write_all(shown.as_bytes());
}

/// Messages as standard error shows them: wrapped if it is a terminal.
pub(crate) fn fitted(messages: &str) -> Cow<'_, str> {
    static COLUMNS: LazyLock<Option<usize>> = LazyLock::new(|| {
        let is_terminal = io::stderr().is_terminal();
        columns(io::stderr()).filter(|columns| is_terminal && *columns >= NARROWEST)
    });
    match *COLUMNS {
        Some(columns) => wrapped(messages, INDENT, columns),
        None => Cow::Borrowed(messages),
    }
}

/// The lines of `text`, those wider than `columns` broken at spaces if possible, and continued
/// `indent` columns deeper. A reference with a caret in the next line is cut around the caret
/// instead.
pub(crate) fn wrapped(text: &str, indent: usize, columns: usize) -> Cow<'_, str> {
    let columns = columns.max(NARROWEST);
    if text.lines().all(|line| shown_width(line) <= columns) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let caret = lines.next_if(|next| shown(next).trim_start() == "^");
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

/// A line without styles.
fn shown(line: &str) -> String {
    strip_str(line).to_string()
}

fn shown_width(line: &str) -> usize {
    strip_str(line).map(width).sum()
}

/// Appends a line, and its continuations with a deeper indentation.
fn wrap(out: &mut String, line: &str, deeper: usize, columns: usize) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = (indent + deeper).min(columns / 2);
    let mut at = 0;
    for word in line.split_inclusive(' ') {
        let needed = shown_width(word.trim_end());
        // A word that is longer than a line begins where it is.
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

/// Ends a line, and begins one that continues it. Returns its columns.
fn next_line(out: &mut String, indent: usize) -> usize {
    end_line(out);
    out.extend(std::iter::repeat_n(' ', indent));
    indent
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// Appends as much of a line as fits on both sides of the caret under it.
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
    // What is cut leaves a third of the line, or what there is, after the caret.
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
