//! How results and messages are reported: `--json`, `--show-secrets` and `--quiet`.

use crate::report::Reporter;

/// The options.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Reporting {
    /// Print JSON: one object per line, with errors included
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not mask passwords in messages and pages
    ///
    /// Plain results and --json are data, and are never masked.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Print no messages; only the exit status reports errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Reporting {
    /// How errors are reported.
    pub(crate) const fn reporter(self) -> Reporter {
        Reporter {
            quiet: self.quiet,
            show_secrets: self.show_secrets,
        }
    }
}
