//! `--max-age` and `--fail-after`: ages in days, and streaks in runs or days.

use jiff::civil::Date;
use std::fmt;
use std::str::FromStr;

/// The age limits of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ages {
    /// The age in days at which a successful link is requested again (`--max-age`).
    pub max_age: u32,
    /// The length a streak of failures must have before a failure counts (`--fail-after`).
    pub fail_after: FailAfter,
}

impl Default for Ages {
    /// Results expire after seven days, and a link is reported after its first failure.
    fn default() -> Self {
        Self {
            max_age: 7,
            fail_after: FailAfter::Runs(1),
        }
    }
}

impl Ages {
    /// Returns true if a URL with a result from this day need not be requested again. A day in the
    /// future comes from a wrong clock, and never counts as recent.
    pub(super) fn is_young(self, day: Date, today: Date) -> bool {
        days_between(day, today).is_some_and(|age| age < self.max_age)
    }

    /// Returns true if half of the age limit has passed, so that rewriting the line is worthwhile.
    pub(super) fn is_half_over(self, day: Date, today: Date) -> bool {
        days_between(day, today).is_none_or(|age| age > 0 && age.saturating_mul(2) >= self.max_age)
    }
}

/// Returns the number of days from one day to a later one.
pub(super) fn days_between(day: Date, today: Date) -> Option<u32> {
    u32::try_from((today - day).get_days()).ok()
}

/// The length a streak of failures must have before a failure counts.
///
/// ```
/// use urikit_check::store::FailAfter;
/// assert_eq!("3".parse(), Ok(FailAfter::Runs(3)));
/// assert_eq!("7d".parse(), Ok(FailAfter::Days(7)));
/// assert_eq!(
///     "0".parse::<FailAfter>().unwrap_err().to_string(),
///     "expected a number of runs such as 3, or of days such as 7d"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailAfter {
    /// Failures in this many consecutive runs.
    Runs(u32),
    /// A streak of failures that began this number of days ago.
    Days(u32),
}

impl FromStr for FailAfter {
    type Err = AgeError;

    fn from_str(text: &str) -> Result<Self, AgeError> {
        if let Some(days) = text.strip_suffix('d') {
            let days = number(days).ok_or(AgeError::FailAfter)?;
            return Ok(Self::Days(days));
        }
        let runs = number(text).filter(|runs| *runs > 0);
        runs.map(Self::Runs).ok_or(AgeError::FailAfter)
    }
}

/// Reads an age such as `7d`.
///
/// ```
/// use urikit_check::store::parse_days;
/// assert_eq!(parse_days("7d"), Ok(7));
/// assert_eq!(parse_days("7h").unwrap_err().to_string(), "expected a number of days such as 7d");
/// ```
///
/// # Errors
///
/// Fails unless the text is a number followed by `d`, or `0`.
pub fn parse_days(text: &str) -> Result<u32, AgeError> {
    let days = text.strip_suffix('d').or((text == "0").then_some(text));
    days.and_then(number).ok_or(AgeError::Days)
}

/// Reads digits without a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// An age that is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgeError {
    /// For `--max-age`.
    Days,
    /// For `--fail-after`.
    FailAfter,
}

impl fmt::Display for AgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Days => "expected a number of days such as 7d",
            Self::FailAfter => "expected a number of runs such as 3, or of days such as 7d",
        })
    }
}

impl std::error::Error for AgeError {}
