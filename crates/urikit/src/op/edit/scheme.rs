//! Checking the scheme after an edit failed: an invalid one is parsed as the beginning of a path,
//! and the parser's error would be about that.

use super::builder::UriBuilder;
use super::error::EditError;
use super::escape::is_escape;
use crate::Standard;
use crate::grammar::{rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};

impl UriBuilder<'_> {
    /// What is wrong with the scheme, if anything.
    pub(super) fn bad_scheme(&self) -> Option<EditError> {
        let scheme = self.scheme_text()?;
        if scheme.is_empty() {
            return Some(EditError::NotAScheme { found: None });
        }
        let mut characters = scheme.char_indices();
        let stray = characters.find(|(at, c)| {
            let after = scheme.as_bytes().get(at + 1..);
            !self.may_be_in_scheme(*c, *at == 0, after)
        });
        stray.map(|(_, found)| EditError::NotAScheme { found: Some(found) })
    }

    fn may_be_in_scheme(&self, c: char, is_first: bool, after: Option<&[u8]>) -> bool {
        let class = match self.standard {
            Standard::Rfc1630 => &rfc1630::generic::SCHEME,
            Standard::Rfc1738 => &rfc1738::SCHEME,
            Standard::Rfc1808 => &rfc1808::SCHEME,
            Standard::Rfc2396 | Standard::Rfc2732 => &rfc2396::SCHEME,
            Standard::Rfc3986 | Standard::Rfc3987 => &rfc3986::SCHEME,
        };
        // The text after which a class applies is the first letter.
        if is_first && !class.after().is_empty() {
            return c.is_ascii_alphabetic();
        }
        let is_in = |octet: u8| class.set().contains(octet);
        u8::try_from(c).is_ok_and(|octet| octet.is_ascii() && is_in(octet))
            || c == '%' && class.has_escapes() && is_escape(after)
    }
}
