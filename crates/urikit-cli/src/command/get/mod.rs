//! `uri get`: a template filled from references.

mod field;
mod name;
mod record;
mod template;

use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::{Given, Input};
use crate::reading::{Failure, QueryPairs};
use crate::run::Work;
use crate::separator::Separator;
use crate::standard::Reader;
use crate::usage;
use clap::error::ErrorKind;
use record::Filled;
use std::io;
use template::{Template, write_safe};
use urikit::{AnyRef, Standard};

/// Fill a template from the components of references
///
/// Components are as written, and what is absent gives nothing; `decode:` decodes. One line for each reference; that of
/// an invalid one is empty.
///
/// With --json, each line has the filled template as `text`, and in `query_pairs` every pair of the query, or `null` where there is no query:
/// `key` and `value` decoded, but as written where that is no UTF-8; the `value` of a name alone is `null`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
In TEMPLATE:
  {url} {scheme} {authority} {userinfo} {user} {password} {host} {port}
  {path} {params} {query} {fragment}
  {segments}          the path's segments, a space between them
  {query:NAME}        the value of the query's first pair with this name
  {query-all:NAME}    the values of all of them, a space between them
  {decode:host}       decoded: `%` and two digits stand for a byte
  {form:query:NAME}   decoded, and a `+` stands for a space
  {default:port}      the scheme's default where no port is written; {default:url} has it
  {puny:host}         a name beyond US-ASCII as the DNS has it: `xn--`; {puny:url} has it
  {idn:host}          a name `xn--` as people read it; {idn:url} has it
  {must:query}        an error where it is absent
  {strict:decode:path}  an error where a control character is in it, such as a line end
  \\n \\r \\t           line end, carriage return, tab
  \\{ \\} \\\\           the character itself

Examples:
  uri get '{host}\\t{path}' 'http://user@host/path?query'
  uri get '{decode:query:q}' 'http://host/?q=caf%C3%A9&page=2'
  uri get --standard rfc3987 '{puny:url}' 'http://résumé.example.org/'
  uri get '{scheme}://{host}:{default:port}/' -f urls.txt | sort -u")]
pub(crate) struct Arguments {
    /// What to print for each reference
    #[arg(value_name = "TEMPLATE")]
    template: String,

    #[command(flatten)]
    separator: Separator,

    #[command(flatten)]
    common: Common,
}

/// Prints the template filled from every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let common = arguments.common;
    let wrong = |message: String| {
        let error = clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"));
        Ok(usage::report(&error))
    };
    let Reader::Rfc(standard) = common.standard else {
        return wrong(
            "`get` gives what is written, which `--standard whatwg` repairs first".to_owned(),
        );
    };
    let template = match Template::new(&arguments.template) {
        Ok(template) => template,
        Err(message) => return wrong(message),
    };
    let work = Get {
        standard,
        template,
        separator: arguments.separator.char,
        answers: common.answers(),
    };
    common.run("get TEMPLATE", work)
}

struct Get {
    standard: Standard,
    template: Template,
    separator: char,
    answers: Answers,
}

impl Work for Get {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        if self.answers.json {
            let mut filled = Vec::with_capacity(input.bytes.len());
            let outcome = self.fill(input, &mut filled);
            let outcome = outcome.as_ref();
            let record = Filled {
                input: input.into(),
                reader: Reader::Rfc(self.standard),
                text: outcome.map(|_| filled.as_slice()),
                pairs: QueryPairs::of(outcome.ok().copied(), self.separator),
            };
            self.answers.record(out, &record)?;
            return Ok(Exit::of(outcome));
        }
        let start = out.len();
        let outcome = self.fill(input, out);
        if outcome.is_err() {
            out.truncate(start);
        }
        if self.answers.terminal {
            let filled = out.split_off(start);
            write_safe(out, &filled)?;
        }
        out.push(b'\n');
        if let Err(failure) = &outcome {
            self.answers.invalid(input, failure, messages);
        }
        Ok(Exit::of(outcome.as_ref()))
    }
}

impl Get {
    /// Appends the template filled from an input, and gives what was read.
    fn fill<'a>(&self, input: Input<'a>, out: &mut Vec<u8>) -> Result<AnyRef<'a>, Failure> {
        let reference = Given::from(input)
            .parse(self.standard)
            .map_err(Failure::Rfc)?;
        self.template
            .fill(reference, self.separator, out)
            .map_err(|unfilled| Failure::Operation(unfilled.to_string()))?;
        Ok(reference)
    }
}
