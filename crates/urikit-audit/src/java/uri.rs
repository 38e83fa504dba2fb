//! The components of a reference that `java.net.URI` accepts.

use super::parse::Authority;
use std::borrow::Cow;
use std::fmt;

/// A reference as `java.net.URI` reads it. The methods have the same names and results as those of
/// the Java class. `None` represents null, and also the port -1.
///
/// ```
/// use urikit_audit::java::JavaUri;
/// let uri = JavaUri::parse("http://u@h:80/a%20b?q")?;
/// assert_eq!(uri.host(), Some("h"));
/// assert_eq!(uri.port(), Some(80));
/// assert_eq!(uri.raw_path(), Some("/a%20b"));
/// assert_eq!(uri.path().unwrap(), "/a b");
///
/// let uri = JavaUri::parse("http://a_b/")?; // an underscore makes it registry-based
/// assert_eq!(uri.host(), None);
/// assert_eq!(uri.raw_authority(), Some("a_b"));
/// # Ok::<(), urikit_audit::java::JavaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JavaUri<'a> {
    pub(super) scheme: Option<&'a str>,
    pub(super) scheme_specific_part: &'a str,
    pub(super) authority: Option<Authority<'a>>,
    pub(super) path: Option<&'a str>,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

impl<'a> JavaUri<'a> {
    /// `getScheme`: the scheme as written, without its colon.
    pub const fn scheme(&self) -> Option<&'a str> {
        self.scheme
    }

    /// `isOpaque`: whether the reference has a scheme that is not followed by a `/`. An opaque
    /// reference has no path.
    pub const fn is_opaque(&self) -> bool {
        self.path.is_none()
    }

    /// `getRawSchemeSpecificPart`: everything between the scheme and the fragment.
    pub const fn raw_scheme_specific_part(&self) -> &'a str {
        self.scheme_specific_part
    }

    /// `getSchemeSpecificPart`: decodes escapes, except between brackets.
    pub fn scheme_specific_part(&self) -> Cow<'a, str> {
        decode(self.scheme_specific_part, Brackets::Keep)
    }

    /// `getRawAuthority`: also `None` if the authority is empty.
    pub fn raw_authority(&self) -> Option<&'a str> {
        self.authority.map(|authority| authority.text)
    }

    /// `getAuthority`: decodes escapes, except between brackets.
    pub fn authority(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.raw_authority()?, Brackets::Keep))
    }

    /// `getRawUserInfo`: also `None` if the authority is registry-based.
    pub fn raw_user_info(&self) -> Option<&'a str> {
        self.authority?.server?.user_info
    }

    /// `getUserInfo`: decodes escapes.
    pub fn user_info(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.raw_user_info()?, Brackets::Decode))
    }

    /// `getHost`: the host, with the brackets of an IPv6 address. The host is also `None` if the
    /// authority is registry-based.
    pub fn host(&self) -> Option<&'a str> {
        Some(self.authority?.server?.host)
    }

    /// `getPort`: also `None` if the authority is registry-based, or if nothing follows the colon.
    pub fn port(&self) -> Option<u32> {
        self.authority?.server?.port
    }

    /// Returns the digits of the port without leading zeros. `None` if [`port`](Self::port) is
    /// `None`.
    pub(crate) fn port_digits(&self) -> Option<&'a str> {
        let digits = self.authority?.server?.port_digits?;
        match digits.trim_start_matches('0') {
            "" => digits.get(..1),
            number => Some(number),
        }
    }

    /// Returns whether the authority is registry-based, in which case [`host`](Self::host) is
    /// `None`.
    pub fn is_registry_based(&self) -> bool {
        self.authority
            .is_some_and(|authority| authority.server.is_none())
    }

    /// `getRawPath`: `None` if the reference is opaque.
    pub const fn raw_path(&self) -> Option<&'a str> {
        self.path
    }

    /// `getPath`: decodes escapes.
    pub fn path(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.path?, Brackets::Decode))
    }

    /// `getRawQuery`: also `None` if the reference is opaque.
    pub const fn raw_query(&self) -> Option<&'a str> {
        self.query
    }

    /// `getQuery`: decodes escapes.
    pub fn query(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.query?, Brackets::Decode))
    }

    /// `getRawFragment`: the fragment as written, without its `#`.
    pub const fn raw_fragment(&self) -> Option<&'a str> {
        self.fragment
    }

    /// `getFragment`: decodes escapes.
    pub fn fragment(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.fragment?, Brackets::Decode))
    }
}

