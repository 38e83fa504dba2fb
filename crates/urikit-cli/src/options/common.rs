//! The options of all subcommands that read references.

use super::settings::Settings;
use crate::exit::Stop;
use crate::help::SHARED;
use crate::input::{Choice, InputFormat};
use crate::output::Output;
use crate::report::Reporter;
use crate::sheet::{Column, Format, Sheet};
use crate::style;
use clap::ValueHint;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use urikit_report::Reader;

/// Options that select the references and format the results.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = SHARED)]
pub(crate) struct Common {
    /// References; if none are given, read the lines of -f or of standard input
    ///
    /// Quote the references, because `&`, `?`, `*`, `#` and `;` have a special meaning in your
    /// shell. Put `--` before references that begin with `-`.
    #[arg(value_name = "REF", help_heading = None::<&str>)]
    pub(crate) references: Vec<OsString>,

    /// Read references from the lines of FILE (`-` for standard input); may be repeated
    ///
    /// Lines end in LF or CRLF; nothing else is trimmed. An empty line is the empty reference. A
    /// byte order mark is removed, and UTF-16 after it is converted to UTF-8. File types are
    /// detected from content, not from names. Compressed files (gzip, Zstandard, xz, bzip2) are
    /// decompressed. From web archives (WARC) and their indexes (CDX, CDXJ), the URLs of the
    /// records are read. Several files are read in parallel; results keep their order.
    ///
    /// FILE may also be a folder, which is read recursively in name order; names that begin with
    /// `.` or `_` are skipped. FILE may also be a quoted pattern such as 'crawl/*.parquet', where
    /// `**` matches any number of folders.
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
    /// NAME is a column name, or a column number, counting from 1. The first row of CSV and TSV
    /// contains the column names. For Parquet, messages contain row numbers instead of line
    /// numbers. Parquet files with a single text column do not need this option. A null value is
    /// reported, and its line of output is empty.
    #[arg(
        long,
        alias = "csv-column",
        value_name = "NAME",
        conflicts_with_all = ["null", "references"]
    )]
    column: Option<String>,

    /// Read references from this key in JSON lines
    ///
    /// Write `request.url` for the key `url` in the object `request`. A line without a string under
    /// this key is reported, and its line of output is empty.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["null", "references", "column"])]
    field: Option<String>,

    /// Read files in this format, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "references")]
    input_format: Option<InputFormat>,

    /// Inputs end with a NUL, not a newline
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Stop reading a file at a line longer than BYTES
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) max_line: usize,

    /// Follow this standard
    #[arg(
        long,
        value_name = "NAME",
        value_parser = crate::standard::parser(),
        ignore_case = true,
        default_value = "rfc3986"
    )]
    pub(crate) standard: Reader,

    #[command(flatten)]
    pub(crate) reporting: Reporting,

    /// Print results as lines of text, JSON lines, CSV, TSV or Parquet
    ///
    /// CSV, TSV and Parquet have columns for the main keys of --json; for `uri get`, each
    /// comma-separated part of the template is a column. If several of --json, --csv and this
    /// option are given, the last one applies. With these formats, and for tables and compressed
    /// files, only the first ten messages are printed, followed by the number of rejected inputs
    /// for each reason.
    #[arg(long, value_name = "FORMAT", value_enum, overrides_with = "json")]
    output_format: Option<OutputFormat>,

    /// Print CSV, as with --output-format csv
    #[arg(long, overrides_with_all = ["json", "output_format"])]
    csv: bool,

    /// Put an apostrophe before CSV cells that begin with = + - @, a tab or a carriage return
    ///
    /// Spreadsheets run such cells as formulas. OWASP recommends the apostrophe ("CSV Injection").
    /// Other programs treat the apostrophe as part of the cell.
    #[arg(long)]
    csv_safe: bool,

    /// Use at most N threads, 0 for one per core
    ///
    /// Results keep the order of the inputs. Threads are started only for large inputs. Input that
    /// arrives slowly is processed as it arrives.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
}

