//! The host: its spellings, its kind and its registrable domain.

use urikit::{HostKind, Standard};
use urikit_domains::List;
use urikit_report::explain::{ComponentList, Explanation};
use urikit_report::safe::safe;

/// Returns the names and values of facts about the host, or `None` if there is no host.
pub(super) fn facts(
    explanation: &Explanation<'_>,
    list: &ComponentList<'_>,
) -> Option<Vec<(&'static str, String)>> {
    let shown = list
        .components
        .iter()
        .find(|component| component.key == "host")?;
    let reading = explanation.shown()?;
    let components = reading.components()?;
    let written = components.host?;
    let mut facts = vec![("as written", shown.value.clone())];
    let mut add = |name, value: &str| facts.push((name, safe(value).into_owned()));
    if let Some(kind) = components.host_kind {
        add("kind", kind.as_str());
    }
    // A masked host has no other spelling that may be shown.
    if shown.value == written && !written.is_empty() {
        let reference = reading.reference();
        let reference = reference.or_else(|| Standard::Rfc3986.parse(reading.href()?).ok());
        let host = reference.and_then(|reference| reference.host())?;
        if matches!(host.kind(), HostKind::Name | HostKind::RegName) {
            let ascii = host.to_ascii().ok();
            add(
                "in Unicode",
                host.to_unicode()
                    .as_deref()
                    .unwrap_or("(not a domain name)"),
            );
            add(
                "in the DNS",
                ascii.as_deref().unwrap_or("(not a domain name)"),
            );
            let list = List::default();
            let domain = ascii.as_deref().and_then(|ascii| list.domain(ascii));
            if let Some(domain) = domain {
                add(
                    "registrable domain",
                    domain.registrable().unwrap_or("(none)"),
                );
                add("public suffix", domain.suffix());
            }
            if let Some(address) = host.legacy_ipv4() {
                add("as inet_aton reads it", &address.to_string());
            }
        } else if let Some(address) = host.to_ip() {
            add("address", &address.to_string());
        }
    }
    Some(facts)
}
