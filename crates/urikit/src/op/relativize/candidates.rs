//! Candidates for the shortest reference to a target.
//!
//! A target gets its beginning from the base, so a reference ends as the target does: each
//! candidate is a suffix of the target's text with a few characters in front. There are at most
//! sixteen, whatever the length. For a relative path, the base's directory is taken as resolving
//! leaves it: without dot segments, and with the slash that an empty path means.

use super::slashes;
use crate::component::Encoded;
use crate::op::resolve::{before_search, directory};
use crate::{AnyRef, Standard};
use alloc::string::String;
use alloc::vec::Vec;

/// A candidate: a number of `../`, a few characters, and the target from an offset on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate<'a> {
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

    pub(super) fn write(self, out: &mut String) {
        (0..self.up).for_each(|_| out.push_str("../"));
        out.push_str(self.head);
        out.push_str(self.tail);
    }
}

/// The candidates, shortest first; of two with equal length, the more relative one first.
pub(super) fn candidates<'a>(target: AnyRef<'a>, base: AnyRef<'_>) -> Vec<Candidate<'a>> {
    let text = target.as_str();
    let whole = Candidate::new(0, "", text);
    if target.scheme() != base.scheme() {
        return Vec::from([whole]);
    }
    let ends = Ends::new(target);
    // Only what differs. RFC 1808 treats an empty fragment as absent, and an empty reference as
    // the base with its fragment (section 4, step 2 a): there the first candidate is another one.
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
        // A path that begins with two slashes would be read as an authority.
        all.push(Candidate::new(0, "/.", path_on));
    }
    if target.standard() == Standard::Rfc1630
        && let Some(path_end) = text.strip_suffix(ends.params)
        && let Some(slashes) = slashes::shared_run(before_search(base), path_end)
    {
        all.extend(text.get(slashes..).map(|end| Candidate::new(0, "", end)));
    }
    // Without its scheme; in RFC 2396 this would be in an opaque part.
    all.extend(
        text.split_once(':')
            .map(|(_, rest)| Candidate::new(0, "", rest)),
    );
    all.push(whole);
    // If the complete target does not resolve to itself, its path has dot segments: then only a
    // candidate that keeps the base's path can resolve to it, and that is shorter.
    all.retain(|candidate| candidate.len() <= text.len());
    all.sort_by_key(|candidate| candidate.len()); // stable: of equal length, the first stays first
    all.dedup();
    all
}

/// The target from a delimiter on; each contains the next at its end.
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

/// The ways from a directory to a path: as many `../` as needed, and the rest. `path_on` is the
/// path followed by `end`.
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
    // Only complete segments count.
    let same = directory
        .get(..same)
        .and_then(|same| same.rfind('/'))
        .map_or(0, |slash| slash + 1);
    let up = slashes_from(directory, same);
    let left = path_on.get(same..).unwrap_or_default();
    if same == path.len() {
        // The directory itself, or one above: its last slash can be omitted.
        all.push(match up.checked_sub(1) {
            None => Candidate::new(0, ".", end),
            Some(up) => Candidate::new(up, "..", end),
        });
    }
    all.push(Candidate::new(up, "", left));
    // The rest begins with a slash, or could be read as having a scheme.
    all.push(Candidate::new(up, "./", left));
}

/// Ways that only RFC 1630 has: a final dot is removed with the slash before it, and a dot is kept
/// if nothing precedes it, so `./../` is needed before anything that a partial form cannot begin
/// with.
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
