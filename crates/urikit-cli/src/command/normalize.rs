//! `uri normalize`: normal forms.

use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::{Given, Input};
use crate::reading::{Error, Failure, serialize_input};
use crate::run::Work;
use crate::standard::Reader;
use crate::usage;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::io;
use urikit::op::Level;

/// Print the normal form of references
///
/// One normal form a line; it identifies what the reference identifies, by the standard's own text.
/// An invalid input has an empty line, so that the lines still count. Each level includes the ones
/// before: `case` (hexadecimal digits, scheme, host), `escapes` (those that need not be), `path`
/// (dot segments, RFC 3986 and later), `scheme` (default port, empty path, the scheme's own rules).
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri normalize 'HTTP://EXAMPLE.com:80/%7Esmith/./home.html'
  uri normalize --level escapes --standard rfc2396 'http://a/%7euser'
  uri normalize --standard rfc1630 http://info.cern.ch/albert/bertram/marie%2Dclaude
  uri normalize -f urls.txt | sort -u")]
pub(crate) struct Arguments {
    /// How far to go: case, escapes, path or scheme
    #[arg(long, value_name = "LEVEL", default_value = "scheme")]
    level: Level,

    #[command(flatten)]
    common: Common,
}

/// Prints the normal form of every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let common = arguments.common;
    if common.standard == Reader::Whatwg && arguments.level != Level::Scheme {
        let message = "browsers normalise all at once: --standard whatwg has --level scheme only";
        return Ok(usage::conflict("normalize", message));
    }
    let work = Normalize {
        level: arguments.level,
        answers: common.answers(),
    };
    common.run("normalize", work)
}

struct Normalize {
    level: Level,
    answers: Answers,
}

impl Work for Normalize {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let reading = self.answers.reader.read(input);
        let failure = reading.failure();
        let own = reading.reference().filter(|_| failure.is_none());
        let normal = own.map(|reference| {
            let mut text = String::with_capacity(reference.as_str().len() + 1);
            reference.normalize_into(self.level, &mut text);
            text
        });
        let normal = normal.as_deref().or(reading.href());
        let answer = failure.as_ref().map_or(Ok(normal.unwrap_or_default()), Err);
        let record = Record {
            input: input.into(),
            standard: self.answers.reader.name(),
            level: self.level,
            normal,
            failure: failure.as_ref(),
        };
        self.answers.one(input, answer, &record, out, messages)
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a> {
    input: Given<'a>,
    standard: &'a str,
    level: Level,
    normal: Option<&'a str>,
    failure: Option<&'a Failure>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Normalized", 7)?;
        serialize_input::<S>(&mut object, self.input)?;
        object.serialize_field("standard", self.standard)?;
        object.serialize_field("level", self.level.name())?;
        object.serialize_field("normalized", &self.normal)?;
        let changed = self
            .normal
            .map(|normal| normal.as_bytes() != self.input.bytes);
        object.serialize_field("changed", &changed)?;
        object.serialize_field("error", &self.failure.cloned().map(Error))?;
        object.end()
    }
}
