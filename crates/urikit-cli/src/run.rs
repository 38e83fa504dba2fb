//! Every command's loop: inputs in, results and messages out, in the order of the inputs.
//!
//! What comes first is worked on where it is read, and written at once: few inputs, and a pipe that somebody writes
//! to by hand, need no threads. When much input is at hand, workers take over (`parallel`). Either way the memory that
//! waits is bounded: what was made of a batch is given out in parts before it grows large.

mod parallel;
mod part;
mod streams;

use crate::exit::Exit;
use crate::input::{Event, Input, Inputs};
use crate::report::Reporter;
use part::Part;
use std::io::{self, Write};
use streams::Streams;

/// What a command does with each input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Writes the result of `input` to `out` and messages about it to `messages`.
    ///
    /// # Errors
    ///
    /// When the result cannot be written, which does not happen in memory.
    fn input(&self, input: Input<'_>, out: &mut Vec<u8>, messages: &mut String)
    -> io::Result<Exit>;
}

/// How to run.
pub(crate) struct Run {
    pub(crate) inputs: Inputs,
    /// How many workers at most; 0 for one on each core.
    pub(crate) jobs: usize,
    pub(crate) reporter: Reporter,
    /// Where results go.
    pub(crate) out: Box<dyn Write>,
}

/// More threads than this only cost memory.
const MAX_JOBS: usize = 256;

/// So many bytes of input at hand are worth starting threads: that takes a tenth of the time that one of them
/// needs for these.
const MUCH: usize = 256 * 1024;

/// Memory is used again, which spares page faults, unless a giant input needed it.
const MAX_SPARE: usize = 4 << 20;

impl Run {
    /// Does `work` with every input.
    ///
    /// # Errors
    ///
    /// When the results cannot be written, a closed pipe included.
    pub(crate) fn with<T: Work>(mut self, work: T) -> io::Result<Exit> {
        let jobs = match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs.min(MAX_JOBS),
        };
        let mut streams = Streams::new(self.out, self.reporter);
        let alone = if jobs == 1 { usize::MAX } else { MUCH };
        let mut part = Part::default();
        let mut memory = Vec::new();
        while let Some(event) = self.inputs.next(memory) {
            memory = part.take(&work, self.reporter, event, |part| {
                if streams.wants(part) {
                    streams.put(part)
                } else {
                    Ok(())
                }
            })?;
            streams.put(&mut part)?;
            if self.inputs.at_hand() >= alone {
                parallel::run(work, self.inputs, self.reporter, jobs, &mut streams)?;
                break;
            }
        }
        streams.finish()
    }
}

/// What is kept of memory to be used again.
fn spare(memory: Vec<u8>) -> Vec<u8> {
    if memory.capacity() <= MAX_SPARE {
        memory
    } else {
        Vec::new()
    }
}
