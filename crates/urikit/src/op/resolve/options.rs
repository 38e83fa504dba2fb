//! The choices that the texts leave.

use crate::Standard;
use core::fmt;
use core::str::FromStr;

/// What becomes of `..` above the root (RFC 2396, 5.2, step 6 g).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AboveRoot {
    /// They stay in the path: RFC 1808's and RFC 2396's own results.
    Keep,
    /// They are discarded: RFC 3986's and RFC 3987's results.
    Drop,
    /// They are an error.
    Refuse,
}

impl AboveRoot {
    /// The standards that heed it. RFC 1630 keeps what it cannot remove, and RFC 1738 resolves nothing.
    pub const STANDARDS: &'static [Standard] = RELATIVE;
}

/// What a scheme means that is the base's own (RFC 2396, 5.2, step 3; RFC 3986, 5.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SameScheme {
    /// The reference is absolute, as with any other scheme.
    #[default]
    Strict,
    /// The reference is relative, as some older software has it: `http:g` is `g`. Under RFC 1808
    /// and RFC 2396 only for schemes that are known to be hierarchical.
    Inherit,
}

impl SameScheme {
    /// The standards that heed it. In RFC 1630 a scheme makes a reference no partial form.
    pub const STANDARDS: &'static [Standard] = RELATIVE;
}

/// Which run of slashes RFC 1630's rule means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SlashRule {
    /// The first run of exactly as many slashes, as the text's examples have it.
    #[default]
    Examples,
    /// The first that has "no greater number of consecutive slashes anywhere to the right of it", as
    /// the text's words have it. They contradict its examples.
    Text,
}

impl SlashRule {
    /// The standard that heeds it: no other counts slashes.
    pub const STANDARDS: &'static [Standard] = &[Standard::Rfc1630];
}

/// The standards whose relative references have a scheme's place and path segments.
const RELATIVE: &[Standard] = &[
    Standard::Rfc1808,
    Standard::Rfc2396,
    Standard::Rfc2732,
    Standard::Rfc3986,
    Standard::Rfc3987,
];

/// How to resolve. The default is the standard's own first choice everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `None`: as the standard does. Heeded by [`AboveRoot::STANDARDS`].
    pub above_root: Option<AboveRoot>,
    /// Heeded by [`SameScheme::STANDARDS`].
    pub same_scheme: SameScheme,
    /// Heeded by [`SlashRule::STANDARDS`].
    pub slash_rule: SlashRule,
}

/// A word that names none of the choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownChoice {
    expected: &'static str,
}

impl fmt::Display for UnknownChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for UnknownChoice {}

/// Gives an enum its words.
macro_rules! words {
    ($name:ident, $expected:literal, $($word:literal = $choice:ident),*) => {
        impl FromStr for $name {
            type Err = UnknownChoice;

            fn from_str(text: &str) -> Result<Self, UnknownChoice> {
                match text {
                    $($word => Ok(Self::$choice),)*
                    _ => Err(UnknownChoice { expected: $expected }),
                }
            }
        }
    };
}

words!(
    AboveRoot,
    "keep, drop or refuse",
    "keep" = Keep,
    "drop" = Drop,
    "refuse" = Refuse
);
words!(
    SameScheme,
    "strict or inherit",
    "strict" = Strict,
    "inherit" = Inherit
);
words!(
    SlashRule,
    "examples or text",
    "examples" = Examples,
    "text" = Text
);
