//! `uri relativize`: finds the shortest relative reference to a URI.

use super::{Base, BaseArgument, Parsed, Relate};
use crate::exit::{Exit, Stop};
use crate::input::Unparsed;
use crate::options::{Common, Print0, Selection};
use crate::reading::{Failure, whatwg};
use crate::sheet::Column;
use urikit::AnyRef;

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
    type Keys<'a> = RelativeKeys<'a>;

    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<String, Failure> {
        let base = match &base.parsed {
            Parsed::Rfc(base) => AnyRef::from(base),
            Parsed::Whatwg(base) => {
                let found = whatwg::relativize(base, input).map_err(Failure::Whatwg)?;
                return found.ok_or_else(|| {
                    Failure::Operation("no relative reference resolves to this URI".to_owned())
                });
            }
        };
        let target = input.parse(base.standard()).map_err(Failure::Rfc)?;
        let mut reference = String::new();
        match target.relative_to_into(base, urikit::op::RelativeOptions::default(), &mut reference)
        {
            Ok(()) => Ok(reference),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }

    fn keys(relative: Option<&String>) -> RelativeKeys<'_> {
        RelativeKeys {
            relative: relative.map(String::as_str),
        }
    }
}

#[derive(serde::Serialize)]
struct RelativeKeys<'a> {
    relative: Option<&'a str>,
}
