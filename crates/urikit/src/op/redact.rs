//! Displays references with masked passwords. RFC 3986, 3.2.1: "applications should not render as
//! clear text any data after the first colon". RFC 2396, 3.2.2 already warned about passwords in
//! URIs.

use crate::AnyRef;
use crate::component::{Parts, masked, secret, secret_after_slashes};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use core::ops::Range;

/// A `Display` of a reference with its password masked.
#[derive(Clone, Copy)]
pub struct Redacted<'a> {
    reference: AnyRef<'a>,
}

impl<'a> AnyRef<'a> {
    /// Returns a `Display` of the reference with its password masked, for logs and messages.
    /// Nothing else changes. An empty password is not secret and is kept.
    ///
    /// Some references merely look as if they had a userinfo: a registry-based authority of RFC
    /// 2396, or the opaque part of RFC 1630 and RFC 1738. The part that another program would
    /// treat as a password is also masked, even in a URL after another scheme.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("ftp://user:secret@host.dom/%2Fetc/motd")?;
    /// assert_eq!(url.display_redacted().to_string(), "ftp://user:***@host.dom/%2Fetc/motd");
    /// let nested = Uri::parse("jdbc:mysql://user:secret@db.example/x")?;
    /// assert_eq!(nested.display_redacted().to_string(), "jdbc:mysql://user:***@db.example/x");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn display_redacted(&self) -> Redacted<'a> {
        Redacted { reference: *self }
    }

    /// Appends the reference to `out`, with its password masked.
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
        for part in self.display_redacted().parts() {
            out.push_str(part);
        }
    }
}

impl<'a> Redacted<'a> {
    /// Returns the text in three parts, the second one masked.
    fn parts(self) -> [&'a str; 3] {
        let password = password(self.reference, secret_after_slashes);
        masked(self.reference.as_str(), password)
    }
}

impl<'a> AnyRef<'a> {
    /// Returns the text for `Debug`. In every path, text that looks like a password is also masked.
    pub(crate) fn masked(&self) -> Parts<'a> {
        Parts(masked(self.as_str(), password(*self, secret)))
    }
}

/// Returns the range of the password, unless it is empty. `in_path` finds text that looks like a
/// password in the path of a reference without an authority.
fn password(
    reference: AnyRef<'_>,
    in_path: fn(&str) -> Option<Range<usize>>,
) -> Option<Range<usize>> {
    let start = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    let (start, found) = if let Some(userinfo) = reference.userinfo() {
        let (user, password) = userinfo.as_str().split_once(':')?;
        let from = user.len() + 1;
        (start + 2, from..from + password.len())
    } else if let Some(authority) = reference.authority() {
        (start + 2, secret(authority.as_str())?)
    } else {
        // If there is no authority, text that looks like an authority is part of the path.
        (start, in_path(reference.path().as_str())?)
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
