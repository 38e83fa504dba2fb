//! Showing that work grows with the length of a text and no faster.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Below this, what is measured is mostly the clock.
const LEAST: Duration = Duration::from_micros(200);
/// How often both sizes are measured before the answer is no.
const ATTEMPTS: usize = 40;

/// Checks that the work for four times the size takes about four times as long; a square would be
/// sixteen times. `make` prepares the work of a size, which is not timed, and what it gives is.
///
/// What counts is the processor's time for this thread, the least of several attempts, so that a busy machine costs attempts
/// and no verdict.
///
/// # Panics
///
/// When the work for four times the size takes more than ten times as long in every attempt.
pub fn assert_linear<W: FnMut()>(name: &str, size: usize, make: impl Fn(usize) -> W) {
    let (mut small, mut large) = (make(size), make(4 * size));
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    for _ in 0..ATTEMPTS {
        short = short.min(time(&mut small));
        long = long.min(time(&mut large));
        if long < short.max(LEAST) * 10 {
            return;
        }
    }
    panic!("{name}: {short:?} for {size}, but {long:?} for four times as much");
}

fn time(work: &mut impl FnMut()) -> Duration {
    let start = now();
    work();
    now().saturating_sub(start)
}

/// How long this thread has been at work.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("time is not negative")
}
