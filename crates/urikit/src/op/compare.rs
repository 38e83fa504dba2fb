//! Compares references: implements the comparison ladder of RFC 3986, 6.2 (RFC 3987, 5.3), with the
//! rules of each standard.

use super::normalize::{Level, Plan, hash_normal};
use crate::reference::{Every, Known, Standards};
use crate::{AnyRef, Reference};
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The first step of the comparison ladder at which two references are equivalent.
///
/// ```
/// use urikit::{Standard, op::Equivalence};
/// let uri = |text| Standard::Rfc3986.parse(text).unwrap();
/// let a = uri("http://example.com/");
/// assert_eq!(a.compare(uri("HTTP://EXAMPLE.com/")), Some(Equivalence::Case));
/// assert_eq!(a.compare(uri("http://example.com:80/")), Some(Equivalence::Scheme));
/// assert_eq!(a.compare(uri("http://example.com/?")), None); // RFC 3986, 6.2.3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Equivalence {
    /// Equal byte for byte (RFC 3986, 6.2.1).
    Identical,
    /// Equal at [`Level::Case`].
    Case,
    /// Equal at [`Level::Escapes`].
    Escapes,
    /// Equal at [`Level::Path`].
    Path,
    /// Equal at [`Level::Scheme`].
    Scheme,
}

impl Equivalence {
    /// Returns the name: `identical`, `case`, `escapes`, `path` or `scheme`.
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

impl From<Level> for Equivalence {
    fn from(level: Level) -> Self {
        match level {
            Level::Case => Self::Case,
            Level::Escapes => Self::Escapes,
            Level::Path => Self::Path,
            Level::Scheme => Self::Scheme,
        }
    }
}

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl AnyRef<'_> {
    /// Returns the first step at which the references are equivalent, or `None` if they differ at
    /// every step.
    ///
    /// Two references are equivalent at a step if and only if `normalize_to` gives the same text
    /// for both at that level. The comparison does not allocate, and takes linear time.
    ///
    /// References of different standards are never equivalent, because each standard defines its
    /// own equivalence. A reference parsed with its scheme's production and a reference parsed
    /// with the generic production are never equivalent. Parse both references under the same
    /// standard first. Relative references are compared as written; RFC 3986, 6.1 recommends
    /// resolving them first.
    ///
    /// ```
    /// use urikit::{Standard, op::Equivalence};
    /// let uri = |text| Standard::Rfc1630.parse(text).unwrap();
    /// let a = uri("http://info.cern.ch/albert/bertram/marie-claude");
    /// // RFC 1630, Examples 1 and 2
    /// let b = uri("http://info.cern.ch/albert/bertram/marie%2Dclaude");
    /// assert_eq!(a.compare(b), Some(Equivalence::Escapes));
    /// let c = uri("http://info.cern.ch/albert/bertram%2Fmarie-claude");
    /// assert_eq!(a.compare(c), None);
    /// ```
    pub fn compare<'b>(&self, other: impl Into<AnyRef<'b>>) -> Option<Equivalence> {
        Known::<Every>::new(*self).compare(Known::new(other.into()))
    }

    /// Returns whether both references have the same normal form at `level`. Normalizes neither.
    ///
    /// ```
    /// use urikit::{Standard, op::Level};
    /// let uri = |text| Standard::Rfc2396.parse(text).unwrap();
    /// // RFC 2396, 2.4.2 and 5.2: `.` and `..` matter in relative paths only, and stay
    /// assert!(uri("http://a/%7euser").is_equivalent(uri("http://A/~user"), Level::Escapes));
    /// assert!(!uri("http://a/b/../c").is_equivalent(uri("http://a/c"), Level::Scheme));
    /// ```
    pub fn is_equivalent<'b>(&self, other: impl Into<AnyRef<'b>>, level: Level) -> bool {
        Known::<Every>::new(*self).is_equivalent(Known::new(other.into()), level)
    }
}

impl<S: Standards> Known<'_, S> {
    /// Implements [`AnyRef::compare`].
    #[inline]
    pub(super) fn compare(self, other: Known<'_, S>) -> Option<Equivalence> {
        if !is_comparable(&self, &other) {
            return None;
        }
        if self.as_str() == other.as_str() {
            return Some(Equivalence::Identical);
        }
        self.compare_others(other)
    }

    /// Compares references whose texts differ.
    // Kept out of line, so that comparing equal texts does not copy the references.
    #[inline(never)]
    fn compare_others(self, other: Known<'_, S>) -> Option<Equivalence> {
        // References that differ at the last step differ at every step.
        if !self.is_equivalent(other, Level::Scheme) {
            return None;
        }
        let is_first = |level: &Level| self.is_equivalent(other, *level);
        Level::ALL.into_iter().find(is_first).map(Equivalence::from)
    }

    /// Implements [`AnyRef::is_equivalent`].
    pub(super) fn is_equivalent(self, other: Known<'_, S>, level: Level) -> bool {
        if !is_comparable(&self, &other) {
            return false;
        }
        // Most references are in normal form. The fast check takes less time than comparing plans.
        if self.is_normal_fast() && other.is_normal_fast() {
            return self.as_str() == other.as_str();
        }
        Plan::new(self, level).is_same(&Plan::new(other, level))
    }
}

#[inline]
fn is_comparable(a: &AnyRef<'_>, b: &AnyRef<'_>) -> bool {
    a.standard() == b.standard() && a.is_generic() == b.is_generic()
}

