//! Domains of hosts, by a public suffix list.

use std::path::Path;
use std::sync::OnceLock;
use urikit::AnyRef;
use urikit::component::Host;
use urikit_domains::{Domain, List};

/// The list of `--suffix-list`. One is used until the program ends.
static GIVEN: OnceLock<List> = OnceLock::new();

/// Reads a list from a file.
///
/// # Errors
///
/// A message for a usage error.
pub(crate) fn read_list(path: &str) -> Result<List, String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string())?;
    List::parse(&text).map_err(|error| error.to_string())
}

/// From now on, domains are by this list.
pub(crate) fn use_list(list: List) {
    // A program has one list.
    let _ = GIVEN.set(list);
}

/// Which part of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DomainPart {
    Registrable,
    Suffix,
    Subdomain,
}

impl DomainPart {
    /// The part of the reference's host, by the list with or without its private part.
    pub(super) fn of(self, reference: AnyRef<'_>, private: bool) -> Option<&str> {
        let host = reference.host().map(Host::as_str)?;
        let list = GIVEN.get().cloned().unwrap_or_default();
        let domain: Domain<'_> = list.with_private(private).domain(host)?;
        match self {
            Self::Registrable => domain.registrable(),
            Self::Suffix => Some(domain.suffix()),
            Self::Subdomain => domain.subdomain(),
        }
    }
}
