//! Checks that the time for some work grows only linearly with the length of the input.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The shortest time that counts as a measurement. For shorter times, the inaccuracy of the clock
/// dominates.
const LEAST: Duration = Duration::from_micros(200);
/// The number of times that both sizes are measured before the check fails.
const ATTEMPTS: usize = 40;

/// Checks that the work takes about four times as long if its size is four times as large;
/// quadratic work would take sixteen times as long. `make` prepares the work for a given size; only
/// the closure that it returns is timed.
///
/// The check uses the lowest CPU time of the current thread in several attempts, so on a busy
/// machine it needs more attempts but has the same result.
///
/// # Panics
///
/// Panics if, in every attempt, work of four times the size takes more than ten times as long.
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

/// Returns the CPU time that the current thread has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("the CPU time is not negative")
}
