//! The immutable settings of a run, and the code that runs a subcommand on its inputs.

use super::Print0;
use super::selection::Selection;
use crate::exit::{Exit, Stop};
use crate::input::{Choice, Inputs};
use crate::mask::mask;
use crate::output::Output;
use crate::report::Reporter;
use crate::run::{BatchWork, Intake, Run};
use crate::safe::safe;
use crate::screen::say;
use crate::stdout::Out;
use crate::stdout::stdout;
use crate::style::NOTE;
use crate::usage;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use urikit::UriRef;

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

    /// Runs like [`run`](Self::run), and writes the results to `out`.
    ///
    /// # Errors
    ///
    /// Fails like [`run`](Self::run).
    pub(crate) fn run_to(
        self,
        command: &'static str,
        selection: Selection,
        mut out: Box<dyn Out>,
        work: Box<dyn BatchWork>,
    ) -> Result<Exit, Stop> {
        let Output {
            reader,
            json,
            sheet,
            reporter,
            ..
        } = self.output;
        let subcommand = command.split(' ').next().unwrap_or(command);
        // These commands rarely get relative references as arguments, but often file names by
        // mistake.
        let is_mistakable = ["explain", "parse", "normalize", "edit", "get"].contains(&subcommand);
        if let Some(note) = mistaken(&self.references).filter(|_| is_mistakable && !reporter.quiet)
        {
            say!("{NOTE}uri:{NOTE:#} {note}");
        }
        let domains = selection.domains();
        let tolerance = selection.lenient.tolerance(subcommand, reader)?;
        let Ok(inputs) = Inputs::new(self.references, self.files, self.null, self.max_line) else {
            return Ok(usage::no_input(command));
        };
        if let Some(sheet) = &sheet {
            out = sheet.out(out)?;
            out.write_all(&sheet.header())?;
        }
        let run = Run {
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
            out,
        };
        run.with(work).map_err(Stop::Output)
    }
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
