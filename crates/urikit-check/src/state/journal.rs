//! An append-only file that begins with one line of JSON, followed by frames. Opening the file
//! checks all frames.

use super::StateError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// The maximum length of the first line in bytes.
const MAX_HEADER: u64 = 64 << 10;

/// The length of a frame without its payload, in bytes.
const FRAME: usize = 16;

/// The maximum time to wait for the lock, and the pause between two attempts.
const LOCK_LIMIT: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(20);

/// The first line.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "uri-check-state")]
    version: u32,
    of: String,
}

const VERSION: u32 = 1;

/// An open state file, which other processes cannot open.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// The end of the last complete frame.
    end: u64,
    /// The offset of the last frame with each key.
    frames: HashMap<u64, u64>,
    /// The first write error, after which nothing else is written.
    failed: Option<io::Error>,
}

impl Journal {
    /// Opens the file, or creates it. `key` returns the key of a payload, or `None` if the payload
    /// is not valid.
    pub(super) fn open(
        path: &Path,
        of: &str,
        key: &dyn Fn(&[u8]) -> Option<u64>,
    ) -> Result<Self, StateError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path)?;
        lock(&file)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            end: 0,
            frames: HashMap::new(),
            failed: None,
        };
        journal.read(of, key)?;
        // Remove the last frame if it is incomplete.
        journal.file.set_len(journal.end)?;
        Ok(journal)
    }

    /// Reads the first line, and the frames.
    fn read(&mut self, of: &str, key: &dyn Fn(&[u8]) -> Option<u64>) -> Result<(), StateError> {
        let header = Header {
            version: VERSION,
            of: of.to_owned(),
        };
        let mut line = serde_json::to_vec(&header).map_err(io::Error::from)?;
        line.push(b'\n');
        let length = self.file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 20, &self.file);
        let mut found = Vec::new();
        let mut limited = reader.by_ref().take(MAX_HEADER);
        io::BufRead::read_until(&mut limited, b'\n', &mut found)?;
        if found != line {
            if !line.starts_with(&found) {
                return Err(other_run(&found));
            }
            // The file is new, or the first run was killed before the line was complete.
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&line)?;
            self.end = line.len() as u64;
            return Ok(());
        }
        self.end = line.len() as u64;
        let mut payload = Vec::new();
        loop {
            let mut frame = [0; FRAME];
            if length - self.end < FRAME as u64 {
                return Ok(());
            }
            reader.read_exact(&mut frame)?;
            let damaged = StateError::Damaged { offset: self.end };
            let Some(Frame { size, checksum }) = Frame::read(&frame) else {
                return Err(damaged);
            };
            let next = self.end + FRAME as u64 + u64::from(size);
            if next > length {
                return Ok(());
            }
            payload.resize(size as usize, 0);
            reader.read_exact(&mut payload)?;
            let key = key(&payload).filter(|_| xxh3_64(&payload) == checksum);
            self.frames.insert(key.ok_or(damaged)?, self.end);
            self.end = next;
        }
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns the last payload with a key, or `None` if it does not exist or cannot be read.
    pub(super) fn get(&mut self, key: u64) -> Option<Vec<u8>> {
        let offset = *self.frames.get(&key)?;
        let mut frame = [0; FRAME];
        self.file.seek(SeekFrom::Start(offset)).ok()?;
        self.file.read_exact(&mut frame).ok()?;
        let Frame { size, checksum } = Frame::read(&frame)?;
        let mut payload = vec![0; size as usize];
        self.file.read_exact(&mut payload).ok()?;
        (xxh3_64(&payload) == checksum).then_some(payload)
    }

    /// Appends a payload. After an error, nothing else is written.
    pub(super) fn append(&mut self, key: u64, payload: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        if let Err(error) = self.write(key, payload) {
            // Part of the frame may have been written.
            let _ = self.file.set_len(self.end);
            self.failed = Some(error);
        }
    }

    fn write(&mut self, key: u64, payload: &[u8]) -> io::Result<()> {
        let size = u32::try_from(payload.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(FRAME + payload.len());
        bytes.extend(size.to_le_bytes());
        bytes.extend((!size).to_le_bytes());
        bytes.extend(xxh3_64(payload).to_le_bytes());
        bytes.extend(payload);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.frames.insert(key, self.end);
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Takes the write error, if any.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    /// Removes the file.
    pub(super) fn remove(self) -> io::Result<()> {
        let removed = fs::remove_file(&self.path);
        if cfg!(unix) || removed.is_ok() {
            return removed;
        }
        // On other systems, an open file cannot be removed.
        let Self { path, file, .. } = self;
        drop(file);
        fs::remove_file(path)
    }
}

/// Takes the lock, which the system releases when the process ends.
fn lock(file: &File) -> Result<(), StateError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // A process that was just killed, or a child between fork and exec, may still hold the
            // lock.
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_LIMIT => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StateError::InUse),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// The parts of a frame before its payload.
struct Frame {
    size: u32,
    checksum: u64,
}

impl Frame {
    /// Returns `None` if the length is corrupt.
    fn read(bytes: &[u8; FRAME]) -> Option<Self> {
        let (size, rest) = bytes.split_first_chunk()?;
        let (check, rest) = rest.split_first_chunk()?;
        let size = u32::from_le_bytes(*size);
        (u32::from_le_bytes(*check) == !size).then_some(Self {
            size,
            checksum: u64::from_le_bytes(*rest.first_chunk()?),
        })
    }
}

/// Returns the error for a file with a different first line.
fn other_run(line: &[u8]) -> StateError {
    match serde_json::from_slice(line) {
        Ok(Header {
            version: VERSION,
            of,
        }) => StateError::OtherRun { of },
        _ => StateError::Foreign,
    }
}
