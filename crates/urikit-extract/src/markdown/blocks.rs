//! Finds the offsets at which Markdown can be cut into sections: places where every block has
//! certainly ended (CommonMark 0.31, 4 and 5), so that parsing the sections one by one finds the
//! same blocks as parsing the document.
//!
//! [`Blocks`] knows the blocks that blank lines do not end: fenced code and HTML of kinds 1 to 5.
//! Containers matter only because they also contain fences, which end with the container. In rare
//! cases, the lines alone do not decide whether a fence is in a container. Then [`Blocks`] is
//! unsure, and the caller must parse the text.

use memchr::memmem;

/// A block that blank lines do not end, outside containers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Open {
    None,
    /// Fenced code: the character of the fence, and the length of the fence.
    Fence(u8, usize),
    /// HTML of kind 1 to 5, and the string that ends it.
    Html(&'static [u8]),
}

impl Open {
    const fn is_some(self) -> bool {
        !matches!(self, Self::None)
    }
}

/// The offsets at which the text can be cut, relative to a line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cuts {
    pub(super) before: bool,
    /// The number of bytes before the cut. At the end of fenced code, a CR may end the line.
    pub(super) after: Option<usize>,
}

/// The state of the blocks at the start of a line.
#[allow(clippy::struct_excessive_bools)] // one for each doubt that a line can leave
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    open: Open,
    /// The indentation of the outermost list item or footnote that may be open, or 0.
    item: usize,
    /// True if this item may have ended.
    is_lazy: bool,
    /// True after an item without content. The item ends at a blank line.
    is_empty_item: bool,
    /// True if the line may be in HTML of kind 6 or 7, which ends at a blank line.
    is_html: bool,
    /// True after a blank line, or at the start of a section. No paragraph is open there.
    after_blank: bool,
    is_unsure: bool,
}

impl Blocks {
    /// Creates the state at the start of a section.
    pub(super) const fn new() -> Self {
        Self {
            open: Open::None,
            item: 0,
            is_lazy: false,
            is_empty_item: false,
            is_html: false,
            after_blank: true,
            is_unsure: false,
        }
    }

    pub(super) const fn open(&self) -> Open {
        self.open
    }

    /// Returns true if a fence or HTML may be open. Then only the parser can confirm a cut.
    pub(super) const fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    /// Reads a line with its line ending, which is LF or the end of the document. `has_return` is
    /// true if the line contains a CR without an LF after it.
    pub(super) fn line(&mut self, line: &[u8], has_return: bool) -> Cuts {
        let indent = Indent::of(line);
        let rest = line.get(indent.bytes..).unwrap_or_default();
        match self.open {
            Open::None => {}
            Open::Fence(byte, length) => {
                let end = closing_fence(rest, byte, length).filter(|_| indent.columns < 4);
                return self.close(end.map(|end| indent.bytes + end));
            }
            Open::Html(end) => {
                return self.close(memmem::find(line, end).map(|_| line.len()));
            }
        }
        let is_blank = matches!(rest, [] | [b'\n', ..] | [b'\r', b'\n', ..]);
        let after_blank = core::mem::replace(&mut self.after_blank, is_blank);
        // Some rules of the parser end a line at a CR, and others, as those for fences, do not. The
        // parser also counts other control characters as white space in some places.
        let is_odd = has_return || matches!(rest, [0..=8 | 11 | 12 | 14..=31, ..]);
        let opens = self.item == 0 && !self.is_html && indent.columns < 4 && opens(rest).is_some();
        self.is_unsure |= is_odd && !opens;
        if self.is_unsure {
            return Cuts {
                before: after_blank && !is_blank && indent.bytes == 0,
                after: None,
            };
        }
        self.block(rest, indent, after_blank, is_blank)
    }

    fn close(&mut self, after: Option<usize>) -> Cuts {
        if after.is_some() {
            *self = Self::new();
        }
        Cuts {
            before: false,
            after,
        }
    }

