//! `uri get`: fills a template from each reference.

mod added;
mod template;

use crate::exit::{Exit, Stop};
use crate::fields::{Field, Subject, Unfilled};
use crate::input::Input;
use crate::options::{Common, Distinct, Print0, Selection, Separator, Tally};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::sheet::{Column, Format, Sheet};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use template::{Columns, Template, write_safe};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit_domains::List;
use urikit_mime::base64;
use urikit_report::reading::{Failure, parse};
use urikit_report::record::{ErrorRecord, InputKeys, QueryPairs};

/// Fill a template from the components of references
///
/// Components are inserted as written, or decoded with `:decode`. An absent component inserts
/// nothing. Prints one line per reference; the line is empty if the reference is invalid. With
/// --standard whatwg, the components come from the URL as browsers serialize it, and characters
/// that RFC 3986 does not allow are escaped.
///
/// With --json, each line has the filled template as `result`, and the values of its fields as
/// `fields`; absent values are `null`. `query_pairs` lists the pairs in the query, each with its
/// `key` and `value`, or is `null` without a query. Keys and values are decoded, or left as written
/// if the decoded text is not UTF-8. If a name has no `=`, its `value` is `null`.
///
/// A template whose only field is {surt:ia-python} works on any text, as the original program does;
/// `valid` still says whether the text is valid under the standard.
///
/// With --csv or --output-format parquet, each comma-separated part of the template is a column.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Template:
  {url} {scheme} {authority} {userinfo} {user} {password} {host} {port}
  {path} {params} {query} {fragment}
  {host_kind}         name, reg-name, ipv4, ipv6, ipvfuture or empty
  {domain} {suffix} {subdomain}
                      parts of the host, by the Public Suffix List: the registrable domain,
                      the public suffix, and the labels before the domain; {domain:private}
                      includes private suffixes, such as github.io
  {host:defang}       as a[.]example; {url:defang} as hxxp://a[.]example/
  {surt:PROFILE}      the key of web archives: urikit (also {surt}), ia-python, ia-java, cdxj
  {origin}            scheme, host and port, in lower case, without a default port
  {segments}          the path's segments, separated by spaces
  {segment:N}         segment N, from 1; the last is {segment:-1}
  {file} {ext}        the last segment, and the text after its last dot
  {query:NAME}        the value of the query's first pair of this name
  {query-all:NAME}    the values of all pairs of this name, separated by spaces
  {path:decode}       percent-decoded; modifiers may also come first: {decode:path}
  {query:NAME:form}   percent-decoded, and each `+` becomes a space
  {port:default}      the port, or the scheme's default port; also {url:default}
  {host:lower}        in lower case
  {path:normal}       the path of the normal form, as `uri normalize` prints it; also {url:normal}
  {host:puny}         the host in its DNS form (`xn--`); also {url:puny}
  {host:idn}          the host with `xn--` labels in Unicode; also {url:idn}
  {query:must}        an error if the component is absent
  {path:decode:strict}  an error if the result has a control character, such as a newline
  \\n \\r \\t           newline, carriage return, tab
  \\{ \\} \\\\           the character itself

Examples:
  uri get '{host}\\t{path}' 'http://user@host/path?query'
  uri get '{query:q:decode}' 'http://host/?q=caf%C3%A9&page=2'
  uri get --standard rfc3987 '{url:puny}' 'http://résumé.example.org/'
  uri get --count '{host:lower}' -f urls.txt
  uri get --count '{domain:lower}' -f urls.txt
  uri get '{surt:ia-python} {url}' -f urls.txt
  uri get --csv '{host},{path},{query:q:decode}' --where scheme=https -f urls.txt
  uri get --add host='{host}' --add domain='{domain}' --column url -f in.csv > out.csv")]
pub(crate) struct Arguments {
    /// Print this text with its fields filled in
    #[arg(value_name = "TEMPLATE", required_unless_present = "added")]
    template: Option<String>,

