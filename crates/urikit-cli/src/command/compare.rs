//! `uri compare`: whether two references are equivalent, and at which level.

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source};
use crate::json;
use crate::options::Reporting;
use crate::reading::{Failure, Reading};
use crate::record::Object;
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use urikit::op::Equivalence;

/// Compare two references, and print the level at which they are equivalent
///
/// Prints one word: `identical`, `case`, `escapes`, `path` or `scheme`, the first level of
/// normalization (RFC 3986, 6.2) at which the two are the same under the standard; or `different`.
/// Relative references are compared as they are; resolve them first to compare what they identify.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri compare http://example.com HTTP://EXAMPLE.com:80/
  uri compare --standard rfc1630 http://a/marie-claude http://a/marie%2Dclaude
  uri compare --json 'example://a/b/c/%7Bfoo%7D' 'eXAMPLE://a/./b/../b/%63/%7bfoo%7d'

Exit status:
  0  the references are equivalent
  1  they differ, or one is invalid
  2  usage error")]
pub(crate) struct Arguments {
    /// The first reference
    #[arg(value_name = "A")]
    a: OsString,

    /// The second reference
    #[arg(value_name = "B")]
    b: OsString,

    /// The standard to follow
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        ignore_case = true,
        default_value = "rfc3986"
    )]
    standard: Reader,

    #[command(flatten)]
    reporting: Reporting,

    /// Accepted for consistency; comparing one pair takes one thread
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

/// Prints the result.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Stop> {
    let reader = arguments.standard;
    let [a, b] = [&arguments.a, &arguments.b].map(|text| text.as_encoded_bytes());
    let readings = [reader.read(a), reader.read(b)];
    let failures = readings.each_ref().map(Reading::failure);
    let is_valid = failures.iter().all(Option::is_none);
    let by = if is_valid {
        compare(&readings, a == b)
    } else {
        None
    };
    let mut out = io::stdout().lock();
    if arguments.reporting.json {
        let record = Record {
            a,
            b,
            standard: reader.name(),
            equivalent: is_valid.then_some(by.is_some()),
            by,
            failures: &failures,
        };
        let mut line = Vec::new();
        json::line(&mut line, &record, io::stdout().is_terminal())?;
        out.write_all(&line)?;
    } else if is_valid {
        writeln!(out, "{}", by.map_or("different", Equivalence::name))?;
    } else {
        report(arguments, [a, b], &failures);
    }
    out.flush()?;
    Ok(if by.is_some() { Exit::Good } else { Exit::No })
}

/// The level at which two references are equivalent. For browsers there are two: the same text,
/// and the same URL when serialized, which includes all their normalization.
fn compare([a, b]: &[Reading<'_>; 2], is_identical: bool) -> Option<Equivalence> {
    match (a.reference(), b.reference()) {
        (Some(a), Some(b)) => a.compare(b),
        _ if is_identical => Some(Equivalence::Identical),
        _ => (a.href() == b.href()).then_some(Equivalence::Scheme),
    }
}

/// Reports what is wrong with each.
fn report(arguments: &Arguments, texts: [&[u8]; 2], failures: &[Option<Failure>; 2]) {
    let reporter = arguments.reporting.reporter();
    let mut messages = String::new();
    for ((bytes, failure), number) in texts.into_iter().zip(failures).zip(1..) {
        if let Some(failure) = failure {
            let input = Input {
                bytes,
                text: std::str::from_utf8(bytes).ok(),
                source: &Source::Arguments,
                number,
                index: number - 1,
            };
            reporter.invalid(input, arguments.standard, failure, &mut messages);
        }
    }
    anstream::eprint!("{messages}");
}

/// The result as `--json` prints it.
struct Record<'a> {
    a: &'a [u8],
    b: &'a [u8],
    standard: &'a str,
    equivalent: Option<bool>,
    by: Option<Equivalence>,
    failures: &'a [Option<Failure>; 2],
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.bytes(["a", "a_base64"], self.a)?;
        object.bytes(["b", "b_base64"], self.b)?;
        object.field("standard", self.standard)?;
        object.field("equivalent", &self.equivalent)?;
        object.field("by", &self.by.map(Equivalence::name))?;
        let errors = self.equivalent.is_none().then_some(Errors(self.failures));
        object.field("error", &errors)?;
        object.end()
    }
}

/// What is wrong with each reference.
struct Errors<'a>(&'a [Option<Failure>; 2]);

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        for (key, failure) in ["a", "b"].into_iter().zip(self.0) {
            object.failure(key, failure.as_ref())?;
        }
        object.end()
    }
}
