//! `uri edit`: changes components of references.

mod arguments;
mod assignment;
mod plan;
mod record;
mod tracking;

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output::{Output, Printed};
use crate::reading::{Failure, parse, serialize};
use crate::run::Work;
use crate::sheet::Column;
use crate::standard::Reader;
pub(crate) use arguments::Arguments;
use plan::Plan;
use record::{Edited, Outcome};
use std::io;
use urikit::{AnyRef, EditError};

/// Prints every input with the edits applied.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let plan = Plan::new(&arguments)?;
    let mut common = arguments.common;
    common.print_records("edit", &COLUMNS)?;
    let work = Edit {
        plan,
        output: common.output().ending(arguments.print0.end()),
    };
    common.run("edit", arguments.selection, work)
}

/// The columns of a table.
const COLUMNS: [Column; 5] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("edited"),
    Column::text("repaired"),
];

struct Edit {
    plan: Plan,
    output: Output,
}

impl Work for Edit {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            return self.record(input, Outcome::Refused(self.output.reader, why), to);
        }
        to.out.push(self.output.end);
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reader = self.output.reader;
        let mut memory = String::new();
        let reference = match parse(reader, input.into(), &mut memory) {
            Ok(reference) => reference,
            Err(failure) => {
                if self.output.json {
                    let reading = reader.read(input);
                    self.record(input, Outcome::Invalid(&reading), to)?;
                    to.rejected.add(failure.reason());
                } else {
                    to.out.push(self.output.end);
                    self.output.invalid(input, &failure, to);
                }
                return Ok(Exit::No);
            }
        };
        if reference.as_str().as_bytes() != input.bytes && !self.output.json {
            self.output
                .reporter
                .reserialized(input, reference.as_str(), &mut to.messages);
        }
        let mut exit = Exit::Good;
        for words in self.plan.combinations() {
            let edited = self.edited(reference, &words);
            match edited {
                Ok(text) if self.output.json => {
                    let reading = reader.read(text.as_bytes());
                    self.record(input, Outcome::Done(&text, &reading), to)?;
                }
                Ok(text) => self.output.line(&mut to.out, &text)?,
                Err(error) => {
                    exit = Exit::No;
                    if self.output.json {
                        let why = Failure::Operation(error.message());
                        self.record(input, Outcome::Refused(reader, &why), to)?;
                        to.rejected.add(why.reason());
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

/// Why there is no result.
enum Unedited {
    Edit(EditError),
    /// Browsers refuse the result.
    Whatwg(Failure),
}

impl Unedited {
    /// The error, and what to write instead.
    fn message(&self) -> String {
        match self {
            Self::Edit(error @ EditError::NeedsUser) => format!(
                "{error}; `-s userinfo=` removes both, and `-s user:=` makes the user empty"
            ),
            Self::Edit(error) => error.to_string(),
            Self::Whatwg(failure) => format!("browsers refuse the result: {failure}"),
        }
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

    /// The reference with the edits, and as browsers write it if their rules are followed.
    fn edited(
        &self,
        reference: AnyRef<'_>,
        words: &[&assignment::Assignment],
    ) -> Result<String, Unedited> {
        let mut text = String::new();
        let edit = self.plan.apply(reference, words);
        edit.write_into(&mut text).map_err(Unedited::Edit)?;
        match self.output.reader {
            Reader::Rfc(_) => Ok(text),
            Reader::Whatwg => serialize(text.as_str().into()).map_err(Unedited::Whatwg),
        }
    }

    /// Reports why there is no result.
    fn explain(&self, input: Input<'_>, error: Unedited, to: &mut Printed) {
        match error {
            Unedited::Edit(EditError::Invalid(invalid)) => {
                let rejected = invalid.into_result();
                let failure = Failure::Rfc(rejected.error());
                let result = rejected.into_value();
                let reader = self.output.reader;
                self.output
                    .reporter
                    .bad_result(input, reader, &result, &failure, &mut to.messages);
            }
            other => {
                let failure = Failure::Operation(other.message());
                self.output.invalid(input, &failure, to);
            }
        }
    }
}
