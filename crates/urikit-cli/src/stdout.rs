//! Writes all results to standard output, up to a limit (`--max-output`).

use crate::closed::check_output;
use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};
use rustix::io::Errno;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// A destination for results.
pub(crate) trait Out: Write + Send {
    /// Writes the remaining data after the last result.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be written.
    fn end(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// The limit, and the number of bytes that may still be written.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Limits the output of this process, in bytes.
pub(crate) fn limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
    LEFT.store(bytes, Ordering::Relaxed);
}

/// Standard output.
pub(crate) fn stdout() -> Stdout {
    Stdout {
        out: io::stdout(),
        strip: None,
    }
}

/// Returns a writer for standard output that removes colours the terminal cannot show.
pub(crate) fn colored() -> Stdout {
    let is_plain = AutoStream::choice(&io::stdout()) == ColorChoice::Never;
    Stdout {
        strip: is_plain.then(StripBytes::new),
        ..stdout()
    }
}

/// Writes to standard output up to the limit.
#[derive(Debug)]
pub(crate) struct Stdout {
    out: io::Stdout,
    /// Removes colour codes.
    // Colour codes are removed here instead of in a wrapping stream, so the limit counts the bytes
    // that are actually written.
    strip: Option<StripBytes>,
}

impl Write for Stdout {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        check_output()?;
        let Some(strip) = &mut self.strip else {
            return write(&mut self.out, buffer);
        };
        for mut piece in strip.strip_next(buffer) {
            while !piece.is_empty() {
                let written = write(&mut self.out, piece)?;
                piece = piece.get(written..).unwrap_or_default();
            }
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn write(out: &mut io::Stdout, buffer: &[u8]) -> io::Result<usize> {
    let left = usize::try_from(LEFT.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
    let allowed = buffer.get(..left).unwrap_or(buffer);
    if allowed.is_empty() && !buffer.is_empty() {
        // Data written earlier must not be lost.
        out.flush()?;
        return Err(LimitReached(LIMIT.load(Ordering::Relaxed)).into());
    }
    let written = out.write(allowed)?;
    LEFT.fetch_sub(written as u64, Ordering::Relaxed);
    Ok(written)
}

impl Out for Stdout {}

/// The output has reached this limit, in bytes.
#[derive(Clone, Copy, Debug)]
struct LimitReached(u64);

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped after {} bytes (--max-output)", self.0)
    }
}

impl Error for LimitReached {}

impl From<LimitReached> for io::Error {
    fn from(error: LimitReached) -> Self {
        Self::other(error)
    }
}

/// Returns the error if it ends the run because nothing more can be written: the pipe was closed,
/// standard output is closed, or the limit has been reached.
pub(crate) fn final_error(error: &io::Error) -> Option<io::Error> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Some(io::ErrorKind::BrokenPipe.into());
    }
    if check_output().is_err() && error.raw_os_error() == Some(Errno::BADF.raw_os_error()) {
        return Some(Errno::BADF.into());
    }
    let reached: &LimitReached = error.get_ref()?.downcast_ref()?;
    Some((*reached).into())
}
