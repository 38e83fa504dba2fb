//! The work that both commands do on each input, and how its result is printed.

use super::{Base, BaseArgument};
use crate::exit::{Exit, Stop};
use crate::input::{Given, Input, Unparsed};
use crate::options::{Common, Print0, Selection};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::Object;
use crate::run::Work;
use crate::sheet::Column;
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::io;
use urikit::{Iri, UriBuf};

/// An operation on a base and a reference.
pub(super) trait Relate: Send + Sync + 'static {
    /// The name of the subcommand.
    const NAME: &'static str;

    /// The subcommand with what it requires, for examples.
    const EXAMPLE: &'static str;

    /// The columns of a table.
    const COLUMNS: &'static [Column];

    /// Whether filters apply to results, and not to inputs.
    const FILTERS_RESULTS: bool;

    /// The result, which has a text form.
    type Output: AsRef<str>;

    /// Applies the operation to `input`.
    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<Self::Output, Failure>;

    /// Writes the keys between `valid` and `error`.
    fn keys<S: Serializer>(
        result: Result<&Self::Output, &Failure>,
        object: &mut Object<S>,
    ) -> Result<(), S::Error>;
}

/// Applies the operation to each input.
pub(super) fn run<R: Relate>(
    relation: R,
    argument: BaseArgument,
    selection: Selection,
    print0: Print0,
    common: Common,
) -> Result<Exit, Stop> {
    let mut common = common;
    common.print_records(R::NAME, R::COLUMNS)?;
    let base = match Base::new(
        argument.base,
        common.standard,
        common.reporting.show_secrets,
    ) {
        Ok(base) => base,
        Err(exit) => return Ok(exit),
    };
    let work = Related {
        relation,
        base,
        output: common.output().ending(print0.end()),
    };
    common.run(R::EXAMPLE, selection, work)
}

struct Related<R> {
    relation: R,
    base: Base,
    output: Output,
}

impl<R: Relate> Work for Related<R> {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = Record::<R> {
                base: &self.base,
                input: input.given,
                result: Err(why),
            };
            self.output.record(&mut to.out, &record)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = self.relation.relate(&self.base, input.into());
        let result = result.as_ref();
        let record = Record::<R> {
            base: &self.base,
            input: input.given,
            result,
        };
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
        Some(Iri::parse(self.base.text).ok()?.to_uri())
    }
}

/// One result as `--json` prints it.
struct Record<'a, R: Relate> {
    base: &'a Base,
    input: Given<'a>,
    result: Result<&'a R::Output, &'a Failure>,
}

impl<R: Relate> Serialize for Record<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("base", self.base.text)?;
        object.input(self.input)?;
        object.field("standard", self.base.reader.name())?;
        object.valid(self.result.err())?;
        R::keys(self.result, &mut object)?;
        object.error(self.result.err())?;
        object.end()
    }
}
