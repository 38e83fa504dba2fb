//! Comparing references: the ladder of RFC 3986, 6.2 (RFC 3987, 5.3), with each standard's own rules.

use super::normalize::{Level, Plan};
use crate::AnyRef;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The step of the ladder at which two references turn out to be equivalent: the first one.
///
/// ```
/// use urikit::{Standard, op::Rung};
/// let uri = |text| Standard::Rfc3986.parse(text).unwrap();
/// let a = uri("http://example.com/");
/// assert_eq!(a.compare(uri("HTTP://EXAMPLE.com/")), Some(Rung::Case));
/// assert_eq!(a.compare(uri("http://example.com:80/")), Some(Rung::Scheme));
/// assert_eq!(a.compare(uri("http://example.com/?")), None); // RFC 3986, 6.2.3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// Byte for byte (RFC 3986, 6.2.1).
    Identical,
    /// At [`Level::Case`].
    Case,
    /// At [`Level::Escapes`].
    Escapes,
    /// At [`Level::Path`].
    Path,
    /// At [`Level::Scheme`].
    Scheme,
}

impl Rung {
    /// The name: `identical`, `case`, `escapes`, `path` or `scheme`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Case => Level::Case.name(),
            Self::Escapes => Level::Escapes.name(),
            Self::Path => Level::Path.name(),
            Self::Scheme => Level::Scheme.name(),
        }
    }
}

impl From<Level> for Rung {
    fn from(level: Level) -> Self {
        match level {
            Level::Case => Self::Case,
            Level::Escapes => Self::Escapes,
            Level::Path => Self::Path,
            Level::Scheme => Self::Scheme,
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl AnyRef<'_> {
    /// Whether both are equivalent, and at which step; `None` when they differ at all of them.
    ///
    /// They are equivalent at a step exactly when [`normalize`](Self::normalize) gives the same for
    /// both at that level. Needs no memory; time is linear.
    ///
    /// References of two standards (or of a scheme's own production and the generic one, where a
    /// standard has both) are never equivalent: whether two texts mean the same is a question to one
    /// standard. Read both by that one first. Relative references are compared as they are; RFC
    /// 3986, 6.1, would have them resolved before.
    ///
    /// ```
    /// use urikit::{Standard, op::Rung};
    /// let uri = |text| Standard::Rfc1630.parse(text).unwrap();
    /// let a = uri("http://info.cern.ch/albert/bertram/marie-claude");
    /// // RFC 1630, Examples 1 and 2
    /// let b = uri("http://info.cern.ch/albert/bertram/marie%2Dclaude");
    /// assert_eq!(a.compare(b), Some(Rung::Escapes));
    /// let c = uri("http://info.cern.ch/albert/bertram%2Fmarie-claude");
    /// assert_eq!(a.compare(c), None);
    /// ```
    pub fn compare(self, other: AnyRef<'_>) -> Option<Rung> {
        if !is_comparable(self, other) {
            return None;
        }
        if self.as_str() == other.as_str() {
            return Some(Rung::Identical);
        }
        // What differs at the last step differs at all of them.
        if !self.is_equivalent(other, Level::Scheme) {
            return None;
        }
        let is_first = |level: &Level| self.is_equivalent(other, *level);
        Level::ALL.into_iter().find(is_first).map(Rung::from)
    }

    /// Whether both have the same normal form at `level`; neither is normalised for it.
    ///
    /// ```
    /// use urikit::{Standard, op::Level};
    /// let uri = |text| Standard::Rfc2396.parse(text).unwrap();
    /// // RFC 2396, 2.4.2 and 5.2: `.` and `..` matter in relative paths only, and stay
    /// assert!(uri("http://a/%7euser").is_equivalent(uri("http://A/~user"), Level::Escapes));
    /// assert!(!uri("http://a/b/../c").is_equivalent(uri("http://a/c"), Level::Scheme));
    /// ```
    pub fn is_equivalent(self, other: AnyRef<'_>, level: Level) -> bool {
        is_comparable(self, other) && Plan::new(self, level).is_same(&Plan::new(other, level))
    }
}

fn is_comparable(a: AnyRef<'_>, b: AnyRef<'_>) -> bool {
    a.standard() == b.standard() && a.is_generic() == b.is_generic()
}

/// A reference that is equal to all that are equivalent to it at [`Level::Scheme`]: what to put into
/// a set or a map. It keeps the text as written, and neither `==` nor hashing needs memory.
///
/// ```
/// use std::collections::HashSet;
/// use urikit::{Standard, op::Normal};
/// let texts = ["http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/"];
/// let set: HashSet<Normal<'_>> =
///     texts.iter().map(|text| Standard::Rfc3986.parse(text).unwrap().into()).collect();
/// assert_eq!(set.len(), 1); // RFC 3986, 6.2.3
/// ```
#[derive(Clone, Copy)]
pub struct Normal<'a> {
    reference: AnyRef<'a>,
}

impl<'a> Normal<'a> {
    /// The reference by its normal form.
    ///
    /// ```
    /// use urikit::{Standard, op::Normal};
    /// let normal = |text| Normal::new(Standard::Rfc3986.parse(text).unwrap());
    /// // RFC 3986, 6.2.2
    /// assert_eq!(normal("example://a/b/c/%7Bfoo%7D"), normal("eXAMPLE://a/./b/../b/%63/%7bfoo%7d"));
    /// ```
    pub const fn new(reference: AnyRef<'a>) -> Self {
        Self { reference }
    }

    /// The reference as written.
    ///
    /// ```
    /// use urikit::{Standard, op::Normal};
    /// let normal = Normal::new(Standard::Rfc3986.parse("HTTP://www.EXAMPLE.com/")?); // RFC 3986, 6.2.2.1
    /// assert_eq!(normal.as_written().as_str(), "HTTP://www.EXAMPLE.com/");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn as_written(self) -> AnyRef<'a> {
        self.reference
    }
}

impl<'a> From<AnyRef<'a>> for Normal<'a> {
    fn from(reference: AnyRef<'a>) -> Self {
        Self::new(reference)
    }
}

impl<'a, S: crate::Spec> From<crate::UriRef<'a, S>> for Normal<'a> {
    fn from(reference: crate::UriRef<'a, S>) -> Self {
        Self::new(reference.as_any())
    }
}

impl fmt::Debug for Normal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Normal").field(&self.reference).finish()
    }
}

impl PartialEq for Normal<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.reference, other.reference);
        a == b || a.is_equivalent(b, Level::Scheme)
    }
}

impl Eq for Normal<'_> {}

impl Hash for Normal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.reference.standard().hash(state);
        self.reference.is_generic().hash(state);
        // In blocks, so that equal bytes reach the hasher in equal calls.
        let mut block = [0; 64];
        let mut length = 0;
        Plan::new(self.reference, Level::Scheme).for_each_byte(|byte| {
            if let Some(place) = block.get_mut(length) {
                *place = byte;
            }
            length += 1;
            if length == block.len() {
                state.write(&block);
                length = 0;
            }
        });
        state.write(block.get(..length).unwrap_or_default());
        state.write_usize(length);
    }
}
