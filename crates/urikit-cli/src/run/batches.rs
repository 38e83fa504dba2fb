//! A command's work on all its inputs: first on one thread, then on many.

use super::batch_work::BatchWork;
use super::intake::Intake;
use super::part::Part;
use super::pool::{self, Limits, Sink, Turn};
use super::streams::Streams;
use crate::exit::Exit;
use crate::input::{Inputs, Portion};
use crate::sheet::Out;
use std::io;
use std::iter;
use std::sync::Mutex;
use std::sync::mpsc::channel;

/// A command's inputs and options.
pub(crate) struct Run {
    pub(crate) inputs: Inputs,
    /// The most threads to use; 0 for one per core.
    pub(crate) jobs: usize,
    pub(crate) intake: Intake,
    /// Where results go.
    pub(crate) out: Box<dyn Out>,
}

/// With this many bytes of input available, threads pay off: starting them takes a tenth of the
/// time that one thread needs for so much.
const MUCH: usize = 256 * 1024;

/// For each thread, how many batches may wait for their turn.
const BATCHES: usize = 3;

/// And how many parts of these. One thread makes many of a page of Parquet, and goes on while it is
/// the turn of another.
const PARTS: usize = 6;

impl Run {
    /// Does `work` on every input.
    ///
    /// # Errors
    ///
    /// If the results cannot be written; a closed pipe is such an error too.
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
            memory = work.portion(&mut part, self.intake, portion, &mut |part| {
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
                break;
            }
        }
        streams.finish()
    }
}

/// Does `work` on the remaining inputs, a batch at a time on each of `jobs` threads. The memory of
/// batches and parts is used again.
///
/// # Errors
///
/// If the results cannot be written.
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
        let outcome = work.portion(&mut part, intake, portion, &mut |part| {
            if part.is_full() && !sink.put(Ok(std::mem::replace(part, spare_part()))) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            Ok(())
        });
        let last = outcome.map(|memory| {
            // Sending fails once the inputs have ended, when nothing needs the memory.
            let _ = return_memory.send(memory);
            part
        });
        sink.put(last);
    };
    let limits = Limits {
        threads: jobs,
        tasks: jobs.saturating_mul(BATCHES),
        results: jobs.saturating_mul(PARTS),
    };
    pool::ordered(pool::ahead(portions, jobs), limits, on_portion, |turn| {
        let Turn::Result(part) = turn else {
            return Ok(()); // each part is flushed
        };
        let mut part = part?;
        streams.put(&mut part)?;
        // Likewise once the workers have ended.
        let _ = return_part.send(part);
        Ok(())
    })
}
