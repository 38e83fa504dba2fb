//! The results of a run.

use crate::fragment::{Profile, Sought};
use crate::probe::HostSummary;
use crate::scheme::{scheme_of, with_ascii_host};
use crate::select::Excluded;
use crate::table::{Answer, Answered, LinkRecord, LinkState, StringId, Table, split_fragment};
use crate::{
    Checked, Finding, Link, Outcome, OutcomeKind, Reason, Rule, Severities, Severity, Suggestion,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urikit::Standard;
use urikit_audit::{Code, audit};
use urikit_extract::document::Format;

/// The results of a run: documents with their links.
///
/// Links are stored in compact form. [`DocumentReport::links`] creates one [`Checked`] at a time.
#[derive(Debug)]
pub struct Report {
    table: Table,
    documents: Vec<DocumentRecord>,
    failures: Vec<Failure>,
    skipped: Vec<String>,
    findings: Vec<Finding>,
    excluded: Vec<Excluded>,
    profiles: Vec<(Profile, PathBuf)>,
    hosts: Vec<HostSummary>,
}

/// A document with its links.
#[derive(Debug)]
pub(crate) struct DocumentRecord {
    /// The position among the sources.
    pub(crate) order: usize,
    pub(crate) name: Arc<str>,
    pub(crate) path: Option<PathBuf>,
    pub(crate) format: Option<Format>,
    pub(crate) links: Vec<LinkRecord>,
}

/// A document that could not be read completely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub(crate) order: usize,
    /// The name of the document.
    pub name: String,
    /// The reason.
    pub reason: String,
}

impl Failure {
    /// Creates the failure of a document that is not a source, such as an entry of an archive.
    pub fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            order: usize::MAX,
            name: name.into(),
            reason: reason.into(),
        }
    }
}

/// The counts of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The number of documents.
    pub documents: usize,
    /// The number of links. The counts in `outcomes` add up to this number.
    pub links: usize,
    /// The number of links with each outcome.
    pub outcomes: BTreeMap<OutcomeKind, usize>,
    /// The number of findings for each rule, not including outcomes.
    pub findings: BTreeMap<Rule, usize>,
}

impl Report {
    pub(crate) fn new(
        table: Table,
        documents: Vec<DocumentRecord>,
        failures: Vec<Failure>,
        excluded: Vec<Excluded>,
        profiles: Vec<(Profile, PathBuf)>,
        hosts: Vec<HostSummary>,
    ) -> Self {
        Self {
            findings: excluded.iter().filter_map(Excluded::finding).collect(),
            table,
            documents,
            failures,
            skipped: Vec::new(),
            excluded,
            profiles,
            hosts,
        }
    }

    pub(crate) fn set_skipped(&mut self, names: Vec<String>) {
        self.skipped = names;
    }

