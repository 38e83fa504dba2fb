//! The edition of the schemes' texts as an option.

use urikit::scheme::Edition;

/// What `--scheme-text` takes.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(crate) enum SchemeText {
    /// RFC 1630 for rfc1630, RFC 1738 for the others, or a scheme's first text
    Original,
    /// The text that replaced it: RFC 9110, 4266, 5538, 6068, 8089, 8141
    Successor,
}

impl SchemeText {
    pub(crate) const fn edition(self) -> Edition {
        match self {
            Self::Original => Edition::Original,
            Self::Successor => Edition::Successor,
        }
    }
}
