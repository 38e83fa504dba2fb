//! Escapes more or fewer characters of a complete reference without changing its meaning (RFC
//! 1630, Reduced or increased safe character sets).
//!
//! "Because a % sign always indicates an encoded character", a program may escape or unescape an
//! unreserved character. A reserved character has "a quite different significance when encoded" and
//! never changes. The scheme and the authority do not change either, because their productions
//! differ most, nor do the segments `.` and `..`, which RFC 1630 calls "similarly reserved".

use super::{escape, escaped_octet};
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::grammar::component::unreserved;
use crate::{AnyRef, ParseError};
use alloc::string::String;
use core::fmt;

/// The reason why a reference cannot be rewritten.
///
/// ```
/// use urikit::Standard;
/// use urikit::grammar::ByteSet;
/// use urikit::percent::{RewriteError, escape_unreserved};
/// // RFC 1738, 5: a `group` cannot contain escapes.
/// let news = Standard::Rfc1738.parse("news:comp.infosystems")?;
/// let error = escape_unreserved(news, &ByteSet::of(b"p")).unwrap_err();
/// assert!(matches!(error, RewriteError::Refused(_)));
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RewriteError {
    /// The result is not a valid reference. For example, RFC 1738 does not allow escapes in a
    /// `group`, and RFC 1630 does not allow them in `digits`.
    Refused(ParseError),
    /// The result would have different components: under RFC 1808, `a%41:b` would gain a scheme.
    OtherParts,
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "the rewritten reference would be invalid: {error}"),
            Self::OtherParts => {
                f.write_str("the rewritten reference would have different components")
            }
        }
    }
}

impl core::error::Error for RewriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Refused(error) => Some(error),
            Self::OtherParts => None,
        }
    }
}

/// Escapes every unreserved character of `set` after the authority. Existing escapes are kept.
///
/// ```
/// use urikit::Standard;
/// use urikit::grammar::ByteSet;
/// use urikit::percent::{unescape_unreserved, escape_unreserved};
/// let hyphen = ByteSet::of(b"-");
/// // RFC 1630, Example 1
/// let a = Standard::Rfc1630.parse("http://info.cern.ch/albert/bertram/marie-claude")?;
/// let b = escape_unreserved(a, &hyphen)?;
/// assert_eq!(b, "http://info.cern.ch/albert/bertram/marie%2Dclaude");
/// assert_eq!(unescape_unreserved(Standard::Rfc1630.parse(&b)?, &hyphen)?, a.as_str());
/// // Example 2: a slash is reserved, and stays escaped.
/// let c = Standard::Rfc1630.parse("http://info.cern.ch/albert/bertram%2Fmarie-claude")?;
/// assert_eq!(unescape_unreserved(c, &ByteSet::range(0, 255))?, c.as_str());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the scheme's production does not allow an escape at that position.
pub fn escape_unreserved<'r>(
    reference: impl Into<AnyRef<'r>>,
    set: &ByteSet,
) -> Result<String, RewriteError> {
    let mut out = String::new();
    escape_unreserved_into(reference, set, &mut out)?;
    Ok(out)
}

/// Rewrites as [`escape_unreserved`] does, and appends the result to `out`. After an error, `out`
/// is unchanged.
///
/// ```
/// use urikit::Standard;
/// use urikit::grammar::ByteSet;
/// use urikit::percent::escape_unreserved_into;
/// let mut out = String::from("at ");
/// let url = Standard::Rfc2396.parse("http://abc.com/~smith/")?; // RFC 2616, 3.2.3
/// escape_unreserved_into(url, &ByteSet::of(b"~"), &mut out)?;
/// assert_eq!(out, "at http://abc.com/%7Esmith/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails for the same reasons as [`escape_unreserved`].
pub fn escape_unreserved_into<'r>(
    reference: impl Into<AnyRef<'r>>,
    set: &ByteSet,
    out: &mut String,
) -> Result<(), RewriteError> {
    rewrite(reference.into(), set, Rewrite::Escape, out)
}

/// After the authority, decodes every escape that encodes an unreserved character in `set`. This
/// function is the inverse of [`escape_unreserved`] if no unreserved character in `set` was
/// escaped before.
///
/// ```
/// use urikit::Standard;
/// use urikit::grammar::ByteSet;
/// use urikit::percent::unescape_unreserved;
/// let uri = Standard::Rfc2396.parse("http://abc.com/%7esmith/%2F")?; // RFC 2616, 3.2.3
/// assert_eq!(unescape_unreserved(uri, &ByteSet::of(b"~/"))?, "http://abc.com/~smith/%2F");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the result would not be a valid reference, or would have different components.
pub fn unescape_unreserved<'r>(
    reference: impl Into<AnyRef<'r>>,
    set: &ByteSet,
) -> Result<String, RewriteError> {
    let mut out = String::new();
    unescape_unreserved_into(reference, set, &mut out)?;
    Ok(out)
}

