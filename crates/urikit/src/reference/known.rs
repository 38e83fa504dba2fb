//! References whose possible standards are known at compile time.
//!
//! [`AnyRef`] records its standard at run time, so each operation on it has code for all seven
//! standards. The other types follow RFC 3986 or RFC 3987. Their operations are compiled for these
//! two standards, so a program that does not name another standard contains no code for the other
//! five.

use super::{AnyRef, IriRef, UriRef};
use crate::{ParseError, Standard};
use core::marker::PhantomData;
use core::ops::Deref;

/// A list of standards.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // only owned results are parsed again
pub(crate) trait Standards: Copy {
    /// Returns `standard`, which must be in the list.
    fn narrow(standard: Standard) -> Standard;
    /// Parses `text` under `standard`, which must be in the list.
    fn parse(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError>;
    /// Parses `text` under `standard` with the generic production.
    fn parse_generic(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError>;
}

/// All standards.
#[derive(Clone, Copy)]
pub(crate) struct Every;

impl Standards for Every {
    #[inline]
    fn narrow(standard: Standard) -> Standard {
        standard
    }

    #[inline]
    fn parse(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError> {
        standard.parse(text)
    }

    fn parse_generic(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError> {
        standard.parse_generic(text)
    }
}

/// RFC 3986 and RFC 3987.
#[derive(Clone, Copy)]
pub(crate) struct Recent;

impl Standards for Recent {
    #[inline]
    fn narrow(standard: Standard) -> Standard {
        match standard {
            Standard::Rfc3987 => Standard::Rfc3987,
            _ => Standard::Rfc3986,
        }
    }

    #[inline]
    fn parse(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError> {
        match standard {
            Standard::Rfc3987 => IriRef::parse(text).map(|reference| reference.0),
            _ => UriRef::parse(text).map(|reference| reference.0),
        }
    }

    #[inline]
    fn parse_generic(text: &str, standard: Standard) -> Result<AnyRef<'_>, ParseError> {
        Self::parse(text, standard)
    }
}

/// A reference whose standard is in the list `S`.
pub(crate) struct Known<'a, S> {
    any: AnyRef<'a>,
    standards: PhantomData<S>,
}

impl<S> Clone for Known<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Known<'_, S> {}

impl<'a, S: Standards> Known<'a, S> {
    #[inline]
    pub(crate) const fn new(any: AnyRef<'a>) -> Self {
        Self {
            any,
            standards: PhantomData,
        }
    }

    /// Returns the reference.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) const fn any(self) -> AnyRef<'a> {
        self.any
    }

    /// Returns the standard.
    #[inline]
    pub(crate) fn standard(&self) -> Standard {
        S::narrow(self.any.standard())
    }

    /// Returns whether the reference is opaque, like [`AnyRef::is_opaque`].
    #[inline]
    pub(crate) fn is_opaque(&self) -> bool {
        self.standard() < Standard::Rfc3986 && self.any.is_opaque()
    }
}

impl<'a, S> Deref for Known<'a, S> {
    type Target = AnyRef<'a>;

    #[inline]
    fn deref(&self) -> &AnyRef<'a> {
        &self.any
    }
}
