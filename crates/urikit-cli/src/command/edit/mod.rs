//! `uri edit`: references with some components changed.

mod assignment;
mod plan;
mod record;

use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;
use crate::reading::Failure;
use crate::run::Work;
use crate::separator::Separator;
use crate::standard::Reader;
use plan::Plan;
use record::Edited;
use std::io::{self, Write};
use urikit::{EditError, Standard};

/// Change components of references, and keep every other byte
///
/// Nothing is normalised or completed on the way: an empty `?` or `#`, the case, the port and every escape stay as
/// they are unless they are edited. A result that would be invalid, or read otherwise than it is meant, is an error; its line is empty.
///
/// Edits are made in this order, whatever the order of the options: --set and --iterate together, --append path, --trim,
/// --replace, --append query, --sort-query.
///
/// With --json, each line is the object of `uri parse` for the result, with the result as `edited`, and in `query_pairs` every pair of
/// its query, or `null` where there is none: `key` and `value` decoded, but as written where that is no UTF-8; the `value` of a
/// name alone is `null`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
COMPONENT is scheme, userinfo, user, password, host, port, path, params (RFC 1808), query or fragment.

  NAME=TEXT    what must be escaped there is escaped, what is escaped is not escaped again;
               an empty TEXT removes the component
  NAME:=TEXT   exactly TEXT, which may be empty; an error where it does not fit
  NAME?=TEXT   only where there is no such component

Examples:
  uri edit -s host=example.org -s port=8080 'http://user@host/path?#'
  uri edit -s scheme=http -s host=example.org -s path=/a ''
  uri edit -a path='my file' -a query=lang=en 'http://host/folder/'
  uri edit --trim 'query=utm_*' -f urls.txt
  uri edit --iterate 'scheme=http https' --iterate 'host=a b' 'ftp://h/x'")]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Arguments {
    /// Set a component, or remove it
    #[arg(short, long, value_name = "COMPONENT=TEXT")]
    set: Vec<String>,

    /// Append a segment to the path, or a pair to the query
    ///
    /// A slash in the segment is escaped, and so is an ampersand in the pair.
    #[arg(short, long, value_name = "path=NAME|query=PAIR")]
    append: Vec<String>,

    /// Remove the query's pairs with this name; `*` at its end stands for anything
    ///
    /// Names are compared decoded, and by case. `\*` at the end is an asterisk. With its last pair goes the query.
    #[arg(long, value_name = "query=NAME")]
    trim: Vec<String>,

    /// Short for --trim query=NAME
    #[arg(long, value_name = "NAME")]
    qtrim: Vec<String>,

    /// Give a pair of the query that is there another value; of several, one is left
    #[arg(long, value_name = "NAME[=VALUE]")]
    replace: Vec<String>,

    /// The same, and append the pair where it is not there
    #[arg(long, visible_alias = "force-replace", value_name = "NAME[=VALUE]")]
    replace_append: Vec<String>,

    /// Give one result for each word; repeated, for each combination
    #[arg(long, value_name = "COMPONENT=WORDS")]
    iterate: Vec<String>,

    /// Sort the query's pairs by name, letters of either case alike
    #[arg(long)]
    sort_query: bool,

    #[command(flatten)]
    separator: Separator,

    /// Keep a port that --set or --iterate makes the scheme's default
    ///
    /// Else it is left out, with leading zeros too. A port that is not edited always stays, and so does one that is set
    /// exactly (`port:=`).
    #[arg(long)]
    keep_port: bool,

    /// Write the scheme's default port where there is a host and no port
    #[arg(long)]
    default_port: bool,

    /// Texts have no escapes: a `%` in one is a percent sign, and is escaped
    #[arg(long)]
    raw: bool,

    #[command(flatten)]
    common: Common,
}

/// Prints every input as edited.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let Reader::Rfc(standard) = arguments.common.standard else {
        return Ok(plan::not_whatwg());
    };
    let plan = match Plan::new(&arguments) {
        Ok(plan) => plan,
        Err(wrong) => return Ok(wrong.report()),
    };
    let common = arguments.common;
    let work = Edit {
        standard,
        plan,
        answers: common.answers(),
    };
    common.run("edit", work)
}

struct Edit {
    standard: Standard,
    plan: Plan,
    answers: Answers,
}

impl Work for Edit {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let reader = Reader::Rfc(self.standard);
        let Ok(reference) = self.standard.parse_bytes(input.bytes) else {
            let reading = reader.read(input.bytes);
            if self.answers.json {
                let edited = Edited::invalid(input.bytes, &reading);
                self.answers.record(out, &edited)?;
            } else if let Some(failure) = reading.failure() {
                out.write_all(b"\n")?;
                self.answers.invalid(input, &failure, messages);
            }
            return Ok(Exit::No);
        };
        let mut exit = Exit::Good;
        let mut text = String::new();
        for words in self.plan.combinations() {
            text.clear();
            match self.plan.apply(reference, &words).write_into(&mut text) {
                Ok(_) if self.answers.json => {
                    let reading = reader.read(text.as_bytes());
                    let separator = self.plan.separator;
                    let edited = Edited::new(input.bytes, &text, &reading, separator);
                    self.answers.record(out, &edited)?;
                }
                Ok(_) => self.answers.line(out, &text)?,
                Err(error) => {
                    exit = Exit::No;
                    if self.answers.json {
                        let why = Failure::Operation(told(&error));
                        let edited = Edited::refused(input.bytes, self.standard, &why);
                        self.answers.record(out, &edited)?;
                    } else {
                        out.write_all(b"\n")?;
                        self.explain(input, error, messages);
                    }
                }
            }
        }
        Ok(exit)
    }
}

impl Edit {
    /// Why there is no result.
    fn explain(&self, input: Input<'_>, error: EditError, messages: &mut String) {
        let reader = Reader::Rfc(self.standard);
        match error {
            EditError::Invalid(invalid) => {
                let rejected = invalid.into_result();
                let failure = Failure::Rfc(rejected.error());
                let result = rejected.into_value();
                self.answers
                    .reporter
                    .bad_result(input, reader, &result, &failure, messages);
            }
            other => {
                let failure = Failure::Operation(told(&other));
                self.answers.invalid(input, &failure, messages);
            }
        }
    }
}

/// The error, and what may be meant.
fn told(error: &EditError) -> String {
    match error {
        EditError::NeedsUser => {
            format!("{error}; `-s userinfo=` removes both, and `-s user:=` makes the user empty")
        }
        _ => error.to_string(),
    }
}
