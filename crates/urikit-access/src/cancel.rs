//! Cancels accesses from another thread.

use rustix::event::{PollFd, PollFlags, poll};
use std::fmt;
use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Cancels accesses from another thread. All clones share one state, which is never reset. Any
/// number of accesses may share one token.
///
/// A cancelled access ends with [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled). An access
/// that is waiting for a connection, for data, for a slow receiver or for a rate limit ends
/// immediately. An access that is resolving a host name ends within 50 milliseconds. If the
/// access is computing, or waiting for its prompt, its sink, a file, a program or a terminal
/// session, it ends only when that operation returns.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Cancel, Client, ErrorKind, NoPrompt, Policy, Request};
/// let cancel = Cancel::new();
/// let url = UriRef::parse("http://www.example.com/")?;
/// let request = Request::new(url).cancel(&cancel);
/// cancel.cancel(); // usually in another thread, during the access
/// let client = Client::new(Policy::new());
/// let error = client.fetch(&request, &mut NoPrompt, &mut Buffer::default()).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Default)]
struct State {
    is_cancelled: AtomicBool,
    /// Becomes readable when the accesses are cancelled, and stays readable. `None` if the system
    /// cannot provide a pipe.
    signal: OnceLock<Option<(PipeReader, PipeWriter)>>,
}

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels every access that has this token, now or later.
    pub fn cancel(&self) {
        if self.0.is_cancelled.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some((_, writer)) = self.signal() {
            // The pipe is empty, so writing one byte neither blocks nor fails.
            let _ = { writer }.write(&[0]);
        }
    }

    /// Returns true after [`cancel`](Self::cancel).
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::SeqCst)
    }

    fn signal(&self) -> Option<&(PipeReader, PipeWriter)> {
        self.0.signal.get_or_init(|| io::pipe().ok()).as_ref()
    }

    /// Returns the end of the pipe that becomes readable when the accesses are cancelled.
    pub(crate) fn reader(&self) -> Option<&PipeReader> {
        self.signal().map(|(reader, _)| reader)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// The longest time for which a cancellable access waits without checking its token.
pub(crate) const SLICE: Duration = Duration::from_millis(50);

/// Waits until an event occurs on one of the files, the token is cancelled, or the time has passed.
/// If no event occurred, the caller must check its token and its deadline again.
pub(crate) fn wait<'f>(
    files: &mut Vec<PollFd<'f>>,
    cancel: Option<&'f Cancel>,
    max: Duration,
) -> io::Result<()> {
    let reader = cancel.and_then(Cancel::reader);
    let max = match (cancel, reader) {
        (Some(_), None) => max.min(SLICE),
        _ => max,
    };
    let count = files.len();
    files.extend(reader.map(|reader| PollFd::new(reader, PollFlags::IN)));
    // `None` waits without a limit.
    let polled = poll(files, max.try_into().ok().as_ref());
    files.truncate(count);
    match polled {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The cause of an I/O error that ended a cancelled access.
#[derive(Debug)]
pub(crate) struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the access was cancelled")
    }
}

impl std::error::Error for Cancelled {}

#[cfg(test)]
mod tests {
    use super::{Cancel, wait};
    use std::time::{Duration, Instant};

    #[test]
    fn a_wait_ends_when_the_token_is_cancelled() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            other.cancel();
            other.cancel();
        });
        let begun = Instant::now();
        wait(&mut Vec::new(), Some(&cancel), Duration::from_secs(60)).unwrap();
        assert!(cancel.is_cancelled() && begun.elapsed() < Duration::from_secs(10));
        // Every later wait ends immediately too.
        wait(&mut Vec::new(), Some(&cancel), Duration::from_secs(60)).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(10));
        thread.join().unwrap();
    }
}
