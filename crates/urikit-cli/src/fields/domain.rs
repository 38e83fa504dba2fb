//! Domains of hosts, by a public suffix list.

use std::path::Path;
use urikit::AnyRef;
use urikit::component::Host;
use urikit_domains::{Domain, List};

/// Reads a list from a file.
///
/// # Errors
///
/// A message for a usage error.
pub(crate) fn read_list(path: &str) -> Result<List, String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string())?;
    List::parse(&text).map_err(|error| error.to_string())
}

/// Which part of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DomainPart {
    Registrable,
    Suffix,
    Subdomain,
}

impl DomainPart {
    /// Returns this part of a reference's host, by a list with or without its private section.
    pub(super) fn of<'a>(
        self,
        reference: AnyRef<'a>,
        list: &List,
        private: bool,
    ) -> Option<&'a str> {
        let host = reference.host().map(Host::as_str)?;
        let domain: Domain<'_> = list.clone().with_private(private).domain(host)?;
        match self {
            Self::Registrable => domain.registrable(),
            Self::Suffix => Some(domain.suffix()),
            Self::Subdomain => domain.subdomain(),
        }
    }
}