/// The treatment of escapes between brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    /// Decodes the escapes.
    Decode,
    /// Keeps the escapes, because a `%` before a zone is not an escape. Java keeps the escapes
    /// after all opening brackets, even in an opaque part or a query, and after a bracket that is
    /// never closed.
    Keep,
}

/// Decodes each run of escapes as UTF-8.
///
/// INVARIANT: two hexadecimal digits follow every `%` outside brackets.
pub(super) fn decode(text: &str, brackets: Brackets) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut octets = Vec::new();
    let mut inside = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => inside = brackets == Brackets::Keep,
            ']' => inside = false,
            '%' if !inside => {
                let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16)).unwrap_or(0);
                let octet = digit(rest.next()) << 4 | digit(rest.next());
                octets.push(u8::try_from(octet).unwrap_or(0));
                if rest.as_str().starts_with('%') {
                    continue;
                }
                utf8(&octets, &mut decoded);
                octets.clear();
                continue;
            }
            _ => {}
        }
        decoded.push(c);
    }
    Cow::Owned(decoded)
}

/// Appends octets, decoded as UTF-8. Each malformed sequence becomes a single U+FFFD. A surrogate
/// encoded in three octets is one sequence. (Rust treats such a surrogate as three sequences, as
/// the Unicode standard recommends.)
fn utf8(octets: &[u8], out: &mut String) {
    let mut rest = octets;
    while !rest.is_empty() {
        match rest {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, tail @ ..] | [0xED, 0xA0..=0xBF, tail @ ..] => {
                out.push(char::REPLACEMENT_CHARACTER);
                rest = tail;
            }
            _ => {
                let Some(chunk) = first_chunk(rest) else {
                    return;
                };
                out.push_str(chunk.0);
                if chunk.1 {
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                rest = rest.get(chunk.2..).unwrap_or_default();
            }
        }
    }
}

/// Returns the valid text at the beginning of `octets`, whether a malformed sequence follows, and
/// their combined length.
fn first_chunk(octets: &[u8]) -> Option<(&str, bool, usize)> {
    let chunk = octets.utf8_chunks().next()?;
    let valid = chunk.valid();
    if chunk.invalid().first() == Some(&0xED) && !valid.is_empty() {
        // A surrogate may follow; the next call reads it.
        return Some((valid, false, valid.len()));
    }
    let invalid = chunk.invalid();
    Some((valid, !invalid.is_empty(), valid.len() + invalid.len()))
}

/// The reason why `java.net.URI` rejects a reference, and the offset of the error.
///
/// JDKs report different offsets. The offset here is that of the first byte that cannot be part of
/// the component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JavaError {
    pub(super) offset: usize,
    pub(super) expected: JavaExpected,
}

impl JavaError {
    /// Returns the offset in bytes.
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns the expected text at the offset.
    pub const fn expected(self) -> JavaExpected {
        self.expected
    }
}

/// The text that `java.net.URI` expected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum JavaExpected {
    /// A character that is allowed in a scheme, before the colon.
    Scheme,
    /// Text after the scheme's colon.
    SchemeSpecificPart,
    /// Text after `//`.
    Authority,
    /// A character that is allowed in an authority.
    AuthorityCharacter,
    /// An IPv6 address in brackets, followed by a port or the end of the authority.
    Ipv6Address,
    /// A character that is allowed in an opaque part.
    OpaqueCharacter,
    /// A character that is allowed in a path.
    PathCharacter,
    /// A character that is allowed in a query.
    QueryCharacter,
    /// A character that is allowed in a fragment.
    FragmentCharacter,
    /// Two hexadecimal digits after `%`.
    HexDigits,
}

impl JavaExpected {
    /// Returns a description, such as `a character allowed in a path`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "a character allowed in a scheme",
            Self::SchemeSpecificPart => "a scheme-specific part",
            Self::Authority => "an authority",
            Self::AuthorityCharacter => "a character allowed in an authority",
            Self::Ipv6Address => "an IPv6 address in brackets",
            Self::OpaqueCharacter => "a character allowed in an opaque part",
            Self::PathCharacter => "a character allowed in a path",
            Self::QueryCharacter => "a character allowed in a query",
            Self::FragmentCharacter => "a character allowed in a fragment",
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
