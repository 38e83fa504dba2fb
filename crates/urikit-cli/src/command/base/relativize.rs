//! `uri relativize`: finds the shortest relative reference to a URI.

use super::{BaseArgument, Relate};
use crate::exit::{Exit, Stop};
use crate::input::{Given, Unparsed};
use crate::options::{Common, Print0, Selection};
use crate::sheet::Column;
use serde::Serialize;
use urikit_report::base::Base;
use urikit_report::reading::Failure;

/// Print the shortest relative reference that resolves to each URI
///
/// Prints one reference per line. The reference to the base itself is the empty reference. If an
/// input has no result, its line is empty, a message says why, and the exit status is 1.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri relativize --base http://a/b/c/d http://a/b/g
  uri relativize --base https://example.org/dir/page -f urls.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    base: BaseArgument,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Prints the relative reference for each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    super::run(
        Relativize,
        &arguments.base,
        arguments.selection,
        arguments.print0,
        arguments.common,
    )
}

struct Relativize;

impl Relate for Relativize {
    const NAME: &'static str = "relativize";
    const EXAMPLE: &'static str = "relativize --base http://example.com/";
    const COLUMNS: &'static [Column] = &[
        Column::text("base"),
        Column::text("input"),
        Column::flag("valid"),
        Column::text("error"),
        Column::text("relative"),
        Column::text("repaired"),
    ];
    const FILTERS_RESULTS: bool = false;
    type Output = String;

    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<String, Failure> {
        base.relativize(input)
    }

    fn record<'a>(
        base: &'a Base,
        input: Given<'a>,
        result: Result<&'a String, &Failure>,
    ) -> impl Serialize {
        base.relativized(input, result)
    }
}
