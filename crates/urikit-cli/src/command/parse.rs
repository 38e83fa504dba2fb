//! `uri parse`: the components of references, as data.

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Lenient, Print0, SchemeText};
use crate::output::{Output, Printed};
use crate::reading::Components;
use crate::record::{AMPERSAND, Record};
use crate::run::Work;
use std::io;
use urikit_schemes::Edition;

/// Print the components of references as data
///
/// Components are printed as written: nothing is decoded, and an empty component is not the same
/// as an absent one. Plain output is `key<TAB>value` lines, with a blank line between inputs; the
/// block of an invalid input is empty, so that inputs and blocks correspond. Passwords are not
/// masked.
///
/// With --json, each line also has `port_number`, and `query_pairs`: a list of the `key` and
/// `value` of each pair of the query, or `null` if there is no query. Both are decoded, or as
/// written if that is not UTF-8. The `value` of a name without `=` is `null`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri parse 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc1808 'http://a/b/c/d;p?q'
  uri parse --json -f urls.txt | jq -r 'select(.valid) | .host'
  uri parse --standard rfc3987 -f iris.txt > /dev/null && echo all good")]
pub(crate) struct Arguments {
    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    scheme_text: SchemeText,
}

/// Prints the components of every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let common = arguments.common;
    let work = Parse {
        output: common.output().ending(arguments.print0.end()),
        edition: arguments.scheme_text.edition(),
    };
    common.run("parse", arguments.lenient, work)
}

struct Parse {
    output: Output,
    edition: Option<Edition>,
}

impl Work for Parse {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reading = self.output.reader.read(input).by(self.edition);
        if self.output.json {
            let record = Record {
                input: input.given,
                reading: &reading,
                separator: AMPERSAND,
            };
            self.output.record(&mut to.out, &record)?;
        } else {
            let is_separated = self.output.end == b'\n';
            if is_separated && input.index > 0 {
                to.out.push(b'\n');
            }
            if let Some(components) = reading.components() {
                self.plain(&mut to.out, &components)?;
            }
            if !is_separated {
                to.out.push(self.output.end);
            }
            if let Some(failure) = reading.failure() {
                self.output.invalid(input, &failure, to);
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
    fn plain(&self, out: &mut Vec<u8>, components: &Components<'_>) -> io::Result<()> {
        for (key, text) in components.texts() {
            if let Some(text) = text {
                out.extend_from_slice(key.as_bytes());
                out.push(b'\t');
                self.output.text(out, text)?;
                out.push(b'\n');
            }
        }
        if components.opaque {
            out.extend_from_slice(b"opaque\ttrue\n");
        }
        Ok(())
    }
}
