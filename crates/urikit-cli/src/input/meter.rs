//! Counts the bytes read, for the progress bar. Table readers also use the count.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes read, for the progress bar.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    read: AtomicU64,
    /// The length of all files in bytes; 0 if any length is unknown.
    total: u64,
}

impl Meter {
    /// Creates a meter for these files. Sources other than files are `None`, because their length
    /// is unknown.
    pub(super) fn new<'p>(files: impl Iterator<Item = Option<&'p Path>>) -> Self {
        let length = |path: Option<&Path>| {
            let metadata = std::fs::metadata(path?).ok()?;
            // Only regular files have a known length.
            metadata.is_file().then_some(metadata.len())
        };
        let total: Option<u64> = files.map(length).sum();
        Self {
            read: AtomicU64::new(0),
            total: total.unwrap_or(0),
        }
    }

    pub(super) fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Returns the fraction of the input read so far, from 0 to 1, if known.
    #[allow(clippy::cast_precision_loss)] // it is shown with two digits
    pub(crate) fn part(&self) -> Option<f64> {
        let read = self.read.load(Ordering::Relaxed);
        (self.total > 0).then(|| (read as f64 / self.total as f64).min(1.0))
    }
}

/// A reader that reports to a meter.
pub(super) struct Metered<R> {
    pub(super) source: R,
    pub(super) meter: Arc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.meter.add(read as u64);
        Ok(read)
    }
}
