//! Why `java.net.URI` refuses a reference.

use std::fmt;

/// Why `java.net.URI` refuses a reference, and where. JDKs give different offsets; this one is the
/// first byte that cannot be part of the component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JavaError {
    pub(super) offset: usize,
    pub(super) expected: JavaExpected,
}

impl JavaError {
    /// The offset in bytes.
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// What was expected there.
    pub const fn expected(self) -> JavaExpected {
        self.expected
    }
}

/// What `java.net.URI` expected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum JavaExpected {
    /// A character of a scheme, before the colon.
    Scheme,
    /// Something after the scheme's colon.
    SchemeSpecificPart,
    /// Something after `//`.
    Authority,
    /// A character of an authority.
    AuthorityCharacter,
    /// An IPv6 address between brackets, and then a port or the end of the authority.
    Ipv6Address,
    /// A character of an opaque part.
    OpaqueCharacter,
    /// A character of a path.
    PathCharacter,
    /// A character of a query.
    QueryCharacter,
    /// A character of a fragment.
    FragmentCharacter,
    /// Two hexadecimal digits after `%`.
    HexDigits,
}

impl JavaExpected {
    /// A description, such as `a character of a path`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "a character of a scheme",
            Self::SchemeSpecificPart => "a scheme-specific part",
            Self::Authority => "an authority",
            Self::AuthorityCharacter => "a character of an authority",
            Self::Ipv6Address => "an IPv6 address in brackets",
            Self::OpaqueCharacter => "a character of an opaque part",
            Self::PathCharacter => "a character of a path",
            Self::QueryCharacter => "a character of a query",
            Self::FragmentCharacter => "a character of a fragment",
            Self::HexDigits => "two hexadecimal digits",
        }
    }
}

impl fmt::Display for JavaExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for JavaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.offset)
    }
}

impl std::error::Error for JavaError {}
