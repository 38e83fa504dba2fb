//! What a file URL means as data, and what a client does with it.

use super::super::{AccessError, Detail, Details, Step};
use super::File;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> File<'a> {
    /// Its meaning as named values: the decoded segments, and the path on each system on which it
    /// has one.
    pub fn details(&self) -> Details<'a> {
        let path = |path: Result<Vec<u8>, _>| path.ok().and_then(|p| String::from_utf8(p).ok());
        let drive = self.drive().map(String::from);
        Details::new("file", self.text())
            .with("local", self.is_local())
            .with("drive", drive)
            .with("segments", Detail::list(self.segments()))
            .with("unix_path", path(self.to_unix_path()))
            .with("windows_path", path(self.to_windows_path()))
    }

    /// What a client does: it opens the file if it is on this machine. A host may be the name of
    /// this machine, which is not known here (RFC 8089, 3). A UNC string is never local (E.3.2).
    ///
    /// # Errors
    ///
    /// If the path is not possible in a file system: a segment decodes to NUL or a slash.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = Vec::new();
        if let Some(host) = self.host() {
            if self.is_unc {
                steps.push(Step::act("opens nothing: the file is on", host));
                return Ok(steps);
            }
            steps.push(Step::act("goes on only if this machine is", host));
        }
        let path = if self.drive.is_some() {
            self.to_windows_path()
        } else {
            self.to_unix_path_on_host()
        };
        steps.push(Step::Act {
            what: "opens",
            with: path.map_err(AccessError::Path)?.into(),
        });
        Ok(steps)
    }
}
