//! One line of a store, and how a result changes it.

use super::age::{Ages, days_between};
use super::verdict::Stored;
use crate::{Finding, Outcome, OutcomeKind, Probed, Rule, Validators};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The longest validator that is stored, in bytes. Longer validators would only waste space.
const MAX_VALIDATOR: usize = 256;

/// One line of the store, without its URL.
///
/// INVARIANT: `outcome` is not `NotChecked`. If the outcome is ok, the entry contains the day of
/// the last success and no streak; otherwise, it contains the day of the last check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    state: State,
    first: Option<Date>,
    streak: u32,
    since: Option<Date>,
    redirected: Option<Box<str>>,
    findings: Vec<Note>,
    validators: Validators,
    fragments: BTreeSet<Box<str>>,
}

/// The last outcome with its day.
#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    Ok {
        last: Date,
    },
    Failed {
        last: Option<Date>,
        checked: Date,
        is_broken: bool,
        reason: Box<str>,
    },
}

/// A finding without the suggestion, which depends on the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    rule: Box<str>,
    message: Box<str>,
}

impl Entry {
    /// Creates the entry of a URL that the store does not contain.
    pub(super) fn new(observed: &Probed, today: Date) -> Self {
        let blank = Self {
            state: State::Ok { last: today },
            first: None,
            streak: 0,
            since: None,
            redirected: None,
            findings: Vec::new(),
            validators: Validators::default(),
            fragments: BTreeSet::new(),
        };
        blank.with(observed, None, today)
    }

    /// Returns the entry with a new result. `last` is the day of the last success before this
    /// result.
    fn with(&self, observed: &Probed, last: Option<Date>, today: Date) -> Self {
        let redirected = observed.redirected.as_deref().map(Box::from);
        let mut entry = Self {
            redirected,
            findings: notes(&observed.findings),
            ..self.clone()
        };
        let Some(reason) = observed.outcome.reason() else {
            entry.state = State::Ok { last: today };
            entry.first = Some(self.first.unwrap_or(today));
            (entry.streak, entry.since) = (0, None);
            if !observed.not_modified {
                entry.validators = short(observed.validators.as_ref());
                // The run adds the fragments that it finds.
                entry.fragments.clear();
            }
            return entry;
        };
        let is_broken = observed.outcome.kind() == OutcomeKind::Broken;
        entry.state = State::Failed {
            last,
            checked: today,
            is_broken,
            reason: Box::from(reason.to_string()),
        };
        if is_broken {
            entry.streak = self.streak.saturating_add(1);
            entry.since = Some(self.since.unwrap_or(today));
        }
        entry.validators = Validators::default();
        entry.fragments.clear();
        entry
    }

    /// Returns the new entry to store, or `None` if the old line can stay: its outcome is the same,
    /// and less than half of its age limit has passed. A streak is counted up to the number of runs
    /// that `--fail-after` specifies.
    pub(super) fn updated(&self, observed: &Probed, ages: Ages, today: Date) -> Option<Self> {
        if observed.outcome.kind() == OutcomeKind::NotChecked {
            return None;
        }
        let new = self.with(observed, self.last(), today);
        let is_same = self.kind() == new.kind()
            && self.reason() == new.reason()
            && self.redirected == new.redirected
            && self.findings == new.findings;
        let counts = new.streak > self.streak && !ages.counts(self.streak, None);
        (!is_same || counts || ages.is_half_over(self.day(), today)).then_some(new)
    }

    /// Returns the outcome to report for a result that is already part of the entry.
    pub(super) fn reported(&self, observed: &Probed, ages: Ages, today: Date) -> Outcome {
        match &observed.outcome {
            Outcome::Broken(reason) => match self.patience(ages, today) {
                Some(patience) => Stored::not_yet(&reason.to_string(), &patience),
                None => observed.outcome.clone(),
            },
            outcome => outcome.clone(),
        }
    }

    /// Describes the streak if it is too short for a failure to count.
    pub(super) fn patience(&self, ages: Ages, today: Date) -> Option<String> {
        let since = self.since?;
        let days = days_between(since, today).unwrap_or(0);
        if ages.counts(self.streak, Some(days)) {
            return None;
        }
        Some(ages.describe(self.streak, since))
    }

    pub(super) const fn kind(&self) -> OutcomeKind {
        match self.state {
            State::Ok { .. } => OutcomeKind::Ok,
            State::Failed {
                is_broken: true, ..
            } => OutcomeKind::Broken,
            State::Failed { .. } => OutcomeKind::Unverifiable,
        }
    }

    /// Returns the reason for a failure.
    pub(super) fn reason(&self) -> Option<&str> {
        match &self.state {
            State::Ok { .. } => None,
            State::Failed { reason, .. } => Some(reason),
        }
    }

    /// Returns the day of the last success.
    const fn last(&self) -> Option<Date> {
        match self.state {
            State::Ok { last } => Some(last),
            State::Failed { last, .. } => last,
        }
    }

    /// Returns the day of the last success or, for a failure, of the last check.
    pub(super) const fn day(&self) -> Date {
        match self.state {
            State::Ok { last } => last,
            State::Failed { checked, .. } => checked,
        }
    }

    pub(super) fn has_fragments(&self, fragments: &[String]) -> bool {
        fragments.iter().all(|fragment| self.has_fragment(fragment))
    }

