//! Comparisons: the level at which two references are equivalent, and their differences.

mod differences;

use crate::Reader;
use crate::input::{Given, Unparsed};
use crate::reading::{Failure, Reading};
use crate::record::{ErrorOfTwo, RepairsOfTwo, TextKeys};
pub use differences::Difference;
use differences::differences;
use std::borrow::Cow;
use std::str::FromStr;
use urikit::UnknownName;
use urikit::op::Equivalence;
use urikit_access::mask::unescaped;

/// A difference that comparisons may ignore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignored {
    /// The fragment.
    Fragment,
    /// The order of the pairs that `&` separates.
    QueryOrder,
}

impl Ignored {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Fragment, Self::QueryOrder];

    /// Returns the name: `fragment` or `query-order`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fragment => "fragment",
            Self::QueryOrder => "query-order",
        }
    }
}

impl FromStr for Ignored {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &urikit::names_of_all!(Ignored, name);
        let found = Self::ALL.into_iter().find(|ignored| ignored.name() == text);
        found.ok_or(UnknownName::new("difference", NAMES))
    }
}

/// Compares references under a standard.
///
/// ```
/// use urikit_report::compare::Compare;
/// use urikit_report::input::Given;
/// let pair = ["http://example.com", "HTTP://EXAMPLE.com:80/"].map(Given::from);
/// let comparison = Compare::default().compare(pair);
/// assert_eq!(comparison.by.unwrap().name(), "scheme");
/// ```
#[derive(Clone, Default, Debug)]
pub struct Compare {
    /// The standard.
    pub reader: Reader,
    /// The differences to ignore.
    pub ignore: Vec<Ignored>,
    /// True to list the differences between references that are not equivalent.
    pub diff: bool,
}

/// The result of a comparison.
pub struct Comparison<'a> {
    inputs: [Given<'a>; 2],
    reader: Reader,
    has_list: bool,
    /// True if both references are valid.
    pub is_valid: bool,
    /// The level at which the references are equivalent; `None` if they differ or one is invalid.
    pub by: Option<Equivalence>,
    /// The differences, if they were requested.
    pub differences: Vec<Difference>,
    /// The errors of both references.
    pub failures: [Option<Failure>; 2],
}

impl Compare {
    /// Compares two inputs, after their repairs.
    pub fn compare<'a>(&self, inputs: [Given<'a>; 2]) -> Comparison<'a> {
        let references = inputs.map(Given::reference);
        let readings = references.map(|reference| self.reader.read(reference));
        let failures = readings.each_ref().map(Reading::failure);
        let is_valid = failures.iter().all(Option::is_none);
        let compared = references.map(|reference| without(&self.ignore, reference.to_text()));
        let [a, b] = &compared;
        let readings = [a, b].map(|text| self.reader.read(text.as_ref()));
        let by = is_valid.then(|| equivalence(&readings, a == b)).flatten();
        let has_differences = self.diff && is_valid && by.is_none();
        Comparison {
            inputs,
            reader: self.reader,
            has_list: self.diff && is_valid,
            is_valid,
            by,
            differences: if has_differences {
                differences(&readings)
            } else {
                Vec::new()
            },
            failures,
        }
    }
}

impl Comparison<'_> {
    /// Returns what the command prints without `--json`: the level, or the lines of the
    /// differences. Returns `None` if a reference is invalid.
    pub fn plain(&self) -> Option<String> {
        if !self.is_valid {
            return None;
        }
        if !self.has_list {
            return Some(self.word().to_owned());
        }
        let lines = self.differences.iter().map(|difference| {
            let [(component, _), (a, _), (b, _)] = difference.cells();
            [component, a, b].join("\t")
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the name of the level, or `different`.
    pub fn word(&self) -> &'static str {
        self.by.map_or("different", Equivalence::name)
    }

    /// Returns the comparison as a record.
    pub fn record(&self) -> ComparisonRecord<'_> {
        let [a, b] = self.inputs;
        ComparisonRecord {
            a: TextKeys::lossy(["a", "a_base64"], a.unparsed),
            b: TextKeys::lossy(["b", "b_base64"], b.unparsed),
            repairs: RepairsOfTwo::new([a.repairs, b.repairs]),
            standard: self.reader.name(),
            valid: self.is_valid,
            equivalent: self.is_valid.then_some(self.by.is_some()),
            by: self.by.map(Equivalence::name),
            differences: self.has_list.then_some(self.differences.as_slice()),
            error: ErrorOfTwo::new(self.failures.each_ref().map(Option::as_ref)),
        }
    }
}

/// Returns the level at which two references are equivalent. Browsers know only two levels: equal
/// text, and equal serialized URLs, which are always normalized.
fn equivalence([a, b]: &[Reading<'_>; 2], is_identical: bool) -> Option<Equivalence> {
    match (a.reference(), b.reference()) {
        (Some(a), Some(b)) => a.compare(b),
        _ if is_identical => Some(Equivalence::Identical),
        _ => (a.href() == b.href()).then_some(Equivalence::Scheme),
    }
}

/// Returns a reference without the ignored differences. Under all standards, `#` begins the
/// fragment, and the first `?` before it begins the query.
fn without<'a>(ignore: &[Ignored], text: Cow<'a, str>) -> Cow<'a, str> {
    if ignore.is_empty() {
        return text;
    }
    let (rest, fragment) = match text.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (text.as_ref(), None),
    };
    let fragment = fragment.filter(|_| !ignore.contains(&Ignored::Fragment));
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) if ignore.contains(&Ignored::QueryOrder) => (rest, Some(query)),
        _ => (rest, None),
    };
    let mut kept = rest.to_owned();
    if let Some(query) = query {
        let mut pairs: Vec<_> = query.split('&').collect();
        // Escapes must not affect the order, so the decoded pairs are compared.
        pairs.sort_by_cached_key(|pair| {
            let octets = unescaped(pair.as_bytes()).map(|(_, octet)| octet);
            octets.collect::<Vec<_>>()
        });
        kept.push('?');
        kept.push_str(&pairs.join("&"));
    }
    if let Some(fragment) = fragment {
        kept.push('#');
        kept.push_str(fragment);
    }
    Cow::Owned(kept)
}

/// A comparison as a record.
#[derive(serde::Serialize)]
pub struct ComparisonRecord<'a> {
    #[serde(flatten)]
    a: TextKeys<'a>,
    #[serde(flatten)]
    b: TextKeys<'a>,
    #[serde(flatten)]
    repairs: Option<RepairsOfTwo<'a>>,
    standard: &'static str,
    valid: bool,
    equivalent: Option<bool>,
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<&'a [Difference]>,
    error: Option<ErrorOfTwo>,
}

impl<'a> ComparisonRecord<'a> {
    /// Describes a line that does not contain two references.
    pub fn without_pair(input: Unparsed<'a>, reader: Reader, failure: &Failure) -> Self {
        Self {
            a: TextKeys::lossy(["a", "a_base64"], input),
            b: TextKeys::exact(["b", "b_base64"], None),
            repairs: None,
            standard: reader.name(),
            valid: false,
            equivalent: None,
            by: None,
            differences: None,
            error: ErrorOfTwo::new([Some(failure), None]),
        }
    }
}
