//! `uri explain`: the whole story of a reference, for a person.
//!
//! A `url:` in front is taken away here (RFC 1630, `prefixedurl`; people and texts write it), with or
//! without space behind it, and the page says so.

mod list;
mod notes;
mod page;
mod parts;
mod ruler;
mod scheme;
mod verdicts;

use crate::cli::Common;
use crate::edition::SchemeText;
use crate::exit::Exit;
use crate::input::{Input, Source};
use crate::json;
use crate::reading::{Lossy, Reading, Record, Text};
use crate::run::Work;
use crate::standard::Reader;
use anstream::AutoStream;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io::{self, IsTerminal as _, Write};
use urikit::scheme::Edition;

/// Show the whole story of a reference: components, every standard's verdict, warnings
///
/// The page is as wide as the terminal, or $COLUMNS. A `url:` in front of a reference is taken away.
/// The exit status is the verdict of the standard that --standard names.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri explain --standard rfc1738 'http://999.1.1.1/~user'
  uri explain --json 'http://[::1]/' | jq -r '.verdicts[] | [.standard, .valid] | @tsv'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,

    /// Which text says what the URLs of a scheme mean; by default the one of the standard's time
    #[arg(long, value_name = "WHICH", value_enum)]
    scheme_text: Option<SchemeText>,
}

/// Prints a page for every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let common = arguments.common;
    let out: Box<dyn Write> = if common.json {
        Box::new(io::stdout().lock())
    } else {
        Box::new(AutoStream::auto(io::stdout()).lock())
    };
    let work = Explain {
        reader: common.standard,
        edition: arguments.scheme_text.map(SchemeText::edition),
        json: common.json,
        terminal: io::stdout().is_terminal(),
        show_secrets: common.show_secrets,
        width: page::width(),
    };
    common.run_to("explain", out, work)
}

/// How to make pages.
struct Explain {
    reader: Reader,
    /// Which text of the scheme says what the reference means.
    edition: Option<Edition>,
    json: bool,
    terminal: bool,
    show_secrets: bool,
    /// In columns.
    width: usize,
}

impl Work for Explain {
    fn input(&self, input: Input<'_>, out: &mut Vec<u8>, _: &mut String) -> io::Result<Exit> {
        let reference = without_prefix(input.bytes);
        let story = Story {
            input: input.bytes,
            reference: reference.unwrap_or(input.bytes),
            prefixed: reference.is_some(),
            chosen: self.reader,
            argument: match input.source {
                Source::Arguments => input.number,
                _ => 0,
            },
            readings: Reader::ALL.map(|reader| {
                let reading = reader.read(reference.unwrap_or(input.bytes));
                reading.by(self.edition)
            }),
        };
        if self.json {
            json::line(out, &story, self.terminal)?;
        } else {
            let before = if input.index > 0 { "\n" } else { "" };
            write!(out, "{before}{}", self.page(&story))?;
        }
        let valid = story.chosen().is_some_and(Reading::is_valid);
        Ok(if valid { Exit::Good } else { Exit::No })
    }
}

/// What stands behind `url:` and the spaces that people put there.
fn without_prefix(bytes: &[u8]) -> Option<&[u8]> {
    let (prefix, rest) = bytes.split_at_checked(4)?;
    let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    prefix
        .eq_ignore_ascii_case(b"url:")
        .then(|| rest.get(spaces..).unwrap_or_default())
}

/// A reference and what everybody makes of it.
struct Story<'a> {
    input: &'a [u8],
    /// The input without `url:`.
    reference: &'a [u8],
    prefixed: bool,
    chosen: Reader,
    /// Which argument it is; 0 when it is none.
    argument: u64,
    readings: [Reading<'a>; 8],
}

impl<'a> Story<'a> {
    fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.readings
            .iter()
            .find(|reading| reading.reader() == reader)
    }

    /// What the standard makes of it that the person named.
    fn chosen(&self) -> Option<&Reading<'a>> {
        self.reading(self.chosen)
    }

    /// The reading whose components are shown: the chosen standard's, or else the newest one's that
    /// has any.
    fn shown(&self) -> Option<&Reading<'a>> {
        let any = |reading: &&Reading<'a>| reading.components().is_some();
        let rfcs = self
            .readings
            .iter()
            .filter(|reading| reading.reader() != Reader::Whatwg);
        self.chosen()
            .filter(any)
            .or_else(|| {
                self.reading(Reader::Rfc(urikit::Standard::Rfc3986))
                    .filter(any)
            })
            .or_else(|| rfcs.rev().find(any))
            .or_else(|| self.reading(Reader::Whatwg).filter(any))
    }
}

impl Serialize for Story<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verdicts = self.readings.each_ref().map(|reading| Record {
            input: self.reference.into(),
            reading,
        });
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("input", &Text(Lossy(self.input)))?;
        if std::str::from_utf8(self.input).is_err() {
            let base64 = Base64Display::new(self.input, &BASE64);
            object.serialize_entry("input_base64", &Text(base64))?;
        }
        object.serialize_entry("reference", &Text(Lossy(self.reference)))?;
        object.serialize_entry("standard", self.chosen.name())?;
        object.serialize_entry("valid", &self.chosen().is_some_and(Reading::is_valid))?;
        object.serialize_entry("verdicts", &verdicts)?;
        object.end()
    }
}
