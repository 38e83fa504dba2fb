//! What could be the shortest reference to a target.
//!
//! A reference takes the beginning of its target from the base, so that it ends as the target does:
//! each candidate is an end of the target's text with a few characters in front. There are at most
//! sixteen, whatever the length. For a relative path, the base's directory counts as resolving leaves
//! it: without dot segments, and with the slash that an empty path stands for.

use super::slashes;
use crate::component::Encoded;
use crate::op::resolve::{before_search, directory};
use crate::{AnyRef, Standard};
use alloc::string::String;
use alloc::vec::Vec;

/// One of them: `../` some times, a few characters, and the target from a place on.
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

/// The candidates, the shortest first; of two of equal length, what moves with its base first.
pub(super) fn candidates<'a>(target: AnyRef<'a>, base: AnyRef<'_>) -> Vec<Candidate<'a>> {
    let text = target.as_str();
    let whole = Candidate::new(0, "", text);
    if target.scheme() != base.scheme() {
        return Vec::from([whole]);
    }
    let ends = Ends::new(target);
    // Nothing but what differs. RFC 1808 takes an empty fragment for none, and an empty reference for
    // the base with its fragment (section 4, step 2 a): there the first is another one.
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
    // Without its scheme; RFC 2396 has an opaque part where this would stand.
    all.extend(
        text.split_once(':')
            .map(|(_, rest)| Candidate::new(0, "", rest)),
    );
    all.push(whole);
    // Where the whole target does not resolve to itself, its path has dot segments: then only what
    // leaves the base's path alone can, and that is shorter.
    all.retain(|candidate| candidate.len() <= text.len());
    all.sort_by_key(|candidate| candidate.len()); // stable: of equal length, the first stays first
    all.dedup();
    all
}

/// The target from a delimiter on; each has the next at its end.
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

/// The ways from a directory to a path: as many `../` as it takes, and what is left. `path_on` is the
/// path and `end` behind it.
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
    // Only whole segments count.
    let same = directory
        .get(..same)
        .and_then(|same| same.rfind('/'))
        .map_or(0, |slash| slash + 1);
    let up = slashes_from(directory, same);
    let left = path_on.get(same..).unwrap_or_default();
    if same == path.len() {
        // The directory itself, or one above: its last slash can be left out.
        all.push(match up.checked_sub(1) {
            None => Candidate::new(0, ".", end),
            Some(up) => Candidate::new(up, "..", end),
        });
    }
    all.push(Candidate::new(up, "", left));
    // What begins with a slash, or could have a scheme.
    all.push(Candidate::new(up, "./", left));
}

/// RFC 1630's own ways: a final dot goes with the slash before it; and a dot stays where nothing is
/// before it, so that it takes `./../` to begin with what a partial form cannot begin with.
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
