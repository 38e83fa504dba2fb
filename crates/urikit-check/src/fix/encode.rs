//! The forms in which a document can express a reference.
//!
//! A reference as written is a sequence of units, each a character or an escape. Leading and
//! trailing units that the new reference shares stay as they are.

use super::Edit;
use std::ops::Range;
use urikit_extract::document::Format;

/// The escapes of a syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Syntax {
    /// Without escapes.
    Plain,
    /// `&amp;`, in HTML and XML.
    Markup,
    /// `\(` and `&amp;`.
    Markdown,
    /// `\/` and `\u002F`.
    Json,
    /// `""`, in cells.
    Csv,
    /// `\%`, or `\,` in iCalendar.
    Backslash,
    /// `=3D`, in the quoted-printable encoding of mail.
    QuotedPrintable,
}

const fn syntax(format: Format) -> Syntax {
    match format {
        Format::Html | Format::Xml => Syntax::Markup,
        Format::Markdown => Syntax::Markdown,
        Format::Jupyter | Format::Har => Syntax::Json,
        Format::Csv | Format::Tsv => Syntax::Csv,
        Format::Latex | Format::Rst | Format::Css | Format::Icalendar => Syntax::Backslash,
        Format::Mail => Syntax::QuotedPrintable,
        _ => Syntax::Plain,
    }
}

/// Returns the changes that may replace the reference `old` in `range` with `new`, best first. The
/// caller verifies these changes.
pub(super) fn candidates(
    document: &[u8],
    range: Range<usize>,
    format: Format,
    old: &str,
    new: &str,
) -> Vec<Edit> {
    let Some(written) = document.get(range.clone()) else {
        return Vec::new();
    };
    let Ok(written) = std::str::from_utf8(written) else {
        return Vec::new(); // another charset, in which UTF-8 would be wrong
    };
    if !written.is_ascii() && !old.is_ascii() && written.contains('\u{FFFD}') {
        return Vec::new();
    }
    let range = inner(written, old, &range);
    let written = document.get(range.clone()).unwrap_or_default();
    let written = std::str::from_utf8(written).unwrap_or_default();
    let syntax = syntax(format);
    let quote = range
        .start
        .checked_sub(1)
        .and_then(|before| document.get(before));
    let escapes = escapes(syntax, quote.copied());

    let mut edits = Vec::new();
    let mut add = |range: Range<usize>, text: String| {
        let bytes = text.into_bytes();
        let edit = Edit { range, bytes };
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    };
    if let Some((changed, middle)) = difference(written, syntax, old, new) {
        let changed = range.start + changed.start..range.start + changed.end;
        for escape in &escapes {
            add(changed.clone(), middle.chars().map(escape).collect());
        }
    }
    for escape in &escapes {
        add(range.clone(), new.chars().map(escape).collect());
    }
    if syntax == Syntax::Csv && written == old {
        add(range, format!("\"{new}\"")); // a separator within the reference needs quotes
    }
    edits
}

/// A character, or an escape that represents it.
type Escape = fn(char) -> String;

/// Returns the ways to escape characters, best first.
fn escapes(syntax: Syntax, quote: Option<u8>) -> Vec<Escape> {
    let plain: Escape = |c| c.to_string();
    match syntax {
        Syntax::Plain | Syntax::Csv | Syntax::Json => vec![plain],
        Syntax::Markup if quote == Some(b'\'') => vec![
            |c| match c {
                '&' => "&amp;".to_owned(),
                '\'' => "&#39;".to_owned(),
                c => c.to_string(),
            },
            plain,
        ],
        // In scripts and style sheets, `&amp;` would be wrong, so the second candidate escapes
        // nothing.
        Syntax::Markup => vec![
            |c| match c {
                '&' => "&amp;".to_owned(),
                '"' => "&quot;".to_owned(),
                c => c.to_string(),
            },
            plain,
        ],
        Syntax::Markdown => vec![
            plain,
            |c| match c {
                '(' | ')' | '\\' | '<' | '>' | '*' | '_' => format!("\\{c}"),
                c => c.to_string(),
            },
            |c| match c {
                '(' | ')' | '\\' | '<' | '>' | '*' | '_' => format!("\\{c}"),
                '&' => "&amp;".to_owned(),
                c => c.to_string(),
            },
        ],
        Syntax::Backslash => vec![plain, |c| match c {
            '%' | '#' | '&' | '_' | ',' | ';' | '(' | ')' | '\'' | '*' => format!("\\{c}"),
            c => c.to_string(),
        }],
        Syntax::QuotedPrintable => vec![plain, |c| match c {
            '=' => "=3D".to_owned(),
            c => c.to_string(),
        }],
    }
}