    /// Print the rows of the input tables with a column added: the filled TEMPLATE; repeatable
    ///
    /// All rows and columns stay as they are, with their types, order and delimiter. Absent values,
    /// and those of invalid references, are null, or empty cells in CSV. --where selects the rows
    /// to print. Works on CSV and TSV (--column), JSON lines (--field) and Parquet, and prints rows
    /// in the format of the input unless --output-format is given. All files must have the same
    /// columns. For Parquet, folders named NAME=VALUE in the path of a file also add columns.
    /// Indexes, Bloom filters and the Arrow schema are left out, because they do not describe the
    /// new columns.
    ///
    /// Values from CSV are text in other formats. When Parquet is printed as CSV, TSV or JSON
    /// lines, numbers keep all their digits, dates and times follow RFC 3339, with `Z` only if they
    /// are in UTC, and a number that JSON cannot express (NaN) is null. Nested and binary columns,
    /// and decimals of more than 38 digits, are refused. A value that is not UTF-8 (in JSON), or a
    /// date outside the years -9999 to 9999, becomes null; a message reports the number of these
    /// values, and the exit status is 3.
    #[arg(
        long = "add",
        value_name = "NAME=TEMPLATE",
        value_parser = added::addition,
        conflicts_with_all = ["template", "references", "unique", "count", "null", "print0"]
    )]
    added: Vec<added::Addition>,

    #[command(flatten)]
    separator: Separator,

    #[command(flatten)]
    distinct: Distinct,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Prints the template filled from each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    if !arguments.added.is_empty() {
        return added::run(arguments);
    }
    let common = arguments.common;
    let usage = |message| Stop::usage("get", message);
    let text = &arguments.template.unwrap_or_default();
    let template = Template::argument(text).map_err(usage)?;
    // Commas separate columns only in tables.
    let table = if common.wants_table() {
        Some(Columns::new(text).map_err(usage)?)
    } else {
        None
    };
    let count = arguments.distinct.counts().then(|| Column::number("count"));
    let columns = table.as_ref().map(Columns::columns).unwrap_or_default();
    let columns: Vec<_> = count.into_iter().chain(columns).collect();
    let settings = common.rows("get", &columns)?;
    let form = match (table, settings.output.sheet.clone()) {
        (Some(table), Some(sheet)) => Form::Rows(table, sheet),
        _ => Form::Line(template),
    };
    let tally = arguments.distinct.tally();
    let settings = settings.in_order(tally.is_some());
    let settings = settings.ending(arguments.print0)?;
    let work = Get {
        form,
        separator: arguments.separator.char,
        domains: arguments.selection.domains(),
        output: settings.output.clone(),
        tally,
    };
    settings.run("get '{host}'", arguments.selection, work)
}

/// The form of a result: a line of text, or a row of a table.
enum Form {
    Line(Template),
    Rows(Columns, Arc<Sheet>),
}

struct Get {
    form: Form,
    separator: char,
    domains: List,
    output: Output,
    tally: Option<Tally>,
}

impl Work for Get {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        self.print(input, Err(why), b"", &mut to.out)
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let start = to.out.len();
        let mut memory = String::new();
        let outcome = self.fill(input, &mut memory, &mut to.out);
        let outcome = outcome.as_ref();
        if outcome.is_err() {
            to.out.truncate(start);
        }
        if self.output.json || self.output.terminal || self.tally.is_some() {
            let filled = to.out.split_off(start);
            self.print(input, outcome, &filled, &mut to.out)?;
        } else {
            self.end(outcome.is_ok(), &mut to.out)?;
        }
        match outcome {
            Err(failure) if self.output.json => to.rejected.add(failure.reason()),
            Err(failure) => self.output.invalid(input, failure, to),
            Ok(_) => {}
        }
        Ok(Exit::of(outcome))
    }

    fn end(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(tally) = &self.tally else {
            return Ok(());
        };
        let Form::Rows(_, sheet) = &self.form else {
            return tally.print(["text", "text_base64"], &self.output, out);
        };
        for (row, count) in tally.counted() {
            sheet.counted(out, count, &row);
        }
        Ok(())
    }
}

impl Get {
    /// Ends a line. An input without a result produces an empty line or row.
    fn end(&self, is_filled: bool, out: &mut Vec<u8>) -> io::Result<()> {
        match &self.form {
            Form::Line(_) => out.push(self.output.end),
            Form::Rows(..) if is_filled => {}
            Form::Rows(_, sheet) => sheet.empty(out)?,
        }
        Ok(())
    }

    /// Prints the filled-in template, unless the tally already contains it.
    fn print(
        &self,
        input: Input<'_>,
        outcome: Result<&Option<AnyRef<'_>>, &Failure>,
        filled: &[u8],
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let is_new = match (&self.tally, outcome) {
            (Some(tally), Ok(_)) => tally.admits(filled),
            (Some(_), Err(_)) => self.output.json,
            (None, _) => true,
        };
        if !is_new {
            return Ok(());
        }
        if self.output.json {
            let reference = outcome.ok().and_then(Option::as_ref);
            let query = reference.and_then(AnyRef::query);
            let is_text = std::str::from_utf8(filled).is_ok();
            let record = FilledRecord {
                input: input.given.into(),
                standard: self.output.reader.name(),
                // An input can have a key even if it is not valid under the standard.
                valid: match outcome {
                    Ok(reference) => reference.is_some(),
                    Err(failure) => !failure.is_of_input(),
                },
                text: outcome.ok().map(|_| String::from_utf8_lossy(filled)),
                text_base64: (outcome.is_ok() && !is_text)
                    .then(|| base64::encode(filled).to_string()),
                error: outcome.err().map(ErrorRecord::from),
                query_pairs: QueryPairs::new(query.map(Encoded::as_str), self.separator),
                fields: outcome
                    .ok()
                    .map(|reference| self.fields(reference.as_ref(), input)),
            };
            return self
                .output
                .record_with(out, &record, outcome.ok().map(|_| filled));
        }
        if self.output.terminal {
            write_safe(out, filled)?;
        } else {
            out.extend_from_slice(filled);
        }
        self.end(outcome.is_ok(), out)
    }

