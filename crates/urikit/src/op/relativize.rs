//! Relativizing: finding the shortest reference that resolves back to a target.
//!
//! The RFCs do not define an algorithm for relativizing. Here, each form of a reference (empty, a
//! fragment, params, a query, a relative path, an absolute path, an authority, the complete
//! target) has one or two candidates. Each candidate is resolved with the standard's algorithm,
//! and the result is the shortest candidate that gives the target, byte for byte. A wrong
//! candidate therefore costs time, but cannot make the result wrong. A test tries all short
//! references to show that no candidate is missing.
//!
//! For a relative path, the candidates contain only a suffix of the target and a few characters
//! before it, because the base provides the rest. There are at most sixteen candidates, however
//! long the target is. For the base `http://a/b/c/d;p?q` and the target `http://a/b/g`:
//!
//! 1. The directory of the base, without dot segments, is `/b/c/`.
//! 2. This directory and the path of the target both begin with `/b/`.
//! 3. Each remaining slash in the directory becomes `../`. The rest of the target follows: `../g`.
//! 4. If the rest is empty, the last slash can be omitted: `.` or `..`. If the rest begins with a
//!    slash or could be parsed as a scheme, `./` is written before it.
//! 5. The relative path is compared with the other forms of a reference, and the shortest is
//!    returned. If two have the same length, the more relative one is returned: here `../g`, not
//!    `/b/g`.

use super::Options;
use super::resolve::{directory, without_search};
use crate::component::Encoded;
use crate::{AnyRef, AnyRefBuf, Form, Standard};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The reason why a reference cannot be made relative.
///
/// ```
/// use urikit::op::RelativizeError;
/// use urikit::Standard;
/// let url = Standard::Rfc1738.parse("http://a/b")?; // RFC 1738, 2.3
/// let error = url.relative_to(url).unwrap_err();
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
    /// The base and the target follow different standards.
    DifferentStandards {
        /// The standard of the base.
        base: Standard,
        /// The standard of the target.
        target: Standard,
    },
    /// RFC 1738 does not describe relative URLs. Use RFC 1808 for relative references.
    NoRelativeForms,
    /// No reference resolves to the target: its path has dot segments, which resolving removes.
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
                "the base follows {base}, but the target follows {target}"
            ),
            Self::NoRelativeForms => {
                f.write_str("RFC 1738 does not describe relative URLs: use rfc1808 (RFC 1738, 2.3)")
            }
            Self::NoReference => f.write_str(
                "no reference resolves to the target: resolving removes the dot segments of its path",
            ),
        }
    }
}

impl core::error::Error for RelativizeError {}

/// The references that [`relative_to_with`](crate::Uri::relative_to_with) may return.
///
/// ```
/// use urikit::op::RelativeOptions;
/// use urikit::Uri;
/// let base = Uri::parse("http://example.com/b/c/d")?;
/// let target = Uri::parse("http://example.com/e")?;
/// let relative = |options| target.relative_to_with(&base, options).unwrap().into_string();
/// let any = RelativeOptions::default();
/// assert_eq!(relative(any), "/e");
/// assert_eq!(relative(any.no_absolute_path()), "../../e");
/// assert_eq!(relative(any.no_absolute_path().no_parent()), "//example.com/e");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RelativeOptions {
    /// Do not return references that contain `..` segments.
    pub no_parent: bool,
    /// Do not return a path that begins with a slash (RFC 3986, 4.2: absolute-path reference).
    /// Links with such a path break if the site moves into a folder.
    pub no_absolute_path: bool,
}

impl RelativeOptions {
    /// Excludes `..` segments.
    #[must_use]
    pub const fn no_parent(mut self) -> Self {
        self.no_parent = true;
        self
    }

    /// Excludes paths that begin with a slash.
    #[must_use]
    pub const fn no_absolute_path(mut self) -> Self {
        self.no_absolute_path = true;
        self
    }

    /// Returns true if the options allow a reference.
    fn allow(self, reference: &AnyRef<'_>) -> bool {
        let is_absolute_path = reference.form() == Form::AbsolutePath;
        let has_parent = || {
            let is_path = matches!(reference.form(), Form::AbsolutePath | Form::RelativePath);
            is_path && reference.segments().any(|segment| segment == "..")
        };
        !(self.no_absolute_path && is_absolute_path || self.no_parent && has_parent())
    }
}

