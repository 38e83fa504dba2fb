//! The work of a command, and the steps that precede it: `--lenient`, `--guess` and `--where`.

use super::streams::{Part, spare};
use crate::exit::Exit;
use crate::filter::{Filters, Verdict};
use crate::input::{Batch, Event, Input, Place, Portion, Source, Tolerance};
use crate::output::{Printed, Sample};
use crate::report::Reporter;
use std::borrow::Cow;
use std::io;
use urikit::UriBuf;
use urikit_report::reading::Failure;

/// The work that a command does for one input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Prints the result for `input`, or a message about it.
    ///
    /// # Errors
    ///
    /// Fails if the result cannot be written; writing to memory never fails.
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit>;

    /// Returns true if the work is slow. For slow work, `--jobs` sets how many inputs are processed
    /// at the same time.
    fn is_slow(&self) -> bool {
        false
    }

    /// Returns true if the work may set [`Printed::later`]. Such work must produce one small result
    /// for each input.
    fn may_repeat(&self) -> bool {
        false
    }

    /// Returns the host that the work on an input will contact; empty if unknown.
    fn host(&self, _input: Input<'_>) -> String {
        String::new()
    }

    /// Prints the line or record for an input that has no value, such as a null in a table. The
    /// caller prints the message with the reason `why`.
    ///
    /// # Errors
    ///
    /// Fails if the result cannot be written; writing to memory never fails.
    fn without_value(
        &self,
        _input: Input<'_>,
        _why: &Failure,
        _to: &mut Printed,
    ) -> io::Result<()> {
        Ok(())
    }

    /// Records that a filter dropped an input.
    fn dropped(&self, _to: &mut Printed) {}

    /// Prints the results that depend on all inputs, after the last one.
    ///
    /// # Errors
    ///
    /// Fails if a result cannot be written; writing to memory never fails.
    fn end(&self, _out: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }

    /// Returns the reference to which filters apply, or `None` if the input has no reference.
    fn filtered<'a>(&self, input: Input<'a>) -> Option<Cow<'a, [u8]>> {
        Some(Cow::Borrowed(input.bytes))
    }

    /// Returns the number of ASCII bytes before the reference in an input. Only the text after this
    /// prefix is processed.
    fn prefix(&self, _input: &[u8]) -> usize {
        0
    }

    /// Returns the base of relative references. The scheme of the base decides how these references
    /// are repaired.
    fn base(&self) -> Option<UriBuf> {
        None
    }
}

/// The steps that precede the work.
#[derive(Debug)]
pub(crate) struct Intake {
    pub(crate) reporter: Reporter,
    /// The allowed repairs, if any.
    pub(crate) tolerance: Option<Tolerance>,
    /// Selects the inputs to process; `None` selects all.
    pub(crate) filters: Option<Filters>,
    /// True if results are JSON records, which list repairs under a key.
    pub(crate) json: bool,
    /// True if results are rows of a table, which may be very long.
    pub(crate) is_bulk: bool,
    /// True if the first lines should be checked for missing schemes.
    pub(crate) samples: bool,
}

impl Intake {
    /// Repairs an input if repairs are allowed, and runs `work` on it if the filters select it.
    ///
    /// # Errors
    ///
    /// Fails if `work` fails.
    fn take<T: Work>(&self, work: &T, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let input = match work.prefix(input.bytes) {
            0 => input,
            prefix => input.after(prefix),
        };
        let is_first = to.later.is_none();
        if is_first
            && self.samples
            && input.index < Sample::SIZE
            && *input.source != Source::Arguments
        {
            to.sample.add(input);
        }
        let Some(tolerance) = self.tolerance else {
            return self.filter(work, input, to, |_| {});
        };
        let repairs = input.repairs(tolerance, || work.base());
        let input = input.with(&repairs);
        self.filter(work, input, to, |messages| {
            if !self.json && is_first {
                self.reporter.repaired(input, tolerance, messages);
            }
        })
    }

    /// Reports an input that has no value.
    ///
    /// # Errors
    ///
    /// Fails if `work` fails.
    fn without_value<T: Work>(
        &self,
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
                work.dropped(to);
            }
        }
        Ok(Exit::No)
    }

    /// Runs `work` on an input if the filters select it. `add_notes` adds messages before the
    /// result. An invalid input is reported, but produces no line of output.
    fn filter<T: Work>(
        &self,
        work: &T,
        mut input: Input<'_>,
        to: &mut Printed,
        add_notes: impl FnOnce(&mut String),
    ) -> io::Result<Exit> {
        let filters = self.filters.as_ref();
        let verdict = filters.map(|filters| match work.filtered(input) {
            Some(text) => filters.verdict(text.as_ref().into()),
            None => Verdict::Invalid,
        });
        if verdict == Some(Verdict::Unwanted) {
            work.dropped(to);
            return Ok(Exit::Good);
        }
        add_notes(&mut to.messages);
        if let (Some(filters), Some(Verdict::Wanted)) = (filters, verdict) {
            input.index = filters.count();
        }
        let start = to.out.len();
        let exit = work.input(input, to)?;
        if verdict == Some(Verdict::Invalid) && !self.json {
            to.out.truncate(start);
            work.dropped(to);
        }
        Ok(exit)
    }
}

