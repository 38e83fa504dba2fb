//! Sources of bytes that can be read at any position: files and memory.

use crate::error::{Error, Invalid, Part};
use std::io;

/// A source of bytes that several threads can read at different positions.
pub trait ReadAt: Send + Sync {
    /// Returns the length of the source in bytes.
    ///
    /// # Errors
    ///
    /// Fails if the length cannot be determined.
    fn length(&self) -> io::Result<u64>;

    /// Reads bytes at a position, and returns the number of bytes read, which is 0 at the end of
    /// the source.
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

#[cfg(unix)]
impl ReadAt for std::fs::File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, at)
    }
}

impl ReadAt for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let mut rest = self.get(start..).unwrap_or_default();
        io::Read::read(&mut rest, buffer)
    }
}

/// Reads `length` bytes at a position. The caller has checked that these bytes are within the file.
///
/// # Errors
///
/// Fails if the bytes cannot be read, for example because the file was truncated in the meantime.
pub(crate) fn bytes_at(source: &dyn ReadAt, at: u64, length: u64) -> Result<Vec<u8>, Error> {
    let length = usize::try_from(length).map_err(|_| Invalid::Short(Part::Footer))?;
    let mut bytes = vec![0; length];
    let mut done = 0;
    while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match source.read_at(rest, at + done as u64) {
            Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok(read) => done += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(bytes)
}
