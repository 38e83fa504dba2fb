//! What is printed of the references. The options have ripgrep's names.

use super::collect::Totals;
use super::context::Around;
use super::print::Printer;
use crate::options::Reporting;
use std::io::{self, IsTerminal as _};

/// The options.
#[derive(clap::Args, Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct Shown {
    /// Print the line number before each reference, and file names if there are several files
    #[arg(short = 'n', long)]
    line_number: bool,

    /// Print the line and the column, as FILE:LINE:COLUMN:REFERENCE
    ///
    /// Both count from 1; columns count characters.
    #[arg(long)]
    column: bool,

    /// Print the file name before each reference
    #[arg(short = 'H', long)]
    with_filename: bool,

    /// Never print file names before references
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,

    /// Print only the names of files that have references
    #[arg(short = 'l', long, conflicts_with_all = ["json", "count"])]
    files_with_matches: bool,

    /// Print only the number of references in each file that has any
    #[arg(short, long, conflicts_with = "json")]
    count: bool,

    /// File names end in NUL, instead of `:` or a line end; also those of --files-from
    #[arg(short = '0', long)]
    pub(super) null: bool,

    /// Print the lines of each reference, and N lines after them
    #[arg(short = 'A', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    after_context: Option<u64>,

    /// Print the lines of each reference, and N lines before them
    #[arg(short = 'B', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    before_context: Option<u64>,

    /// Print the lines of each reference, and N lines before and after them
    ///
    /// A line is printed as `LINE-TEXT`, and the references in it after it, as `LINE:REFERENCE`.
    #[arg(short = 'C', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    context: Option<u64>,
}

/// With these, no lines are printed, or none twice.
const NO_CONTEXT: [&str; 6] = [
    "json",
    "count",
    "files_with_matches",
    "unique",
    "quiet",
    "print0",
];

impl Shown {
    /// Which lines are printed around references.
    pub(super) fn around(self) -> Option<Around> {
        let around = Around {
            before: self.before_context.or(self.context).unwrap_or(0),
            after: self.after_context.or(self.context).unwrap_or(0),
        };
        let options = [self.before_context, self.after_context, self.context];
        options.iter().any(Option::is_some).then_some(around)
    }

    /// Whether positions are needed.
    pub(super) fn has_lines(self) -> bool {
        self.line_number || self.column || self.around().is_some()
    }

    /// What is printed at the end of each file. The paths are of `several` files.
    pub(super) const fn totals(self, several: bool, quiet: bool) -> Option<Totals> {
        match (self.files_with_matches, self.count) {
            _ if quiet => None,
            (true, _) => Some(Totals::Names),
            (_, true) if (self.with_filename || several) && !self.no_filename => {
                Some(Totals::NamedCounts)
            }
            (_, true) => Some(Totals::Counts),
            _ => None,
        }
    }

    /// Whether the first reference of a file is enough.
    pub(super) const fn only_first(self) -> bool {
        self.files_with_matches
    }

    /// How references are printed.
    pub(super) fn printer(self, several: bool, end: u8, reporting: Reporting) -> Printer {
        let names = self.with_filename || several && self.has_lines();
        Printer {
            json: reporting.json,
            lines: self.has_lines(),
            columns: self.column,
            names: names && !self.no_filename,
            null: self.null,
            counts_only: self.count || self.files_with_matches || reporting.quiet,
            end,
            terminal: io::stdout().is_terminal(),
        }
    }
}
