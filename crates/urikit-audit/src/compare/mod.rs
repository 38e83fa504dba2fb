//! When two readers say the same: the rules of a dispute.
//!
//! Schemes are compared in lower case; users and passwords decoded; ports as numbers, with the
//! scheme's default where there is none; hosts in lower case and without brackets, addresses by
//! value; paths after normalization. Empty is equal to absent. Nothing here allocates unless paths
//! differ.

mod host;
mod path;
mod port;
mod userinfo;

pub(crate) use host::{host_text, same_host};
pub(crate) use path::same_path;
pub(crate) use port::{port_text, same_port};
pub(crate) use userinfo::same_userinfo;

use crate::reading::Reading;

/// Whether both have the same scheme, in any case.
pub(crate) fn same_scheme(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let (a, b) = (a.scheme.as_deref(), b.scheme.as_deref());
    a == b
        || a.unwrap_or_default()
            .eq_ignore_ascii_case(b.unwrap_or_default())
}
