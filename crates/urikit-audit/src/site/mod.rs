//! Decides whether a target, such as that of a redirect, stays on the site of its base.

mod origin;
mod plain;
mod resolve;

use crate::agree::{Agreement, Part, Voice, agree};
use crate::finding::{Code, Finding, Findings};
use crate::reading::{Reading, Rejection};
use origin::Origin;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use urikit::UnknownName;

/// The part of the base that a target must keep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keep {
    /// The scheme, the host and the port.
    #[default]
    Origin,
    /// The registrable domain, private suffixes included: `a.github.io` is not `b.github.io`. The
    /// port may differ, and the scheme may change from http to https. Addresses and names without a
    /// registrable domain must be equal.
    Domain,
}

impl Keep {
    /// The names of the values: `origin` and `domain`.
    pub const NAMES: &[&str] = &["origin", "domain"];

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Domain => "domain",
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Keep {
    type Err = UnknownName;

    /// Parses a lower-case [name](Self::as_str).
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Origin, Self::Domain].into_iter();
        let mut all = all.filter(|keep| keep.as_str() == text);
        all.next()
            .ok_or(UnknownName::new("part of a site", Self::NAMES))
    }
}

/// Decides whether a target, such as that of a redirect or a link, stays on the site of a base.
///
/// Resolves the target against the base as each of the readers in [`VOTERS`](crate::VOTERS) does.
/// The target passes only if `rfc3986` and `whatwg` accept it, and every reader that accepts it
/// keeps the origin or the domain. A rejection by any other reader is ignored.
///
/// `target` is the exact text that goes into `Location` or `href`. The target is not trimmed,
/// decoded or repaired first. The time is linear in the length of both strings.
///
/// ```
/// use urikit_audit::{Keep, same_site};
/// let base = "https://good.example/login";
/// let passes = |target| same_site(base, target, Keep::Origin).unwrap().passes();
/// assert!(passes("/account?from=login"));
/// assert!(passes("https://good.example/account"));
/// assert!(!passes("//evil.example/"));
/// assert!(!passes("/\\evil.example/")); // a browser reads `\` as `/`
/// assert!(!passes("///evil.example/")); // a browser ignores additional slashes
/// assert!(!passes("https://good.example@evil.example/"));
///
/// let passes = |target| same_site(base, target, Keep::Domain).unwrap().passes();
/// assert!(passes("https://www.good.example:8443/"));
/// assert!(!passes("http://good.example/"));
/// ```
///
/// # Errors
///
/// Fails unless the base is an absolute http or https URL without userinfo on which all readers
/// agree.
pub fn same_site<'a>(
    base: &'a str,
    target: &'a str,
    keep: Keep,
) -> Result<SameSite<'a>, BaseError> {
    if let Some(passes) = plain::passes(base, target, keep) {
        return Ok(SameSite {
            base,
            target,
            keep,
            passes,
            readings: None,
        });
    }
    check_base(base)?;
    let readings = readings(base, target, keep);
    Ok(SameSite {
        base,
        target,
        keep,
        passes: passes(&readings),
        readings: Some(readings),
    })
}

/// Returns true if both standards accept the target and no reader leaves the site.
fn passes(readings: &[Resolved]) -> bool {
    let is_standard = |resolved: &&Resolved| ["rfc3986", "whatwg"].contains(&resolved.reader);
    let mut standards = readings.iter().filter(is_standard);
    let mut all = readings
        .iter()
        .filter_map(|resolved| resolved.outcome.as_ref().ok());
    standards.all(|resolved| resolved.outcome.is_ok()) && all.all(Destination::keeps)
}

/// The decision about a target, and each reader's destination. See [`same_site`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct SameSite<'a> {
    base: &'a str,
    target: &'a str,
    keep: Keep,
    passes: bool,
    /// `None` for a plain target until a caller asks for the answers.
    readings: Option<Vec<Resolved>>,
}

/// The answer from one reader about a target.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resolved {
    /// The reader's name.
    pub reader: &'static str,
    /// The destination that the reader finds, or the reason why the reader rejects the target.
    ///
    /// `legacy-ipv4` rejects the target unless another reader finds a host that `inet_aton` reads
    /// as an address.
    pub outcome: Result<Destination, Rejection>,
}