    /// Iterates over the documents, in the order of the sources.
    pub fn documents(&self) -> impl Iterator<Item = DocumentReport<'_>> {
        let documents = self.documents.iter();
        documents.map(|document| DocumentReport {
            report: self,
            document,
        })
    }

    /// Returns the findings that are not about a particular link.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Adds a finding that is not about a particular link.
    pub fn add_finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Returns the documents that could not be read completely.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Returns the names of the documents that were not read because they are binary. Files in
    /// folders are included only if their names are those of documents.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Returns the number of links that each option excluded.
    pub fn excluded(&self) -> &[Excluded] {
        &self.excluded
    }

    /// Returns the tools that were recognized, each with the file that determined it. All other
    /// documents use GitHub's profile, unless an option chose another profile.
    pub fn profiles(&self) -> &[(Profile, PathBuf)] {
        &self.profiles
    }

    /// Returns the counts of each host.
    pub fn hosts(&self) -> &[HostSummary] {
        &self.hosts
    }

    /// Counts links, outcomes and findings.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary {
            documents: self.documents.len(),
            ..Summary::default()
        };
        for kind in OutcomeKind::ALL {
            summary.outcomes.insert(kind, 0);
        }
        for finding in &self.findings {
            *summary.findings.entry(finding.rule).or_default() += 1;
        }
        for record in self.documents.iter().flat_map(|document| &document.links) {
            summary.links += 1;
            *summary.outcomes.entry(self.kind(record)).or_default() += 1;
            self.rules(record, &mut |rule| {
                *summary.findings.entry(rule).or_default() += 1;
            });
        }
        summary
    }

    /// Returns the highest severity of all outcomes and findings.
    pub fn worst(&self, severities: &Severities) -> Severity {
        let summary = self.summary();
        let outcomes = summary.outcomes.iter().filter(|(_, count)| **count > 0);
        let outcomes = outcomes.filter_map(|(kind, _)| kind.rule());
        let findings = summary.findings.keys().copied();
        let all = outcomes.chain(findings).map(|rule| severities.of(rule));
        all.max().unwrap_or(Severity::Off)
    }

    fn answer(&self, record: &LinkRecord) -> &Answer {
        let target = self.table.get(record.request);
        target.map_or(&Answer::Pending, |target| &target.answer)
    }

    fn sought(&self, record: &LinkRecord) -> Option<&Sought> {
        let is_sought = record.state == LinkState::Requested && record.fragment != StringId::NONE;
        let sought =
            is_sought.then(|| self.table.fragments.get(&(record.request, record.fragment)));
        sought??.as_ref()
    }

    /// Returns the kind of a link's outcome, without its reason.
    fn kind(&self, record: &LinkRecord) -> OutcomeKind {
        match record.state {
            LinkState::Excluded | LinkState::NoBase => OutcomeKind::NotChecked,
            LinkState::Invalid => OutcomeKind::Broken,
            LinkState::Part => OutcomeKind::Ok,
            LinkState::Requested => {
                let kind = match self.answer(record) {
                    Answer::Ok => OutcomeKind::Ok,
                    Answer::Pending => OutcomeKind::NotChecked,
                    Answer::Other(other) => other.outcome.kind(),
                };
                match self.sought(record) {
                    _ if kind != OutcomeKind::Ok => kind,
                    Some(Sought::Script | Sought::Unknown) => OutcomeKind::Unverifiable,
                    Some(Sought::NotStored) => OutcomeKind::NotChecked,
                    _ => kind,
                }
            }
        }
    }

    /// Calls `each` with the rule of each finding about a link.
    fn rules(&self, record: &LinkRecord, each: &mut dyn FnMut(Rule)) {
        if record.has(LinkRecord::AMBIGUOUS) {
            each(Rule::Ambiguous);
        }
        if record.state != LinkState::Requested {
            return;
        }
        if record.has(LinkRecord::OUTSIDE) {
            each(Rule::OutsideSite);
        }
        if let Answer::Other(other) = self.answer(record) {
            other.findings.iter().for_each(|finding| each(finding.rule));
            if other.right_case.is_some() {
                each(Rule::WrongCase);
            }
        }
        if self.kind(record) == OutcomeKind::Ok
            && matches!(self.sought(record), Some(Sought::Missing { .. }))
        {
            each(Rule::FragmentMissing);
        }
        if self.is_not_stored(record) {
            each(Rule::NotInStore);
        }
    }

    /// Returns true if the store contains the page of a link, but not the fragment.
    fn is_not_stored(&self, record: &LinkRecord) -> bool {
        self.answer(record).is_ok() && matches!(self.sought(record), Some(Sought::NotStored))
    }

    fn outcome(&self, record: &LinkRecord) -> Outcome {
        let answered = match record.state {
            LinkState::Excluded => return Outcome::NotChecked(Reason::Excluded),
            LinkState::NoBase => return Outcome::NotChecked(Reason::NoBase),
            LinkState::Part => return Outcome::Ok,
            LinkState::Invalid => {
                let reference = self.table.strings.get(record.reference);
                let error = Standard::Rfc3987.parse(reference).err();
                let error = error.map(|error| error.to_string()).unwrap_or_default();
                return Outcome::Broken(Reason::Invalid(error));
            }
            LinkState::Requested => self.answer(record),
        };
        match (answered, self.sought(record)) {
            (Answer::Pending, _) => Outcome::NotChecked(Reason::Interrupted),
            (Answer::Other(other), _) if other.outcome != Outcome::Ok => other.outcome.clone(),
            (_, Some(Sought::NotStored)) => Outcome::NotChecked(Reason::Offline),
            (_, Some(Sought::Script)) => Outcome::Unverifiable(Reason::Script),
            (_, Some(Sought::Unknown)) => Outcome::Unverifiable(Reason::Fragment),
            _ => Outcome::Ok,
        }
    }
}

/// A document with the results of its links.
#[derive(Clone, Copy, Debug)]
pub struct DocumentReport<'r> {
    report: &'r Report,
    document: &'r DocumentRecord,
}

