//! `--base`: the base URI of `uri resolve` and `uri relativize`, and what the two share.

pub(crate) mod relativize;
pub(crate) mod resolve;
mod work;

use crate::exit::Exit;
use crate::input::Given;
use crate::reading::{Failure, whatwg};
use crate::report;
use crate::standard::Reader;
use crate::style::ERROR;
use std::ffi::OsString;
use urikit::AnyRef;

/// The option, the same for both.
#[derive(clap::Args, Debug)]
struct BaseArgument {
    /// The base: a URI with a scheme
    ///
    /// It is the same for all inputs, and so a base that cannot be one is a mistake of the command
    /// line: a message, status 2, and no results, with --json too.
    #[arg(long, value_name = "BASE")]
    base: OsString,
}

/// A base URI that its reader accepts and that has a scheme.
struct Base {
    text: &'static str,
    reader: Reader,
    parsed: Parsed,
}

/// A base, read once for all inputs.
enum Parsed {
    /// As the core has it.
    Rfc(AnyRef<'static>),
    /// As browsers have it.
    Whatwg(whatwg::Url),
}

impl Base {
    /// Checks what stands behind `--base`; says what is wrong with it.
    fn new(text: OsString, reader: Reader, show_secrets: bool) -> Result<Self, Exit> {
        // It is needed as long as the program runs.
        let bytes: &'static [u8] = text.into_encoded_bytes().leak();
        let given = Given::from(bytes);
        let reading = reader.read(given);
        let has_scheme = reading
            .components()
            .is_some_and(|components| components.scheme.is_some());
        let rfc = reading.reference().map(Parsed::Rfc);
        let parsed = rfc.or_else(|| reading.url().cloned().map(Parsed::Whatwg));
        let failure = match (reading.failure(), given.text, parsed) {
            (Some(failure), ..) => failure,
            (None, Some(text), Some(parsed)) if has_scheme => {
                return Ok(Self {
                    text,
                    reader,
                    parsed,
                });
            }
            _ => Failure::Operation("expected a URI with a scheme, but it is relative".into()),
        };
        complain(bytes, reader, &failure, show_secrets);
        Err(Exit::Usage)
    }
}

fn complain(text: &[u8], reader: Reader, failure: &Failure, show_secrets: bool) {
    let explained = report::explain(text, failure, show_secrets);
    let what = failure.verdict(reader, &explained.summary);
    anstream::eprintln!("{ERROR}uri: --base{ERROR:#}: {what}");
    for line in explained.lines {
        anstream::eprintln!("  {line}");
    }
}
