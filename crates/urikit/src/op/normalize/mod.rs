//! Normal forms (RFC 3986, 6.2; RFC 3987, 5.3; RFC 2396, 2.4.2 and 6; RFC 1738, 2.2; RFC 1630,
//! "same encoding level").
//!
//! | level | change | standards |
//! |---|---|---|
//! | case | hexadecimal digits of escapes to upper case | all |
//! | | scheme and host to lower case | RFC 1738 and later |
//! | escapes | decode escapes that the standard does not require | all |
//! | path | remove `.` and `..` from a URI's absolute path | RFC 3986, 3987 |
//! | scheme | default port, empty path, and other rules of the scheme | all |
//! | | write IPv6 addresses as RFC 5952 recommends | RFC 2732 and later |
//!
//! Each level includes the previous ones. Under its standard, a normal form identifies the same
//! resource as the reference. Where a standard does not define a rule, nothing changes. All normal
//! forms keep `%2F`.
//!
//! | file | subject |
//! |---|---|
//! | `decodable` | the escapes that are decoded, by standard, scheme and component |
//! | `scheme` | the rules of schemes |
//! | `fast` | the fast check: most references are already in normal form |
//! | `hash` | the hash of a normal form |
//! | `plan` | the normal form of each component |
//! | `path` | the normal form of a path |
//! | `piece` | parts of a component, read in their normal form |
//!
//! Components are read directly in their normal form. Only writing a result allocates, so comparing
//! two references allocates nothing.
//!
//! RFC 3986, 6.2 calls its methods a ladder: each step costs more and finds more equivalent
//! references.
//!
//! | RFC 3986 | step | here |
//! |---|---|---|
//! | 6.2.1 | simple string comparison | `==` of the reference types |
//! | 6.2.2.1 | case | [`Level::Case`] |
//! | 6.2.2.2 | percent-encoding | [`Level::Escapes`] |
//! | 6.2.2.3 | path segments | [`Level::Path`] |
//! | 6.2.3 | scheme | [`Level::Scheme`] |
//! | 6.2.4 | protocol | not supported: it depends on the answers of servers |
//!
//! Escapes are decoded before dot segments are removed, so `/a/%2E%2E/b` becomes `/b`.

mod decodable;
mod fast;
mod hash;
mod path;
mod piece;
mod plan;
mod scheme;

use crate::AnyRef;
#[cfg(feature = "alloc")]
use crate::AnyRefBuf;
#[cfg(feature = "alloc")]
use crate::op::CowRef;
use crate::reference::{Every, Known, Standards};
use crate::unknown::{UnknownName, names_of_all};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use fast::FastCheck;
pub(super) use hash::hash_normal;
pub(super) use plan::Plan;

/// A level of normalization. Each level includes the previous ones.
///
/// ```
/// use urikit::{Standard, op::Level};
/// let uri = Standard::Rfc3986.parse("eXAMPLE://A/./b/../%63/%7bfoo%7d")?;
/// assert_eq!(uri.normalize_to(Level::Case), "example://a/./b/../%63/%7Bfoo%7D");
/// assert_eq!(uri.normalize_to(Level::Escapes), "example://a/./b/../c/%7Bfoo%7D");
/// assert_eq!(uri.normalize_to(Level::Path), "example://a/c/%7Bfoo%7D");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Converts the hexadecimal digits of escapes to upper case, and the scheme and host to lower
    /// case (RFC 3986, 6.2.2.1). RFC 1630 is case-sensitive, so its schemes and hosts are left
    /// unchanged.
    Case,
    /// Decodes the escapes of characters that do not need them (RFC 3986, 6.2.2.2).
    Escapes,
    /// Removes dot segments (RFC 3986, 6.2.2.3). The standards before RFC 3986 define dot segments
    /// only in relative paths; elsewhere, the segments are kept.
    Path,
    /// Applies the rules of the scheme, for example for its default port and an empty path (RFC
    /// 3986, 6.2.3).
    #[default]
    Scheme,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::Case, Self::Escapes, Self::Path, Self::Scheme];

    /// Returns the name, which [`FromStr`] parses: `case`, `escapes`, `path` or `scheme`.
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

impl FromStr for Level {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Level, name);
        Self::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("level", NAMES))
    }
}

