//! `uri resolve`: relative references to absolute ones.

use super::base::Base;
use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;
use crate::reading::{Error, Failure, serialize_input, whatwg};
use crate::run::Work;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::ffi::OsString;
use std::io::{self, Write};
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
    /// The base: a URI with a scheme
    #[arg(long, value_name = "BASE")]
    base: OsString,

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
    let common = arguments.common;
    let base = match Base::new(arguments.base, common.standard, common.show_secrets) {
        Ok(base) => base,
        Err(exit) => return Ok(exit),
    };
    let work = Resolve {
        base,
        options: Options {
            above_root: arguments.above_root,
            same_scheme: arguments.same_scheme,
            slash_rule: arguments.slash_rule,
        },
        answers: common.answers(),
    };
    common.run("resolve", work)
}

struct Resolve {
    base: Base,
    options: Options,
    answers: Answers,
}

/// A target, and whether it is the document itself.
struct Target {
    text: String,
    same_document: bool,
}

impl Resolve {
    /// The target, and whether the reference is valid in itself.
    fn resolve(&self, bytes: &[u8]) -> (bool, Result<Target, Failure>) {
        let Some(base) = self.base.reference() else {
            let outcome = whatwg::resolve(self.base.as_str(), bytes);
            let target = outcome.map(|(text, same_document)| Target {
                text,
                same_document,
            });
            return (target.is_ok(), target.map_err(Failure::Whatwg));
        };
        let reference = match base.standard().parse_bytes(bytes) {
            Ok(reference) => reference,
            Err(error) => return (false, Err(Failure::Rfc(error))),
        };
        let mut text = String::new();
        let outcome = reference.resolve_into(base, self.options, &mut text);
        let target = outcome.map(|resolved| Target {
            text,
            same_document: resolved.same_document,
        });
        let failure = |error: urikit::op::ResolveError| Failure::Operation(error.to_string());
        (true, target.map_err(failure))
    }
}

impl Work for Resolve {
    fn input<W: Write>(
        &self,
        input: Input<'_>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let (valid, target) = self.resolve(input.bytes);
        if self.answers.json {
            let record = Record {
                base: self.base.as_str(),
                input: input.bytes,
                standard: self.answers.reader.name(),
                valid,
                target: target.as_ref(),
            };
            self.answers.record(out, &record)?;
        } else {
            let answer = target.as_ref().map(|target| target.text.as_str());
            self.answers.text_or(input, answer, out, messages)?;
        }
        Ok(if target.is_ok() { Exit::Good } else { Exit::No })
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a> {
    base: &'a str,
    input: &'a [u8],
    standard: &'a str,
    valid: bool,
    target: Result<&'a Target, &'a Failure>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Resolved", 8)?;
        object.serialize_field("base", self.base)?;
        serialize_input::<S>(&mut object, self.input)?;
        object.serialize_field("standard", self.standard)?;
        object.serialize_field("valid", &self.valid)?;
        let target = self.target.ok();
        object.serialize_field("target", &target.map(|target| &target.text))?;
        let same_document = target.is_some_and(|target| target.same_document);
        object.serialize_field("same_document", &same_document)?;
        object.serialize_field("error", &self.target.err().cloned().map(Error))?;
        object.end()
    }
}
