//! `uri edit`: changes components of references.

mod plan;

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Print0, Selection, Separator, Suggest};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::sheet::Column;
use plan::{Assignment, OnePair, Plan};
use std::io;
use urikit::{AnyRef, EditError};
use urikit_report::Reader;
use urikit_report::reading::{Failure, parse, serialize};
use urikit_report::record::{InputKeys, ReadingKeys};

/// Change components of references, and keep all other bytes
///
/// Nothing is normalized or completed: an empty `?` or `#`, the case, the port and every escape
/// remain as written unless they are edited. It is an error if the result would be invalid, or
/// would parse back as different components. In this case, the line of output is empty.
///
/// With --standard whatwg, the command serializes the reference and the result as browsers do, so
/// any byte may change. A message reports references that browsers serialize differently.
///
/// Edits are applied in this order, regardless of the order of the options: --set and --iterate
/// together, --append path, --trim and --keep, --replace, --append query, --sort-query.
///
/// In the name and value of a pair, `+` is data and becomes `%2B`, because HTML forms use `+` for a
/// space. In the query of the input, `+` is a plus sign unless --form is given.
///
/// With --json, each line is the object that `uri parse` prints for the result, and `edited` is the
/// result itself.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Components:
  scheme, authority (userinfo, host and port), userinfo, user, password, host,
  port, path, params (RFC 1808), query, fragment

Assignments:
  NAME=TEXT    escapes characters where necessary, but keeps existing escapes;
               an empty TEXT removes the component
  NAME:=TEXT   sets exactly TEXT, which may be empty; an error if invalid
  NAME?=TEXT   sets TEXT only if the component is absent
  In a pair of the query, too, NAME:=VALUE sets exactly VALUE.

Examples:
  uri edit -s host=example.org -s port=8080 'http://user@host/path?#'
  uri edit -s scheme=http -s host=example.org -s path=/a ''
  uri edit -a path='my file' -a query=lang=en 'http://host/folder/'
  uri edit --trim 'query=ref_*' -f urls.txt
  uri edit --strip-tracking -f urls.txt
  uri edit -s authority=localhost:3000 -f urls.txt
  uri edit --keep id --keep page -f urls.txt
  uri edit --form --replace 'first name=Jo Ann' 'http://h/?first+name=Ann'
  uri edit --each-parameter --replace '*=X' 'http://h/?a=1&b=2'
  uri edit --iterate 'scheme=http https' --iterate 'host=a b' 'ftp://h/x'")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Set or remove a component
    #[arg(
        short,
        long,
        value_name = "COMPONENT=TEXT",
        value_parser = Suggest(|| ASSIGNED.to_vec()),
        hide_possible_values = true
    )]
    set: Vec<String>,

    /// Append a segment to the path, or a pair to the query
    ///
    /// Escapes slashes in the segment, and the separator in the pair.
    #[arg(
        short,
        long,
        value_name = "path=NAME|query=PAIR",
        value_parser = Suggest(|| vec!["path=", "query="]),
        hide_possible_values = true
    )]
    append: Vec<String>,

    /// Remove the query's pairs with this name; a trailing `*` matches anything
    ///
    /// Names are decoded, and then compared case-sensitively. A trailing `\*` is a literal
    /// asterisk. If no pair remains, the query is removed.
    #[arg(
        long,
        value_name = "query=NAME",
        value_parser = Suggest(|| vec!["query="]),
        hide_possible_values = true
    )]
    trim: Vec<String>,

    /// Remove tracking parameters such as `utm_source` and `fbclid` from the query
    ///
    /// The crate urikit-keys lists the names and their sources in src/steps/tracking.tsv.
    #[arg(long)]
    strip_tracking: bool,

    /// Keep only the query's pairs with this name; a trailing `*` matches anything; repeatable
    ///
    /// Names are compared as for --trim. If no pair remains, the query is removed.
    #[arg(long, value_name = "NAME")]
    keep: Vec<String>,

    /// Same as --trim query=NAME
    #[arg(long, value_name = "NAME", hide = true)]
    qtrim: Vec<String>,

    /// Replace the value of the query's pair with this name, if present; remove duplicates
    #[arg(long, value_name = "NAME[=VALUE]")]
    replace: Vec<String>,

    /// Print one result for each pair that --replace matches, with only that pair replaced
    ///
    /// In the NAME of --replace, a trailing `*` matches anything, so `*=X` replaces the value of
    /// each pair. A reference without a matching pair has no result. It is an error if the results
    /// of one reference exceed 64 MiB.
    #[arg(long, requires = "replace", conflicts_with = "replace_append")]
    each_parameter: bool,

    /// Replace the value as --replace does, but append the pair if the query does not contain it
    #[arg(long, alias = "force-replace", value_name = "NAME[=VALUE]")]
    replace_append: Vec<String>,

    /// Print one result for each word in WORDS (separated by spaces); if repeated, for each
    /// combination
    #[arg(
        long,
        value_name = "COMPONENT=WORDS",
        value_parser = Suggest(|| ASSIGNED.to_vec()),
        hide_possible_values = true
    )]
    iterate: Vec<String>,

    /// Sort the query's pairs by name, ignoring case
    #[arg(long)]
    sort_query: bool,

    #[command(flatten)]
    separator: Separator,

    /// Treat the query's pairs as HTML form data: `+` in the query is a space, and spaces are
    /// written as `+`
    #[arg(long)]
    form: bool,

    /// Keep a port even if --set or --iterate sets it to the scheme's default
    ///
    /// Without this option, a default port is omitted, even if it is written with leading zeros.
    /// Ports that are not edited, or that are set exactly (`port:=`), are always kept.
    #[arg(long)]
    keep_port: bool,

    /// Add the scheme's default port if the reference has a host but no port
    #[arg(long)]
    default_port: bool,

    /// Treat each TEXT as data without escapes: `%` becomes `%25`
    #[arg(long)]
    raw: bool,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// The completions of `COMPONENT=`.
