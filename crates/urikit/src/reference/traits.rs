//! The traits of the concrete types: views, comparison as text, parsing by `TryFrom`, and
//! [`Reference`], which all ten types implement.

use super::{AnyRef, Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use super::{AnyRefBuf, IriBuf, IriRefBuf, Rejected, UriBuf, UriRefBuf};
use crate::ParseError;
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

impl Sealed for AnyRef<'_> {}
impl Reference for AnyRef<'_> {
    fn as_any(&self) -> AnyRef<'_> {
        *self
    }
}

#[cfg(feature = "alloc")]
impl Sealed for AnyRefBuf {}
#[cfg(feature = "alloc")]
impl Reference for AnyRefBuf {
    fn as_any(&self) -> AnyRef<'_> {
        self.as_any_ref()
    }
}

#[cfg(feature = "alloc")]
impl AnyRefBuf {
    pub(crate) const fn any(&self) -> AnyRef<'_> {
        self.as_any_ref()
    }

    /// Returns its argument, so that macros can treat `AnyRefBuf` like the other types.
    pub(crate) const fn from_any(any: Self) -> Self {
        any
    }
}

/// Implements `==` and ordering between a type and text, in both directions.
macro_rules! compared_with {
    ($T:ty: $($Text:ty),*) => {$(
        impl PartialEq<$Text> for $T {
            fn eq(&self, other: &$Text) -> bool {
                self.as_str() == AsRef::<str>::as_ref(other)
            }
        }
        impl PartialEq<$T> for $Text {
            fn eq(&self, other: &$T) -> bool {
                AsRef::<str>::as_ref(self) == other.as_str()
            }
        }
        impl PartialOrd<$Text> for $T {
            fn partial_cmp(&self, other: &$Text) -> Option<Ordering> {
                Some(self.as_str().cmp(AsRef::<str>::as_ref(other)))
            }
        }
        impl PartialOrd<$T> for $Text {
            fn partial_cmp(&self, other: &$T) -> Option<Ordering> {
                Some(AsRef::<str>::as_ref(self).cmp(other.as_str()))
            }
        }
    )*};
}

