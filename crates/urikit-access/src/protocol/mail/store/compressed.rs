//! Compressed messages, as mail servers store them in Maildirs: by content, since their names are
//! like those of others.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, Read};

/// How messages are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    /// In a format that is recognized and not read.
    Other(&'static str),
}

impl Compression {
    /// By the first octets of a file. No header field begins with any of these.
    pub(super) fn of(begin: &[u8]) -> Self {
        match begin {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => {
                Self::Other("compressed with bzip2, which is not read")
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => {
                Self::Other("compressed with xz, which is not read")
            }
            [
                b'D',
                b'o',
                b'v',
                b'e',
                b'c',
                b'o',
                b't',
                b'-',
                b'L',
                b'Z',
                b'4',
                0x0D,
                ..,
            ] => Self::Other("compressed with LZ4, which is not read"),
            _ => Self::None,
        }
    }
}

/// The most octets that a compressed message is read to.
pub(super) const MAX_LENGTH: u64 = 1 << 30;

/// The octets of a gzip file, of which more than [`MAX_LENGTH`] are an error.
pub(super) fn gzip<'r>(input: impl BufRead + 'r) -> Box<dyn Read + 'r> {
    Box::new(Bounded {
        input: MultiGzDecoder::new(input),
        left: MAX_LENGTH,
    })
}

/// The octets of a Zstandard file, of which more than [`MAX_LENGTH`] are an error.
///
/// # Errors
///
/// If it cannot be begun: the file is damaged, or the memory for it is refused.
pub(super) fn zstd<'r>(input: impl BufRead + 'r) -> io::Result<Box<dyn Read + 'r>> {
    Ok(Box::new(Bounded {
        input: zstd::Decoder::with_buffer(input)?,
        left: MAX_LENGTH,
    }))
}

/// A small file can expand to any length: more than a message ever has is an error.
struct Bounded<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        let Some(left) = self.left.checked_sub(count as u64) else {
            let what = "the compressed message is longer than a gibibyte";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        };
        self.left = left;
        Ok(count)
    }
}
