//! Opens mailboxes, Maildirs and message files.

use super::lines::Lines;
use crate::error::{Error, ErrorKind, Result};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

/// Called for each message; true ends the search.
pub(super) type Each<'a> = dyn FnMut(&mut Lines<BufReader<File>>) -> Result<bool> + 'a;

/// Calls `each` for the messages of a store, until it returns true.
pub(super) fn each_message(path: &Path, each: &mut Each<'_>) -> Result<bool> {
    let metadata = fs::metadata(path).map_err(|error| local(path, error))?;
    if metadata.is_file() {
        return in_file(path, each);
    }
    let folders = ["cur", "new"].map(|name| path.join(name));
    if !metadata.is_dir() || !folders.iter().any(|folder| folder.is_dir()) {
        let what = "expected a mailbox, a Maildir or a message";
        return Err(Error::new(ErrorKind::Unsupported(what)).at(opening(path)));
    }
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let entries = fs::read_dir(folder).map_err(|error| local(folder, error))?;
        for entry in entries {
            let path = entry.map_err(|error| local(folder, error))?.path();
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {}
                // Not a regular file, such as a FIFO, or moved meanwhile.
                _ => continue,
            }
            if in_file(&path, each)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn in_file(path: &Path, each: &mut Each<'_>) -> Result<bool> {
    let file = File::open(path).map_err(|error| local(path, error))?;
    let mut input = BufReader::with_capacity(64 << 10, file);
    let begin = input.fill_buf().map_err(|error| local(path, error))?;
    let is_mailbox = begin.starts_with(b"From ");
    let mut lines = Lines::of(input, is_mailbox);
    while lines.next_message().map_err(|error| local(path, error))? {
        let is_last = each(&mut lines);
        if is_last.map_err(|error| error.at(format!("reading {}", path.display())))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn local(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).at(opening(path))
}

fn opening(path: &Path) -> String {
    format!("opening {}", path.display())
}
