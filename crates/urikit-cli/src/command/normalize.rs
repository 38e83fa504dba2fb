//! `uri normalize`: prints normal forms, and the keys used by web archives.

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Distinct, Print0, Selection, Tally, words};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::sheet::Column;
use std::io;
use urikit::op::Level;
use urikit_keys::Step;
use urikit_report::normalize::{Key, Normalize};
use urikit_report::reading::Failure;

/// Print the normal form of references
///
/// Prints one normal form per line. Under the standard, the normal form identifies the same
/// resource as the reference. The line of an invalid input is empty, so input and output lines
/// correspond.
///
/// Each level includes the earlier ones: `case` (hexadecimal digits, scheme, host), `escapes`
/// (decodes unnecessary escapes), `path` (removes dot segments; RFC 3986 and later), `scheme`
/// (default port, empty path, and other rules of the scheme).
///
/// Steps go further: they remove parts that many sites ignore, such as tracking parameters. The
/// result may identify a different resource. No step is applied by default.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri normalize 'HTTP://EXAMPLE.com:80/%7Esmith/./home.html'
  uri normalize --level escapes --standard rfc2396 'http://a/%7euser'
  uri normalize --standard rfc1630 http://info.cern.ch/albert/bertram/marie%2Dclaude
  uri normalize --unique -f urls.txt
  uri normalize --step strip-tracking,drop-fragment -f urls.txt
  uri normalize --step unwrap 'https://www.google.com/url?q=http://a.example/'
  uri normalize --key surt:ia-python -f urls.txt
  uri normalize --count --where 'host=*.example.com' -f urls.txt")]
pub(crate) struct Arguments {
    /// Normalize up to this level: case, escapes, path or scheme
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "scheme",
        value_parser = words::<Level>(Level::ALL.map(Level::name)),
        hide_possible_values = true
    )]
    level: Level,

    /// Print a web archive key: surt:urikit, surt:ia-python, surt:ia-java or surt:cdxj
    ///
    /// `ia-python` computes the keys of PyPI's surt, `ia-java` those of webarchive-commons, and
    /// `cdxj` those of CDXJ 0.1.0. These keys accept any text and ignore --standard. `urikit` has
    /// no collisions, and requires a valid reference under RFC 3986.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["level", "step"])]
    key: Option<Key>,

    /// Apply steps after normalization, such as strip-tracking; repeatable or comma-separated
    ///
    /// Steps are applied in this order: unwrap, trim-host-dots, strip-www, drop-userinfo,
    /// collapse-slashes, drop-trailing-slash, strip-session-ids, strip-tracking, drop-blank-values,
    /// sort-query, drop-empty-query, drop-fragment.
    ///
    /// `unwrap` replaces the URLs of redirectors (Safe Links, Proofpoint, Google, Facebook and
    /// others) and archives (Wayback Machine) with the normal forms of their targets, without
    /// connecting. The crate urikit-keys lists these services in src/unwrap/redirectors.tsv.
    #[arg(
        long = "step",
        id = "step",
        value_name = "STEP",
        value_delimiter = ',',
        value_parser = words::<Step>(Step::ALL.map(Step::name)),
        hide_possible_values = true
    )]
    steps: Vec<Step>,

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
    let common = arguments.common;
    let normalize = Normalize {
        reader: common.standard,
        level: arguments.level,
        key: arguments.key,
        steps: arguments.steps,
    };
    let checked = normalize.check();
    checked.map_err(|error| Stop::usage("normalize", error.to_string()))?;
    let columns: &[Column] = if arguments.distinct.counts() {
        &COUNTED
    } else {
        &COLUMNS
    };
    let settings = common.records("normalize", columns)?;
    let tally = arguments.distinct.tally();
    let settings = settings.in_order(tally.is_some());
    let settings = settings.ending(arguments.print0)?;
    let work = Normalizing {
        normalize,
        output: settings.output.clone(),
        tally,
    };
    settings.run("normalize", arguments.selection, work)
}

/// The columns of a table of counted results.
const COUNTED: [Column; 2] = [Column::number("count"), Column::text("normalized")];

/// The columns of a table.
const COLUMNS: [Column; 6] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("normalized"),
    Column::flag("changed"),
    Column::text("repaired"),
];

struct Normalizing {
    normalize: Normalize,
    output: Output,
    tally: Option<Tally>,
}

impl Work for Normalizing {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.tally.is_some() && self.output.sheet.is_some() {
            Ok(())
        } else if self.output.json {
            let record = self.normalize.record(input.given, Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else if self.tally.is_none() {
            self.output.line(&mut to.out, "")
        } else {
            Ok(())
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let outcome = self.normalize.normalize(input.into());
        let result = outcome.as_deref();
        match (&self.tally, result) {
            (Some(tally), Ok(normal)) if !tally.admits(normal.as_bytes()) => return Ok(Exit::Good),
            // --unique and --count drop lines, so an empty line or row would be meaningless.
            (Some(_), Err(failure)) if !self.output.json || self.output.sheet.is_some() => {
                self.output.invalid(input, failure, to);
                return Ok(Exit::No);
            }
            _ => {}
        }
        let record = self.normalize.record(input.given, result);
        self.output.result(input, result, &record, to)
    }

    fn end(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match &self.tally {
            Some(tally) => tally.print(["normalized", "normalized_base64"], &self.output, out),
            None => Ok(()),
        }
    }
}