impl<'r> DocumentReport<'r> {
    /// Returns the name: a path as given or found, `-`, a URL, or the path of an entry in an
    /// archive.
    pub fn name(&self) -> &'r str {
        &self.document.name
    }

    /// Returns the path; `None` for standard input, URLs and entries of archives.
    pub fn path(&self) -> Option<&'r Path> {
        self.document.path.as_deref()
    }

    /// Returns the format; `None` if the document is binary.
    pub fn format(&self) -> Option<Format> {
        self.document.format
    }

    /// Iterates over the links, in the order in which the document contains them.
    pub fn links(&self) -> impl Iterator<Item = Checked> + use<'r> {
        let (report, document) = (self.report, self.document);
        document
            .links
            .iter()
            .map(move |record| report.checked(document, record))
    }

    /// Iterates over the links with an outcome or a finding of at least this severity.
    pub fn links_at(
        &self,
        least: Severity,
        severities: &Severities,
    ) -> impl Iterator<Item = Checked> + use<'r> {
        let (report, document) = (self.report, self.document);
        let severities = severities.clone();
        let least = least.max(Severity::Note);
        let records = document.links.iter().filter(move |record| {
            let outcome = report.kind(record).rule();
            let mut is_at = outcome.is_some_and(|rule| severities.of(rule) >= least);
            report.rules(record, &mut |rule| is_at |= severities.of(rule) >= least);
            is_at
        });
        records.map(move |record| report.checked(document, record))
    }
}

impl Report {
    fn checked(&self, document: &DocumentRecord, record: &LinkRecord) -> Checked {
        let strings = &self.table.strings;
        let reference = strings.get(record.reference).to_owned();
        let target = (record.request != u32::MAX).then(|| {
            let mut target = self.table.url(record.request).to_owned();
            if record.fragment != StringId::NONE {
                target.push('#');
                target.push_str(strings.get(record.fragment));
            }
            target
        });
        let start = record.start as usize;
        let range = start..start.saturating_add(record.length as usize);
        let has_range = record.start != u32::MAX && record.length != u32::MAX;
        let redirected = match self.answer(record) {
            Answer::Other(other) => other.redirected.clone(),
            _ => None,
        };
        let outcome = self.outcome(record);
        let findings = self.link_findings(record, &reference, &outcome);
        Checked {
            link: Link {
                document: Arc::clone(&document.name),
                line: record.line as usize,
                column: record.column as usize,
                range: has_range.then_some(range),
                reference,
                target,
            },
            outcome,
            findings,
            redirected,
        }
    }

    fn link_findings(
        &self,
        record: &LinkRecord,
        reference: &str,
        outcome: &Outcome,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let (Answer::Other(other), LinkState::Requested) = (self.answer(record), record.state) {
            for finding in &other.findings {
                let mut finding = finding.clone();
                finding.suggestion = finding.suggestion.or_else(|| match finding.rule {
                    Rule::RedirectPermanent => moved(reference, other),
                    Rule::Insecure => secure(reference),
                    _ => None,
                });
                findings.push(finding);
            }
            if let Some(right) = &other.right_case {
                findings.push(Finding {
                    rule: Rule::WrongCase,
                    message: "the path differs in case from the name of the file".to_owned(),
                    suggestion: right_case(reference, right),
                });
            }
        }
        if record.has(LinkRecord::OUTSIDE) && record.state == LinkState::Requested {
            findings.push(Finding {
                rule: Rule::OutsideSite,
                message: "the path leads out of the site".to_owned(),
                suggestion: None,
            });
        }
        if let (Some(Sought::Missing { nearest }), Outcome::Ok) = (self.sought(record), outcome) {
            let fragment = self.table.strings.get(record.fragment);
            let moved = redirect_fragment(self.answer(record));
            findings.push(fragment_missing(
                reference,
                fragment,
                nearest.as_deref(),
                moved,
            ));
        }
        if self.is_not_stored(record) {
            findings.push(Finding {
                rule: Rule::NotInStore,
                message: "the store does not contain the fragment".to_owned(),
                suggestion: None,
            });
        }
        if record.has(LinkRecord::AMBIGUOUS) {
            findings.push(ambiguous(reference));
        }
        findings
    }
}

/// Returns the fragment that a redirect specifies.
fn redirect_fragment(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Other(other) => split_fragment(other.redirected.as_deref()?).1,
        _ => None,
    }
}

