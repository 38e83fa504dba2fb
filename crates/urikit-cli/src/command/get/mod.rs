//! `uri get`: fills a template from each reference.

mod columns;
mod record;
mod template;

use crate::exit::{Exit, Stop};
use crate::fields::Subject;
use crate::input::Input;
use crate::options::{Common, Distinct, Print0, Selection, Separator, Tally};
use crate::output::{Output, Printed};
use crate::reading::{Failure, parse};
use crate::record::QueryPairs;
use crate::run::Work;
use crate::sheet::{Format, Sheet};
use columns::Columns;
use record::Filled;
use std::io;
use std::sync::Arc;
use template::{Template, write_safe};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit_domains::List;

/// Fill a template from the components of references
///
/// Components are inserted as written, or decoded with `decode:`; an absent one inserts nothing.
/// One line per reference; the line of an invalid one is empty. With --standard whatwg, they are
/// those of the URL that browsers make of the reference, with escapes for what RFC 3986 does not
/// allow.
///
/// With --json, each line has the filled template as `text`, and `query_pairs`, a list of the
/// `key` and `value` of each pair of the query, or `null` if there is no query. Both are decoded,
/// or as written if that is not UTF-8. The `value` of a name without `=` is `null`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Template:
  {url} {scheme} {authority} {userinfo} {user} {password} {host} {port}
  {path} {params} {query} {fragment}
  {domain} {suffix} {subdomain}
                      of the host, by the Public Suffix List: the registrable domain, the
                      public suffix, and what precedes the domain; {private:domain} counts
                      suffixes of companies too, such as github.io
  {surt:PROFILE}      the key of web archives: urikit (also {surt}), ia-python, ia-java, cdxj
  {origin}            scheme, host and port, in lower case, without a default port
  {segments}          the path's segments, separated by spaces
  {segment:N}         segment N, from 1; the last is {segment:-1}
  {file} {ext}        the last segment, and what follows its last dot
  {query:NAME}        the value of the query's first pair of this name
  {query-all:NAME}    the values of all pairs of this name, separated by spaces
  {decode:host}       percent-decoded; a modifier may also follow: {query:q:decode}
  {form:query:NAME}   percent-decoded, and each `+` becomes a space
  {default:port}      the port, or the scheme's default port; also {default:url}
  {lower:host}        in lower case
  {normal:path}       of the normal form, as `uri normalize` prints it; also {normal:url}
  {puny:host}         the host as the DNS spells it (`xn--`); also {puny:url}
  {idn:host}          the host with `xn--` labels in Unicode; also {idn:url}
  {must:query}        an error if the component is absent
  {strict:decode:path}  an error if the result has a control character, such as a line end
  \\n \\r \\t           line end, carriage return, tab
  \\{ \\} \\\\           the character itself

Examples:
  uri get '{host}\\t{path}' 'http://user@host/path?query'
  uri get '{decode:query:q}' 'http://host/?q=caf%C3%A9&page=2'
  uri get --standard rfc3987 '{puny:url}' 'http://résumé.example.org/'
  uri get --count '{host:lower}' -f urls.txt
  uri get --count '{domain:lower}' -f urls.txt
  uri get '{surt:ia-python} {url}' -f urls.txt
  uri get --csv '{host},{path},{query:q:decode}' --where scheme=https -f urls.txt")]
pub(crate) struct Arguments {
    /// What to print for each reference
    #[arg(value_name = "TEMPLATE")]
    template: String,

    #[command(flatten)]
    separator: Separator,

    /// Print CSV: a column for each part of TEMPLATE between commas, with its text as the name
    #[arg(long, conflicts_with_all = ["json", "unique", "count", "print0", "output_format"])]
    csv: bool,

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
    let mut common = arguments.common;
    let usage = |message| Stop::usage("get", message);
    let template = &arguments.template;
    // A template that is a line may have any commas.
    let table = if arguments.csv || common.wants_table() {
        Some(Columns::new(template).map_err(usage)?)
    } else {
        None
    };
    let columns = table.as_ref().map(Columns::columns).unwrap_or_default();
    common.print_rows("get", arguments.csv, &columns)?;
    let form = match (table, common.sheet.clone()) {
        (Some(_), Some(_)) if arguments.distinct.is_given() => {
            return Err(usage("--unique and --count print no table".to_owned()));
        }
        (Some(table), Some(sheet)) => Form::Rows(table, sheet),
        _ => Form::Line(Template::new(template).map_err(usage)?),
    };
    let output = common.output().ending(arguments.print0.end());
    let tally = arguments.distinct.tally(&mut common.jobs);
    let work = Get {
        form,
        separator: arguments.separator.char,
        domains: arguments.selection.domains(),
        output: output.clone(),
        tally: tally.clone(),
    };
    let exit = common.run("get '{host}'", arguments.selection, work)?;
    Tally::finish(tally, ["text", "text_base64"], &output, exit)
}

/// What is printed for each reference.
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
}

impl Get {
    /// Ends a line that was filled; an input without a result has an empty one.
    fn end(&self, is_filled: bool, out: &mut Vec<u8>) -> io::Result<()> {
        match &self.form {
            Form::Line(_) => out.push(self.output.end),
            Form::Rows(..) if is_filled => {}
            Form::Rows(_, sheet) => sheet.empty(out)?,
        }
        Ok(())
    }

    /// Prints what an input's template was filled with, unless it was printed before.
    fn print(
        &self,
        input: Input<'_>,
        outcome: Result<&AnyRef<'_>, &Failure>,
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
            let query = outcome.ok().and_then(AnyRef::query);
            let record = Filled {
                input: input.given,
                reader: self.output.reader,
                text: outcome.map(|_| filled),
                pairs: QueryPairs::new(query.map(Encoded::as_str), self.separator),
            };
            return self.output.record(out, &record);
        }
        if self.output.terminal {
            write_safe(out, filled)?;
        } else {
            out.extend_from_slice(filled);
        }
        self.end(outcome.is_ok(), out)
    }

    /// Appends the template filled from an input; returns the parsed input.
    fn fill<'a>(
        &self,
        input: Input<'a>,
        memory: &'a mut String,
        out: &mut Vec<u8>,
    ) -> Result<AnyRef<'a>, Failure> {
        let reference = parse(self.output.reader, input.into(), memory)?;
        let subject = Subject::new(reference, self.separator, &self.domains);
        match &self.form {
            Form::Line(template) => template.fill(&subject, out).map(|_| ()),
            Form::Rows(columns, sheet) => match columns.fill(&subject) {
                Ok(cells) => {
                    let not_text = |cell: &Vec<u8>| std::str::from_utf8(cell).is_err();
                    if sheet.format == Format::Parquet && cells.iter().flatten().any(not_text) {
                        let why = "the result is not UTF-8, as text in Parquet is";
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
        Ok(reference)
    }
}
