//! `uri compare`: finds the level at which two references are equivalent, and their differences.

mod differences;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source, Tolerance};
use crate::options::{Common, Lenient, Print0};
use crate::output::{Output, Printed};
use crate::reading::{Failure, Reading};
use crate::record::{ErrorOfTwo, RepairsOfTwo, TextKeys};
use crate::run::Work;
use crate::sheet::Column;
use crate::stdout::stdout;
use differences::{Difference, differences};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write as _};
use urikit::op::Equivalence;
use urikit_access::mask::unescaped;

/// Compare two references, and print the level at which they are equivalent
///
/// Prints one word: the first level of normalization (RFC 3986, 6.2) at which the two are equal
/// under the standard (`identical`, `case`, `escapes`, `path` or `scheme`), or `different`.
/// Relative references are not resolved: use `uri resolve` first to compare their targets.
///
/// Without arguments, each line of -f or of standard input contains two references, separated by a
/// tab, and produces one line of output. That line is empty if a reference is invalid.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri compare http://example.com HTTP://EXAMPLE.com:80/
  uri compare --diff 'http://a/?page=1&lang=en' 'https://a/?lang=en&page=2'
  uri compare --ignore fragment,query-order 'http://a/?b&a#top' 'http://a/?a&b'
  uri compare --standard rfc1630 http://a/marie-claude http://a/marie%2Dclaude
  uri compare --json 'example://a/b/c/%7Bfoo%7D' 'eXAMPLE://a/./b/../b/%63/%7bfoo%7d'
  paste old.txt new.txt | uri compare

Exit status:
  0  the references are equivalent
  1  they differ, or one is invalid
  2  usage error",
    mut_arg("quiet", |arg| arg
        .help("Print nothing; the exit status is the answer")
        .long_help(None::<&str>)),
    mut_arg("references", |arg| arg
        .value_name("A B")
        .num_args(0..)
        .help("Two references; if none are given, compare the pairs in the lines of -f or of \
               standard input")
        .long_help("Two references; if none are given, compare the pairs in the lines of -f or of \
                    standard input\n\nQuote them: `&`, `?`, `*`, `#` and `;` have a meaning in \
                    your shell. Put `--` before references that begin with `-`."))
)]
pub(crate) struct Arguments {
    /// Print the components that differ, with a tab between the name, A and B
    ///
    /// The components are those of the normal forms. Queries are compared pair by pair:
    /// `query:NAME` is the value of a pair. `query` is a pair without `=`, or the complete query if
    /// only the order of the names differs. An absent component is `<absent>`. References that are
    /// equivalent have no differences.
    #[arg(long)]
    diff: bool,

    /// Ignore these differences, comma-separated: fragment, query-order (of pairs between `&`)
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true
    )]
    ignore: Vec<Ignored>,

    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// The columns of a table.
const COLUMNS: [Column; 6] = [
    Column::text("a"),
    Column::text("b"),
    Column::flag("valid"),
    Column::flag("equivalent"),
    Column::text("by"),
    Column::text("error"),
];

/// Compares each pair.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    let pair = std::mem::take(&mut arguments.common.references);
    let is_quiet = arguments.common.reporting.quiet;
    let tolerance = arguments
        .lenient
        .tolerance("compare", arguments.common.standard)?;
    let settings = arguments.common.records("compare", &COLUMNS)?;
    let settings = settings.ending(arguments.print0)?;
    let work = Compare {
        tolerance,
        ignore: arguments.ignore,
        diff: arguments.diff,
        is_quiet,
        output: settings.output.clone(),
    };
    match pair.as_slice() {
        [] => settings.run("compare", Lenient::default(), work),
        [a, b] if work.output.sheet.is_none() => work.arguments([a, b]),
        [a, b] => {
            let pair = [a.as_os_str(), b.as_os_str()].join("\t".as_ref());
            settings.pair(pair).run("compare", Lenient::default(), work)
        }
        others => {
            let message = format!("expected two references, found {}", others.len());
            Err(Stop::usage("compare", message))
        }
    }
}

/// The settings of the command.
struct Compare {
    /// The changes allowed to each reference.
    tolerance: Option<Tolerance>,
    ignore: Vec<Ignored>,
    /// True if differences are printed.
    diff: bool,
    is_quiet: bool,
    output: Output,
}

impl Work for Compare {
    fn without_value(&self, _: Input<'_>, _: &Failure, to: &mut Printed) -> io::Result<()> {
        if !self.output.json && !self.is_quiet {
            to.out.push(self.output.end);
        }
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let Some(tab) = input.bytes.iter().position(|byte| *byte == b'\t') else {
            let failure = Failure::Operation("expected two references, separated by a tab".into());
            if self.output.json {
                let record = Compared::without_pair(input, self.output.reader.name(), &failure);
                self.output.record_with(&mut to.out, &record, None)?;
                to.rejected.add(failure.reason());
            } else {
                self.without_value(input, &failure, to)?;
                self.output.invalid(input, &failure, to);
            }
            return Ok(Exit::No);
        };
        self.pair([input.before(tab), input.after_on_line(tab + 1)], to)
    }
}

