//! What unpacking a file may cost.

use core::cell::Cell;
use core::fmt;
use std::io::{self, Read};

/// This much may be unpacked from any file, in bytes.
const ALWAYS: u64 = 64 << 20;

/// Limits against files that are small and unpack to very much.
///
/// ```
/// use urikit_extract::container::Limits;
/// let limits = Limits::default().max_unpacked(1 << 30).max_depth(2);
/// assert_eq!(limits.unpacked(), 1 << 30);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    unpacked: u64,
    ratio: u64,
    depth: usize,
    entries: u64,
}

impl Default for Limits {
    /// 64 GiB, 200 times the file, 8 levels, a million entries.
    fn default() -> Self {
        Self {
            unpacked: 64 << 30,
            ratio: 200,
            depth: 8,
            entries: 1_000_000,
        }
    }
}

impl Limits {
    /// How much may be unpacked from a file, at all levels together, in bytes.
    #[must_use]
    pub const fn max_unpacked(mut self, bytes: u64) -> Self {
        self.unpacked = bytes;
        self
    }

    /// The same in proportion to the file, after the first 64 MiB.
    #[must_use]
    pub const fn max_ratio(mut self, times: u64) -> Self {
        self.ratio = times;
        self
    }

    /// How many containers may be in each other.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// How many entries are read, at all levels together.
    #[must_use]
    pub const fn max_entries(mut self, count: u64) -> Self {
        self.entries = count;
        self
    }

    /// The limit of what is unpacked, in bytes.
    pub const fn unpacked(&self) -> u64 {
        self.unpacked
    }
}

/// A limit that was exceeded. The rest of the file is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// More would be unpacked than this many bytes.
    Unpacked(u64),
    /// More would be unpacked than this many times the file.
    Ratio(u64),
    /// More containers are in each other. Only the innermost is not read.
    Depth(usize),
    /// There are more entries.
    Entries(u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unpacked(bytes) => write!(f, "unpacks to more than {bytes} bytes"),
            Self::Ratio(times) => write!(f, "unpacks to more than {times} times its size"),
            Self::Depth(levels) => write!(f, "more than {levels} containers are in each other"),
            Self::Entries(count) => write!(f, "more than {count} entries"),
        }
    }
}

/// What has been used of the limits.
#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    /// How much of the file has been read, or its length, in bytes.
    source: Cell<u64>,
    unpacked: Cell<u64>,
    entries: Cell<u64>,
    exceeded: Cell<Option<Limit>>,
}

impl Budget {
    pub(super) const fn new(limits: Limits) -> Self {
        Self {
            limits,
            source: Cell::new(0),
            unpacked: Cell::new(0),
            entries: Cell::new(0),
            exceeded: Cell::new(None),
        }
    }

    /// More of the file was read, or its length is known.
    pub(super) fn add_source(&self, bytes: u64) {
        self.source.set(self.source.get().saturating_add(bytes));
    }

    /// The limit that was exceeded, so that no more is read.
    pub(super) const fn exceeded(&self) -> Option<Limit> {
        self.exceeded.get()
    }

    /// How much may still be unpacked, in bytes.
    pub(super) fn left(&self) -> u64 {
        let ratio = self.source.get().saturating_mul(self.limits.ratio);
        let allowed = self.limits.unpacked.min(ratio.saturating_add(ALWAYS));
        allowed.saturating_sub(self.unpacked.get())
    }

    /// Records that this much was unpacked.
    pub(super) fn unpack(&self, bytes: u64) -> Result<(), Limit> {
        let left = self.left();
        let unpacked = self.unpacked.get().saturating_add(bytes);
        self.unpacked.set(unpacked);
        if bytes <= left {
            return Ok(());
        }
        let limit = if unpacked > self.limits.unpacked {
            Limit::Unpacked(self.limits.unpacked)
        } else {
            Limit::Ratio(self.limits.ratio)
        };
        self.exceeded.set(Some(limit));
        Err(limit)
    }

    /// Records another entry.
    pub(super) fn entry(&self) -> Result<(), Limit> {
        self.entries.set(self.entries.get() + 1);
        if self.entries.get() > self.limits.entries {
            let limit = Limit::Entries(self.limits.entries);
            self.exceeded.set(Some(limit));
            return Err(limit);
        }
        Ok(())
    }

    /// Whether containers may be this deep.
    pub(super) const fn depth(&self, depth: usize) -> Result<(), Limit> {
        if depth > self.limits.depth {
            return Err(Limit::Depth(self.limits.depth));
        }
        Ok(())
    }
}

/// The output of a decompressor.
#[cfg(any(feature = "gzip", feature = "zstd"))]
pub(super) struct Unpacked<'b, R> {
    pub(super) inner: R,
    pub(super) budget: &'b Budget,
}

#[cfg(any(feature = "gzip", feature = "zstd"))]
impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        let bytes = u64::try_from(length).unwrap_or(u64::MAX);
        self.budget
            .unpack(bytes)
            .map_err(|limit| io::Error::other(limit.to_string()))?;
        Ok(length)
    }
}

/// The file, whose bytes are counted.
pub(super) struct Counted<'b, R: ?Sized> {
    pub(super) budget: &'b Budget,
    pub(super) inner: &'b mut R,
}

impl<R: Read + ?Sized> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.budget
            .add_source(u64::try_from(length).unwrap_or(u64::MAX));
        Ok(length)
    }
}
