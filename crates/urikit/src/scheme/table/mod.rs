//! The facts of all schemes that the RFCs define or list, as in `spec/schemes.toml`: one table, so
//! that each port is defined once.

mod a_to_m;
mod n_to_z;

use super::Facts;

/// Each sorted by name, and the second after the first.
static TABLE: [&[Facts<'static>]; 2] = [&a_to_m::FACTS, &n_to_z::FACTS];

/// What is known of the scheme with that name, in any case.
///
/// ```
/// use urikit::scheme::{Status, known};
/// let nfs = known("NFS").unwrap();
/// assert_eq!((nfs.port, nfs.specifications), (Some(2049), &["RFC 1738, 4", "RFC 2224"][..]));
/// assert_eq!(known("mailserver").unwrap().status, Status::Reserved); // RFC 1738, 4
/// assert!(known("magic").is_none());
/// ```
pub const fn known(name: &str) -> Option<Facts<'static>> {
    let mut tables: &[&[Facts<'static>]] = &TABLE;
    while let [table, others @ ..] = tables {
        let mut rows: &[Facts<'static>] = table;
        while let [facts, rest @ ..] = rows {
            if facts.name.eq_ignore_ascii_case(name) {
                return Some(*facts);
            }
            rows = rest;
        }
        tables = others;
    }
    None
}

/// What is known of all schemes, sorted by name.
///
/// ```
/// use urikit::scheme::all_known;
/// let on_port_80 = all_known().filter(|facts| facts.port == Some(80));
/// assert!(on_port_80.map(|facts| facts.name).eq(["http", "ws"]));
/// assert!(all_known().map(|facts| facts.name).is_sorted());
/// ```
pub fn all_known() -> impl Iterator<Item = Facts<'static>> {
    TABLE.iter().flat_map(|table| table.iter().copied())
}