/// A finding, and the reader whose resolved target contains it. See [`SameSite::audit`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Located {
    /// The first reader whose target has the finding, or `None` for a finding about the target as a
    /// whole.
    pub reader: Option<&'static str>,
    /// The finding. The offset of the finding refers to the target that the reader resolved, and is
    /// 0 if `reader` is `None`.
    pub finding: Finding,
    /// A sentence that describes the finding.
    pub message: Cow<'static, str>,
}

/// The URL to which a reader resolves the target.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Destination {
    /// The resolved target, as the reader writes it.
    pub target: String,
    /// The components of the resolved target.
    pub reading: Reading<'static>,
    departure: Option<Departure>,
}

/// The reason why a destination is not on the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Departure {
    /// The destination has another host or port, or a scheme other than http and https.
    leaves: bool,
    /// The base has the scheme https, and the destination has another scheme.
    is_downgrade: bool,
}

impl Destination {
    /// Returns whether the destination keeps the origin or the domain of the base.
    pub const fn keeps(&self) -> bool {
        self.departure.is_none()
    }
}

impl SameSite<'_> {
    /// Returns whether the target stays on the site.
    pub const fn passes(&self) -> bool {
        self.passes
    }

    /// Returns the base.
    pub const fn base(&self) -> &str {
        self.base
    }

    /// Returns the target as given.
    pub const fn target(&self) -> &str {
        self.target
    }

    /// Returns the destinations of the [`VOTERS`](crate::VOTERS), in their order.
    ///
    /// ```
    /// use urikit_audit::{Keep, same_site};
    /// let answer = same_site("https://good.example/", "///evil.example", Keep::Origin)?;
    /// let readings = answer.readings();
    /// let target = |reader: &str| {
    ///     let resolved = readings.iter().find(|resolved| resolved.reader == reader).unwrap();
    ///     resolved.outcome.as_ref().unwrap().target.clone()
    /// };
    /// assert_eq!(target("rfc3986"), "https:///evil.example");
    /// assert_eq!(target("whatwg"), "https://evil.example/");
    /// assert_eq!(target("urllib"), "https://good.example/evil.example");
    /// # Ok::<(), urikit_audit::BaseError>(())
    /// ```
    pub fn readings(&self) -> Cow<'_, [Resolved]> {
        match &self.readings {
            Some(readings) => Cow::Borrowed(readings),
            None => Cow::Owned(readings(self.base, self.target, self.keep)),
        }
    }

    /// Returns the findings about the complete target: [`Code::LeavesSite`], [`Code::Downgrade`],
    /// the disagreements of readers about the resolved target, and [`Code::Invalid`]. The offsets
    /// of these findings are 0.
    ///
    /// If the target does not pass, the result contains at least one finding.
    /// [`audit`](crate::audit()) finds the dangers of each resolved target.
    ///
    /// ```
    /// use urikit_audit::{Code, Keep, same_site};
    /// let answer = same_site("https://good.example/", "http://good.example/", Keep::Domain)?;
    /// assert!(answer.findings().contains(Code::Downgrade));
    /// assert!(!answer.findings().contains(Code::LeavesSite));
    /// # Ok::<(), urikit_audit::BaseError>(())
    /// ```
    pub fn findings(&self) -> Findings {
        let readings = self.readings();
        let mut found = Findings::default();
        for destination in readings.iter().flat_map(|resolved| &resolved.outcome) {
            let Some(departure) = destination.departure else {
                continue;
            };
            if departure.leaves {
                found.add(Code::LeavesSite, 0);
            }
            if departure.is_downgrade {
                found.add(Code::Downgrade, 0);
            }
        }
        let agreement = agreement(&readings);
        for part in agreement.disputed().iter() {
            let code = match part {
                Part::Validity => Code::ValidityDisagreement,
                Part::Scheme => Code::SchemeDisagreement,
                Part::Userinfo => Code::UserinfoDisagreement,
                Part::Host => Code::HostDisagreement,
                Part::Port => Code::PortDisagreement,
            };
            found.add(code, 0);
        }
        let is_rejected = |reader: &str| matches!(agreement.outcome(reader), Some(Err(_)));
        if is_rejected("rfc3986") && is_rejected("whatwg") {
            found.add(Code::Invalid, 0);
        }
        found
    }

    /// Returns the findings about the target as a whole, then those that [`audit`](crate::audit())
    /// reports for the target of each reader. Each code appears once.
    ///
    /// ```
    /// use urikit_audit::{Code, Keep, same_site};
    /// let answer = same_site("https://good.example/", "//127.1/", Keep::Origin)?;
    /// let findings = answer.audit();
    /// let local = findings.iter().find(|located| located.finding.code == Code::LoopbackAddress);
    /// assert_eq!(local.map(|located| located.reader), Some(Some("rfc3986")));
    /// # Ok::<(), urikit_audit::BaseError>(())
    /// ```
    pub fn audit(&self) -> Vec<Located> {
        let whole = self.findings();
        let mut all: Vec<Located> = whole
            .iter()
            .map(|finding| Located {
                reader: None,
                finding,
                message: Cow::Borrowed(finding.code.sentence()),
            })
            .collect();
        let mut audited: Vec<&str> = Vec::new();
        let readings = self.readings();
        for resolved in readings.iter() {
            let Ok(destination) = &resolved.outcome else {
                continue;
            };
            let target = &*destination.target;
            if audited.contains(&target) {
                continue;
            }
            audited.push(target);
            let report = crate::audit(target);
            for finding in report.findings().iter() {
                if all.iter().all(|one| one.finding.code != finding.code) {
                    all.push(Located {
                        reader: Some(resolved.reader),
                        finding,
                        message: report.message(finding),
                    });
                }
            }
        }
        all
    }

    /// Returns the parts of the resolved target on which readers agree or disagree.
    pub fn agreement(&self) -> Agreement<'static> {
        agreement(&self.readings())
    }
}

