//! `uri explain`: everything about a reference, on a page for people.
//!
//! A prefix `url:` (RFC 1630, `prefixedurl`), with or without spaces after it, is removed, and the
//! page says so.

mod caret;
mod layout;
mod list;
mod notes;
mod page;
mod parts;
mod readers;
mod record;
mod rows;
mod ruler;
mod scheme;
mod subject;
mod verdicts;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source};
use crate::json;
use crate::options::{Common, Lenient, SchemeText};
use crate::output::Printed;
use crate::reading::Reading;
use crate::run::Work;
use crate::sheet::Out;
use crate::standard::Reader;
use anstream::AutoStream;
use layout::Layout;
use std::io::{self, IsTerminal as _, Write};
use subject::Subject;
use urikit_schemes::Edition;

/// Explain a reference: components, verdicts, readers, dangers, what a client does
///
/// The page has the reference above a ruler of its components, what it means under its scheme and
/// what a client sends, its normal form, the verdict of every standard, what seven parsers in use
/// read in it and where they differ (`≠`), what could go wrong (as `uri audit` has it), and notes on
/// how to correct it. Nothing is looked up or connected to.
///
/// The page is as wide as the terminal, or $COLUMNS. A prefix `url:` is removed from each
/// reference. The exit status is the verdict of the standard that --standard names.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri explain --standard rfc1738 'http://999.1.1.1/~user'
  uri explain 'http://good.example\\@evil.example/'
  uri explain www.example.com/path
  uri explain --json 'http://[::1]/' | jq -r '.verdicts[] | [.standard, .valid] | @tsv'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    scheme_text: SchemeText,
}

/// Prints a page for each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let mut common = arguments.common;
    common.print_records("explain", &[])?;
    let out: Box<dyn Out> = if common.reporting.json {
        Box::new(io::stdout())
    } else {
        Box::new(AutoStream::auto(io::stdout()))
    };
    let work = Explain {
        reader: common.standard,
        edition: arguments.scheme_text.edition(),
        json: common.reporting.json,
        terminal: io::stdout().is_terminal(),
        layout: Layout::new(common.reporting.show_secrets),
    };
    common.run_to("explain", arguments.lenient.into(), out, Box::new(work))
}

/// How to make pages.
struct Explain {
    reader: Reader,
    /// The edition of the scheme's specification, if one was chosen.
    edition: Option<Edition>,
    json: bool,
    terminal: bool,
    layout: Layout,
}

impl Work for Explain {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let subject = Subject {
            input: input.given,
            reference: input.bytes,
            prefixed: self.prefix(input.given.unparsed.bytes) > 0,
            chosen: self.reader,
            argument: match input.source {
                Source::Arguments => input.number,
                _ => 0,
            },
            readings: Reader::ALL.map(|reader| reader.read(input).by(self.edition)),
            audit: input.text.map(urikit_audit::audit),
        };
        if self.json {
            json::line(&mut to.out, &record::Page(&subject), self.terminal)?;
        } else {
            let before = if input.index > 0 { "\n" } else { "" };
            write!(to.out, "{before}{}", self.layout.page(&subject))?;
        }
        let valid = subject.chosen().is_some_and(Reading::is_valid);
        Ok(if valid { Exit::Good } else { Exit::No })
    }

    /// The prefix `url:` and any spaces after it.
    fn prefix(&self, input: &[u8]) -> usize {
        match input.split_at_checked(4) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"url:") => {
                4 + rest.iter().take_while(|byte| **byte == b' ').count()
            }
            _ => 0,
        }
    }
}
