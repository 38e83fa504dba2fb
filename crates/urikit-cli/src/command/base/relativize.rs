//! `uri relativize`: the shortest reference that resolves back to a URI.

use super::work::{self, Relate};
use super::{Base, BaseArgument, Parsed};
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Given;
use crate::reading::{Failure, whatwg};
use serde::ser::SerializeStruct;
use std::io;

/// Print the shortest reference that resolves back to each URI
///
/// One reference a line. It may be empty: the URI is then the base itself. An input without an
/// answer has an empty line too, a message, and status 1.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri relativize --base http://a/b/c/d http://a/b/g
  uri relativize --base https://example.org/dir/page -f urls.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    base: BaseArgument,

    #[command(flatten)]
    common: Common,
}

/// Prints the reference to every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    work::run(Relativize, arguments.base, arguments.common)
}

struct Relativize;

impl Relate for Relativize {
    const NAME: &'static str = "relativize";
    type Answer = String;

    fn relate(&self, base: &Base, input: Given<'_>) -> Result<String, Failure> {
        let base = match &base.parsed {
            Parsed::Rfc(base) => *base,
            Parsed::Whatwg(base) => {
                let found = whatwg::relativize(base, input).map_err(Failure::Whatwg)?;
                return found.ok_or_else(|| {
                    Failure::Operation("nothing shorter than the URL leads to it".to_owned())
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

    fn keys<O: SerializeStruct>(
        answer: Result<&String, &Failure>,
        object: &mut O,
    ) -> Result<(), O::Error> {
        object.serialize_field("relative", &answer.ok())
    }
}