/// Returns the range of the reference without the wrapper of a link in text: `<URL:` and `>`, or
/// quotes.
fn inner(written: &str, old: &str, range: &Range<usize>) -> Range<usize> {
    if written == old || !written.starts_with(['<', '"', '\'']) {
        return range.clone();
    }
    let inner = written.get(1..).unwrap_or_default();
    let is_prefixed = inner
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("URL:"));
    let start = if is_prefixed { 5 } else { 1 };
    let end = usize::from(written.ends_with(['>', '"', '\'']));
    let inner = range.start + start..range.end - end;
    if inner.start <= inner.end {
        inner
    } else {
        range.clone()
    }
}

/// Compares the reference as written with the new one. Returns the range that changes, and the
/// characters to write there. Returns `None` if the units do not represent `old`.
fn difference(
    written: &str,
    syntax: Syntax,
    old: &str,
    new: &str,
) -> Option<(Range<usize>, String)> {
    let units = units(written, syntax);
    let old: Vec<char> = old.chars().collect();
    let new: Vec<char> = new.chars().collect();
    let is_same = |(unit, c): (&Range<usize>, &char)| {
        let text = written.get(unit.clone()).unwrap_or_default();
        // The verification later checks whether an escape represents this character.
        text.len() > c.len_utf8() || text.chars().eq([*c])
    };
    if units.len() != old.len() || !units.iter().zip(&old).all(is_same) {
        return None;
    }
    let common = |(a, b): &(&char, &char)| a == b;
    let prefix = old.iter().zip(&new).take_while(common).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(most)
        .take_while(common)
        .count();
    let start = units.get(prefix).map_or(written.len(), |unit| unit.start);
    let end = units
        .len()
        .checked_sub(suffix + 1)
        .and_then(|last| units.get(last));
    let end = end.map_or(0, |unit| unit.end).max(start);
    let middle = new.get(prefix..new.len() - suffix)?;
    Some((start..end, middle.iter().collect()))
}

/// Splits text into units.
fn units(written: &str, syntax: Syntax) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut start = 0;
    while let Some(rest) = written.get(start..).filter(|rest| !rest.is_empty()) {
        let escape = match syntax {
            Syntax::Plain => None,
            Syntax::Markup => reference(rest),
            Syntax::Markdown => backslash(rest).or_else(|| reference(rest)),
            Syntax::Json if rest.starts_with("\\u") => Some(6),
            Syntax::Json | Syntax::Backslash => backslash(rest),
            Syntax::Csv => rest.starts_with("\"\"").then_some(2),
            Syntax::QuotedPrintable => rest.starts_with('=').then_some(3),
        };
        let escape = escape.filter(|length| rest.is_char_boundary(*length));
        let length = escape
            .or_else(|| rest.chars().next().map(char::len_utf8))
            .unwrap_or(1);
        let length = length + line_break(rest.get(length..).unwrap_or_default());
        units.push(start..start + length);
        start += length;
    }
    units
}

/// Returns the length of the leading white space if it contains a line feed. References that span
/// several lines do not include this white space, which therefore belongs to the preceding unit.
fn line_break(text: &str) -> usize {
    let space = text.len() - text.trim_ascii_start().len();
    let has_line_feed = text.bytes().take(space).any(|byte| byte == b'\n');
    if has_line_feed { space } else { 0 }
}

/// Returns the length of a character reference at the beginning of the text.
fn reference(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let length = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '#')?;
    let is_reference = (1..=32).contains(&length) && name.get(length..)?.starts_with(';');
    is_reference.then_some(length + 2)
}

/// Returns the length of a backslash escape at the beginning of the text.
fn backslash(text: &str) -> Option<usize> {
    let escaped = text.strip_prefix('\\')?.chars().next()?;
    escaped.is_ascii_punctuation().then_some(2)
}
