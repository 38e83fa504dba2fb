//! Facts about schemes that do not depend on a particular URL.
//!
//! [`known`] returns the [`Facts`] of a scheme that an RFC defines or lists, or that is in common
//! use: its default port, its status, whether its paths are hierarchical, and its specifications.
//! These facts are used to [normalize](crate::op) references and to determine their
//! [origins](crate::op::Origin).
//!
//! The [`urikit-schemes`](https://docs.rs/urikit-schemes) crate parses the parts of a URL according
//! to the specification of its scheme.

mod equivalence;
mod facts;
mod table;

pub(crate) use equivalence::{Equivalence, equivalence};
pub use facts::{Denotes, Facts, Status, Userinfo};

/// Looks up the facts about a scheme by name, ignoring case.
///
/// ```
/// use urikit::scheme::{Status, known};
/// let nfs = known("NFS").unwrap();
/// assert_eq!((nfs.port, nfs.specifications), (Some(2049), &["RFC 1738, 4", "RFC 2224"][..]));
/// assert_eq!(known("mailserver").unwrap().status, Status::Reserved); // RFC 1738, 4
/// assert!(known("magic").is_none());
/// ```
pub const fn known(name: &str) -> Option<Facts<'static>> {
    let mut rows: &[Facts<'static>] = &table::TABLE;
    while let [facts, rest @ ..] = rows {
        if facts.name.eq_ignore_ascii_case(name) {
            return Some(*facts);
        }
        rows = rest;
    }
    None
}

/// Looks up the default port of a scheme by name, ignoring case.
///
/// ```
/// use urikit::scheme::default_port;
/// const FTP: u16 = default_port("ftp").unwrap(); // also in constants
/// assert_eq!((FTP, default_port("mailto")), (21, None));
/// ```
pub const fn default_port(name: &str) -> Option<u16> {
    match known(name) {
        Some(facts) => facts.port,
        None => None,
    }
}

/// Returns the facts about all known schemes, sorted by name.
///
/// ```
/// use urikit::scheme::all_known;
/// let on_port_80 = all_known().filter(|facts| facts.port == Some(80));
/// assert!(on_port_80.map(|facts| facts.name).eq(["coap+ws", "http", "ws"]));
/// ```
pub fn all_known() -> impl Iterator<Item = Facts<'static>> {
    table::TABLE.iter().copied()
}
