//! A file that has another name until it is complete.

use crate::report::io_message;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
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
/// An existing path that is not a regular file, such as a pipe or a device, is written to
/// directly.
pub(super) struct Partial {
    path: PathBuf,
    unfinished: PathBuf,
    /// The byte to resume at.
    offset: u64,
    /// Whether the file to resume has the final name: it is another program's partial file.
    is_named: bool,
    /// When the file to resume was last written.
    since: Option<SystemTime>,
    is_file: bool,
    file: Option<BufWriter<File>>,
    has_more: bool,
}

impl Partial {
    /// Examines the existing files.
    ///
    /// # Errors
    ///
    /// If the transfer cannot be resumed as requested; with the path.
    pub(super) fn of(path: PathBuf, resume: Option<Resume>) -> Result<Self, (String, io::Error)> {
        // Symbolic links are followed: their target is written.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let mut partial = path.clone().into_os_string();
        partial.push(".part");
        let partial = PathBuf::from(partial);
        let is_file = fs::metadata(&path).map_or(true, |there| there.is_file());
        let is_named = is_file && path.exists() && !partial.exists();
        let source: &Path = if is_named { &path } else { &partial };
        let there = fs::metadata(source).ok();
        let length = there.as_ref().map_or(0, fs::Metadata::len);
        let wrong = |message: &str| Err((shown(source), io::Error::other(message.to_owned())));
        let offset = match resume {
            None => 0,
            Some(_) if !is_file => {
                return wrong("cannot resume, because this is not a regular file");
            }
            Some(Resume::Partial) => length,
            Some(Resume::At(offset)) if offset <= length => offset,
            Some(Resume::At(_)) => {
                return wrong("cannot resume, because the file is shorter than that");
            }
        };
        Ok(Self {
            is_named: is_named && resume.is_some(),
            since: there.and_then(|there| there.modified().ok()),
            path,
            unfinished: partial,
            offset,
            is_file,
            file: None,
            has_more: false,
        })
    }

    /// The byte to resume at.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Opens the file for the data that follows.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or if the resource was changed after the partial file was written.
    pub(super) fn begin(&mut self, known: &Metadata) -> io::Result<()> {
        let opened = self.open(known);
        opened.map_err(|error| self.named(&error))
    }

    fn open(&mut self, known: &Metadata) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true);
        if !self.is_file {
            self.file = Some(BufWriter::new(options.create(false).open(&self.path)?));
            return Ok(());
        }
        let changed = known.modified.and_then(|date| {
            let seconds = u64::try_from(date.as_second()).ok()?;
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
        });
        if let (Some(changed), Some(since)) = (changed, self.since)
            && self.offset > 0
            && changed > since
        {
            let message =
                "it was changed after the partial file was written; omit -C to fetch it again";
            return Err(io::Error::other(message));
        }
        if self.is_named {
            fs::rename(&self.path, &self.unfinished)?;
        }
        let mut file = options.truncate(false).open(&self.unfinished)?;
        file.set_len(self.offset)?;
        file.seek(SeekFrom::Start(self.offset))?;
        self.file = Some(BufWriter::with_capacity(64 << 10, file));
        Ok(())
    }

    /// Writes data.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.file {
            Some(file) if !bytes.is_empty() => {
                self.has_more = true;
                let written = file.write_all(bytes);
                written.map_err(|error| self.named(&error))
            }
            _ => Ok(()),
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
        file.flush()?;
        if !self.is_file {
            return Ok(());
        }
        if is_complete || (self.is_named && !self.has_more) {
            fs::rename(&self.unfinished, &self.path)
        } else if self.offset == 0 && !self.has_more {
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
