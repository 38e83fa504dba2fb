//! `uri resolve` and `uri relativize`, which share the option `--base`.

pub(crate) mod relativize;
pub(crate) mod resolve;
mod work;

use crate::exit::Exit;
use crate::input::Unparsed;
use crate::reading::{Failure, whatwg};
use crate::screen::say;
use crate::standard::Reader;
use crate::style::ERROR;
use std::ffi::OsString;
use urikit::AnyRef;

/// The option.
#[derive(clap::Args, Debug)]
struct BaseArgument {
    /// The base URI, which must have a scheme
    ///
    /// An invalid base is a usage error: there are no results, even with --json. It is not repaired,
    /// even with --lenient.
    #[arg(long, value_name = "BASE")]
    base: OsString,
}

/// A valid base URI with a scheme.
struct Base {
    text: &'static str,
    reader: Reader,
    parsed: Parsed,
}

/// A base, parsed once for all inputs.
enum Parsed {
    /// By an RFC.
    Rfc(AnyRef<'static>),
    /// As browsers do.
    Whatwg(whatwg::Url),
}

impl Base {
    /// Parses the value of `--base`, or reports what is wrong with it.
    fn new(text: OsString, reader: Reader, show_secrets: bool) -> Result<Self, Exit> {
        // It is needed until the program ends.
        let bytes: &'static [u8] = text.into_encoded_bytes().leak();
        let unparsed = Unparsed::from(bytes);
        let reading = reader.read(unparsed);
        let has_scheme = reading
            .components()
            .is_some_and(|components| components.scheme.is_some());
        let rfc = reading.reference().map(Parsed::Rfc);
        let parsed = rfc.or_else(|| reading.url().cloned().map(Parsed::Whatwg));
        let failure = match (reading.failure(), unparsed.text, parsed) {
            (Some(failure), ..) => failure,
            (None, Some(text), Some(parsed)) if has_scheme => {
                return Ok(Self {
                    text,
                    reader,
                    parsed,
                });
            }
            _ => Failure::Operation(
                "expected a URI with a scheme, but found a relative reference".into(),
            ),
        };
        report(bytes, reader, &failure, show_secrets);
        Err(Exit::Usage)
    }
}

fn report(text: &[u8], reader: Reader, failure: &Failure, show_secrets: bool) {
    let explained = crate::report::explain(text, failure, show_secrets);
    let what = failure.verdict(reader, &explained.summary);
    let lines = explained.lines.iter().map(|line| format!("\n  {line}"));
    let lines: String = lines.collect();
    say!("{ERROR}uri: --base{ERROR:#}: {what}{lines}");
}
