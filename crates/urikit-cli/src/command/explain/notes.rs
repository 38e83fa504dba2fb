//! What a person should know about a reference, as far as its text alone tells.

use crate::reading::{Components, Failure};
use std::fmt::Write as _;
use urikit::AnyRef;
use urikit::component::Authority;
use urikit::error::Found;

/// The notes on a reference that somebody accepts.
pub(super) fn notes(components: &Components<'_>, reference: Option<AnyRef<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    match components.password {
        Some("") => note("The password is empty, which is not the same as none (RFC 1738, 3.1)."),
        Some(_) => note("It holds a password: whoever sees the reference has it (RFC 3986, 7.5)."),
        None => {}
    }
    if components.user.is_some_and(|user| user.contains('.')) {
        note(
            "What stands before the `@` looks like a host and is none; the host stands behind it (RFC 3986, 7.6).",
        );
    }
    port(components, reference, &mut note);
    host(components, reference, &mut note);
    mistaken(components, &mut note);
    if components
        .texts()
        .iter()
        .filter_map(|(_, text)| *text)
        .any(escapes_control)
    {
        note("An escape in it stands for a control character.");
    }
    notes
}

fn port(components: &Components<'_>, reference: Option<AnyRef<'_>>, note: &mut impl FnMut(&str)) {
    let number = reference
        .and_then(AnyRef::authority)
        .and_then(Authority::port_number);
    match (components.port, number) {
        (Some(""), _) => {
            note("The port is empty: the scheme's default is meant (RFC 3986, 3.2.3).");
        }
        (Some(_), None) if reference.is_some() => note("No port above 65535 exists."),
        (Some(digits), Some(_)) if digits.len() > 1 && digits.starts_with('0') => {
            note("The port has leading zeros.");
        }
        (_, Some(0)) => note("Nothing can listen at port 0."),
        _ => {}
    }
}

fn host(components: &Components<'_>, reference: Option<AnyRef<'_>>, note: &mut impl FnMut(&str)) {
    let Some(host) = components.host else { return };
    let no_address = reference
        .and_then(AnyRef::host)
        .is_some_and(|host| host.to_ipv4().is_none());
    let digits = host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    match components.host_kind {
        Some("ipv4") if no_address => {
            note("The host has the form of an IPv4 address, and no such address exists.");
        }
        Some("reg-name") if digits => {
            note(
                "The host looks like an IPv4 address, and to this standard it is a name. Others may read it as an address.",
            );
        }
        _ => {}
    }
}

/// References that are valid, and rarely what was meant.
fn mistaken(components: &Components<'_>, note: &mut impl FnMut(&str)) {
    let first = components.path.split('/').next().unwrap_or_default();
    let digits = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match (components.form, components.scheme) {
        ("absolute", Some(scheme))
            if components.host.is_none()
                && digits
                && (scheme.contains('.') || scheme == "localhost") =>
        {
            note(
                "What looks like a host is read as a scheme, and the port as a path. A URL begins with its scheme: http://…",
            );
        }
        ("relative-path", None)
            if first.contains('.') && !first.starts_with('.') && components.path.contains('/') =>
        {
            note(
                "This is a relative path: its first part is no host. A URL begins with its scheme: http://…",
            );
        }
        _ => {}
    }
}

/// Whether `%00` to `%1F` or `%7F` stands in it.
fn escapes_control(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    escapes.any(|escape| matches!(escape, [b'0' | b'1', _, ..] | [b'7', b'f' | b'F', ..]))
}

/// How to mend what a standard refuses.
pub(super) fn advice(failure: &Failure) -> Option<String> {
    let Some(Found::Char(c)) = failure.found() else {
        return None;
    };
    Some(match c {
        ' ' => "A space is written `%20`.".to_owned(),
        '\\' => "A backslash is written `%5C`; browsers read it as `/`.".to_owned(),
        '[' | ']'
            if failure
                .expected()
                .is_some_and(|set| !set.contains(urikit::error::Expected::BRACKET)) =>
        {
            format!(
                "`{c}` stands around IPv6 addresses only; elsewhere it is written `%{:02X}`.",
                u32::from(c)
            )
        }
        '"' | '<' | '>' | '^' | '`' | '{' | '|' | '}' => {
            format!("As data, it is written `%{:02X}`.", u32::from(c))
        }
        _ if !c.is_ascii() => {
            let mut escaped = String::new();
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(escaped, "%{byte:02X}");
            }
            format!(
                "In a URI it is written as UTF-8 and escaped: `{escaped}`. IRIs (rfc3987) may hold it as it is."
            )
        }
        _ => return None,
    })
}

/// A relative reference that is not the first argument may be a part of the one before it.
pub(super) fn later_argument(number: u64) -> String {
    format!(
        "This is argument {number}. If it is the rest of the one before it, quote the whole for your shell, and write a space as `%20`."
    )
}
