//! One HTML page without scripts, images or fonts. The page's Content-Security-Policy allows only
//! its style sheet. If a server's stricter policy blocks even the style sheet, the page is still
//! readable.

use super::problem::{Problem, problems};
use super::shown::{Markup, Shown};
use super::{Results, Summary};
use crate::{Checked, Grades, HostSummary, OutcomeKind, Severity};
use std::io::{self, Write};
use std::sync::Arc;

const STYLE: &str = include_str!("page.css");

/// The hash of the style sheet (CSP Level 3, 2.3.1). A test computes the same hash.
pub(super) const STYLE_HASH: &str = "sha256-OoSI8Thsv8eCJBwc1TgJM44+PW8amYJjTeVvKwm2vf0=";

/// The longest URL that becomes a link.
const MAX_LINK: usize = 8_192;

/// Writes the page.
pub(super) fn write(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let summary = Summary::of(results, grades)?;
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src '{STYLE_HASH}'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{} in {} links</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Link check</h1>\n",
        plural(summary.severity(Severity::Error), "error"),
        summary.links,
    )?;
    write_counts(&summary, out)?;
    write_switches(&summary, out)?;
    out.write_all(b"<main>\n")?;
    let mut document: Option<Arc<str>> = None;
    results.links(&mut |checked| write_link(checked, grades, &mut document, out))?;
    if document.is_some() {
        out.write_all(b"</ul>\n</section>\n")?;
    }
    write_findings(results, grades, out)?;
    write_failures(results, out)?;
    write_hosts(&results.hosts(), out)?;
    out.write_all(b"</main>\n</body>\n</html>\n")
}

/// Returns a number and a noun, in the plural if necessary.
fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

fn write_counts(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<dl class=\"counts\">\n")?;
    let mut write = |class: &str, name: &str, count: u64| {
        writeln!(
            out,
            "<div class=\"{class}\"><dt>{name}</dt><dd>{count}</dd></div>"
        )
    };
    write("links", "links", summary.links)?;
    for kind in OutcomeKind::ALL {
        let class = match kind {
            OutcomeKind::Ok => "ok",
            OutcomeKind::Broken => "error",
            OutcomeKind::Unverifiable | OutcomeKind::NotChecked => "note",
        };
        write(class, kind.name(), summary.outcome(kind))?;
    }
    out.write_all(b"</dl>\n")
}

/// Writes the check boxes that the style sheet uses to show and hide problems without a script.
fn write_switches(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<fieldset aria-label=\"Show\">\n")?;
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let is_on = severity > Severity::Note || summary.severity(Severity::Error) == 0;
        writeln!(
            out,
            "<label class=\"{severity}\"><input type=\"checkbox\" id=\"{severity}s\"{}> {}</label>",
            if is_on { " checked" } else { "" },
            plural(summary.severity(severity), severity.name()),
        )?;
    }
    out.write_all(b"</fieldset>\n")
}

fn write_link(
    checked: &Checked,
    grades: &Grades<'_>,
    document: &mut Option<Arc<str>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let link = &checked.link;
    for problem in problems(checked, grades) {
        if document.as_ref() != Some(&link.document) {
            if document.replace(Arc::clone(&link.document)).is_some() {
                out.write_all(b"</ul>\n</section>\n")?;
            }
            begin_section(&Markup(Shown(&link.document)).to_string(), out)?;
        }
        let severity = problem.severity;
        write!(
            out,
            "<li class=\"{severity}\"><p>{}</p><p><span class=\"severity\">{severity}</span> \
             {}: {}",
            reference(checked),
            problem.rule,
            Markup(problem.message()),
        )?;
        if let Some(suggestion) = &problem.suggestion {
            let (before, after) = Problem::frame(suggestion);
            let shown = Markup(Shown(&suggestion.reference));
            write!(out, "{before}<code>{shown}</code>{after}")?;
        }
        if link.line > 0 {
            write!(
                out,
                "</p><p class=\"place\">line {}, column {}",
                link.line, link.column
            )?;
        }
        out.write_all(b"</p></li>\n")?;
    }
    Ok(())
}

fn begin_section(heading: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<section class=\"problems\">\n<h2>{heading}</h2>\n<ul>"
    )
}

/// Returns the reference, as a link if its target is a web page. References with other schemes do
/// not become links: a report must not run `javascript:` from a checked document.
fn reference(checked: &Checked) -> String {
    let shown = Markup(Shown(&checked.link.reference));
    let target = checked.link.target.as_deref();
    let is_web = |target: &&str| {
        let scheme = target.split(':').next().unwrap_or_default();
        ["http", "https"]
            .iter()
            .any(|web| web.eq_ignore_ascii_case(scheme))
            && target.len() <= MAX_LINK
            && urikit::Iri::parse(target).is_ok()
    };
    match target.filter(is_web) {
        Some(target) => format!(
            "<code><a href=\"{}\" rel=\"nofollow noreferrer\">{shown}</a></code>",
            Markup(target)
        ),
        None if checked.link.reference.is_empty() => "(empty reference)".to_owned(),
        None => format!("<code>{shown}</code>"),
    }
}

fn write_findings(
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let findings = results.findings();
    let severity = |rule| grades.of_rule(rule);
    let mut findings = findings
        .iter()
        .filter(|finding| severity(finding.rule) > Severity::Off)
        .peekable();
    if findings.peek().is_none() {
        return Ok(());
    }
    begin_section("Options", out)?;
    for finding in findings {
        let severity = severity(finding.rule);
        writeln!(
            out,
            "<li class=\"{severity}\"><p><span class=\"severity\">{severity}</span> {}: {}</p></li>",
            finding.rule,
            Markup(Shown(&finding.message)),
        )?;
    }
    out.write_all(b"</ul>\n</section>\n")
}

fn write_failures(results: &dyn Results, out: &mut dyn Write) -> io::Result<()> {
    let failures = results.failures();
    if failures.is_empty() {
        return Ok(());
    }
    out.write_all(b"<section>\n<h2>Not read</h2>\n<ul>\n")?;
    for failure in failures {
        writeln!(
            out,
            "<li><p><code>{}</code></p><p>{}</p></li>",
            Markup(Shown(&failure.name)),
            Markup(Shown(&failure.reason)),
        )?;
    }
    out.write_all(b"</ul>\n</section>\n")
}

fn write_hosts(hosts: &[HostSummary], out: &mut dyn Write) -> io::Result<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    out.write_all(
        b"<section>\n<h2>Hosts</h2>\n<div class=\"table\"><table>\n<thead><tr><th>host</th>\
          <th>requests</th><th>waited</th><th>failures</th></tr></thead>\n<tbody>\n",
    )?;
    for host in hosts {
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{:.1} s</td><td>{}</td></tr>",
            Markup(Shown(&host.host)),
            host.requests,
            host.waited.as_secs_f64(),
            host.failures,
        )?;
    }
    out.write_all(b"</tbody>\n</table></div>\n</section>\n")
}
