//! What an ftp URL means as data (RFC 1738, 3.2.1 to 3.2.3).

use super::super::{Detail, Details};
use super::Ftp;
use alloc::string::ToString as _;

impl<'a> Ftp<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let name = self.name();
        Details::new("ftp", self.specification())
            .with("cwd", Detail::list(self.cwd()))
            .with("name", name)
            .with("type", self.typecode().map(|code| code.to_string()))
    }
}
