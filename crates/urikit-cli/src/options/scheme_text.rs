//! `--scheme-text`: which specification of a scheme applies.

use urikit::scheme::Edition;

/// The values of `--scheme-text`.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(crate) enum SchemeText {
    /// RFC 1630 for rfc1630, RFC 1738 for the others, or a scheme's first specification
    Original,
    /// The specification that replaced it: RFC 9110, 4266, 5538, 6068, 8089, 8141
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