const ASSIGNED: [&str; 11] = [
    "scheme=",
    "authority=",
    "userinfo=",
    "user=",
    "password=",
    "host=",
    "port=",
    "path=",
    "params=",
    "query=",
    "fragment=",
];

/// Prints every input with the edits applied.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let plan = Plan::new(&arguments)?;
    let settings = arguments.common.records("edit", &COLUMNS)?;
    let settings = settings.ending(arguments.print0)?;
    let work = Edit {
        plan,
        output: settings.output.clone(),
    };
    settings.run("edit", arguments.selection, work)
}

/// The columns of a table.
const COLUMNS: [Column; 5] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("edited"),
    Column::text("repaired"),
];

struct Edit {
    plan: Plan,
    output: Output,
}

impl Work for Edit {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let reading = ReadingKeys::unread(self.output.reader, why);
            return self.record(input, None, reading, to);
        }
        to.out.push(self.output.end);
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reader = self.output.reader;
        let mut memory = String::new();
        let reference = match parse(reader, input.into(), &mut memory) {
            Ok(reference) => reference,
            Err(failure) => {
                if self.output.json {
                    let reading = reader.read(input);
                    let reading = ReadingKeys::new(&reading, self.plan.separator);
                    self.record(input, None, reading, to)?;
                    to.rejected.add(failure.reason());
                } else {
                    to.out.push(self.output.end);
                    self.output.invalid(input, &failure, to);
                }
                return Ok(Exit::No);
            }
        };
        if reference.as_str().as_bytes() != input.bytes && !self.output.json {
            self.output
                .reporter
                .reserialized(input, reference.as_str(), &mut to.messages);
        }
        let mut exit = Exit::Good;
        for words in self.plan.combinations() {
            if self.plan.is_per_pair() {
                exit = exit.max(self.each_pair(input, reference, &words, to)?);
            } else {
                let edited = self.edited(reference, &words, None);
                exit = exit.max(self.result(input, edited, to)?);
            }
        }
        Ok(exit)
    }
}

/// The reason why an input has no result.
enum Unedited {
    Edit(EditError),
    /// Browsers reject the result.
    Whatwg(Failure),
    /// The results take too much memory.
    TooLong(String),
}

/// The maximum total size of the results that --each-parameter makes from one input, in bytes. A
/// reference with 100,000 pairs would have 100,000 results, each as long as the reference.
const MOST_RESULTS: usize = 64 << 20;

