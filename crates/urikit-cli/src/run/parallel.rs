//! Workers for much input.
//!
//! ```text
//! reader → batches, to each worker in turn → workers → parts, from each in turn → output
//! ```
//!
//! Batches are dealt out and what was made of them is collected in the same turn, which keeps the order. Every channel
//! holds one thing, so that whoever is ahead waits: nothing is read that nobody can work on, and nothing is made that nobody
//! takes. Memory goes back to where it came from.

use super::part::Part;
use super::streams::Streams;
use super::{Event, Inputs, Work};
use crate::report::Reporter;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// What a worker hands on.
struct Done {
    part: io::Result<Part>,
    /// Whether this is the last part of its batch.
    is_last: bool,
}

/// Does `work` with the rest of the inputs, with so many workers.
///
/// # Errors
///
/// When the results cannot be written. Threads are not waited for then: the program ends though the input may never.
pub(super) fn run<T: Work>(
    work: T,
    inputs: Inputs,
    reporter: Reporter,
    jobs: usize,
    streams: &mut Streams,
) -> io::Result<()> {
    let work = Arc::new(work);
    let (memory, memories) = channel();
    let mut to_workers = Vec::new();
    let mut workers = Vec::new();
    for _ in 0..jobs {
        let (to_worker, events) = sync_channel(1);
        let (parts, from_worker) = sync_channel(1);
        let (spare_part, spare_parts) = channel();
        let worker = Worker {
            work: Arc::clone(&work),
            reporter,
            parts,
            spare_parts,
            memory: memory.clone(),
        };
        let thread = std::thread::spawn(move || worker.run(&events));
        to_workers.push(to_worker);
        workers.push((from_worker, spare_part, thread));
    }
    drop(memory);
    std::thread::spawn(move || read(inputs, &to_workers, &memories));
    let mut turns = (0..jobs).cycle();
    // The first worker to have nothing more is the one whose turn it is.
    while let Some(turn) = turns.next()
        && let Some((from_worker, spare_part, _)) = workers.get(turn)
    {
        loop {
            let Ok(done) = from_worker.recv() else {
                let (_, _, thread) = workers.swap_remove(turn);
                return thread.join().or_else(|panic| resume_unwind(panic));
            };
            let mut part = done.part?;
            streams.put(&mut part)?;
            // A worker that has ended needs none.
            let _ = spare_part.send(part);
            if done.is_last {
                break;
            }
        }
    }
    Ok(())
}

/// Deals out the inputs.
fn read(mut inputs: Inputs, to_workers: &[SyncSender<Event>], memories: &Receiver<Vec<u8>>) {
    for to_worker in to_workers.iter().cycle() {
        let memory = memories.try_recv().unwrap_or_default();
        let Some(event) = inputs.next(memory) else {
            return;
        };
        if to_worker.send(event).is_err() {
            return;
        }
    }
}

struct Worker<T> {
    work: Arc<T>,
    reporter: Reporter,
    parts: SyncSender<Done>,
    spare_parts: Receiver<Part>,
    memory: Sender<Vec<u8>>,
}

impl<T: Work> Worker<T> {
    fn run(&self, events: &Receiver<Event>) {
        for event in events {
            let mut part = self.spare_part();
            let outcome = part.take(&*self.work, self.reporter, event, |part| {
                if !part.is_full() {
                    return Ok(());
                }
                let full = std::mem::replace(part, self.spare_part());
                self.put(Ok(full), false)
            });
            let sent = match outcome {
                Ok(memory) => {
                    // At the end of the inputs, nobody needs memory to read them to.
                    let _ = self.memory.send(memory);
                    self.put(Ok(part), true)
                }
                Err(error) => self.put(Err(error), true),
            };
            if sent.is_err() {
                return;
            }
        }
    }

    /// An empty part, in memory that is used again.
    fn spare_part(&self) -> Part {
        self.spare_parts.try_recv().unwrap_or_default()
    }

    fn put(&self, part: io::Result<Part>, is_last: bool) -> io::Result<()> {
        let done = Done { part, is_last };
        let closed = |_| io::ErrorKind::BrokenPipe.into();
        self.parts.send(done).map_err(closed)
    }
}
