//! Compressed files: gzip (RFC 1952) and Zstandard (RFC 8878).
//!
//! A compressed file has one entry, named like it without its extension. If that is an archive, its
//! entries are those of the compressed file: `a.tar.gz!/b`.

use super::input::peek;
use super::kind::Container;
use super::limits::Unpacked;
use super::unpack::{Entry, Flow, Walk};
use crate::document::Format;
use std::io::Read;

#[cfg(feature = "gzip")]
pub(super) fn gzip(walk: &mut Walk<'_>, path: &str, name: &str, input: &mut dyn Read) -> Flow {
    unpacked(walk, path, name, flate2::read::MultiGzDecoder::new(input))
}

#[cfg(feature = "zstd")]
pub(super) fn zstd(walk: &mut Walk<'_>, path: &str, name: &str, input: &mut dyn Read) -> Flow {
    unpacked(walk, path, name, Frames::new(input))
}

fn unpacked(walk: &mut Walk<'_>, path: &str, name: &str, inner: impl Read) -> Flow {
    let budget = walk.budget;
    let (head, join, error) = peek(Unpacked { inner, budget }, Format::GUESS_LENGTH);
    let name = inner_name(name);
    let inner = format!("{path}!/{name}");
    if let Some(error) = error {
        return walk.failed(&inner, &error.into());
    }
    match Container::guess(&name, &head) {
        Some(container) => walk.container(container, path, &name, &mut join(head)),
        None => walk.entry(Entry::new(&inner, &name), &mut join(head)),
    }
}

/// The name of what is in a compressed file.
fn inner_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let Some((stem, extension)) = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return file.to_owned();
    };
    match extension.to_ascii_lowercase().as_str() {
        "gz" | "gzip" | "zst" | "zstd" => stem.to_owned(),
        "tgz" | "tzst" => format!("{stem}.tar"),
        "svgz" => format!("{stem}.svg"),
        _ => file.to_owned(),
    }
}

/// The frames of a file, one after another, without those to be skipped.
#[cfg(feature = "zstd")]
struct Frames<'i> {
    input: &'i mut dyn Read,
    decoder: ruzstd::decoding::FrameDecoder,
    is_open: bool,
}

#[cfg(feature = "zstd")]
impl<'i> Frames<'i> {
    fn new(input: &'i mut dyn Read) -> Self {
        Self {
            input,
            decoder: ruzstd::decoding::FrameDecoder::new(),
            is_open: false,
        }
    }

    /// Begins the next frame; false if there is none.
    fn open(&mut self) -> std::io::Result<bool> {
        use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
        use std::io;
        loop {
            let mut number = [0; 4];
            if self.input.read(&mut number[..1])? == 0 {
                return Ok(false);
            }
            self.input.read_exact(&mut number[1..])?;
            let mut frame = number.chain(&mut *self.input);
            match self.decoder.init(&mut frame) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = &mut self.input.take(u64::from(length));
                    io::copy(skipped, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
    }
}

#[cfg(feature = "zstd")]
impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy;
        use std::io;
        loop {
            if !self.is_open {
                if !self.open()? {
                    return Ok(0);
                }
                self.is_open = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let strategy = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.input, strategy)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            self.is_open = false;
        }
    }
}