impl Unedited {
    /// Returns the error, with advice.
    fn message(&self) -> String {
        match self {
            Self::Edit(error @ EditError::NeedsUser) => format!(
                "{error}; `-s userinfo=` removes both, and `-s user:=` makes the user empty"
            ),
            Self::Edit(error) => error.to_string(),
            Self::Whatwg(failure) => format!("browsers reject the result: {failure}"),
            Self::TooLong(message) => message.clone(),
        }
    }
}

impl Edit {
    fn record(
        &self,
        input: Input<'_>,
        edited: Option<&str>,
        reading: ReadingKeys<'_>,
        to: &mut Printed,
    ) -> io::Result<()> {
        let record = EditRecord {
            input: input.given.into(),
            edited,
            reading,
        };
        self.output
            .record_with(&mut to.out, &record, edited.map(str::as_bytes))
    }

    /// Prints a result for each replaced pair.
    fn each_pair(
        &self,
        input: Input<'_>,
        reference: AnyRef<'_>,
        words: &[&Assignment],
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let mut exit = Exit::Good;
        let mut only = OnePair::default();
        let start = to.out.len();
        loop {
            let edited = self.edited(reference, words, Some(&mut only));
            if only.seen() > 0 {
                if to.out.len() - start > MOST_RESULTS {
                    let pairs = only.seen();
                    let message = format!(
                        "the results for {pairs} pairs take more than {MOST_RESULTS} bytes; the rest \
                         was omitted"
                    );
                    let error = Err(Unedited::TooLong(message));
                    return self.result(input, error, to);
                }
                exit = exit.max(self.result(input, edited, to)?);
            }
            if !only.advance(&self.plan) {
                return Ok(exit);
            }
        }
    }

    /// Prints the result of an edit, or the reason why there is none.
    fn result(
        &self,
        input: Input<'_>,
        edited: Result<String, Unedited>,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let reader = self.output.reader;
        match edited {
            Ok(text) if self.output.json => {
                let reading = reader.read(text.as_bytes());
                let reading = ReadingKeys::new(&reading, self.plan.separator);
                self.record(input, Some(&text), reading, to)?;
                Ok(Exit::Good)
            }
            Ok(text) => {
                self.output.line(&mut to.out, &text)?;
                Ok(Exit::Good)
            }
            Err(error) => {
                if self.output.json {
                    let why = Failure::Operation(error.message());
                    let reading = ReadingKeys::unread(reader, &why);
                    self.record(input, None, reading, to)?;
                    to.rejected.add(why.reason());
                } else {
                    to.out.push(self.output.end);
                    self.explain(input, error, to);
                }
                Ok(Exit::No)
            }
        }
    }

    /// Applies the edits. Under the WHATWG standard, serializes the result as browsers do.
    fn edited(
        &self,
        reference: AnyRef<'_>,
        words: &[&Assignment],
        only: Option<&mut OnePair>,
    ) -> Result<String, Unedited> {
        let mut text = String::new();
        let edit = self.plan.apply(reference, words, only);
        edit.write_into(&mut text).map_err(Unedited::Edit)?;
        match self.output.reader {
            Reader::Rfc(_) => Ok(text),
            Reader::Whatwg => serialize(text.as_str().into()).map_err(Unedited::Whatwg),
        }
    }

    /// Reports why an input has no result.
    fn explain(&self, input: Input<'_>, error: Unedited, to: &mut Printed) {
        match error {
            Unedited::Edit(EditError::Invalid(invalid)) => {
                let rejected = invalid.into_result();
                let failure = Failure::Rfc(rejected.error());
                let result = rejected.into_value();
                let reader = self.output.reader;
                self.output
                    .reporter
                    .bad_result(input, reader, &result, &failure, &mut to.messages);
            }
            other => {
                let failure = Failure::Operation(other.message());
                self.output.invalid(input, &failure, to);
            }
        }
    }
}

/// An input and its result, as `--json` prints them.
#[derive(serde::Serialize)]
struct EditRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    /// The result, followed by its components. Without a result, the keys describe the invalid
    /// input.
    edited: Option<&'a str>,
    #[serde(flatten)]
    reading: ReadingKeys<'a>,
}
