//! `uri explain`: describes a reference on one page.
//!
//! If a reference has the prefix `url:` (RFC 1630, `prefixedurl`), the command removes it and any
//! spaces after it, and says so in a note.

mod list;
mod notes;
mod page;
mod readers;
mod ruler;
mod scheme;
mod typed;
mod verdicts;

use super::audit::AuditKeys;
use crate::exit::{Exit, Stop};
use crate::input::{Given, Input, Source, Unparsed};
use crate::options::{Common, Lenient, SchemeText};
use crate::output::{Output, Printed};
use crate::reading::Reading;
use crate::record::{AMPERSAND, ErrorRecord, InputKeys, ReadRecord, ReadingKeys, Steps};
use crate::run::Work;
use crate::standard::Reader;
use crate::stdout::Out;
use crate::stdout::{colored, stdout};
use crate::style::unstyled;
use page::Layout;
use std::borrow::Cow;
use std::io::{self, Write as _};
use urikit::op::Level;
use urikit_access::{Error, ErrorKind, Plan, Policy, Request};
use urikit_audit::Audit;
use urikit_schemes::Edition;

/// Explain a reference: components, verdicts, parsers, risks, and the steps of a client
///
/// The page shows the findings of `uri audit`, the reference above a ruler of its components, the
/// pairs of its query, its meaning under its scheme, the steps of a client that fetches it, its
/// normal form, the verdict of every standard, the results of seven parsers with their differences
/// (`≠`), and notes on how to correct it. `uri explain` makes no DNS lookups and no connections.
///
/// The page is as wide as the terminal, or as $COLUMNS. If a reference is longer than 64 KiB, the
/// page explains the first 64 KiB and states the total length. The prefix `url:` is removed. The
/// exit status is 0 if the reference is valid under --standard.
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
    let settings = arguments.common.records("explain", &[])?;
    let out: Box<dyn Out> = if settings.output.json {
        Box::new(stdout())
    } else {
        Box::new(colored())
    };
    let work = Explain {
        reader: settings.output.reader,
        edition: arguments.scheme_text.edition(),
        layout: Layout {
            width: settings.page_width(24),
            show_secrets: settings.reporter().show_secrets,
        },
        output: settings.output.clone(),
    };
    settings.run_to("explain", arguments.lenient.into(), out, Box::new(work))
}

/// The settings of the subcommand.
struct Explain {
    reader: Reader,
    /// The edition of the scheme's specification, if one was chosen.
    edition: Option<Edition>,
    layout: Layout,
    output: Output,
}

/// The maximum length of a reference on a page, in bytes. The limit keeps the page fast: the
/// reference is parsed under eight standards and by seven parsers.
const LONGEST: usize = 64 << 10;

/// Returns the beginning of a reference, for the page to explain. It never ends within a character
/// or an escape.
fn beginning(input: Input<'_>) -> Input<'_> {
    let Some(text) = input.text else {
        return input.before(LONGEST);
    };
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let escape = text.get(..end).and_then(|text| text.rfind('%'));
    end = escape.filter(|at| at + 2 >= end).unwrap_or(end);
    Input {
        bytes: input.bytes.get(..end).unwrap_or_default(),
        text: text.get(..end),
        ..input
    }
}

impl Work for Explain {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let is_valid = self.reader.read(input).is_valid();
        if self.output.json {
            let subject = self.subject(input, input);
            let requested = subject.requested();
            let record = PageRecord::new(&subject, &requested);
            let page = is_valid.then(|| unstyled(&self.page(input)));
            let result = page.as_deref().map(str::as_bytes);
            self.output.record_with(&mut to.out, &record, result)?;
        } else {
            let before = if input.index > 0 { "\n" } else { "" };
            write!(to.out, "{before}{}", self.page(input))?;
        }
        Ok(if is_valid { Exit::Good } else { Exit::No })
    }

    /// Returns the length of the prefix `url:` with any spaces after it.
    fn prefix(&self, input: &[u8]) -> usize {
        match input.split_at_checked(4) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"url:") => {
                4 + rest.iter().take_while(|byte| **byte == b' ').count()
            }
            _ => 0,
        }
    }
}

impl Explain {
    /// Formats the page of a reference.
    fn page(&self, input: Input<'_>) -> String {
        let shown = if input.bytes.len() > LONGEST {
            beginning(input)
        } else {
            input
        };
        self.layout.page(&self.subject(shown, input))
    }

