//! Searches message stores, which are Maildirs, MH folders or files.

use super::compression::Compression;
use super::lines::Lines;
use super::search::{Search, Target};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::mask::escape;
use crate::output::Output;
use crate::protocol::Outcome;
use crate::request::Request;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// The maximum depth of nested MH folders.
const MAX_FOLDER_DEPTH: usize = 32;

/// The size of the buffer for a file, in bytes.
pub(super) const BUFFER: usize = 64 << 10;

/// The state of an access that searches message stores.
///
/// The methods whose names begin with `search_` return true if they found the target, which ends
/// the access.
pub(super) struct Access<'a, 'c, 'd> {
    stores: &'a [PathBuf],
    search: Search,
    context: &'a mut Context<'c>,
    output: &'a mut Output<'d>,
    skipped: Vec<Skipped>,
}

impl<'a, 'c, 'd> Access<'a, 'c, 'd> {
    pub(super) fn new(
        stores: &'a [PathBuf],
        request: &Request<'_>,
        target: Target,
        context: &'a mut Context<'c>,
        output: &'a mut Output<'d>,
    ) -> Self {
        Self {
            stores,
            search: Search::new(target, request.wants_body(), context.max_depth()),
            context,
            output,
            skipped: Vec::new(),
        }
    }

    /// Finds the target in the stores, and writes it to the output.
    pub(super) fn fetch(mut self) -> Result<Outcome> {
        for path in self.stores {
            self.context.record(Event::Searched(path.clone()));
            if self.search_store(path)? {
                return Ok(Outcome::Done);
            }
        }
        Err(self.not_found())
    }

    /// Records the files and folders that were not searched, and returns the error.
    fn not_found(self) -> Error {
        let truncated = self.search.truncated_fields;
        if truncated > 0 {
            self.context.note(format!(
                "{truncated} header fields have too many parameters, so only the first ones were \
                 read"
            ));
        }
        for skipped in &self.skipped {
            self.context.note(skipped.to_string());
        }
        // A part that was nested too deeply to be searched might have been the target.
        if let Err(error) = self.context.check_depth(self.search.deepest) {
            return error;
        }
        let stores: Vec<_> = self.stores.iter().map(|it| it.to_string_lossy()).collect();
        let mut searched = format!("{} messages of {}", self.search.messages, stores.join(", "));
        for (at, skipped) in self.skipped.iter().enumerate() {
            searched.push_str(if at == 0 { "; not searched: " } else { "; " });
            searched.push_str(&skipped.count());
        }
        Error::new(ErrorKind::NotInMailbox { searched })
    }

    /// Searches a store of any kind.
    fn search_store(&mut self, path: &Path) -> Result<bool> {
        let metadata = fs::metadata(path).map_err(|error| local(path, error))?;
        if metadata.is_file() {
            return self.search_file(path);
        }
        if is_maildir(path) {
            return self.search_maildir(path);
        }
        if metadata.is_dir() && is_mh(path, MAX_FOLDER_DEPTH) {
            return self.search_mh(path, MAX_FOLDER_DEPTH);
        }
        let what = "expected a mailbox, a Maildir, an MH folder or a message";
        Err(Error::new(ErrorKind::Unsupported(what)).with_step(opening(path)))
    }

