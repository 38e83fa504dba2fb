//! `--scheme-text`: which specification of a scheme applies.

use urikit_schemes::Edition;

/// The option.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct SchemeText {
    /// Which specification defines the URLs of a scheme; by default, that of the standard's time
    #[arg(
        long = "scheme-text",
        value_name = "WHICH",
        value_enum,
        help_heading = None::<&str>
    )]
    which: Option<Which>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Which {
    /// RFC 1630 for rfc1630, RFC 1738 for the others, or a scheme's first specification
    Original,
    /// The specification that replaced it: RFC 9110, 4266, 5538, 6068, 8089, 8141
    Successor,
}

impl SchemeText {
    /// The chosen edition, if any.
    pub(crate) fn edition(self) -> Option<Edition> {
        self.which.map(|which| match which {
            Which::Original => Edition::Original,
            Which::Successor => Edition::Successor,
        })
    }
}
