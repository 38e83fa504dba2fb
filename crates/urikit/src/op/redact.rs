//! References for people's eyes: RFC 3986, 3.2.1, "applications should not render as clear text any data after the
//! first colon", which RFC 2396, 3.2.2, already warned of.

use crate::AnyRef;
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use core::ops::Range;

/// What stands in place of a password, whatever its length.
const MASK: &str = "***";

/// A reference whose password is masked when it is displayed.
#[derive(Clone, Copy)]
pub struct Redacted<'a> {
    reference: AnyRef<'a>,
}

impl<'a> AnyRef<'a> {
    /// The reference with its password masked, for displays and logs. Nothing else is changed; an empty password is no
    /// secret and stays.
    ///
    /// Where a standard reads no userinfo but the text has the form of one (a registry-based authority of RFC 2396,
    /// the opaque rest of RFC 1630 and 1738), what others would take for the password is masked.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("ftp://user:secret@host.dom/%2Fetc/motd")?;
    /// assert_eq!(url.redact().to_string(), "ftp://user:***@host.dom/%2Fetc/motd");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn redact(self) -> Redacted<'a> {
        Redacted { reference: self }
    }

    /// Appends what [`redact`](Self::redact) displays to `out`.
    #[cfg(feature = "alloc")]
    pub fn redact_into(self, out: &mut String) {
        for part in self.redact().parts() {
            out.push_str(part);
        }
    }
}

impl<'a> Redacted<'a> {
    /// What is displayed, in three parts.
    fn parts(self) -> [&'a str; 3] {
        let text = self.reference.as_str();
        let Some(secret) = secret(self.reference) else {
            return [text, "", ""];
        };
        let before = text.get(..secret.start).unwrap_or_default();
        let behind = text.get(secret.end..).unwrap_or_default();
        [before, MASK, behind]
    }
}

/// Where the password stands, unless it is empty.
fn secret(reference: AnyRef<'_>) -> Option<Range<usize>> {
    let start = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    let rest = reference.as_str().get(start..)?.strip_prefix("//")?;
    let start = start + 2;
    let userinfo = if let Some(userinfo) = reference.userinfo() {
        userinfo.as_str()
    } else {
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        rest.get(..end)?.rsplit_once('@')?.0
    };
    let (user, password) = userinfo.split_once(':')?;
    let from = start + user.len() + 1;
    (!password.is_empty()).then(|| from..from + password.len())
}

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.parts() {
            f.write_str(part)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.reference, f)
    }
}
