//! Edits the segments of a path, and appends a path that must stay below a base.
//!
//! Joining must reject every path that some program could interpret as leaving the base. Programs
//! differ in what they decode before they look for `..`: escapes, and escapes of escapes; overlong
//! UTF-8 (RFC 3629, section 10, gives `2F C0 AE 2E 2F` for `/../`); characters with a
//! compatibility mapping to ASCII; blanks and dots at the end of a name, which Windows drops. The
//! check decodes everything that any of these programs might decode. Rejecting a harmless name is
//! better than giving access to a file outside the base.

use super::builder::UriBuilder;
use super::error::{Component, EditError};
use super::slot::Slot;
use super::value::{Reading, Value};
use crate::component::{Encoded, Path};
use crate::octet::escaped_octet;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

impl<'a> UriBuilder<'a> {
    /// Appends a segment. A slash in the segment is escaped, or is an error if the value is
    /// [already escaped](Value::encoded).
    ///
    /// The new segment replaces an empty last segment: `/a/` and `b` give `/a/b`, just as `/a` and
    /// `b` do. An empty segment therefore adds a slash at the end of the path, and is itself
    /// replaced by the next segment.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("ftp://ftp.is.co.za/rfc/")?; // RFC 3986, 1.1.2
    /// let edited = url.to_builder().push_segment("rfc1808.txt").push_segment("a/b").build()?;
    /// assert_eq!(edited, "ftp://ftp.is.co.za/rfc/rfc1808.txt/a%2Fb");
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

    /// Inserts a segment before the segment at `index`, counted from 0, or at the end. A slash in
    /// the segment is escaped.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://www.ietf.org/rfc/rfc2396.txt")?; // RFC 3986, 1.1.2
    /// let edited = url.to_builder().insert_segment(1, "1998").build()?;
    /// assert_eq!(edited, "http://www.ietf.org/rfc/1998/rfc2396.txt");
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
                    let (before, after) = split_at_segment(&path, index);
                    new.push_str(before);
                    edit.write_segment(&segment, &mut new)?;
                    new.push('/');
                    new.push_str(after);
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

    /// Removes the segment at `index`, counted from 0, and one of its slashes. Removing the only
    /// segment leaves an empty path.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://www.ietf.org/rfc/rfc2396.txt")?; // RFC 3986, 1.1.2
    /// let edited = url.to_builder().remove_segment(0).build()?;
    /// assert_eq!(edited, "http://www.ietf.org/rfc2396.txt");
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
                Some((_, after)) => new.push_str(after),
                // Removing the last segment also removes the slash before it.
                None => drop(new.pop()),
            }
            Ok((new, segments - 1))
        })
    }

    /// Sets the path to the result of `change`. `change` returns the new path and the number of its
    /// segments. Fails if the path, when it is parsed, has a different number of segments.
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
                Ok(path) => self.path = Value::encoded(path),
                Err(error) => self.failure = Some(error),
            }
        }
        self
    }

    /// Returns the path as it will be written. Fails for an opaque path.
    fn written_path(&self) -> Result<Cow<'_, str>, EditError> {
        if self.is_opaque() {
            let component = Component::Path;
            return Err(EditError::Opaque { component });
        }
        if self.path.is_written() {
            return Ok(Cow::Borrowed(&self.path.text));
        }
        let mut path = String::new();
        self.write(&self.path, Slot::Path, &mut path)?;
        Ok(Cow::Owned(path))
    }

    /// Appends a segment. Fails if the segment contains a slash or is a dot segment.
    fn write_segment(&self, segment: &Value<'_>, out: &mut String) -> Result<(), EditError> {
        let from = out.len();
        self.write(segment, Slot::Segment, out)?;
        let written = out.get(from..).unwrap_or_default();
        if let Some(offset) = written.find('/') {
            return Err(EditError::Delimiter {
                component: Component::Path,
                found: '/',
                offset,
            });
        }
        let written = Encoded::new(written);
        if written.decode() == "." || written.decode() == ".." {
            return Err(EditError::DotSegment);
        }
        Ok(())
    }
}

