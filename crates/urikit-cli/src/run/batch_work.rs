//! What the loop asks of a command: its work on many inputs at a time. This is compiled for each
//! command, and the loop once.

use super::intake::Intake;
use super::part::{Part, spare};
use super::work::Work;
use crate::exit::Exit;
use crate::input::{Batch, Event, Place, Portion};
use std::io;

/// A command's [`Work`], on many inputs at a time.
pub(crate) trait BatchWork: Send + Sync + 'static {
    /// Whether it is slow, and several inputs are worked on at the same time if the user wants so.
    fn is_slow(&self) -> bool;

    /// Adds the results for some inputs to `part`, and calls `each` after each input. Returns the
    /// memory that the inputs were in.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    fn portion(
        &self,
        part: &mut Part,
        intake: Intake,
        portion: Portion,
        each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
    ) -> io::Result<Vec<u8>>;

    /// Adds the results for one input of an event.
    ///
    /// # Errors
    ///
    /// Those of the work.
    fn one(
        &self,
        part: &mut Part,
        intake: Intake,
        event: &Event,
        place: Option<Place>,
    ) -> io::Result<()>;
}

impl<T: Work> BatchWork for T {
    fn is_slow(&self) -> bool {
        Work::is_slow(self)
    }

    fn portion(
        &self,
        part: &mut Part,
        intake: Intake,
        portion: Portion,
        each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        let mut memory = Vec::new();
        for event in portion {
            match event {
                Event::Batch(batch) => {
                    self::batch(self, part, intake, &batch, each)?;
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
        intake: Intake,
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
}

/// Adds the results for a batch.
fn batch<T: Work>(
    work: &T,
    part: &mut Part,
    intake: Intake,
    batch: &Batch,
    each: &mut dyn FnMut(&mut Part) -> io::Result<()>,
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
        each(part)?;
    }
    Ok(())
}
