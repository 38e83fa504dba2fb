//! `uri resolve` and `uri relativize`, which share the option `--base`.

pub(crate) mod relativize;
pub(crate) mod resolve;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Unparsed};
use crate::options::{Common, Print0, Selection};
use crate::output::{Output, Printed};
use crate::reading::{Failure, whatwg};
use crate::record::{ErrorRecord, InputKeys};
use crate::run::Work;
use crate::screen::say;
use crate::sheet::Column;
use crate::standard::Reader;
use crate::style::ERROR;
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use urikit::{AnyRefBuf, Iri, UriBuf};

/// The option `--base`.
#[derive(clap::Args, Debug)]
struct BaseArgument {
    /// Use this base URI, which must have a scheme
    ///
    /// An invalid base is a usage error, even with --json. --lenient does not repair it.
    #[arg(long, value_name = "BASE")]
    base: OsString,
}

/// A valid base URI with a scheme.
struct Base {
    text: String,
    reader: Reader,
    parsed: Parsed,
}

/// A base, parsed once for all inputs.
enum Parsed {
    /// A base under an RFC.
    Rfc(AnyRefBuf),
    /// A base under the WHATWG URL Standard.
    Whatwg(whatwg::Url),
}

impl Base {
    /// Parses the value of `--base`, or reports the error.
    fn new(text: &OsStr, reader: Reader, show_secrets: bool) -> Result<Self, Exit> {
        let unparsed = Unparsed::from(text.as_encoded_bytes());
        let reading = reader.read(unparsed);
        let has_scheme = reading
            .components()
            .is_some_and(|components| components.scheme.is_some());
        let rfc = reading.reference().map(|base| Parsed::Rfc(base.to_owned()));
        let parsed = rfc.or_else(|| reading.url().cloned().map(Parsed::Whatwg));
        let failure = match (reading.failure(), unparsed.text, parsed) {
            (Some(failure), ..) => failure,
            (None, Some(text), Some(parsed)) if has_scheme => {
                return Ok(Self {
                    text: text.to_owned(),
                    reader,
                    parsed,
                });
            }
            _ => {
                Failure::Operation("the base is a relative reference; it must have a scheme".into())
            }
        };
        report(unparsed.bytes, reader, &failure, show_secrets);
        Err(Exit::Usage)
    }
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

    /// True if filters apply to results, not to inputs.
    const FILTERS_RESULTS: bool;

    /// The type of the result, which is printed as text.
    type Output: AsRef<str>;

    /// Applies the operation to `input`.
    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<Self::Output, Failure>;

    /// The JSON keys between `valid` and `error`.
    type Keys<'a>: Serialize;

    /// Returns the values of these keys for a result, if any.
    fn keys(result: Option<&Self::Output>) -> Self::Keys<'_>;
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
    let base = match Base::new(
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

impl<R: Relate> Related<R> {
    fn record<'a>(
        &'a self,
        input: Input<'a>,
        result: Result<&'a R::Output, &Failure>,
    ) -> RelatedRecord<'a, R::Keys<'a>> {
        RelatedRecord {
            base: &self.base.text,
            input: input.given.into(),
            standard: self.base.reader.name(),
            valid: !result.is_err_and(Failure::is_of_input),
            result: R::keys(result.ok()),
            error: result.err().map(ErrorRecord::from),
        }
    }
}

impl<R: Relate> Work for Related<R> {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = self.record(input, Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = self.relation.relate(&self.base, input.into());
        let result = result.as_ref();
        let record = self.record(input, result);
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
        Some(Iri::parse(&self.base.text).ok()?.to_uri())
    }
}

/// One result as `--json` prints it.
#[derive(serde::Serialize)]
struct RelatedRecord<'a, K> {
    base: &'a str,
    #[serde(flatten)]
    input: InputKeys<'a>,
    standard: &'static str,
    valid: bool,
    #[serde(flatten)]
    result: K,
    error: Option<ErrorRecord>,
}
