//! Editing the segments of a path, and joining below a base.

use super::leaving::leaves;
use super::place::Place;
use super::value::{Reading, Value};
use super::{Component, Edit, EditError};
use crate::AnyRef;
use crate::component::{Encoded, Path};
use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;

impl<'a> Edit<'a> {
    /// Appends a segment; a slash in it is escaped. A last segment that is empty is filled: `/a/` and `b` give `/a/b`,
    /// as `/a` does.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("ftp://ftp.is.co.za/rfc/")?; // RFC 3986, 1.1.2
    /// let mut out = String::new();
    /// url.edit().push_segment("rfc1808.txt").push_segment("a/b").write_into(&mut out)?;
    /// assert_eq!(out, "ftp://ftp.is.co.za/rfc/rfc1808.txt/a%2Fb");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn push_segment(self, segment: impl Into<Value<'a>>) -> Self {
        let segment = segment.into();
        self.with_path(|edit, path| {
            let count = count(&path);
            let fills = path.ends_with('/');
            let mut path = path.into_owned();
            if path.is_empty() && edit.host.is_some() || !path.is_empty() && !fills {
                path.push('/');
            }
            edit.write_segment(&segment, &mut path)?;
            Ok((path, if fills { count } else { count + 1 }))
        })
    }

    /// Puts a segment before the one at `index`, counted from 0, or behind the last; a slash in it is escaped.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://www.ietf.org/rfc/rfc2396.txt")?; // RFC 3986, 1.1.2
    /// let mut out = String::new();
    /// url.edit().insert_segment(1, "1998").write_into(&mut out)?;
    /// assert_eq!(out, "http://www.ietf.org/rfc/1998/rfc2396.txt");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn insert_segment(self, index: usize, segment: impl Into<Value<'a>>) -> Self {
        let segment = segment.into();
        self.with_path(|edit, path| {
            let count = count(&path);
            let mut new = String::with_capacity(path.len() + segment.text.len() + 1);
            match index.cmp(&count) {
                Ordering::Less => {
                    let (before, behind) = split_at_segment(&path, index);
                    new.push_str(before);
                    edit.write_segment(&segment, &mut new)?;
                    new.push('/');
                    new.push_str(behind);
                }
                Ordering::Equal => {
                    new.push_str(&path);
                    if count > 0 || edit.host.is_some() {
                        new.push('/');
                    }
                    edit.write_segment(&segment, &mut new)?;
                }
                Ordering::Greater => {
                    let segments = count;
                    return Err(EditError::NoSuchSegment { index, segments });
                }
            }
            Ok((new, count + 1))
        })
    }

    /// Removes the segment at `index`, counted from 0, and one of its slashes. With the last one that is there, the
    /// path is empty.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://www.ietf.org/rfc/rfc2396.txt")?; // RFC 3986, 1.1.2
    /// let mut out = String::new();
    /// url.edit().remove_segment(0).write_into(&mut out)?;
    /// assert_eq!(out, "http://www.ietf.org/rfc2396.txt");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn remove_segment(self, index: usize) -> Self {
        self.with_path(|_, path| {
            let segments = count(&path);
            if index >= segments {
                return Err(EditError::NoSuchSegment { index, segments });
            }
            if segments == 1 {
                return Ok((String::new(), 0));
            }
            let (before, rest) = split_at_segment(&path, index);
            let mut new = String::from(before);
            match rest.split_once('/') {
                Some((_, behind)) => new.push_str(behind),
                // The last one goes with the slash before it.
                None => drop(new.pop()),
            }
            Ok((new, segments - 1))
        })
    }

    /// Makes the path what `change` gives for it, if that has as many segments as it says.
    fn with_path(
        mut self,
        change: impl FnOnce(&Self, Cow<'_, str>) -> Result<(String, usize), EditError>,
    ) -> Self {
        if self.failure.is_none() {
            let change = self
                .written_path()
                .and_then(|path| change(&self, path))
                .and_then(|(path, segments)| {
                    let component = Component::Path;
                    if count(&path) == segments {
                        Ok(path)
                    } else {
                        Err(EditError::Misread { component })
                    }
                });
            match change {
                Ok(path) => self.path = Value::exact(path),
                Err(error) => self.failure = Some(error),
            }
        }
        self
    }

    /// The path as it will be written, unless it is opaque.
    fn written_path(&self) -> Result<Cow<'_, str>, EditError> {
        if self.is_opaque() {
            let component = Component::Path;
            return Err(EditError::Opaque { component });
        }
        if self.path.reading == Reading::Exact {
            return Ok(Cow::Borrowed(&self.path.text));
        }
        let mut path = String::new();
        self.write(&self.path, Place::Path, &mut path)?;
        Ok(Cow::Owned(path))
    }

    /// Appends the text of a segment, which is no dot segment.
    fn write_segment(&self, segment: &Value<'_>, out: &mut String) -> Result<(), EditError> {
        let from = out.len();
        self.write(segment, Place::Segment, out)?;
        let written = Encoded::new(out.get(from..).unwrap_or_default());
        if written.decode().eq(*b".") || written.decode().eq(*b"..") {
            return Err(EditError::DotSegment);
        }
        Ok(())
    }
}

