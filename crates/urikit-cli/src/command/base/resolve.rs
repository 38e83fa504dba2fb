//! `uri resolve`: resolves references against a base.

use super::{BaseArgument, Relate};
use crate::exit::{Exit, Stop};
use crate::input::{Given, Unparsed};
use crate::options::{Common, Print0, Selection, words};
use crate::sheet::Column;
use serde::Serialize;
use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};
use urikit_report::base::{self, Base, Target};
use urikit_report::reading::Failure;

/// Resolve references against a base
///
/// Prints one target per line, resolved with the standard's algorithm. If an input has no target,
/// its output line is empty, so input and output lines correspond. The target of a same-document
/// reference is the base with the fragment of the reference.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri resolve --base http://a/b/c/d ../g '?y' '#s'
  uri resolve --base http://a/b/c/d --standard rfc2396 --above-root refuse ../../../g
  uri resolve --base https://example.org/dir/ -f links.txt
  uri resolve --base https://example.org/ --where '!host=example.org' -f links.txt
  uri resolve --base magic://a/b/c//d/e/f --standard rfc1630 /g //g")]
pub(crate) struct Arguments {
    #[command(flatten)]
    base: BaseArgument,

    /// Keep, drop or refuse `..` above the root [default: drop under RFC 3986 and RFC 3987,
    /// otherwise keep] [RFC 1808 and later]
    ///
    /// This option applies to relative paths. Before RFC 3986, a reference that begins with a
    /// slash, such as `/../g`, always keeps its dot segments.
    #[arg(
        long,
        value_name = "RULE",
        value_parser = words::<AboveRoot>(ABOVE_ROOT),
        hide_possible_values = true
    )]
    above_root: Option<AboveRoot>,

    /// Treat a reference with the base's scheme as absolute (strict) or relative (inherit)
    /// [default: strict] [RFC 1808 and later]
    #[arg(
        long,
        value_name = "RULE",
        value_parser = words::<SameScheme>(SAME_SCHEME),
        hide_possible_values = true
    )]
    same_scheme: Option<SameScheme>,

    /// Match the slashes of a partial form according to the RFC's examples or to its text [default:
    /// examples] [RFC 1630]
    #[arg(
        long,
        value_name = "RULE",
        value_parser = words::<SlashRule>(SLASH_RULE),
        hide_possible_values = true
    )]
    slash_rule: Option<SlashRule>,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

const ABOVE_ROOT: [&str; 3] = ["keep", "drop", "refuse"];
const SAME_SCHEME: [&str; 2] = ["strict", "inherit"];
const SLASH_RULE: [&str; 2] = ["examples", "text"];

/// Prints the target of each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let options = base::options(
        arguments.common.standard,
        arguments.above_root,
        arguments.same_scheme,
        arguments.slash_rule,
    );
    let options = options.map_err(|error| Stop::usage(Resolve::NAME, error.to_string()))?;
    let Arguments {
        base,
        selection,
        print0,
        common,
        ..
    } = arguments;
    super::run(Resolve { options }, &base, selection, print0, common)
}

struct Resolve {
    options: Options,
}

impl Relate for Resolve {
    const NAME: &'static str = "resolve";
    const EXAMPLE: &'static str = "resolve --base http://example.com/";
    const COLUMNS: &'static [Column] = &[
        Column::text("base"),
        Column::text("input"),
        Column::flag("valid"),
        Column::text("error"),
        Column::text("target"),
        Column::flag("same_document"),
        Column::text("repaired"),
    ];
    const FILTERS_RESULTS: bool = true;
    type Output = Target;

    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<Target, Failure> {
        base.resolve(input, self.options)
    }

    fn record<'a>(
        base: &'a Base,
        input: Given<'a>,
        result: Result<&'a Target, &Failure>,
    ) -> impl Serialize {
        base.resolved(input, result)
    }
}
