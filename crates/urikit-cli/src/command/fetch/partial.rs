//! Partial files: `NAME.part` exists until the transfer is complete, and `NAME.part.version`
//! records the version of its content.
//!
//! Other users may be able to write to the folder. Therefore, an existing file is never opened if
//! it has other hard links or the path is a symbolic link, and a new file never replaces an
//! existing one.

use super::destination::PathError;
use super::names::numbered;
use crate::report::io_message;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;
use urikit_access::Metadata;

/// The suffix of the version file, after the name of the partial file.
pub(super) const VERSION_SUFFIX: &str = ".version";

/// The maximum size of a version file, in bytes.
const MAX_VERSION: u64 = 64 << 10;

/// The number of bytes to collect before writing them. A complete body with fewer bytes than this
/// is written in one piece.
const BUFFER: usize = 64 << 10;

/// The position at which a transfer resumes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resume {
    /// The end of the partial file.
    Partial,
    /// A byte offset.
    At(u64),
}

impl FromStr for Resume {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "-" => Ok(Self::Partial),
            _ => text
                .parse()
                .map(Self::At)
                .map_err(|_| "expected `-` or a number of bytes".to_owned()),
        }
    }
}

/// The name of a file, and its origin: the user or the URL.
#[derive(Clone)]
pub(super) enum FileName {
    /// The user chose the name. If the file is a symbolic link, the target of the link is written.
    ByUser(PathBuf),
    /// The name comes from the URL. An existing file with this name is replaced, and symbolic links
    /// are not followed.
    FromUrl(PathBuf),
}

/// A file that is written as `NAME.part` and becomes `NAME` once it is complete. No file is changed
/// before data arrives.
///
/// A small body waits in memory, so no partial file exists while it arrives.
///
/// A transfer resumes only if the version file identifies the partial content. Without this check,
/// the rest could come from another version. The file is examined and written through the same
/// descriptor, so another user cannot swap in a link between the two steps.
///
/// An existing path that is not a regular file, such as a pipe or a device, is written directly.
#[allow(clippy::struct_excessive_bools)] // independent facts about the files
pub(super) struct Partial {
    path: PathBuf,
    unfinished: PathBuf,
    /// The URL, for the version file.
    url: String,
    resumable: Option<Resumable>,
    /// True if the transfer cannot resume from the existing content.
    starts_over: bool,
    /// True if the path is a regular file, or does not exist.
    is_file: bool,
    file: Option<BufWriter<File>>,
    /// The data received before the file is created.
    waiting: Option<Vec<u8>>,
    offset: u64,
    /// The number of bytes received.
    received: u64,
    unsaved: Option<UnsavedVersion>,
    /// True if the file gets the modification time that the server reports.
    keeps_time: bool,
    modified: Option<SystemTime>,
    /// True if a partial file was replaced. Its version file may still exist.
    has_replaced: bool,
    /// True if the path names an empty file that was created for this transfer.
    is_reserved: bool,
}

/// A version that has not been saved yet. The version is saved when the first bytes are written to
/// disk. Most small files are complete before the first write, and need no version file.
struct UnsavedVersion {
    validator: Option<String>,
}

/// A partial file from which a transfer can resume.
struct Resumable {
    file: File,
    validator: String,
    offset: u64,
}

