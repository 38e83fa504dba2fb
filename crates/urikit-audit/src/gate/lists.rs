//! What a gate allows.

use super::CheckedHost;
use std::net::IpAddr;
use urikit::scheme::known;

/// The schemes of a gate without a list.
const WEB: [&str; 2] = ["http", "https"];

/// The lists of a gate: names in lower case without a dot at the end, addresses canonical.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) schemes: Vec<String>,
    pub(super) ports: Vec<u16>,
    pub(super) names: Vec<String>,
    pub(super) domains: Vec<String>,
    pub(super) addresses: Vec<IpAddr>,
}

impl Lists {
    pub(super) fn has_scheme(&self, scheme: &str) -> bool {
        WEB.iter().any(|web| web.eq_ignore_ascii_case(scheme)) || self.names_scheme(scheme)
    }

    /// Whether the scheme was allowed by name.
    pub(super) fn names_scheme(&self, scheme: &str) -> bool {
        let is_it = |allowed: &String| allowed.eq_ignore_ascii_case(scheme);
        self.schemes.iter().any(is_it)
    }

    pub(super) fn has_port(&self, scheme: &str, port: u16) -> bool {
        known(scheme).is_some_and(|facts| facts.port == Some(port)) || self.ports.contains(&port)
    }

    pub(super) fn has_host(&self, host: &CheckedHost) -> bool {
        let is_open = self.names.is_empty() && self.domains.is_empty() && self.addresses.is_empty();
        is_open || self.names_host(host)
    }

    /// Whether the host was allowed by name, domain or address.
    pub(super) fn names_host(&self, host: &CheckedHost) -> bool {
        match host {
            CheckedHost::Address(address) => self.addresses.contains(&address.to_canonical()),
            CheckedHost::Name(name) => {
                let name = canonical(name);
                self.names.contains(&name)
                    || self.domains.iter().any(|domain| is_below(&name, domain))
            }
        }
    }
}

/// A name as the lists hold it.
pub(super) fn canonical(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Whether the name is the domain, or ends in a dot and the domain.
fn is_below(name: &str, domain: &str) -> bool {
    let before = name.strip_suffix(domain);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn domains_end_at_labels() {
        assert!(is_below("example.com", "example.com"));
        assert!(is_below("a.b.example.com", "example.com"));
        assert!(!is_below("notexample.com", "example.com"));
        assert!(!is_below("com", "example.com"));
        assert!(!is_below("example.com.evil", "example.com"));
    }
}
