//! By what names this machine is known.

use urikit::component::Encoded;

/// The names of this machine, besides `localhost`.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    /// `None` for what the system says.
    names: Option<Vec<String>>,
}

impl Machine {
    pub(super) const fn named(names: Vec<String>) -> Self {
        Self { names: Some(names) }
    }

    /// Whether a host of a URL is this machine: the same name, decoded, in any case, with or without the final dot of
    /// the DNS.
    pub(super) fn is(&self, host: Encoded<'_>) -> bool {
        let host = host.to_bytes();
        let is_it = |name: &[u8]| {
            !name.is_empty() && without_dot(name).eq_ignore_ascii_case(without_dot(&host))
        };
        if let Some(names) = &self.names {
            return names.iter().any(|name| is_it(name.as_bytes()));
        }
        let system = rustix::system::uname();
        let name = system.nodename().to_bytes();
        // Linux gives a machine without a name this one.
        name != b"(none)" && is_it(name)
    }
}

fn without_dot(name: &[u8]) -> &[u8] {
    name.strip_suffix(b".").unwrap_or(name)
}
