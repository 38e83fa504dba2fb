//! `uri parse`: the components of references, as data.

use crate::cli::Common;
use crate::exit::Exit;
use crate::input::{Input, Inputs};
use crate::json;
use crate::reading::{Components, Record};
use crate::report::Reporter;
use crate::run::{Run, Work};
use crate::safe::safe;
use crate::standard::Reader;
use crate::usage;
use std::io::{self, IsTerminal as _, Write};

/// Print the components of references as data
///
/// Components are as written: nothing is decoded, and an empty one is not an absent one. Plain
/// output is `key<TAB>value` lines with a blank line between inputs; an invalid input has no line
/// there, so that the blocks still count. Passwords are not masked.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri parse 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc1808 'http://a/b/c/d;p?q'
  uri parse --json -f urls.txt | jq -r 'select(.valid) | .host'
  uri parse --standard rfc3987 -f iris.txt > /dev/null && echo all good")]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
}

/// Prints the components of every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let common = arguments.common;
    let Ok(inputs) = Inputs::new(common.references, common.files, common.null) else {
        return Ok(usage::no_input("parse"));
    };
    let reporter = Reporter {
        quiet: common.quiet,
        show_secrets: common.show_secrets,
    };
    let work = Parse {
        reader: common.standard,
        json: common.json,
        terminal: io::stdout().is_terminal(),
        reporter,
    };
    Run {
        inputs,
        jobs: common.jobs,
        reporter,
        out: Box::new(io::stdout().lock()),
    }
    .with(work)
}

struct Parse {
    reader: Reader,
    json: bool,
    /// Whether the output is a terminal, which must not be made to do anything.
    terminal: bool,
    reporter: Reporter,
}

impl Work for Parse {
    fn input<W: Write>(
        &self,
        input: Input<'_>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let reading = self.reader.read(input.bytes);
        if self.json {
            let record = Record {
                input: input.bytes,
                reading: &reading,
            };
            json::line(out, &record, self.terminal)?;
        } else {
            if input.index > 0 {
                out.write_all(b"\n")?;
            }
            if let Some(components) = reading.components() {
                self.plain(out, &components)?;
            }
            if let Some(failure) = reading.failure() {
                self.reporter
                    .invalid(input, self.reader, &failure, messages);
            }
        }
        Ok(if reading.is_valid() {
            Exit::Good
        } else {
            Exit::No
        })
    }
}

impl Parse {
    fn plain<W: Write>(&self, out: &mut W, components: &Components<'_>) -> io::Result<()> {
        for (key, text) in components.texts() {
            if let Some(text) = text {
                out.write_all(key.as_bytes())?;
                out.write_all(b"\t")?;
                if self.terminal {
                    out.write_all(safe(text).as_bytes())?;
                } else {
                    out.write_all(text.as_bytes())?;
                }
                out.write_all(b"\n")?;
            }
        }
        if components.opaque {
            out.write_all(b"opaque\ttrue\n")?;
        }
        Ok(())
    }
}
