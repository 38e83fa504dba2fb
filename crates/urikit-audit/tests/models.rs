//! Compares the models of curl and `urllib` with these parsers, and the `whatwg` reader with Node.
//!
//! Skipped if the version that was modelled is not installed. The test compares real, generated
//! and mutated inputs: a few by default, many with `URIKIT_LONG=1`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod inputs;
mod programs;

use programs::Program;
use urikit_audit::{Curl, Outcome, Reader, Rejection, Urllib, Whatwg};

/// The number of inputs. A long run uses ten times as many inputs.
const COUNT: usize = 60_000;

/// Compares a reader's outcome with a program's answer. The arguments are the input, the outcome
/// and the answer.
type Same = fn(&str, &Outcome<'_>, &str) -> bool;

/// Compares a reader with a program whose version begins with `version`.
fn compare(reader: &dyn Reader, program: Option<Program>, version: &str, same: Same) {
    let name = reader.name();
    let Some(program) = program else {
        println!("SKIPPED {name}: the parser is not installed");
        return;
    };
    let installed = program.version();
    if !installed.starts_with(version) {
        println!("SKIPPED {name}: {version} was measured, {installed} is installed");
        return;
    }
    let is_long = std::env::var_os("URIKIT_LONG").is_some();
    let count = if is_long { COUNT * 10 } else { COUNT };
    let texts: Vec<String> = inputs::inputs(count, 7).collect();
    let lines: Vec<_> = texts.iter().map(|text| programs::escaped(text)).collect();
    let answers = program.answers(&lines);
    assert_eq!(texts.len(), answers.len());
    let mut accepted = 0;
    let mut different = Vec::new();
    for (text, answer) in texts.iter().zip(&answers) {
        let outcome = reader.read(text);
        accepted += usize::from(*answer != "rejected");
        if !same(text, &outcome, answer) {
            let ours = programs::answer(&outcome);
            different.push(format!("{text:?}\n  {name}: {answer}\n  here: {ours}"));
        }
    }
    assert!(accepted > count / 5 && accepted < count);
    let shown: Vec<_> = different.iter().take(30).map(String::as_str).collect();
    let (differ, count) = (different.len(), texts.len());
    assert!(differ == 0, "{differ} differ:\n{}", shown.join("\n"));
    println!("{name} {installed}: {accepted} of {count} accepted; all texts agree");
}

#[test]
fn curl_reads_as_the_model_does() {
    compare(&Curl, Program::curl(), "7.88.1", |_, outcome, answer| {
        programs::answer(outcome) == answer
    });
}

#[test]
fn urllib_reads_as_the_model_does() {
    compare(
        &Urllib,
        Program::python(),
        "3.13.0",
        |_, outcome, answer| programs::answer(outcome) == answer,
    );
}

/// Node and the `url` crate implement the same standard.
#[test]
fn node_reads_as_the_crate_url_does() {
    compare(&Whatwg, Program::node(), "20.", |text, outcome, answer| {
        // Node 20 accepts names that IDNA rejects: it does not apply the rules of RFC 5893.
        let is_idna = *outcome == Err(Rejection::Whatwg(url::ParseError::IdnaError));
        // The crate drops slashes and hosts of `file` URLs (testdata/suites/urltestdata.toml).
        let is_file = answer.starts_with("file\t");
        // The crate does not escape `^` and the last space of an opaque path. Both the crate and
        // Node handle dot segments after colons incorrectly.
        let is_path = text.contains(['^', ' '])
            || ["/.", "..", "%2e", "%2E"]
                .iter()
                .any(|dots| text.contains(dots));
        let ours = programs::answer(outcome);
        let is_same = without_path(&ours) == without_path(answer) && (is_path || ours == answer);
        is_idna || is_file || is_same
    });
}

/// Removes the last component of an answer, and the distinction between absent and empty
/// components, which Node's class does not make.
fn without_path(answer: &str) -> String {
    let before = answer
        .rsplit_once('\t')
        .map_or(answer, |(before, _)| before);
    before.replace("\\0", "")
}
