//! The messages in a file.

use super::super::lines::Lines;
use super::compressed::{Compression, gzip, zstd};
use super::{Visitor, local};
use crate::error::Result;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// What a file is read from, decompressed.
pub(in super::super) type Input<'f> = Box<dyn BufRead + 'f>;

/// The messages in a file.
pub(in super::super) type Messages<'f> = Lines<'f, Input<'f>>;

/// How many octets are read at once.
const BUFFER: usize = 64 << 10;

/// Visits the messages in a file: a mailbox if it begins with `From `, else one message.
pub(super) fn in_file(path: &Path, visitor: &mut dyn Visitor) -> Result<bool> {
    let failed = |error| local(path, error);
    let file = File::open(path).map_err(failed)?;
    let ahead = file.try_clone().map_err(failed)?;
    let mut input = BufReader::with_capacity(BUFFER, file);
    let compression = Compression::of(input.fill_buf().map_err(failed)?);
    // In a compressed mailbox, nothing can be looked up, so that no `Content-Length` counts.
    let peek = |offset, into: &mut [u8]| match compression {
        Compression::None => read_at(&ahead, offset, into),
        _ => Ok(0),
    };
    let mut input: Input<'_> = match compression {
        Compression::None => Box::new(input),
        Compression::Gzip => Box::new(BufReader::with_capacity(BUFFER, gzip(input))),
        Compression::Zstd => {
            let input = zstd(input).map_err(failed)?;
            Box::new(BufReader::with_capacity(BUFFER, input))
        }
        Compression::Other(what) => {
            visitor.skipped(path, what);
            return Ok(false);
        }
    };
    let begin = input.fill_buf().map_err(failed)?;
    let mut messages: Messages<'_> = if begin.starts_with(b"From ") {
        Lines::of(input, Some(&peek))
    } else {
        Lines::of(input, None)
    };
    while messages.next_message().map_err(failed)? {
        let is_last = visitor.message(&mut messages);
        if is_last.map_err(|error| error.with_step(format!("reading {}", path.display())))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads what the file has at this offset, all that is there, without moving where it is read.
fn read_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while let Some(rest) = into.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, offset.saturating_add(length as u64)) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
