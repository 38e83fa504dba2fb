//! `--print0`: results end in NUL.

/// The option, of subcommands that print a list of results. What the others print is a page, a
/// word or a document: they refuse it, as `usage` says.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Print0 {
    /// Results end in NUL instead of a line end, as for `xargs -0`
    #[arg(long, conflicts_with = "json", help_heading = crate::help::SHARED)]
    print0: bool,
}

impl Print0 {
    /// The byte that ends a result.
    pub(crate) const fn end(self) -> u8 {
        if self.print0 { b'\0' } else { b'\n' }
    }
}
