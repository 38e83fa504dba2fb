//! Reads a file: all of it as it was when it was opened, or an error.

use super::open::{self, Found, Opened, local};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::sink::Metadata;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::Duration;

/// The number of bytes read at a time.
const CHUNK: usize = 64 << 10;

/// The metadata without the body. The media type is detected from the first bytes if the file can
/// be read.
pub(super) fn attributes(path: &Path, found: Found) -> Metadata {
    let mut metadata = found.metadata.clone();
    if found.stat.is_file()
        && let Ok(mut opened) = open::open(path, found)
    {
        let mut first = vec![0; CHUNK];
        let count = fill(&mut opened.file, &mut first).unwrap_or(0);
        let first = first.get(..count).unwrap_or_default();
        metadata.media_type = infer::get(first).map(|kind| kind.mime_type().to_owned());
    }
    metadata
}

/// Reads a file from an offset on.
///
/// The number of bytes is compared with the size, except for files that the system generates when
/// they are read (`/proc`, `/sys`): their reported size is 0, or that of a page.
pub(super) fn read(
    opened: Opened,
    from: u64,
    context: &Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let Opened { mut file, found } = opened;
    let Found {
        stat, mut metadata, ..
    } = found;
    if from > stat.len() {
        let (expected, received) = (Some(from), stat.len());
        return Err(Error::new(ErrorKind::EndedEarly { expected, received }));
    }
    if from > 0 {
        file.seek(SeekFrom::Start(from)).map_err(local)?;
        metadata.offset = from;
    }
    let mut buffer = vec![0; CHUNK];
    let mut count = fill(&mut file, &mut buffer).map_err(local)?;
    let mut is_end = count < CHUNK;
    if is_end {
        check_unchanged(&file, &stat)?;
        metadata.size = u64::try_from(count).ok().map(|count| from + count);
    } else if stat.len() == 0 {
        metadata.size = None;
    }
    output.begin(metadata)?;
    loop {
        output.bytes(buffer.get(..count).unwrap_or_default())?;
        if is_end {
            return check_unchanged(&file, &stat);
        }
        context.deadline().left(Duration::MAX)?;
        count = fill(&mut file, &mut buffer).map_err(local)?;
        is_end = count < CHUNK;
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Fails if the file was changed meanwhile: what was read would be a mixture of two versions.
fn check_unchanged(file: &File, before: &fs::Metadata) -> Result<()> {
    let now = file.metadata().map_err(local)?;
    if now.len() != before.len() || now.modified().ok() != before.modified().ok() {
        let what = "the file changed while it was read";
        return Err(local(io::Error::other(what)));
    }
    Ok(())
}