/// A reference as the key of a set or map. Two keys are equal if their references are equivalent at
/// [`Level::Scheme`]. A key keeps the text as written. Comparing and hashing do not allocate.
///
/// A key wraps any type of reference, so it can borrow or own its text.
///
/// ```
/// use std::collections::HashSet;
/// use urikit::op::NormalKey;
/// use urikit::{Uri, UriBuf};
/// let texts = ["http://example.com", "http://example.com:/", "http://example.com:80/"];
/// let mut seen = HashSet::new();
/// for text in texts {
///     seen.insert(NormalKey(Uri::parse(text)?));
/// }
/// assert_eq!(seen.len(), 1); // RFC 3986, 6.2.3
///
/// let mut owned: HashSet<NormalKey<UriBuf>> = HashSet::new();
/// assert!(owned.insert(NormalKey(UriBuf::parse("http://a/b/../c")?)));
/// assert!(!owned.insert(NormalKey(UriBuf::parse("HTTP://A/c")?)));
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// References parsed under different standards are never equal. To look up a borrowed reference in
/// a set or map of owned ones, use [`as_key`](Self::as_key):
///
/// ```
/// use std::collections::HashSet;
/// use urikit::op::NormalKey;
/// use urikit::{Uri, UriBuf};
/// let texts = ["http://a/b/../c", "HTTP://A/c"];
/// let seen: HashSet<NormalKey<UriBuf>> =
///     texts.iter().map(|text| UriBuf::parse(text).map(NormalKey)).collect::<Result<_, _>>()?;
/// let uri = Uri::parse("http://a:80/c")?;
/// assert!(seen.contains(NormalKey(uri).as_key()));
/// // As std's hash sets and maps do, `collect` and `insert` keep the key that came first.
/// assert_eq!(seen.get(NormalKey(uri).as_key()).unwrap().0, "http://a/b/../c");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// A `BTreeSet` behaves in the same way on `insert`, but `collect` keeps the last of equal keys.
///
/// The order is that of the normal forms, component by component: scheme, host, port, userinfo,
/// path by segments, query, fragment. References to the same host are therefore adjacent, and
/// references under a folder follow the reference to the folder. An absent component comes before a
/// present one.
///
/// ```
/// use std::collections::BTreeSet;
/// use urikit::{Uri, op::NormalKey};
/// let texts = ["http://b/", "http://a/x-y", "HTTP://A:80/x/y", "http://a/x", "http://a/x/%79"];
/// let mut seen = BTreeSet::new();
/// for text in texts {
///     seen.insert(NormalKey(Uri::parse(text)?));
/// }
/// let sorted: Vec<_> = seen.iter().map(|uri| uri.0.as_str()).collect();
/// assert_eq!(sorted, ["http://a/x", "HTTP://A:80/x/y", "http://a/x-y", "http://b/"]);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NormalKey<T: ?Sized>(pub T);

impl<T: Reference> NormalKey<T> {
    /// Returns a key for looking up this reference, whatever type of reference the keys have.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use urikit::op::NormalKey;
    /// use urikit::{Uri, UriBuf};
    /// let mut visits: HashMap<NormalKey<UriBuf>, u32> = HashMap::new();
    /// for text in ["http://example.com", "HTTP://example.com:80/", "http://example.com/a"] {
    ///     let uri = Uri::parse(text)?;
    ///     match visits.get_mut(NormalKey(uri).as_key()) {
    ///         Some(count) => *count += 1, // nothing is copied
    ///         None => drop(visits.insert(NormalKey(uri.to_owned()), 1)),
    ///     }
    /// }
    /// assert_eq!(visits[NormalKey(Uri::parse("http://example.com/")?).as_key()], 2);
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn as_key<'k>(&self) -> &NormalKey<dyn Reference + 'k>
    where
        T: 'k,
    {
        self
    }
}

/// Makes [`as_key`](NormalKey::as_key) possible: comparing and hashing do not depend on the type of
/// the reference.
impl<'k, T: Reference + 'k> Borrow<NormalKey<dyn Reference + 'k>> for NormalKey<T> {
    fn borrow(&self) -> &NormalKey<dyn Reference + 'k> {
        self
    }
}

impl<T: Reference + ?Sized, U: Reference + ?Sized> PartialEq<NormalKey<U>> for NormalKey<T> {
    fn eq(&self, other: &NormalKey<U>) -> bool {
        let (a, b) = (self.0.as_any(), other.0.as_any());
        a == b || a.is_equivalent(b, Level::Scheme)
    }
}

impl<T: Reference + ?Sized> Eq for NormalKey<T> {}

impl<T: Reference + ?Sized, U: Reference + ?Sized> PartialOrd<NormalKey<U>> for NormalKey<T> {
    fn partial_cmp(&self, other: &NormalKey<U>) -> Option<Ordering> {
        Some(order(self.0.as_any(), other.0.as_any()))
    }
}

impl<T: Reference + ?Sized> Ord for NormalKey<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        order(self.0.as_any(), other.0.as_any())
    }
}

/// Orders references by their normal forms. References of different standards are ordered by
/// standard.
fn order(a: AnyRef<'_>, b: AnyRef<'_>) -> Ordering {
    let read_by = (a.standard(), a.is_generic()).cmp(&(b.standard(), b.is_generic()));
    read_by.then_with(|| {
        if a.as_str() == b.as_str() {
            return Ordering::Equal;
        }
        let plan = |reference| Plan::new(Known::<Every>::new(reference), Level::Scheme);
        plan(a).compare(&plan(b))
    })
}

impl<T: Reference + ?Sized> Hash for NormalKey<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Keys of different standards differ, but hashing the standard would take longer than
        // telling apart the few that have the same text.
        hash_normal(Known::<Every>::new(self.0.as_any()), state);
    }
}
