//! The options of `uri check` that have their own syntax.

use regex::Regex;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use urikit::UnknownName;
use urikit_check::report::ReportFormat;
use urikit_check::{Rule, Selection, Severity};

/// The value of `--site`.
#[derive(Clone, Debug)]
pub(super) struct SiteOption {
    pub(super) prefix: String,
    pub(super) folder: PathBuf,
}

/// Parses `PREFIX=FOLDER`. Splits at the first `=`, because a prefix has no query and therefore
/// contains no `=`.
pub(super) fn site(text: &str) -> Result<SiteOption, String> {
    let (prefix, folder) = text.split_once('=').ok_or("expected PREFIX=FOLDER")?;
    Ok(SiteOption {
        prefix: prefix.to_owned(),
        folder: PathBuf::from(folder),
    })
}

/// The value of `--severity`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeverityOption {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
}

/// Parses `RULE=LEVEL`.
pub(super) fn severity(text: &str) -> Result<SeverityOption, String> {
    let (rule, severity) = text.split_once('=').ok_or("expected RULE=LEVEL")?;
    Ok(SeverityOption {
        rule: named(rule)?,
        severity: named(severity)?,
    })
}

/// Parses a name.
pub(super) fn named<T: FromStr<Err: ToString>>(name: &str) -> Result<T, String> {
    name.parse().map_err(|error: T::Err| error.to_string())
}

/// Parses a regular expression.
fn pattern(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| error.to_string())
}

/// Parses a status or a range of statuses: `403`, `200..299`.
fn statuses(text: &str) -> Result<RangeInclusive<u16>, String> {
    let number = |text: &str| -> Result<u16, String> {
        let status = text
            .parse()
            .ok()
            .filter(|status| (100..600).contains(status));
        status
            .ok_or_else(|| format!("expected a status or a range such as 400..403, found `{text}`"))
    };
    match text.split_once("..") {
        None => number(text).map(|status| status..=status),
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
            if first > last {
                return Err("the range is empty".to_owned());
            }
            Ok(first..=last)
        }
    }
}

/// The value of `--remap`.
#[derive(Clone, Debug)]
struct Remap {
    pattern: Regex,
    to: String,
}

/// Parses `PATTERN=URL`.
fn remap(text: &str) -> Result<Remap, String> {
    // The last `=` before the URL's scheme separates the pattern from the URL, because both may
    // contain `=`.
    let before_scheme = text.rfind("://").unwrap_or(text.len());
    let start = text.get(..before_scheme).unwrap_or_default();
    let at = start.rfind('=').ok_or("expected PATTERN=URL")?;
    let (written, to) = text.split_at_checked(at).ok_or("expected PATTERN=URL")?;
    Ok(Remap {
        pattern: pattern(written)?,
        to: to.trim_start_matches('=').to_owned(),
    })
}

/// The options that choose links.
#[derive(clap::Args, Debug)]
pub(super) struct Choice {
    /// Check only links that match this regular expression; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    include: Vec<Regex>,

    /// Skip links that match this regular expression; may be repeated
    ///
    /// The expression is matched against the reference as written, its target, and the URL to which
    /// redirects lead. An exclusion that excludes nothing is reported as a finding
    /// (unused-exclusion).
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    exclude: Vec<Regex>,

    /// Skip links to this host and its subdomains; may be repeated
    #[arg(long, value_name = "HOST")]
    exclude_host: Vec<String>,

    /// Skip links with this scheme; may be repeated
    #[arg(long, value_name = "NAME")]
    exclude_scheme: Vec<String>,

    /// Treat these HTTP statuses as success: 403, or 400..403; may be repeated
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = statuses)]
    accept: Vec<RangeInclusive<u16>>,

    /// In URLs that match PATTERN, replace the match with URL before checking them; may be repeated
    ///
    /// $1 in URL is the first group of the regular expression.
    #[arg(long, value_name = "PATTERN=URL", value_parser = remap)]
    remap: Vec<Remap>,
}

/// The value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputFormat {
    Text,
    Report(ReportFormat),
}

impl OutputFormat {
    /// The names of all formats.
    pub(super) const NAMES: [&str; ReportFormat::ALL.len() + 1] = {
        let mut names = ["text"; ReportFormat::ALL.len() + 1];
        let mut index = 0;
        #[allow(clippy::indexing_slicing)] // in a constant
        while index < ReportFormat::ALL.len() {
            names[index + 1] = ReportFormat::ALL[index].name();
            index += 1;
        }
        names
    };
}

impl FromStr for OutputFormat {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "text" => Ok(Self::Text),
            name => name.parse().map(Self::Report),
        }
    }
}

impl Choice {
    /// Returns the statuses given with `--accept`.
    pub(super) fn accepted(&self) -> Vec<RangeInclusive<u16>> {
        self.accept.clone()
    }

    /// Converts the options.
    pub(super) fn selection(&mut self) -> Selection {
        let mut selection = Selection::default();
        for pattern in self.include.drain(..) {
            selection.include(pattern);
        }
        for pattern in self.exclude.drain(..) {
            selection.exclude(pattern);
        }
        for host in &self.exclude_host {
            selection.exclude_host(host);
        }
        for scheme in &self.exclude_scheme {
            selection.exclude_scheme(scheme);
        }
        for statuses in self.accept.drain(..) {
            selection.accept(statuses);
        }
        for remap in self.remap.drain(..) {
            selection.remap(remap.pattern, remap.to);
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use super::{remap, site, statuses};

    #[test]
    fn values() {
        assert_eq!(statuses("403"), Ok(403..=403));
        assert_eq!(statuses("200..=299"), Ok(200..=299));
        assert!(statuses("9").is_err() && statuses("404..400").is_err());
        let found = remap("^https://a\\.example/\\?x=(.*)=http://localhost/$1");
        let found = found.map(|found| (found.pattern.to_string(), found.to));
        let expected = ("^https://a\\.example/\\?x=(.*)", "http://localhost/$1");
        assert_eq!(found, Ok((expected.0.to_owned(), expected.1.to_owned())));
        assert!(site("https://a.example/").is_err());
    }
}
