//! Where futures run: a runtime of one thread, the caller's. Everything else in this crate blocks.
//!
//! ```text
//! protocol (blocking) ─→ Runtime::wait ─→ poll ─→ hyper, SOCKS ─→ Detached ─→ socket
//!                           │                                       │
//!                           └── idle limit, deadline ←── Clock ─────┘
//! ```

use super::limits::Limits;
use crate::error::{Error, ErrorKind, Result};
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle};

/// A runtime that is built when it is first needed.
#[derive(Clone, Default)]
pub(crate) struct Runtime(Arc<OnceLock<Owned>>);

/// Dropped without waiting: a program may drop a client within a runtime of its own.
struct Owned(Option<tokio::runtime::Runtime>);

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Runtime {
    pub(super) fn get(&self) -> io::Result<&tokio::runtime::Runtime> {
        if self.0.get().is_none() {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            // If another thread was faster, its runtime is used.
            let _ = self.0.set(Owned(Some(runtime)));
        }
        let owned = self.0.get().and_then(|owned| owned.0.as_ref());
        owned.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Polls until there is a result, or a limit is exceeded: the deadline, or the longest time in
    /// which nothing is sent or received.
    pub(crate) fn wait<T: Send>(
        &self,
        limits: Limits,
        clock: &Clock,
        poll: impl FnMut(&mut Context<'_>) -> Poll<T> + Send,
    ) -> Result<T> {
        let runtime = self.get().map_err(local)?;
        limits.deadline.check()?;
        let limits = limits.of_one_step();
        clock.restart();
        if Handle::try_current().is_err() {
            return runtime.block_on(limited(limits, clock, poll));
        }
        // The caller is in a runtime of its own, in which no other can wait.
        let waited = std::thread::scope(|scope| {
            let work = || runtime.block_on(limited(limits, clock, poll));
            let thread = std::thread::Builder::new().spawn_scoped(scope, work);
            thread.map(std::thread::ScopedJoinHandle::join)
        });
        let waited = waited.map_err(local)?;
        waited.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error))
}

async fn limited<T>(
    limits: Limits,
    clock: &Clock,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Result<T> {
    let mut timer = pin!(tokio::time::sleep(left(limits, clock)?));
    std::future::poll_fn(|context| {
        if let Poll::Ready(value) = poll(context) {
            return Poll::Ready(Ok(value));
        }
        // The timer is not set again at each byte, but when it ends.
        while timer.as_mut().poll(context).is_ready() {
            match left(limits, clock) {
                Ok(left) => {
                    let end = tokio::time::Instant::now().checked_add(left);
                    timer.as_mut().set(tokio::time::sleep_until(
                        end.unwrap_or_else(|| tokio::time::Instant::now() + FAR),
                    ));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Pending
    })
    .await
}

/// A wait that the clock can represent.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// How long may be waited now.
fn left(limits: Limits, clock: &Clock) -> Result<Duration> {
    let idle = limits.idle.saturating_sub(clock.silence());
    if idle.is_zero() {
        return Err(Error::network(io::ErrorKind::TimedOut.into()));
    }
    limits.deadline.left(idle)
}

/// When something was last sent or received.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    begun: Instant,
    /// In microseconds after the begin.
    last: Arc<AtomicU64>,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            last: Arc::default(),
        }
    }

    /// Something was sent or received, or a wait begins.
    pub(super) fn restart(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    fn silence(&self) -> Duration {
        let last = self.last.load(Ordering::Relaxed);
        Duration::from_micros(self.now().saturating_sub(last))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
