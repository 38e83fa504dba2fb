//! Relativizing: the shortest reference that resolves back to a target.
//!
//! No text has an algorithm for it. Here every form that a reference can have (nothing, a fragment,
//! params, a query, a relative path, an absolute path, an authority, the whole target) gives a
//! candidate or two, each candidate is resolved by the standard's own algorithm, and the shortest
//! that gives the target, byte for byte, is the answer. So a wrong candidate costs time and no more.

use super::Options;
use crate::component::{Authority, Encoded};
use crate::standard::Spec;
use crate::{AnyRef, Standard, UriRef, UriRefBuf};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Why there is no reference to a target.
///
/// ```
/// use urikit::op::RelativizeError;
/// use urikit::{Rfc1738, UriRef};
/// let url = UriRef::<Rfc1738>::parse_as("http://a/b")?; // RFC 1738, 2.3, leaves relative forms to others
/// let error = url.relativize(url).unwrap_err();
/// assert_eq!(error, RelativizeError::NoRelativeForms);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RelativizeError {
    /// The base has no scheme.
    BaseIsRelative,
    /// The target has no scheme.
    TargetIsRelative,
    /// The base and the target were read by different standards.
    DifferentStandards {
        /// The base's.
        base: Standard,
        /// The target's.
        target: Standard,
    },
    /// RFC 1738 describes no relative URLs; RFC 1808 does.
    NoRelativeForms,
    /// Nothing resolves to the target: its path has dot segments, which resolving removes.
    NoReference,
}

impl fmt::Display for RelativizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseIsRelative => {
                f.write_str("expected a base with a scheme, but it is relative")
            }
            Self::TargetIsRelative => {
                f.write_str("expected a target with a scheme, but it is relative")
            }
            Self::DifferentStandards { base, target } => write!(
                f,
                "expected one standard, but the base is of {base} and the target of {target}"
            ),
            Self::NoRelativeForms => {
                f.write_str("RFC 1738 describes no relative URLs: use rfc1808 (RFC 1738, 2.3)")
            }
            Self::NoReference => f.write_str(
                "nothing resolves to the target: resolving removes the dot segments of its path",
            ),
        }
    }
}

impl core::error::Error for RelativizeError {}

impl AnyRef<'_> {
    /// Appends to `out` the shortest reference that resolves to this target against `base`.
    ///
    /// ```
    /// use urikit::Standard;
    /// let base = Standard::Rfc3986.parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
    /// let target = Standard::Rfc3986.parse("http://a/b/g?y#s")?;
    /// let mut reference = String::new();
    /// target.relativize_into(base, &mut reference).unwrap();
    /// assert_eq!(reference, "../g?y#s");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`]; `out` is then as it was.
    pub fn relativize_into(
        self,
        base: AnyRef<'_>,
        out: &mut String,
    ) -> Result<(), RelativizeError> {
        if base.standard() != self.standard() {
            return Err(RelativizeError::DifferentStandards {
                base: base.standard(),
                target: self.standard(),
            });
        }
        if self.standard() == Standard::Rfc1738 {
            return Err(RelativizeError::NoRelativeForms);
        }
        if base.scheme().is_none() {
            return Err(RelativizeError::BaseIsRelative);
        }
        if self.scheme().is_none() {
            return Err(RelativizeError::TargetIsRelative);
        }
        let mut candidates = candidates(self, base);
        candidates.sort_by_key(String::len); // stable: the first of equal length stays first
        let mut resolved = String::new();
        let found = candidates.into_iter().find(|candidate| {
            resolved.clear();
            self.standard().parse(candidate).is_ok_and(|reference| {
                let outcome = reference.resolve_into(base, Options::default(), &mut resolved);
                outcome.is_ok() && resolved == self.as_str()
            })
        });
        out.push_str(&found.ok_or(RelativizeError::NoReference)?);
        Ok(())
    }
}

