//! Merging paths and removing dot segments (RFC 3986, 5.2.3 and 5.2.4; RFC 2396, 5.2, step 6; RFC
//! 1808, 4, step 6), written directly to the end of a text.
//!
//! RFC 3986 describes `remove_dot_segments` as a loop over an input and an output buffer. The
//! writer reads the segments instead, and writes each with the slash that follows it:
//!
//! | RFC 3986, 5.2.4, step 2 | here |
//! |---|---|
//! | A: a prefix `../` or `./` is removed | nothing is written; [`AboveRoot`] decides for `..` |
//! | B: `/./`, or `/.` at the end, becomes `/` | nothing is written: the slash is there already |
//! | C: `/../`, or `/..` at the end, becomes `/` | the last segment is removed, or as A |
//! | D: an input of only `.` or `..` is removed | as A |
//! | E: the first segment moves to the output | it is written |
//!
//! The RFC's first example, `/a/b/c/./../../g`, segment by segment:
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
//! A final `.` or `..` writes nothing after the last slash, so `/a/.` is `/a/`. Only literal dots
//! count; `%2E` is a dot only once it is normalized.

use super::{AboveRoot, ResolveError};
use crate::component::Path;
use alloc::string::String;

/// Writes a path segment by segment, and truncates it where `..` removes a segment.
///
/// Each removed segment was written once, so the time is linear in the input.
pub(super) struct Writer<'o> {
    out: &'o mut String,
    /// Where the path begins.
    start: usize,
    /// What precedes this is never removed: the first slash, and any `..` that are kept.
    floor: usize,
    above_root: AboveRoot,
    /// RFC 3986's algorithm leaves a slash if the first segment of a rootless path is removed:
    /// `a/../b` is `/b`.
    slash_for_first: bool,
}

impl<'o> Writer<'o> {
    /// A writer at the end of `out`.
    pub(super) fn new(out: &'o mut String, above_root: AboveRoot, slash_for_first: bool) -> Self {
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
    /// RFC 1808, 4, step 6); if there is no path, the slash that it may mean.
    pub(super) fn base(&mut self, path: Path<'_>, or_slash: bool) -> Result<(), ResolveError> {
        if path.is_empty() && or_slash {
            self.slash();
            return Ok(());
        }
        self.directory(path.as_str())
    }

    /// Writes `path`, which more may follow: what is after its last slash is the beginning of the
    /// next segment.
    fn directory(&mut self, path: &str) -> Result<(), ResolveError> {
        let Some((directory, _)) = path.rsplit_once('/') else {
            return Ok(());
        };
        let inner = self.root(directory, path);
        if let Some(inner) = inner {
            for segment in inner.split('/') {
                self.segment(segment, false)?;
            }
        }
        Ok(())
    }

    /// Writes the first slash, if there is one; returns what is between it and the last slash.
    fn root<'p>(&mut self, directory: &'p str, path: &str) -> Option<&'p str> {
        if !path.starts_with('/') {
            return Some(directory);
        }
        self.slash();
        directory.strip_prefix('/')
    }

    /// Writes the slash that a path begins with.
    fn slash(&mut self) {
        self.out.push('/');
        self.floor = self.out.len();
    }

    /// Writes `path` to its end.
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
            ".." if self.out.len() > self.floor => {
                self.take_back();
                return Ok(());
            }
            ".." => match self.above_root {
                AboveRoot::Keep => {}
                AboveRoot::Drop => return Ok(()),
                AboveRoot::Refuse => return Err(ResolveError::AboveRoot),
            },
            _ => {}
        }
        self.out.push_str(segment);
        if !is_last {
            self.out.push('/');
        }
        if segment == ".." {
            self.floor = self.out.len();
        }
        Ok(())
    }

    /// Removes the last segment that was written, whose slash is the last character.
    fn take_back(&mut self) {
        self.out.pop();
        let written = self.out.get(self.floor..).unwrap_or_default();
        let end = written
            .rfind('/')
            .map_or(self.floor, |slash| self.floor + slash + 1);
        self.out.truncate(end);
        if self.slash_for_first && end == self.start {
            self.slash();
        }
    }

    /// Finishes: refuses a path that would be read as an authority.
    pub(super) fn finish(self, has_authority: bool) -> Result<(), ResolveError> {
        let path = self.out.get(self.start..).unwrap_or_default();
        if !has_authority && path.starts_with("//") {
            return Err(ResolveError::PathLooksLikeAuthority);
        }
        Ok(())
    }
}
