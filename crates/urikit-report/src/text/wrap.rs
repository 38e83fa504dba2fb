//! Measures text in terminal columns, and wraps text into lines.

use crate::safe::{is_printable, is_safe};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Returns the width of safe text, in columns.
pub fn width(text: &str) -> usize {
    if is_printable(text) {
        text.len()
    } else {
        text.width()
    }
}

/// Returns the width of a character as [`safe`](crate::safe::safe) prints it, in columns.
pub fn char_width(c: char) -> usize {
    if is_safe(c) {
        c.width().unwrap_or(0)
    } else {
        1
    }
}

/// Wraps `text` into lines of at most `width` columns, at spaces if possible.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut columns = 0;
    for word in text.split_inclusive(' ') {
        let needed = word.trim_end().width();
        if columns > 0 && columns + needed > width {
            lines.push(std::mem::take(&mut line));
            columns = 0;
        }
        for c in word.chars() {
            let needed = c.width().unwrap_or(0);
            if columns + needed > width {
                if c == ' ' {
                    continue;
                }
                lines.push(std::mem::take(&mut line));
                columns = 0;
            }
            line.push(c);
            columns += needed;
        }
    }
    lines.push(line);
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_at_spaces_if_possible() {
        assert_eq!(wrap("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrap("aaaaaaaaaaaaa bb", 8), ["aaaaaaaa", "aaaaa bb"]);
        assert_eq!(wrap("例例例例例", 8), ["例例例例", "例"]);
        assert_eq!(wrap("", 8), [""]);
    }
}
