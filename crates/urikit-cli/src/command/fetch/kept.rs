//! The partial file of an earlier transfer, and the file beside it that says of which version it is.
//!
//! Both may be in a folder in which other users can write. So neither is opened through a symbolic
//! link, nor if it has a second name, and a new one is made only where nothing is.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// What follows the name of a partial file in that of the file beside it.
pub(super) const SUFFIX: &str = ".version";

/// The longest file beside a partial file, in bytes.
const MAX: u64 = 64 << 10;

/// An open file.
pub(super) struct Kept {
    pub(super) file: File,
    /// In bytes.
    pub(super) length: u64,
}

/// Opens a regular file, for reading and writing.
pub(super) fn open(path: &Path) -> io::Result<Kept> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    not_through_links(&mut options);
    let file = options.open(path)?;
    let there = file.metadata()?;
    if !there.is_file() || has_other_names(&there) {
        return Err(io::Error::other("this is not a regular file with one name"));
    }
    let length = there.len();
    Ok(Kept { file, length })
}

/// Makes a new file, in place of one that is there.
pub(super) fn create(path: &Path) -> io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove(path)?;
            create()
        }
        created => created,
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn beside(partial: &Path) -> PathBuf {
    let mut name = OsString::from(partial);
    name.push(SUFFIX);
    name.into()
}

/// The validator of what a partial file contains, if it is of this URL.
pub(super) fn validator(partial: &Path, url: &str) -> Option<String> {
    let kept = open(&beside(partial)).ok()?;
    let mut text = String::new();
    kept.file.take(MAX).read_to_string(&mut text).ok()?;
    let (its_url, validator) = text.strip_suffix('\n')?.split_once('\n')?;
    (its_url == url).then(|| validator.to_owned())
}

/// Writes the validator of a new partial file beside it; without one, removes an old one.
pub(super) fn keep(partial: &Path, url: &str, validator: Option<&str>) -> io::Result<()> {
    match validator {
        None => forget(partial),
        Some(validator) => {
            create(&beside(partial))?.write_all(format!("{url}\n{validator}\n").as_bytes())
        }
    }
}

/// Removes the file beside a partial file.
pub(super) fn forget(partial: &Path) -> io::Result<()> {
    remove(&beside(partial))
}

#[cfg(unix)]
fn not_through_links(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // A pipe would wait for a reader.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn not_through_links(_: &mut OpenOptions) {}

#[cfg(unix)]
fn has_other_names(there: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    there.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}
