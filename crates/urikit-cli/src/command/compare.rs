//! `uri compare`: whether two references are equivalent, and by which step of the ladder.

use crate::exit::Exit;
use crate::input::{Input, Source};
use crate::json;
use crate::reading::{Error, Failure, Reading, serialize_bytes};
use crate::report::Reporter;
use crate::standard::Reader;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use urikit::op::Equivalence;

/// Tell whether two references are equivalent, and by which step
///
/// Prints one word: the first step of the ladder (RFC 3986, 6.2) at which they are the same,
/// `identical`, `case`, `escapes`, `path` or `scheme`, each by the standard's own text; or
/// `different`. Relative references are compared as they are; resolve them first to compare what they
/// identify.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri compare http://example.com HTTP://EXAMPLE.com:80/
  uri compare --standard rfc1630 http://a/marie-claude http://a/marie%2Dclaude
  uri compare --json 'example://a/b/c/%7Bfoo%7D' 'eXAMPLE://a/./b/../b/%63/%7bfoo%7d'

Exit status:
  0  they are equivalent
  1  they are different, or one is invalid
  2  the command line makes no sense")]
pub(crate) struct Arguments {
    /// One reference
    #[arg(value_name = "A")]
    a: OsString,

    /// The other
    #[arg(value_name = "B")]
    b: OsString,

    /// The standard that says what a reference is
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        ignore_case = true,
        default_value = "rfc3986"
    )]
    standard: Reader,

    /// Print one JSON object on a line of its own; errors are in it
    #[arg(long)]
    json: bool,

    /// Show passwords in error messages
    #[arg(long)]
    show_secrets: bool,

    /// Work with N threads, as everywhere; there is one pair to compare, so that it changes nothing
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,

    /// Print no error messages; the exit status tells
    #[arg(short, long)]
    quiet: bool,
}

/// Prints the answer.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
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
    if arguments.json {
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
        complain(arguments, [a, b], &failures);
    }
    out.flush()?;
    Ok(if by.is_some() { Exit::Good } else { Exit::No })
}

/// Browsers know two steps: the same text, and the same URL when it is written anew, which takes
/// everything back that they take for the same.
fn compare([a, b]: &[Reading<'_>; 2], is_identical: bool) -> Option<Equivalence> {
    match (a.reference(), b.reference()) {
        (Some(a), Some(b)) => a.compare(b),
        _ if is_identical => Some(Equivalence::Identical),
        _ => (a.href() == b.href()).then_some(Equivalence::Scheme),
    }
}

/// Says what is wrong with either.
fn complain(arguments: &Arguments, texts: [&[u8]; 2], failures: &[Option<Failure>; 2]) {
    let reporter = Reporter {
        quiet: arguments.quiet,
        show_secrets: arguments.show_secrets,
    };
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

/// The answer as `--json` prints it. The keys and their order are a public interface.
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
        let mut object = serializer.serialize_struct("Compared", 8)?;
        serialize_bytes::<S>(&mut object, ["a", "a_base64"], self.a)?;
        serialize_bytes::<S>(&mut object, ["b", "b_base64"], self.b)?;
        object.serialize_field("standard", self.standard)?;
        object.serialize_field("equivalent", &self.equivalent)?;
        object.serialize_field("by", &self.by.map(Equivalence::name))?;
        let errors = self.equivalent.is_none().then_some(Errors(self.failures));
        object.serialize_field("error", &errors)?;
        object.end()
    }
}

/// What is wrong with each of the two.
struct Errors<'a>(&'a [Option<Failure>; 2]);

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Errors", 2)?;
        for (key, failure) in ["a", "b"].into_iter().zip(self.0) {
            object.serialize_field(key, &failure.clone().map(Error))?;
        }
        object.end()
    }
}
