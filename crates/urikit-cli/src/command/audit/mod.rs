//! `uri audit`: reports where parsers disagree about a reference, and which risks the reference
//! poses.

mod page;
mod site;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source, Unparsed};
use crate::options::{Common, Lenient, words};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::{ErrorRecord, InputKeys};
use crate::run::Work;
use crate::safe::safe;
use crate::sheet::Column;
use crate::standard::Reader;
use crate::stdout::Out;
use crate::stdout::{colored, stdout};
use crate::style::unstyled;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
pub(super) use page::{Page, cut};
use site::Site;
use std::borrow::Cow;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use urikit::Standard;
use urikit_audit::{Audit, Code, Finding, Keep, Outcome, Rejection, Severity, VOTERS, audit};

/// Audit references: do all parsers agree, and what could go wrong?
///
/// A security check and a client may find different hosts in the same URL. `uri audit` parses each
/// reference with seven parsers (rfc3986, whatwg, lenient, curl, urllib, java-net-uri,
/// legacy-ipv4). It prints the components on which the parsers disagree, with the value that each
/// parser finds, and then the findings: each with a severity, a byte offset, a code and a sentence.
/// `uri audit` makes no DNS lookups and no connections.
///
/// With --base, each reference is treated as the target of a redirect or link on that page. `uri
/// audit` prints the URL to which each parser resolves it, marks with `!` those that leave the
/// site, and reports findings about the reference and about each resolved URL.
///
/// The first line of each report is `ok`, or the highest severity if that reaches --fail-on. With
/// --json, each reference yields one line. --print0 is not available.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("standard", |argument| argument.hide(true)),
    after_long_help = "\
Examples:
  uri audit 'http://good.example\\@evil.example/'
  uri audit --fail-on high 'http://127.1/' http://10.0.0.1/
  uri audit --json -f urls.txt | jq -r 'select(.agreed | not) | .input'
  uri audit -f urls.txt > /dev/null && echo all good
  uri audit --base https://good.example/login '/\\evil.example'
  uri audit --base https://www.good.example/ --same domain -f targets.txt

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

    /// Resolve each reference against this page, and report parsers that leave its site
    ///
    /// The base must be an absolute http or https URL without a user, and all parsers must agree on
    /// it. Each reference must be the exact text of a `Location` field or an `href` attribute.
    /// Without --base, a relative reference gets the finding `relative-reference`.
    #[arg(long, value_name = "URL")]
    base: Option<String>,

    /// The part of the base that a target must share
    ///
    /// `origin` is the scheme, the host and the port. `domain` is the registrable domain, with
    /// private suffixes; ports are ignored, and http may become https.
    #[arg(
        long,
        value_name = "PART",
        default_value = "origin",
        requires = "base",
        value_parser = words::<Keep>(Keep::NAMES.iter().copied())
    )]
    same: Keep,

    #[command(flatten)]
    common: Common,
}

/// The standard that `valid` and `error` refer to in JSON, and the only accepted value of
/// `--standard`.
const STANDARD: Reader = Reader::Rfc(Standard::Rfc3986);

/// Audits every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let site = arguments.base.map(|base| Site::new(base, arguments.same));
    let site = site.transpose().map_err(|error| {
        let message = format!("--base: {error}");
        Stop::usage("audit", message)
    })?;
    let columns: &[Column] = match site {
        None => &COLUMNS,
        Some(_) => &SITE_COLUMNS,
    };
    let settings = arguments.common.records("audit", columns)?;
    if settings.output.reader != STANDARD {
        let message = "`uri audit` always compares all parsers: --standard does not apply";
        return Err(Stop::usage("audit", message));
    }
    let out: Box<dyn Out> = if settings.output.json {
        Box::new(stdout())
    } else {
        Box::new(colored())
    };
    let work = Check {
        output: settings.output.clone(),
        site,
        page: Page {
            width: settings.page_width(40),
            fail_on: arguments.fail_on,
            show_secrets: settings.reporter().show_secrets,
        },
    };
    settings.run_to("audit", Lenient::default().into(), out, Box::new(work))
}

/// The columns of tables.
const COLUMNS: [Column; 7] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::flag("agreed"),
    Column::text("disputed"),
    Column::text("severity"),
    Column::text("findings"),
];

