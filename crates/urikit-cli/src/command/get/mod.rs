//! `uri get`: fills a template from each reference.

mod field;
mod name;
mod record;
mod template;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Unparsed};
use crate::options::{Common, Lenient, Print0, Separator};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::QueryPairs;
use crate::run::Work;
use crate::standard::Reader;
use record::Filled;
use std::io;
use template::{Template, write_safe};
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};

/// Fill a template from the components of references
///
/// Components are inserted as written, or decoded with `decode:`; an absent one inserts nothing.
/// One line per reference; the line of an invalid one is empty.
///
/// With --json, each line has the filled template as `text`, and `query_pairs`, a list of the
/// `key` and `value` of each pair of the query, or `null` if there is no query. Both are decoded,
/// or as written if that is not UTF-8. The `value` of a name without `=` is `null`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Template:
  {url} {scheme} {authority} {userinfo} {user} {password} {host} {port}
  {path} {params} {query} {fragment}
  {segments}          the path's segments, separated by spaces
  {query:NAME}        the value of the query's first pair of this name
  {query-all:NAME}    the values of all pairs of this name, separated by spaces
  {decode:host}       percent-decoded
  {form:query:NAME}   percent-decoded, and each `+` becomes a space
  {default:port}      the port, or the scheme's default port; also {default:url}
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
  uri get '{scheme}://{host}:{default:port}/' -f urls.txt | sort -u")]
pub(crate) struct Arguments {
    /// What to print for each reference
    #[arg(value_name = "TEMPLATE")]
    template: String,

    #[command(flatten)]
    separator: Separator,

    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Prints the template filled from each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let common = arguments.common;
    let Reader::Rfc(standard) = common.standard else {
        return Err(Stop::usage(
            "get",
            "`uri get` prints what is written, but whatwg repairs it first: choose an RFC",
        ));
    };
    let template =
        Template::new(&arguments.template).map_err(|message| Stop::usage("get", message))?;
    let work = Get {
        standard,
        template,
        separator: arguments.separator.char,
        output: common.output().ending(arguments.print0.end()),
    };
    common.run("get '{host}'", arguments.lenient, work)
}

struct Get {
    standard: Standard,
    template: Template,
    separator: char,
    output: Output,
}

impl Work for Get {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        if self.output.json {
            let mut filled = Vec::with_capacity(input.bytes.len());
            let outcome = self.fill(input, &mut filled);
            let outcome = outcome.as_ref();
            let query = outcome.ok().and_then(AnyRef::query);
            let record = Filled {
                input: input.given,
                reader: Reader::Rfc(self.standard),
                text: outcome.map(|_| filled.as_slice()),
                pairs: QueryPairs::new(query.map(Encoded::as_str), self.separator),
            };
            self.output.record(&mut to.out, &record)?;
            return Ok(Exit::of(outcome));
        }
        let out = &mut to.out;
        let start = out.len();
        let outcome = self.fill(input, out);
        if outcome.is_err() {
            out.truncate(start);
        }
        if self.output.terminal {
            let filled = out.split_off(start);
            write_safe(out, &filled)?;
        }
        out.push(self.output.end);
        if let Err(failure) = &outcome {
            self.output.invalid(input, failure, to);
        }
        Ok(Exit::of(outcome.as_ref()))
    }
}

impl Get {
    /// Appends the template filled from an input; returns the parsed input.
    fn fill<'a>(&self, input: Input<'a>, out: &mut Vec<u8>) -> Result<AnyRef<'a>, Failure> {
        let reference = Unparsed::from(input)
            .parse(self.standard)
            .map_err(Failure::Rfc)?;
        self.template
            .fill(reference, self.separator, out)
            .map_err(|unfilled| Failure::Operation(unfilled.to_string()))?;
        Ok(reference)
    }
}
