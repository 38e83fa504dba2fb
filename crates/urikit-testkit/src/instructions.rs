//! Counts the instructions that a piece of code executes. Unlike measured times, these counts are
//! exactly repeatable.
//!
//! A test starts itself again under valgrind, and passes the size of the work in an environment
//! variable. The new process does nothing but the work.

use std::env;
use std::process::{Command, Stdio};

/// The environment variable that passes the size of the work to the child process.
const SIZE: &str = "URIKIT_WORK_OF_SIZE";

/// Returns the size of the work if this process was started to do the work.
pub fn size_of_work() -> Option<usize> {
    env::var(SIZE).ok()?.parse().ok()
}

/// Returns the number of instructions that the test `name` in this program executes for work of
/// `size`, or `None` if valgrind is not installed.
///
/// # Panics
///
/// Panics if valgrind is installed but does not report a count.
pub fn count(name: &str, size: usize) -> Option<u64> {
    // In an emulator, starting a program that does not exist may appear to succeed.
    let path = env::var_os("PATH")?;
    let valgrind = env::split_paths(&path)
        .map(|folder| folder.join("valgrind"))
        .find(|program| program.is_file())?;
    let program = env::current_exe().expect("the path of the test program");
    let output = Command::new(valgrind)
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(program)
        .args(["--exact", name, "--test-threads=1"])
        .env(SIZE, size.to_string())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let count = messages
        .lines()
        .find_map(|line| line.split_once("I   refs:"))
        .and_then(|(_, count)| count.trim().replace(',', "").parse().ok());
    assert!(output.status.success(), "{messages}");
    Some(count.unwrap_or_else(|| panic!("no count in {messages}")))
}

/// Checks that the test `name` executes about four times as many instructions if its input is four
/// times as large, not counting those that it executes on empty input. Returns the ratio, or `None`
/// if valgrind is not installed.
///
/// # Panics
///
/// Panics if the larger task takes more than 4.4 times as many instructions.
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
