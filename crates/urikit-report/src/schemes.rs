//! The known schemes.

use crate::protocols;
use std::sync::LazyLock;
use urikit_access::Policy;
use urikit_schemes::{Facts, SchemeRegistry, all_known, find};

/// Returns all known schemes, sorted by name.
pub fn sorted() -> Vec<Facts<'static>> {
    let mut known: Vec<_> = all_known().collect();
    known.sort_by_key(|facts| facts.name);
    known
}

/// Looks up a scheme by name, ignoring case. The name may be followed by a colon.
///
/// ```
/// let facts = urikit_report::schemes::find_facts("Gopher:").unwrap();
/// assert_eq!(facts.port, Some(70));
/// ```
pub fn find_facts(name: &str) -> Option<Facts<'static>> {
    static BUILTIN: LazyLock<SchemeRegistry> = LazyLock::new(SchemeRegistry::new);
    BUILTIN.facts(name.strip_suffix(':').unwrap_or(name))
}

/// Returns true if `uri fetch` fetches URLs of the scheme without a gateway.
pub fn is_fetched(facts: Facts<'_>) -> bool {
    let client = protocols::client(Policy::new());
    client.schemes().any(|scheme| scheme == facts.name)
}

/// Returns true if URLs of the scheme are interpreted.
pub fn is_read(facts: Facts<'_>) -> bool {
    find(facts.name).is_some()
}

/// A scheme.
#[derive(serde::Serialize)]
pub struct SchemeRecord<'a> {
    name: &'a str,
    title: &'a str,
    status: &'a str,
    port: Option<u16>,
    userinfo: &'a str,
    hierarchical: bool,
    denotes: &'a str,
    texts: &'a [&'a str],
    read: bool,
    fetched: bool,
}

impl<'a> SchemeRecord<'a> {
    /// Describes a scheme.
    pub fn new(facts: &Facts<'a>) -> Self {
        Self {
            name: facts.name,
            title: facts.title,
            status: facts.status.as_str(),
            port: facts.port,
            userinfo: facts.userinfo.as_str(),
            hierarchical: facts.is_hierarchical,
            denotes: facts.denotes.as_str(),
            texts: facts.specifications,
            read: is_read(*facts),
            fetched: is_fetched(*facts),
        }
    }
}
