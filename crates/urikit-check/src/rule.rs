//! The rules that links can break.

use crate::Severity;
use std::fmt;
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

/// A rule. Every outcome except ok is also a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// The target does not exist.
    Broken,
    /// The target may exist, but this could not be established.
    Unverifiable,
    /// The link was not checked.
    NotChecked,
    /// The target exists, but does not contain the fragment.
    FragmentMissing,
    /// The server's certificate is not valid.
    Tls,
    /// The target has moved permanently.
    RedirectPermanent,
    /// The server redirects temporarily.
    RedirectTemporary,
    /// The server redirects a page to the home page.
    RedirectHome,
    /// The server redirects to another registrable domain.
    RedirectOtherDomain,
    /// Parsers disagree about the reference.
    Ambiguous,
    /// The target is also available over https.
    Insecure,
    /// The domain is parked.
    Parked,
    /// The server returns 200 for pages that do not exist.
    Soft404,
    /// The file exists, but its name differs in case.
    WrongCase,
    /// The path leads out of the site's folder.
    OutsideSite,
    /// The baseline contains a failure that no longer occurs.
    BaselineStale,
    /// The store has no recent result for the link, and requests are turned off.
    NotInStore,
    /// An exclusion does not exclude anything.
    UnusedExclusion,
    /// The recursion skipped pages of a site that seems to have no end.
    NotFollowed,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 19] = [
        Self::Broken,
        Self::Unverifiable,
        Self::NotChecked,
        Self::FragmentMissing,
        Self::Tls,
        Self::RedirectPermanent,
        Self::RedirectTemporary,
        Self::RedirectHome,
        Self::RedirectOtherDomain,
        Self::Ambiguous,
        Self::Insecure,
        Self::Parked,
        Self::Soft404,
        Self::WrongCase,
        Self::OutsideSite,
        Self::BaselineStale,
        Self::NotInStore,
        Self::UnusedExclusion,
        Self::NotFollowed,
    ];

    /// Returns the identifier, as in reports and configurations.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Unverifiable => "unverifiable",
            Self::NotChecked => "not-checked",
            Self::FragmentMissing => "fragment-missing",
            Self::Tls => "tls",
            Self::RedirectPermanent => "redirect-permanent",
            Self::RedirectTemporary => "redirect-temporary",
            Self::RedirectHome => "redirect-home",
            Self::RedirectOtherDomain => "redirect-other-domain",
            Self::Ambiguous => "ambiguous",
            Self::Insecure => "insecure",
            Self::Parked => "parked",
            Self::Soft404 => "soft-404",
            Self::WrongCase => "wrong-case",
            Self::OutsideSite => "outside-site",
            Self::BaselineStale => "baseline-stale",
            Self::NotInStore => "not-in-store",
            Self::UnusedExclusion => "unused-exclusion",
            Self::NotFollowed => "not-followed",
        }
    }

    /// Returns the default severity of the rule.
    pub const fn default_severity(self) -> Severity {
        match self {
            Self::Broken
            | Self::FragmentMissing
            | Self::Tls
            | Self::WrongCase
            | Self::OutsideSite
            | Self::BaselineStale
            | Self::NotInStore => Severity::Error,
            Self::RedirectHome
            | Self::RedirectOtherDomain
            | Self::Ambiguous
            | Self::UnusedExclusion => Severity::Warning,
            Self::Unverifiable | Self::NotChecked | Self::RedirectPermanent | Self::NotFollowed => {
                Severity::Note
            }
            Self::RedirectTemporary | Self::Insecure | Self::Parked | Self::Soft404 => {
                Severity::Off
            }
        }
    }

    /// Returns one sentence that explains the rule, for reports.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Broken => "The target of the link does not exist.",
            Self::Unverifiable => "The target could not be checked.",
            Self::NotChecked => "The link was not checked.",
            Self::FragmentMissing => "The target does not contain the fragment.",
            Self::Tls => "The server's certificate is not valid.",
            Self::RedirectPermanent => "The target has moved permanently.",
            Self::RedirectTemporary => "The server redirects temporarily.",
            Self::RedirectHome => "The server redirects the page to its home page.",
            Self::RedirectOtherDomain => "The server redirects to another domain.",
            Self::Ambiguous => "Parsers disagree about this reference.",
            Self::Insecure => "The target is also available over https.",
            Self::Parked => "The domain is parked.",
            Self::Soft404 => "The server returns 200 for pages that do not exist.",
            Self::WrongCase => "The file name differs in case.",
            Self::OutsideSite => "The path is outside the site.",
            Self::BaselineStale => "The baseline lists a failure that no longer occurs.",
            Self::NotInStore => "The store has no recent result for the link.",
            Self::UnusedExclusion => "This exclusion matches no link.",
            Self::NotFollowed => "The recursion did not read some pages.",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Rule {
    type Err = UnknownName;

    fn from_str(id: &str) -> Result<Self, UnknownName> {
        const IDS: &[&str] = &names_of_all!(Rule, id);
        let known = Self::ALL.into_iter().find(|rule| rule.id() == id);
        known.ok_or(UnknownName::new("rule", IDS))
    }
}
