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

/// An input, by its place in a batch; or a source that could not be read.
type Task = (Arc<Event>, usize);

impl Run {
    /// Does slow `work` on every input, on several of them at the same time. Results keep the order
    /// of the inputs; those that are made before the end of an input wait for their turn.
    ///
    /// # Errors
    ///
    /// If the results cannot be written; a closed pipe is such an error too.
    pub(crate) fn at_once<T: Work>(mut self, work: T) -> io::Result<crate::exit::Exit> {
        let jobs = pool::threads(self.jobs);
        self.out.write_all(&work.header())?;
        let (mut inputs, intake) = (self.inputs, self.intake);
        let mut streams = Streams::new(self.out, intake.reporter);
        let events = std::iter::from_fn(move || inputs.next(Vec::new())).map(Arc::new);
        let tasks = events.flat_map(|event| {
            let count = match &*event {
                Event::Batch(batch) => usize::try_from(batch.len()).unwrap_or(usize::MAX),
                Event::Unreadable(..) => 1,
            };
            (0..count).map(move |nth| -> Task { (Arc::clone(&event), nth) })
        });
        let on_task = move |(event, nth): Task, sink: &Sink<io::Result<Part>>| {
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
            let done = part.take_one(&work, intake, &event, nth);
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
        nth: usize,
    ) -> io::Result<()> {
        match event {
            Event::Batch(batch) => {
                if let Some(input) = batch.inputs().nth(nth) {
                    self.exit = intake.take(work, input, &mut self.printed)?;
                    self.inputs = 1;
                }
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
