//! Which host names mean this machine.

use urikit::component::Encoded;

/// The names of this machine, besides `localhost`.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    /// `None` for the system's own host name.
    names: Option<Vec<String>>,
}

impl Machine {
    pub(super) const fn named(names: Vec<String>) -> Self {
        Self { names: Some(names) }
    }

    /// Whether a host in a URL is this machine. The names are compared percent-decoded, without
    /// regard to case and to a trailing dot.
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
        // Linux gives this name to a machine without one.
        name != b"(none)" && is_it(name)
    }
}

fn without_dot(name: &[u8]) -> &[u8] {
    name.strip_suffix(b".").unwrap_or(name)
}
