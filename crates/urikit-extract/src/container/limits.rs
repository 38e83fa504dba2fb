//! Limits on the cost of unpacking a file.

use core::cell::Cell;
use core::fmt;
use std::io::{self, Read};

/// The number of bytes that may always be unpacked, even from a small file.
const ALWAYS: u64 = 64 << 20;

/// The number of PDF objects that may always be read, even from a small file.
#[cfg(feature = "pdf")]
const OBJECTS_ALWAYS: u64 = 2 << 20;

/// Limits that protect against small files with huge content.
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
    objects: u64,
}

impl Default for Limits {
    /// Returns the default limits: 64 GiB, 200 times the size of the file, 8 levels, a million
    /// entries, and 8 objects for each byte.
    fn default() -> Self {
        Self {
            unpacked: 64 << 30,
            ratio: 200,
            depth: 8,
            entries: 1_000_000,
            objects: 8,
        }
    }
}

impl Limits {
    /// Sets the maximum number of bytes to unpack from a file, across all levels.
    #[must_use]
    pub const fn max_unpacked(mut self, bytes: u64) -> Self {
        self.unpacked = bytes;
        self
    }

    /// Sets the maximum ratio of unpacked bytes to the size of the file. The ratio does not apply
    /// to the first 64 MiB.
    #[must_use]
    pub const fn max_ratio(mut self, times: u64) -> Self {
        self.ratio = times;
        self
    }

    /// Sets how deeply containers may be nested.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Sets the maximum number of entries to read, across all levels.
    #[must_use]
    pub const fn max_entries(mut self, count: u64) -> Self {
        self.entries = count;
        self
    }

    /// Sets the maximum number of PDF objects and operators to read for each byte of the file. The
    /// limit does not apply to the first 2,097,152 objects and operators.
    #[must_use]
    pub const fn max_objects(mut self, per_byte: u64) -> Self {
        self.objects = per_byte;
        self
    }

    /// Returns the maximum number of unpacked bytes.
    pub const fn unpacked(&self) -> u64 {
        self.unpacked
    }
}

/// A limit that was exceeded. If a limit other than the depth is exceeded, the rest of the file is
/// not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The file unpacks to more than this many bytes.
    Unpacked(u64),
    /// The file unpacks to more than this many times its size.
    Ratio(u64),
    /// Containers are nested more than this many levels deep. Containers nested more deeply are not
    /// read, but everything else is.
    Depth(usize),
    /// The file has more than this many entries.
    Entries(u64),
    /// Reading the pages of the PDF requires more than this many objects and operators for each
    /// byte of the file.
    Objects(u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unpacked(bytes) => write!(f, "unpacks to more than {bytes} bytes"),
            Self::Ratio(times) => write!(f, "unpacks to more than {times} times its size"),
            Self::Depth(levels) => {
                write!(f, "containers are nested more than {levels} levels deep")
            }
            Self::Entries(count) => write!(f, "has more than {count} entries"),
            Self::Objects(count) => {
                write!(
                    f,
                    "reading its pages requires more than {count} objects for each byte of the file"
                )
            }
        }
    }
}

/// The limits for one file, and the amounts used so far.
#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    /// The number of bytes read from the file, or the length of the file.
    source: Cell<u64>,
    unpacked: Cell<u64>,
    entries: Cell<u64>,
    #[cfg(feature = "pdf")]
    objects: Cell<u64>,
    exceeded: Cell<Option<Limit>>,
}

impl Budget {
    pub(super) const fn new(limits: Limits) -> Self {
        Self {
            limits,
            source: Cell::new(0),
            unpacked: Cell::new(0),
            entries: Cell::new(0),
            #[cfg(feature = "pdf")]
            objects: Cell::new(0),
            exceeded: Cell::new(None),
        }
    }

    /// Records that this many bytes of the file were read, or that the file has this length.
    pub(super) fn add_source(&self, bytes: u64) {
        self.source.set(self.source.get().saturating_add(bytes));
    }

    /// Returns the limit that was exceeded. Once a limit has been exceeded, nothing more is read.
    pub(super) const fn exceeded(&self) -> Option<Limit> {
        self.exceeded.get()
    }

    /// Returns how many bytes may still be unpacked.
    pub(super) fn left(&self) -> u64 {
        let ratio = self.source.get().saturating_mul(self.limits.ratio);
        let allowed = self.limits.unpacked.min(ratio.saturating_add(ALWAYS));
        allowed.saturating_sub(self.unpacked.get())
    }

    /// Records that this many bytes were unpacked.
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

    /// Records that this many PDF objects were read.
    #[cfg(feature = "pdf")]
    pub(super) fn objects(&self, count: usize) -> Result<(), Limit> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.objects.set(self.objects.get().saturating_add(count));
        let allowed = self.source.get().saturating_mul(self.limits.objects);
        if self.objects.get() > allowed.saturating_add(OBJECTS_ALWAYS) {
            let limit = Limit::Objects(self.limits.objects);
            self.exceeded.set(Some(limit));
            return Err(limit);
        }
        Ok(())
    }

    /// Fails if containers may not be nested this deeply.
    pub(super) const fn depth(&self, depth: usize) -> Result<(), Limit> {
        if depth > self.limits.depth {
            return Err(Limit::Depth(self.limits.depth));
        }
        Ok(())
    }
}

/// The output of a decompressor, counted against the limits.
#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
pub(super) struct Unpacked<'b, R> {
    pub(super) inner: R,
    pub(super) budget: &'b Budget,
}

#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
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

/// The file itself, whose bytes are counted as they are read.
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