/// Implements comparison, hashing and display for a concrete type, all based on its text.
macro_rules! as_text {
    ($T:ty) => {
        impl Sealed for $T {}

        impl Reference for $T {
            fn as_any(&self) -> AnyRef<'_> {
                self.any()
            }
        }

        impl PartialEq for $T {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $T {}

        impl PartialOrd for $T {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $T {
            fn cmp(&self, other: &Self) -> Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl Hash for $T {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }

        impl AsRef<str> for $T {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        /// Equality, ordering and hashing use the text, so a string can be looked up in a map whose
        /// keys are references.
        impl core::borrow::Borrow<str> for $T {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $T {
            /// Writes the reference as written, including its password.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $T {
            /// Writes the quoted text, with the password masked.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.any().masked(), f)
            }
        }

        compared_with!($T: str, &str);
        #[cfg(feature = "alloc")]
        compared_with!($T: String);
    };
}

/// Defines the methods and traits of a borrowed type and its owned form.
macro_rules! pair {
    ($T:ident, $Buf:ident, $as:ident) => {
        impl<'a> $T<'a> {
            pub(crate) const fn any(&self) -> AnyRef<'a> {
                self.0
            }

            /// Copies the text into an owned reference.
            #[cfg(feature = "alloc")]
            pub fn to_owned(&self) -> $Buf {
                $Buf::from(*self)
            }

            /// Returns the reference without its fragment. Does not copy the text, and cannot fail.
            #[doc(alias = "strip_fragment")]
            #[must_use]
            pub const fn without_fragment(&self) -> Self {
                Self(self.0.without_fragment())
            }
        }

        as_text!($T<'_>);

        impl<'a> TryFrom<&'a str> for $T<'a> {
            type Error = ParseError;

            fn try_from(text: &'a str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> TryFrom<&'a String> for $T<'a> {
            type Error = ParseError;

            fn try_from(text: &'a String) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        #[cfg(feature = "alloc")]
        impl $Buf {
            pub(crate) const fn any(&self) -> AnyRef<'_> {
                self.0.as_any_ref()
            }

            /// INVARIANT: the reference is valid as this type.
            pub(crate) const fn from_any(any: AnyRefBuf) -> Self {
                Self(any)
            }

            /// Borrows the text.
            #[inline]
            pub const fn $as(&self) -> $T<'_> {
                $T(self.0.as_any_ref())
            }

            /// Borrows the reference without its fragment. Cannot fail.
            pub const fn without_fragment(&self) -> $T<'_> {
                self.$as().without_fragment()
            }

            /// Removes the fragment and its `#`, if present. Cannot fail.
            pub fn remove_fragment(&mut self) {
                self.0.remove_fragment();
            }

            /// Returns the text, without copying it.
            pub fn into_string(self) -> String {
                self.0.into_string()
            }
        }

        #[cfg(feature = "alloc")]
        as_text!($Buf);

        #[cfg(feature = "alloc")]
        compared_with!($Buf: $T<'_>);

        #[cfg(feature = "alloc")]
        impl From<$T<'_>> for $Buf {
            fn from(reference: $T<'_>) -> Self {
                Self(AnyRefBuf::from(reference.0))
            }
        }

        #[cfg(feature = "alloc")]
        impl From<&$T<'_>> for $Buf {
            fn from(reference: &$T<'_>) -> Self {
                Self(AnyRefBuf::from(reference.0))
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> From<&'a $Buf> for $T<'a> {
            fn from(reference: &'a $Buf) -> Self {
                reference.$as()
            }
        }

        impl<'a> From<&$T<'a>> for $T<'a> {
            fn from(reference: &$T<'a>) -> Self {
                *reference
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$T<'_>> for String {
            fn from(reference: $T<'_>) -> Self {
                Self::from(reference.as_str())
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$Buf> for String {
            fn from(reference: $Buf) -> Self {
                reference.into_string()
            }
        }

        #[cfg(feature = "alloc")]
        impl core::str::FromStr for $Buf {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<&str> for $Buf {
            type Error = ParseError;

            fn try_from(text: &str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<&String> for $Buf {
            type Error = ParseError;

            fn try_from(text: &String) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        #[cfg(feature = "alloc")]
        impl TryFrom<String> for $Buf {
            type Error = Rejected<String>;

            /// Converts the `String` without copying it. On failure, the error contains the
            /// `String`.
            fn try_from(text: String) -> Result<Self, Rejected<String>> {
                AnyRefBuf::from_string_by(text, |text| Ok($T::parse(text)?.0)).map(Self)
            }
        }
    };
}

pair!(Uri, UriBuf, as_uri);
pair!(UriRef, UriRefBuf, as_uri_ref);
pair!(Iri, IriBuf, as_iri);
pair!(IriRef, IriRefBuf, as_iri_ref);

/// Implements `Default` for the types that may be relative: the empty reference.
macro_rules! default_empty {
    ($($T:ty, $Buf:ty;)*) => {$(
        impl Default for $T {
            /// Returns the empty reference, which refers to the document in which it appears (RFC
            /// 3986,
            /// 4.4).
            fn default() -> Self {
                Self::from_static("")
            }
        }

        #[cfg(feature = "alloc")]
        impl Default for $Buf {
            /// Returns the empty reference, which refers to the document in which it appears (RFC
            /// 3986,
            /// 4.4).
            fn default() -> Self {
                Self::from(<$T>::default())
            }
        }
    )*};
}

default_empty! {
    UriRef<'static>, UriRefBuf;
    IriRef<'static>, IriRefBuf;
}

impl AsRef<str> for AnyRef<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(feature = "alloc")]
impl AsRef<str> for AnyRefBuf {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

// `AnyRef` and `AnyRefBuf` implement neither `Ord` nor `Borrow<str>` here: both would ignore the
// standard, which `==` compares.
/// Implements `==` with text, which ignores the standard.
macro_rules! same_text {
    ($T:ty: $($Text:ty),*) => {$(
        impl PartialEq<$Text> for $T {
            fn eq(&self, other: &$Text) -> bool {
                self.as_str() == AsRef::<str>::as_ref(other)
            }
        }
    )*};
}

same_text!(AnyRef<'_>: str, &str);
#[cfg(feature = "alloc")]
same_text!(AnyRefBuf: str, &str, String);

#[cfg(feature = "alloc")]
impl<'a> From<&'a AnyRefBuf> for AnyRef<'a> {
    fn from(reference: &'a AnyRefBuf) -> Self {
        reference.as_any_ref()
    }
}

impl<'a> From<&AnyRef<'a>> for AnyRef<'a> {
    fn from(reference: &AnyRef<'a>) -> Self {
        *reference
    }
}

#[cfg(feature = "alloc")]
impl From<AnyRefBuf> for String {
    fn from(reference: AnyRefBuf) -> Self {
        reference.into_string()
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<AnyRef<'_>> for AnyRefBuf {
    fn eq(&self, other: &AnyRef<'_>) -> bool {
        self.any() == *other
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<AnyRefBuf> for AnyRef<'_> {
    fn eq(&self, other: &AnyRefBuf) -> bool {
        *self == other.any()
    }
}

// Every URI is also a URI reference, an IRI and an IRI reference. Values of the four types are
// compared as text.
compared_with!(UriRef<'_>: Uri<'_>);
compared_with!(Iri<'_>: Uri<'_>);
compared_with!(IriRef<'_>: Iri<'_>, Uri<'_>, UriRef<'_>);
#[cfg(feature = "alloc")]
compared_with!(UriRefBuf: Uri<'_>, UriBuf);
#[cfg(feature = "alloc")]
compared_with!(UriRef<'_>: UriBuf);
#[cfg(feature = "alloc")]
compared_with!(IriRefBuf: Iri<'_>, IriBuf);
#[cfg(feature = "alloc")]
compared_with!(IriRef<'_>: IriBuf);

/// A trait of all ten reference types, for generic code.
///
/// The reference types also have the trait's methods as inherent methods. Other crates cannot
/// implement this trait.
///
/// ```
/// use urikit::{Reference, Uri, UriRefBuf};
/// fn is_secure(reference: &impl Reference) -> bool {
///     reference.as_any().scheme() == Some("https")
/// }
/// assert!(is_secure(&Uri::parse("https://example.com/")?));
/// assert!(!is_secure(&UriRefBuf::parse("../a")?));
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub trait Reference: Sealed {
    /// Returns a borrowed reference that records its standard at run time.
    fn as_any(&self) -> AnyRef<'_>;
}

pub trait Sealed {}
