//! An address in a mailto URL.

use core::fmt;
use urikit::component::Encoded;
use urikit::internal::{encoded, rfc822, rfc6068};

/// The specification by which an address is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// RFC 1630: `xalphas @ hostname`.
    Rfc1630,
    /// RFC 1738: RFC 822's `addr-spec`.
    Rfc1738,
    /// RFC 6068's own `addr-spec`.
    Rfc6068,
}

/// A mail address (RFC 822, 6.1; RFC 6068, 2), as written in a URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Mailto;
/// // RFC 6068, 6.2: the address "not@me"@example.org
/// let url = Uri::parse("mailto:%22not%40me%22@example.org")?;
/// let address = Mailto::read(url)?.addresses().next().unwrap();
/// assert_eq!(address.local_part().to_utf8()?, "\"not@me\"");
/// assert_eq!(address.domain(), "example.org");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address<'a> {
    text: &'a str,
    local_end: usize,
    domain: usize,
}

impl<'a> Address<'a> {
    /// Reads an address. The error is the offset at which no address can continue.
    pub(super) fn read(text: &'a str, by: By) -> Result<Self, usize> {
        let (local_end, domain) = match by {
            By::Rfc1630 => rfc1630(text)?,
            By::Rfc1738 => rfc822::addr_spec(text)?,
            By::Rfc6068 => rfc6068::addr_spec(text)?,
        };
        Ok(Self {
            text,
            local_end,
            domain,
        })
    }

    /// The complete address, as written.
    pub const fn encoded(self) -> Encoded<'a> {
        encoded(self.text)
    }

    /// What precedes the `@`, as written; its meaning is up to the domain. Quotes are part of it,
    /// and case matters.
    pub fn local_part(self) -> Encoded<'a> {
        encoded(self.text.get(..self.local_end).unwrap_or_default())
    }

    /// What follows the `@`, as written: a name, or an address in (escaped) brackets. Case does
    /// not matter in a name. By RFC 6068 it may have characters beyond US-ASCII, to which IDNA
    /// applies.
    pub fn domain(self) -> Encoded<'a> {
        encoded(self.text.get(self.domain..).unwrap_or_default())
    }
}

impl fmt::Display for Address<'_> {
    /// As written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl fmt::Debug for Address<'_> {
    /// As written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// RFC 1630's `xalphas @ hostname`. Both may contain the same characters, even the `@`. Since no
/// domain has an `@`, the last one that a hostname follows counts.
fn rfc1630(text: &str) -> Result<rfc822::AddrSpec, usize> {
    let begins_name = |at: usize| {
        let next = text.as_bytes().get(at + 1);
        at > 0 && next.is_some_and(u8::is_ascii_alphabetic)
    };
    let ats = text.rmatch_indices('@').map(|(at, _)| at);
    let at = ats.into_iter().find(|at| begins_name(*at));
    at.map(|at| (at, at + 1)).ok_or(text.len())
}
