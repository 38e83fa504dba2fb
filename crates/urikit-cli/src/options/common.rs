//! The options of every command that reads references, and how such a command runs.

use super::reporting::Reporting;
use super::selection::Selection;
use crate::exit::{Exit, Stop};
use crate::help::SHARED;
use crate::input::Inputs;
use crate::output::Output;
use crate::run::{Intake, Run, Work};
use crate::standard::Reader;
use crate::usage;
use clap::ValueHint;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

/// Which references to read, and how to report on them.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = SHARED)]
pub(crate) struct Common {
    /// References; if there are none, the lines of -f or of standard input
    ///
    /// Quote them: `&`, `?`, `*`, `#` and `;` have a meaning in your shell. Put `--` before
    /// references that begin with `-`.
    #[arg(value_name = "REF", help_heading = None::<&str>)]
    pub(crate) references: Vec<OsString>,

    /// Read the lines of FILE, `-` for standard input; may be repeated
    ///
    /// A line ends in LF or CRLF; nothing else is trimmed. An empty line is the empty reference.
    #[arg(
        short = 'f',
        long = "url-file",
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with = "references"
    )]
    pub(crate) files: Vec<PathBuf>,

    /// Inputs end in NUL instead of a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Reject lines of more than BYTES bytes, and what follows them in their file
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) max_line: usize,

    /// The standard to follow
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        ignore_case = true,
        default_value = "rfc3986"
    )]
    pub(crate) standard: Reader,

    #[command(flatten)]
    pub(crate) reporting: Reporting,

    /// Use at most N threads, 0 for one per core
    ///
    /// Results keep the order of the inputs, whatever the number.
    /// Threads are started only for large inputs. Input that arrives slowly is processed as it
    /// arrives.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
}

impl Common {
    /// How results are printed.
    pub(crate) fn output(&self) -> Output {
        Output {
            reader: self.standard,
            json: self.reporting.json,
            end: b'\n',
            terminal: io::stdout().is_terminal(),
            reporter: self.reporting.reporter(),
        }
    }

    /// Does `work` on every input that `selection` wants, with the changes that it allows.
    /// `command` is what precedes the references on the command line, for the examples in a usage
    /// error.
    ///
    /// # Errors
    ///
    /// If nothing is repaired under the standard, or the results cannot be written; a closed pipe
    /// is such an error too.
    pub(crate) fn run<T: Work>(
        self,
        command: &'static str,
        selection: impl Into<Selection>,
        work: T,
    ) -> Result<Exit, Stop> {
        let out = Box::new(io::stdout().lock());
        self.run_to(command, selection, out, work)
    }

    /// The same, with the results written to `out`.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub(crate) fn run_to<T: Work>(
        self,
        command: &'static str,
        selection: impl Into<Selection>,
        out: Box<dyn Write>,
        work: T,
    ) -> Result<Exit, Stop> {
        let subcommand = command.split(' ').next().unwrap_or(command);
        let selection = selection.into();
        if let Some(list) = selection.suffix_list {
            crate::fields::use_list(list);
        }
        let tolerance = selection.lenient.tolerance(subcommand, self.standard)?;
        let Ok(inputs) = Inputs::new(self.references, self.files, self.null, self.max_line) else {
            return Ok(usage::no_input(command));
        };
        let inputs = match selection.csv_column {
            Some(column) => inputs.in_column(column),
            None => inputs,
        };
        let run = Run {
            inputs,
            jobs: self.jobs,
            intake: Intake {
                reporter: self.reporting.reporter(),
                tolerance,
                filters: selection.filters.filters(self.standard),
                json: self.reporting.json,
            },
            out,
        };
        let done = if work.is_slow() && run.jobs > 1 {
            run.at_once(work)
        } else {
            run.with(work)
        };
        done.map_err(Stop::Output)
    }
}
