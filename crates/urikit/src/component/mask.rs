//! Masks passwords (RFC 3986, 3.2.1), even in text that only looks like an authority.

use crate::visible::Escaped;
use core::fmt::{self, Display as _, Write as _};
use core::ops::Range;

/// The text that replaces a password. The replacement does not reveal the length of the password.
pub const MASK: &str = "***";

/// Finds the password in text that looks like an authority: after its first colon and before its
/// last `@`. Returns `None` if the password is absent or empty; an empty password is not secret.
///
/// The result does not depend on the standard. The registry-based authorities of RFC 2396, the
/// `net_loc` of RFC 1808 and the generic productions of RFC 1630 and RFC 1738 have no userinfo,
/// but the author of the reference may have meant to write a userinfo.
///
/// ```
/// use urikit::component::password_in;
/// assert_eq!(password_in(b"user:secret@host:80"), Some(5..11));
/// assert_eq!(password_in(b"foo:@host.dom"), None); // RFC 1738, 3.1: an empty password
/// assert_eq!(password_in(b"host:80"), None);
/// ```
pub fn password_in(authority: &[u8]) -> Option<Range<usize>> {
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = authority.iter().position(|byte| *byte == b':')?;
    (colon + 1 < at).then_some(colon + 1..at)
}

/// Finds the password in a host or a path. The text that looks like an authority is at the
/// beginning, with or without `//` before it, or follows a `://`, as in `jdbc:mysql://u:p@host`. It
/// ends at the next slash.
pub(crate) fn secret(text: &str) -> Option<Range<usize>> {
    let start = if text.starts_with("//") { 2 } else { 0 };
    authority_secret(text, start).or_else(|| nested_secret(text))
}

/// Finds the password in a path in which only `//` begins an authority: at the beginning or after a
/// colon.
pub(crate) fn secret_after_slashes(text: &str) -> Option<Range<usize>> {
    let first = text.starts_with("//").then(|| authority_secret(text, 2));
    first.flatten().or_else(|| nested_secret(text))
}

/// Finds the first password after a `://`.
fn nested_secret(text: &str) -> Option<Range<usize>> {
    let mut nested = text.match_indices("://");
    nested.find_map(|(at, slashes)| authority_secret(text, at + slashes.len()))
}

/// Finds the password in the text from `start` to the next slash.
fn authority_secret(text: &str, start: usize) -> Option<Range<usize>> {
    let authority = text.get(start..)?.split('/').next()?;
    let password = password_in(authority.as_bytes())?;
    Some(start + password.start..start + password.end)
}

/// Splits text into three parts and replaces the middle one, the secret, with [`MASK`].
pub(crate) fn masked(text: &str, secret: Option<Range<usize>>) -> [&str; 3] {
    let parts = secret.and_then(|secret| {
        let before = text.get(..secret.start)?;
        Some([before, MASK, text.get(secret.end..)?])
    });
    parts.unwrap_or([text, "", ""])
}

/// A host whose `Debug` masks a possible password.
pub(crate) struct Masked<'a>(pub(crate) &'a str);

impl fmt::Debug for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Parts(masked(self.0, secret(self.0))), f)
    }
}

/// Masked text in three parts. `Debug` shows the three parts as one string.
pub(crate) struct Parts<'a>(pub(crate) [&'a str; 3]);

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Escapes like `str`'s `Debug`, which cannot write three parts as one string.
        f.write_char('"')?;
        for c in self.0.into_iter().flat_map(str::chars) {
            match c {
                '\'' => f.write_char(c)?,
                _ => Escaped(c).fmt(f)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::{Masked, password_in};

    #[test]
    fn from_the_first_colon_to_the_last_at() {
        for (text, password) in [
            ("u:a:b@c@h", Some("a:b@c")),
            (":p@h", Some("p")),
            ("u:@h", None),
            ("u@h:80", None),
            ("h:80", None),
            ("@:", None),
            ("", None),
        ] {
            let found = password_in(text.as_bytes()).and_then(|range| text.get(range));
            assert_eq!(found, password, "{text}");
        }
    }

    #[test]
    fn in_a_path_up_to_its_next_slash() {
        let shown = |text| alloc::format!("{:?}", Masked(text));
        assert_eq!(shown("//u:p@h/x:y@z"), r#""//u:***@h/x:y@z""#);
        assert_eq!(shown("u:p@h"), r#""u:***@h""#);
        assert_eq!(shown("/u:p@h"), r#""/u:p@h""#);
        assert_eq!(shown("a://u:p@h/x"), r#""a://u:***@h/x""#);
        assert_eq!(shown("a:b://h/c://u:p@h"), r#""a:b://h/c://u:***@h""#);
        assert_eq!(shown("a//u:p@h"), r#""a//u:p@h""#);
        assert_eq!(shown("a\"'b"), alloc::format!("{:?}", "a\"'b"));
    }
}