fn count(path: &str) -> usize {
    Path::new(path).segments().count()
}

/// Splits a path before the segment at `index`. The first part ends with a slash.
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

impl<'a> UriBuilder<'a> {
    /// Appends `path` to the path of this reference, which is treated as a folder whether or not it
    /// ends in a slash. Removes the query and the fragment, as resolving does, and omits `.`
    /// segments. An empty `path` adds a trailing slash if the reference allows one.
    ///
    /// A plain string is interpreted as if it were passed to [`Value::lenient`]. A `path` that
    /// begins with a slash or contains a `..` segment is an error, even if it would not leave the
    /// base. The check covers every spelling that some program could interpret as a slash or a
    /// `..`:
    ///
    /// - Escapes are decoded up to four times.
    /// - A backslash and the look-alikes U+2044, U+2215, U+2216 and U+29F5 are treated as slashes.
    ///   Overlong UTF-8 encodings of dots and slashes, and characters that Unicode decomposes to
    ///   dots and slashes, are treated as those characters.
    /// - A segment is treated as `..` if it consists only of blanks and at least two dots, up to
    ///   its end or to the first `;`, `?`, `#`, `:` or NUL. Blanks before a slash at the start of
    ///   the path are ignored.
    ///
    /// Nothing else is checked: drive letters, `~` and names that a system reserves are allowed.
    ///
    /// ```
    /// use urikit::{EditError, Uri};
    /// let base = Uri::parse("http://h/files?x")?;
    /// let joined = base.to_builder().join_below("a/b c.txt").build()?;
    /// assert_eq!(joined, "http://h/files/a/b%20c.txt");
    /// let outside = ["../etc", "a/%2E%2e/b", "/etc", "..%2fetc", "..\\etc", "%252e./a"];
    /// for path in outside.into_iter().chain(["%C0%AE./a"]) {
    ///     let error = base.to_builder().join_below(path).build().unwrap_err();
    ///     assert_eq!(error, EditError::LeavesBase);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn join_below(self, path: impl Into<Value<'a>>) -> Self {
        let path = path.into().read_as(Reading::Lenient);
        let mut edit = self.remove_params().remove_query().remove_fragment();
        match edit.path_below(&path) {
            Ok(joined) => edit.path = Value::encoded(joined),
            Err(error) => edit.fail(error),
        }
        edit
    }

    fn path_below(&self, path: &Value<'_>) -> Result<String, EditError> {
        let base = self.written_path()?;
        let mut relative = String::new();
        self.write(path, Slot::Path, &mut relative)?;
        if leaves(&relative) {
            return Err(EditError::LeavesBase);
        }
        let mut joined = base.into_owned();
        let is_named = |segment: &&str| Encoded::new(segment).decode() != ".";
        let segments = relative.split('/').filter(is_named);
        let begins_it = joined.is_empty() && self.host.is_none();
        let mut first = segments.clone();
        if begins_it && first.next() == Some("") && first.next().is_some() {
            return Err(EditError::LeavesBase); // `.//x` would become `/x`
        }
        let mut follows_slash = begins_it || joined.ends_with('/');
        for segment in segments {
            if !follows_slash {
                joined.push('/');
            }
            joined.push_str(segment);
            follows_slash = false;
        }
        Ok(joined)
    }
}

/// The number of times that escapes are decoded.
const TIMES: usize = 4;

