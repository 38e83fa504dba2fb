//! Opens stores of mail: which kind each path is, and the messages in it.

mod compressed;
mod file;
mod maildir;
mod mh;

use crate::error::{Error, ErrorKind, Result};
pub(super) use file::Messages;
use file::in_file;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is done with the messages of a store.
pub(super) trait Visitor {
    /// Called for each message; true ends the search.
    fn message(&mut self, lines: &mut Messages<'_>) -> Result<bool>;
    /// Called for each file that cannot be read as a message, with the reason.
    fn skipped(&mut self, path: &Path, why: &'static str);
}

/// Visits the messages of a store, until the visitor has what it needs: true.
pub(super) fn each_message(path: &Path, visitor: &mut dyn Visitor) -> Result<bool> {
    let metadata = fs::metadata(path).map_err(|error| local(path, error))?;
    if metadata.is_file() {
        return in_file(path, visitor);
    }
    if maildir::is_maildir(path) {
        return maildir::each_message(path, visitor);
    }
    if metadata.is_dir() && mh::is_mh(path) {
        return mh::each_message(path, visitor);
    }
    let what = "expected a mailbox, a Maildir, an MH folder or a message";
    Err(Error::new(ErrorKind::Unsupported(what)).with_step(opening(path)))
}

/// The folders in a folder, by name. A symbolic link is not followed, since it could lead back.
fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| local(path, error))? {
        let entry = entry.map_err(|error| local(path, error))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}

/// Whether it is a regular file, and not a FIFO, for example, or moved meanwhile.
fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn local(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step(opening(path))
}

fn opening(path: &Path) -> String {
    format!("opening {}", path.display())
}
