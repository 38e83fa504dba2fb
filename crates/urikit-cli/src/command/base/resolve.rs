//! `uri resolve`: resolves references against a base.

use super::{BaseArgument, Relate};
use crate::exit::{Exit, Stop};
use crate::input::{Given, Unparsed};
use crate::options::{Common, Print0, Selection, words};
use crate::sheet::Column;
use serde::Serialize;
use urikit::Standard;
use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};
use urikit_report::Reader;
use urikit_report::base::{Base, Target};
use urikit_report::reading::Failure;

/// Resolve references against a base
///
/// Prints one target per line, resolved with the standard's algorithm. If an input has no target,
/// its line is empty, so input and output lines correspond. The target of a same-document reference
/// is the base with the fragment of the reference.
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

    /// Keep, drop or refuse `..` above the root [default: the standard's first choice] [RFC 1808
    /// and later]
    ///
    /// Applies to relative paths. Before RFC 3986, a reference that begins with a slash, such as
    /// `/../g`, always keeps its dot segments.
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

    /// Match the slashes of a partial form as in the RFC's examples or as in its text [default:
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
    if let Some(message) = arguments.not_applicable() {
        return Err(Stop::usage(Resolve::NAME, message));
    }
    let resolve = Resolve {
        options: Options {
            above_root: arguments.above_root,
            same_scheme: arguments.same_scheme.unwrap_or_default(),
            slash_rule: arguments.slash_rule.unwrap_or_default(),
        },
    };
    let Arguments {
        base,
        selection,
        print0,
        common,
        ..
    } = arguments;
    super::run(resolve, &base, selection, print0, common)
}

impl Arguments {
    /// Returns the message for an option that the standard does not support.
    fn not_applicable(&self) -> Option<String> {
        let reader = self.common.standard;
        let given = [
            (
                self.above_root.is_some(),
                "--above-root",
                AboveRoot::STANDARDS,
            ),
            (
                self.same_scheme.is_some(),
                "--same-scheme",
                SameScheme::STANDARDS,
            ),
            (
                self.slash_rule.is_some(),
                "--slash-rule",
                SlashRule::STANDARDS,
            ),
        ];
        let applies = |standards: &[Standard]| match reader {
            Reader::Rfc(standard) => standards.contains(&standard),
            Reader::Whatwg => false,
        };
        let (_, option, standards) = given
            .into_iter()
            .find(|(is_given, _, standards)| *is_given && !applies(standards))?;
        let names: Vec<_> = standards.iter().map(|standard| standard.name()).collect();
        Some(format!(
            "{option} does not apply to --standard {}, only to {}",
            reader.name(),
            names.join(", ")
        ))
    }
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
