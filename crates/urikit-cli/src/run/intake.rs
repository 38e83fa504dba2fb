//! What happens to an input before the work on it: `--lenient`, `--guess` and `--where`.

use super::work::Work;
use crate::exit::Exit;
use crate::filter::{Filters, Verdict};
use crate::input::{Input, Tolerance};
use crate::output::Printed;
use crate::reading::Failure;
use crate::report::Reporter;
use std::io;

/// How inputs are taken in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intake {
    pub(crate) reporter: Reporter,
    /// What may be changed, if anything.
    pub(crate) tolerance: Option<Tolerance>,
    /// Which inputs are wanted; all if `None`.
    pub(crate) filters: Option<Filters>,
    /// Whether results are JSON, which has the repairs as a key.
    pub(crate) json: bool,
    /// Whether results are a table, so that there may be very many.
    pub(crate) is_bulk: bool,
}

impl Intake {
    /// Does `work` on an input, or on what it was changed to, if it is wanted.
    ///
    /// # Errors
    ///
    /// Those of the work.
    pub(super) fn take<T: Work>(
        self,
        work: &T,
        input: Input<'_>,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let input = match work.prefix(input.bytes) {
            0 => input,
            prefix => input.after(prefix),
        };
        let Some(tolerance) = self.tolerance else {
            return self.filter(work, input, to, |_| {});
        };
        let repairs = input.repairs(tolerance, || work.base());
        let input = input.with(&repairs);
        self.filter(work, input, to, |messages| {
            if !self.json {
                self.reporter.repaired(input, tolerance, messages);
            }
        })
    }

    /// Reports an input that has no value.
    ///
    /// # Errors
    ///
    /// Those of the work.
    pub(super) fn without_value<T: Work>(
        self,
        work: &T,
        input: Input<'_>,
        why: &str,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let start = to.out.len();
        let failure = Failure::Other(why.to_owned());
        work.without_value(input, &failure, to)?;
        to.rejected.add(failure.reason());
        if !self.json {
            self.reporter.without_value(input, why, &mut to.messages);
            if self.filters.is_some() {
                to.out.truncate(start);
            }
        }
        Ok(Exit::No)
    }

    /// Does `work` on an input if it is wanted, and first adds the messages that `notes` has. An
    /// invalid input is reported, without a line.
    fn filter<T: Work>(
        self,
        work: &T,
        mut input: Input<'_>,
        to: &mut Printed,
        notes: impl FnOnce(&mut String),
    ) -> io::Result<Exit> {
        let verdict = self.filters.map(|filters| match work.filtered(input) {
            Some(text) => filters.verdict(text.as_ref().into()),
            None => Verdict::Invalid,
        });
        if verdict == Some(Verdict::Unwanted) {
            return Ok(Exit::Good);
        }
        notes(&mut to.messages);
        if let (Some(filters), Some(Verdict::Wanted)) = (self.filters, verdict) {
            input.index = filters.count();
        }
        let start = to.out.len();
        let exit = work.input(input, to)?;
        if verdict == Some(Verdict::Invalid) && !self.json {
            to.out.truncate(start);
        }
        Ok(exit)
    }
}
