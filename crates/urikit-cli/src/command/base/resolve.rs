//! `uri resolve`: relative references to absolute ones.

use super::work::{self, Relate};
use super::{Base, BaseArgument};
use crate::cli::Common;
use crate::exit::Exit;
use crate::reading::{Failure, whatwg};
use serde::ser::SerializeStruct;
use std::io;
use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};

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

    /// What becomes of `..` above the root: the standard's own first choice when not given
    #[arg(long, value_name = "WHAT")]
    above_root: Option<AboveRoot>,

    /// Whether a reference with the base's own scheme is absolute (strict) or relative (inherit)
    #[arg(long, value_name = "HOW", default_value = "strict")]
    same_scheme: SameScheme,

    /// RFC 1630: which slashes of the base a partial form's slashes mean, by the text's examples or
    /// by its words
    #[arg(long, value_name = "WHICH", default_value = "examples")]
    slash_rule: SlashRule,

    #[command(flatten)]
    common: Common,
}

/// Prints the target of every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let resolve = Resolve {
        options: Options {
            above_root: arguments.above_root,
            same_scheme: arguments.same_scheme,
            slash_rule: arguments.slash_rule,
        },
    };
    work::run(resolve, arguments.base, arguments.common)
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

    fn relate(&self, base: &Base, input: &[u8]) -> Result<Target, Failure> {
        let Some(base) = base.reference() else {
            let (text, same_document) =
                whatwg::resolve(base.as_str(), input).map_err(Failure::Whatwg)?;
            return Ok(Target {
                text,
                same_document,
            });
        };
        let reference = base.standard().parse_bytes(input).map_err(Failure::Rfc)?;
        let mut text = String::new();
        match reference.resolve_into(base, self.options, &mut text) {
            Ok(resolved) => Ok(Target {
                text,
                same_document: resolved.same_document,
            }),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }

    fn keys<O: SerializeStruct>(
        target: Result<&Target, &Failure>,
        object: &mut O,
    ) -> Result<(), O::Error> {
        // A reference that has no target may still be valid in itself.
        let valid = !matches!(target, Err(Failure::Rfc(_) | Failure::Whatwg(_)));
        object.serialize_field("valid", &valid)?;
        let target = target.ok();
        object.serialize_field("target", &target.map(|target| &target.text))?;
        let same_document = target.is_some_and(|target| target.same_document);
        object.serialize_field("same_document", &same_document)
    }
}
