//! `uri compare`: finds the level at which two references are equivalent, and their differences.

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source, Tolerance};
use crate::options::{Common, Lenient, Print0, words};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::sheet::Column;
use crate::stdout::stdout;
use std::ffi::OsString;
use std::io::{self, Write as _};
use urikit_report::compare::{self, Comparison, ComparisonRecord, Difference, Ignored};
use urikit_report::reading::Failure;

/// Compare two references, and print the level at which they are equivalent
///
/// Prints one word: `identical`, `case`, `escapes`, `path` or `scheme`, the first level of
/// normalization (RFC 3986, 6.2) at which the two references are equal under the standard, or
/// `different` if they are never equal. Relative references are not resolved: use `uri resolve`
/// first to compare their targets.
///
/// Without arguments, each line of -f or of standard input contains two references, separated by a
/// tab, and produces one line of output. The output line is empty if a reference is invalid.
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
  1  the references differ, or one is invalid
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
                    standard input\n\nQuote the references, because `&`, `?`, `*`, `#` and \
                    `;` have a special meaning in your shell. Put `--` before references that \
                    begin with `-`."))
)]
pub(crate) struct Arguments {
    /// Print each component that differs: its name, its value in A and its value in B, separated
    /// by tabs
    ///
    /// The references are normalized before their components are compared. Queries are compared
    /// pair by pair: `query:NAME` is the value of a pair. `query` is a pair without `=`, or the
    /// complete query if only the order of the names differs. An absent component is printed as
    /// `<absent>`. References that are equivalent have no differences.
    #[arg(long)]
    diff: bool,

    /// Ignore these differences, comma-separated: fragment, query-order (the order of the pairs
    /// separated by `&`)
    #[arg(
        long,
        value_name = "LIST",
        value_parser = words::<Ignored>(Ignored::ALL.map(Ignored::name)),
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
        settings: compare::Compare {
            reader: settings.output.reader,
            ignore: arguments.ignore,
            diff: arguments.diff,
        },
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
    /// The repairs allowed for each reference.
    tolerance: Option<Tolerance>,
    settings: compare::Compare,
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
                let record =
                    ComparisonRecord::without_pair(input.into(), self.output.reader, &failure);
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
        let repairs = pair.map(|input| {
            let tolerance = self.tolerance?;
            Some(input.repairs(tolerance, || None))
        });
        let [a, b] = pair;
        let inputs = [(a, &repairs[0]), (b, &repairs[1])].map(|(input, repairs)| match repairs {
            Some(repairs) => input.with(repairs),
            None => input,
        });
        let comparison = self.settings.compare(inputs.map(|input| input.given));
        let exit = if comparison.by.is_some() {
            Exit::Good
        } else {
            Exit::No
        };
        if self.is_quiet {
            return Ok(exit);
        }
        if self.output.json {
            let plain = comparison.plain();
            let result = plain.as_deref().map(str::as_bytes);
            self.output
                .record_with(&mut to.out, &comparison.record(), result)?;
            if let Some(failure) = comparison.failures.iter().flatten().next() {
                to.rejected.add(failure.reason());
            }
            return Ok(exit);
        }
        self.plain(inputs[0], &comparison, to)?;
        for (input, failure) in inputs.iter().zip(&comparison.failures) {
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

    /// Prints the answer for one pair, or an empty line if a reference is invalid.
    fn plain(
        &self,
        input: Input<'_>,
        comparison: &Comparison<'_>,
        to: &mut Printed,
    ) -> io::Result<()> {
        let is_list = *input.source != Source::Arguments;
        let is_separated = self.output.end != b'\n';
        let is_block = self.settings.diff;
        // An empty line separates blocks, as in `uri parse`.
        if is_block && is_list && !is_separated && input.index > 0 {
            to.out.push(b'\n');
        }
        if is_block {
            for (text, end) in comparison.differences.iter().flat_map(Difference::cells) {
                self.output.text(&mut to.out, text)?;
                to.out.push(end);
            }
        } else if comparison.is_valid {
            self.output.line(&mut to.out, comparison.word())?;
        }
        if is_block && is_separated || !is_block && is_list && !comparison.is_valid {
            to.out.push(self.output.end);
        }
        Ok(())
    }
}