    /// Reads a reference, of which only `shown` is explained, with every parser.
    fn subject<'a>(&self, shown: Input<'a>, input: Input<'_>) -> Subject<'a> {
        Subject {
            input: shown.given,
            reference: shown.bytes,
            length: input.bytes.len(),
            prefixed: self.prefix(shown.given.unparsed.bytes) > 0,
            chosen: self.reader,
            argument: match shown.source {
                Source::Arguments => shown.number,
                _ => 0,
            },
            readings: Reader::ALL.map(|reader| reader.read(shown).by(self.edition)),
            audit: shown.text.map(urikit_audit::audit),
        }
    }
}

/// The reference to explain, with the result of every parser.
struct Subject<'a> {
    input: Given<'a>,
    /// The input without `url:`, after a repair if one was necessary.
    reference: &'a [u8],
    /// The length of the complete reference, in bytes. `reference` may be only its beginning.
    length: usize,
    /// True if `url:` was removed.
    prefixed: bool,
    chosen: Reader,
    /// The number of the command-line argument, or 0 if the reference is not an argument.
    argument: u64,
    readings: [Reading<'a>; 8],
    /// The audit; `None` if the reference is not UTF-8.
    audit: Option<Audit<'a>>,
}

/// The steps of a client that fetches the reference, or the reason why no client can. `None` if the
/// scheme is unknown, or the reference is not a valid URL of its scheme.
type Requested = Option<Result<Plan, Error>>;

impl<'a> Subject<'a> {
    /// Returns the result under one standard.
    fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.readings
            .iter()
            .find(|reading| reading.reader() == reader)
    }

    /// Returns the result under the standard chosen with `--standard`.
    fn chosen(&self) -> Option<&Reading<'a>> {
        self.reading(self.chosen)
    }

    /// Returns the result whose components are shown. It comes from the first standard that yields
    /// components, in this order: the chosen one, RFC 3986, the other RFCs from newest to oldest,
    /// and WHATWG.
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

impl Subject<'_> {
    /// Returns true if only the beginning of the reference is explained.
    const fn is_cut(&self) -> bool {
        self.reference.len() < self.length
    }

    /// Returns the normal form under the chosen standard, or `None` if the reference is not valid.
    fn normalized(&self) -> Option<String> {
        let chosen = self.chosen().filter(|reading| reading.is_valid())?;
        if let Some(href) = chosen.href() {
            return Some(href.to_owned());
        }
        let mut text = String::new();
        chosen.reference()?.normalize_into(Level::Scheme, &mut text);
        Some(text)
    }

    /// Plans the steps of a client, without connecting.
    fn requested(&self) -> Requested {
        let meaning = self.shown()?.meaning()?;
        meaning.details().ok()?;
        let request = Request::new(meaning.reference).edition(meaning.edition);
        match crate::protocols::client(Policy::permissive()).outline(&request) {
            Err(error) if matches!(error.kind(), ErrorKind::NoProtocol { .. }) => None,
            planned => Some(planned),
        }
    }
}

/// The page as `--json` prints it.
#[derive(serde::Serialize)]
struct PageRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    reference: Cow<'a, str>,
    standard: &'static str,
    valid: bool,
    error: Option<ErrorRecord>,
    normalized: Option<String>,
    verdicts: [ReadRecord<'a>; 8],
    #[serde(flatten)]
    audit: AuditKeys<'a>,
    notes: Vec<String>,
    plan: Option<Steps<'a>>,
    plan_error: Option<ErrorRecord>,
}

impl<'a> PageRecord<'a> {
    fn new(subject: &'a Subject<'a>, requested: &'a Requested) -> Self {
        let (plan, plan_error) = match requested {
            Some(Ok(plan)) => (Some(Steps(plan)), None),
            Some(Err(error)) => (None, Some(ErrorRecord::from(error))),
            None => (None, None),
        };
        let chosen = subject.chosen();
        let failure = chosen.and_then(Reading::failure);
        Self {
            input: subject.input.into(),
            reference: String::from_utf8_lossy(subject.reference),
            standard: subject.chosen.name(),
            valid: chosen.is_some_and(Reading::is_valid),
            error: failure.as_ref().map(ErrorRecord::from),
            normalized: subject.normalized(),
            verdicts: subject.readings.each_ref().map(|reading| ReadRecord {
                input: Unparsed::from(subject.reference).into(),
                reading: ReadingKeys::new(reading, AMPERSAND),
            }),
            audit: AuditKeys::new(subject.audit.as_ref(), None),
            notes: notes::all(subject, true),
            plan,
            plan_error,
        }
    }
}
