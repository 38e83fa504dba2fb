//! The facts of all schemes that the RFCs define or list, and of others in common use, as in
//! `spec/schemes.toml`: one table, so that each port is defined once.

mod a_to_f;
mod g_to_m;
mod n_to_r;
mod s_to_z;

use super::Facts;

/// IANA's registry, as of the day on which the registrations were read that no RFC makes.
const URI_SCHEMES: &str = "IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18";

/// Each sorted by name, and after the one before.
static TABLE: [&[Facts<'static>]; 4] = [
    &a_to_f::FACTS,
    &g_to_m::FACTS,
    &n_to_r::FACTS,
    &s_to_z::FACTS,
];

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
