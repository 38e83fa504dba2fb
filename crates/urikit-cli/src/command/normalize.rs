//! `uri normalize`: prints normal forms, and the keys used by web archives.

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Distinct, Print0, Selection, Tally, words};
use crate::output::{Output, Printed};
use crate::reading::{Failure, Reading};
use crate::record::{ErrorRecord, InputKeys};
use crate::run::Work;
use crate::sheet::Column;
use crate::standard::Reader;
use std::io;
use std::str::FromStr;
use urikit::op::Level;
use urikit_keys::{Canonicalizer, Profile, Step, Steps, SurtError, unwrap_redirect};

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
    /// `cdxj` those of CDXJ 0.1.0. They accept any text and ignore --standard. `urikit` has no
    /// collisions, and requires a valid reference under RFC 3986.
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
    /// connecting. The crate urikit-keys lists them in src/unwrap/redirectors.tsv.
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
    if common.standard == Reader::Whatwg && arguments.level != Level::Scheme {
        let message = "browsers always normalize completely; whatwg supports only --level scheme";
        return Err(Stop::usage("normalize", message));
    }
    let columns: &[Column] = if arguments.distinct.counts() {
        &COUNTED
    } else {
        &COLUMNS
    };
    let settings = common.records("normalize", columns)?;
    let tally = arguments.distinct.tally();
    let settings = settings.in_order(tally.is_some());
    let settings = settings.ending(arguments.print0)?;
    let work = Normalize {
        level: arguments.level,
        key: arguments.key,
        steps: arguments.steps,
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

/// The value of `--key`: `surt` or `surt:PROFILE`.
#[derive(Clone, Copy, Debug)]
struct Key(Profile);

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected surt:urikit, surt:ia-python, surt:ia-java or surt:cdxj";
        match text.split_once(':') {
            None if text == "surt" => Ok(Self(Profile::default())),
            Some(("surt", name)) => name.parse().map(Self).map_err(|_| expected().to_owned()),
            _ => Err(expected().to_owned()),
        }
    }
}

impl Key {
    /// Returns the key of an input. The key does not depend on the standard.
    fn of(self, input: Input<'_>) -> Option<Result<String, Failure>> {
        let key = self.0.surt(input.text?);
        Some(key.map_err(|error| match error {
            SurtError::Syntax(error) => Failure::Rfc(error),
            error => Failure::Other(error.to_string()),
        }))
    }
}

struct Normalize {
    level: Level,
    key: Option<Key>,
    steps: Vec<Step>,
    output: Output,
    tally: Option<Tally>,
}

impl Work for Normalize {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.tally.is_some() && self.output.sheet.is_some() {
            Ok(())
        } else if self.output.json {
            let record = self.record(input, Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else if self.tally.is_none() {
            self.output.line(&mut to.out, "")
        } else {
            Ok(())
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let outcome = self.key.and_then(|key| key.of(input));
        let (normal, failure) = match outcome {
            Some(Ok(key)) => (Some(key), None),
            Some(Err(failure)) => (None, Some(failure)),
            None => {
                let reading = self.output.reader.read(input);
                (self.normal(&reading), reading.failure())
            }
        };
        let normal = normal.as_deref().filter(|_| failure.is_none());
        let result = failure.as_ref().map_or(Ok(normal.unwrap_or_default()), Err);
        match (&self.tally, result) {
            (Some(tally), Ok(normal)) if !tally.admits(normal.as_bytes()) => return Ok(Exit::Good),
            // --unique and --count drop lines, so an empty line or row would be meaningless.
            (Some(_), Err(failure)) if !self.output.json || self.output.sheet.is_some() => {
                self.output.invalid(input, failure, to);
                return Ok(Exit::No);
            }
            _ => {}
        }
        let record = self.record(input, result);
        self.output.result(input, result, &record, to)
    }

    fn end(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match &self.tally {
            Some(tally) => tally.print(["normalized", "normalized_base64"], &self.output, out),
            None => Ok(()),
        }
    }
}

impl Normalize {
    fn record<'a>(&self, input: Input<'a>, result: Result<&'a str, &Failure>) -> NormalRecord<'a> {
        let normalized = result.ok();
        NormalRecord {
            input: input.given.into(),
            standard: self.output.reader.name(),
            valid: !result.is_err_and(Failure::is_of_input),
            level: self.level.name(),
            surt: self.key.map(|Key(profile)| profile.name()),
            steps: self.steps.iter().map(|step| step.name()).collect(),
            normalized,
            changed: normalized.map(|normal| normal.as_bytes() != input.given.unparsed.bytes),
            error: result.err().map(ErrorRecord::from),
        }
    }

    /// Returns the normal form of a valid input, after the steps.
    fn normal(&self, reading: &Reading<'_>) -> Option<String> {
        let steps: Steps = self.steps.iter().copied().collect();
        // The target is normalized too, so it is unwrapped first.
        let written = match reading.reference() {
            Some(reference) => reference.as_str(),
            None => reading.href()?,
        };
        let is_wrapped = steps.contains(Step::Unwrap);
        if let Some(target) = is_wrapped.then(|| unwrap_redirect(written)).flatten() {
            let steps = steps.without(Step::Unwrap);
            let reading = reading.reader().read(target.as_str());
            return self.stepped(&reading, steps).or(Some(target));
        }
        self.stepped(reading, steps)
    }

    /// Returns the normal form of a valid reference, after these steps.
    fn stepped(&self, reading: &Reading<'_>, steps: Steps) -> Option<String> {
        let mut canonicalizer = Canonicalizer::new(steps);
        let Some(reference) = reading.reference() else {
            let href = reading.href()?;
            let mut out = String::with_capacity(href.len());
            canonicalizer.write_split(href, &mut out);
            return Some(out);
        };
        let mut text = String::with_capacity(reference.as_str().len() + 1);
        reference.normalize_into(self.level, &mut text);
        if steps.is_empty() {
            return Some(text);
        }
        let mut out = String::with_capacity(text.len());
        // INVARIANT: a normal form is valid under the production that was used to parse the
        // reference.
        let normal = if reference.is_generic() {
            reference.standard().parse_generic(&text)
        } else {
            reference.standard().parse(&text)
        };
        canonicalizer.write(normal.unwrap_or(reference), &mut out);
        Some(out)
    }
}

/// One result as `--json` prints it.
#[derive(serde::Serialize)]
struct NormalRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    standard: &'static str,
    valid: bool,
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    surt: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<&'static str>,
    normalized: Option<&'a str>,
    changed: Option<bool>,
    error: Option<ErrorRecord>,
}
