//! Every command's loop: inputs in, results and messages out, in the order of the inputs.
//!
//! With one job, results go straight to the output. With several, workers take batches in turn, and
//! their results are taken in turn, which keeps the order and bounds what waits.

use crate::exit::Exit;
use crate::input::{Batch, Event, Input, Inputs};
use crate::progress::Progress;
use crate::report::Reporter;
use anstream::AutoStream;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// What a command does with each input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Writes the result of `input` to `out` and messages about it to `messages`.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    fn input<W: Write>(
        &self,
        input: Input<'_>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit>;
}

/// How to run.
pub(crate) struct Run {
    pub(crate) inputs: Inputs,
    /// How many workers; 0 for one on each core.
    pub(crate) jobs: usize,
    pub(crate) reporter: Reporter,
    /// Where results go.
    pub(crate) out: Box<dyn Write>,
}

/// Standard output and standard error.
struct Streams {
    out: BufWriter<Box<dyn Write>>,
    /// Results are shown at once, and come before the messages that follow them.
    interactive: bool,
    error: AutoStream<io::Stderr>,
    progress: Progress,
}

impl Streams {
    fn message(&mut self, messages: &mut String) -> io::Result<()> {
        if !messages.is_empty() {
            if self.interactive {
                self.out.flush()?;
            }
            self.progress.clear();
            // Nobody is left to tell when standard error is closed.
            let _ = self.error.write_all(messages.as_bytes());
            messages.clear();
        }
        Ok(())
    }

    fn done(&mut self, inputs: u64) -> io::Result<()> {
        self.progress.add(inputs);
        if self.interactive {
            self.out.flush()
        } else {
            Ok(())
        }
    }
}

impl Run {
    /// Does `work` with every input.
    ///
    /// # Errors
    ///
    /// When the results cannot be written, a closed pipe included.
    pub(crate) fn with<T: Work>(self, work: T) -> io::Result<Exit> {
        let jobs = match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs.min(MAX_JOBS),
        };
        let mut streams = Streams {
            out: BufWriter::with_capacity(64 * 1024, self.out),
            interactive: io::stdout().is_terminal(),
            error: AutoStream::auto(io::stderr()),
            progress: Progress::new(self.reporter.quiet, "inputs"),
        };
        let exit = if jobs == 1 {
            sequential(&work, self.inputs, self.reporter, &mut streams)
        } else {
            parallel(work, self.inputs, self.reporter, jobs, &mut streams)
        };
        streams.progress.clear();
        streams.out.flush()?;
        exit
    }
}

/// More threads than this only cost memory.
const MAX_JOBS: usize = 256;

fn sequential<T: Work>(
    work: &T,
    inputs: Inputs,
    reporter: Reporter,
    streams: &mut Streams,
) -> io::Result<Exit> {
    let mut exit = Exit::Good;
    let mut messages = String::new();
    for event in inputs {
        match event {
            Event::Batch(batch) => {
                for input in batch.inputs() {
                    exit = exit.max(work.input(input, &mut streams.out, &mut messages)?);
                    streams.message(&mut messages)?;
                }
                streams.done(batch.len())?;
            }
            Event::Unreadable(source, error) => {
                exit = Exit::Io;
                reporter.unreadable(&source, &error, &mut messages);
                streams.message(&mut messages)?;
            }
        }
    }
    Ok(exit)
}

/// What a worker made of an event.
struct Done {
    out: Vec<u8>,
    messages: String,
    exit: io::Result<Exit>,
    inputs: u64,
}

fn parallel<T: Work>(
    work: T,
    inputs: Inputs,
    reporter: Reporter,
    jobs: usize,
    streams: &mut Streams,
) -> io::Result<Exit> {
    let work = Arc::new(work);
    let mut to_workers: Vec<SyncSender<Event>> = Vec::new();
    let mut from_workers: Vec<(Receiver<Done>, Sender<Vec<u8>>)> = Vec::new();
    for _ in 0..jobs {
        let (to_worker, events) = sync_channel(1);
        let (results, from_worker) = sync_channel(1);
        let (spare, spares) = channel();
        let work = Arc::clone(&work);
        std::thread::spawn(move || worker(&*work, reporter, &events, &results, &spares));
        to_workers.push(to_worker);
        from_workers.push((from_worker, spare));
    }
    // Threads are not waited for: when the output is closed, the program ends though the input may
    // never.
    std::thread::spawn(move || {
        for (event, to_worker) in inputs.zip(to_workers.iter().cycle()) {
            if to_worker.send(event).is_err() {
                break;
            }
        }
    });
    let mut exit = Exit::Good;
    for (from_worker, spare) in from_workers.iter().cycle() {
        // The first worker to have nothing more is the one whose turn it is.
        let Ok(mut done) = from_worker.recv() else {
            break;
        };
        exit = exit.max(done.exit?);
        streams.out.write_all(&done.out)?;
        streams.message(&mut done.messages)?;
        streams.done(done.inputs)?;
        if done.out.capacity() <= MAX_SPARE {
            done.out.clear();
            // A worker that has ended needs no buffer.
            let _ = spare.send(done.out);
        }
    }
    Ok(exit)
}

/// Buffers are used again, which spares page faults, unless a giant input needed one.
const MAX_SPARE: usize = 4 << 20;

fn worker<T: Work>(
    work: &T,
    reporter: Reporter,
    events: &Receiver<Event>,
    results: &SyncSender<Done>,
    spares: &Receiver<Vec<u8>>,
) {
    for event in events {
        let mut done = Done {
            out: spares.try_recv().unwrap_or_default(),
            messages: String::new(),
            exit: Ok(Exit::Good),
            inputs: 0,
        };
        match event {
            Event::Batch(batch) => done.take(work, &batch),
            Event::Unreadable(source, error) => {
                done.exit = Ok(Exit::Io);
                reporter.unreadable(&source, &error, &mut done.messages);
            }
        }
        if results.send(done).is_err() {
            break;
        }
    }
}

impl Done {
    fn take<T: Work>(&mut self, work: &T, batch: &Batch) {
        self.inputs = batch.len();
        self.exit = batch.inputs().try_fold(Exit::Good, |exit, input| {
            Ok(exit.max(work.input(input, &mut self.out, &mut self.messages)?))
        });
    }
}
