//! What was found.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urikit::{AnyRef, ParseError, Standard};

/// How a link was told from the text around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// In a wrapper: `<URL:…>` or `<…>` (RFC 1738 and RFC 2396, Appendix), or between quotation marks and broken over
    /// lines (RFC 3986, Appendix C).
    Wrapped,
    /// By its scheme alone.
    Bare,
    /// Without a scheme (`www.w3.org/…`), which is guessed (RFC 2396, Appendix F).
    Abbreviated,
    /// A mail address, which is no URL but can be made one.
    Address,
    /// Where the markup of a document says that a reference stands.
    Link,
}

impl Kind {
    /// The name, such as `bare`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Bare => "bare",
            Self::Abbreviated => "abbreviated",
            Self::Address => "address",
            Self::Link => "link",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A link: where it stands, and the reference that it is.
///
/// Nothing is allocated for a bare link. A wrapped one that is broken over lines, an abbreviated one, an address and
/// one with a program's escapes have a reference that is not what stands in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link<'t> {
    pub(crate) range: Range<usize>,
    pub(crate) uri: Cow<'t, str>,
    pub(crate) kind: Kind,
    pub(crate) alternative: Option<String>,
}

impl<'t> Link<'t> {
    /// The reference: of a wrapped link without its wrapper and the white space in it; of an abbreviated one with the
    /// scheme that was guessed; of an address with `mailto:`.
    pub fn as_str(&self) -> &str {
        &self.uri
    }

    /// The reference, taken out.
    pub fn into_uri(self) -> Cow<'t, str> {
        self.uri
    }

    /// Where it stands in the text, in bytes, the wrapper included.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// How it was told from the text around it.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The other reading of a wrapped link in which a line ends in a hyphen: whether the hyphen is part of the reference, or
    /// was put there when the line was broken, nobody can tell (RFC 1738, Appendix; RFC 3986, Appendix C). The reference has
    /// it; this has not.
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// The reference, read: as a URI (RFC 3986), or as an IRI (RFC 3987) where it has characters beyond US-ASCII.
    ///
    /// # Errors
    ///
    /// Where it is none: what markup calls a reference can be anything. What was found in plain text is one.
    pub fn reference(&self) -> Result<AnyRef<'_>, ParseError> {
        standard_of(&self.uri).parse(&self.uri)
    }
}

/// The standard by which a reference out of a text is read.
pub(crate) fn standard_of(uri: &str) -> Standard {
    if uri.is_ascii() {
        Standard::Rfc3986
    } else {
        Standard::Rfc3987
    }
}
