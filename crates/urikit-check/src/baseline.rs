//! The baseline: failures that are known and do not fail a run.
//!
//! A baseline is a sorted file with one JSON object per line: the rule, the file, and the reference
//! as written. Lines and columns are not part of an entry, so a link may move within its file.

use crate::records::{self, DamagedLines};
use crate::{Checked, Finding, OutcomeKind, Rule, Severities, Severity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use urikit_access::replace::replace;

/// An entry of a baseline.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The identifier of the rule.
    pub rule: String,
    /// The document.
    pub file: String,
    /// The reference as written.
    pub reference: String,
}

/// Known failures.
///
/// ```
/// use urikit_check::{Baseline, Rule};
/// let mut baseline = Baseline::default();
/// baseline.add(Rule::Broken, "a.md", "http://a.example/");
/// assert!(baseline.contains(Rule::Broken, "a.md", "http://a.example/"));
/// assert!(!baseline.contains(Rule::Tls, "a.md", "http://a.example/"));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Baseline {
    /// The entries, grouped by file and reference.
    entries: BTreeMap<String, BTreeMap<String, Vec<Entry>>>,
}

#[derive(Clone, Debug)]
struct Entry {
    rule: Rule,
    state: State,
}

/// The result of a run for an entry. If a reference occurs several times, the last applicable
/// variant counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    /// The reference was not found, or no longer breaks the rule.
    Absent,
    /// The link could not be checked, so the failure may still occur.
    Unknown,
    /// The failure still occurs.
    Occurs,
}

impl Baseline {
    /// Reads a baseline. A file that does not exist counts as empty. A line with an unknown rule
    /// counts as damaged.
    ///
    /// # Errors
    ///
    /// Fails if the file exists but cannot be read.
    pub fn read(path: &Path) -> io::Result<(Self, DamagedLines)> {
        let mut baseline = Self::default();
        let damaged = records::read(path, |Line(rule, known)| {
            baseline.add(rule, &known.file, &known.reference);
        })?;
        Ok((baseline, damaged))
    }

    /// Adds a failure.
    pub fn add(&mut self, rule: Rule, file: &str, reference: &str) {
        let references = self.entries.entry(plain(file).to_owned()).or_default();
        let entries = references.entry(reference.to_owned()).or_default();
        if entries.iter().all(|entry| entry.rule != rule) {
            let state = State::Absent;
            entries.push(Entry { rule, state });
            entries.sort_by_key(|entry| entry.rule.id());
        }
    }

    /// Adds the findings of a link that are errors or warnings, to create a baseline.
    pub fn add_failures(&mut self, checked: &Checked, severities: &Severities) {
        for rule in checked.rules() {
            if severities.of(rule) >= Severity::Warning {
                self.add(rule, &checked.link.document, &checked.link.reference);
            }
        }
    }

    /// Returns true if the failure is known.
    pub fn contains(&self, rule: Rule, file: &str, reference: &str) -> bool {
        let entries = self
            .entries
            .get(plain(file))
            .and_then(|file| file.get(reference));
        entries.is_some_and(|entries| entries.iter().any(|entry| entry.rule == rule))
    }

    /// Records the result of a link. [`stale`](Self::stale) needs the results of all links in the
    /// run.
    pub fn observe(&mut self, checked: &Checked) {
        let file = self.entries.get_mut(plain(&checked.link.document));
        let entries = file.and_then(|file| file.get_mut(&checked.link.reference));
        for entry in entries.into_iter().flatten() {
            let state = if checked.rules().any(|rule| rule == entry.rule) {
                State::Occurs
            } else if matches!(
                checked.outcome.kind(),
                OutcomeKind::Unverifiable | OutcomeKind::NotChecked
            ) {
                State::Unknown
            } else {
                State::Absent
            };
            entry.state = entry.state.max(state);
        }
    }

    /// Returns the entries whose failures no longer occur: the link is ok, or is no longer in its
    /// file. `was_read` receives the path of a file without `./`, and returns false if this run
    /// knows nothing about the file.
    pub fn stale(&self, was_read: &dyn Fn(&str) -> bool) -> Vec<Known> {
        let mut stale = Vec::new();
        for (file, references) in &self.entries {
            let is_absent = |entry: &&Entry| entry.state == State::Absent;
            if !references.values().flatten().any(|entry| is_absent(&entry)) || !was_read(file) {
                continue;
            }
            for (reference, entries) in references {
                stale.extend(entries.iter().filter(is_absent).map(|entry| Known {
                    rule: entry.rule.id().to_owned(),
                    file: file.clone(),
                    reference: reference.clone(),
                }));
            }
        }
        stale
    }

    /// Removes entries, such as those that [`stale`](Self::stale) returns.
    pub fn remove(&mut self, stale: &[Known]) {
        for known in stale {
            let Some(file) = self.entries.get_mut(&known.file) else {
                continue;
            };
            if let Some(entries) = file.get_mut(&known.reference) {
                entries.retain(|entry| entry.rule.id() != known.rule);
            }
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        let references = self.entries.values().flat_map(BTreeMap::values);
        references.map(Vec::len).sum()
    }

    /// Returns true if there are no known failures.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the baseline to a temporary file beside the old one, and then renames it.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; the old file is then unchanged.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, |out| self.write_to(out))
    }

    /// Writes the lines, sorted by file, reference and rule.
    ///
    /// # Errors
    ///
    /// Fails if writing to `out` fails.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for (file, references) in &self.entries {
            for (reference, entries) in references {
                for entry in entries {
                    let known = KnownRef {
                        rule: entry.rule.id(),
                        file,
                        reference,
                    };
                    serde_json::to_writer(&mut *out, &known)?;
                    out.write_all(b"\n")?;
                }
            }
        }
        Ok(())
    }
}

impl Known {
    /// Returns the finding about a stale entry.
    pub fn finding(&self) -> Finding {
        Finding {
            rule: Rule::BaselineStale,
            message: format!(
                "the baseline expects {} for {} in {}, but this no longer occurs",
                self.rule, self.reference, self.file
            ),
            suggestion: None,
        }
    }
}

/// Returns a path without `./`, so that `uri check .` and `uri check *` share a baseline.
fn plain(file: &str) -> &str {
    file.strip_prefix("./").unwrap_or(file)
}

/// An entry that borrows its strings.
#[derive(Serialize)]
struct KnownRef<'a> {
    rule: &'a str,
    file: &'a str,
    reference: &'a str,
}

/// A line that contains a known rule.
#[derive(Deserialize)]
#[serde(try_from = "Known")]
struct Line(Rule, Known);

impl TryFrom<Known> for Line {
    type Error = urikit::UnknownName;

    fn try_from(known: Known) -> Result<Self, urikit::UnknownName> {
        Ok(Self(known.rule.parse()?, known))
    }
}