/// Rewrites as [`unescape_unreserved`] does, and appends the result to `out`. After an error, `out`
/// is unchanged.
///
/// ```
/// use urikit::Standard;
/// use urikit::grammar::ByteSet;
/// use urikit::percent::unescape_unreserved_into;
/// let mut out = String::from("at ");
/// let uri = Standard::Rfc3986.parse("http://h/%7Esmith")?; // RFC 3986, 2.3
/// unescape_unreserved_into(uri, &ByteSet::of(b"~"), &mut out)?;
/// assert_eq!(out, "at http://h/~smith");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails for the same reasons as [`unescape_unreserved`].
pub fn unescape_unreserved_into<'r>(
    reference: impl Into<AnyRef<'r>>,
    set: &ByteSet,
    out: &mut String,
) -> Result<(), RewriteError> {
    rewrite(reference.into(), set, Rewrite::Decode, out)
}

/// The change that rewriting makes to a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rewrite {
    Escape,
    Decode,
}

/// Appends the reference. After the authority, every unreserved character in `set` is escaped or
/// decoded, except in the segments `.` and `..`.
fn rewrite(
    reference: AnyRef<'_>,
    set: &ByteSet,
    change: Rewrite,
    out: &mut String,
) -> Result<(), RewriteError> {
    // A `+` is a space in the search part of RFC 1630 and in forms. The RFCs after RFC 1630
    // reserve `@` and `&`: an `@` turns a newsgroup into an article.
    let unreserved = unreserved(reference.standard());
    let is_rewritten =
        |octet: u8| set.contains(octet) && unreserved.contains(octet) && !b"+@&".contains(&octet);
    let start = out.len();
    rewrite_parts(reference, out, |part, out| {
        rewrite_part(part, is_rewritten, change, out);
    });
    let checked = check(reference, out.get(start..).unwrap_or_default());
    if checked.is_err() {
        out.truncate(start);
    }
    checked
}

/// Appends a part with some of its characters escaped or decoded.
fn rewrite_part(part: &str, is_rewritten: impl Fn(u8) -> bool, change: Rewrite, out: &mut String) {
    let is_end = |byte: u8| byte == b'%' || change == Rewrite::Escape && is_rewritten(byte);
    let mut rest = part;
    loop {
        let end = rest.bytes().position(is_end).unwrap_or(rest.len());
        let (kept, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        out.push_str(kept);
        let Some(first) = after.bytes().next() else {
            return;
        };
        let escaped = escaped_octet(after.as_bytes());
        let length = if escaped.is_some() { 3 } else { 1 };
        let (written, after) = after.split_at_checked(length).unwrap_or((after, ""));
        match (change, escaped) {
            (Rewrite::Decode, Some(octet)) if is_rewritten(octet) => out.push(char::from(octet)),
            (Rewrite::Escape, None) => out.push_str(escape(first)),
            _ => out.push_str(written),
        }
        rest = after;
    }
}

/// Appends the reference, and applies `change` to each part after the authority except `.` and
/// `..`.
fn rewrite_parts(reference: AnyRef<'_>, out: &mut String, change: impl Fn(&str, &mut String)) {
    let text = reference.as_str();
    let path = reference.path().as_str();
    let after = [
        (";", reference.params()),
        ("?", reference.query()),
        ("#", reference.fragment()),
    ];
    let length = |part: Option<Encoded<'_>>| part.map_or(0, |part| part.len() + 1);
    let tail: usize = after.iter().map(|(_, part)| length(*part)).sum();
    let start = text.len() - tail - path.len();
    out.push_str(text.get(..start).unwrap_or_default());
    for (index, segment) in path.split('/').enumerate() {
        if index > 0 {
            out.push('/');
        }
        if is_dots(segment) {
            out.push_str(segment);
        } else {
            change(segment, out);
        }
    }
    for (delimiter, part) in after {
        if let Some(part) = part {
            out.push_str(delimiter);
            change(part.as_str(), out);
        }
    }
}

/// Returns whether a segment is `.` or `..`, escaped or not.
fn is_dots(segment: &str) -> bool {
    let decoded = || Encoded::new(segment).decode();
    decoded() == "." || decoded() == ".."
}

/// Checks that `text` is a reference with the same components.
fn check(reference: AnyRef<'_>, text: &str) -> Result<(), RewriteError> {
    let standard = reference.standard();
    let again = if reference.is_generic() {
        standard.parse_generic(text)
    } else {
        standard.parse(text)
    };
    let again = again.map_err(RewriteError::Refused)?;
    if again.form() == reference.form()
        && again.scheme() == reference.scheme()
        && again.authority() == reference.authority()
    {
        Ok(())
    } else {
        Err(RewriteError::OtherParts)
    }
}
