//! The immutable settings of a run, and the code that runs a subcommand on its inputs.

use super::Print0;
use super::selection::Selection;
use crate::columns::columns;
use crate::exit::{Exit, Stop};
use crate::input::{Choice, Inputs, Layout};
use crate::output::Output;
use crate::report::Reporter;
use crate::run::{BatchWork, Intake, Run};
use crate::safe::safe;
use crate::screen::{self, say};
use crate::stdout::Out;
use crate::stdout::stdout;
use crate::style::NOTE;
use crate::usage;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use urikit::UriRef;
use urikit_report::mask::mask;

/// The settings of a run: the options of [`Common`](super::Common) after all checks.
pub(crate) struct Settings {
    pub(super) subcommand: &'static str,
    /// Prints the results.
    pub(crate) output: Output,
    /// The maximum number of threads, 0 for one per core.
    pub(super) jobs: usize,
    pub(super) references: Vec<OsString>,
    pub(super) files: Vec<PathBuf>,
    /// True if inputs end in NUL.
    pub(super) null: bool,
    /// The maximum length of a line in bytes.
    pub(super) max_line: usize,
    /// The column or JSON key that contains the references.
    pub(super) choice: Choice,
}

impl Settings {
    /// Ends each result with NUL or a line feed, as the option requests.
    ///
    /// # Errors
    ///
    /// Returns a usage error if table rows would end in NUL.
    pub(crate) fn ending(self, print0: Print0) -> Result<Self, Stop> {
        if self.output.sheet.is_some() && print0.end() == b'\0' {
            let message = "--print0 does not apply to tables";
            return Err(Stop::usage(self.subcommand, message));
        }
        let output = self.output.ending(print0.end());
        Ok(Self { output, ..self })
    }

    /// Reads this argument, which contains a pair of references.
    pub(crate) fn pair(self, pair: OsString) -> Self {
        let references = vec![pair];
        Self { references, ..self }
    }

    /// Uses at most this many threads, 0 for one per core.
    pub(crate) fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// Uses one thread if results depend on earlier ones.
    pub(crate) fn in_order(self, is_needed: bool) -> Self {
        let jobs = if is_needed { 1 } else { self.jobs };
        self.jobs(jobs)
    }

    /// Prints no messages if `is_quiet`.
    pub(crate) fn quiet(mut self, is_quiet: bool) -> Self {
        self.output.reporter.quiet |= is_quiet;
        self
    }

    /// Returns the width of pages, in columns: that of the terminal, but at least `least`. A page
    /// in a JSON record does not depend on the terminal.
    pub(crate) fn page_width(&self, least: usize) -> usize {
        const DEFAULT: usize = 80;
        let columns = if self.output.json {
            None
        } else {
            columns(std::io::stdout())
        };
        columns.unwrap_or(DEFAULT).clamp(least, 200)
    }

    /// Returns the settings for reporting errors.
    pub(crate) const fn reporter(&self) -> Reporter {
        self.output.reporter
    }

    /// Runs `work` on every input that `selection` admits, after any allowed repairs. Usage errors
    /// show `command` with example references.
    ///
    /// # Errors
    ///
    /// Fails if --lenient does not support the standard, or if the results cannot be written, for
    /// example because the pipe was closed.
    pub(crate) fn run(
        self,
        command: &'static str,
        selection: impl Into<Selection>,
        work: impl BatchWork,
    ) -> Result<Exit, Stop> {
        let out = Box::new(stdout());
        self.run_to(command, selection.into(), out, Box::new(work))
    }

    /// Runs `work` as [`run`](Self::run) does, but writes the results to `out`.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`run`](Self::run).
    pub(crate) fn run_to(
        self,
        command: &'static str,
        selection: Selection,
        mut out: Box<dyn Out>,
        work: Box<dyn BatchWork>,
    ) -> Result<Exit, Stop> {
        let subcommand = command.split(' ').next().unwrap_or(command);
        // The arguments of these commands are rarely relative references, but often file names
        // passed by mistake.
        let is_mistakable = ["explain", "parse", "normalize", "edit", "get"].contains(&subcommand);
        let is_quiet = self.output.reporter.quiet;
        if let Some(note) = mistaken(&self.references).filter(|_| is_mistakable && !is_quiet) {
            say!("{NOTE}uri:{NOTE:#} {note}");
        }
        let sheet = self.output.sheet.clone();
        let Some(mut run) = self.begin(command, selection, is_mistakable)? else {
            return Ok(usage::no_input(command));
        };
        if let Some(sheet) = &sheet {
            out = sheet.out(out)?;
            out.write_all(&sheet.header())?;
        }
        run.out = out;
        run.with(work).map_err(Stop::Output)
    }

