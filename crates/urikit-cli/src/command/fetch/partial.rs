//! A file that has another name until it is complete.

use super::kept::{self, Kept};
use crate::report::io_message;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;
use urikit_access::Metadata;

/// Where to resume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resume {
    /// At the end of the partial file.
    Partial,
    /// At a byte.
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

/// `NAME.part`, which is renamed to `NAME` when it is complete. Nothing is changed before data
/// arrives.
///
/// It is resumed only if the file beside it says of which version it is: otherwise its end could be
/// that of another one. It is never opened through a symbolic link, which another user may have
/// made: what is resumed is the file that was examined; otherwise a new one is created.
///
/// An existing path that is not a regular file, such as a pipe or a device, is written to
/// directly.
#[allow(clippy::struct_excessive_bools)] // they are independent
pub(super) struct Partial {
    path: PathBuf,
    unfinished: PathBuf,
    /// The URL, for the file beside it.
    url: String,
    /// What is resumed.
    resumed: Option<Resumed>,
    /// Whether there is something that cannot be resumed.
    starts_over: bool,
    is_file: bool,
    file: Option<BufWriter<File>>,
    offset: u64,
    /// How many bytes were received.
    received: u64,
    /// What identifies the version that is received, until the file beside it says so.
    unkept: Option<Unkept>,
    /// Whether the file gets the server's modification time.
    keeps_time: bool,
    modified: Option<SystemTime>,
}

/// Who chose the name of a file.
#[derive(Clone)]
pub(super) enum Name {
    /// The user: if it is a symbolic link, its target is written.
    OfUser(PathBuf),
    /// The URL: whatever has this name is replaced, and no link is followed.
    OfUrl(PathBuf),
}

/// A version that is not kept yet: none is, before the first bytes are on the disk. Most small
/// files are complete by then.
struct Unkept {
    validator: Option<String>,
}

/// How many bytes are collected before they are written.
const BUFFER: usize = 64 << 10;

/// An open partial file.
struct Resumed {
    file: File,
    validator: String,
    offset: u64,
}

