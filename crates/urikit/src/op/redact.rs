//! References for display: RFC 3986, 3.2.1, "applications should not render as clear text any data
//! after the first colon", which RFC 2396, 3.2.2, already warned about.

use crate::AnyRef;
use crate::component::{Parts, masked, secret};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use core::ops::Range;

/// A reference whose password is masked when it is displayed.
#[derive(Clone, Copy)]
pub struct Redacted<'a> {
    reference: AnyRef<'a>,
}

impl<'a> AnyRef<'a> {
    /// The reference with its password masked, for display and logs. Nothing else is changed; an
    /// empty password is not secret and is kept.
    ///
    /// If a standard reads no userinfo but the text looks like one (a registry-based authority of
    /// RFC 2396, the opaque part of RFC 1630 and 1738), what other readers would take for the
    /// password is masked.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("ftp://user:secret@host.dom/%2Fetc/motd")?;
    /// assert_eq!(url.redact().to_string(), "ftp://user:***@host.dom/%2Fetc/motd");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn redact(&self) -> Redacted<'a> {
        Redacted { reference: *self }
    }

    /// Appends what [`redact`](Self::redact) displays to `out`.
    ///
    /// ```
    /// use urikit::Standard;
    /// let url = Standard::Rfc1738.parse("ftp://user:secret@host.dom/")?; // RFC 1738, 3.1
    /// let mut line = String::from("asked for ");
    /// url.redact_into(&mut line);
    /// assert_eq!(line, "asked for ftp://user:***@host.dom/");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn redact_into(&self, out: &mut String) {
        for part in self.redact().parts() {
            out.push_str(part);
        }
    }
}

impl<'a> Redacted<'a> {
    /// What is displayed, in three parts.
    fn parts(self) -> [&'a str; 3] {
        let password = password(self.reference, |path| path.starts_with("//"));
        masked(self.reference.as_str(), password)
    }
}

impl<'a> AnyRef<'a> {
    /// The text for `Debug`, which also masks what may be a password in any other path.
    pub(crate) fn masked(&self) -> Parts<'a> {
        Parts(masked(self.as_str(), password(*self, |_| true)))
    }
}

/// The range of the password, unless it is empty. `may_have_one` says whether a path is one that
/// may contain what looks like an authority.
fn password(reference: AnyRef<'_>, may_have_one: fn(&str) -> bool) -> Option<Range<usize>> {
    let start = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    let (start, found) = if let Some(userinfo) = reference.userinfo() {
        let (user, password) = userinfo.as_str().split_once(':')?;
        let from = user.len() + 1;
        (start + 2, from..from + password.len())
    } else if let Some(authority) = reference.authority() {
        (start + 2, secret(authority.as_str())?)
    } else {
        // Where no authority was read, what looks like one is in the path.
        let path = reference.path().as_str();
        (start, secret(path).filter(|_| may_have_one(path))?)
    };
    (!found.is_empty()).then(|| start + found.start..start + found.end)
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
        fmt::Debug::fmt(&Parts(self.parts()), f)
    }
}
