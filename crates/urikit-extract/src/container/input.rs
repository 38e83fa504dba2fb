//! The file that a container is in.

use std::io::{self, Cursor, Read, Seek};

/// A file that can be read from any place. It is implemented for all that can.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// Where the bytes of a container come from.
pub enum Input<'i> {
    /// From front to end. An archive whose directory is at its end, and PDF, are then held in
    /// memory.
    Stream(&'i mut dyn Read),
    /// From any place, so that no archive has to be held in memory.
    File(&'i mut dyn ReadSeek),
}

impl core::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Stream(_) => "Stream",
            Self::File(_) => "File",
        })
    }
}

/// A complete input in memory, unless that is more than `limit` bytes.
pub(super) fn in_memory(input: &mut dyn Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    input.take(more).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

#[cfg(feature = "zip")]
/// The length of a file, which is then read from its beginning.
pub(super) fn length(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = file.seek(io::SeekFrom::End(0))?;
    file.rewind()?;
    Ok(length)
}

/// An input whose beginning was read, and which gives all of it.
pub(super) struct Peeked<R> {
    head: Cursor<Vec<u8>>,
    /// Why no more than the head could be read.
    error: Option<io::Error>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// Reads the beginning of an input, up to a length.
    pub(super) fn new(mut rest: R, length: usize) -> Self {
        let mut head = Vec::new();
        let more = u64::try_from(length).unwrap_or(u64::MAX);
        let error = rest.by_ref().take(more).read_to_end(&mut head).err();
        let head = Cursor::new(head);
        Self { head, error, rest }
    }

    pub(super) fn head(&self) -> &[u8] {
        self.head.get_ref()
    }

    /// The error that a reader gets after the head.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.head.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.rest.read(buffer),
        }
    }
}
