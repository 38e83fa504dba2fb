//! `uri audit`: reports where parsers disagree about a reference, and which risks it has.

mod page;

use crate::columns::columns;
use crate::exit::{Exit, Stop};
use crate::input::{Input, Unparsed};
use crate::options::{Common, Lenient};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::Object;
use crate::run::Work;
use crate::sheet::{Column, Out};
use crate::standard::Reader;
use anstream::AutoStream;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
pub(super) use page::{Page, cut};
use serde::ser::{Serialize, Serializer};
use std::io;
use urikit::Standard;
use urikit_audit::{Audit, Finding, Rejection, Severity, VOTERS, Voice, audit};

/// Audit references: do all parsers agree, and what could go wrong?
///
/// A security check and a client may find different hosts in one URL. `uri audit` reads each
/// reference with seven parsers (rfc3986, whatwg, lenient, curl, urllib, java-net-uri,
/// legacy-ipv4). It prints the components on which they disagree, with the value that each parser
/// finds, and then the findings: severity, byte offset, code and a sentence. It makes no DNS
/// lookups and no connections.
///
/// The first line of each report is `ok`, or the highest severity if that reaches --fail-on. With
/// --json, each reference is one line. --print0 is not available.
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
  0  no finding reaches --fail-on
  1  a finding reaches --fail-on, or an input is not UTF-8"
)]
pub(crate) struct Arguments {
    /// The lowest severity that causes exit status 1
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

/// Audits every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let mut common = arguments.common;
    common.print_records("audit", &COLUMNS)?;
    if common.standard != STANDARD {
        let message = "`uri audit` always compares all parsers: --standard does not apply";
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

/// The columns in spreadsheets.
const COLUMNS: [Column; 7] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::flag("agreed"),
    Column::text("disputed"),
    Column::text("severity"),
    Column::text("findings"),
];

/// Audits one input after another.
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

/// The JSON record of an audited input.
struct Audited<'a> {
    input: Unparsed<'a>,
    /// The error under RFC 3986, if the input is not valid.
    failure: Option<Failure>,
    /// `None` if the input is not UTF-8.
    audit: Option<&'a Audit<'a>>,
}

impl Serialize for Audited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.field("valid", &self.failure.is_none())?;
        object.error(self.failure.as_ref())?;
        object.audit(self.audit)?;
        object.end()
    }
}

impl<S: Serializer> Object<S> {
    /// Writes the fields of an audit. `None` means that the input is not UTF-8.
    pub(crate) fn audit(&mut self, audit: Option<&Audit<'_>>) -> Result<(), S::Error> {
        let agreement = audit.map(Audit::agreement);
        let disputed: Vec<_> = agreement
            .map(|agreement| agreement.disputed().iter().map(|part| part.as_str()))
            .into_iter()
            .flatten()
            .collect();
        let voices = audit.map(|audit| audit.readings().map(VoiceRecord));
        let readings: Vec<_> = voices.into_iter().flatten().collect();
        let records = audit.map(|audit| {
            let findings = audit.findings().iter();
            findings.map(move |finding| FindingRecord { audit, finding })
        });
        let findings: Vec<_> = records.into_iter().flatten().collect();
        let worst = audit.and_then(|audit| audit.findings().worst());
        self.field("agreed", &agreement.map(|all| all.is_unanimous()))?;
        self.field("disputed", &disputed)?;
        self.field("severity", &worst.map(|worst| worst.as_str()))?;
        self.field("readings", &readings)?;
        self.field("findings", &findings)
    }
}

/// The JSON record of one parser's result.
struct VoiceRecord<'a>(Voice<'a>);

impl Serialize for VoiceRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Voice {
            reader, outcome, ..
        } = &self.0;
        let votes = VOTERS.iter().any(|voter| voter.name() == *reader);
        let mut object = Object::new(serializer)?;
        object.field("reader", reader)?;
        object.field("votes", &votes)?;
        object.field("valid", &outcome.is_ok())?;
        match outcome {
            Ok(reading) => {
                let address = reading.address.map(|address| address.to_string());
                object.field("scheme", &reading.scheme)?;
                object.field("userinfo", &reading.userinfo)?;
                object.field("host", &reading.host)?;
                object.field("address", &address)?;
                object.field("port", &reading.port)?;
                object.field("path", &reading.path)?;
            }
            Err(_) => object.nulls(&["scheme", "userinfo", "host", "address", "port", "path"])?,
        }
        object.error(outcome.as_ref().err().map(failure).as_ref())?;
        object.end()
    }
}

/// Converts a rejection. Only the RFC parsers report productions and sections.
fn failure(rejection: &Rejection) -> Failure {
    match rejection {
        Rejection::Rfc(error) => Failure::Rfc(*error),
        other => Failure::Other(other.to_string()),
    }
}

/// The JSON record of a finding.
struct FindingRecord<'a> {
    audit: &'a Audit<'a>,
    finding: Finding,
}

impl Serialize for FindingRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Finding { code, offset } = self.finding;
        let mut object = Object::new(serializer)?;
        object.field("code", code.as_str())?;
        object.field("severity", code.severity().as_str())?;
        object.field("offset", &offset)?;
        object.field("message", &self.audit.message(self.finding))?;
        object.field("sources", code.source())?;
        object.end()
    }
}