    /// Reads a line while neither fenced code nor HTML of kinds 1 to 5 is open.
    fn block(&mut self, rest: &[u8], indent: Indent, after_blank: bool, is_blank: bool) -> Cuts {
        let columns = indent.columns;
        let is_empty_item = core::mem::take(&mut self.is_empty_item);
        if is_blank {
            self.is_html = false;
            self.is_unsure = is_empty_item;
            return Cuts::default();
        }
        if self.is_html {
            return self.in_html(rest, columns);
        }
        if self.item > 0 {
            if columns >= self.item && !self.is_lazy {
                return Cuts::default();
            }
            let is_outside = after_blank && columns < self.item;
            if !is_outside && columns > 0 && (self.is_lazy || columns >= 4) {
                self.is_unsure = !is_text(rest);
                self.is_lazy = true;
                return Cuts::default();
            }
            if !is_outside && !interrupts(rest) {
                // The line continues a paragraph in the item, or ends the item.
                self.is_lazy = true;
                self.is_html = rest.first() == Some(&b'<');
                self.footnote(rest);
                return Cuts::default();
            }
        }
        let was_lazy = core::mem::take(&mut self.is_lazy);
        let was_in_item = core::mem::take(&mut self.item) > 0 && !was_lazy;
        if columns >= 4 {
            return Cuts::default();
        }
        self.outside(rest, indent, after_blank, after_blank || was_in_item)
    }

    /// Reads a line that may be in HTML of kind 6 or 7.
    fn in_html(&mut self, rest: &[u8], columns: usize) -> Cuts {
        if columns < 4 && opens(rest).is_some() {
            self.is_unsure = true;
        } else if columns < 4 && (list_marker(rest).is_some() || rest.starts_with(b"[^")) {
            (self.item, self.is_lazy) = (1, true);
        }
        Cuts::default()
    }

    /// Reads a line that is not in a container, or begins one. `begins` is true if the line cannot
    /// continue a paragraph with text that looks like a list item.
    fn outside(&mut self, rest: &[u8], indent: Indent, after_blank: bool, begins: bool) -> Cuts {
        let columns = indent.columns;
        let at_margin = after_blank && columns == 0;
        match opens(rest) {
            Open::None => {}
            Open::Html(end) if memmem::find(rest, end).is_some() => {
                *self = Self::new();
                return Cuts {
                    before: true,
                    after: Some(indent.bytes + rest.len()),
                };
            }
            open => {
                *self = Self::new();
                self.open = open;
                return Cuts {
                    before: true,
                    after: None,
                };
            }
        }
        let before = match rest.first() {
            Some(b'<') => {
                self.is_html = true;
                at_margin
            }
            Some(b'#') => at_margin || is_heading(rest),
            Some(b'[') => {
                self.footnote(rest);
                at_margin
            }
            _ if is_rule(rest) => at_margin,
            _ => match list_marker(rest) {
                Some(marker) => {
                    self.item = columns + marker.width;
                    self.is_empty_item = marker.is_empty;
                    let interrupts =
                        marker.is_bullet && !marker.is_empty && !is_delimiter_row(rest);
                    // Otherwise, the line may be the text of a paragraph, or part of a table.
                    self.is_lazy = marker.is_empty || marker.has_tab || !(begins || interrupts);
                    at_margin || (columns == 0 && interrupts)
                }
                None => at_margin,
            },
        };
        Cuts {
            before,
            after: None,
        }
    }

    /// Records that a line may begin a footnote.
    fn footnote(&mut self, rest: &[u8]) {
        if rest.starts_with(b"[^") {
            (self.item, self.is_lazy) = (4, true);
        }
    }
}

/// The indentation of a line.
#[derive(Clone, Copy)]
struct Indent {
    bytes: usize,
    columns: usize,
}

impl Indent {
    fn of(line: &[u8]) -> Self {
        let (mut bytes, mut columns) = (0, 0);
        for byte in line {
            match byte {
                b' ' => columns += 1,
                b'\t' => columns += 4 - columns % 4,
                _ => break,
            }
            bytes += 1;
        }
        Self { bytes, columns }
    }
}

/// Returns true if a line certainly continues a paragraph, if one is open.
const fn is_text(rest: &[u8]) -> bool {
    matches!(
        rest,
        [b'a'..=b'z' | b'A'..=b'Z' | b'"' | b'\'' | b'(' | 0x80.., ..]
    )
}

/// Returns true if a line certainly ends a paragraph of a list item that the line is not in.
fn interrupts(rest: &[u8]) -> bool {
    rest.first() == Some(&b'>')
        || opens(rest).is_some()
        || is_heading(rest)
        || is_rule(rest)
        || list_marker(rest).is_some()
}

