//! What happens to an input before the work on it: `--lenient`, `--guess` and `--where`.

use super::work::Work;
use crate::exit::Exit;
use crate::filter::{Filters, Verdict};
use crate::input::{Input, Tolerance};
use crate::output::Printed;
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
            return self.filter(work, input, to);
        };
        let repairs = input.repairs(tolerance, || work.base());
        let input = input.with(&repairs);
        if !self.json {
            self.reporter.repaired(input, tolerance, &mut to.messages);
        }
        self.filter(work, input, to)
    }

    /// Does `work` on an input if it is wanted. An invalid one is reported, without a line.
    fn filter<T: Work>(self, work: &T, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let Some(filters) = self.filters else {
            return work.input(input, to);
        };
        let verdict = match work.filtered(input) {
            Some(text) => filters.verdict(text.as_ref().into()),
            None => Verdict::Invalid,
        };
        match verdict {
            Verdict::Wanted => {
                let index = filters.count();
                work.input(Input { index, ..input }, to)
            }
            Verdict::Unwanted => Ok(Exit::Good),
            Verdict::Invalid => {
                let start = to.out.len();
                let exit = work.input(input, to)?;
                if !self.json {
                    to.out.truncate(start);
                }
                Ok(exit)
            }
        }
    }
}
