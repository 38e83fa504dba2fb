//! A reference that owns its text.

use super::any::AnyRef;
use super::typed::UriRef;
use crate::ParseError;
use crate::parse::Parts;
use crate::scan::cut::CutBuf;
use crate::standard::{Rfc3986, Spec};
use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::str::FromStr;

/// An IRI reference (RFC 3987) that owns its text.
pub type IriRefBuf = UriRefBuf<crate::standard::Rfc3987>;

/// A reference of the standard `S` that owns its text: one `String` and the offsets. Its components
/// are those of [`as_uri_ref`](Self::as_uri_ref).
///
/// ```
/// use urikit::UriRefBuf;
/// let url: UriRefBuf = "http://www.ietf.org/rfc/rfc2396.txt".parse()?;
/// assert_eq!(url.as_uri_ref().path(), "/rfc/rfc2396.txt");
/// let text: String = url.into_string();
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub struct UriRefBuf<S: Spec = Rfc3986> {
    cut: CutBuf,
    standard: PhantomData<fn() -> S>,
}

/// A text that is no reference, and why. Neither `Debug` nor `Display` shows the text, which may hold
/// a password.
#[derive(Clone, PartialEq, Eq)]
pub struct RejectedText {
    text: String,
    error: ParseError,
}

impl RejectedText {
    pub(super) const fn new(text: String, error: ParseError) -> Self {
        Self { text, error }
    }

    /// Why it is none.
    pub const fn error(&self) -> ParseError {
        self.error
    }

    /// The text, given back.
    pub fn into_text(self) -> String {
        self.text
    }
}

impl fmt::Debug for RejectedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RejectedText")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for RejectedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for RejectedText {}

impl UriRefBuf {
    /// Takes `text` as a reference of RFC 3986, without copying it.
    ///
    /// # Errors
    ///
    /// As [`UriRef::parse`]; the text comes back with the error.
    pub fn parse(text: String) -> Result<Self, RejectedText> {
        Self::parse_as(text)
    }
}

impl<S: Spec> UriRefBuf<S> {
    /// Takes `text` as a reference of `S`, without copying it.
    ///
    /// # Errors
    ///
    /// As [`UriRef::parse_as`]; the text comes back with the error.
    pub fn parse_as(text: String) -> Result<Self, RejectedText> {
        match CutBuf::by(text, |text| Ok(UriRef::<S>::parse_as(text)?.as_any().cut())) {
            Ok(cut) => Ok(Self {
                cut,
                standard: PhantomData,
            }),
            Err((text, error)) => Err(RejectedText { text, error }),
        }
    }

    /// INVARIANT: the parts are those of the text under `S`, by the scheme's own production.
    pub(super) fn from_parts(text: String, parts: Parts) -> Self {
        Self {
            cut: CutBuf::new(text, parts),
            standard: PhantomData,
        }
    }

    /// A view of it, which has the components.
    pub fn as_uri_ref(&self) -> UriRef<'_, S> {
        UriRef::from_any(AnyRef::from_cut(self.cut.as_cut(), S::STANDARD))
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        self.cut.as_str()
    }

    /// The text as written, given away.
    pub fn into_string(self) -> String {
        self.cut.into_string()
    }
}

impl<S: Spec> From<UriRef<'_, S>> for UriRefBuf<S> {
    fn from(reference: UriRef<'_, S>) -> Self {
        Self {
            cut: CutBuf::copied(reference.as_any().cut()),
            standard: PhantomData,
        }
    }
}

impl<S: Spec> From<UriRefBuf<S>> for String {
    fn from(reference: UriRefBuf<S>) -> Self {
        reference.cut.into_string()
    }
}

impl<S: Spec> TryFrom<String> for UriRefBuf<S> {
    type Error = RejectedText;

    fn try_from(text: String) -> Result<Self, RejectedText> {
        Self::parse_as(text)
    }
}

impl<S: Spec> FromStr for UriRefBuf<S> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        UriRef::parse_as(text).map(Self::from)
    }
}

impl<S: Spec> Clone for UriRefBuf<S> {
    fn clone(&self) -> Self {
        Self {
            cut: self.cut.clone(),
            standard: PhantomData,
        }
    }
}

impl<S: Spec> PartialEq for UriRefBuf<S> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl<S: Spec> Eq for UriRefBuf<S> {}

impl<S: Spec> PartialOrd for UriRefBuf<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: Spec> Ord for UriRefBuf<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl<S: Spec> Hash for UriRefBuf<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl<S: Spec> PartialEq<str> for UriRefBuf<S> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl<S: Spec> PartialEq<&str> for UriRefBuf<S> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// So that a map with references as keys can be asked for a text: `==`, order and hash are the text's.
impl<S: Spec> Borrow<str> for UriRefBuf<S> {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl<S: Spec> AsRef<str> for UriRefBuf<S> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<S: Spec> fmt::Display for UriRefBuf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<S: Spec> fmt::Debug for UriRefBuf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_uri_ref(), f)
    }
}