    /// Returns the values of the template's fields.
    fn fields<'f>(&'f self, reference: Option<&AnyRef<'_>>, input: Input<'_>) -> FieldValues<'f> {
        let Form::Line(template) = &self.form else {
            return FieldValues(Vec::new());
        };
        let subject = reference.map(|it| Subject::new(*it, self.separator, &self.domains));
        let value = |field: &Field| {
            let mut value = Vec::new();
            let is_there = if let Some(subject) = &subject {
                field.fill(subject, &mut value).ok()?
            } else {
                let text = input.text.unwrap_or_default();
                field.fill_unparsed(text, &mut value).is_ok()
            };
            is_there.then(|| String::from_utf8_lossy(&value).into_owned())
        };
        let mut values: Vec<(&str, _)> = Vec::new();
        for field in template.fields() {
            // A field may appear more than once.
            if !values.iter().any(|(name, _)| *name == field.name()) {
                values.push((field.name(), value(field)));
            }
        }
        FieldValues(values)
    }

    /// Appends the filled template, and returns the parsed input, or `None` if the template does
    /// not need a valid one.
    fn fill<'a>(
        &self,
        input: Input<'a>,
        memory: &'a mut String,
        out: &mut Vec<u8>,
    ) -> Result<Option<AnyRef<'a>>, Failure> {
        let reference = match (parse(self.output.reader, input.into(), memory), input.text) {
            (Ok(reference), _) => reference,
            (Err(failure), Some(text)) => {
                return match self.form.fill_unparsed(text, out) {
                    Some(Ok(())) => Ok(None),
                    Some(Err(unfilled)) => Err(Failure::Operation(unfilled.to_string())),
                    None => Err(failure),
                };
            }
            (Err(failure), None) => return Err(failure),
        };
        let subject = Subject::new(reference, self.separator, &self.domains);
        match &self.form {
            Form::Line(template) => template.fill(&subject, out).map(|_| ()),
            Form::Rows(columns, sheet) => match columns.fill(&subject) {
                Ok(cells) => {
                    let not_text = |cell: &Vec<u8>| std::str::from_utf8(cell).is_err();
                    if sheet.format == Format::Parquet && cells.iter().flatten().any(not_text) {
                        let why = "the result is not UTF-8, which Parquet requires";
                        return Err(Failure::Operation(why.to_owned()));
                    }
                    // Writing to memory does not fail.
                    let _ = sheet.row(out, &cells);
                    Ok(())
                }
                Err(unfilled) => Err(unfilled),
            },
        }
        .map_err(|unfilled| Failure::Operation(unfilled.to_string()))?;
        Ok(Some(reference))
    }
}

impl Form {
    /// Appends the result for text that is not a valid reference. Returns `None` if the templates
    /// need a valid input.
    fn fill_unparsed(&self, text: &str, out: &mut Vec<u8>) -> Option<Result<(), Unfilled>> {
        match self {
            Self::Line(template) => {
                let filled = template
                    .is_unparsed()
                    .then(|| template.fill_unparsed(text, out))?;
                Some(filled.map(drop))
            }
            Self::Rows(columns, sheet) => {
                let cells = columns.fill_unparsed(text)?;
                // Writing to memory does not fail.
                Some(cells.map(|cells| drop(sheet.row(out, &cells))))
            }
        }
    }
}

/// The fields of a template with their values.
struct FieldValues<'a>(Vec<(&'a str, Option<String>)>);

impl Serialize for FieldValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An input and the template filled from it, as `--json` prints them.
#[derive(serde::Serialize)]
struct FilledRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    standard: &'static str,
    valid: bool,
    text: Option<Cow<'a, str>>,
    /// The exact text, if it is not UTF-8. Decoded components need not be UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_base64: Option<String>,
    error: Option<ErrorRecord>,
    query_pairs: QueryPairs<'a>,
    fields: Option<FieldValues<'a>>,
}
