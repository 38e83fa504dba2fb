//! `--base`: the base URI of `uri resolve` and `uri relativize`, and what the two share.

pub(crate) mod relativize;
pub(crate) mod resolve;
mod work;

use crate::exit::Exit;
use crate::reading::Failure;
use crate::report;
use crate::standard::Reader;
use crate::style::ERROR;
use std::ffi::{OsStr, OsString};
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
    text: String,
    reader: Reader,
}

impl Base {
    /// Checks what stands behind `--base`; says what is wrong with it.
    fn new(text: OsString, reader: Reader, show_secrets: bool) -> Result<Self, Exit> {
        let reading = reader.read(text.as_encoded_bytes());
        let components = reading.components();
        let failure = match reading.failure() {
            Some(failure) => failure,
            None if components.is_some_and(|components| components.scheme.is_some()) => {
                drop(reading);
                // A valid reference is UTF-8.
                let text = text.into_string().unwrap_or_default();
                return Ok(Self { text, reader });
            }
            None => Failure::Operation("expected a URI with a scheme, but it is relative".into()),
        };
        complain(&text, reader, &failure, show_secrets);
        Err(Exit::Usage)
    }

    /// The base as written.
    fn as_str(&self) -> &str {
        &self.text
    }

    /// The base as the core has it; `None` for browsers' rules.
    fn reference(&self) -> Option<AnyRef<'_>> {
        match self.reader {
            Reader::Rfc(standard) => standard.parse(&self.text).ok(),
            Reader::Whatwg => None,
        }
    }
}

fn complain(text: &OsStr, reader: Reader, failure: &Failure, show_secrets: bool) {
    let explained = report::explain(text.as_encoded_bytes(), failure, show_secrets);
    let what = failure.verdict(reader, &explained.summary);
    anstream::eprintln!("{ERROR}uri: --base{ERROR:#}: {what}");
    for line in explained.lines {
        anstream::eprintln!("  {line}");
    }
}
