//! Reads files and lists directories.
//!
//! The access fails if a file changes while it is being read. The names in a directory are sorted
//! by their octets. To limit memory use, a directory with [`MAX_SORTED`] names or more is listed in
//! the order in which the file system returns the names.

use super::{escaped, explain};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::listing::{Entry, EntryKind};
use crate::output::{Metadata, Output};
use crate::request::Request;
use jiff::Timestamp;
use rustix::fs::{Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use urikit_schemes::File as Url;

/// An access in progress.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) path: &'a Path,
    pub(super) context: &'a Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl Access<'_, '_, '_> {
    /// Reads the file, or lists the directory.
    pub(super) fn fetch(mut self, request: &Request<'_>) -> Result<()> {
        let path = self.path;
        let step = |verb: &str| format!("{verb} {}", escaped(path));
        let opening = |error| explain(error, path).with_step(step("opening"));
        let examined = examine(path).map_err(opening)?;
        if let Some(to) = examined.link.clone() {
            self.context.record(Event::SymbolicLink { to });
        }
        if !request.wants_body() {
            return self.output.begin(self.attributes(examined));
        }
        if examined.stat.is_dir() {
            self.output.begin(examined.metadata)?;
            return self
                .list()
                .map_err(|error| error.with_step(step("listing")));
        }
        let opened = open(path, examined).map_err(opening)?;
        let read = self.read(opened, request.resume);
        read.map_err(|error| error.with_step(step("reading")))
    }

    /// Returns the metadata. Detects the media type from the first bytes, if the file can be read.
    fn attributes(&self, examined: Examined) -> Metadata {
        let mut metadata = examined.metadata.clone();
        if examined.stat.is_file()
            && let Ok(mut opened) = open(self.path, examined)
        {
            let mut first = vec![0; CHUNK];
            let count = fill(&mut opened.file, &mut first).unwrap_or(0);
            let first = first.get(..count).unwrap_or_default();
            metadata.media_type = infer::get(first).map(|kind| kind.mime_type().to_owned());
        }
        metadata
    }

    /// Writes the file to the output, beginning at an offset.
    fn read(&mut self, opened: Opened, from: u64) -> Result<()> {
        let Opened { mut file, examined } = opened;
        let Examined {
            stat, mut metadata, ..
        } = examined;
        if from > stat.len() {
            let (expected, received) = (Some(from), stat.len());
            return Err(Error::new(ErrorKind::EndedEarly { expected, received }));
        }
        if from > 0 {
            file.seek(SeekFrom::Start(from)).map_err(local)?;
            metadata.offset = from;
        }
        let mut buffer = vec![0; CHUNK];
        let mut count = fill(&mut file, &mut buffer).map_err(local)?;
        let mut is_end = count < CHUNK;
        // Linux generates the files in `/proc` and `/sys` when they are read, and reports a size
        // of 0 or the size of a memory page for them. For a file that fits in the buffer, this
        // code therefore reports the number of bytes that it read. For a longer file, it treats a
        // reported size of 0 as unknown.
        if is_end {
            check_unchanged(&file, &stat)?;
            metadata.size = u64::try_from(count).ok().map(|count| from + count);
        } else if stat.len() == 0 {
            metadata.size = None;
        }
        self.output.begin(metadata)?;
        loop {
            self.output.bytes(buffer.get(..count).unwrap_or_default())?;
            if is_end {
                return check_unchanged(&file, &stat);
            }
            self.context.deadline().left(Duration::MAX)?;
            count = fill(&mut file, &mut buffer).map_err(local)?;
            is_end = count < CHUNK;
        }
    }

    /// Lists a directory, without `.` and `..`.
    fn list(&mut self) -> Result<()> {
        let mut entries = fs::read_dir(self.path).map_err(local)?;
        let mut sorted: Vec<OsString> = Vec::new();
        for entry in entries.by_ref().take(MAX_SORTED) {
            self.context.deadline().left(Duration::MAX)?;
            sorted.push(entry.map_err(local)?.file_name());
        }
        if sorted.len() < MAX_SORTED {
            sorted.sort_unstable();
        }
        let rest = entries.map(|entry| entry.map(|entry| entry.file_name()));
        for name in sorted.into_iter().map(Ok).chain(rest) {
            self.context.deadline().left(Duration::MAX)?;
            if let Some(entry) = entry(self.path, &name.map_err(local)?) {
                self.output.entry(&entry)?;
            }
        }
        Ok(())
    }
}

/// The file or directory at a path, after following symbolic links.
struct Examined {
    stat: fs::Metadata,
    metadata: Metadata,
    /// The target, if the path is a symbolic link.
    link: Option<PathBuf>,
}

/// A kind of special file, which is neither a regular file nor a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    Fifo,
    Socket,
    CharacterDevice,
    BlockDevice,
}

