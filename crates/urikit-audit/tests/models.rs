//! The models of curl and `urllib` give what these parsers give, where the version that they were
//! measured with is installed; and the reader `whatwg` is compared with Node.
//!
//! Skipped by name otherwise. Real, generated and mutated inputs are compared: a few in the normal
//! run, many with `URIKIT_LONG=1`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod inputs;
mod programs;

use programs::Program;
use urikit_audit::{Curl, Reader, Urllib};

/// Compares a reader with a program on `count` inputs, ten times as many in a long run.
fn compare(reader: &dyn Reader, program: Option<Program>, version: &str, count: usize) {
    let name = reader.name();
    let Some(program) = program else {
        println!("SKIPPED {name}: it is not installed");
        return;
    };
    if program.version() != version {
        println!(
            "SKIPPED {name}: {version} was measured, {} is installed",
            program.version()
        );
        return;
    }
    let is_long = std::env::var_os("URIKIT_LONG").is_some();
    let count = if is_long { count * 10 } else { count };
    let texts: Vec<String> = inputs::inputs(count, 7).collect();
    let answers = program.answers(&texts);
    assert_eq!(texts.len(), answers.len());
    let mut accepted = 0;
    let mut different = Vec::new();
    for (text, answer) in texts.iter().zip(&answers) {
        let ours = programs::answer(&reader.read(text));
        accepted += usize::from(*answer != "rejected");
        if ours != *answer {
            different.push(format!("{text:?}\n  {name}: {answer}\n  here: {ours}"));
        }
    }
    assert!(accepted > count / 5 && accepted < count);
    let shown = different
        .iter()
        .take(30)
        .map(String::as_str)
        .collect::<Vec<_>>();
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        shown.join("\n")
    );
    let count = texts.len();
    println!("{name} {version}: {accepted} of {count} accepted; all texts agree");
}

#[test]
fn curl_reads_as_the_model_does() {
    compare(&Curl, Program::curl(), "7.88.1", 60_000);
}

#[test]
fn urllib_reads_as_the_model_does() {
    compare(&Urllib, Program::python(), "3.13.0", 60_000);
}
