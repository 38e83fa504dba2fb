//! `uri audit`: where readers disagree about references, and what could go wrong with them.

mod page;
mod record;

use crate::columns::columns;
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Lenient};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::run::Work;
use crate::sheet::{Column, Out};
use crate::standard::Reader;
use anstream::AutoStream;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
pub(super) use page::{Page, cut};
use record::Audited;
use std::io;
use urikit::Standard;
use urikit_audit::{Severity, audit};

/// Audit references: do all readers agree, and what could go wrong?
///
/// A check may parse one host from a URL, and the client connect to another. This reads each
/// reference as seven parsers do (rfc3986, whatwg, lenient, curl, urllib, java-net-uri,
/// legacy-ipv4), prints the parts about which they disagree and which reader gives which value,
/// and then the findings, each with its severity, its offset in bytes, its code and a sentence.
/// Nothing is looked up or connected to.
///
/// The first line about a reference is `ok`, or the worst severity if that is at or over --fail-on.
/// What is printed is a page, so there is no --print0; with --json, it is one line per reference.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("standard", |argument| argument.hide(true)),
    after_long_help = "\
Examples:
  uri audit 'http://good.example\\@evil.example/'
  uri audit --fail-on high 'http://127.1/' http://10.0.0.1/
  uri audit --json -f urls.txt | jq -r 'select(.agreed | not) | .input'
  uri audit -f urls.txt > /dev/null && echo all good

Exit status:
  0  no finding at or over --fail-on
  1  a finding at or over --fail-on, or an input that is not UTF-8"
)]
pub(crate) struct Arguments {
    /// The lowest severity that makes the exit status 1
    #[arg(
        long,
        value_name = "SEVERITY",
        default_value = "medium",
        value_parser = PossibleValuesParser::new(Severity::ALL.map(Severity::as_str))
            .try_map(|text| text.parse::<Severity>())
    )]
    fail_on: Severity,

    #[command(flatten)]
    common: Common,
}

/// The standard of `valid` and `error` in JSON, and the only value of `--standard`.
const STANDARD: Reader = Reader::Rfc(Standard::Rfc3986);

/// Prints an audit of every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let mut common = arguments.common;
    common.print_records("audit", &COLUMNS)?;
    if common.standard != STANDARD {
        let message = "`uri audit` asks readers of all standards: --standard does not apply";
        return Err(Stop::usage("audit", message));
    }
    let out: Box<dyn Out> = if common.reporting.json {
        Box::new(io::stdout())
    } else {
        Box::new(AutoStream::auto(io::stdout()))
    };
    let work = Check {
        output: common.output(),
        page: Page {
            width: columns(std::io::stdout()).unwrap_or(80).clamp(40, 200),
            fail_on: arguments.fail_on,
            show_secrets: common.reporting.show_secrets,
        },
    };
    common.run_to("audit", Lenient::default().into(), out, Box::new(work))
}

/// The columns of a table.
const COLUMNS: [Column; 7] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::flag("agreed"),
    Column::text("disputed"),
    Column::text("severity"),
    Column::text("findings"),
];

struct Check {
    output: Output,
    page: Page,
}

impl Work for Check {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = Audited {
                input: input.into(),
                failure: Some(why.clone()),
                audit: None,
            };
            self.output.record(&mut to.out, &record)?;
        } else {
            to.out.extend(self.page.invalid("").into_bytes());
        }
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let audit = input.text.map(audit);
        if self.output.json {
            let reading = STANDARD.read(input);
            let record = Audited {
                input: input.into(),
                failure: reading.failure(),
                audit: audit.as_ref(),
            };
            self.output.record(&mut to.out, &record)?;
            if let (None, Some(failure)) = (&audit, reading.failure()) {
                to.rejected.add(failure.reason());
            }
        } else if let Some(audit) = &audit {
            to.out.extend(self.page.of(audit).into_bytes());
        } else if let Some(failure) = STANDARD.read(input).failure() {
            let line = self.page.invalid(&input.to_text());
            to.out.extend(line.into_bytes());
            self.output.invalid(input, &failure, to);
        }
        let is_good = audit.is_some_and(|audit| !self.page.fails(&audit));
        Ok(if is_good { Exit::Good } else { Exit::No })
    }
}
