//! Lists a directory.
//!
//! The names come in the order of their octets. Of a directory with more than [`MAX_SORTED`] the order is the file system's,
//! so that memory is bounded whatever the directory holds.

use super::open::{local, modified, special};
use crate::context::Context;
use crate::error::Result;
use crate::listing::{Entry, EntryKind};
use crate::output::Output;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;
use urikit::scheme::File as Url;

/// Names more than these are not sorted. One has at most 255 octets on the file systems of Linux: 3 MB in all.
const MAX_SORTED: usize = 10_000;

/// Gives the names in a directory, all but itself and the one above.
pub(super) fn list(path: &Path, context: &Context<'_>, output: &mut Output<'_>) -> Result<()> {
    let mut entries = fs::read_dir(path).map_err(local)?;
    let mut held: Vec<OsString> = Vec::new();
    for entry in entries.by_ref().take(MAX_SORTED) {
        context.deadline().left(Duration::MAX)?;
        held.push(entry.map_err(local)?.file_name());
    }
    if held.len() < MAX_SORTED {
        held.sort_unstable();
    }
    let rest = entries.map(|entry| entry.map(|entry| entry.file_name()));
    for name in held.into_iter().map(Ok).chain(rest) {
        context.deadline().left(Duration::MAX)?;
        if let Some(entry) = entry(path, &name.map_err(local)?) {
            output.entry(&entry)?;
        }
    }
    Ok(())
}

/// What is said of a name; nothing where it was removed meanwhile.
fn entry(directory: &Path, name: &OsStr) -> Option<Entry> {
    let path = directory.join(name);
    let stat = match fs::symlink_metadata(&path) {
        Ok(stat) => Some(stat),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        // Names may be read, and nothing more.
        Err(_) => None,
    };
    let Some(stat) = stat else {
        let entry = Entry::new(EntryKind::Other, name.as_bytes());
        return Some(with_reference(entry, &path, false));
    };
    let kind = stat.file_type();
    let entry = if kind.is_dir() {
        Entry::new(EntryKind::Directory, name.as_bytes())
    } else if kind.is_symlink() {
        let link = Entry::new(EntryKind::Link, name.as_bytes());
        match fs::read_link(&path) {
            Ok(target) => link.detail("symbolic-link", target.as_os_str().as_bytes()),
            Err(_) => link,
        }
    } else if kind.is_file() {
        Entry::new(EntryKind::File, name.as_bytes()).size(stat.len())
    } else {
        let other = Entry::new(EntryKind::Other, name.as_bytes());
        other.detail("kind", special(kind).unwrap_or("unknown").as_bytes())
    };
    Some(with_reference(entry, &path, kind.is_dir()).modified(modified(&stat)))
}

/// With the URL of a path, octet by octet. That of a directory ends in a slash, so that references in it are resolved
/// below it.
fn with_reference(entry: Entry, path: &Path, is_directory: bool) -> Entry {
    let mut url = Url::here();
    // Empty segments are none to the file system, and could not begin a path of RFC 8089.
    let segments = path.as_os_str().as_bytes().split(|octet| *octet == b'/');
    for segment in segments.filter(|segment| !segment.is_empty()) {
        url = url.segment(segment);
    }
    if is_directory {
        url = url.segment("");
    }
    match url.build() {
        Ok(url) => entry.reference(url.as_str()),
        Err(_) => entry,
    }
}
