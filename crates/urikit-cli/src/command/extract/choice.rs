//! The values of `--as` and `--kinds`.

use urikit_extract::Kind;
use urikit_extract::document::Format;

/// The values of `--as`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum As {
    Auto,
    Text,
    Html,
    Mail,
    Markdown,
}

impl As {
    /// The format; `None` if each file's name and content decide.
    pub(super) const fn format(self) -> Option<Format> {
        match self {
            Self::Auto => None,
            Self::Text => Some(Format::Text),
            Self::Html => Some(Format::Html),
            Self::Mail => Some(Format::Mail),
            Self::Markdown => Some(Format::Markdown),
        }
    }
}

/// The values of `--kinds`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kinds {
    Wrapped,
    Bare,
    Link,
    Abbreviated,
    Address,
    Defanged,
    All,
}

impl Kinds {
    /// Whether it includes this kind of reference.
    pub(super) fn contains(self, kind: Kind) -> bool {
        match self {
            Self::Wrapped => kind == Kind::Wrapped,
            Self::Bare => kind == Kind::Bare,
            Self::Link => kind == Kind::Link,
            Self::Abbreviated => kind == Kind::Abbreviated,
            Self::Address => kind == Kind::Address,
            Self::Defanged => kind == Kind::Defanged,
            // Indicators are mixed with links only when that is asked for.
            Self::All => kind != Kind::Defanged,
        }
    }
}
