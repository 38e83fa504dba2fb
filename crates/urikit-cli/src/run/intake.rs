//! What happens to an input before the work on it: `--lenient`.

use super::work::Work;
use crate::exit::Exit;
use crate::input::Input;
use crate::output::Printed;
use crate::report::Reporter;
use std::io;
use urikit::Standard;

/// How inputs are taken in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intake {
    pub(crate) reporter: Reporter,
    /// The standard whose rules decide whether an input is repaired; `None` without `--lenient`.
    pub(crate) lenient: Option<Standard>,
    /// Whether results are JSON, which has the repairs as a key.
    pub(crate) json: bool,
}

impl Intake {
    /// Does `work` on an input, or on what it was repaired to.
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
        let Some(standard) = self.lenient else {
            return work.input(input, to);
        };
        let repairs = input.repairs(standard, || work.base());
        let input = input.with(&repairs);
        if !self.json {
            self.reporter.repaired(input, standard, &mut to.messages);
        }
        work.input(input, to)
    }
}