impl Compare {
    /// Compares two arguments of the command line.
    fn arguments(&self, arguments: [&OsString; 2]) -> Result<Exit, Stop> {
        let mut number = 0;
        let pair = arguments.map(|text| {
            number += 1;
            Input::new(text.as_encoded_bytes(), &Source::Arguments, number, 0)
        });
        let mut printed = Printed::default();
        let exit = self.pair(pair, &mut printed)?;
        let mut out = stdout();
        out.write_all(&printed.out)?;
        out.flush()?;
        crate::screen::message(&printed.messages);
        Ok(exit)
    }

    /// Compares two references.
    fn pair(&self, pair: [Input<'_>; 2], to: &mut Printed) -> io::Result<Exit> {
        let reader = self.output.reader;
        let repairs = pair.map(|input| {
            let tolerance = self.tolerance?;
            Some(input.repairs(tolerance, || None))
        });
        let [a, b] = pair;
        let inputs = [(a, &repairs[0]), (b, &repairs[1])].map(|(input, repairs)| match repairs {
            Some(repairs) => input.with(repairs),
            None => input,
        });
        let readings = inputs.map(|input| reader.read(input));
        let failures = readings.each_ref().map(Reading::failure);
        let is_valid = failures.iter().all(Option::is_none);
        let compared = inputs.map(|input| self.without_ignored(input.to_text()));
        let [a, b] = &compared;
        let readings = [a, b].map(|text| reader.read(text.as_ref()));
        let by = is_valid.then(|| compare(&readings, a == b)).flatten();
        let found = if self.diff && is_valid && by.is_none() {
            differences(&readings)
        } else {
            Vec::new()
        };
        let exit = if by.is_some() { Exit::Good } else { Exit::No };
        if self.is_quiet {
            return Ok(exit);
        }
        if self.output.json {
            let mut plain = Vec::new();
            self.answer(by, &found, &mut plain)?;
            plain.pop();
            let [a, b] = inputs.map(|input| input.given);
            let record = Compared {
                a: TextKeys::lossy(["a", "a_base64"], pair[0]),
                b: TextKeys::lossy(["b", "b_base64"], pair[1]),
                repairs: RepairsOfTwo::new([a.repairs, b.repairs]),
                standard: reader.name(),
                valid: is_valid,
                equivalent: is_valid.then_some(by.is_some()),
                by: by.map(Equivalence::name),
                differences: (self.diff && is_valid).then_some(found),
                error: ErrorOfTwo::new(failures.each_ref().map(Option::as_ref)),
            };
            let result = is_valid.then_some(plain.as_slice());
            self.output.record_with(&mut to.out, &record, result)?;
            if let Some(failure) = failures.iter().flatten().next() {
                to.rejected.add(failure.reason());
            }
            return Ok(exit);
        }
        self.plain(inputs[0], is_valid.then_some((by, &found)), to)?;
        for (input, failure) in inputs.iter().zip(&failures) {
            if let Some(tolerance) = self.tolerance {
                let messages = &mut to.messages;
                self.output.reporter.repaired(*input, tolerance, messages);
            }
            if let Some(failure) = failure {
                self.output.invalid(*input, failure, to);
            }
        }
        Ok(exit)
    }

    /// Prints the answer for one pair, or its empty line if a reference is invalid.
    fn plain(
        &self,
        input: Input<'_>,
        answer: Option<(Option<Equivalence>, &Vec<Difference>)>,
        to: &mut Printed,
    ) -> io::Result<()> {
        let is_list = *input.source != Source::Arguments;
        let is_separated = self.output.end != b'\n';
        // An empty line, as between the blocks of `uri parse`.
        if self.diff && is_list && !is_separated && input.index > 0 {
            to.out.push(b'\n');
        }
        if let Some((by, found)) = answer {
            self.answer(by, found, &mut to.out)?;
        }
        let is_block = self.diff && is_separated;
        if is_block || !self.diff && is_list && answer.is_none() {
            to.out.push(self.output.end);
        }
        Ok(())
    }

    /// Writes the level, or the differences.
    fn answer(
        &self,
        by: Option<Equivalence>,
        found: &[Difference],
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        if !self.diff {
            let word = by.map_or("different", Equivalence::name);
            return self.output.line(out, word);
        }
        for difference in found {
            for (text, end) in difference.cells() {
                self.output.text(out, text)?;
                out.push(end);
            }
        }
        Ok(())
    }
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

impl Compare {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<Difference>>,
    error: Option<ErrorOfTwo>,
}

impl<'a> Compared<'a> {
    /// Describes a line that does not contain two references.
    fn without_pair(input: Input<'a>, standard: &'static str, failure: &Failure) -> Self {
        Self {
            a: TextKeys::lossy(["a", "a_base64"], input),
            b: TextKeys::exact(["b", "b_base64"], None),
            repairs: None,
            standard,
            valid: false,
            equivalent: None,
            by: None,
            differences: None,
            error: ErrorOfTwo::new([Some(failure), None]),
        }
    }
}
