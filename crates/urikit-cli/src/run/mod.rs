//! Runs a command on its inputs, and prints results and messages in the order of the inputs.
//!
//! The first inputs are processed on the thread that reads them, and each result is written
//! immediately. A few inputs, or input that arrives slowly, need no other threads. Once a lot of
//! input is available, a pool of workers takes over ([`pool`]). With or without a pool, memory is
//! bounded, because results are written in parts before they grow large. If the work on each input
//! is slow, as it is when fetching, a pool is used from the start.
//!
//! ```text
//! inputs → work (on this thread, or in the pool) → parts → streams (stdout, stderr)
//! ```

pub(crate) mod pool;
mod streams;
mod work;

pub(crate) use work::{BatchWork, Intake, Work};

use crate::exit::Exit;
use crate::input::{Cursor, Event, Inputs, Place, Portion};
use crate::output::{Later, Spill};
use crate::stdout::Out;
use pool::{Again, Limits, Sink, Turn};
use std::io;
use std::iter;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use streams::{Part, Streams};

/// A command's inputs and options.
pub(crate) struct Run {
    pub(crate) inputs: Inputs,
    /// The maximum number of threads; 0 for one per core.
    pub(crate) jobs: usize,
    pub(crate) intake: Intake,
    /// The streams to which results are written.
    pub(crate) out: Box<dyn Out>,
}

/// Threads are started once this many bytes of input are available. Starting threads takes a tenth
/// of the time that one thread needs to process this many bytes.
const MUCH: usize = 256 * 1024;

/// The number of batches per thread that may wait for their turn.
const BATCHES: usize = 3;

/// The number of parts per thread that may wait for their turn. A page of a Parquet file becomes
/// many parts, and the thread that processes the page continues while other threads have their
/// turn.
const PARTS: usize = 6;

/// The number of results per thread that may wait for their turn when the work is slow; also the
/// minimum number of inputs that may wait.
const SLOW_RESULTS: usize = 16;

/// The minimum number of inputs, each with one small result, that may wait for their turn or for
/// another attempt. This way, inputs waiting for one host do not delay inputs for other hosts.
const WAITING: usize = 1024;

impl Run {
    /// Runs `work` on every input.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be written, for example because the pipe was closed.
    pub(crate) fn with(self, work: Box<dyn BatchWork>) -> io::Result<Exit> {
        if work.is_slow() && self.jobs > 1 {
            self.at_once(work)
        } else {
            self.in_batches(work)
        }
    }

    fn in_batches(mut self, work: Box<dyn BatchWork>) -> io::Result<Exit> {
        let jobs = pool::threads(self.jobs);
        let meter = self.inputs.meter();
        let mut streams = Streams::new(self.out, self.intake.reporter, meter);
        let enough = if jobs == 1 { usize::MAX } else { MUCH };
        let mut part = Part::default();
        let mut memory = Vec::new();
        while let Some(portion) = self.inputs.next(memory) {
            memory = work.portion(&mut part, &self.intake, portion, &mut |part| {
                if streams.wants(part) {
                    streams.put(part)
                } else {
                    Ok(())
                }
            })?;
            streams.put(&mut part)?;
            if self.inputs.available() >= enough {
                self.inputs.read_ahead(jobs);
                in_parallel(work, self.inputs, self.intake, jobs, &mut streams)?;
                return streams.finish();
            }
        }
        // Results that depend on all inputs are produced on one thread only.
        work.end(&mut part)?;
        streams.put(&mut part)?;
        streams.finish()
    }