/// Compares the destinations as if they were readings of one input.
fn agreement(readings: &[Resolved]) -> Agreement<'static> {
    let voices = readings.iter().map(|resolved| Voice {
        reader: resolved.reader,
        outcome: match &resolved.outcome {
            Ok(destination) => Ok(destination.reading.clone()),
            Err(rejection) => Err(*rejection),
        },
    });
    Agreement::of(voices.collect())
}

/// Resolves the target as each reader does, and compares the results with the base.
fn readings(base: &str, target: &str, keep: Keep) -> Vec<Resolved> {
    let reading = crate::reader::Slices::of(base).reading();
    let origin = Origin::of(&reading);
    let departure = |reading: &Reading<'_>| {
        let Some(base) = &origin else {
            return Some(Departure {
                leaves: true,
                is_downgrade: false,
            }); // INVARIANT: `check_base` found an origin
        };
        base.departure(reading, keep)
    };
    let mut all = resolve::all(base, target);
    let address = resolve::legacy_ipv4(&all, |reading| departure(reading).is_some());
    all.push(("legacy-ipv4", address));
    let resolved = all.into_iter().map(|(reader, outcome)| Resolved {
        reader,
        outcome: outcome.map(|(target, reading)| Destination {
            departure: departure(&reading),
            target,
            reading,
        }),
    });
    resolved.collect()
}

/// Checks that the base is an http(s) URL without userinfo, on which all readers agree.
fn check_base(base: &str) -> Result<(), BaseError> {
    let agreement = agree(base);
    let is_web = |reading: &Reading<'_>| {
        let scheme = reading.scheme.as_deref().unwrap_or_default();
        ["http", "https"]
            .iter()
            .any(|web| scheme.eq_ignore_ascii_case(web))
    };
    // If `rfc3986` or `whatwg` rejects the base, either all readers reject it or they disagree.
    let readings: Vec<_> = agreement.readings().map(|(_, reading)| reading).collect();
    if !readings.iter().any(|reading| is_web(reading)) {
        return Err(BaseError::NotWeb);
    }
    if readings.iter().any(|reading| reading.userinfo.is_some()) {
        return Err(BaseError::Userinfo);
    }
    let has_host = |reading: &Reading<'_>| {
        !reading.has_null_host && reading.host.as_deref().is_some_and(|host| !host.is_empty())
    };
    let is_accepted = agreement.voices().iter().all(|voice| voice.outcome.is_ok());
    if is_accepted && agreement.is_unanimous() && readings.into_iter().all(has_host) {
        Ok(())
    } else {
        Err(BaseError::Disputed)
    }
}

/// The reason why a URL cannot be a base of [`same_site`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum BaseError {
    /// The URL is not an absolute http or https URL.
    NotWeb,
    /// The URL has a userinfo.
    Userinfo,
    /// A reader rejects the URL, finds no host, or finds another host, scheme or port.
    Disputed,
}

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWeb => "the base must be an absolute http or https URL",
            Self::Userinfo => "the base must not contain a user or password",
            Self::Disputed => "the base must be a URL on whose host all readers agree",
        })
    }
}

impl std::error::Error for BaseError {}