impl AnyRef<'_> {
    /// Returns the shortest reference that resolves to `self` against `base`; see
    /// [`relative_to_into`](Self::relative_to_into).
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`].
    pub fn relative_to<'b>(
        &self,
        base: impl Into<AnyRef<'b>>,
    ) -> Result<AnyRefBuf, RelativizeError> {
        self.relative_to_with(base, RelativeOptions::default())
    }

    /// Returns the shortest reference of the allowed forms that resolves to `self` against `base`.
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`].
    pub fn relative_to_with<'b>(
        &self,
        base: impl Into<AnyRef<'b>>,
        options: RelativeOptions,
    ) -> Result<AnyRefBuf, RelativizeError> {
        let mut text = String::new();
        self.relative_to_into(base, options, &mut text)?;
        // INVARIANT: the text was parsed before it was resolved.
        AnyRefBuf::from_string(text, self.standard()).map_err(|_| RelativizeError::NoReference)
    }

    /// Appends to `out` the shortest reference for which `resolve_against(base)` gives this target
    /// again, byte for byte. Resolving with other [`Options`] may give another target.
    ///
    /// The reference may have any form that the standard defines and the options allow: empty, a
    /// fragment, params, a query, a relative or absolute path, with an authority, or the target
    /// itself. If two references have the same length, the more relative one is returned. The
    /// running time and the memory use are linear.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::RelativeOptions;
    /// let base = Standard::Rfc3986.parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
    /// let target = Standard::Rfc3986.parse("http://a/b/g?y#s")?;
    /// let mut reference = String::new();
    /// target.relative_to_into(base, RelativeOptions::default(), &mut reference).unwrap();
    /// assert_eq!(reference, "../g?y#s");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`RelativizeError`]. After an error, `out` is unchanged.
    pub fn relative_to_into<'b>(
        &self,
        base: impl Into<AnyRef<'b>>,
        options: RelativeOptions,
        out: &mut String,
    ) -> Result<(), RelativizeError> {
        let base = base.into();
        if base.standard() != self.standard() {
            return Err(RelativizeError::DifferentStandards {
                base: base.standard(),
                target: self.standard(),
            });
        }
        if self.standard() == Standard::Rfc1738 {
            return Err(RelativizeError::NoRelativeForms);
        }
        if !base.has_scheme() {
            return Err(RelativizeError::BaseIsRelative);
        }
        if !self.has_scheme() {
            return Err(RelativizeError::TargetIsRelative);
        }
        let length = out.len();
        let mut resolved = String::new();
        for candidate in candidates(*self, base) {
            candidate.write(out);
            resolved.clear();
            let reference = self.standard().parse(out.get(length..).unwrap_or_default());
            if reference.is_ok_and(|reference| {
                options.allow(&reference) && {
                    let outcome = reference.resolve_into(base, Options::default(), &mut resolved);
                    outcome.is_ok() && resolved == self.as_str()
                }
            }) {
                return Ok(());
            }
            out.truncate(length);
        }
        Err(RelativizeError::NoReference)
    }
}

/// A candidate: any number of `../`, then a few characters, then a suffix of the target.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Candidate<'a> {
    up: usize,
    head: &'static str,
    tail: &'a str,
}

impl<'a> Candidate<'a> {
    const fn new(up: usize, head: &'static str, tail: &'a str) -> Self {
        Self { up, head, tail }
    }

    const fn len(self) -> usize {
        3 * self.up + self.head.len() + self.tail.len()
    }

    fn write(self, out: &mut String) {
        (0..self.up).for_each(|_| out.push_str("../"));
        out.push_str(self.head);
        out.push_str(self.tail);
    }
}

/// Returns the candidates, shortest first. If two candidates have the same length, the more
/// relative one comes first.
fn candidates<'a>(target: AnyRef<'a>, base: AnyRef<'_>) -> Vec<Candidate<'a>> {
    let text = target.as_str();
    let whole = Candidate::new(0, "", text);
    if target.scheme() != base.scheme() {
        return Vec::from([whole]);
    }
    let ends = Ends::new(target);
    // The components in which the target and the base differ. RFC 1808 treats an empty fragment as
    // absent, and resolves an empty reference to the base including the base's fragment (section 4,
    // step 2 a), so the first candidate differs.
    let mut all = Vec::from([
        Candidate::new(0, "", ""),
        Candidate::new(0, "#", ""),
        Candidate::new(0, "", ends.fragment),
        Candidate::new(0, "", ends.query),
        Candidate::new(0, "", ends.params),
    ]);
    let mut context = String::new();
    if let Some(path) = directory(base, &mut context)
        && let Some((beginning, directory)) = context.split_at_checked(path)
        && let Some(path_on) = text.strip_prefix(beginning)
        && let Some(path) = path_on.strip_suffix(ends.params)
    {
        relative(directory, path, path_on, ends.params, &mut all);
        if target.standard() == Standard::Rfc1630 {
            partial(directory, path, path_on, ends.params, &mut all);
        }
        all.push(Candidate::new(0, "", path_on));
        // A path that begins with two slashes would be parsed as an authority.
        all.push(Candidate::new(0, "/.", path_on));
    }
    if target.standard() == Standard::Rfc1630
        && let Some(path_end) = text.strip_suffix(ends.params)
        && let Some(slashes) = shared_run(without_search(base), path_end)
    {
        all.extend(text.get(slashes..).map(|end| Candidate::new(0, "", end)));
    }
    // The target without its scheme. In RFC 2396 the scheme is part of an opaque reference.
    all.extend(
        text.split_once(':')
            .map(|(_, rest)| Candidate::new(0, "", rest)),
    );
    all.push(whole);
    // If the complete target does not resolve to itself, its path has dot segments. In that case,
    // only a shorter candidate, which keeps the base's path, can resolve to the target.
    all.retain(|candidate| candidate.len() <= text.len());
    all.sort_by_key(|candidate| candidate.len()); // stable: of equal length, the first stays first
    all.dedup();
    all
}