    /// Runs slow `work` on several inputs at the same time. Results keep the order of the inputs: a
    /// result waits until all results of earlier inputs are written.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be written, for example because the pipe was closed.
    fn at_once(self, work: Box<dyn BatchWork>) -> io::Result<Exit> {
        let jobs = pool::threads(self.jobs);
        let meter = self.inputs.meter();
        let (mut inputs, intake) = (self.inputs, self.intake);
        let streams = Streams::new(self.out, intake.reporter, meter);
        let streams = Arc::new(Mutex::new(streams));
        let shared = Arc::clone(&streams);
        let events = iter::from_fn(move || inputs.next(Vec::new()));
        let events = events.flatten().map(Arc::new);
        let tasks = events.flat_map(tasks);
        let may_repeat = work.may_repeat();
        let work = Arc::new(work);
        let host_of = Arc::clone(&work);
        let host = move |task: &Task| host_of.host(&task.event, task.place.clone());
        let on_task = move |task: &mut Task, sink: &Sink<io::Result<Part>>| {
            let mut part = task.part.take().unwrap_or_default();
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
            let done = work.one(&mut part, &intake, &task.event, task.place.clone());
            part.printed.spill = None;
            if let Some(Later { delay, pauses, .. }) = &part.printed.later
                && done.is_ok()
            {
                let (delay, pauses) = (*delay, pauses.clone());
                task.part = Some(part);
                return Some(Again { delay, pauses });
            }
            sink.put(done.map(|()| part));
            None
        };
        let results = jobs.saturating_mul(SLOW_RESULTS);
        let limits = if may_repeat {
            Limits {
                threads: jobs,
                tasks: results.max(WAITING),
                results: results.max(WAITING),
                gathering: Duration::ZERO,
            }
        } else {
            Limits {
                threads: jobs,
                tasks: jobs.max(SLOW_RESULTS),
                results,
                gathering: Duration::ZERO,
            }
        };
        pool::scheduled(tasks, host, limits, on_task, move |turn| match turn {
            Turn::Result(part) => locked(&shared).put(&mut part?),
            Turn::Waiting => Ok(()), // `put` has flushed everything
        })?;
        locked(&streams).finish()
    }
}

/// Runs `work` on the remaining inputs, one batch at a time on each of `jobs` threads. The memory
/// of batches and parts is reused.
///
/// # Errors
///
/// Fails if the results cannot be written.
fn in_parallel(
    work: Box<dyn BatchWork>,
    mut inputs: Inputs,
    intake: Intake,
    jobs: usize,
    streams: &mut Streams,
) -> io::Result<()> {
    let (return_memory, memory) = channel();
    let (return_part, parts) = channel();
    let parts = Mutex::new(parts);
    let spare_part = move || -> Part {
        let spare = parts.lock().ok().and_then(|parts| parts.try_recv().ok());
        spare.unwrap_or_default()
    };
    let portions = iter::from_fn(move || inputs.next(memory.try_recv().unwrap_or_default()));
    let on_portion = move |portion: Portion, sink: &Sink<io::Result<Part>>| {
        let mut part = spare_part();
        let outcome = work.portion(&mut part, &intake, portion, &mut |part| {
            if part.is_full() && !sink.put(Ok(std::mem::replace(part, spare_part()))) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            Ok(())
        });
        let last = outcome.map(|memory| {
            // Sending fails once the inputs have ended, when the memory is no longer needed.
            let _ = return_memory.send(memory);
            part
        });
        sink.put(last);
    };
    let limits = Limits {
        threads: jobs,
        tasks: jobs.saturating_mul(BATCHES),
        results: jobs.saturating_mul(PARTS),
        gathering: Duration::ZERO,
    };
    pool::ordered(pool::ahead(portions, jobs), limits, on_portion, |turn| {
        let Turn::Result(part) = turn else {
            return Ok(()); // `put` flushes each part
        };
        let mut part = part?;
        streams.put(&mut part)?;
        // Sending fails once the workers have ended, when the part is no longer needed.
        let _ = return_part.send(part);
        Ok(())
    })
}

/// One input in a batch or, without a position, a source that cannot be read.
struct Task {
    event: Arc<Event>,
    place: Option<Place>,
    /// The results so far, if work on the input is being repeated.
    part: Option<Part>,
}

/// Splits an event into tasks.
fn tasks(event: Arc<Event>) -> impl Iterator<Item = Task> {
    let mut cursor = Cursor::default();
    let mut is_reported = false;
    iter::from_fn(move || {
        let place = match &*event {
            Event::Batch(batch) => Some(batch.place(&mut cursor)?),
            Event::Unreadable(..) if is_reported => return None,
            Event::Unreadable(..) => {
                is_reported = true;
                None
            }
        };
        Some(Task {
            event: Arc::clone(&event),
            place,
            part: None,
        })
    })
}

fn locked(streams: &Mutex<Streams>) -> MutexGuard<'_, Streams> {
    streams.lock().unwrap_or_else(PoisonError::into_inner)
}