impl Common {
    /// Returns the format of the results. The last of --json, --csv and --output-format applies.
    const fn format(&self) -> OutputFormat {
        match self.output_format {
            _ if self.csv => OutputFormat::Csv,
            _ if self.reporting.json => OutputFormat::Jsonl,
            Some(format) => format,
            None => OutputFormat::Text,
        }
    }

    /// Returns true if results are a table.
    pub(crate) fn wants_table(&self) -> bool {
        self.format().of_sheet().is_some()
    }

    /// Returns true if results are JSON records, or rows made from them.
    pub(crate) const fn wants_records(&self) -> bool {
        !matches!(self.format(), OutputFormat::Text)
    }

    /// Checks the options of a subcommand that prints JSON records. If results are a table, it has
    /// these columns of the records.
    ///
    /// # Errors
    ///
    /// Returns a usage error for `subcommand` if such a table cannot be printed.
    pub(crate) fn records(
        self,
        subcommand: &'static str,
        columns: &[Column],
    ) -> Result<Settings, Stop> {
        self.check_input_format(subcommand)?;
        let json = self.wants_records();
        let sheet = self.sheet(subcommand, columns)?;
        Ok(self.settings(subcommand, json, sheet))
    }

    /// Checks the options of a subcommand that writes the cells itself.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`records`](Self::records).
    pub(crate) fn rows(
        self,
        subcommand: &'static str,
        columns: &[Column],
    ) -> Result<Settings, Stop> {
        self.check_input_format(subcommand)?;
        let json = self.format() == OutputFormat::Jsonl;
        let sheet = self.sheet(subcommand, columns)?;
        Ok(self.settings(subcommand, json, sheet))
    }

    /// Checks the options of a subcommand that prints the rows of its input with these columns
    /// added.
    ///
    /// # Errors
    ///
    /// Returns a usage error for `subcommand` if the options contradict each other.
    pub(crate) fn rows_with(
        self,
        subcommand: &'static str,
        added: Vec<String>,
    ) -> Result<RowSettings, Stop> {
        self.check_input_format(subcommand)?;
        if self.csv_safe && !self.format().is_csv() {
            return Err(Stop::usage(subcommand, "--csv-safe needs CSV: --csv"));
        }
        let format = match self.format() {
            OutputFormat::Text => None,
            format => Some(format),
        };
        let is_safe = self.csv_safe;
        let mut settings = self.settings(subcommand, false, None);
        settings.choice.added = Some(added);
        Ok(RowSettings {
            settings,
            format,
            is_safe,
        })
    }

    /// Rejects an input format that needs another option.
    fn check_input_format(&self, subcommand: &'static str) -> Result<(), Stop> {
        let (column, field) = (self.column.is_some(), self.field.is_some());
        let message = match self.input_format {
            Some(InputFormat::Csv | InputFormat::Tsv) if !column => {
                "--input-format csv and tsv need --column"
            }
            Some(InputFormat::Jsonl) if !field => "--input-format jsonl needs --field",
            Some(InputFormat::Csv | InputFormat::Tsv | InputFormat::Jsonl) | None => return Ok(()),
            Some(_) if column => "--column needs --input-format csv or tsv",
            Some(InputFormat::Cdxj) => return Ok(()),
            Some(_) if field => "--field needs --input-format jsonl or cdxj",
            Some(_) => return Ok(()),
        };
        Err(Stop::usage(subcommand, message))
    }

    /// Returns the table to print, if any.
    fn sheet(
        &self,
        subcommand: &'static str,
        columns: &[Column],
    ) -> Result<Option<Arc<Sheet>>, Stop> {
        if self.csv_safe && !self.format().is_csv() {
            return Err(Stop::usage(
                subcommand,
                "--csv-safe applies only to CSV: add --csv",
            ));
        }
        let Some(format) = self.format().of_sheet() else {
            return Ok(None);
        };
        let sheet = sheet(format, subcommand, columns)?;
        Ok(Some(Arc::new(sheet.without_formulas(self.csv_safe))))
    }