/// Returns the finding about a fragment that does not exist. If a redirect specified a fragment of
/// its own, that is the one reported, without a correction, because the author of the link cannot
/// change the redirect.
fn fragment_missing(
    reference: &str,
    fragment: &str,
    nearest: Option<&str>,
    redirect_fragment: Option<&str>,
) -> Finding {
    if let Some(fragment) = redirect_fragment {
        return redirect_fragment_missing(fragment);
    }
    let message = if fragment.contains(":~:") {
        "the page does not contain this text"
    } else if fragment
        .strip_prefix('L')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        "the file does not have this line"
    } else {
        "the page has no element with this id"
    };
    let suggestion = nearest.and_then(|nearest| {
        let (before, _) = reference.split_once('#')?;
        Some(Suggestion {
            reference: format!("{before}#{nearest}"),
            is_certain: false,
        })
    });
    Finding {
        rule: Rule::FragmentMissing,
        message: message.to_owned(),
        suggestion,
    }
}

/// Returns the finding about a redirect to a fragment that does not exist.
pub(crate) fn redirect_fragment_missing(fragment: &str) -> Finding {
    Finding {
        rule: Rule::FragmentMissing,
        message: format!("a redirect leads to #{fragment}, which the page does not have"),
        suggestion: None,
    }
}

/// Returns the finding about a reference on which parsers disagree.
fn ambiguous(reference: &str) -> Finding {
    let text = with_ascii_host(reference);
    let report = audit(&text);
    let is_about_parts = |code: Code| {
        matches!(
            code,
            Code::HostDisagreement | Code::SchemeDisagreement | Code::PortDisagreement
        )
    };
    let finding = report
        .findings()
        .iter()
        .find(|finding| is_about_parts(finding.code));
    let message = finding.map_or_else(
        || Rule::Ambiguous.description().to_owned(),
        |finding| report.message(finding).into_owned(),
    );
    Finding {
        rule: Rule::Ambiguous,
        message: message.trim_end_matches('.').to_owned(),
        suggestion: None,
    }
}

/// Returns the URL to write for a target that has moved permanently.
fn moved(reference: &str, answered: &Answered) -> Option<Suggestion> {
    let to = answered.redirected.as_deref()?;
    scheme_of(reference)?;
    // A redirect with a fragment ignores that of the link (RFC 9110, 10.2.2).
    let fragment = reference.split_once('#').filter(|_| !to.contains('#'));
    let fragment = fragment
        .map(|(_, fragment)| format!("#{fragment}"))
        .unwrap_or_default();
    Some(Suggestion {
        reference: format!("{to}{fragment}"),
        is_certain: true,
    })
}

/// Returns the https reference to write in place of an http reference.
fn secure(reference: &str) -> Option<Suggestion> {
    let (_, rest) = reference.split_at_checked("http:".len())?;
    let is_http = scheme_of(reference).is_some_and(|name| name.eq_ignore_ascii_case("http"));
    is_http.then(|| Suggestion {
        reference: format!("https:{rest}"),
        is_certain: true,
    })
}

/// Returns the reference in its correct case, given the correct path of its target.
fn right_case(reference: &str, right: &str) -> Option<Suggestion> {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (path, rest) = reference.split_at_checked(end)?;
    // The parts before the last `..` do not contribute to the path.
    let kept = path.rfind("../").map_or(0, |at| at + 3);
    let kept = if path.get(kept..)?.starts_with("./") {
        kept + 2
    } else {
        kept
    };
    let (before, written) = path.split_at_checked(kept)?;
    let start = right.len().checked_sub(written.len())?;
    let tail = right.get(start..)?;
    let is_same = tail.to_lowercase() == written.to_lowercase();
    is_same.then(|| Suggestion {
        reference: [before, tail, rest].concat(),
        is_certain: true,
    })
}

#[cfg(test)]
mod tests {
    use super::right_case;

    #[test]
    fn references_in_the_right_case() {
        let right =
            |reference| right_case(reference, "/r/docs/Guide.md").map(|found| found.reference);
        assert_eq!(right("guide.md#a").as_deref(), Some("Guide.md#a"));
        assert_eq!(
            right("../DOCS/Guide.md").as_deref(),
            Some("../docs/Guide.md")
        );
        assert_eq!(
            right("/docs/guide.md?x").as_deref(),
            Some("/docs/Guide.md?x")
        );
        assert_eq!(right("./guide.md").as_deref(), Some("./Guide.md"));
        assert_eq!(right("gu%69de.md"), None);
    }
}
