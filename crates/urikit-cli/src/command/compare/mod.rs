//! `uri compare`: finds the level at which two references are equivalent.

use crate::exit::{Exit, Stop};
use crate::help::SHARED;
use crate::input::{Input, Source, Tolerance};
use crate::json;
use crate::options::{Lenient, Reporting};
use crate::reading::{Failure, Reading};
use crate::record::{ErrorOfTwo, RepairsOfTwo, TextKeys};
use crate::standard::Reader;
use crate::stdout::stdout;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use urikit::op::Equivalence;
use urikit_access::mask::unescaped;

/// Compare two references, and print the level at which they are equivalent
///
/// Prints one word: the first level of normalization (RFC 3986, 6.2) at which the two are equal
/// under the standard (`identical`, `case`, `escapes`, `path` or `scheme`), or `different`.
/// Relative references are not resolved: use `uri resolve` first to compare their targets. --print0
/// is not supported, because the result is a single word.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri compare http://example.com HTTP://EXAMPLE.com:80/
  uri compare --ignore fragment,query-order 'http://a/?b&a#top' 'http://a/?a&b'
  uri compare --standard rfc1630 http://a/marie-claude http://a/marie%2Dclaude
  uri compare --json 'example://a/b/c/%7Bfoo%7D' 'eXAMPLE://a/./b/../b/%63/%7bfoo%7d'

Exit status:
  0  the references are equivalent
  1  they differ
  2  one is invalid, or usage error",
    mut_arg("quiet", |arg| arg
        .help("Print nothing; the exit status is the answer")
        .long_help(None::<&str>))
)]
pub(crate) struct Arguments {
    /// The first reference
    #[arg(value_name = "A")]
    a: OsString,

    /// The second reference
    #[arg(value_name = "B")]
    b: OsString,

    /// Ignore these differences, comma-separated: fragment, query-order (of pairs between `&`)
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true
    )]
    ignore: Vec<Ignored>,

    /// Follow this standard
    #[arg(
        long,
        help_heading = SHARED,
        value_name = "NAME",
        value_enum,
        ignore_case = true,
        default_value = "rfc3986"
    )]
    standard: Reader,

    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    reporting: Reporting,

    /// Accepted for consistency; one comparison uses one thread
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

/// Prints the result.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Stop> {
    let reader = arguments.standard;
    let tolerance = arguments.lenient.tolerance("compare", reader)?;
    let [a, b] = [(&arguments.a, 1), (&arguments.b, 2)].map(|(text, number)| {
        Input::new(
            text.as_encoded_bytes(),
            &Source::Arguments,
            number,
            number - 1,
        )
    });
    let repairs = [a, b].map(|input| tolerance.map(|tolerance| input.repairs(tolerance, || None)));
    let inputs = [(a, &repairs[0]), (b, &repairs[1])].map(|(input, repairs)| match repairs {
        Some(repairs) => input.with(repairs),
        None => input,
    });
    let readings = inputs.map(|input| reader.read(input));
    let failures = readings.each_ref().map(Reading::failure);
    let is_valid = failures.iter().all(Option::is_none);
    let by = if is_valid {
        let compared = inputs.map(|input| arguments.without_ignored(input.to_text()));
        let [a, b] = &compared;
        let readings = [a, b].map(|text| reader.read(text.as_ref()));
        compare(&readings, a == b)
    } else {
        None
    };
    let mut out = stdout();
    if arguments.reporting.quiet {
        // The exit status is the only result.
    } else if arguments.reporting.json {
        let [a, b] = inputs.map(|input| input.given);
        let record = Compared {
            a: TextKeys::lossy(["a", "a_base64"], a.unparsed),
            b: TextKeys::lossy(["b", "b_base64"], b.unparsed),
            repairs: RepairsOfTwo::new([a.repairs, b.repairs]),
            standard: reader.name(),
            valid: is_valid,
            equivalent: is_valid.then_some(by.is_some()),
            by: by.map(Equivalence::name),
            error: ErrorOfTwo::new(failures.each_ref().map(Option::as_ref)),
        };
        let mut line = Vec::new();
        json::line(&mut line, &record, io::stdout().is_terminal())?;
        out.write_all(&line)?;
    } else {
        if is_valid {
            writeln!(out, "{}", by.map_or("different", Equivalence::name))?;
        }
        report(arguments, &inputs, tolerance, &failures);
    }
    out.flush()?;
    Ok(match (is_valid, by) {
        (false, _) => Exit::Usage,
        (true, None) => Exit::No,
        (true, Some(_)) => Exit::Good,
    })
}

/// Returns the level at which two references are equivalent. Browsers know only two levels: equal
/// text, and equal serialized URLs, which are always normalized.
fn compare([a, b]: &[Reading<'_>; 2], is_identical: bool) -> Option<Equivalence> {
    match (a.reference(), b.reference()) {
        (Some(a), Some(b)) => a.compare(b),
        _ if is_identical => Some(Equivalence::Identical),
        _ => (a.href() == b.href()).then_some(Equivalence::Scheme),
    }
}

/// The possible values of `--ignore`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Ignored {
    Fragment,
    QueryOrder,
}

impl Arguments {
    /// Returns a reference without the ignored differences. Under all standards, `#` begins the
    /// fragment, and the first `?` before it begins the query.
    fn without_ignored<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        if self.ignore.is_empty() {
            return text;
        }
        let (rest, fragment) = match text.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (text.as_ref(), None),
        };
        let fragment = fragment.filter(|_| !self.ignore.contains(&Ignored::Fragment));
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) if self.ignore.contains(&Ignored::QueryOrder) => {
                (rest, Some(query))
            }
            _ => (rest, None),
        };
        let mut kept = rest.to_owned();
        if let Some(query) = query {
            let mut pairs: Vec<_> = query.split('&').collect();
            // Escapes must not affect the order, so the decoded pairs are compared.
            pairs.sort_by_cached_key(|pair| {
                let octets = unescaped(pair.as_bytes()).map(|(_, octet)| octet);
                octets.collect::<Vec<_>>()
            });
            kept.push('?');
            kept.push_str(&pairs.join("&"));
        }
        if let Some(fragment) = fragment {
            kept.push('#');
            kept.push_str(fragment);
        }
        Cow::Owned(kept)
    }
}

/// Reports the repairs and errors of both references.
fn report(
    arguments: &Arguments,
    inputs: &[Input<'_>; 2],
    tolerance: Option<Tolerance>,
    failures: &[Option<Failure>; 2],
) {
    let reporter = arguments.reporting.reporter();
    let mut messages = String::new();
    for (input, failure) in inputs.iter().zip(failures) {
        if let Some(tolerance) = tolerance {
            reporter.repaired(*input, tolerance, &mut messages);
        }
        if let Some(failure) = failure {
            reporter.invalid(*input, arguments.standard, failure, &mut messages);
        }
    }
    crate::screen::message(&messages);
}

/// The result as `--json` prints it.
#[derive(serde::Serialize)]
struct Compared<'a> {
    #[serde(flatten)]
    a: TextKeys<'a>,
    #[serde(flatten)]
    b: TextKeys<'a>,
    #[serde(flatten)]
    repairs: Option<RepairsOfTwo<'a>>,
    standard: &'static str,
    valid: bool,
    equivalent: Option<bool>,
    by: Option<&'static str>,
    error: Option<ErrorOfTwo>,
}
