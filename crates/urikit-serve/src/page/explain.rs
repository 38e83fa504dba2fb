//! The sections of the page that explains a reference.

use super::difference::cut;
use super::host::facts;
use super::normal::{NormalForm, forms};
use super::pair::{SideBySide, compare};
use super::query::{QueryTable, table};
use super::redirect::{Redirect, redirect};
use super::resolution::{Resolution, resolve};
use super::ruler::Ruler;
use super::snippets::{Snippet, snippets};
use super::state::{State, escaped};
use urikit_audit::Severity;
use urikit_report::Reader;
use urikit_report::audit::{FindingLine, findings};
use urikit_report::explain::{
    Component, Explanation, Fault, ReaderTable, SchemeSection, Verdict, beginning, prefix,
};
use urikit_report::input::Unparsed;
use urikit_report::mask::{Masked, mask};
use urikit_report::safe::safe;
use urikit_schemes::Edition;

/// The sections about one reference. All strings are safe to print. Passwords are masked, except in
/// `state` and `snippets`.
pub(super) struct Sections {
    pub(super) state: State,
    /// True if the page is written to a file, without forms and without links to the server.
    pub(super) is_file: bool,
    /// The address at which the gateway shows the resource.
    pub(super) open: Option<String>,
    /// The number of explained bytes and the total number of bytes, if they differ.
    pub(super) cut: Option<(usize, usize)>,
    pub(super) summary: String,
    pub(super) findings: Vec<FindingLine>,
    pub(super) fault: Option<Fault>,
    /// The reference as written.
    pub(super) ruler: Ruler,
    /// The reference as browsers write it, if no RFC yields components.
    pub(super) browsers: Option<Ruler>,
    /// The standard of the components, and the form of the reference.
    pub(super) heading: String,
    pub(super) components: Vec<Component>,
    pub(super) host: Option<Vec<(&'static str, String)>>,
    pub(super) query: Option<QueryTable>,
    pub(super) readers: Option<ReaderTable>,
    pub(super) scheme: Option<SchemeSection>,
    pub(super) forms: Vec<NormalForm>,
    pub(super) resolution: Option<Resolution>,
    pub(super) redirect: Option<Result<Redirect, String>>,
    pub(super) pair: Option<SideBySide>,
    pub(super) verdicts: Vec<Verdict>,
    pub(super) notes: Vec<String>,
    pub(super) snippets: [Snippet; 3],
}

impl Sections {
    /// Explains the reference of a state. `schemes` are the schemes that the gateway opens.
    pub(super) fn new(state: State, schemes: &[String]) -> Self {
        let url = mask(&state.url, false).into_owned();
        let scheme = url.split_once(':').map(|(scheme, _)| scheme);
        let is_open = scheme.is_some_and(|scheme| {
            let mut names = schemes.iter();
            names.any(|name| name.eq_ignore_ascii_case(scheme))
        });
        Self {
            // The gateway cannot open a URL whose password is masked.
            open: (is_open && url == state.url).then(|| format!("/open?url={}", escaped(&url))),
            ..Self::explain(state, None, false)
        }
    }

    /// Explains a reference for a file.
    pub(super) fn of_file(state: State, edition: Option<Edition>) -> Self {
        Self::explain(state, edition, true)
    }

    fn explain(state: State, edition: Option<Edition>, is_file: bool) -> Self {
        let input = Unparsed::from(state.url.as_str());
        let after = input.bytes.get(prefix(input.bytes)..).unwrap_or_default();
        let reference = beginning(after.into());
        let explanation = Explanation::new(input.into(), reference, state.standard, edition)
            .with_length(after.len());
        let list = explanation.components(false);
        let fault = explanation.fault(false);
        let url = reference.text.unwrap_or_default();
        let offset = fault.as_ref().and_then(|fault| fault.offset);
        let host = list.as_ref().and_then(|list| facts(&explanation, list));
        // The components under `whatwg` are those of the normalized URL, not of the input.
        let (ruler, browsers) = match &list {
            Some(list) if list.reader != Reader::Whatwg => (Ruler::of(list, offset), None),
            list => {
                let browsers = list.as_ref().map(|list| Ruler::of(list, None));
                (Ruler::new(&mask(url, false), &[], offset), browsers)
            }
        };
        let heading = list.as_ref().map_or_else(String::new, |list| {
            let generic = if list.is_generic_only {
                ", generic production only"
            } else {
                ""
            };
            format!("{}{generic}: {}", list.reader.document(), list.form)
        });
        let findings = explanation
            .audit
            .as_ref()
            .map(|audit| findings(audit, &Masked::new(audit.input(), false)));
        let findings = sorted(findings.unwrap_or_default());
        let verdicts = explanation.verdicts(false);
        let readers = explanation.readers(false);
        let has_base = !state.base.is_empty();
        Self {
            is_file,
            open: None,
            cut: explanation.is_cut().then_some((url.len(), after.len())),
            summary: summary(&verdicts, &findings, readers.as_ref()),
            findings,
            fault,
            ruler,
            browsers,
            heading,
            components: list.map(|list| list.components).unwrap_or_default(),
            host,
            query: table(url),
            readers,
            scheme: explanation.scheme(false),
            forms: forms(&explanation),
            resolution: has_base.then(|| resolve(url, &state.base, state.standard)),
            redirect: has_base.then(|| redirect(&state.base, url)),
            pair: (!state.and.is_empty()).then(|| compare(url, &state.and, state.standard)),
            verdicts,
            notes: explanation.notes(false),
            snippets: snippets(&state),
            state,
        }
    }

    /// Returns the reference with masked passwords, safe to print.
    pub(super) fn shown(&self) -> String {
        safe(&cut(&mask(&self.state.url, false))).into_owned()
    }

    /// Returns the beginning of the reference, for a title.
    pub(super) fn title(&self) -> String {
        self.shown().chars().take(80).collect()
    }

    /// Returns the address of the same results from the API.
    pub(super) fn api(&self) -> String {
        let (url, standard) = (escaped(&self.state.url), self.state.standard.name());
        format!("/api/v1/explain?url={url}&standard={standard}")
    }
}

/// Sorts findings by severity, highest first.
fn sorted(mut findings: Vec<FindingLine>) -> Vec<FindingLine> {
    findings.sort_by_key(|line| std::cmp::Reverse(line.finding.severity()));
    findings
}

/// Summarizes the results in a sentence, which screen readers announce.
fn summary(
    verdicts: &[Verdict],
    findings: &[FindingLine],
    readers: Option<&ReaderTable>,
) -> String {
    let valid = verdicts.iter().filter(|verdict| verdict.is_valid).count();
    let high = findings
        .iter()
        .filter(|line| line.finding.severity() == Severity::High)
        .count();
    let all = findings.len();
    let findings = match (all, high) {
        (0, _) => "no findings".to_owned(),
        (1, _) => format!("1 finding, {high} of high severity"),
        _ => format!("{all} findings, {high} of high severity"),
    };
    let readers = readers.map_or_else(String::new, |table| format!(". {}", table.heading()));
    format!(
        "Valid under {valid} of {} standards; {findings}{readers}.",
        verdicts.len()
    )
}
