//! Notes and warnings about a reference, as far as its text alone allows.

use crate::reading::{Components, Failure};
use std::fmt::Write as _;
use urikit::component::Authority;
use urikit::error::{Expected, Found};
use urikit::{AnyRef, Form, HostKind};
use urikit_schemes::Warning;

/// The notes on a reference that at least one standard accepts.
pub(super) fn notes(components: &Components<'_>, reference: Option<AnyRef<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    match components.password {
        Some("") => note("The password is empty, which is not the same as absent (RFC 1738, 3.1)."),
        Some(_) => {
            note(
                "It contains a password, visible to everyone who sees the reference (RFC 1738, 6; \
                 RFC 3986, 7.5).",
            );
        }
        None => {}
    }
    if components.user.is_some_and(|user| user.contains('.')) {
        note(
            "What precedes the `@` looks like a host, but is not; the host follows the `@` \
             (RFC 3986, 7.6).",
        );
    }
    port(components, reference, &mut note);
    host(components, &mut note);
    mistaken(components, &mut note);
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
                    | Warning::LineEnd { .. }
                    | Warning::NoAddress
                    | Warning::LegacyAddress { .. }
            ) {
                note(&sentence(&warning.to_string()));
            }
        }
    }
    if components
        .texts()
        .iter()
        .filter_map(|(_, text)| *text)
        .any(escapes_control)
    {
        note("It contains an escaped control character.");
    }
    notes
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

fn port(components: &Components<'_>, reference: Option<AnyRef<'_>>, note: &mut impl FnMut(&str)) {
    let number = reference
        .and_then(|reference| reference.authority())
        .and_then(Authority::port_number);
    match (components.port, number) {
        (Some(""), _) => {
            note("The port is empty: the scheme's default is meant (RFC 3986, 3.2.3).");
        }
        (Some(_), None) if reference.is_some() => note("Port numbers end at 65535."),
        (Some(digits), Some(_)) if digits.len() > 1 && digits.starts_with('0') => {
            note("The port has leading zeros.");
        }
        (_, Some(0)) => note("No server can listen on port 0."),
        _ => {}
    }
}

fn host(components: &Components<'_>, note: &mut impl FnMut(&str)) {
    let Some(host) = components.host else { return };
    let digits = host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    match components.host_kind {
        Some(HostKind::RegName) if digits => {
            note(
                "The host looks like an IPv4 address, but under this standard it is a name. Other \
                 parsers may treat it as an address.",
            );
        }
        _ => {}
    }
}

/// Notes on references that are valid, but rarely intended.
fn mistaken(components: &Components<'_>, note: &mut impl FnMut(&str)) {
    let first = components.path.split('/').next().unwrap_or_default();
    let digits = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match (components.form, components.scheme) {
        (Form::Absolute, Some(scheme))
            if components.host.is_none()
                && digits
                && (scheme.contains('.') || scheme == "localhost") =>
        {
            note(
                "What looks like a host is parsed as a scheme, and the port as a path. A URL \
                 begins with its scheme: http://…",
            );
        }
        (Form::RelativePath, None)
            if first.contains('.') && !first.starts_with('.') && components.path.contains('/') =>
        {
            note(
                "This is a relative path: its first segment is not a host. A URL begins with its \
                 scheme: http://…",
            );
        }
        _ => {}
    }
}

/// Whether it contains `%00` to `%1F` or `%7F`, except CR and LF, which have a separate warning.
fn escapes_control(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    escapes.any(|escape| match escape {
        [b'0', b'a' | b'A' | b'd' | b'D', ..] => false,
        [b'0' | b'1', _, ..] | [b'7', b'f' | b'F', ..] => true,
        _ => false,
    })
}

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

/// The note on a relative reference that may be the rest of the previous argument.
pub(super) fn later_argument(number: u64) -> String {
    format!(
        "This is argument {number}. If it belongs to the previous argument, quote the complete \
         reference for your shell, and write a space as `%20`."
    )
}
