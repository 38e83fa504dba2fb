//! What was found where a text does not match the grammar.

use crate::bytes::{byte_at, char_at};
use crate::visible::is_visible;

/// What a parser found in place of what it expected.
///
/// ```
/// use urikit::error::Found;
/// assert_eq!(Found::Char('|').to_string(), "`|`");
/// assert_eq!(Found::Char('ä').to_string(), "`ä` (U+00E4)");
/// assert_eq!(Found::Char('\n').to_string(), "U+000A");
/// assert_eq!(Found::Char('\u{202E}').to_string(), "U+202E"); // it would reverse the message
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Found {
    /// A character.
    Char(char),
    /// A byte that is not UTF-8.
    Byte(u8),
    /// The end of the text.
    End,
}

impl Found {
    /// What is at `at` in `text`, which is UTF-8 and has a character boundary there.
    pub(crate) const fn at(text: &[u8], at: usize) -> Self {
        match char_at(text, at) {
            Some((c, _)) => Self::Char(c),
            None => match byte_at(text, at) {
                Some(byte) => Self::Byte(byte),
                None => Self::End,
            },
        }
    }
}

impl core::fmt::Display for Found {
    /// A visible character between backquotes; a control character, a space or another invisible
    /// one by its number.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::Char(' ') => f.write_str("a space"),
            Self::Char('`') => f.write_str("a backquote"),
            Self::Char(c) if c.is_ascii_graphic() => write!(f, "`{c}`"),
            Self::Char(c) if c.is_ascii() || c.is_control() || c.is_whitespace() => {
                write!(f, "U+{:04X}", u32::from(c))
            }
            Self::Char(c) if !is_visible(c) => write!(f, "U+{:04X}", u32::from(c)),
            Self::Char(c) => write!(f, "`{c}` (U+{:04X})", u32::from(c)),
            Self::Byte(byte) => write!(f, "0x{byte:02X} (no UTF-8)"),
            Self::End => f.write_str("the end"),
        }
    }
}
