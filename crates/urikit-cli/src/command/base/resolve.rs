//! `uri resolve`: resolves references against a base.

use super::{Base, BaseArgument, Parsed, Relate};
use crate::exit::{Exit, Stop};
use crate::input::Unparsed;
use crate::options::{Common, Print0, Selection, words};
use crate::reading::{Failure, whatwg};
use crate::sheet::Column;
use crate::standard::Reader;
use urikit::op::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
use urikit::{AnyRef, Standard};

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

/// A target. `same_document` is true for a same-document reference.
struct Target {
    text: String,
    same_document: bool,
}

impl AsRef<str> for Target {
    fn as_ref(&self) -> &str {
        &self.text
    }
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
    type Keys<'a> = TargetKeys<'a>;

    fn relate(&self, base: &Base, input: Unparsed<'_>) -> Result<Target, Failure> {
        let base = match &base.parsed {
            Parsed::Rfc(base) => AnyRef::from(base),
            Parsed::Whatwg(base) => {
                let (text, same_document) =
                    whatwg::resolve(base, input).map_err(Failure::Whatwg)?;
                return Ok(Target {
                    text,
                    same_document,
                });
            }
        };
        let reference = input.parse(base.standard()).map_err(|error| {
            if base.standard() == Standard::Rfc1738 && is_relative(input) {
                Failure::NoRelativeForms
            } else {
                Failure::Rfc(error)
            }
        })?;
        let mut text = String::with_capacity(base.as_str().len() + input.bytes.len());
        match reference.resolve_into(base, self.options, &mut text) {
            Ok(same_document) => Ok(Target {
                text,
                same_document,
            }),
            Err(ResolveError::Target(error)) => Err(Failure::Target(error)),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }

    fn keys(target: Option<&Target>) -> TargetKeys<'_> {
        TargetKeys {
            target: target.map(|target| target.text.as_str()),
            same_document: target.is_some_and(|target| target.same_document),
        }
    }
}

#[derive(serde::Serialize)]
struct TargetKeys<'a> {
    target: Option<&'a str>,
    same_document: bool,
}

/// Returns true for a relative URL. RFC 1738 leaves relative URLs to RFC 1808.
fn is_relative(input: Unparsed<'_>) -> bool {
    let reference = input.parse(Standard::Rfc1808);
    reference.is_ok_and(|reference| reference.scheme().is_none())
}
