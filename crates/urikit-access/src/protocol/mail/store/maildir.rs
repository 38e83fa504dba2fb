//! Maildirs: a folder with the folders `cur` and `new`, in which each file is a message. In a
//! Maildir++, the other folders of the mail are in it too, with names that begin with a dot:
//! `.Archive.1998` is the folder `1998` in the folder `Archive`.

use super::{Visitor, folders, in_file, is_regular, local};
use crate::error::Result;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a folder is a Maildir.
pub(super) fn is_maildir(path: &Path) -> bool {
    parts(path).iter().any(|part| part.is_dir())
}

fn parts(path: &Path) -> [PathBuf; 2] {
    ["cur", "new"].map(|name| path.join(name))
}

/// Visits the messages of a Maildir, and then those of its other folders by name.
pub(super) fn each_message(path: &Path, visitor: &mut dyn Visitor) -> Result<bool> {
    if in_folder(path, visitor)? {
        return Ok(true);
    }
    for folder in folders(path)? {
        let name = folder.file_name().map(OsStr::as_encoded_bytes);
        let is_other = name.is_some_and(|name| name.starts_with(b"."));
        if is_other && is_maildir(&folder) && in_folder(&folder, visitor)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn in_folder(path: &Path, visitor: &mut dyn Visitor) -> Result<bool> {
    for part in parts(path).iter().filter(|part| part.is_dir()) {
        for entry in fs::read_dir(part).map_err(|error| local(part, error))? {
            let path = entry.map_err(|error| local(part, error))?.path();
            if is_regular(&path) && in_file(&path, visitor)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
