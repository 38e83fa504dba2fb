//! Chooses which links are checked, and counts the links that each option excludes.

use crate::scheme::scheme_of;
use crate::{Finding, Rule};
use regex::Regex;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The options that choose links.
#[derive(Default, Debug)]
pub struct Selection {
    include: Vec<Regex>,
    exclusions: Vec<Exclusion>,
    accept: Vec<RangeInclusive<u16>>,
    remaps: Vec<(Regex, String)>,
}

/// An option that excludes links, with the number of links that it excluded.
#[derive(Debug)]
struct Exclusion {
    /// The option as written: `--exclude PATTERN`.
    option: String,
    test: Test,
    count: AtomicUsize,
}

#[derive(Debug)]
enum Test {
    Pattern(Regex),
    Host(String),
    Scheme(String),
}

/// The number of links that an option excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// The option as written, such as `--exclude PATTERN`.
    pub option: String,
    /// The number of links.
    pub links: usize,
}

impl Selection {
    /// Checks only links that match `pattern`, or another included pattern.
    pub fn include(&mut self, pattern: Regex) {
        self.include.push(pattern);
    }

    /// Excludes links if `pattern` matches the reference as written or the target URL.
    pub fn exclude(&mut self, pattern: Regex) {
        let option = format!("--exclude {pattern}");
        self.push(option, Test::Pattern(pattern));
    }

    /// Excludes links to a host and its subdomains.
    pub fn exclude_host(&mut self, host: &str) {
        let option = format!("--exclude-host {host}");
        self.push(option, Test::Host(host.to_ascii_lowercase()));
    }

    /// Excludes links with a scheme.
    pub fn exclude_scheme(&mut self, scheme: &str) {
        let option = format!("--exclude-scheme {scheme}");
        self.push(option, Test::Scheme(scheme.to_ascii_lowercase()));
    }

    fn push(&mut self, option: String, test: Test) {
        self.exclusions.push(Exclusion {
            option,
            test,
            count: AtomicUsize::new(0),
        });
    }

    /// Treats these statuses as success.
    pub fn accept(&mut self, statuses: RangeInclusive<u16>) {
        self.accept.push(statuses);
    }

    /// Replaces the match of `pattern` in each URL before the URL is requested. In `replacement`,
    /// `$1` is the first group.
    pub fn remap(&mut self, pattern: Regex, replacement: impl Into<String>) {
        self.remaps.push((pattern, replacement.into()));
    }

    pub(crate) fn accepts(&self, status: u16) -> bool {
        self.accept.iter().any(|range| range.contains(&status))
    }

    /// Returns the URL to request in place of `url`, if an option changes it.
    pub(crate) fn remapped(&self, url: &str) -> Option<String> {
        let (pattern, to) = self
            .remaps
            .iter()
            .find(|(pattern, _)| pattern.is_match(url))?;
        Some(pattern.replace(url, to.as_str()).into_owned())
    }

    /// Returns true if every link is checked.
    pub(crate) fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclusions.is_empty()
    }

    /// Returns the index of the first exclusion that applies to a reference or URL.
    pub(crate) fn exclusion(&self, text: &str) -> Option<usize> {
        let exclusions = self.exclusions.iter();
        { exclusions }.position(|exclusion| exclusion.test.applies(text))
    }

    /// Returns true if a reference or URL is among those that are checked.
    pub(crate) fn includes(&self, text: &str) -> bool {
        self.include.is_empty() || self.include.iter().any(|pattern| pattern.is_match(text))
    }

    /// Adds a link to the count of this exclusion.
    pub(crate) fn count(&self, exclusion: usize) {
        if let Some(exclusion) = self.exclusions.get(exclusion) {
            exclusion.count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the number of links that each option excluded.
    pub(crate) fn excluded(&self) -> Vec<Excluded> {
        let exclusions = self.exclusions.iter();
        exclusions
            .map(|exclusion| Excluded {
                option: exclusion.option.clone(),
                links: exclusion.count.load(Ordering::Relaxed),
            })
            .collect()
    }
}

impl Excluded {
    /// Returns the finding about an option that excludes nothing.
    pub(crate) fn finding(&self) -> Option<Finding> {
        (self.links == 0).then(|| Finding {
            rule: Rule::UnusedExclusion,
            message: format!("`{}` excludes no link", self.option),
            suggestion: None,
        })
    }
}

impl Test {
    fn applies(&self, text: &str) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.is_match(text),
            Self::Host(host) => host_of(text).is_some_and(|found| {
                let parent = found.strip_suffix(host.as_str());
                parent.is_some_and(|parent| parent.is_empty() || parent.ends_with('.'))
            }),
            Self::Scheme(scheme) => {
                scheme_of(text).is_some_and(|found| found.eq_ignore_ascii_case(scheme))
            }
        }
    }
}

/// Returns the host of a URL in lower case.
fn host_of(url: &str) -> Option<String> {
    let url = urikit::IriRef::parse(url).ok()?;
    Some(url.host()?.as_str().to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::Selection;
    use regex::Regex;

    #[test]
    fn exclusions_are_counted() {
        let mut selection = Selection::default();
        selection.exclude(Regex::new("/private/").unwrap());
        selection.exclude_host("a.example");
        selection.exclude_scheme("FTP");
        assert_eq!(selection.exclusion("x/private/y"), Some(0));
        assert_eq!(selection.exclusion("http://b.A.example:80/"), Some(1));
        assert_eq!(selection.exclusion("http://ba.example/"), None);
        assert_eq!(selection.exclusion("ftp://b.example/"), Some(2));
        selection.count(1);
        let unused = selection.excluded();
        let unused: Vec<_> = unused
            .iter()
            .filter_map(|excluded| excluded.finding())
            .collect();
        assert_eq!(unused.len(), 2);
        assert_eq!(unused[0].message, "`--exclude /private/` excludes no link");
    }

    #[test]
    fn remaps_and_statuses() {
        let mut selection = Selection::default();
        selection.remap(
            Regex::new("^https://(.*?)\\.example/").unwrap(),
            "http://localhost/$1/",
        );
        assert_eq!(
            selection.remapped("https://a.example/b").as_deref(),
            Some("http://localhost/a/b")
        );
        assert_eq!(selection.remapped("https://a.test/b"), None);
        selection.accept(401..=403);
        assert!(selection.accepts(403) && !selection.accepts(404));
    }
}