impl<S: Spec> UriRef<'_, S> {
    /// The shortest reference that resolves to this target against `base`.
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`].
    pub fn relativize(self, base: UriRef<'_, S>) -> Result<UriRefBuf<S>, RelativizeError> {
        let mut reference = String::new();
        self.as_any()
            .relativize_into(base.as_any(), &mut reference)?;
        // INVARIANT: it was parsed before it was resolved.
        UriRefBuf::parse_as(reference).map_err(|_| RelativizeError::NoReference)
    }
}

/// What could be a reference to the target; of two of equal length, what moves with its base first.
fn candidates(target: AnyRef<'_>, base: AnyRef<'_>) -> Vec<String> {
    let text = target.as_str();
    if target.scheme() != base.scheme() {
        return Vec::from([String::from(text)]);
    }
    let mut all = Vec::new();
    let params = optional(";", target.params());
    let query = optional("?", target.query());
    let fragment = optional("#", target.fragment());
    let path = target.path().as_str();
    // Nothing but what differs.
    for end in [
        String::new(),
        fragment.clone(),
        format!("{query}{fragment}"),
        format!("{params}{query}{fragment}"),
    ] {
        all.push(end);
    }
    // RFC 2396 has an opaque part where this would stand; the scheme alone is left out.
    all.extend(text.split_once(':').map(|(_, rest)| String::from(rest)));
    let end = format!("{params}{query}{fragment}");
    if target.authority().map(Authority::as_str) == base.authority().map(Authority::as_str) {
        let relative = relative_path(base.path().as_str(), path);
        let without_slash = relative.strip_suffix('/').unwrap_or(&relative);
        let dot = if relative.is_empty() {
            "."
        } else {
            without_slash
        };
        all.push(format!("{dot}{end}"));
        all.push(format!("{relative}{end}"));
        all.push(format!("./{relative}{end}"));
        if target.standard() == Standard::Rfc1630 {
            // There a final dot goes with its slash.
            let slash = format!("{path}/");
            all.push(format!(
                "{}.{end}",
                relative_path(base.path().as_str(), &slash)
            ));
        }
        // A path that begins with two slashes would be read as an authority.
        let before = if path.starts_with("//") { "/." } else { "" };
        all.push(format!("{before}{path}{end}"));
    }
    if target.standard() == Standard::Rfc1630 {
        from_slashes(target, base, &end, &mut all);
    }
    all.push(String::from(text));
    all
}

/// A component with the delimiter before it.
fn optional(delimiter: &str, component: Option<Encoded<'_>>) -> String {
    component.map_or_else(String::new, |text| format!("{delimiter}{text}"))
}

/// The way from the directory of one path to another path: as many `../` as it takes, and what is
/// left.
fn relative_path(base: &str, path: &str) -> String {
    let directory = base
        .rfind('/')
        .map_or("", |slash| base.get(..=slash).unwrap_or(base));
    let same = directory
        .bytes()
        .zip(path.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    // Only whole segments count.
    let same = directory
        .as_bytes()
        .get(..same)
        .and_then(|same| same.iter().rposition(|byte| *byte == b'/'))
        .map_or(0, |slash| slash + 1);
    let up = directory
        .bytes()
        .skip(same)
        .filter(|byte| *byte == b'/')
        .count();
    format!(
        "{}{}",
        "../".repeat(up),
        path.get(same..).unwrap_or_default()
    )
}

/// RFC 1630: what of the target begins with slashes and follows what it has in common with the base.
fn from_slashes(target: AnyRef<'_>, base: AnyRef<'_>, end: &str, all: &mut Vec<String>) {
    let text = target.as_str();
    let path_end = text.len() - end.len();
    let same = text
        .bytes()
        .zip(base.as_str().bytes())
        .take(path_end)
        .take_while(|(a, b)| a == b)
        .count();
    // The last runs of slashes within it, one for each length: only these can be meant.
    let mut lengths = Vec::new();
    let mut rest = text.get(..path_end).unwrap_or_default();
    while let Some(last) = rest.rfind('/') {
        let before = rest.get(..=last).unwrap_or(rest).trim_end_matches('/');
        let length = last + 1 - before.len();
        if before.len() <= same && !lengths.contains(&length) {
            lengths.push(length);
            all.push(String::from(text.get(before.len()..).unwrap_or_default()));
        }
        rest = before;
    }
}
