//! The severity of each rule.

use crate::Rule;
use std::fmt;
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Not reported.
    Off,
    /// For information.
    Note,
    /// Probably a mistake.
    Warning,
    /// A mistake. By default, errors fail a run.
    Error,
}

impl Severity {
    /// All severities, lowest first.
    pub const ALL: [Self; 4] = [Self::Off, Self::Note, Self::Warning, Self::Error];

    /// Returns the name, as in `--severity RULE=NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Severity {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Severity, name);
        let known = Self::ALL.into_iter().find(|value| value.name() == name);
        known.ok_or(UnknownName::new("severity", NAMES))
    }
}

/// The severity of each rule: the default, unless it was changed.
///
/// ```
/// use urikit_check::{Rule, Severities, Severity};
/// let mut severities = Severities::default();
/// assert_eq!(severities.of(Rule::Insecure), Severity::Off);
/// severities.set(Rule::Insecure, Severity::Warning);
/// assert_eq!(severities.of(Rule::Insecure), Severity::Warning);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Severities {
    changed: Vec<(Rule, Severity)>,
}

impl Severities {
    /// Returns the severity of a rule.
    pub fn of(&self, rule: Rule) -> Severity {
        let changed = self.changed.iter().find(|(other, _)| *other == rule);
        changed.map_or(rule.default_severity(), |(_, severity)| *severity)
    }

    /// Changes the severity of a rule.
    pub fn set(&mut self, rule: Rule, severity: Severity) {
        self.changed.retain(|(other, _)| *other != rule);
        self.changed.push((rule, severity));
    }
}
