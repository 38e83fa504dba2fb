//! Detects whether standard input or output was closed when the program started.
//!
//! `std` opens `/dev/null` in place of a closed descriptor before `main` runs. With a shell's
//! `>&-`, all results would be lost silently, and with `<&-`, a check would pass because its input
//! seems to be empty. A constructor checks the descriptors before `std` opens the file.

use rustix::io::{Errno, fcntl_getfd};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[ctor::ctor(unsafe)]
fn look() {
    // This function uses only atomics and system calls, because the runtime of `std` is not ready.
    let (input, output) = (rustix::stdio::stdin(), rustix::stdio::stdout());
    IS_INPUT_CLOSED.store(fcntl_getfd(input) == Err(Errno::BADF), Ordering::Relaxed);
    IS_OUTPUT_CLOSED.store(fcntl_getfd(output) == Err(Errno::BADF), Ordering::Relaxed);
}

/// Returns standard input.
///
/// # Errors
///
/// If it was closed, returns the error that reading a closed descriptor causes.
pub(crate) fn stdin() -> io::Result<io::Stdin> {
    check(&IS_INPUT_CLOSED).map(|()| io::stdin())
}

/// Fails if standard output was closed.
///
/// # Errors
///
/// Returns the error that writing to a closed descriptor causes.
pub(crate) fn check_output() -> io::Result<()> {
    check(&IS_OUTPUT_CLOSED)
}

fn check(is_closed: &AtomicBool) -> io::Result<()> {
    if is_closed.load(Ordering::Relaxed) {
        return Err(Errno::BADF.into());
    }
    Ok(())
}
