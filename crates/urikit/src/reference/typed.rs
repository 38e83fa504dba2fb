//! A reference whose standard is its type.

use super::any::AnyRef;
use crate::standard::{Rfc3986, Rfc3987, Spec};
use crate::{ParseError, Standard};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::Deref;

/// A reference of the standard `S`, RFC 3986 where nothing else is said: a borrowed view of a text.
///
/// The components are the methods of [`AnyRef`], to which it dereferences. `==`, order and hash are
/// those of the text as written.
///
/// ```
/// use urikit::{Rfc1738, UriRef};
/// let url: UriRef<'_, Rfc1738> = UriRef::parse_as("ftp://foo:@host.com/")?; // RFC 1738, 3.1
/// assert_eq!(url.user().unwrap(), "foo");
/// assert_eq!(url.password().unwrap(), ""); // empty, and not absent
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// In a constant, a malformed reference stops the compiler:
///
/// ```
/// use urikit::UriRef;
/// const HOME: UriRef<'_> = UriRef::from_static("http://www.ietf.org/rfc/rfc2396.txt");
/// assert_eq!(HOME.scheme(), Some("http"));
/// ```
///
/// ```compile_fail
/// use urikit::UriRef;
/// const HOME: UriRef<'_> = UriRef::from_static("http://www.ietf.org/rfc 2396.txt");
/// ```
pub struct UriRef<'a, S: Spec = Rfc3986> {
    any: AnyRef<'a>,
    standard: PhantomData<fn() -> S>,
}

/// An IRI reference (RFC 3987).
///
/// ```
/// use urikit::IriRef;
/// let iri = IriRef::parse_as("http://résumé.example.org/")?; // RFC 3987, 3.1
/// assert_eq!(iri.host().unwrap(), "résumé.example.org");
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub type IriRef<'a> = UriRef<'a, Rfc3987>;

impl<'a> UriRef<'a> {
    /// Reads `text` as a reference of RFC 3986. ([`parse_as`](Self::parse_as) takes the standard
    /// from the type.)
    ///
    /// # Errors
    ///
    /// The first place at which no valid reference can go on; see [`Standard::parse`].
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_as(text)
    }
}

impl<'a, S: Spec> UriRef<'a, S> {
    /// Reads `text` as a reference of `S`.
    ///
    /// # Errors
    ///
    /// The first place at which no valid reference of `S` can go on; see [`Standard::parse`].
    #[inline]
    pub fn parse_as(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::plain(text, S::STANDARD) {
            Some(plain) => Ok(Self::from_any(plain)),
            None => Self::parse_const(text),
        }
    }

    /// [`parse_as`](Self::parse_as) in constants; slower where the program runs.
    ///
    /// # Errors
    ///
    /// As [`parse_as`](Self::parse_as).
    pub const fn parse_const(text: &'a str) -> Result<Self, ParseError> {
        match S::STANDARD.parse_const(text) {
            Ok(any) => Ok(Self {
                any,
                standard: PhantomData,
            }),
            Err(error) => Err(error),
        }
    }

    /// INVARIANT: `any` was read by `S`, with the scheme's own production.
    pub(crate) const fn from_any(any: AnyRef<'a>) -> Self {
        Self {
            any,
            standard: PhantomData,
        }
    }

    /// The same reference with its standard as a value.
    pub const fn as_any(self) -> AnyRef<'a> {
        self.any
    }

    /// The text read anew as a reference of `T`: whether the two standards' languages agree on it.
    ///
    /// ```
    /// use urikit::{Rfc2396, Rfc3986, UriRef};
    /// let opaque: UriRef<'_, Rfc2396> = UriRef::parse_as("mailto:a@b?c")?;
    /// let again = opaque.to_standard::<Rfc3986>()?;
    /// assert_eq!(opaque.query(), None);
    /// assert_eq!(again.query().unwrap(), "c");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where `T` does not have it.
    pub fn to_standard<T: Spec>(self) -> Result<UriRef<'a, T>, ParseError> {
        UriRef::parse_as(self.any.as_str())
    }
}

impl<S: Spec> UriRef<'static, S> {
    /// Reads a text that is part of the program.
    ///
    /// # Panics
    ///
    /// When it is no reference of `S`; in a constant that is an error of the compiler's.
    #[allow(clippy::panic)] // this is what the function is for; `parse` gives an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(reference) => reference,
            Err(_) => panic!("the text is no reference of the standard"),
        }
    }
}

impl<'a, S: Spec> Deref for UriRef<'a, S> {
    type Target = AnyRef<'a>;

    fn deref(&self) -> &AnyRef<'a> {
        &self.any
    }
}

impl<'a, S: Spec> TryFrom<&'a str> for UriRef<'a, S> {
    type Error = ParseError;

    fn try_from(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_as(text)
    }
}

impl<'a, S: Spec> TryFrom<AnyRef<'a>> for UriRef<'a, S> {
    type Error = ParseError;

    /// Without parsing where the standard is `S` already.
    fn try_from(any: AnyRef<'a>) -> Result<Self, ParseError> {
        const fn is_same(a: Standard, b: Standard) -> bool {
            a as u8 == b as u8
        }
        if is_same(any.standard(), S::STANDARD) && !any.is_generic() {
            Ok(Self::from_any(any))
        } else {
            Self::parse_as(any.as_str())
        }
    }
}

impl<'a, S: Spec> From<UriRef<'a, S>> for AnyRef<'a> {
    fn from(reference: UriRef<'a, S>) -> Self {
        reference.any
    }
}

// By hand, since derived ones would ask `S` for what only the text has to do.
impl<S: Spec> Copy for UriRef<'_, S> {}

#[allow(clippy::expl_impl_clone_on_copy)]
impl<S: Spec> Clone for UriRef<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Spec> PartialEq for UriRef<'_, S> {
    fn eq(&self, other: &Self) -> bool {
        self.any.as_str() == other.any.as_str()
    }
}

impl<S: Spec> Eq for UriRef<'_, S> {}

impl<S: Spec> PartialOrd for UriRef<'_, S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: Spec> Ord for UriRef<'_, S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.any.as_str().cmp(other.any.as_str())
    }
}

impl<S: Spec> Hash for UriRef<'_, S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.any.as_str().hash(state);
    }
}

impl<S: Spec> PartialEq<str> for UriRef<'_, S> {
    fn eq(&self, other: &str) -> bool {
        self.any.as_str() == other
    }
}

impl<S: Spec> PartialEq<&str> for UriRef<'_, S> {
    fn eq(&self, other: &&str) -> bool {
        self.any.as_str() == *other
    }
}

impl<S: Spec> AsRef<str> for UriRef<'_, S> {
    fn as_ref(&self) -> &str {
        self.any.as_str()
    }
}

impl<S: Spec> fmt::Display for UriRef<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.any, f)
    }
}

impl<S: Spec> fmt::Debug for UriRef<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.any, f)
    }
}
