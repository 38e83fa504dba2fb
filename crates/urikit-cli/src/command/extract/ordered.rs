//! Sources in parallel, results in the order of the sources.
//!
//! Each source has a channel of its own that holds little: whoever is ahead of the source whose turn it is waits
//! when its channel is full. So memory is bounded, and the source whose turn it is always has a worker.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// How many results of a source may wait.
const WAITING: usize = 16;

/// Lets `work` make results of each source, with so many workers, and gives them to `take` in order.
///
/// # Errors
///
/// What `take` gives; then nothing more is done, and workers are not waited for.
pub(super) fn ordered<S, T, W>(
    sources: impl Iterator<Item = S> + Send + 'static,
    jobs: usize,
    work: W,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let (to_workers, tasks) = sync_channel::<(S, SyncSender<T>)>(jobs);
    let (turns, in_turn) = sync_channel::<Receiver<T>>(jobs);
    let tasks = Arc::new(Mutex::new(tasks));
    let work = Arc::new(work);
    for _ in 0..jobs {
        let tasks = Arc::clone(&tasks);
        let work = Arc::clone(&work);
        std::thread::spawn(move || {
            loop {
                // The lock is held while waiting, and given up before working.
                let task = match tasks.lock() {
                    Ok(tasks) => tasks.recv(),
                    Err(_) => return,
                };
                let Ok((source, results)) = task else { return };
                work(source, &Sink { results });
            }
        });
    }
    std::thread::spawn(move || {
        for source in sources {
            let (results, turn) = sync_channel(WAITING);
            if to_workers.send((source, results)).is_err() || turns.send(turn).is_err() {
                return;
            }
        }
    });
    for turn in in_turn {
        for result in turn {
            take(result)?;
        }
    }
    Ok(())
}

/// Where a worker puts results.
pub(super) struct Sink<T> {
    results: SyncSender<T>,
}

impl<T> Sink<T> {
    /// Puts one result; gives `false` when nobody wants more.
    pub(super) fn put(&self, result: T) -> bool {
        self.results.send(result).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Sink, ordered};

    #[test]
    fn results_keep_the_order_whoever_is_first() {
        let mut taken = Vec::new();
        ordered(
            0..40_u64,
            4,
            |source, sink| {
                // Early sources are slow, and give more than may wait.
                std::thread::sleep(std::time::Duration::from_millis(4 - source % 4));
                for part in 0..40 {
                    sink.put(source * 100 + part);
                }
            },
            |result| {
                taken.push(result);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(taken.len(), 1600);
        assert!(taken.is_sorted());
    }

    #[test]
    fn nothing_goes_on_when_the_output_is_closed() {
        let closed = || Err(std::io::ErrorKind::BrokenPipe.into());
        let work = |_, sink: &Sink<()>| {
            sink.put(());
        };
        let outcome = ordered(0..u64::MAX, 2, work, |()| closed());
        assert!(outcome.is_err());
    }
}