    /// Prints the rows of tables with columns added. `build` creates the work for the columns of
    /// the input. Usage errors show `command` with example references.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`run`](Self::run), or if `build` fails.
    pub(crate) fn run_rows(
        self,
        command: &'static str,
        selection: Selection,
        build: impl FnOnce(Tables<'_>) -> Result<RowWork, Stop>,
    ) -> Result<Exit, Stop> {
        let reporter = self.output.reporter;
        let Some(mut run) = self.begin(command, selection, false)? else {
            return Ok(usage::no_input(command));
        };
        run.intake.is_bulk = true;
        let layout = match run.inputs.layout() {
            Ok(layout) => layout,
            Err((source, error)) => {
                let mut message = String::new();
                reporter.unreadable(&source, &error, &mut message);
                screen::message(&message);
                return Ok(Exit::Io);
            }
        };
        let tables = Tables {
            layout: &layout,
            #[cfg(feature = "parquet")]
            paths: run.inputs.paths(),
        };
        let RowWork { work, out, header } = build(tables)?;
        run.out = out;
        run.out.write_all(&header)?;
        run.with(work).map_err(Stop::Output)
    }

    /// Prepares a run that prints to standard output. Returns `None` if nothing was given to read.
    fn begin(
        self,
        command: &'static str,
        selection: Selection,
        is_mistakable: bool,
    ) -> Result<Option<Run>, Stop> {
        let Output {
            reader,
            json,
            sheet,
            reporter,
            ..
        } = self.output;
        let subcommand = command.split(' ').next().unwrap_or(command);
        let domains = selection.domains();
        let tolerance = selection.lenient.tolerance(subcommand, reader)?;
        let Ok(inputs) = Inputs::new(self.references, self.files, self.null, self.max_line) else {
            return Ok(None);
        };
        Ok(Some(Run {
            inputs: inputs.of(self.choice),
            jobs: self.jobs,
            intake: Intake {
                reporter,
                tolerance,
                filters: selection.filters.filters(reader, domains),
                json,
                is_bulk: sheet.is_some(),
                samples: is_mistakable && tolerance.is_none_or(|tolerance| !tolerance.guess),
            },
            out: Box::new(stdout()),
        }))
    }
}

/// The tables whose rows are printed.
pub(crate) struct Tables<'a> {
    pub(crate) layout: &'a Layout,
    /// The files, for Parquet.
    #[cfg(feature = "parquet")]
    pub(crate) paths: Vec<PathBuf>,
}

/// The work on rows, the destination of the results, and their header row.
pub(crate) struct RowWork {
    pub(crate) work: Box<dyn BatchWork>,
    pub(crate) out: Box<dyn Out>,
    pub(crate) header: Vec<u8>,
}

/// Returns a note about the first reference that was probably meant as a file name, if any.
fn mistaken(references: &[OsString]) -> Option<String> {
    let mut numbered = references.iter().zip(1_u64..);
    numbered.find_map(|(reference, number)| {
        if reference == "-" {
            return Some(format!(
                "argument {number}: `-` is a reference here; `-f -` reads standard input"
            ));
        }
        let text = reference.to_str()?;
        let is_relative = UriRef::parse(text).is_ok_and(|parsed| parsed.scheme().is_none());
        let is_file = is_relative && Path::new(text).is_file();
        let shown = mask(text, false);
        let shown = safe(&shown);
        is_file.then(|| {
            format!(
                "argument {number}: `{shown}` is a reference here, and also the name of a file; \
                 `-f {shown}` reads the file"
            )
        })
    })
}
