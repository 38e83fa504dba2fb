//! Userinfos.

use crate::escape;
use crate::reading::Reading;

/// Whether both have the same user and the same password, decoded.
pub(crate) fn same_userinfo(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.userinfo == b.userinfo || same(a.user(), b.user()) && same(a.password(), b.password())
}

fn same(a: Option<&str>, b: Option<&str>) -> bool {
    octets(a.unwrap_or_default()).eq(octets(b.unwrap_or_default()))
}

/// The octets of a text, escapes decoded.
fn octets(text: &str) -> impl Iterator<Item = u8> {
    escape::octets(text).map(|octet| octet.value)
}
