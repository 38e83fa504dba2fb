//! `uri normalize`: normal forms.

use crate::exit::{Exit, Stop};
use crate::input::{Given, Input};
use crate::options::{Common, Distinct, Print0, Selection, Tally, words};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::Object;
use crate::run::Work;
use crate::sheet::Column;
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};
use std::io;
use urikit::op::Level;

/// Print the normal form of references
///
/// One normal form per line. Under the standard, it identifies the same resource as the reference.
/// The line of an invalid input is empty, so that input and output lines correspond.
///
/// Each level includes the ones before: `case` (hexadecimal digits, scheme, host), `escapes`
/// (unnecessary escapes are decoded), `path` (dot segments are removed; RFC 3986 and later),
/// `scheme` (default port, empty path, and other rules of the scheme).
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri normalize 'HTTP://EXAMPLE.com:80/%7Esmith/./home.html'
  uri normalize --level escapes --standard rfc2396 'http://a/%7euser'
  uri normalize --standard rfc1630 http://info.cern.ch/albert/bertram/marie%2Dclaude
  uri normalize --unique -f urls.txt
  uri normalize --count --where 'host=*.example.com' -f urls.txt")]
pub(crate) struct Arguments {
    /// The level of normalization: case, escapes, path or scheme
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "scheme",
        value_parser = words::<Level>(Level::ALL.map(Level::name)),
        hide_possible_values = true
    )]
    level: Level,

    #[command(flatten)]
    distinct: Distinct,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Prints the normal form of every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let mut common = arguments.common;
    if common.standard == Reader::Whatwg && arguments.level != Level::Scheme {
        let message = "browsers always normalize completely: use --level scheme with whatwg";
        return Err(Stop::usage("normalize", message));
    }
    common.print_records("normalize", &COLUMNS)?;
    if common.sheet.is_some() && arguments.distinct.counts() {
        return Err(Stop::usage("normalize", "--count prints no table"));
    }
    let output = common.output().ending(arguments.print0.end());
    let tally = arguments.distinct.tally(&mut common.jobs);
    let work = Normalize {
        level: arguments.level,
        output,
        tally: tally.clone(),
    };
    let exit = common.run("normalize", arguments.selection, work)?;
    Tally::finish(tally, ["normalized", "normalized_base64"], output, exit)
}

/// The columns of a table.
const COLUMNS: [Column; 6] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("normalized"),
    Column::flag("changed"),
    Column::text("repaired"),
];

struct Normalize {
    level: Level,
    output: Output,
    tally: Option<Tally>,
}

impl Work for Normalize {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = Record {
                input: input.given,
                standard: self.output.reader.name(),
                level: self.level,
                normal: None,
                failure: Some(why),
            };
            self.output.record(&mut to.out, &record)
        } else if self.tally.is_none() {
            self.output.line(&mut to.out, "")
        } else {
            Ok(())
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reading = self.output.reader.read(input);
        let failure = reading.failure();
        let own = reading.reference().filter(|_| failure.is_none());
        let normal = own.map(|reference| {
            let mut text = String::with_capacity(reference.as_str().len() + 1);
            reference.normalize_into(self.level, &mut text);
            text
        });
        let normal = normal.as_deref().or(reading.href());
        let result = failure.as_ref().map_or(Ok(normal.unwrap_or_default()), Err);
        match (&self.tally, result) {
            (Some(tally), Ok(normal)) if !tally.admits(normal.as_bytes()) => return Ok(Exit::Good),
            // Where results are dropped, lines do not correspond to inputs.
            (Some(_), Err(failure)) if !self.output.json => {
                self.output.invalid(input, failure, to);
                return Ok(Exit::No);
            }
            _ => {}
        }
        let record = Record {
            input: input.given,
            standard: self.output.reader.name(),
            level: self.level,
            normal,
            failure: failure.as_ref(),
        };
        self.output.result(input, result, &record, to)
    }
}

/// One result as `--json` prints it.
struct Record<'a> {
    input: Given<'a>,
    standard: &'a str,
    level: Level,
    normal: Option<&'a str>,
    failure: Option<&'a Failure>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.field("standard", self.standard)?;
        object.valid(self.failure)?;
        object.field("level", self.level.name())?;
        object.field("normalized", &self.normal)?;
        let changed = self
            .normal
            .map(|normal| normal.as_bytes() != self.input.unparsed.bytes);
        object.field("changed", &changed)?;
        object.error(self.failure)?;
        object.end()
    }
}
