//! Merges paths and removes dot segments (RFC 3986, 5.2.3 and 5.2.4; RFC 2396, 5.2, step 6; RFC
//! 1808, 4, step 6).
//!
//! RFC 3986 describes `remove_dot_segments` as a loop over an input and an output buffer.
//! [`PathWriter`] reads the path segment by segment instead, and writes each segment with the slash
//! after it:
//!
//! | RFC 3986, 5.2.4, step 2 | here |
//! |---|---|
//! | A: a prefix `../` or `./` is removed | writes nothing; [`AboveRoot`] decides about `..` |
//! | B: `/./`, or `/.` at the end, becomes `/` | writes nothing: the slash is already written |
//! | C: `/../`, or `/..` at the end, becomes `/` | removes the last segment, or as A |
//! | D: an input of only `.` or `..` is removed | as A |
//! | E: the first segment moves to the output | writes the segment |
//!
//! The RFC's first example, `/a/b/c/./../../g`:
//!
//! ```text
//!            /
//! a          /a/
//! b          /a/b/
//! c          /a/b/c/
//! .          /a/b/c/
//! ..         /a/b/
//! ..         /a/
//! g          /a/g
//! ```
//!
//! A final `.` or `..` writes nothing after the last slash, so `/a/.` gives `/a/`. Only literal
//! dots form a dot segment: `%2E` becomes a dot only when the path is normalized.

use super::{AboveRoot, ResolveError, dots};
use crate::component::Path;
use alloc::borrow::Cow;
use alloc::string::String;

/// Removes the dot segments of a path (RFC 3986, 5.2.4). Borrows the path if it has no dot
/// segments.
///
/// Only literal dots form a dot segment. [`normalize`](crate::Uri::normalize) also removes segments
/// with escaped dots (`%2E`).
///
/// ```
/// use urikit::op::remove_dot_segments;
/// assert_eq!(remove_dot_segments("/a/b/c/./../../g"), "/a/g"); // RFC 3986, 5.2.4
/// assert_eq!(remove_dot_segments("mid/content=5/../6"), "mid/6");
/// assert_eq!(remove_dot_segments("/../a/."), "/a/");
/// ```
pub fn remove_dot_segments(path: &str) -> Cow<'_, str> {
    if !has_dots(path) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len());
    // `AboveRoot::Drop` never fails.
    let _ = PathWriter::new(&mut out, AboveRoot::Drop, true).rest(path);
    Cow::Owned(out)
}

/// Returns true if a path may have dot segments.
fn has_dots(path: &str) -> bool {
    path.starts_with('.') || dots::follow_slashes(path.as_bytes())
}

/// Writes a path segment by segment, and truncates it where `..` removes a segment.
///
/// Each segment is written at most once, so the time is linear in the input.
pub(in crate::op) struct PathWriter<'o> {
    out: &'o mut String,
    /// The offset of the path in `out`.
    start: usize,
    /// The end of the part that is never removed: the first slash, and each `..` that is kept.
    floor: usize,
    above_root: AboveRoot,
    /// True if removing the first segment of a rootless path leaves a slash, as the algorithm of
    /// RFC 3986 does: `a/../b` gives `/b`.
    slash_for_first: bool,
}

impl<'o> PathWriter<'o> {
    /// Creates a writer that appends to `out`.
    pub(in crate::op) fn new(
        out: &'o mut String,
        above_root: AboveRoot,
        slash_for_first: bool,
    ) -> Self {
        let start = out.len();
        Self {
            out,
            start,
            floor: start,
            above_root,
            slash_for_first,
        }
    }

    /// Writes the path of a base up to its last slash (RFC 3986, 5.2.3; RFC 2396, 5.2, step 6 a;
    /// RFC 1808, 4, step 6). Writes a slash for an empty path if `or_slash` is true.
    pub(super) fn base(&mut self, path: Path<'_>, or_slash: bool) -> Result<(), ResolveError> {
        if path.is_empty() && or_slash {
            self.slash();
            return Ok(());
        }
        self.directory(path.as_str())
    }

    /// Writes `path` up to its last slash.
    fn directory(&mut self, path: &str) -> Result<(), ResolveError> {
        let end = path.rfind('/').map_or(0, |slash| slash + 1);
        let mut rest = path.get(..end).unwrap_or_default();
        if let Some(relative) = rest.strip_prefix('/') {
            self.slash();
            rest = relative;
        }
        // Runs of segments that do not begin with a dot are copied at once: a document may contain
        // millions of references, and its base thousands of segments.
        loop {
            let plain = match rest {
                _ if !has_dots(rest) => rest.len(),
                _ if rest.starts_with('.') => 0,
                _ => rest.find("/.").map_or(rest.len(), |slash| slash + 1),
            };
            let (copied, dotted) = rest.split_at_checked(plain).unwrap_or((rest, ""));
            self.out.push_str(copied);
            let Some((segment, after)) = dotted.split_once('/') else {
                return Ok(());
            };
            self.segment(segment, false)?;
            rest = after;
        }
    }

    /// Writes the first slash of a path.
    pub(in crate::op) fn slash(&mut self) {
        self.out.push('/');
        self.floor = self.out.len();
    }

    /// Writes all segments of `path`.
    pub(super) fn rest(&mut self, path: &str) -> Result<(), ResolveError> {
        let mut rest = path;
        if self.out.len() == self.start
            && let Some(relative) = path.strip_prefix('/')
        {
            self.slash();
            rest = relative;
        }
        while let Some((segment, after)) = rest.split_once('/') {
            self.segment(segment, false)?;
            rest = after;
        }
        self.segment(rest, true)
    }

    /// Writes one segment and, unless it is the last, its slash.
    fn segment(&mut self, segment: &str, is_last: bool) -> Result<(), ResolveError> {
        match segment {
            "." => return Ok(()),
            ".." if self.up() => return Ok(()),
            ".." => match self.above_root {
                AboveRoot::Keep => {}
                AboveRoot::Drop => return Ok(()),
                AboveRoot::Refuse => return Err(ResolveError::AboveRoot),
            },
            _ => {}
        }
        self.push(is_last, |out| out.push_str(segment));
        if segment == ".." {
            self.floor = self.out.len();
        }
        Ok(())
    }

    /// Appends one segment that is not a dot segment and, unless it is the last, its slash.
    pub(in crate::op) fn push(&mut self, is_last: bool, write: impl FnOnce(&mut String)) {
        write(self.out);
        if !is_last {
            self.out.push('/');
        }
    }

    /// Removes the last segment and its slash; returns `false` if no segment can be removed.
    pub(in crate::op) fn up(&mut self) -> bool {
        if self.out.len() <= self.floor {
            return false;
        }
        self.out.pop();
        let written = self.out.get(self.floor..).unwrap_or_default();
        let end = written
            .rfind('/')
            .map_or(self.floor, |slash| self.floor + slash + 1);
        self.out.truncate(end);
        if self.slash_for_first && end == self.start {
            self.slash();
        }
        true
    }

    /// Fails if the path would be parsed as an authority.
    pub(super) fn finish(self, has_authority: bool) -> Result<(), ResolveError> {
        let path = self.out.get(self.start..).unwrap_or_default();
        if !has_authority && path.starts_with("//") {
            return Err(ResolveError::PathLooksLikeAuthority);
        }
        Ok(())
    }
}
