//! How to correct an input that a standard refuses.

use super::typed::is_typed;
use crate::reading::Failure;
use std::fmt::Write as _;
use urikit::error::{Expected, Found};

/// An input that a standard refuses.
pub(super) struct Refused<'a> {
    pub(super) text: &'a str,
    pub(super) failure: &'a Failure,
    /// The host as browsers parse it.
    pub(super) browsers_host: Option<&'a str>,
}

impl Refused<'_> {
    /// How to correct it.
    pub(super) fn advice(&self) -> Vec<String> {
        if is_typed(self.text) {
            return Vec::new();
        }
        [self.lone_percent(), self.no_port(), self.character()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The text before the offset of the error.
    fn before(&self) -> &str {
        let offset = self.failure.offset().unwrap_or(0);
        self.text.get(..offset).unwrap_or_default()
    }

    fn lone_percent(&self) -> Option<String> {
        let escape = matches!(
            self.failure.production(),
            Some("escape" | "escaped" | "pct-encoded")
        );
        escape.then(|| {
            "Two hexadecimal digits must follow a `%`; a literal percent sign is written `%25`."
                .to_owned()
        })
    }

    /// For what can only be a userinfo, but was intended as a host and a port.
    fn no_port(&self) -> Option<String> {
        let expected = self.failure.expected()?;
        let only_userinfo = expected.contains(Expected::USERINFO_CHAR.or(Expected::AT))
            && !expected.contains(Expected::COLON)
            && !expected.contains(Expected::SLASH);
        let (_, authority) = self.before().rsplit_once('/')?;
        if !authority.contains(':') {
            return None;
        }
        let end = match self.failure.found() {
            None => "the end".to_owned(),
            Some(Found::Char(c @ ('/' | '?' | '#'))) => format!("the `{c}`"),
            Some(_) => return None,
        };
        only_userinfo.then(|| {
            format!(
                "A port consists of digits only, so the text before {end} can only be a userinfo, \
                 which must be followed by `@` and a host."
            )
        })
    }

    /// How to write the character at the offset of the error.
    fn character(&self) -> Option<String> {
        let Some(Found::Char(c)) = self.failure.found() else {
            return None;
        };
        Some(match c {
            ' ' => "A space is written `%20`.".to_owned(),
            '\\' if self.is_slash_to_browsers() => {
                "A backslash is written `%5C`; browsers read it as `/`.".to_owned()
            }
            '[' | ']'
                if self
                    .failure
                    .expected()
                    .is_some_and(|set| !set.contains(Expected::BRACKET)) =>
            {
                format!(
                    "`{c}` is allowed only around IPv6 addresses; elsewhere, write `%{:02X}`.",
                    u32::from(c)
                )
            }
            '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
                format!("As data, it is written `%{:02X}`.", u32::from(c))
            }
            _ if !c.is_ascii() && self.is_in_host() => {
                let punycode = self
                    .browsers_host
                    .filter(|host| host.split('.').any(|label| label.starts_with("xn--")))
                    .map_or(String::new(), |host| format!(": `{host}`"));
                format!(
                    "In a host name it is written in Punycode, for the DNS (IDNA, RFC 5890)\
                     {punycode}. IRIs (rfc3987) allow it as it is."
                )
            }
            _ if !c.is_ascii() => {
                let mut escaped = String::new();
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(escaped, "%{byte:02X}");
                }
                format!(
                    "In a URI it is percent-encoded as UTF-8: `{escaped}`. IRIs (rfc3987) allow \
                     it as it is."
                )
            }
            _ => return None,
        })
    }

    /// Whether browsers treat a backslash there as a slash: in special schemes, before the query.
    fn is_slash_to_browsers(&self) -> bool {
        let scheme = self.before().split_once(':').map(|(scheme, _)| scheme);
        ["http", "https", "ws", "wss", "ftp", "file"]
            .iter()
            .any(|name| scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name)))
            && !self.before().contains(['?', '#'])
    }

    /// Whether the offset is in the host: after `//`, and after the `@` if there is one.
    fn is_in_host(&self) -> bool {
        let Some((scheme, begun)) = self.before().split_once("//") else {
            return false;
        };
        let after = self.text.get(self.before().len()..).unwrap_or_default();
        let delimiters = ['/', '?', '#'];
        !scheme.contains(delimiters)
            && !begun.contains(delimiters)
            && !after
                .split(delimiters)
                .next()
                .unwrap_or_default()
                .contains('@')
    }
}
