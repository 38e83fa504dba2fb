//! `uri audit`: reports where parsers disagree about a reference, and which risks the reference
//! poses.

use crate::exit::{Exit, Stop};
use crate::input::{Input, Source};
use crate::options::{Common, Lenient, words};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::safe::safe;
use crate::sheet::Column;
use crate::stdout::Out;
use crate::stdout::{colored, stdout};
use crate::style::unstyled;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use std::io;
use std::path::Path;
use urikit_audit::{Audit, Code, Keep, Severity, audit};
use urikit_report::audit::{Audited, STANDARD, Site};
use urikit_report::reading::Failure;
use urikit_report::text::Layout;

/// Audit references: do all parsers agree, and what could go wrong?
///
/// A security check and a client may find different hosts in the same URL. `uri audit` parses each
/// reference with seven parsers (rfc3986, whatwg, lenient, curl, urllib, java-net-uri,
/// legacy-ipv4). It prints the components on which the parsers disagree, with the value that each
/// parser finds, and then the findings. Each finding has a severity, a byte offset, a code and a
/// description. `uri audit` makes no DNS lookups and no connections.
///
/// With --base, each reference is treated as the target of a redirect or link on the base page.
/// `uri audit` prints the URL to which each parser resolves the reference, marks URLs outside the
/// site with `!`, and reports findings about the reference and about each resolved URL.
///
/// Each report begins with `ok`, or with the highest severity found if it reaches --fail-on. With
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

    /// Resolve each reference against this page, and report the parsers that resolve it to a URL
    /// outside the site
    ///
    /// The base must be an absolute http or https URL without a user, and all parsers must agree on
    /// it. Each reference must be the exact text of a `Location` field or an `href` attribute.
    /// Without --base, a relative reference gets the finding `relative-reference`.
    #[arg(long, value_name = "URL")]
    base: Option<String>,

    /// The part of the base that a target must share
    ///
    /// `origin` is the scheme, the host and the port. `domain` is the registrable domain, under a
    /// public or private suffix. With `domain`, ports are ignored, and http may become https.
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
        layout: Layout {
            width: settings.page_width(40),
            show_secrets: settings.reporter().show_secrets,
        },
        fail_on: arguments.fail_on,
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
    layout: Layout,
    /// The lowest severity that counts as a failure.
    fail_on: Severity,
}

impl Work for Check {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if let (true, Some(site)) = (self.output.json, &self.site) {
            let record = site.record(input.into(), Some(why), None);
            self.output.record_with(&mut to.out, &record, None)?;
        } else if self.output.json {
            let record = Audited::new(input.into(), Some(why), None);
            self.output.record_with(&mut to.out, &record, None)?;
        } else {
            to.out.extend(self.layout.invalid("").into_bytes());
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
            let record = audited(input, failure.as_ref(), audit.as_ref());
            let report = audit.as_ref().map(|audit| self.page(audit, input));
            self.record(&record, report, to)?;
            if let (None, Some(failure)) = (&audit, failure) {
                to.rejected.add(failure.reason());
            }
        } else if let Some(audit) = &audit {
            to.out.extend(self.page(audit, input).into_bytes());
        } else if let Some(failure) = STANDARD.read(input).failure() {
            let line = self.layout.invalid(&input.to_text());
            to.out.extend(line.into_bytes());
            self.output.invalid(input, &failure, to);
        }
        let is_good = audit.is_some_and(|audit| audit.findings().worst() < Some(self.fail_on));
        Ok(if is_good { Exit::Good } else { Exit::No })
    }
}

impl Check {
    /// Formats the audit of an input, with advice about mistakes.
    fn page(&self, audit: &Audit<'_>, input: Input<'_>) -> String {
        let advice = advice(input).unwrap_or_default();
        self.layout.audit(audit, self.fail_on, &advice)
    }

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
        let audit = input.text.and_then(|text| site.audit(text));
        let failure = STANDARD.read(input).failure();
        if self.output.json {
            let record = site.record(input.into(), failure.as_ref(), audit.as_ref());
            let report = audit
                .as_ref()
                .map(|audit| self.layout.site_audit(audit, self.fail_on));
            self.record(&record, report, to)?;
            if let (None, Some(failure)) = (&audit, failure) {
                to.rejected.add(failure.reason());
            }
        } else if let Some(audit) = &audit {
            to.out
                .extend(self.layout.site_audit(audit, self.fail_on).into_bytes());
        } else if let Some(failure) = failure {
            let line = self.layout.invalid(&input.to_text());
            to.out.extend(line.into_bytes());
            self.output.invalid(input, &failure, to);
        }
        let is_good = audit.is_some_and(|audit| audit.worst() < Some(self.fail_on));
        Ok(if is_good { Exit::Good } else { Exit::No })
    }
}

/// Returns advice if an argument looks like a file name, because the `-f` option was probably
/// forgotten.
fn advice(input: Input<'_>) -> Option<String> {
    let is_argument = *input.source == Source::Arguments;
    match input.text.filter(|_| is_argument)? {
        "-" => Some(" To audit standard input, use `-f -`.".to_owned()),
        text if Path::new(text).is_file() => Some(format!(
            " To audit the lines of the file, use `-f {}`.",
            safe(text)
        )),
        _ => None,
    }
}

/// Returns the JSON record of an input, with advice about mistakes.
fn audited<'a>(
    input: Input<'a>,
    failure: Option<&Failure>,
    audit: Option<&'a Audit<'a>>,
) -> Audited<'a> {
    let mut record = Audited::new(input.into(), failure, audit);
    let is_relative = audit.is_some_and(|it| it.findings().contains(Code::RelativeReference));
    if let Some(advice) = is_relative.then(|| advice(input)).flatten() {
        record.advise(Code::RelativeReference, &advice);
    }
    record
}
