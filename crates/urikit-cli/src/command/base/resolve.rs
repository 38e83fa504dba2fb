//! `uri resolve`: relative references to absolute ones.

use super::work::{self, Relate};
use super::{Base, BaseArgument, Parsed};
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Given;
use crate::reading::{Failure, whatwg};
use crate::standard::Reader;
use crate::usage;
use serde::ser::SerializeStruct;
use std::io;
use urikit::Standard;
use urikit::op::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};

/// Resolve references against a base
///
/// One target a line, as the standard's own text resolves it. An input without a target has an empty
/// line, so that the lines still count. A reference to the document itself has as its target what a
/// new request would use: the base without its fragment, and the reference's.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri resolve --base http://a/b/c/d ../g '?y' '#s'
  uri resolve --base http://a/b/c/d --standard rfc2396 --above-root refuse ../../../g
  uri resolve --base https://example.org/dir/ -f links.txt
  uri resolve --base magic://a/b/c//d/e/f --standard rfc1630 /g //g")]
pub(crate) struct Arguments {
    #[command(flatten)]
    base: BaseArgument,

    /// What becomes of `..` above the root: keep, drop or refuse; by default the standard's own first
    /// choice [RFC 1808 and later]
    ///
    /// It is about relative paths. Before RFC 3986, a reference that begins with a slash, such as `/../g`, keeps its dots
    /// whatever is chosen.
    #[arg(long, value_name = "WHAT")]
    above_root: Option<AboveRoot>,

    /// Whether a reference with the base's own scheme is absolute (strict, the default) or relative
    /// (inherit) [RFC 1808 and later]
    #[arg(long, value_name = "HOW")]
    same_scheme: Option<SameScheme>,

    /// Which slashes of the base a partial form's slashes mean, by the text's examples (the default) or
    /// by its words (text) [RFC 1630]
    #[arg(long, value_name = "WHICH")]
    slash_rule: Option<SlashRule>,

    #[command(flatten)]
    common: Common,
}

/// Prints the target of every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    if let Some(message) = arguments.unheeded() {
        return Ok(usage::conflict(Resolve::NAME, &message));
    }
    let resolve = Resolve {
        options: Options {
            above_root: arguments.above_root,
            same_scheme: arguments.same_scheme.unwrap_or_default(),
            slash_rule: arguments.slash_rule.unwrap_or_default(),
        },
    };
    work::run(resolve, arguments.base, arguments.common)
}

impl Arguments {
    /// What is wrong where a choice is given that the standard does not leave.
    fn unheeded(&self) -> Option<String> {
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
        let heeds = |standards: &[Standard]| matches!(reader, Reader::Rfc(standard) if standards.contains(&standard));
        let (_, option, standards) = given
            .into_iter()
            .find(|(is_given, _, standards)| *is_given && !heeds(standards))?;
        let names: Vec<_> = standards.iter().map(|standard| standard.name()).collect();
        Some(format!(
            "{option} is no choice that --standard {} leaves; it is one under {}",
            reader.name(),
            names.join(", ")
        ))
    }
}

struct Resolve {
    options: Options,
}

/// A target, and whether it is the document itself.
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
    type Answer = Target;

    fn relate(&self, base: &Base, input: Given<'_>) -> Result<Target, Failure> {
        let base = match &base.parsed {
            Parsed::Rfc(base) => *base,
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
        // What most targets are no longer than.
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

    fn keys<O: SerializeStruct>(
        target: Result<&Target, &Failure>,
        object: &mut O,
    ) -> Result<(), O::Error> {
        // A reference that has no target may still be valid in itself.
        let valid = !matches!(
            target,
            Err(Failure::Rfc(_) | Failure::Whatwg(_) | Failure::NoRelativeForms)
        );
        object.serialize_field("valid", &valid)?;
        let target = target.ok();
        object.serialize_field("target", &target.map(|target| &target.text))?;
        let same_document = target.is_some_and(|target| target.same_document);
        object.serialize_field("same_document", &same_document)
    }
}

/// Whether `input` is relative by RFC 1808, which has the relative forms that RFC 1738 leaves to others.
fn is_relative(input: Given<'_>) -> bool {
    let reference = input.parse(Standard::Rfc1808);
    reference.is_ok_and(|reference| reference.scheme().is_none())
}
