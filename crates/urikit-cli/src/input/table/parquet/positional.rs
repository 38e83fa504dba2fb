//! Reading a file from several places at once.

use bytes::Bytes;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

/// A file that several threads read at once.
#[derive(Clone)]
pub(super) struct Positional {
    file: Arc<File>,
}

impl Positional {
    pub(super) fn new(file: File) -> Self {
        let file = Arc::new(file);
        Self { file }
    }
}

impl Length for Positional {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |it| it.len())
    }
}

impl ChunkReader for Positional {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let file = Arc::clone(&self.file);
        Ok(BufReader::new(From { file, at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        let mut bytes = Vec::with_capacity(length);
        let file = Arc::clone(&self.file);
        let read = From { file, at: start }
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if read < length {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// A file from a place on.
pub(super) struct From {
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