/// Suffixes of the target, from the longest to the shortest, each beginning at a delimiter.
struct Ends<'a> {
    params: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl<'a> Ends<'a> {
    fn new(target: AnyRef<'a>) -> Self {
        let text = target.as_str();
        let before = |end: usize, component: Option<Encoded<'_>>| {
            end - component.map_or(0, |text| text.len() + 1)
        };
        let fragment = before(text.len(), target.fragment());
        let query = before(fragment, target.query());
        let params = before(query, target.params());
        let from = |at| text.get(at..).unwrap_or_default();
        Self {
            params: from(params),
            query: from(query),
            fragment: from(fragment),
        }
    }
}

/// Adds the relative paths from a directory: as many `../` as needed, and the rest of the path.
/// `path_on` is the path followed by `end`.
fn relative<'a>(
    directory: &str,
    path: &str,
    path_on: &'a str,
    end: &'a str,
    all: &mut Vec<Candidate<'a>>,
) {
    let same = directory
        .bytes()
        .zip(path.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    // Only complete segments are considered.
    let same = directory
        .get(..same)
        .and_then(|same| same.rfind('/'))
        .map_or(0, |slash| slash + 1);
    let up = slashes_from(directory, same);
    let left = path_on.get(same..).unwrap_or_default();
    if same == path.len() {
        // The target is the directory or a directory above it, so the last slash can be omitted.
        all.push(match up.checked_sub(1) {
            None => Candidate::new(0, ".", end),
            Some(up) => Candidate::new(up, "..", end),
        });
    }
    all.push(Candidate::new(up, "", left));
    // The `./` is needed if the rest begins with a slash or could be parsed as a scheme.
    all.push(Candidate::new(up, "./", left));
}

/// Adds the forms that only RFC 1630 defines. Under RFC 1630, a trailing dot is removed together
/// with the slash before it, and a dot with nothing before it is kept. If the path cannot be the
/// beginning of a partial form, `./../` must precede it.
fn partial<'a>(
    directory: &str,
    path: &str,
    path_on: &'a str,
    end: &'a str,
    all: &mut Vec<Candidate<'a>>,
) {
    if directory.is_empty() {
        all.push(Candidate::new(0, "./../", path_on));
    }
    if let Some(below) = directory.strip_prefix(path)
        && below.starts_with('/')
    {
        all.push(Candidate::new(slashes_from(below, 1), ".", end));
    }
}

fn slashes_from(text: &str, from: usize) -> usize {
    text.bytes().skip(from).filter(|byte| *byte == b'/').count()
}

/// Finds the shortest suffix of `target` that begins with slashes and resolves to `target` against
/// `context`. Returns its offset.
///
/// The suffix resolves to the target if the context begins with the same text before a run of
/// slashes, and that run is the first of its length in the context. A table records the first
/// run of each length, so time and memory are linear.
fn shared_run(context: &str, target: &str) -> Option<usize> {
    let (context, target) = (context.as_bytes(), target.as_bytes());
    let same = (context.iter().zip(target))
        .take_while(|(a, b)| a == b)
        .count();
    let mut seen = vec![false; longest_run(context) + 1];
    let mut found = None;
    let mut at = 0;
    while at <= same {
        let length = run(context, at);
        if length > 0
            && let Some(seen) = seen.get_mut(length)
        {
            if !*seen && run(target, at) == length {
                found = Some(at);
            }
            *seen = true;
        }
        at += length.max(1);
    }
    found
}

/// Returns the number of slashes at offset `at`.
fn run(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| **byte == b'/').count()
}

fn longest_run(text: &[u8]) -> usize {
    text.split(|byte| *byte != b'/')
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}