fn count(path: &str) -> usize {
    Path::new(path).segments().count()
}

/// What stands before a segment, its slash included, and the rest.
fn split_at_segment(path: &str, index: usize) -> (&str, &str) {
    let first = usize::from(path.starts_with('/'));
    let behind_slash = |(at, _)| first + at + 1;
    let slashes = path.get(first..).unwrap_or_default().match_indices('/');
    let at = match index.checked_sub(1) {
        None => Some(first),
        Some(nth) => slashes.map(behind_slash).nth(nth),
    };
    path.split_at_checked(at.unwrap_or(path.len()))
        .unwrap_or((path, ""))
}

impl AnyRef<'_> {
    /// Appends to `out` the reference that names `path` below this one, and gives a view of it.
    ///
    /// All of this path is taken for a folder, with a slash at its end or without; the query and the fragment stay
    /// behind, as in resolution. Segments `.` are left out: `./c` is `c`, and `.` adds nothing. The empty path adds the
    /// folder's slash, where a slash can stand.
    ///
    /// A path that begins with a slash, or has a segment `..`, is refused, whether that would leave the base or not,
    /// and in every spelling that some reader could take for it:
    ///
    /// - escapes are undone four times over;
    /// - a backslash is a slash, and UTF-8 in more octets than needed, characters that Unicode decomposes to dots and
    ///   slashes, and the slashes U+2044, U+2215, U+2216 and U+29F5 are what they look like;
    /// - a segment is `..` if it has two dots or more and nothing else but blanks, up to its end or to the first `;`,
    ///   `?`, `#`, `:` or NUL; blanks before a first slash do not count.
    ///
    /// Nothing else is looked at: the letter of a drive, `~`, and names that a system reserves stay.
    ///
    /// ```
    /// use urikit::{EditError, UriRef};
    /// let base = UriRef::parse("http://h/files?x")?;
    /// let mut out = String::new();
    /// assert_eq!(base.join_below_into("a/b c.txt", &mut out)?.path(), "/files/a/b%20c.txt");
    /// for path in ["../etc", "a/%2E%2e/b", "/etc", "..%2fetc", "..\\etc", "..;/etc", "%252e./etc", "..%20/etc", "%C0%AE./etc"] {
    ///     assert_eq!(base.join_below_into(path, &mut out).unwrap_err(), EditError::LeavesBase);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As said; an opaque reference; a result that is not valid or would be read otherwise.
    pub fn join_below_into<'o, 'v>(
        self,
        path: impl Into<Value<'v>>,
        out: &'o mut String,
    ) -> Result<AnyRef<'o>, EditError> {
        let mut edit = self.edit().params(None).query(None).fragment(None);
        let base = edit.written_path()?;
        let mut relative = String::new();
        edit.write(&path.into(), Place::Path, &mut relative)?;
        if leaves(&relative) {
            return Err(EditError::LeavesBase);
        }
        let mut joined = String::from(base);
        let is_named = |segment: &&str| !Encoded::new(segment).decode().eq(*b".");
        let segments = relative.split('/').filter(is_named);
        let begins_it = joined.is_empty() && edit.host.is_none();
        let mut first = segments.clone();
        if begins_it && first.next() == Some("") && first.next().is_some() {
            return Err(EditError::LeavesBase); // `.//x` would become `/x`
        }
        let mut behind = begins_it || joined.ends_with('/');
        for segment in segments {
            if !behind {
                joined.push('/');
            }
            joined.push_str(segment);
            behind = false;
        }
        edit.path = Value::exact(joined);
        edit.write_into(out)
    }
}
