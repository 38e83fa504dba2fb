//! Checks that work grows linearly with the length of its input.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The shortest time that counts as a measurement. Below that, clock inaccuracy dominates.
const LEAST: Duration = Duration::from_micros(200);
/// The number of times that both sizes are measured before the check fails.
const ATTEMPTS: usize = 40;

/// Checks that the work for four times the size takes about four times as long; quadratic work
/// would take sixteen times as long. `make` prepares the work for a given size; only the closure
/// that it returns is timed.
///
/// The time is the lowest CPU time of this thread in several attempts, so that a busy machine
/// causes more attempts but does not change the result.
///
/// # Panics
///
/// Panics if the work for four times the size takes more than ten times as long in every attempt.
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

/// Returns the CPU time of this thread.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("the CPU time is not negative")
}