impl Partial {
    /// Examines the existing files.
    ///
    /// # Errors
    ///
    /// Fails if the transfer cannot be resumed as requested.
    pub(super) fn new(
        name: FileName,
        url: String,
        resume: Option<Resume>,
    ) -> Result<Self, PathError> {
        let keeps_time = matches!(name, FileName::FromUrl(_));
        let (path, is_file) = match name {
            FileName::ByUser(path) => {
                let is_file = fs::metadata(&path).map_or(true, |metadata| metadata.is_file());
                (fs::canonicalize(&path).unwrap_or(path), is_file)
            }
            FileName::FromUrl(path) => (path, true),
        };
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".part");
        let mut partial = Self {
            unfinished: PathBuf::from(unfinished),
            path,
            url,
            resumable: None,
            starts_over: false,
            is_file,
            file: None,
            waiting: None,
            offset: 0,
            received: 0,
            unsaved: None,
            keeps_time,
            modified: None,
            has_replaced: false,
            is_reserved: false,
        };
        if let Some(resume) = resume
            && let Err(message) = partial.examine(resume)
        {
            let path = if is_file {
                &partial.unfinished
            } else {
                &partial.path
            };
            return Err(PathError::new(path, io::Error::other(message)));
        }
        Ok(partial)
    }

    /// Creates a file with this name in a folder, adding a number if the name is taken. Never
    /// replaces a file.
    ///
    /// # Errors
    ///
    /// Fails if no file can be created.
    pub(super) fn reserve(folder: &Path, name: &OsString) -> io::Result<Self> {
        let mut number = 0;
        loop {
            let path = folder.join(numbered(name, number));
            // Reserving the name keeps the final rename from replacing another file.
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => {
                    let name = FileName::FromUrl(path);
                    let partial = Self::new(name, String::new(), None);
                    let mut partial = partial.map_err(|error| error.error)?;
                    partial.is_reserved = true;
                    return Ok(partial);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    number += 1;
                }
                Err(error) => return Err(named(&path, &error)),
            }
        }
    }

    /// Returns the path of the complete file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn examine(&mut self, resume: Resume) -> Result<(), &'static str> {
        if !self.is_file {
            return Err("cannot resume, because this is not a regular file");
        }
        let existing = open_existing(&self.unfinished).ok();
        let length = existing.as_ref().map_or(0, |(_, length)| *length);
        let offset = match resume {
            Resume::Partial => length,
            Resume::At(offset) if offset <= length => offset,
            Resume::At(_) => {
                return Err("cannot resume, because the file is shorter than the offset");
            }
        };
        let validator = read_version(&self.unfinished, &self.url);
        self.resumable = match (existing, validator) {
            (Some((file, _)), Some(validator)) if offset > 0 => Some(Resumable {
                file,
                validator,
                offset,
            }),
            _ => None,
        };
        self.starts_over = self.resumable.is_none()
            && (self.path.exists() || fs::symlink_metadata(&self.unfinished).is_ok());
        Ok(())
    }

    /// Returns the offset to resume at, and the version of the existing content.
    pub(super) fn resumed(&self) -> Option<(u64, &str)> {
        let resumable = self.resumable.as_ref()?;
        Some((resumable.offset, &resumable.validator))
    }

    /// Returns the reason why the transfer cannot resume from the existing content.
    pub(super) const fn note(&self) -> Option<&'static str> {
        if self.starts_over {
            Some("starting over: the version of the partial file is unknown")
        } else {
            None
        }
    }

    /// Opens the file to which the data is written.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(super) fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        let opened = self.open(metadata);
        opened.map_err(|error| named(&self.path, &error))
    }

    fn open(&mut self, metadata: &Metadata) -> io::Result<()> {
        if !self.is_file {
            let file = OpenOptions::new().write(true).open(&self.path)?;
            self.file = Some(BufWriter::new(file));
            return Ok(());
        }
        self.offset = metadata.offset;
        self.modified = metadata.modified.map(SystemTime::from);
        // The server decides whether to resume: it may start over at offset 0.
        let resumable = self
            .resumable
            .take()
            .filter(|resumable| resumable.offset == metadata.offset);
        if let Some(Resumable { mut file, .. }) = resumable {
            file.set_len(metadata.offset)?;
            file.seek(SeekFrom::Start(metadata.offset))?;
            self.file = Some(BufWriter::with_capacity(BUFFER, file));
        } else {
            self.unsaved = Some(UnsavedVersion {
                validator: metadata.validator.clone(),
            });
            let size = metadata.size.and_then(|size| usize::try_from(size).ok());
            self.waiting = Some(Vec::with_capacity(size.unwrap_or(0).min(BUFFER)));
        }
        Ok(())
    }

    /// Writes data.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.write_after_version(bytes);
        written.map_err(|error| named(&self.path, &error))
    }

    fn write_after_version(&mut self, bytes: &[u8]) -> io::Result<()> {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(count);
        if let Some(waiting) = &mut self.waiting {
            if waiting.len() + bytes.len() < BUFFER {
                waiting.extend_from_slice(bytes);
                return Ok(());
            }
            self.create()?;
        }
        if self.received >= BUFFER as u64 {
            self.save_version()?;
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        }
    }

    /// Creates the partial file for the waiting data.
    fn create(&mut self) -> io::Result<()> {
        let (file, has_replaced) = create(&self.unfinished)?;
        self.has_replaced = has_replaced;
        let mut file = BufWriter::with_capacity(BUFFER, file);
        // The waiting data fits into the buffer, so nothing is written before the version is saved.
        file.write_all(&self.waiting.take().unwrap_or_default())?;
        self.file = Some(file);
        Ok(())
    }

    /// Writes a complete body to a file without a name, and then names it. This takes half as long
    /// as renaming a partial file. Returns false if the system cannot do this, or if a file with
    /// this name or a partial file exists.
    #[cfg(target_os = "linux")]
    fn create_complete(&self, body: &[u8]) -> io::Result<bool> {
        use rustix::fs::{AtFlags, CWD, OFlags, linkat};
        use std::os::fd::AsRawFd as _;
        use std::os::unix::fs::OpenOptionsExt as _;

        if self.is_reserved || fs::symlink_metadata(&self.unfinished).is_ok() {
            return Ok(false);
        }
        let folder = self
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty());
        let flags = i32::try_from(OFlags::TMPFILE.bits()).unwrap_or_default();
        let mut options = OpenOptions::new();
        options.write(true).custom_flags(flags);
        let Ok(mut file) = options.open(folder.unwrap_or(Path::new("."))) else {
            return Ok(false);
        };
        file.write_all(body)?;
        self.set_time(&file);
        let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, unnamed, CWD, &self.path, AtFlags::SYMLINK_FOLLOW).is_ok())
    }

    #[cfg(not(target_os = "linux"))]
    fn create_complete(&self, _: &[u8]) -> io::Result<bool> {
        Ok(false)
    }

    /// Sets the modification time reported by the server.
    fn set_time(&self, file: &File) {
        if let Some(modified) = self.modified.filter(|_| self.keeps_time) {
            // Ignore errors: some file systems cannot store every timestamp.
            let _ = file.set_modified(modified);
        }
    }

    /// Saves the version before any data is written to disk.
    fn save_version(&mut self) -> io::Result<()> {
        match self.unsaved.take() {
            Some(UnsavedVersion { validator }) => {
                write_version(&self.unfinished, &self.url, validator.as_deref())
            }
            None => Ok(()),
        }
    }

    /// Closes the file. A complete file gets its final name. An incomplete file is kept as a
    /// partial file, or removed if it received no data.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(super) fn end(mut self, is_complete: bool) -> io::Result<()> {
        let ended = self.close(is_complete);
        if self.is_reserved && (!is_complete || ended.is_err()) {
            // The name is reserved for a complete file. If the removal fails, an empty file
            // remains.
            let _ = fs::remove_file(&self.path);
        }
        ended.map_err(|error| named(&self.path, &error))
    }

    fn close(&mut self, is_complete: bool) -> io::Result<()> {
        if let Some(waiting) = &self.waiting {
            if waiting.is_empty() && !is_complete {
                return Ok(());
            }
            // A run that is killed between creating and writing a file must not leave an empty one
            // under the final name. So even a small body goes through a partial file, unless the
            // file can be written before it gets a name.
            if is_complete && self.create_complete(waiting)? {
                return Ok(());
            }
            self.create()?;
        }
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if self.is_file && is_complete && self.unsaved.is_some() {
            // A version file from an earlier transfer does not apply to this content. Trying to
            // remove a file that does not exist would still block other threads that use the
            // folder.
            if self.has_replaced {
                remove_version(&self.unfinished)?;
            }
        } else {
            self.save_version()?;
        }
        file.flush()?;
        if !self.is_file {
            return Ok(());
        }
        if is_complete {
            self.set_time(file.get_ref());
            if self.unsaved.is_none() {
                remove_version(&self.unfinished)?;
            }
            fs::rename(&self.unfinished, &self.path)
        } else if self.offset == 0 && self.received == 0 {
            remove_version(&self.unfinished)?;
            fs::remove_file(&self.unfinished)
        } else {
            Ok(())
        }
    }
}

