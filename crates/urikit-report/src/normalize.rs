//! Normal forms, and the keys that web archives use.

use crate::input::{Given, Unparsed};
use crate::reading::{Failure, Reading};
use crate::record::{ErrorRecord, InputKeys};
use crate::{OptionError, Reader};
use std::str::FromStr;
use urikit::op::Level;
use urikit_keys::{Canonicalizer, Profile, Step, Steps, SurtError, unwrap_redirect};

/// A key that web archives use: `surt` or `surt:PROFILE`.
#[derive(Clone, Copy, Debug)]
pub struct Key(Profile);

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected surt:urikit, surt:ia-python, surt:ia-java or surt:cdxj";
        match text.split_once(':') {
            None if text == "surt" => Ok(Self(Profile::default())),
            Some(("surt", name)) => name.parse().map(Self).map_err(|_| expected().to_owned()),
            _ => Err(expected().to_owned()),
        }
    }
}

impl Key {
    /// Returns the key of an input, or `None` if the input is not UTF-8. The key does not depend on
    /// the standard.
    fn of(self, input: Unparsed<'_>) -> Option<Result<String, Failure>> {
        let key = self.0.surt(input.text?);
        Some(key.map_err(|error| match error {
            SurtError::Syntax(error) => Failure::Rfc(error),
            error => Failure::Other(error.to_string()),
        }))
    }
}

/// Normalizes references under a standard.
///
/// ```
/// use urikit_report::normalize::Normalize;
/// let normal = Normalize::default().normalize("eXAMPLE://a/./b/../b/%63/%7bfoo%7d".into())?;
/// assert_eq!(normal, "example://a/b/c/%7Bfoo%7D"); // RFC 3986, 6.2.2
/// # Ok::<(), urikit_report::reading::Failure>(())
/// ```
#[derive(Clone, Debug)]
pub struct Normalize {
    /// The standard.
    pub reader: Reader,
    /// The level.
    pub level: Level,
    /// The key to compute instead of a normal form.
    pub key: Option<Key>,
    /// The steps to apply after normalization.
    pub steps: Vec<Step>,
}

impl Default for Normalize {
    fn default() -> Self {
        Self {
            reader: Reader::default(),
            level: Level::Scheme,
            key: None,
            steps: Vec::new(),
        }
    }
}

impl Normalize {
    /// Checks whether the standard supports the level.
    ///
    /// # Errors
    ///
    /// Fails if the standard does not support the level.
    pub fn check(&self) -> Result<(), OptionError> {
        if self.reader == Reader::Whatwg && self.level != Level::Scheme {
            let message = "browsers always normalize completely; whatwg supports only --level \
                           scheme";
            return Err(OptionError(message.to_owned()));
        }
        Ok(())
    }

    /// Returns the normal form or key of a reference.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid, or has no key.
    pub fn normalize(&self, input: Unparsed<'_>) -> Result<String, Failure> {
        if let Some(outcome) = self.key.and_then(|key| key.of(input)) {
            return outcome;
        }
        let reading = self.reader.read(input);
        match reading.failure() {
            Some(failure) => Err(failure),
            None => Ok(self.normal(&reading).unwrap_or_default()),
        }
    }

    /// Returns the record of an input.
    pub fn record<'a>(
        &self,
        input: Given<'a>,
        result: Result<&'a str, &Failure>,
    ) -> NormalRecord<'a> {
        let normalized = result.ok();
        NormalRecord {
            input: input.into(),
            standard: self.reader.name(),
            valid: !result.is_err_and(Failure::is_of_input),
            level: self.level.name(),
            surt: self.key.map(|Key(profile)| profile.name()),
            steps: self.steps.iter().map(|step| step.name()).collect(),
            normalized,
            changed: normalized.map(|normal| normal.as_bytes() != input.unparsed.bytes),
            error: result.err().map(ErrorRecord::from),
        }
    }

    /// Returns the normal form of a valid input, after the steps.
    fn normal(&self, reading: &Reading<'_>) -> Option<String> {
        let steps: Steps = self.steps.iter().copied().collect();
        // Unwrapping comes first, because the target must also be normalized.
        let written = match reading.reference() {
            Some(reference) => reference.as_str(),
            None => reading.href()?,
        };
        let is_wrapped = steps.contains(Step::Unwrap);
        if let Some(target) = is_wrapped.then(|| unwrap_redirect(written)).flatten() {
            let steps = steps.without(Step::Unwrap);
            let reading = reading.reader().read(target.as_str());
            return self.stepped(&reading, steps).or(Some(target));
        }
        self.stepped(reading, steps)
    }

    /// Applies these steps to a valid reference, and returns its normal form.
    fn stepped(&self, reading: &Reading<'_>, steps: Steps) -> Option<String> {
        let mut canonicalizer = Canonicalizer::new(steps);
        let Some(reference) = reading.reference() else {
            let href = reading.href()?;
            let mut out = String::with_capacity(href.len());
            canonicalizer.write_split(href, &mut out);
            return Some(out);
        };
        let mut text = String::with_capacity(reference.as_str().len() + 1);
        reference.normalize_into(self.level, &mut text);
        if steps.is_empty() {
            return Some(text);
        }
        let mut out = String::with_capacity(text.len());
        // INVARIANT: a normal form is valid under the production that was used to parse the
        // reference.
        let normal = if reference.is_generic() {
            reference.standard().parse_generic(&text)
        } else {
            reference.standard().parse(&text)
        };
        canonicalizer.write(normal.unwrap_or(reference), &mut out);
        Some(out)
    }
}

/// One result.
#[derive(serde::Serialize)]
pub struct NormalRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    standard: &'static str,
    valid: bool,
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    surt: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<&'static str>,
    normalized: Option<&'a str>,
    changed: Option<bool>,
    error: Option<ErrorRecord>,
}
