//! Notes on a reference that at least one standard accepts. What could go wrong is among the
//! findings of the audit instead.

use crate::reading::Components;
use urikit::component::Authority;
use urikit::{AnyRef, HostKind};
use urikit_schemes::Warning;

/// The notes on a reference that at least one standard accepts.
pub(super) fn accepted(components: &Components<'_>, reference: Option<AnyRef<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    if components.password == Some("") {
        note("The password is empty, which is not the same as absent (RFC 1738, 3.1).");
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
        (Some(""), _) => {}
        (Some(_), None) if reference.is_some() => note(
            "Port numbers end at 65535. The grammar allows any number, but no client can connect.",
        ),
        (Some(digits), Some(_)) if digits.len() > 1 && digits.starts_with('0') => {
            note("The port has leading zeros.");
        }
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
