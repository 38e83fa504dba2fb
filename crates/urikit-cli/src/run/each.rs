//! Slow work on several inputs at the same time: each is a task of its own, from the first.

use super::batches::Run;
use super::part::Part;
use super::pool::{self, Sink, Turn};
use super::streams::Streams;
use super::work::Work;
use crate::input::Event;
use crate::output::{Printed, Spill};
use std::io;
use std::sync::Arc;

/// How many results of an input may wait for their turn.
const WAITING: usize = 16;

/// An input, by its number in a batch and where it begins there; or a source that could not be read.
type Task = (Arc<Event>, (u64, usize));

impl Run {
    /// Does slow `work` on every input, on several of them at the same time. Results keep the order
    /// of the inputs; those that are made before the end of an input wait for their turn.
    ///
    /// # Errors
    ///
    /// If the results cannot be written; a closed pipe is such an error too.
    pub(crate) fn at_once<T: Work>(self, work: T) -> io::Result<crate::exit::Exit> {
        let jobs = pool::threads(self.jobs);
        let meter = self.inputs.meter();
        let (mut inputs, intake) = (self.inputs, self.intake);
        let mut streams = Streams::new(self.out, intake.reporter, meter);
        let events = std::iter::from_fn(move || inputs.next(Vec::new())).map(Arc::new);
        let tasks = events.flat_map(|event| {
            let starts = match &*event {
                Event::Batch(batch) => batch.starts(),
                Event::Unreadable(..) => vec![0],
            };
            (0..)
                .zip(starts)
                .map(move |place| -> Task { (Arc::clone(&event), place) })
        });
        let on_task = move |(event, place): Task, sink: &Sink<io::Result<Part>>| {
            let mut part = Part::default();
            let to = sink.clone();
            part.printed.spill = Some(Spill::new(move |out| {
                let mut part = Part::default();
                part.printed.out = out;
                if to.put(Ok(part)) {
                    Ok(())
                } else {
                    Err(io::ErrorKind::BrokenPipe.into())
                }
            }));
            let done = part.take_one(&work, intake, &event, place);
            part.printed.spill = None;
            sink.put(done.map(|()| part));
        };
        pool::ordered(tasks, jobs, WAITING, on_task, |turn| match turn {
            Turn::Result(part) => streams.put(&mut part?),
            // What was put is written at once.
            Turn::Waiting => Ok(()),
        })?;
        streams.finish()
    }
}

impl Part {
    /// Adds the results of `work` on one input of an event.
    fn take_one<T: Work>(
        &mut self,
        work: &T,
        intake: super::Intake,
        event: &Event,
        (nth, start): (u64, usize),
    ) -> io::Result<()> {
        match event {
            Event::Batch(batch) => {
                let (input, broken) = batch.input(nth, start);
                self.exit = match broken {
                    Some(why) => intake.without_value(work, input, why, &mut self.printed)?,
                    None => intake.take(work, input, &mut self.printed)?,
                };
                self.inputs = 1;
            }
            Event::Unreadable(source, error) => {
                self.exit = crate::exit::Exit::Io;
                let Printed { messages, .. } = &mut self.printed;
                intake.reporter.unreadable(source, error, messages);
            }
        }
        Ok(())
    }
}
