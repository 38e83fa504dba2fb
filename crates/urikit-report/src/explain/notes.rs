//! Notes on a reference: what was probably meant, and how to correct it.

use super::typed::{self, is_typed};
use super::{Explanation, prefix};
use crate::Reader;
use crate::mask::Masked;
use crate::reading::{Components, Failure, Reading};
use crate::repairs::Repairs;
use std::fmt::Write as _;
use urikit::component::Authority;
use urikit::error::{Expected, Found};
use urikit::{AnyRef, Form, HostKind};
use urikit_schemes::Warning;

/// Returns all notes, each consisting of one or more sentences. The notes contain no password.
pub(super) fn all(explanation: &Explanation<'_>, show_secrets: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if prefix(explanation.input.unparsed.bytes) > 0 {
        notes.push(
            "The prefix `URL:` was removed: it is not part of the URL (RFC 1738, Appendix)."
                .to_owned(),
        );
    }
    let text = String::from_utf8_lossy(explanation.reference);
    notes.extend(typed::notes(&text));
    let masked = Masked::new(&text, show_secrets);
    if let Some(failure) = explanation.chosen().and_then(Reading::failure)
        && !failure.offset().is_some_and(|offset| masked.hides(offset))
    {
        let browsers = explanation
            .reading(Reader::Whatwg)
            .and_then(Reading::components);
        let refused = Refused {
            text: &text,
            failure: &failure,
            browsers_host: browsers.and_then(|components| components.host),
        };
        notes.extend(refused.advice());
    }
    if let Some(why) = explanation.input.repairs.and_then(Repairs::failed) {
        notes.push(why.explain());
    }
    if let Some(reading) = explanation.shown()
        && let Some(components) = reading.components()
    {
        notes.extend(accepted(&components, reading.reference()));
        if explanation.argument > 1 && components.form == Form::RelativePath {
            notes.push(later_argument(explanation.argument));
        }
    }
    notes
}

/// Returns the note on a relative reference that may belong to the previous argument.
fn later_argument(number: u64) -> String {
    format!(
        "This is argument {number}. If this text belongs to the previous argument, quote the \
         complete reference for your shell, and write a space as `%20`."
    )
}

/// Returns the notes on a reference that at least one standard accepts. The notes do not cover the
/// risks of the reference, which are findings of the audit.
fn accepted(components: &Components<'_>, reference: Option<AnyRef<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    if components.password == Some("") {
        note("The password is empty, which is not the same as no password (RFC 1738, 3.1).");
    }
    port(components, reference, &mut note);
    host(components, &mut note);
    if let Some(facts) = components.scheme.and_then(urikit_schemes::known) {
        let is_read = urikit_schemes::find(facts.name).is_some() && facts.name != "afs";
        if !is_read {
            let text = facts.specifications.last().unwrap_or(&"");
            note(&format!(
                "The scheme `{}` is known ({}, {text}), but its URLs are not interpreted.",
                facts.name, facts.status
            ));
        }
    }
    if let Some(reference) = reference {
        for warning in urikit_schemes::warnings(reference) {
            if matches!(
                warning,
                Warning::OtherPort { .. }
                    | Warning::ReservedPort { .. }
                    | Warning::NoAddress
                    | Warning::LegacyAddress { .. }
            ) {
                note(&sentence(&warning.to_string()));
            }
        }
    }
    notes
}

/// Turns a clause into a sentence.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

/// Adds notes on the port.
fn port(components: &Components<'_>, reference: Option<AnyRef<'_>>, note: &mut impl FnMut(&str)) {
    let number = reference
        .and_then(|reference| reference.authority())
        .and_then(Authority::port_number);
    match (components.port, number) {
        (Some(""), _) => {}
        (Some(_), None) if reference.is_some() => note(
            "The largest port number is 65535. The grammar allows larger numbers, but no client \
             can connect to such a port.",
        ),
        (Some(digits), Some(_)) if digits.len() > 1 && digits.starts_with('0') => {
            note("The port has leading zeros.");
        }
        _ => {}
    }
}

/// Adds notes on the host.
fn host(components: &Components<'_>, note: &mut impl FnMut(&str)) {
    let Some(host) = components.host else { return };
    let digits = host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    match components.host_kind {
        Some(HostKind::RegName) if digits => {
            note(
                "The host looks like an IPv4 address, but under this standard it is a name. Other \
                 parsers may treat the host as an address.",
            );
        }
        _ => {}
    }
}

/// An input that the chosen standard rejects.
struct Refused<'a> {
    text: &'a str,
    failure: &'a Failure,
    /// The host as browsers parse it.
    browsers_host: Option<&'a str>,
}

impl Refused<'_> {
    /// Returns advice on how to correct the input.
    fn advice(&self) -> Vec<String> {
        if is_typed(self.text) {
            return Vec::new();
        }
        [self.lone_percent(), self.no_port(), self.character()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Returns the text before the error.
    fn before(&self) -> &str {
        let offset = self.failure.offset().unwrap_or(0);
        self.text.get(..offset).unwrap_or_default()
    }

    /// Gives advice on a `%` without two hexadecimal digits.
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

    /// Gives advice on a userinfo that was intended as a host and a port.
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

    /// Gives advice on the character at the error.
    fn character(&self) -> Option<String> {
        let Some(Found::Char(c)) = self.failure.found() else {
            return None;
        };
        Some(match c {
            ' ' => "A space is written `%20`.".to_owned(),
            '\\' if self.is_slash_to_browsers() => {
                "A backslash is written `%5C`; browsers treat it as `/`.".to_owned()
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
                format!("As data, write it as `%{:02X}`.", u32::from(c))
            }
            _ if !c.is_ascii() && self.is_in_host() => {
                let punycode = self
                    .browsers_host
                    .filter(|host| host.split('.').any(|label| label.starts_with("xn--")))
                    .map_or(String::new(), |host| format!(": `{host}`"));
                format!(
                    "In a host name, write it in Punycode (IDNA, RFC 5890){punycode}. IRIs \
                     (rfc3987) allow the character itself."
                )
            }
            _ if !c.is_ascii() => {
                let mut escaped = String::new();
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(escaped, "%{byte:02X}");
                }
                format!(
                    "In a URI, percent-encode it as UTF-8: `{escaped}`. IRIs (rfc3987) allow the \
                     character itself."
                )
            }
            _ => return None,
        })
    }

    /// Returns true if browsers read a backslash at the error as a slash: in special schemes,
    /// before the query.
    fn is_slash_to_browsers(&self) -> bool {
        let scheme = self.before().split_once(':').map(|(scheme, _)| scheme);
        ["http", "https", "ws", "wss", "ftp", "file"]
            .iter()
            .any(|name| scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name)))
            && !self.before().contains(['?', '#'])
    }

    /// Returns true if the error is in the host: after `//`, and after any `@`.
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