/// Spellings that some program interprets as a dot or a slash.
const SPELLINGS: [(&[u8], &[u8]); 21] = [
    // Overlong UTF-8 encodings of dots and slashes.
    (b"\xC0\xAE", b"."),
    (b"\xE0\x80\xAE", b"."),
    (b"\xF0\x80\x80\xAE", b"."),
    (b"\xC0\xAF", b"/"),
    (b"\xE0\x80\xAF", b"/"),
    (b"\xF0\x80\x80\xAF", b"/"),
    (b"\xC1\x9C", b"\\"),
    (b"\xE0\x81\x9C", b"\\"),
    (b"\xF0\x80\x81\x9C", b"\\"),
    // Characters with a compatibility decomposition to dots or slashes.
    ("\u{2024}".as_bytes(), b"."), // one dot leader
    ("\u{2025}".as_bytes(), b".."),
    ("\u{2026}".as_bytes(), b"..."),
    ("\u{FE52}".as_bytes(), b"."),  // small full stop
    ("\u{FF0E}".as_bytes(), b"."),  // fullwidth full stop
    ("\u{FF0F}".as_bytes(), b"/"),  // fullwidth solidus
    ("\u{FE68}".as_bytes(), b"\\"), // small reverse solidus
    ("\u{FF3C}".as_bytes(), b"\\"), // fullwidth reverse solidus
    // Look-alikes that some code pages convert to ASCII.
    ("\u{2044}".as_bytes(), b"/"),  // fraction slash
    ("\u{2215}".as_bytes(), b"/"),  // division slash
    ("\u{2216}".as_bytes(), b"\\"), // set minus
    ("\u{29F5}".as_bytes(), b"\\"), // reverse solidus operator
];

/// Returns true if some program could interpret the path as leaving its base.
pub(super) fn leaves(path: &str) -> bool {
    let mut octets = path.as_bytes().to_vec();
    for _ in 0..TIMES {
        if !octets.contains(&b'%') {
            break;
        }
        octets = unescaped(&octets);
    }
    let plain = spelled_out(&octets);
    let is_slash = |octet: &u8| matches!(octet, b'/' | b'\\');
    let first = plain.iter().find(|octet| !is_blank(**octet));
    first.is_some_and(is_slash) || plain.split(is_slash).any(goes_up)
}

/// Returns true if a segment consists only of blanks and at least two dots, up to its end or to a
/// character at which some program ends a segment: the delimiter of a parameter, a query, a
/// fragment or a stream name, or a NUL.
fn goes_up(segment: &[u8]) -> bool {
    let is_end = |octet: &u8| matches!(octet, b';' | b'?' | b'#' | b'\0' | b':');
    let mut dots = 0;
    for octet in segment.split(is_end).next().unwrap_or_default() {
        match octet {
            b'.' => dots += 1,
            octet if is_blank(*octet) => {}
            _ => return false,
        }
    }
    dots >= 2
}

const fn is_blank(octet: u8) -> bool {
    matches!(octet, b'\t'..=b'\r' | b' ')
}

/// Decodes the escapes once.
fn unescaped(octets: &[u8]) -> Vec<u8> {
    replaced(octets, |rest| escaped_octet(rest).map(|octet| (3, [octet])))
}

/// Replaces every spelling of a dot or a slash with the character itself.
fn spelled_out(octets: &[u8]) -> Vec<u8> {
    replaced(octets, |rest| {
        if rest.first().is_none_or(u8::is_ascii) {
            return None;
        }
        let found = SPELLINGS
            .iter()
            .find(|(spelling, _)| rest.starts_with(spelling));
        found.map(|(spelling, meant)| (spelling.len(), *meant))
    })
}

/// Returns a copy of `octets` with parts replaced. At each position, `replace` receives the
/// remaining octets, and returns how many of them to replace, and with what.
fn replaced<R: AsRef<[u8]>>(
    octets: &[u8],
    replace: impl Fn(&[u8]) -> Option<(usize, R)>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let [first, after @ ..] = rest {
        rest = if let Some((length, meant)) = replace(rest) {
            out.extend_from_slice(meant.as_ref());
            rest.get(length..).unwrap_or_default()
        } else {
            out.push(*first);
            after
        };
    }
    out
}
