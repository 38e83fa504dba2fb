//! `uri edit`: changes components of references.

mod arguments;
mod assignment;
mod plan;
mod record;

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::run::Work;
use crate::standard::Reader;
pub(crate) use arguments::Arguments;
use assignment::usage;
use plan::Plan;
use record::{Edited, Outcome};
use std::io;
use urikit::{EditError, Standard};

/// Prints every input with the edits applied.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let Reader::Rfc(standard) = arguments.common.standard else {
        let message =
            "`uri edit` keeps what is written, but whatwg repairs it first: choose an RFC";
        return Err(usage(message));
    };
    let plan = Plan::new(&arguments)?;
    let common = arguments.common;
    let work = Edit {
        standard,
        plan,
        output: common.output().ending(arguments.print0.end()),
    };
    common.run("edit", arguments.lenient, work)
}

struct Edit {
    standard: Standard,
    plan: Plan,
    output: Output,
}

impl Work for Edit {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reader = Reader::Rfc(self.standard);
        let Ok(reference) = self.standard.parse_bytes(input.bytes) else {
            let reading = reader.read(input.bytes);
            if self.output.json {
                self.record(input, Outcome::Invalid(&reading), to)?;
            } else if let Some(failure) = reading.failure() {
                to.out.push(self.output.end);
                self.output.invalid(input, &failure, to);
            }
            return Ok(Exit::No);
        };
        let mut exit = Exit::Good;
        let mut text = String::new();
        for words in self.plan.combinations() {
            text.clear();
            match self.plan.apply(reference, &words).write_into(&mut text) {
                Ok(_) if self.output.json => {
                    let reading = reader.read(text.as_bytes());
                    self.record(input, Outcome::Done(&text, &reading), to)?;
                }
                Ok(_) => self.output.line(&mut to.out, &text)?,
                Err(error) => {
                    exit = Exit::No;
                    if self.output.json {
                        let why = Failure::Operation(message(&error));
                        self.record(input, Outcome::Refused(reader, &why), to)?;
                    } else {
                        to.out.push(self.output.end);
                        self.explain(input, error, to);
                    }
                }
            }
        }
        Ok(exit)
    }
}

impl Edit {
    fn record(&self, input: Input<'_>, outcome: Outcome<'_>, to: &mut Printed) -> io::Result<()> {
        let edited = Edited {
            input: input.given,
            outcome,
            separator: self.plan.separator,
        };
        self.output.record(&mut to.out, &edited)
    }

    /// Reports why there is no result.
    fn explain(&self, input: Input<'_>, error: EditError, to: &mut Printed) {
        let reader = Reader::Rfc(self.standard);
        match error {
            EditError::Invalid(invalid) => {
                let rejected = invalid.into_result();
                let failure = Failure::Rfc(rejected.error());
                let result = rejected.into_value();
                self.output
                    .reporter
                    .bad_result(input, reader, &result, &failure, &mut to.messages);
            }
            other => {
                let failure = Failure::Operation(message(&other));
                self.output.invalid(input, &failure, to);
            }
        }
    }
}

/// The error, and what to write instead.
fn message(error: &EditError) -> String {
    match error {
        EditError::NeedsUser => {
            format!("{error}; `-s userinfo=` removes both, and `-s user:=` makes the user empty")
        }
        _ => error.to_string(),
    }
}