/// Adds the name of the file to an error message.
fn named(path: &Path, error: &io::Error) -> io::Error {
    let name = path.to_string_lossy();
    io::Error::new(error.kind(), format!("{name}: {}", io_message(error)))
}

/// Opens a regular file for reading and writing, and returns it with its length in bytes.
fn open_existing(path: &Path) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    reject_links(&mut options);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || has_other_names(&metadata) {
        return Err(io::Error::other(
            "this is not a regular file, or it has other hard links",
        ));
    }
    Ok((file, metadata.len()))
}

/// Creates a new file, after removing an existing one.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    create(path).map(|(file, _)| file)
}

/// Creates a new file. Returns true if an existing file was removed.
fn create(path: &Path) -> io::Result<(File, bool)> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove(path)?;
            create().map(|file| (file, true))
        }
        created => created.map(|file| (file, false)),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn version_file(partial: &Path) -> PathBuf {
    let mut name = OsString::from(partial);
    name.push(VERSION_SUFFIX);
    name.into()
}

/// Reads the validator of a partial file, if the file is from this URL.
fn read_version(partial: &Path, url: &str) -> Option<String> {
    let (file, _) = open_existing(&version_file(partial)).ok()?;
    let mut text = String::new();
    file.take(MAX_VERSION).read_to_string(&mut text).ok()?;
    let (its_url, validator) = text.strip_suffix('\n')?.split_once('\n')?;
    (its_url == url).then(|| validator.to_owned())
}

/// Writes the validator of a partial file. If there is no validator, removes an old version file.
fn write_version(partial: &Path, url: &str, validator: Option<&str>) -> io::Result<()> {
    match validator {
        None => remove_version(partial),
        Some(validator) => create_new(&version_file(partial))?
            .write_all(format!("{url}\n{validator}\n").as_bytes()),
    }
}

fn remove_version(partial: &Path) -> io::Result<()> {
    remove(&version_file(partial))
}

#[cfg(unix)]
fn reject_links(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without NONBLOCK, opening a pipe would wait for its other end.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn reject_links(_: &mut OpenOptions) {}

#[cfg(unix)]
fn has_other_names(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}
