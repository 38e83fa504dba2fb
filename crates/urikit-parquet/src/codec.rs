//! Decompresses pages, and checks that the result has exactly the declared length.

use crate::error::{Count, Error, Invalid, Unsupported};
use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;
use std::io::Read;

/// A supported compression codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codec {
    None,
    Snappy,
    Gzip,
    /// LZ4 blocks that are each preceded by two lengths, as in Hadoop. Some writers used LZ4 frames
    /// or a single block instead.
    Lz4,
    Zstandard,
    Lz4Raw,
}

impl Codec {
    /// Returns the codec that has this number in the Parquet format.
    ///
    /// # Errors
    ///
    /// Fails if the codec is not supported.
    pub(crate) fn new(number: i64) -> Result<Self, Unsupported> {
        Ok(match number {
            0 => Self::None,
            1 => Self::Snappy,
            2 => Self::Gzip,
            5 => Self::Lz4,
            6 => Self::Zstandard,
            7 => Self::Lz4Raw,
            _ => return Err(Unsupported::Compression(number)),
        })
    }

    /// Decompresses `data`. `length` has already been compared with the limit for pages.
    ///
    /// # Errors
    ///
    /// Fails if the data is damaged, or if its length after decompression is not `length`.
    pub(crate) fn decompress(self, data: Bytes, length: u64) -> Result<Bytes, Error> {
        let damaged = |_| Error::from(Invalid::Compression);
        let differs = |found: usize| Error::from(Count::Decompressed.differs(length, found as u64));
        let size = usize::try_from(length).map_err(|_| Invalid::Compression)?;
        let out = match self {
            Self::None => data,
            Self::Snappy => {
                let found = snap::raw::decompress_len(&data).map_err(|_| Invalid::Compression)?;
                if found != size {
                    return Err(differs(found));
                }
                let out = snap::raw::Decoder::new().decompress_vec(&data);
                out.map_err(|_| Invalid::Compression)?.into()
            }
            Self::Gzip => up_to(size, MultiGzDecoder::new(&*data))
                .map_err(damaged)?
                .into(),
            // This call only reserves `size` bytes of address space. The system provides the memory
            // when data is written to it.
            Self::Zstandard => zstd::bulk::decompress(&data, size).map_err(damaged)?.into(),
            Self::Lz4Raw => block(&data, size)?.into(),
            Self::Lz4 => {
                let framed = || {
                    let out = up_to(size, lz4_flex::frame::FrameDecoder::new(&*data)).ok()?;
                    (out.len() == size).then_some(out)
                };
                let out = hadoop(&data, size).or_else(framed);
                out.map_or_else(|| block(&data, size), Ok)?.into()
            }
        };
        if out.len() != size {
            return Err(differs(out.len()));
        }
        Ok(out)
    }
}

/// Reads at most one byte more than `size`. Memory is allocated as data is decompressed, not
/// according to `size`, which may be wrong.
fn up_to(size: usize, decoder: impl Read) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    decoder.take(size as u64 + 1).read_to_end(&mut out)?;
    Ok(out)
}

/// The maximum factor by which an LZ4 block can expand: each byte adds at most 255 to a length.
const LZ4_FACTOR: usize = 255;

/// Decompresses an LZ4 block.
fn block(data: &[u8], size: usize) -> Result<Vec<u8>, Error> {
    if size > data.len().saturating_mul(LZ4_FACTOR) {
        return Err(Invalid::Compression.into());
    }
    let out = lz4_flex::block::decompress(data, size);
    Ok(out.map_err(|_| Invalid::Compression)?)
}

/// Decompresses LZ4 blocks. Each block is preceded by its length and its compressed length, both in
/// 32 bits with the most significant byte first.
fn hadoop(mut data: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while !data.is_empty() {
        let (length, rest) = data.split_first_chunk()?;
        let (compressed, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let compressed = usize::try_from(u32::from_be_bytes(*compressed)).ok()?;
        let (packed, rest) = rest.split_at_checked(compressed)?;
        if length > size - out.len() {
            return None;
        }
        let unpacked = block(packed, length).ok()?;
        if unpacked.len() != length {
            return None;
        }
        out.extend_from_slice(&unpacked);
        data = rest;
    }
    (out.len() == size).then_some(out)
}
