//! `uri resolve` and `uri relativize`, which share the `--base` option.

pub(crate) mod relativize;
pub(crate) mod resolve;

use crate::exit::{Exit, Stop};
use crate::input::{Given, Input, Unparsed};
use crate::options::{Common, Print0, Selection};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::screen::say;
use crate::sheet::Column;
use crate::style::ERROR;
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use urikit::UriBuf;
use urikit_report::Reader;
use urikit_report::base::Base;
use urikit_report::reading::Failure;

/// The `--base` option.
#[derive(clap::Args, Debug)]
struct BaseArgument {
    /// Use this base URI, which must have a scheme
    ///
    /// An invalid base is a usage error, even with --json. --lenient does not repair the base.
    #[arg(long, value_name = "BASE")]
    base: OsString,
}

/// Parses the value of `--base`, or reports the error.
fn base(text: &OsStr, reader: Reader, show_secrets: bool) -> Result<Base, Exit> {
    let bytes = text.as_encoded_bytes();
    Base::new(bytes.into(), reader).map_err(|failure| {
        report(bytes, reader, &failure, show_secrets);
        Exit::Usage
    })
}

/// Reports an invalid base.
fn report(text: &[u8], reader: Reader, failure: &Failure, show_secrets: bool) {
    let explained = crate::report::explain(text, failure, show_secrets);
    let verdict = failure.verdict(reader, &explained.summary);
    let lines = explained.lines.iter().map(|line| format!("\n  {line}"));
    let lines: String = lines.collect();
    say!("{ERROR}uri: --base{ERROR:#}: {verdict}{lines}");
}

/// An operation on a base and a reference: resolution, or its inverse.
trait Relate: Send + Sync + 'static {
    /// The name of the subcommand.
    const NAME: &'static str;

    /// The subcommand with its required option, for use in examples.
    const EXAMPLE: &'static str;

    /// The columns of a table.
    const COLUMNS: &'static [Column];

    /// True if filters are applied to the results rather than to the inputs.
    const FILTERS_RESULTS: bool;

    /// The type of the result, which is printed as text.
    type Output: AsRef<str>;

    /// Applies the operation to `input`.
    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<Self::Output, Failure>;

    /// Returns the JSON record of an input.
    fn record<'a>(
        base: &'a Base,
        input: Given<'a>,
        result: Result<&'a Self::Output, &Failure>,
    ) -> impl Serialize;
}

/// Applies the operation to each input.
fn run<R: Relate>(
    relation: R,
    argument: &BaseArgument,
    selection: Selection,
    print0: Print0,
    common: Common,
) -> Result<Exit, Stop> {
    let settings = common.records(R::NAME, R::COLUMNS)?;
    let settings = settings.ending(print0)?;
    let base = match base(
        &argument.base,
        settings.output.reader,
        settings.reporter().show_secrets,
    ) {
        Ok(base) => base,
        Err(exit) => return Ok(exit),
    };
    let work = Related {
        relation,
        base,
        output: settings.output.clone(),
    };
    settings.run(R::EXAMPLE, selection, work)
}

struct Related<R> {
    relation: R,
    base: Base,
    output: Output,
}

impl<R: Relate> Work for Related<R> {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = R::record(&self.base, input.given, Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = self.relation.relate(&self.base, input.into());
        let result = result.as_ref();
        let record = R::record(&self.base, input.given, result);
        let text = result.map(AsRef::as_ref);
        self.output.result(input, text, &record, to)
    }

    fn filtered<'a>(&self, input: Input<'a>) -> Option<Cow<'a, [u8]>> {
        if !R::FILTERS_RESULTS {
            return Some(Cow::Borrowed(input.bytes));
        }
        let result = self.relation.relate(&self.base, input.into()).ok()?;
        Some(Cow::Owned(result.as_ref().as_bytes().to_vec()))
    }

    fn base(&self) -> Option<UriBuf> {
        self.base.to_uri()
    }
}
