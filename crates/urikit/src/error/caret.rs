//! Shows text with a caret under the error.

use crate::visible::is_visible;

/// The number of characters shown on each side of the error.
const CONTEXT: usize = 30;

/// Displays text and, on a second line, a caret under one of its bytes.
///
/// The output is safe for terminals: characters that a terminal could interpret are replaced by
/// U+FFFD, and only the part around the error is shown if the text is long. Passwords are not
/// masked.
///
/// ```
/// use urikit::error::Caret;
/// assert_eq!(Caret::new("a\tb", 2).to_string(), "a\u{FFFD}b\n  ^");
/// assert_eq!(Caret::new("ab", 9).to_string(), "ab\n  ^"); // past the end: after the text
/// ```
///
/// `offset` counts bytes. An offset within a character is treated as the start of the character.
/// The position of the caret is counted in terminal columns; wide characters take two.
#[derive(Clone, Copy, Debug)]
pub struct Caret<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Caret<'a> {
    /// Creates a caret under the character at byte `offset` of `text`, or after its end.
    pub const fn new(text: &'a str, offset: usize) -> Self {
        Self { text, offset }
    }

    /// Returns the shortened text on each side of the error, and whether something was omitted
    /// there.
    fn neighbourhood(&self) -> (&'a str, bool, &'a str, bool) {
        let mut middle = self.offset.min(self.text.len());
        while !self.text.is_char_boundary(middle) {
            middle -= 1;
        }
        let (before, after) = self
            .text
            .split_at_checked(middle)
            .unwrap_or((self.text, ""));
        let start = before
            .char_indices()
            .rev()
            .nth(CONTEXT)
            .map_or(0, |(at, c)| at + c.len_utf8());
        let end = after
            .char_indices()
            .nth(CONTEXT)
            .map_or(after.len(), |(at, _)| at);
        (
            before.get(start..).unwrap_or(before),
            start > 0,
            after.get(..end).unwrap_or(after),
            end < after.len(),
        )
    }
}

impl core::fmt::Display for Caret<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        use core::fmt::Write as _;
        let (before, cut_before, after, cut_after) = self.neighbourhood();
        let mut column = 0;
        if cut_before {
            f.write_char('…')?;
            column += 1;
        }
        for c in before.chars() {
            f.write_char(shown(c))?;
            column += width(c);
        }
        for c in after.chars() {
            f.write_char(shown(c))?;
        }
        if cut_after {
            f.write_char('…')?;
        }
        f.write_char('\n')?;
        for _ in 0..column {
            f.write_char(' ')?;
        }
        f.write_char('^')
    }
}

/// Replaces a character that a terminal could interpret.
fn shown(c: char) -> char {
    if is_visible(c) {
        c
    } else {
        char::REPLACEMENT_CHARACTER
    }
}

/// Returns the number of terminal columns of a character: two for wide scripts and pictographs,
/// otherwise one.
fn width(c: char) -> usize {
    let wide = matches!(c,
        '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{A4CF}'
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}'
        | '\u{1F300}'..='\u{1F64F}' | '\u{1F900}'..='\u{1F9FF}' | '\u{20000}'..='\u{3FFFD}');
    1 + usize::from(wide && is_visible(c))
}
