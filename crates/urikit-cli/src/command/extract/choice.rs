//! The values of `--as` and `--kinds`.

use urikit_extract::Kind;
use urikit_extract::document::{Extractor, Format};

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
            Self::All => true,
        }
    }
}

/// The value of `--charset`: a label of the Encoding standard.
pub(super) fn charset(label: &str) -> Result<String, String> {
    match Extractor::new().charset(label) {
        Some(_) => Ok(label.to_owned()),
        None => Err("expected a charset, such as iso-8859-1 or shift_jis".to_owned()),
    }
}
