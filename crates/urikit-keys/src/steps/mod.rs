//! Canonicalization by named steps. Each changes what a reference identifies, by its standard, so
//! none is applied unless it is asked for.

mod apply;
mod table;

pub use apply::Canonicalizer;
pub use table::{session_parameters, tracking_parameters};

use std::fmt;
use std::str::FromStr;

/// A step of canonicalization: something that many sites ignore, and that some do not.
///
/// The normal form of RFC 3986, which changes nothing of what a reference identifies, is not among
/// them: [`normalize`](urikit::AnyRef::normalize) first where it is wanted.
///
/// The sources are `canonicalize_url` of w3lib, which Scrapy uses
/// (<https://w3lib.readthedocs.io/>), and the canonicalization of Google's Safe Browsing
/// (<https://developers.google.com/safe-browsing/v4/urls-hashing>).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Dots at both ends of the host are removed, and a run of dots becomes one (Safe Browsing).
    TrimHostDots,
    /// A first label `www` of the host is removed, if two labels follow it.
    StripWww,
    /// The userinfo is removed (Safe Browsing).
    DropUserinfo,
    /// A run of slashes in the path becomes one (Safe Browsing).
    CollapseSlashes,
    /// A slash at the end of the path is removed, unless it is all of it.
    DropTrailingSlash,
    /// Parameters with identifiers of sessions are removed, from the query and from the segments of
    /// the path (`;jsessionid=…`): those of [`session_parameters`].
    StripSessionIds,
    /// Query parameters that only track people are removed: those of [`tracking_parameters`].
    StripTracking,
    /// Query parameters without a value, or with an empty one, are removed (w3lib, with
    /// `keep_blank_values=False`).
    DropBlankValues,
    /// The parameters of the query are sorted, by name and then by value, as written (w3lib, which
    /// sorts them decoded). Some sites need their order.
    SortQuery,
    /// A `?` with nothing after it is removed (w3lib).
    DropEmptyQuery,
    /// The fragment is removed (w3lib, with `keep_fragments=False`; Safe Browsing).
    DropFragment,
}

impl Step {
    /// All steps, in the order in which they are applied.
    pub const ALL: [Self; 11] = [
        Self::TrimHostDots,
        Self::StripWww,
        Self::DropUserinfo,
        Self::CollapseSlashes,
        Self::DropTrailingSlash,
        Self::StripSessionIds,
        Self::StripTracking,
        Self::DropBlankValues,
        Self::SortQuery,
        Self::DropEmptyQuery,
        Self::DropFragment,
    ];

    /// The name, such as `sort-query`: what [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrimHostDots => "trim-host-dots",
            Self::StripWww => "strip-www",
            Self::DropUserinfo => "drop-userinfo",
            Self::CollapseSlashes => "collapse-slashes",
            Self::DropTrailingSlash => "drop-trailing-slash",
            Self::StripSessionIds => "strip-session-ids",
            Self::StripTracking => "strip-tracking",
            Self::DropBlankValues => "drop-blank-values",
            Self::SortQuery => "sort-query",
            Self::DropEmptyQuery => "drop-empty-query",
            Self::DropFragment => "drop-fragment",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not a [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownStep;

impl fmt::Display for UnknownStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of")?;
        for (index, step) in Step::ALL.iter().enumerate() {
            write!(f, "{} {step}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownStep {}

impl FromStr for Step {
    type Err = UnknownStep;

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        let is_it = |step: &Self| step.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_it).ok_or(UnknownStep)
    }
}

/// Which steps are applied; none by default. The order in which they are named does not matter.
///
/// ```
/// use urikit_keys::{Step, Steps};
/// let steps: Steps = "drop-fragment,sort-query".parse()?;
/// assert_eq!(steps, Steps::NONE.with(Step::SortQuery).with(Step::DropFragment));
/// assert!(Steps::default().is_empty());
/// # Ok::<(), urikit_keys::UnknownStep>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Steps(u16);

impl Steps {
    /// No step.
    pub const NONE: Self = Self(0);

    /// These, and one more.
    #[must_use]
    pub const fn with(self, step: Step) -> Self {
        Self(self.0 | 1 << step as u16)
    }

    /// Whether a step is applied.
    pub const fn contains(self, step: Step) -> bool {
        self.0 & 1 << step as u16 != 0
    }

    /// Whether none is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Step> for Steps {
    fn from_iter<T: IntoIterator<Item = Step>>(steps: T) -> Self {
        steps.into_iter().fold(Self::NONE, Self::with)
    }
}

impl FromStr for Steps {
    type Err = UnknownStep;

    /// Reads names, with commas between them; an empty text is no step.
    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        let names = (!text.is_empty()).then(|| text.split(','));
        names.into_iter().flatten().map(str::parse).collect()
    }
}
