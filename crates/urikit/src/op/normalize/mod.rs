//! Normal forms (RFC 3986, 6.2; RFC 3987, 5.3; RFC 2396, 2.4.2 and 6; RFC 1738, 2.2; RFC 1630,
//! "same encoding level").
//!
//! | level | changes | under |
//! |---|---|---|
//! | case | hexadecimal digits of escapes to upper case | all |
//! | | scheme and host to lower case | RFC 1738 and later |
//! | escapes | what need not be escaped is unescaped; which that is, each standard says | all |
//! | path | `.` and `..` segments of a URI's absolute path removed | RFC 3986, 3987 |
//! | scheme | default port, empty path, and the scheme's own rules | all |
//!
//! Each level includes the ones before. A normal form identifies what the reference identified, by
//! its standard: where a standard is silent, nothing changes, and `%2F` stays under all of them.
//!
//! | file | what it does |
//! |---|---|
//! | `decodable` | which escapes may be undone, by standard, scheme and component |
//! | `scheme` | the rules of single schemes, as a table |
//! | `masks` | the plainest of those, seen by masks |
//! | `plain` | what is its normal form already, seen soon |
//! | `plan` | what becomes of each component |
//! | `piece` | a part of a component, read in its normal form |
//! | `path` | what becomes of the path |
//! | `cases` | a component of which parts have no case |
//! | `dots` | a path without its dot segments, read from its end |
//!
//! Nothing here needs memory but writing the result: a component is read in its normal form as it
//! stands, so that two references are compared without either being normalised.

mod cases;
mod decodable;
mod dots;
mod masks;
mod path;
mod piece;
mod plain;
mod plan;
mod scheme;

use crate::AnyRef;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use core::fmt;
use core::str::FromStr;
use plain::Look;
pub(super) use plan::Plan;
pub use scheme::default_port;

/// How far to normalise; each level includes the ones before.
///
/// ```
/// use urikit::{Standard, op::Level};
/// let uri = Standard::Rfc3986.parse("eXAMPLE://A/./b/../%63/%7bfoo%7d")?;
/// assert_eq!(uri.normalize(Level::Case), "example://a/./b/../%63/%7Bfoo%7D");
/// assert_eq!(uri.normalize(Level::Escapes), "example://a/./b/../c/%7Bfoo%7D");
/// assert_eq!(uri.normalize(Level::Path), "example://a/c/%7Bfoo%7D");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Upper case for the hexadecimal digits of escapes; lower case for scheme and host, except
    /// under RFC 1630, which compares letters as they are (RFC 3986, 6.2.2.1).
    Case,
    /// Escapes of characters that need none are undone (RFC 3986, 6.2.2.2).
    Escapes,
    /// Dot segments are removed (RFC 3986, 6.2.2.3); nothing under an earlier standard, whose texts
    /// give them a meaning in relative paths only.
    Path,
    /// The scheme's rules: its default port, its empty path and others (RFC 3986, 6.2.3).
    #[default]
    Scheme,
}

impl Level {
    /// All of them, the least first.
    pub const ALL: [Self; 4] = [Self::Case, Self::Escapes, Self::Path, Self::Scheme];

    /// The name: `case`, `escapes`, `path` or `scheme`; what [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Escapes => "escapes",
            Self::Path => "path",
            Self::Scheme => "scheme",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no [`Level`]'s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of case, escapes, path, scheme")
    }
}

impl core::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        Self::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownLevel)
    }
}

#[cfg(feature = "alloc")]
impl<'a> AnyRef<'a> {
    /// The normal form at `level`; borrowed exactly when it is the reference as written.
    ///
    /// The normal form is a reference of the same standard and identifies the same. Time is linear.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use urikit::{Standard, op::Level};
    /// let uri = Standard::Rfc3986.parse("HTTP://EXAMPLE.com:80/%7Esmith/home.html")?;
    /// let normal = uri.normalize(Level::Scheme);
    /// assert_eq!(normal, "http://example.com/~smith/home.html");
    /// let again = Standard::Rfc3986.parse(&normal)?;
    /// assert!(matches!(again.normalize(Level::Scheme), Cow::Borrowed(_)));
    ///
    /// // RFC 1738, 2.2: the tilde is unsafe, and must be escaped.
    /// let url = Standard::Rfc1738.parse("http://example.com/%7esmith%2Dson")?;
    /// assert_eq!(url.normalize(Level::Scheme), "http://example.com/%7Esmith-son");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn normalize(self, level: Level) -> Cow<'a, str> {
        match plain::look(&self) {
            Look::Normal => Cow::Borrowed(self.as_str()),
            look => self.normalize_seen(level, look),
        }
    }

    /// The same where a look did not find it normal.
    #[inline(never)]
    fn normalize_seen(self, level: Level, look: Look) -> Cow<'a, str> {
        if self.lacks_its_slash(level, look) {
            let mut out = String::with_capacity(self.as_str().len() + 1);
            self.write_with_slash(&mut out);
            return Cow::Owned(out);
        }
        let plan = Plan::new(self, level);
        if plan.is_as_written() {
            return Cow::Borrowed(self.as_str());
        }
        // A rule adds no more than `//` and `/`.
        let mut out = String::with_capacity(self.as_str().len() + 3);
        plan.write(&mut out);
        Cow::Owned(out)
    }

    /// Appends the normal form at `level` to `out`; gives whether it differs from the reference as
    /// written.
    ///
    /// ```
    /// use urikit::{Standard, op::Level};
    /// let mut line = String::from("normal: ");
    /// let uri = Standard::Rfc3986.parse("http://a/b/../c")?;
    /// assert!(uri.normalize_into(Level::Path, &mut line));
    /// assert_eq!(line, "normal: http://a/c");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn normalize_into(self, level: Level, out: &mut String) -> bool {
        let look = plain::look(&self);
        if self.lacks_its_slash(level, look) {
            self.write_with_slash(out);
            return true;
        }
        let plan = (look != Look::Normal).then(|| Plan::new(self, level));
        let plan = plan.filter(|plan| !plan.is_as_written());
        match &plan {
            Some(plan) => plan.write(out),
            None => out.push_str(self.as_str()),
        }
        plan.is_some()
    }

    /// Whether nothing changes at `level` but that a slash stands for its path.
    fn lacks_its_slash(self, level: Level, look: Look) -> bool {
        look == Look::WithoutPath && level >= Level::Scheme && scheme::is_slash_omitted(self)
    }

    /// Appends it with the slash that stands for its path, which is empty.
    fn write_with_slash(self, out: &mut String) {
        let path = self.parts_ref().path as usize;
        let text = self.as_str();
        let (before, behind) = text.split_at_checked(path).unwrap_or((text, ""));
        out.push_str(before);
        out.push('/');
        out.push_str(behind);
    }
}

impl AnyRef<'_> {
    /// Whether it is in normal form at `level` already. Needs no memory.
    ///
    /// ```
    /// use urikit::{Standard, op::Level};
    /// let uri = Standard::Rfc3986.parse("http://example.com")?;
    /// assert!(uri.is_normal(Level::Path));
    /// assert!(!uri.is_normal(Level::Scheme)); // an empty path is `/` (RFC 3986, 6.2.3)
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_normal(self, level: Level) -> bool {
        plain::look(&self) == Look::Normal || Plan::new(self, level).is_as_written()
    }
}
