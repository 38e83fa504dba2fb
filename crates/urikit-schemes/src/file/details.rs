//! What a file URL means as data.

use super::super::{Detail, Details};
use super::File;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> File<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let path = |path: Result<Vec<u8>, _>| path.ok().and_then(|p| String::from_utf8(p).ok());
        let drive = self.drive().map(String::from);
        Details::new("file", self.specification())
            .with("local", self.is_local())
            .with("drive", drive)
            .with("segments", Detail::list(self.segments()))
            .with("unix_path", path(self.to_unix_path()))
            .with("windows_path", path(self.to_windows_path()))
    }
}
