//! Lists a directory.
//!
//! The names are sorted by their octets. In a directory with [`MAX_SORTED`] names or more they
//! have the order of the file system, which bounds the memory used.

use super::open::{Special, local, modified, special};
use crate::context::Context;
use crate::error::Result;
use crate::listing::{Entry, EntryKind};
use crate::output::Output;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;
use urikit_schemes::File as Url;

/// The most names to sort. A name has at most 255 octets on Linux file systems: 3 MB in all.
const MAX_SORTED: usize = 10_000;

/// Lists a directory, without `.` and `..`.
pub(super) fn list(path: &Path, context: &Context<'_>, output: &mut Output<'_>) -> Result<()> {
    let mut entries = fs::read_dir(path).map_err(local)?;
    let mut sorted: Vec<OsString> = Vec::new();
    for entry in entries.by_ref().take(MAX_SORTED) {
        context.deadline().left(Duration::MAX)?;
        sorted.push(entry.map_err(local)?.file_name());
    }
    if sorted.len() < MAX_SORTED {
        sorted.sort_unstable();
    }
    let rest = entries.map(|entry| entry.map(|entry| entry.file_name()));
    for name in sorted.into_iter().map(Ok).chain(rest) {
        context.deadline().left(Duration::MAX)?;
        if let Some(entry) = entry(path, &name.map_err(local)?) {
            output.entry(&entry)?;
        }
    }
    Ok(())
}

/// The entry of a name. `None` if the file was removed meanwhile.
fn entry(directory: &Path, name: &OsStr) -> Option<Entry> {
    let path = directory.join(name);
    let stat = match fs::symlink_metadata(&path) {
        Ok(stat) => Some(stat),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        // The directory may be read, but not searched.
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
        other.detail(
            "kind",
            special(kind).map_or("unknown", Special::name).as_bytes(),
        )
    };
    Some(with_reference(entry, &path, kind.is_dir()).modified(modified(&stat)))
}

/// Sets the URL of a path, octet by octet. The URL of a directory ends in a slash, so that
/// relative references in it resolve below it.
fn with_reference(entry: Entry, path: &Path, is_directory: bool) -> Entry {
    let mut url = Url::here();
    // The file system ignores empty segments, and a path in RFC 8089 cannot begin with one.
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