#[cfg(feature = "alloc")]
impl AnyRef<'_> {
    /// Normalizes up to [`Level::Scheme`]. Borrows the reference if it is already in normal form.
    #[must_use]
    #[inline]
    pub fn normalize(&self) -> CowRef<Self, AnyRefBuf> {
        self.normalize_to(Level::Scheme)
    }

    /// Normalizes up to `level`. Borrows the reference if it is already in normal form at that
    /// level.
    ///
    /// The result follows the same standard and identifies the same resource. Takes linear time.
    /// If the normal form would be longer than [`MAX_LEN`](crate::MAX_LEN), returns the reference
    /// as written.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::Level;
    /// // RFC 1738, 2.2: the tilde is unsafe, and must be escaped.
    /// let url = Standard::Rfc1738.parse("http://example.com/%7esmith%2Dson")?;
    /// assert_eq!(url.normalize_to(Level::Scheme), "http://example.com/%7Esmith-son");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn normalize_to(&self, level: Level) -> CowRef<Self, AnyRefBuf> {
        Known::<Every>::new(*self).normalize_to(level)
    }

    /// Appends the normal form at `level` to `out`. Returns whether the normal form differs from
    /// the reference as written.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::Level;
    /// let mut line = String::from("normal: ");
    /// let uri = Standard::Rfc3986.parse("http://a/b/../c")?;
    /// assert!(uri.normalize_into(Level::Path, &mut line));
    /// assert_eq!(line, "normal: http://a/c");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn normalize_into(&self, level: Level, out: &mut String) -> bool {
        Known::<Every>::new(*self).normalize_into(level, out)
    }

    /// Normalizes as [`normalize_into`](Self::normalize_into) does, but without the fast check.
    /// Tests compare the results of the two methods.
    #[cfg(feature = "test-hooks")]
    pub(crate) fn normalize_by_plan(&self, level: Level, out: &mut String) -> bool {
        let plan = Plan::new(Known::<Every>::new(*self), level);
        plan.write(out);
        !plan.is_as_written()
    }
}

impl AnyRef<'_> {
    /// Returns whether the reference is in normal form at `level`. Does not allocate.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::Level;
    /// let uri = Standard::Rfc3986.parse("http://example.com")?;
    /// assert!(uri.is_normal(Level::Path));
    /// assert!(!uri.is_normal(Level::Scheme)); // an empty path is `/` (RFC 3986, 6.2.3)
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_normal(&self, level: Level) -> bool {
        Known::<Every>::new(*self).is_normal(level)
    }

    /// Returns true if the fast check finds the reference in normal form at every level.
    #[cfg(feature = "test-hooks")]
    #[inline]
    pub(crate) fn is_normal_fast(&self) -> bool {
        Known::<Every>::new(*self).is_normal_fast()
    }
}

impl<S: Standards> Known<'_, S> {
    /// Returns true if the fast check finds the reference in normal form at every level.
    #[inline]
    pub(in crate::op) fn is_normal_fast(self) -> bool {
        fast::check(self) == FastCheck::Normal
    }

    /// Implements [`AnyRef::is_normal`].
    pub(super) fn is_normal(self, level: Level) -> bool {
        self.is_normal_fast() || Plan::new(self, level).is_as_written()
    }
}

#[cfg(feature = "alloc")]
impl<'a, S: Standards> Known<'a, S> {
    /// Implements [`AnyRef::normalize_to`].
    #[inline]
    pub(super) fn normalize_to(self, level: Level) -> CowRef<AnyRef<'a>, AnyRefBuf> {
        match fast::check(self) {
            FastCheck::Normal => CowRef::Borrowed(self.any()),
            check => self.normalize_checked(level, check),
        }
    }

    /// Normalizes a reference for which the fast check did not return [`FastCheck::Normal`].
    #[inline(never)]
    fn normalize_checked(self, level: Level, check: FastCheck) -> CowRef<AnyRef<'a>, AnyRefBuf> {
        let mut out = String::new();
        if !self.write_normal(level, check, &mut out) {
            return CowRef::Borrowed(self.any());
        }
        let (standard, is_generic) = (self.standard(), self.is_generic());
        let parsed = AnyRefBuf::from_string_by(out, |text| {
            if is_generic {
                S::parse_generic(text, standard)
            } else {
                S::parse(text, standard)
            }
        });
        match parsed {
            Ok(normal) => CowRef::Owned(normal),
            // INVARIANT: parsing fails only if the normal form is too long.
            Err(_) => CowRef::Borrowed(self.any()),
        }
    }

    /// Implements [`AnyRef::normalize_into`].
    pub(super) fn normalize_into(self, level: Level, out: &mut String) -> bool {
        let check = fast::check(self);
        let is_changed = check != FastCheck::Normal && self.write_normal(level, check, out);
        if !is_changed {
            out.push_str(self.as_str());
        }
        is_changed
    }

    /// Appends the normal form if it differs from the reference, and returns whether it differs.
    fn write_normal(self, level: Level, check: FastCheck, out: &mut String) -> bool {
        // This leaves room for nearly every normal form: the rules of schemes add at most `//` or
        // `/`.
        let reserve = |out: &mut String| {
            if out.capacity() == 0 {
                out.reserve(self.as_str().len() + 3);
            }
        };
        if self.lacks_its_slash(level, check) {
            reserve(out);
            self.write_with_slash(out);
            return true;
        }
        let plan = Plan::new(self, level);
        if plan.is_as_written() {
            return false;
        }
        reserve(out);
        plan.write(out);
        true
    }

    /// Returns true if a slash for an empty path is the only change at `level`.
    fn lacks_its_slash(self, level: Level, check: FastCheck) -> bool {
        check == FastCheck::WithoutPath && level >= Level::Scheme && scheme::is_slash_omitted(self)
    }

    /// Appends the reference with a slash for its empty path.
    fn write_with_slash(self, out: &mut String) {
        let path = self.layout().path as usize;
        let text = self.as_str();
        let (before, after) = text.split_at_checked(path).unwrap_or((text, ""));
        out.push_str(before);
        out.push('/');
        out.push_str(after);
    }
}
