//! `uri relativize`: the shortest reference that resolves back to a URI.

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
    /// The base: a URI with a scheme
    #[arg(long, value_name = "BASE")]
    base: OsString,

    #[command(flatten)]
    common: Common,
}

/// Prints the reference to every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let common = arguments.common;
    let base = match Base::new(arguments.base, common.standard, common.show_secrets) {
        Ok(base) => base,
        Err(exit) => return Ok(exit),
    };
    let work = Relativize {
        base,
        answers: common.answers(),
    };
    common.run("relativize", work)
}

struct Relativize {
    base: Base,
    answers: Answers,
}

impl Relativize {
    fn relativize(&self, bytes: &[u8]) -> Result<String, Failure> {
        let Some(base) = self.base.reference() else {
            let found = whatwg::relativize(self.base.as_str(), bytes).map_err(Failure::Whatwg)?;
            return found.ok_or_else(|| {
                Failure::Operation("nothing shorter than the URL leads to it".to_owned())
            });
        };
        let target = base.standard().parse_bytes(bytes).map_err(Failure::Rfc)?;
        let mut reference = String::new();
        match target.relativize_into(base, &mut reference) {
            Ok(()) => Ok(reference),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }
}

impl Work for Relativize {
    fn input<W: Write>(
        &self,
        input: Input<'_>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let relative = self.relativize(input.bytes);
        if self.answers.json {
            let record = Record {
                base: self.base.as_str(),
                input: input.bytes,
                standard: self.answers.reader.name(),
                relative: relative.as_deref(),
            };
            self.answers.record(out, &record)?;
        } else {
            self.answers
                .text_or(input, relative.as_deref(), out, messages)?;
        }
        Ok(if relative.is_ok() {
            Exit::Good
        } else {
            Exit::No
        })
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a> {
    base: &'a str,
    input: &'a [u8],
    standard: &'a str,
    relative: Result<&'a str, &'a Failure>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Relative", 6)?;
        object.serialize_field("base", self.base)?;
        serialize_input::<S>(&mut object, self.input)?;
        object.serialize_field("standard", self.standard)?;
        object.serialize_field("relative", &self.relative.ok())?;
        object.serialize_field("error", &self.relative.err().cloned().map(Error))?;
        object.end()
    }
}