/// The columns of tables with `--base`.
const SITE_COLUMNS: [Column; 9] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("base"),
    Column::flag("passes"),
    Column::flag("agreed"),
    Column::text("disputed"),
    Column::text("severity"),
    Column::text("findings"),
];

/// Audits inputs one after another.
struct Check {
    output: Output,
    site: Option<Site>,
    page: Page,
}

impl Work for Check {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if let (true, Some(site)) = (self.output.json, &self.site) {
            let record = site.record(input, Some(why), None);
            self.output.record_with(&mut to.out, &record, None)?;
        } else if self.output.json {
            let record = Audited::new(input, Some(why), None);
            self.output.record_with(&mut to.out, &record, None)?;
        } else {
            to.out.extend(self.page.invalid("").into_bytes());
        }
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        if let Some(site) = &self.site {
            return self.target(site, input, to);
        }
        let audit = input.text.map(audit);
        if self.output.json {
            let reading = STANDARD.read(input);
            let failure = reading.failure();
            let record = Audited::new(input, failure.as_ref(), audit.as_ref());
            let report = audit.as_ref().map(|audit| self.page.of(audit, input));
            self.record(&record, report, to)?;
            if let (None, Some(failure)) = (&audit, failure) {
                to.rejected.add(failure.reason());
            }
        } else if let Some(audit) = &audit {
            to.out.extend(self.page.of(audit, input).into_bytes());
        } else if let Some(failure) = STANDARD.read(input).failure() {
            let line = self.page.invalid(&input.to_text());
            to.out.extend(line.into_bytes());
            self.output.invalid(input, &failure, to);
        }
        let is_good = audit.is_some_and(|audit| !self.page.fails(&audit));
        Ok(if is_good { Exit::Good } else { Exit::No })
    }
}

impl Check {
    /// Writes a record with its report, which is absent if the input is not UTF-8.
    fn record(
        &self,
        record: &impl serde::Serialize,
        report: Option<String>,
        to: &mut Printed,
    ) -> io::Result<()> {
        let report = report.map(|report| unstyled(&report));
        let result = report.as_deref().map(str::as_bytes);
        self.output.record_with(&mut to.out, record, result)
    }

    /// Audits a target resolved against the base.
    fn target(&self, site: &Site, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let audit = site.audit(input);
        let failure = STANDARD.read(input).failure();
        if self.output.json {
            let record = site.record(input, failure.as_ref(), audit.as_ref());
            let report = audit.as_ref().map(|audit| self.page.of_target(audit));
            self.record(&record, report, to)?;
            if let (None, Some(failure)) = (&audit, failure) {
                to.rejected.add(failure.reason());
            }
        } else if let Some(audit) = &audit {
            to.out.extend(self.page.of_target(audit).into_bytes());
        } else if let Some(failure) = failure {
            let line = self.page.invalid(&input.to_text());
            to.out.extend(line.into_bytes());
            self.output.invalid(input, &failure, to);
        }
        let is_good = audit.is_some_and(|audit| audit.worst() < Some(self.page.fail_on));
        Ok(if is_good { Exit::Good } else { Exit::No })
    }
}

/// Describes a finding about an input in one sentence. If a relative reference on the command line
/// looks like a mistake, the sentence recommends `-f`.
fn message(sentence: Cow<'static, str>, code: Code, input: Input<'_>) -> Cow<'static, str> {
    let is_argument = *input.source == Source::Arguments;
    let Some(text) = input
        .text
        .filter(|_| is_argument && code == Code::RelativeReference)
    else {
        return sentence;
    };
    match text {
        "-" => Cow::Owned(format!("{sentence} To audit standard input, use `-f -`.")),
        _ if Path::new(text).is_file() => Cow::Owned(format!(
            "{sentence} To audit the lines of the file, use `-f {}`.",
            safe(text)
        )),
        _ => sentence,
    }
}

/// An audited input as `--json` prints it.
#[derive(serde::Serialize)]
struct Audited<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    valid: bool,
    error: Option<ErrorRecord>,
    #[serde(flatten)]
    audit: AuditKeys<'a>,
}

impl<'a> Audited<'a> {
    /// Describes an input. `failure` is its error under RFC 3986. The audit is `None` if the input
    /// is not UTF-8.
    fn new(input: Input<'a>, failure: Option<&Failure>, audit: Option<&'a Audit<'a>>) -> Self {
        Self {
            input: Unparsed::from(input).into(),
            valid: failure.is_none(),
            error: failure.map(ErrorRecord::from),
            audit: AuditKeys::new(audit, Some(input)),
        }
    }
}