/// The work that a command does for many inputs. This trait separates the code that is compiled for
/// each command from [`Run`](super::Run), which is compiled only once.
pub(crate) trait BatchWork: Send + Sync + 'static {
    /// See [`Work::is_slow`].
    fn is_slow(&self) -> bool;

    /// See [`Work::may_repeat`].
    fn may_repeat(&self) -> bool;

    /// See [`Work::host`]. The host is empty for an event that is not an input.
    fn host(&self, event: &Event, place: Option<Place>) -> String;

    /// Adds the results for some inputs to `part`, and calls `after_each` after each input. Returns
    /// the buffer of the inputs for reuse.
    ///
    /// # Errors
    ///
    /// Fails if `after_each` fails.
    fn portion(
        &self,
        part: &mut Part,
        intake: &Intake,
        portion: Portion,
        after_each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
    ) -> io::Result<Vec<u8>>;

    /// Adds the results for an event that is a single input.
    ///
    /// # Errors
    ///
    /// Returns the error that the work caused, if any.
    fn one(
        &self,
        part: &mut Part,
        intake: &Intake,
        event: &Event,
        place: Option<Place>,
    ) -> io::Result<()>;

    /// See [`Work::end`].
    ///
    /// # Errors
    ///
    /// Fails if the work fails.
    fn end(&self, part: &mut Part) -> io::Result<()>;
}

impl<T: Work> BatchWork for T {
    fn is_slow(&self) -> bool {
        Work::is_slow(self)
    }

    fn may_repeat(&self) -> bool {
        Work::may_repeat(self)
    }

    fn host(&self, event: &Event, place: Option<Place>) -> String {
        match (event, place) {
            (Event::Batch(batch), Some(place)) => Work::host(self, batch.input(place).0),
            _ => String::new(),
        }
    }

    fn portion(
        &self,
        part: &mut Part,
        intake: &Intake,
        portion: Portion,
        after_each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        let mut memory = Vec::new();
        for event in portion {
            match event {
                Event::Batch(batch) => {
                    self::batch(self, part, intake, &batch, after_each)?;
                    memory = spare(batch.into_memory());
                }
                Event::Unreadable(source, error) => {
                    part.exit = part.exit.max(Exit::Io);
                    let messages = &mut part.unreadable;
                    intake.reporter.unreadable(&source, &error, messages);
                }
            }
        }
        Ok(memory)
    }

    fn one(
        &self,
        part: &mut Part,
        intake: &Intake,
        event: &Event,
        place: Option<Place>,
    ) -> io::Result<()> {
        match event {
            Event::Batch(batch) => {
                if let Some((input, broken)) = place.map(|place| batch.input(place)) {
                    part.exit = match broken {
                        Some(why) => intake.without_value(self, input, why, &mut part.printed)?,
                        None => intake.take(self, input, &mut part.printed)?,
                    };
                    part.inputs = 1;
                }
            }
            Event::Unreadable(source, error) => {
                part.exit = Exit::Io;
                let messages = &mut part.printed.messages;
                intake.reporter.unreadable(source, error, messages);
            }
        }
        Ok(())
    }

    fn end(&self, part: &mut Part) -> io::Result<()> {
        Work::end(self, &mut part.printed.out)
    }
}

/// Adds the results for a batch.
fn batch<T: Work>(
    work: &T,
    part: &mut Part,
    intake: &Intake,
    batch: &Batch,
    after_each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
) -> io::Result<()> {
    part.is_bulk = intake.is_bulk || batch.is_bulk();
    for (input, broken) in batch.inputs() {
        let printed = &mut part.printed;
        let before = printed.messages.len();
        let exit = match broken {
            Some(why) => intake.without_value(work, input, why, printed)?,
            None => intake.take(work, input, printed)?,
        };
        part.exit = part.exit.max(exit);
        part.inputs += 1;
        if part.is_bulk {
            part.limit_messages(before);
        }
        after_each(part)?;
    }
    Ok(())
}