    /// Searches a Maildir, and then its subfolders in order of name. In a Maildir++, the
    /// subfolders are in the Maildir itself: `.Archive.1998` is the folder `1998` in the folder
    /// `Archive`.
    fn search_maildir(&mut self, path: &Path) -> Result<bool> {
        if self.search_maildir_folder(path)? {
            return Ok(true);
        }
        for folder in folders(path)? {
            let name = folder.file_name().map(OsStr::as_encoded_bytes);
            let has_dot = name.is_some_and(|name| name.starts_with(b"."));
            if has_dot && is_maildir(&folder) && self.search_maildir_folder(&folder)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn search_maildir_folder(&mut self, path: &Path) -> Result<bool> {
        for part in maildir_parts(path).iter().filter(|part| part.is_dir()) {
            for entry in fs::read_dir(part).map_err(|error| local(part, error))? {
                let path = entry.map_err(|error| local(part, error))?.path();
                if is_regular(&path) && self.search_file(&path)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Searches the messages in an MH folder in order of number, and then its subfolders in order
    /// of name.
    fn search_mh(&mut self, path: &Path, depth: usize) -> Result<bool> {
        for number in mh_numbers(path)? {
            if self.search_file(&path.join(number.to_string()))? {
                return Ok(true);
            }
        }
        for folder in folders(path)? {
            if depth == 0 {
                self.skip(&folder, "the folders are nested too deeply");
            } else if self.search_mh(&folder, depth - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches a file. A file that begins with `From ` is a mailbox, and any other file is one
    /// message.
    fn search_file(&mut self, path: &Path) -> Result<bool> {
        let failed = |error| local(path, error);
        let file = File::open(path).map_err(failed)?;
        let ahead = file.try_clone().map_err(failed)?;
        let mut input = BufReader::with_capacity(BUFFER, file);
        let compression = Compression::detect(input.fill_buf().map_err(failed)?);
        if let Compression::Unsupported(reason) = compression {
            self.skip(path, reason);
            return Ok(false);
        }
        // Compressed files do not allow random access, so any `Content-Length` fields in them are
        // ignored.
        let read_at = |offset, into: &mut [u8]| match compression {
            Compression::None => read_at(&ahead, offset, into),
            _ => Ok(0),
        };
        let mut input = compression.decompress(input).map_err(failed)?;
        let begin = input.fill_buf().map_err(failed)?;
        let mut lines = if begin.starts_with(b"From ") {
            Lines::new(input, Some(&read_at))
        } else {
            Lines::new(input, None)
        };
        let deadline = self.context.deadline();
        while lines.next_message().map_err(failed)? {
            let found = self.search.message(&mut lines, deadline, self.output);
            if found.map_err(|error| error.with_step(format!("reading {}", path.display())))? {
                if compression != Compression::None {
                    // Read to the end of the file, because its checksum is there.
                    while lines.next_message().map_err(failed)? {}
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts a file or folder that is not searched.
    fn skip(&mut self, path: &Path, reason: &'static str) {
        match self.skipped.iter_mut().find(|it| it.reason == reason) {
            Some(skipped) => skipped.others += 1,
            None => self.skipped.push(Skipped {
                reason,
                first: path.to_owned(),
                others: 0,
            }),
        }
    }
}

/// Files or folders that were skipped for the same reason.
struct Skipped {
    reason: &'static str,
    first: PathBuf,
    others: u64,
}

impl Skipped {
    /// Returns the number of skipped files or folders, and the reason.
    fn count(&self) -> String {
        let count = self.others.saturating_add(1);
        let noun = match (self.first.is_dir(), count) {
            (true, 1) => "folder",
            (true, _) => "folders",
            (false, 1) => "file",
            (false, _) => "files",
        };
        format!("{count} {noun}, {}", self.reason)
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = escape(self.first.as_os_str().as_encoded_bytes());
        write!(f, "not searched: {path}, {}", self.reason)?;
        match self.others {
            0 => Ok(()),
            others => write!(f, "; and {others} more like it"),
        }
    }
}

fn is_maildir(path: &Path) -> bool {
    maildir_parts(path).iter().any(|part| part.is_dir())
}

/// Returns the two folders of a Maildir whose files are messages.
fn maildir_parts(path: &Path) -> [PathBuf; 2] {
    ["cur", "new"].map(|name| path.join(name))
}

/// Returns true if a folder contains a numbered message, a `.mh_sequences` file, or an MH folder.
fn is_mh(path: &Path, depth: usize) -> bool {
    path.join(".mh_sequences").is_file()
        || mh_numbers(path).is_ok_and(|numbers| !numbers.is_empty())
        || depth > 0
            && folders(path)
                .is_ok_and(|folders| folders.iter().any(|folder| is_mh(folder, depth - 1)))
}

/// Returns the message numbers in an MH folder, in order.
fn mh_numbers(path: &Path) -> Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| local(path, error))? {
        let entry = entry.map_err(|error| local(path, error))?;
        let name = entry.file_name();
        let number = name.to_str().filter(|name| is_mh_number(name));
        if let Some(number) = number.and_then(|number| number.parse().ok())
            && is_regular(&entry.path())
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Returns true if MH could have written this number. `+1`, `01` and `,1` (a removed message) are
/// not messages.
fn is_mh_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit()) && !name.starts_with('0')
}

/// Returns the subfolders of a folder, sorted by name.
fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| local(path, error))? {
        let entry = entry.map_err(|error| local(path, error))?;
        // `DirEntry::file_type` does not follow symbolic links, which could lead to a cycle.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}

/// Returns true if a path is a regular file, and false if it is something else, such as a FIFO, or
/// has been removed in the meantime.
fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn local(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error)).with_step(opening(path))
}

fn opening(path: &Path) -> String {
    format!("opening {}", path.display())
}

/// Fills `into` with the octets at an offset, without changing the file position. Returns the
/// number of octets that were read, which is less than the length of `into` at the end of the file.
fn read_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while let Some(rest) = into.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, offset.saturating_add(length as u64)) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