/// The keys of an audit.
#[derive(serde::Serialize)]
pub(crate) struct AuditKeys<'a> {
    agreed: Option<bool>,
    disputed: Vec<&'static str>,
    severity: Option<&'static str>,
    readings: Vec<VoiceRecord<'a>>,
    findings: Vec<FindingRecord>,
}

impl<'a> AuditKeys<'a> {
    /// Describes an audit; `None` means that the input is not UTF-8. If `input` is given, a message
    /// may recommend the option `-f`.
    pub(crate) fn new(audit: Option<&'a Audit<'a>>, input: Option<Input<'a>>) -> Self {
        let Some(audit) = audit else {
            return Self {
                agreed: None,
                disputed: Vec::new(),
                severity: None,
                readings: Vec::new(),
                findings: Vec::new(),
            };
        };
        let agreement = audit.agreement();
        let disputed = agreement.disputed();
        let findings = audit.findings();
        Self {
            agreed: Some(agreement.is_unanimous()),
            disputed: disputed.iter().map(|part| part.as_str()).collect(),
            severity: findings.worst().map(Severity::as_str),
            readings: audit
                .readings()
                .map(|voice| VoiceRecord::new(voice.reader, voice.outcome))
                .collect(),
            findings: findings
                .iter()
                .map(|finding| FindingRecord::new(audit, finding, input))
                .collect(),
        }
    }
}

/// The result of one parser.
#[derive(serde::Serialize)]
struct VoiceRecord<'a> {
    reader: &'static str,
    votes: bool,
    valid: bool,
    /// Only present with `--base`.
    #[serde(flatten)]
    target: Option<TargetKey<'a>>,
    scheme: Option<Cow<'a, str>>,
    userinfo: Option<Cow<'a, str>>,
    host: Option<Cow<'a, str>>,
    address: Option<IpAddr>,
    port: Option<Cow<'a, str>>,
    path: Option<Cow<'a, str>>,
    error: Option<ErrorRecord>,
}

impl<'a> VoiceRecord<'a> {
    fn new(reader: &'static str, outcome: Outcome<'a>) -> Self {
        let (reading, error) = match outcome {
            Ok(reading) => (Some(reading), None),
            Err(rejection) => (None, Some(ErrorRecord::from(&failure(&rejection)))),
        };
        let valid = reading.is_some();
        let path = reading.as_ref().map(|reading| reading.path.clone());
        let reading = reading.unwrap_or_default();
        Self {
            reader,
            votes: VOTERS.iter().any(|voter| voter.name() == reader),
            valid,
            target: None,
            scheme: reading.scheme,
            userinfo: reading.userinfo,
            host: reading.host,
            address: reading.address,
            port: reading.port,
            path,
            error,
        }
    }
}

/// The target as one parser resolves it; `None` if that parser rejects it.
#[derive(serde::Serialize)]
struct TargetKey<'a> {
    target: Option<&'a str>,
}

/// The parser whose target has a finding; `None` if the finding applies to all of them.
#[derive(serde::Serialize)]
struct ReaderKey {
    reader: Option<&'static str>,
}

/// Converts a rejection. Only the RFC parsers report productions and sections.
fn failure(rejection: &Rejection) -> Failure {
    match rejection {
        Rejection::Rfc(error) => Failure::Rfc(*error),
        other => Failure::Other(other.to_string()),
    }
}

#[derive(serde::Serialize)]
struct FindingRecord {
    code: &'static str,
    severity: &'static str,
    /// Only present with `--base`.
    #[serde(flatten)]
    reader: Option<ReaderKey>,
    offset: Option<usize>,
    message: Cow<'static, str>,
    sources: &'static str,
}

impl FindingRecord {
    fn new(audit: &Audit<'_>, finding: Finding, input: Option<Input<'_>>) -> Self {
        let Finding { code, offset, .. } = finding;
        let sentence = audit.message(finding);
        Self {
            code: code.as_str(),
            severity: finding.severity().as_str(),
            reader: None,
            offset: Some(offset),
            message: match input {
                Some(input) => message(sentence, code, input),
                None => sentence,
            },
            sources: code.source(),
        }
    }
}