/// Returns the block that a line begins.
fn opens(rest: &[u8]) -> Open {
    match rest {
        [byte @ (b'`' | b'~'), ..] => {
            let length = run(rest, *byte);
            let info = rest.get(length..).unwrap_or_default();
            if length < 3 || (*byte == b'`' && memchr::memchr(b'`', info).is_some()) {
                return Open::None;
            }
            Open::Fence(*byte, length)
        }
        [b'<', tag @ ..] => html_end(tag).map_or(Open::None, Open::Html),
        _ => Open::None,
    }
}

/// Returns the end of the HTML of kinds 1 to 5 that begins with `<` and `tag`.
fn html_end(tag: &[u8]) -> Option<&'static [u8]> {
    const TAGS: [(&[u8], &[u8]); 4] = [
        (b"pre", b"</pre>"),
        (b"style", b"</style>"),
        (b"script", b"</script>"),
        (b"textarea", b"</textarea>"),
    ];
    match tag {
        [b'!', b'-', b'-', ..] => return Some(b"-->"),
        [b'?', ..] => return Some(b"?>"),
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(b">"),
        _ if tag.starts_with(b"![CDATA[") => return Some(b"]]>"),
        _ => {}
    }
    let (_, end) = TAGS.into_iter().find(|(name, _)| {
        let is_name = |found: &[u8]| found.eq_ignore_ascii_case(name);
        tag.get(..name.len()).is_some_and(is_name)
            && tag
                .get(name.len())
                .is_none_or(|byte| matches!(byte, b'>' | b'\t'..=b'\r' | b' '))
    })?;
    Some(end)
}

/// Returns the end of the line if it closes fenced code.
fn closing_fence(rest: &[u8], byte: u8, length: usize) -> Option<usize> {
    let found = run(rest, byte);
    let after = rest.get(found..).unwrap_or_default();
    let spaces = run(after, b' ');
    let ending = match after.get(spaces..).unwrap_or_default() {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => return None,
    };
    (found >= length).then_some(found + spaces + ending)
}

/// Returns the number of times that `byte` is repeated at the start.
fn run(text: &[u8], byte: u8) -> usize {
    let end = text.iter().position(|other| *other != byte);
    end.unwrap_or(text.len())
}

/// Returns true if the line is an ATX heading.
fn is_heading(rest: &[u8]) -> bool {
    let level = run(rest, b'#');
    matches!(level, 1..=6) && matches!(rest.get(level), None | Some(b'\t' | b'\n' | b'\r' | b' '))
}

/// Returns true if the line is a thematic break.
fn is_rule(rest: &[u8]) -> bool {
    let Some(byte @ (b'*' | b'-' | b'_')) = rest.first() else {
        return false;
    };
    let is_part = |other: &u8| other == byte || matches!(other, b' ' | b'\t' | b'\n' | b'\r');
    rest.iter().all(is_part) && memchr::memchr_iter(*byte, rest).count() >= 3
}

/// Returns true if the line may be the delimiter row of a table.
fn is_delimiter_row(rest: &[u8]) -> bool {
    let is_part = |byte: &u8| b"-:| \t\r\n".contains(byte);
    rest.iter().all(is_part)
}

/// The marker of a list item.
struct Marker {
    /// The columns before the content of the item.
    width: usize,
    is_bullet: bool,
    /// True if nothing follows the marker.
    is_empty: bool,
    /// True if tabs follow the marker. Then the width is the smallest possible one.
    has_tab: bool,
}

/// Returns the marker of a list item.
fn list_marker(rest: &[u8]) -> Option<Marker> {
    let is_bullet = matches!(rest.first()?, b'-' | b'+' | b'*');
    let length = if is_bullet {
        1
    } else {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !matches!(digits, 1..=9) || !matches!(rest.get(digits)?, b'.' | b')') {
            return None;
        }
        digits + 1
    };
    let after = rest.get(length..).unwrap_or_default();
    if !matches!(after, [] | [b' ' | b'\t' | b'\n' | b'\r', ..]) {
        return None;
    }
    let blanks = after.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    let blanks = after
        .get(..blanks.unwrap_or(after.len()))
        .unwrap_or_default();
    let content = after.get(blanks.len());
    // The parser counts some control characters as white space.
    let is_empty = content.is_none_or(|byte| *byte < b' ');
    let has_tab = blanks.contains(&b'\t');
    // More spaces than four begin indented code.
    let is_regular = !is_empty && !has_tab && blanks.len() <= 4;
    Some(Marker {
        width: length + if is_regular { blanks.len() } else { 1 },
        is_bullet,
        is_empty,
        has_tab,
    })
}