    /// Returns true if the page contained this fragment.
    pub(super) fn has_fragment(&self, fragment: &str) -> bool {
        self.fragments.contains(fragment)
    }

    /// Adds a fragment, and returns true if it is new.
    pub(super) fn add_fragment(&mut self, fragment: &str) -> bool {
        self.fragments.insert(Box::from(fragment))
    }

    pub(super) fn validators(&self) -> Option<Validators> {
        (self.validators != Validators::default()).then(|| self.validators.clone())
    }

    /// Returns the result of an ok entry.
    pub(super) fn stored(&self) -> Stored {
        let finding = |note: &Note| {
            Some(Finding {
                rule: note.rule.parse::<Rule>().ok()?,
                message: note.message.to_string(),
                suggestion: None,
            })
        };
        Stored {
            outcome: Outcome::Ok,
            findings: self.findings.iter().filter_map(finding).collect(),
            redirected: self.redirected.as_deref().map(str::to_owned),
            missing_fragments: Vec::new(),
        }
    }

    /// Writes the line.
    pub(super) fn write(&self, url: &str, out: &mut dyn Write) -> io::Result<()> {
        let checked = match self.state {
            State::Ok { .. } => None,
            State::Failed { checked, .. } => Some(checked.to_string()),
        };
        let day = |day: Option<Date>| day.map(|day| day.to_string());
        let written = Written {
            url: Box::from(url),
            outcome: Box::from(self.kind().name()),
            reason: self.reason().map(Box::from),
            checked,
            first: day(self.first),
            last: day(self.last()),
            streak: self.streak,
            since: day(self.since),
            redirected: self.redirected.clone(),
            findings: self.findings.clone(),
            etag: self.validators.etag.clone(),
            modified: self.validators.modified.clone(),
            fragments: self.fragments.clone(),
        };
        serde_json::to_writer(&mut *out, &written)?;
        out.write_all(b"\n")
    }
}

impl Ages {
    /// Returns true if a streak of this many runs, or days, is long enough. If `days` is `None`, a
    /// limit in days counts as reached.
    fn counts(self, streak: u32, days: Option<u32>) -> bool {
        match self.fail_after {
            super::FailAfter::Runs(runs) => streak >= runs,
            super::FailAfter::Days(limit) => days.is_none_or(|days| days >= limit),
        }
    }

    /// Describes a streak that is too short.
    fn describe(self, streak: u32, since: Date) -> String {
        match self.fail_after {
            super::FailAfter::Runs(runs) => format!("failure {streak} of {runs}"),
            super::FailAfter::Days(days) => {
                format!("since {since}, which is less than {days} days ago")
            }
        }
    }
}

/// Keeps the rules and messages of findings.
fn notes(findings: &[Finding]) -> Vec<Note> {
    let note = |finding: &Finding| Note {
        rule: Box::from(finding.rule.id()),
        message: Box::from(&*finding.message),
    };
    findings.iter().map(note).collect()
}

/// Leaves out validators that are too long.
fn short(validators: Option<&Validators>) -> Validators {
    let validators = validators.cloned().unwrap_or_default();
    let short = |value: Option<String>| value.filter(|value| value.len() <= MAX_VALIDATOR);
    Validators {
        etag: short(validators.etag),
        modified: short(validators.modified),
    }
}

/// The line as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    url: Box<str>,
    outcome: Box<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    streak: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redirected: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Note>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    fragments: BTreeSet<Box<str>>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(streak: &u32) -> bool {
    *streak == 0
}

/// A line of the file that satisfies the invariants of [`Entry`].
#[derive(Deserialize)]
#[serde(try_from = "Written")]
pub(super) struct Line {
    pub(super) url: Box<str>,
    pub(super) entry: Entry,
}

impl TryFrom<Written> for Line {
    type Error = &'static str;

    fn try_from(line: Written) -> Result<Self, &'static str> {
        let [checked, first, last, since] = [line.checked, line.first, line.last, line.since]
            .map(|day| day.map(|day| day.parse::<Date>()).transpose());
        let bad = |_| "expected a day such as 2026-11-23";
        let (checked, first) = (checked.map_err(bad)?, first.map_err(bad)?);
        let (last, since) = (last.map_err(bad)?, since.map_err(bad)?);
        let is_broken = &*line.outcome == OutcomeKind::Broken.name();
        let state = match &*line.outcome {
            "ok" if line.streak == 0 && since.is_none() => State::Ok {
                last: last.ok_or("an ok outcome without a day")?,
            },
            "broken" if line.streak == 0 || since.is_none() => {
                return Err("a broken outcome without a streak of failures");
            }
            "broken" | "unverifiable" => State::Failed {
                last,
                checked: checked.ok_or("a failure without a day")?,
                is_broken,
                reason: line.reason.ok_or("a failure without a reason")?,
            },
            "ok" => return Err("an ok outcome with a streak of failures"),
            _ => return Err("expected the outcome ok, broken or unverifiable"),
        };
        let entry = Entry {
            state,
            first,
            streak: line.streak,
            since,
            redirected: line.redirected,
            findings: line.findings,
            validators: Validators {
                etag: line.etag,
                modified: line.modified,
            },
            fragments: line.fragments,
        };
        Ok(Self {
            url: line.url,
            entry,
        })
    }
}
