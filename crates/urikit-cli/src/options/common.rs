//! The options of every command that reads references, and how such a command runs.

use super::format::{OutputFormat, sheet};
use super::reporting::Reporting;
use super::selection::Selection;
use crate::exit::{Exit, Stop};
use crate::help::SHARED;
use crate::input::{Choice, Inputs};
use crate::output::Output;
use crate::run::{BatchWork, Intake, Run};
use crate::sheet::{Column, Format, Out, Sheet};
use crate::standard::Reader;
use crate::usage;
use clap::ValueHint;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

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
    /// Files that are compressed (gzip, Zstandard) are decompressed; of web archives (WARC) and
    /// their indexes (CDXJ), the addresses of the records are read. What a file is, its content
    /// says. Several files are read at once; the results keep their order.
    #[arg(
        short = 'f',
        long = "url-file",
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with = "references"
    )]
    pub(crate) files: Vec<PathBuf>,

    /// Read references from this column of CSV, TSV or Parquet files
    ///
    /// It is the column's name, or its number from 1. The first row of CSV and TSV has the names;
    /// messages count rows in the place of lines. Parquet is recognised by its content, and needs
    /// no --column if it has only one column of text. A value that is null is reported and has an
    /// empty line.
    #[arg(
        long,
        alias = "csv-column",
        value_name = "NAME",
        conflicts_with_all = ["null", "references"]
    )]
    column: Option<String>,

    /// Read references from this key of the objects in JSON lines
    ///
    /// A key in a nested object is written as `request.url`. A line without a string there is
    /// reported, and has an empty line.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["null", "references", "column"])]
    field: Option<String>,

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

    /// Print results as lines of text, JSON lines, CSV or Parquet
    ///
    /// CSV and Parquet have a column for each key of --json that matters; `uri get` has one for
    /// each part of its template between commas. With them, and for tables and compressed files,
    /// the first ten messages are printed, and then how many inputs were rejected for which reason.
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "json")]
    pub(super) output_format: Option<OutputFormat>,

    /// The table that results are printed as.
    #[arg(skip)]
    pub(crate) sheet: Option<Arc<Sheet>>,

    /// Use at most N threads, 0 for one per core
    ///
    /// Results keep the order of the inputs, whatever the number.
    /// Threads are started only for large inputs. Input that arrives slowly is processed as it
    /// arrives.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
}

impl Common {
    /// Whether results are to be printed as a table.
    pub(crate) const fn wants_table(&self) -> bool {
        matches!(
            self.output_format,
            Some(OutputFormat::Csv | OutputFormat::Parquet)
        )
    }

    /// Decides what results are printed as: for a table, what records have in these columns.
    ///
    /// # Errors
    ///
    /// A usage error of `subcommand` for what cannot be printed.
    pub(crate) fn print_records(
        &mut self,
        subcommand: &'static str,
        columns: &[Column],
    ) -> Result<(), Stop> {
        self.print_rows(subcommand, false, columns)?;
        // Records are made for both.
        self.reporting.json |= self.sheet.is_some();
        Ok(())
    }

    /// The same for a subcommand that writes the cells itself. `is_csv` is its option `--csv`.
    ///
    /// # Errors
    ///
    /// As [`print_records`](Self::print_records).
    pub(crate) fn print_rows(
        &mut self,
        subcommand: &'static str,
        is_csv: bool,
        columns: &[Column],
    ) -> Result<(), Stop> {
        let format = match self.output_format {
            Some(OutputFormat::Csv) => Some(Format::Csv),
            Some(OutputFormat::Parquet) => Some(Format::Parquet),
            Some(OutputFormat::Jsonl) => {
                self.reporting.json = true;
                None
            }
            Some(OutputFormat::Text) | None => is_csv.then_some(Format::Csv),
        };
        if let Some(format) = format {
            self.sheet = Some(sheet(format, subcommand, columns)?);
        }
        Ok(())
    }

    /// How results are printed.
    pub(crate) fn output(&self) -> Output {
        Output {
            reader: self.standard,
            json: self.reporting.json,
            sheet: self.sheet.clone(),
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
    pub(crate) fn run(
        self,
        command: &'static str,
        selection: impl Into<Selection>,
        work: impl BatchWork,
    ) -> Result<Exit, Stop> {
        let out = Box::new(io::stdout());
        self.run_to(command, selection.into(), out, Box::new(work))
    }

    /// The same, with the results written to `out`.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub(crate) fn run_to(
        self,
        command: &'static str,
        selection: Selection,
        out: Box<dyn Out>,
        work: Box<dyn BatchWork>,
    ) -> Result<Exit, Stop> {
        let subcommand = command.split(' ').next().unwrap_or(command);
        let domains = selection.domains();
        let tolerance = selection.lenient.tolerance(subcommand, self.standard)?;
        let Ok(inputs) = Inputs::new(self.references, self.files, self.null, self.max_line) else {
            return Ok(usage::no_input(command));
        };
        let mut out = out;
        if let Some(sheet) = &self.sheet {
            out = sheet.out(out)?;
            out.write_all(&sheet.header())?;
        }
        let run = Run {
            inputs: inputs.of(Choice {
                column: self.column,
                field: self.field,
            }),
            jobs: self.jobs,
            intake: Intake {
                reporter: self.reporting.reporter(),
                tolerance,
                filters: selection.filters.filters(self.standard, domains),
                json: self.reporting.json,
                is_bulk: self.sheet.is_some(),
            },
            out,
        };
        run.with(work).map_err(Stop::Output)
    }
}
