//! Decompresses files. Mail servers store compressed messages in Maildirs under ordinary names, so
//! the format is detected from the first octets.

use super::access::BUFFER;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// The compression format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    /// A known but unsupported format, with an explanation for the user.
    Unsupported(&'static str),
}

impl Compression {
    /// Detects the compression from the first octets of a file. No header field begins with these
    /// octets.
    pub(super) fn detect(begin: &[u8]) -> Self {
        match begin {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => {
                Self::Unsupported("compressed with bzip2, which is not supported")
            }
            _ if begin.starts_with(b"\xFD7zXZ\0") => {
                Self::Unsupported("compressed with xz, which is not supported")
            }
            _ if begin.starts_with(b"Dovecot-LZ4\r") => {
                Self::Unsupported("compressed with LZ4, which is not supported")
            }
            _ => Self::None,
        }
    }

    /// Returns a reader of the decompressed octets, which fails after [`MAX_LENGTH`] octets.
    ///
    /// # Errors
    ///
    /// Fails if zstd cannot allocate memory.
    pub(super) fn decompress<'r>(
        self,
        input: impl BufRead + 'r,
    ) -> io::Result<Box<dyn BufRead + 'r>> {
        Ok(match self {
            Self::None | Self::Unsupported(_) => Box::new(input),
            Self::Gzip => bounded(MultiGzDecoder::new(input)),
            Self::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(input)?;
                decoder.window_log_max(MAX_WINDOW_LOG)?;
                bounded(decoder)
            }
        })
    }
}

/// The binary logarithm of the maximum window size of zstd, 128 MiB, which `zstd --ultra -22`
/// uses.
const MAX_WINDOW_LOG: u32 = 27;

/// The maximum length of a decompressed file, in octets.
pub(super) const MAX_LENGTH: u64 = 1 << 30;

fn bounded<'r>(input: impl Read + 'r) -> Box<dyn BufRead + 'r> {
    let bounded = Bounded {
        input,
        left: MAX_LENGTH,
    };
    Box::new(BufReader::with_capacity(BUFFER, bounded))
}

/// A reader that fails after a certain number of octets, because a small compressed file can
/// expand to any length.
struct Bounded<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        let Some(left) = self.left.checked_sub(count as u64) else {
            let what = "the decompressed file is longer than 1 GiB";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        };
        self.left = left;
        Ok(count)
    }
}