impl Special {
    /// Returns the name of the kind, as displayed in listings.
    const fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Socket => "socket",
            Self::CharacterDevice => "character-device",
            Self::BlockDevice => "block-device",
        }
    }
}

/// An open file.
struct Opened {
    file: fs::File,
    examined: Examined,
}

/// Examines a path, without opening the file.
fn examine(path: &Path) -> Result<Examined> {
    let stat = fs::metadata(path).map_err(local)?;
    let mut metadata = metadata(&stat);
    let link = fs::read_link(path).ok();
    if let Some(target) = &link {
        let target = target.to_string_lossy().into_owned();
        metadata
            .attributes
            .push(("symbolic-link".to_owned(), target));
    }
    Ok(Examined {
        stat,
        metadata,
        link,
    })
}

/// Opens a regular file. Does not block, even if the file was replaced by a FIFO after it was
/// examined.
fn open(path: &Path, mut examined: Examined) -> Result<Opened> {
    check_regular(examined.stat.file_type())?;
    // Without NONBLOCK, opening a FIFO waits for a writer. Without NOCTTY, opening a terminal may
    // make it this process's controlling terminal.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    let file = fs::File::from(opened.map_err(|error| local(error.into()))?);
    examined.stat = file.metadata().map_err(local)?;
    check_regular(examined.stat.file_type())?;
    examined.metadata = Metadata {
        attributes: examined.metadata.attributes,
        ..metadata(&examined.stat)
    };
    Ok(Opened { file, examined })
}

/// Fails if the file is not a regular file.
fn check_regular(kind: FileType) -> Result<()> {
    let what = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        "the file was replaced by a directory"
    } else {
        refusal(kind)
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// Returns the reason why a special file is not read.
fn refusal(kind: FileType) -> &'static str {
    match special(kind) {
        Some(Special::Fifo) => "it is a FIFO, and reading it would wait for a writer",
        Some(Special::Socket) => "it is a socket, which cannot be read",
        _ => "it is a device, and reading it may block or never end",
    }
}

/// Returns the kind of a special file.
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

/// Returns the metadata that the file system stores.
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

/// Returns the modification time, if the system reports one that can be represented.
fn modified(stat: &fs::Metadata) -> Option<Timestamp> {
    stat.modified().ok()?.try_into().ok()
}

/// Converts an error from the operating system.
pub(super) fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error))
}

/// The number of bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// Reads until the buffer is full or the end of the file is reached.
fn fill(file: &mut fs::File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Fails if the file has changed since it was opened, because the output would be a mixture of two
/// versions.
fn check_unchanged(file: &fs::File, before: &fs::Metadata) -> Result<()> {
    let now = file.metadata().map_err(local)?;
    if now.len() != before.len() || now.modified().ok() != before.modified().ok() {
        let what = "the file changed while it was read";
        return Err(local(io::Error::other(what)));
    }
    Ok(())
}

/// The maximum number of names to sort. A file name has at most 255 octets on Linux, so the names
/// need at most 3 MB.
const MAX_SORTED: usize = 10_000;

/// Returns the entry for a file name. Returns `None` if the file has been removed since the
/// directory was read.
fn entry(directory: &Path, name: &OsStr) -> Option<Entry> {
    let path = directory.join(name);
    let stat = match fs::symlink_metadata(&path) {
        Ok(stat) => Some(stat),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        // If a directory is readable but not searchable, only the names are known.
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

/// Converts a path to its URL, octet by octet. The URL of a directory ends in a slash, so that
/// relative references resolve to files in it.
fn with_reference(entry: Entry, path: &Path, is_directory: bool) -> Entry {
    let mut url = Url::here();
    // The file system ignores empty segments, and in RFC 8089 a path cannot begin with an empty
    // segment.
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
