//! Slow work on several inputs at the same time: each is a task of its own, from the first.

use super::batch_work::BatchWork;
use super::batches::Run;
use super::part::Part;
use super::pool::{self, Limits, Sink, Turn};
use super::streams::Streams;
use crate::exit::Exit;
use crate::input::{Cursor, Event, Place};
use crate::output::Spill;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many inputs may wait for their turn, and how many results for each thread.
const WAITING: usize = 16;

/// An input, by its place in a batch; or a source that could not be read, without one.
type Task = (Arc<Event>, Option<Place>);

impl Run {
    /// Does slow `work` on every input, on several of them at the same time. Results keep the order
    /// of the inputs; those that are made before the end of an input wait for their turn.
    ///
    /// # Errors
    ///
    /// If the results cannot be written; a closed pipe is such an error too.
    pub(super) fn at_once(self, work: Box<dyn BatchWork>) -> io::Result<Exit> {
        let jobs = pool::threads(self.jobs);
        let meter = self.inputs.meter();
        let (mut inputs, intake) = (self.inputs, self.intake);
        let streams = Streams::new(self.out, intake.reporter, meter);
        let streams = Arc::new(Mutex::new(streams));
        let shared = Arc::clone(&streams);
        let events = std::iter::from_fn(move || inputs.next(Vec::new()));
        let events = events.flatten().map(Arc::new);
        let tasks = events.flat_map(tasks);
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
            let done = work.one(&mut part, intake, &event, place);
            part.printed.spill = None;
            sink.put(done.map(|()| part));
        };
        let limits = Limits {
            threads: jobs,
            tasks: jobs.max(WAITING),
            results: jobs.saturating_mul(WAITING),
        };
        pool::in_turn(tasks, limits, on_task, move |turn| match turn {
            Turn::Result(part) => locked(&shared).put(&mut part?),
            Turn::Waiting => Ok(()), // what was put is written at once
        })?;
        locked(&streams).finish()
    }
}

fn locked(streams: &Mutex<Streams>) -> MutexGuard<'_, Streams> {
    streams.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tasks of an event.
fn tasks(event: Arc<Event>) -> impl Iterator<Item = Task> {
    let mut cursor = Cursor::default();
    let mut is_reported = false;
    std::iter::from_fn(move || {
        let place = match &*event {
            Event::Batch(batch) => Some(batch.place(&mut cursor)?),
            Event::Unreadable(..) if is_reported => return None,
            Event::Unreadable(..) => {
                is_reported = true;
                None
            }
        };
        Some((Arc::clone(&event), place))
    })
}
