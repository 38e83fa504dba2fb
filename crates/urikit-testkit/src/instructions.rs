//! Counting the instructions of a piece of work, which repeat exactly where time does not.
//!
//! A test starts itself again under valgrind, with a size in its environment; there it does the work
//! and nothing else.

use std::env;
use std::process::{Command, Stdio};

/// The variable that tells a test that it is the one which does the work.
const SIZE: &str = "URIKIT_WORK_OF_SIZE";

/// The size of the work to do, in a test that was started for it.
pub fn size_of_work() -> Option<usize> {
    env::var(SIZE).ok()?.parse().ok()
}

/// How many instructions the test `name` of this program takes for work of `size`; `None` where
/// valgrind is not installed.
///
/// # Panics
///
/// When valgrind is there and does not count.
pub fn count(name: &str, size: usize) -> Option<u64> {
    let program = env::current_exe().expect("a test is a program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--exact", name, "--test-threads=1"])
        .env(SIZE, size.to_string())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let count = messages
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok());
    assert!(output.status.success(), "{messages}");
    Some(count.unwrap_or_else(|| panic!("no count in {messages}")))
}

/// Checks that the test `name` takes about four times as many instructions for four times the
/// size, what it takes for nothing left out; gives the ratio, or `None` where valgrind is not
/// installed.
///
/// # Panics
///
/// When it takes more than 4.4 times as many.
pub fn assert_linear_in_instructions(name: &str, size: usize) -> Option<f64> {
    let nothing = count(name, 0)?;
    let small = count(name, size)?.saturating_sub(nothing);
    let large = count(name, 4 * size)?.saturating_sub(nothing);
    assert!(small > 0, "{name} does work");
    #[allow(clippy::cast_precision_loss)] // a ratio of counts far below 2^52
    let ratio = large as f64 / small as f64;
    assert!(ratio < 4.4, "{name}: {small} instructions, then {large}");
    Some(ratio)
}
