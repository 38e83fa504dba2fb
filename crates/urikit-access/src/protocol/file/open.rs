//! Examines a path, and opens a file without waiting.

use crate::error::{Error, ErrorKind, Result};
use crate::sink::Metadata;
use jiff::Timestamp;
use rustix::fs::{Mode, OFlags};
use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// What a path leads to, symbolic links followed.
pub(super) struct Found {
    pub(super) stat: fs::Metadata,
    pub(super) metadata: Metadata,
    /// What the path contains, if it is a symbolic link.
    pub(super) link: Option<PathBuf>,
}

/// A kind of file that is neither regular nor a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    Fifo,
    Socket,
    CharacterDevice,
    BlockDevice,
}

impl Special {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Socket => "socket",
            Self::CharacterDevice => "character-device",
            Self::BlockDevice => "block-device",
        }
    }
}

/// An open file.
pub(super) struct Opened {
    pub(super) file: fs::File,
    pub(super) found: Found,
}

/// Examines a path without opening the file.
pub(super) fn look(path: &Path) -> Result<Found> {
    let stat = fs::metadata(path).map_err(local)?;
    let mut metadata = metadata(&stat);
    let link = fs::read_link(path).ok();
    if let Some(target) = &link {
        let target = target.to_string_lossy().into_owned();
        metadata
            .attributes
            .push(("symbolic-link".to_owned(), target));
    }
    Ok(Found {
        stat,
        metadata,
        link,
    })
}

/// Opens a regular file. It does not block, even if the file was replaced by a FIFO after it was
/// examined.
pub(super) fn open(path: &Path, mut found: Found) -> Result<Opened> {
    check(found.stat.file_type())?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    let file = fs::File::from(opened.map_err(|error| local(error.into()))?);
    found.stat = file.metadata().map_err(local)?;
    check(found.stat.file_type())?;
    found.metadata = Metadata {
        attributes: found.metadata.attributes,
        ..metadata(&found.stat)
    };
    Ok(Opened { file, found })
}

/// Refuses anything but regular files.
fn check(kind: FileType) -> Result<()> {
    let what = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        "the file was replaced by a directory"
    } else {
        refusal(kind)
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// Why it is not read.
fn refusal(kind: FileType) -> &'static str {
    match special(kind) {
        Some(Special::Fifo) => "it is a FIFO, which would wait for a writer",
        Some(Special::Socket) => "it is a socket, which cannot be read",
        _ => "it is a device, which may wait, or never end",
    }
}

/// The kind of a file that is neither regular nor a directory.
pub(super) fn special(kind: FileType) -> Option<Special> {
    if kind.is_fifo() {
        Some(Special::Fifo)
    } else if kind.is_socket() {
        Some(Special::Socket)
    } else if kind.is_char_device() {
        Some(Special::CharacterDevice)
    } else if kind.is_block_device() {
        Some(Special::BlockDevice)
    } else {
        None
    }
}

/// The metadata from the file system.
fn metadata(stat: &fs::Metadata) -> Metadata {
    let mut attributes = Vec::new();
    if let Some(kind) = special(stat.file_type()) {
        attributes.push(("kind".to_owned(), kind.name().to_owned()));
    }
    let permissions = format!("{:04o}", stat.permissions().mode() & 0o7777);
    attributes.push(("permissions".to_owned(), permissions));
    Metadata {
        size: stat.is_file().then_some(stat.len()),
        modified: modified(stat),
        is_listing: stat.is_dir(),
        attributes,
        ..Metadata::default()
    }
}

/// When it was last modified, if the system knows and the date is in range.
pub(super) fn modified(stat: &fs::Metadata) -> Option<Timestamp> {
    stat.modified().ok()?.try_into().ok()
}

pub(super) fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error))
}
