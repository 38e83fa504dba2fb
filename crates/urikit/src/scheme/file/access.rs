//! What a file URL means as data, and what a client does with it.

use super::super::{AccessError, Details, Step, Value};
use super::File;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> File<'a> {
    /// What it means: the segments decoded, and the path on either system where it has one there.
    pub fn details(&self) -> Details<'a> {
        let path = |path: Result<Vec<u8>, _>| path.ok().and_then(|p| String::from_utf8(p).ok());
        let drive = self.drive().map(String::from);
        Details::new("file", self.text())
            .with("local", self.is_local())
            .with("drive", drive)
            .with("segments", Value::list(self.segments()))
            .with("unix_path", path(self.to_unix_path()))
            .with("windows_path", path(self.to_windows_path()))
    }

    /// What a client does: it opens the file if that is on this machine. A host may be this machine's own name;
    /// whether it is, is not known here (RFC 8089, 3). A UNC string is never local (E.3.2).
    ///
    /// # Errors
    ///
    /// Where the path is none of a file system: a segment stands for NUL or a slash.
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
            self.unix_path()
        };
        steps.push(Step::Act {
            what: "opens",
            with: path.map_err(AccessError::Path)?.into(),
        });
        Ok(steps)
    }
}