impl Partial {
    /// Examines the existing files.
    ///
    /// # Errors
    ///
    /// If the transfer cannot be resumed as requested; with the path.
    pub(super) fn of(
        name: Name,
        url: String,
        resume: Option<Resume>,
    ) -> Result<Self, (String, io::Error)> {
        let keeps_time = matches!(name, Name::OfUrl(_));
        let (path, is_file) = match name {
            Name::OfUser(path) => {
                let is_file = fs::metadata(&path).map_or(true, |there| there.is_file());
                (fs::canonicalize(&path).unwrap_or(path), is_file)
            }
            Name::OfUrl(path) => (path, true),
        };
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".part");
        let mut partial = Self {
            unfinished: PathBuf::from(unfinished),
            path,
            url,
            resumed: None,
            starts_over: false,
            is_file,
            file: None,
            offset: 0,
            received: 0,
            unkept: None,
            keeps_time,
            modified: None,
        };
        if let Some(resume) = resume {
            let examined = partial.resume(resume);
            examined.map_err(|message| (partial.shown(), io::Error::other(message)))?;
        }
        Ok(partial)
    }

    fn shown(&self) -> String {
        shown(if self.is_file {
            &self.unfinished
        } else {
            &self.path
        })
    }

    fn resume(&mut self, resume: Resume) -> Result<(), &'static str> {
        if !self.is_file {
            return Err("cannot resume, because this is not a regular file");
        }
        let there = kept::open(&self.unfinished).ok();
        let length = there.as_ref().map_or(0, |there| there.length);
        let offset = match resume {
            Resume::Partial => length,
            Resume::At(offset) if offset <= length => offset,
            Resume::At(_) => return Err("cannot resume, because the file is shorter than that"),
        };
        let validator = kept::validator(&self.unfinished, &self.url);
        self.resumed = match (there, validator) {
            (Some(Kept { file, .. }), Some(validator)) if offset > 0 => Some(Resumed {
                file,
                validator,
                offset,
            }),
            _ => None,
        };
        self.starts_over = self.resumed.is_none()
            && (self.path.exists() || fs::symlink_metadata(&self.unfinished).is_ok());
        Ok(())
    }

    /// The byte to resume at, and the version that there is.
    pub(super) fn resumed(&self) -> Option<(u64, &str)> {
        let resumed = self.resumed.as_ref()?;
        Some((resumed.offset, &resumed.validator))
    }

    /// Why what is there cannot be resumed.
    pub(super) const fn note(&self) -> Option<&'static str> {
        if self.starts_over {
            Some("starting over: nothing says of which version the partial file is")
        } else {
            None
        }
    }

    /// Opens the file for the data that follows.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn begin(&mut self, known: &Metadata) -> io::Result<()> {
        let opened = self.open(known);
        opened.map_err(|error| self.named(&error))
    }

    fn open(&mut self, known: &Metadata) -> io::Result<()> {
        if !self.is_file {
            let file = OpenOptions::new().write(true).open(&self.path)?;
            self.file = Some(BufWriter::new(file));
            return Ok(());
        }
        self.offset = known.offset;
        self.modified = known.modified.map(SystemTime::from);
        let resumed = self
            .resumed
            .take()
            .filter(|resumed| resumed.offset == known.offset);
        let file = if let Some(Resumed { mut file, .. }) = resumed {
            file.set_len(known.offset)?;
            file.seek(SeekFrom::Start(known.offset))?;
            file
        } else {
            self.unkept = Some(Unkept {
                validator: known.validator.clone(),
            });
            kept::create(&self.unfinished)?
        };
        self.file = Some(BufWriter::with_capacity(BUFFER, file));
        Ok(())
    }

    /// Writes data.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.write_versioned(bytes);
        written.map_err(|error| self.named(&error))
    }

    fn write_versioned(&mut self, bytes: &[u8]) -> io::Result<()> {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(count);
        if self.received >= BUFFER as u64 {
            self.keep_version()?;
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        }
    }

    /// Keeps the version of what is received, before any of it is on the disk.
    fn keep_version(&mut self) -> io::Result<()> {
        match self.unkept.take() {
            Some(Unkept { validator }) => {
                kept::keep(&self.unfinished, &self.url, validator.as_deref())
            }
            None => Ok(()),
        }
    }

    /// Ends the file. If it is complete, it gets its final name. Otherwise it remains partial, or
    /// is as it was before if no data arrived.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn end(mut self, is_complete: bool) -> io::Result<()> {
        let name = shown(&self.path);
        let ended = self.close(is_complete);
        ended.map_err(|error| named(&name, &error))
    }

    fn close(&mut self, is_complete: bool) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if self.is_file && is_complete && self.unkept.is_some() {
            // One of an earlier transfer says nothing of what is written now.
            kept::forget(&self.unfinished)?;
        } else {
            self.keep_version()?;
        }
        file.flush()?;
        if !self.is_file {
            return Ok(());
        }
        if is_complete {
            if let Some(modified) = self.modified.filter(|_| self.keeps_time) {
                // A file system may not have such times.
                let _ = file.get_ref().set_modified(modified);
            }
            if self.unkept.is_none() {
                kept::forget(&self.unfinished)?;
            }
            fs::rename(&self.unfinished, &self.path)
        } else if self.offset == 0 && self.received == 0 {
            kept::forget(&self.unfinished)?;
            fs::remove_file(&self.unfinished)
        } else {
            Ok(())
        }
    }
}

impl Partial {
    fn named(&self, error: &io::Error) -> io::Error {
        named(&shown(&self.path), error)
    }
}

/// An error with the name of the file in its message.
fn named(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {}", io_message(error)))
}

/// A path, for a message.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
