//! The characters that a grammar expects at an offset, and what was found there instead.

use crate::bytes::{byte_at, char_at};
use crate::visible::is_visible;

/// A set of characters and delimiters that a grammar allows at one offset.
///
/// `Display` lists the members of the set: `` a path character, `?`, `#` or the end ``.
///
/// ```
/// use urikit::error::Expected;
/// let expected = Expected::COLON.or(Expected::DIGIT).or(Expected::END);
/// assert_eq!(expected.to_string(), "a digit, `:` or the end");
/// assert!(expected.contains(Expected::DIGIT) && !expected.contains(Expected::SLASH));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expected {
    bits: u64,
}

/// Defines the members of the set, in the order in which messages list them.
macro_rules! members {
    ($($name:ident = $text:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Index { $($name,)* }

        impl Expected {
            $(
                #[doc = concat!("Expected: ", $text, ".")]
                pub const $name: Self = Self { bits: 1 << Index::$name as u8 };
            )*
        }

        /// The text of each member, by index.
        const TEXTS: &[&str] = &[$($text,)*];
    };
}

members! {
    LETTER = "a letter",
    DIGIT = "a digit",
    LETTER_OR_DIGIT = "a letter or digit",
    HEX_DIGIT = "a hexadecimal digit",
    OCTET = "a number from 0 to 255",
    SCHEME_CHAR = "a scheme character",
    USERINFO_CHAR = "a userinfo character",
    HOST = "a host",
    HOST_CHAR = "a host character",
    PATH_CHAR = "a path character",
    OPAQUE_CHAR = "a URI character",
    PARAM_CHAR = "a parameter character",
    QUERY_CHAR = "a query character",
    WORD = "a word",
    FRAGMENT_CHAR = "a fragment character",
    GROUP = "a newsgroup",
    GROUP_CHAR = "a newsgroup character",
    ARTICLE_CHAR = "a message-id character",
    ADDRESS_CHAR = "an addr-spec character",
    FIELD_CHAR = "a field character",
    DATABASE_CHAR = "a database character",
    TYPE_CHAR = "a type character",
    ASTERISK = "`*`",
    DOUBLE_SLASH = "`//`",
    TYPE = "`;type=`",
    TYPECODE = "a typecode",
    VERSION = "`v`",
    DOT = "`.`",
    COLON = "`:`",
    AT = "`@`",
    EQUALS = "`=`",
    SEMICOLON = "`;`",
    BRACKET = "`[`",
    CLOSING_BRACKET = "`]`",
    SLASH = "`/`",
    QUESTION = "`?`",
    HASH = "`#`",
    LATIN1 = "an ISO Latin-1 character",
    UTF8 = "a UTF-8 character",
    END = "the end",
}

impl Expected {
    /// The empty set.
    pub(crate) const NOTHING: Self = Self { bits: 0 };

    /// Returns the union of the two sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
        }
    }

    /// Returns the set, or the empty set if the condition is false.
    pub(crate) const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::NOTHING }
    }

    /// Returns whether this set contains all members of `other`.
    pub const fn contains(self, other: Self) -> bool {
        self.bits & other.bits == other.bits
    }

    fn texts(self) -> impl Iterator<Item = &'static str> {
        TEXTS
            .iter()
            .enumerate()
            .filter(move |(index, _)| self.bits >> index & 1 == 1)
            .map(|(_, text)| *text)
    }
}

impl core::fmt::Display for Expected {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // The parser expects this set only after it has read an invalid port as part of a
        // userinfo. The author of the text most likely meant a port.
        if *self == Self::USERINFO_CHAR.or(Self::AT) {
            return f.write_str("digits as the port, or a userinfo that ends in `@`");
        }
        let count = self.bits.count_ones() as usize;
        for (index, text) in self.texts().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == count => " or ",
                _ => ", ",
            };
            write!(f, "{before}{text}")?;
        }
        Ok(())
    }
}

impl core::fmt::Debug for Expected {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.texts()).finish()
    }
}

/// The character or byte that the parser found, or the end of the text.
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
    /// Returns what is at offset `at` of `text`.
    ///
    /// INVARIANT: `text` is UTF-8 up to `at`, which is at a character boundary.
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
    /// Writes visible characters in backquotes, and the code points of control characters, spaces
    /// and other invisible characters.
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