    fn settings(self, subcommand: &'static str, json: bool, sheet: Option<Arc<Sheet>>) -> Settings {
        Settings {
            subcommand,
            output: Output {
                reader: self.standard,
                json,
                sheet,
                end: b'\n',
                terminal: io::stdout().is_terminal(),
                reporter: self.reporting.reporter(),
            },
            jobs: self.jobs,
            references: self.references,
            files: self.files,
            null: self.null,
            max_line: self.max_line,
            choice: Choice {
                column: self.column,
                field: self.field,
                format: self.input_format,
                added: None,
            },
        }
    }
}

/// Options for JSON and messages.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = SHARED)]
pub(crate) struct Reporting {
    /// Print JSON lines, including errors
    ///
    /// `uri json-schema SUBCOMMAND` prints the schema of the objects.
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not mask passwords in messages and pages
    ///
    /// Results, plain or as JSON, are data and are never masked.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Print no messages
    ///
    /// The exit status still reports errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Reporting {
    /// Returns the settings for reporting errors.
    pub(crate) fn reporter(self) -> Reporter {
        Reporter {
            quiet: self.quiet,
            show_secrets: self.show_secrets,
            is_coloured: style::are_on_stderr(),
        }
    }
}

/// The values of `--output-format`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputFormat {
    /// The default output of the subcommand
    Text,
    /// JSON lines, as with --json
    Jsonl,
    /// Comma-separated values, with column names in the first row
    Csv,
    /// Tab-separated values, with column names in the first row
    Tsv,
    /// Parquet
    Parquet,
}

impl OutputFormat {
    /// Returns the format of the table, if results are a table.
    pub(crate) fn of_sheet(self) -> Option<Format> {
        match self {
            Self::Csv => Some(Format::Csv { separator: b',' }),
            Self::Tsv => Some(Format::Csv { separator: b'\t' }),
            Self::Parquet => Some(Format::Parquet),
            Self::Jsonl | Self::Text => None,
        }
    }

    /// Returns true if results are a table of text.
    fn is_csv(self) -> bool {
        matches!(self.of_sheet(), Some(Format::Csv { .. }))
    }
}

/// The settings of a run that prints the rows of its input with columns added.
pub(crate) struct RowSettings {
    pub(crate) settings: Settings,
    /// The output format, if it differs from the input format.
    pub(crate) format: Option<OutputFormat>,
    /// True if no CSV cell may be interpreted as a formula.
    pub(crate) is_safe: bool,
}

/// Makes a table of `format` with these columns.
///
/// # Errors
///
/// Returns a usage error for `subcommand` if such a table cannot be printed.
pub(crate) fn sheet(
    format: Format,
    subcommand: &'static str,
    columns: &[Column],
) -> Result<Sheet, Stop> {
    if columns.is_empty() {
        let message = format!("`uri {subcommand}` prints pages, not tables");
        return Err(Stop::usage(subcommand, message));
    }
    if format == Format::Parquet {
        check_parquet(subcommand)?;
    }
    Ok(Sheet::new(format, columns))
}

/// Checks that Parquet can be printed.
///
/// # Errors
///
/// Returns a usage error for `subcommand` if standard output is a terminal.
pub(crate) fn check_parquet(subcommand: &'static str) -> Result<(), Stop> {
    if cfg!(not(feature = "parquet")) {
        let message = crate::missing::built_without("Parquet", "parquet");
        return Err(Stop::usage(subcommand, message));
    }
    if io::stdout().is_terminal() {
        let message =
            "Parquet cannot be printed on a terminal; redirect it to a file: `> out.parquet`";
        return Err(Stop::usage(subcommand, message));
    }
    Ok(())
}
