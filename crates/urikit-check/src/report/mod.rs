//! Reports for people and programs.
//!
//! Reports are written piece by piece, some of them in two passes, so they may be of any size.
//! Untrusted text is displayed with its invisible characters escaped, and shortened if it is very
//! long; JSON contains the text unchanged.

mod fingerprint;
mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod markdown;
mod problem;
mod sarif;
mod shown;
mod summary;

use crate::{Checked, Failure, Finding, Grades, HostSummary, Report};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

pub use summary::Summary;

/// A format for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// One JSON object.
    Json,
    /// One JSON object for each link, on a separate line.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: one test suite per document, one test case per link.
    Junit,
    /// Workflow commands of GitHub Actions, which annotate the changed files.
    Github,
    /// Markdown, for comments and job summaries.
    Markdown,
    /// GitLab's code quality report.
    Gitlab,
    /// One HTML page.
    Html,
}

impl ReportFormat {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Junit,
        Self::Github,
        Self::Markdown,
        Self::Gitlab,
        Self::Html,
    ];

    /// Returns the name, as in `--format NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Gitlab => "gitlab",
            Self::Html => "html",
        }
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ReportFormat {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(ReportFormat, name);
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or(UnknownName::new("report format", NAMES))
    }
}

/// A function that is called for each link.
pub type Visit<'a> = dyn FnMut(&Checked) -> io::Result<()> + 'a;

/// The results of a run.
pub trait Results {
    /// Calls `visit` for each link: one document after another, in the same order each time.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `visit`, and returns it.
    fn links(&self, visit: &mut Visit<'_>) -> io::Result<()>;

    /// Returns the findings that are not about a particular link: unused exclusions and stale
    /// baselines.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// Returns the documents that could not be read.
    fn failures(&self) -> Vec<Failure> {
        Vec::new()
    }

    /// Returns the counts of each host.
    fn hosts(&self) -> Vec<HostSummary> {
        Vec::new()
    }
}

impl Results for Report {
    fn links(&self, visit: &mut Visit<'_>) -> io::Result<()> {
        self.documents()
            .try_for_each(|document| document.links().try_for_each(|checked| visit(&checked)))
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings().to_vec()
    }

    fn failures(&self) -> Vec<Failure> {
        self.failures().to_vec()
    }

    fn hosts(&self) -> Vec<HostSummary> {
        self.hosts().to_vec()
    }
}

/// Writes a report.
///
/// # Errors
///
/// Fails if writing to `out` or reading `results` fails.
pub fn write(
    format: ReportFormat,
    results: &dyn Results,
    grades: &Grades<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Json => json::write(results, grades, out),
        ReportFormat::Jsonl => json::write_lines(results, grades, out),
        ReportFormat::Sarif => sarif::write(results, grades, out),
        ReportFormat::Junit => junit::write(results, grades, out),
        ReportFormat::Github => github::write(results, grades, out),
        ReportFormat::Markdown => markdown::write(results, grades, out),
        ReportFormat::Gitlab => gitlab::write(results, grades, out),
        ReportFormat::Html => html::write(results, grades, out),
    }
}
