//! A file that comes into being: it has another name until all of it has come.

use super::place::Resume;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use urikit_access::Metadata;

/// `NAME.part`, which takes the name `NAME` when all has come. Nothing is touched before something comes.
///
/// What is there and is no file, such as a pipe or a device, is written to as it is.
pub(super) struct Partial {
    path: PathBuf,
    unfinished: PathBuf,
    /// Where it goes on.
    offset: u64,
    /// Whether what it goes on with has the final name: another program's partial file.
    is_named: bool,
    /// When that was written.
    since: Option<SystemTime>,
    is_file: bool,
    file: Option<BufWriter<File>>,
    has_more: bool,
}

impl Partial {
    /// Looks at what is there.
    ///
    /// # Errors
    ///
    /// Where there is nothing to go on with as asked; an error names the path.
    pub(super) fn of(path: PathBuf, resume: Option<Resume>) -> Result<Self, (String, io::Error)> {
        // A link is followed: what it leads to is written.
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
            Some(_) if !is_file => return wrong("nothing can be resumed there: it is no file"),
            Some(Resume::Partial) => length,
            Some(Resume::At(offset)) if offset <= length => offset,
            Some(Resume::At(_)) => return wrong("the file is shorter than the byte to go on at"),
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

    /// The byte to go on at.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Opens it: something comes, of which so much is known.
    ///
    /// # Errors
    ///
    /// Where it cannot be written, and where what is there is of an older state of what comes.
    pub(super) fn begin(&mut self, known: &Metadata) -> io::Result<()> {
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
            let message = "it was changed after the partial file was written: without -C, the whole is fetched";
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

    /// Writes what comes.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.file {
            Some(file) if !bytes.is_empty() => {
                self.has_more = true;
                file.write_all(bytes)
            }
            _ => Ok(()),
        }
    }

    /// The end: the file takes its name when all has come. Otherwise it stays a partial one, or what was there before
    /// where nothing came.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub(super) fn end(self, is_whole: bool) -> io::Result<()> {
        let Some(mut file) = self.file else {
            return Ok(());
        };
        file.flush()?;
        if !self.is_file {
            return Ok(());
        }
        if is_whole || (self.is_named && !self.has_more) {
            fs::rename(self.unfinished, self.path)
        } else if self.offset == 0 && !self.has_more {
            fs::remove_file(self.unfinished)
        } else {
            Ok(())
        }
    }
}

/// A path, for a message.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
