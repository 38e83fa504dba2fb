//! How results and messages are reported: `--json`, `--show-secrets` and `--quiet`.

use crate::help::SHARED;
use crate::report::Reporter;

/// The options.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = SHARED)]
pub(crate) struct Reporting {
    /// Print JSON: one object per line, with errors included
    ///
    /// `uri json-schema SUBCOMMAND` prints what the objects look like.
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not mask passwords in messages and pages
    ///
    /// Plain results and --json are data, and are never masked.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Print no messages
    ///
    /// The exit status still reports errors.
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
