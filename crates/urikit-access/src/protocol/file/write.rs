//! Writes files.

use super::read::{local, special};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::upload::{Body, FileId, Mode, Upload};
use rustix::fs::OFlags;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Returns the path to which the body is written until the body is complete.
pub(super) fn written(path: &Path, upload: &Upload<'_>) -> PathBuf {
    if !upload.via_temporary {
        return path.to_owned();
    }
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

/// Fails if an upload asks for something that a file system does not support.
pub(super) fn check(upload: &Upload<'_>) -> Result<()> {
    let appends = upload.mode == Mode::Append;
    let what = if upload.mode == Mode::Post {
        "a file system does not support POST"
    } else if appends && (upload.resumes || upload.via_temporary) {
        "a transfer that appends to a file cannot be resumed, and cannot use a temporary name"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// Writes the body to a path.
pub(super) fn write(
    path: &Path,
    upload: &Upload<'_>,
    context: &Context<'_>,
    body: &mut Body<'_>,
) -> Result<()> {
    let to = written(path, upload);
    for path in [path, &to] {
        if let Ok(stat) = fs::metadata(path) {
            check_differs(&stat, upload)?;
        }
    }
    let mut file = open(&to, upload).map_err(local)?;
    let stat = file.metadata().map_err(local)?;
    // Since the first check, the name may have been given to another file.
    check_differs(&stat, upload)?;
    if !stat.is_file() {
        let what = match special(stat.file_type()) {
            Some(_) => "uploads are never written to a device, a socket or a FIFO",
            None => "expected the URL of a file, found the URL of a directory",
        };
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    if upload.resumes {
        let size = stat.len();
        body.skip(size)?;
        context.note(format!("resuming at byte {size}"));
    }
    let mut replaces = !upload.resumes && upload.mode != Mode::Append;
    loop {
        let bytes = body.read()?;
        // The old content is kept until reading from the source has succeeded.
        if std::mem::take(&mut replaces) {
            file.set_len(0).map_err(local)?;
        }
        if bytes.is_empty() {
            break;
        }
        file.write_all(bytes).map_err(local)?;
    }
    // Some write errors are reported only when the file is synchronized.
    file.sync_all().map_err(local)?;
    drop(file);
    if to != path {
        fs::rename(&to, path).map_err(local)?;
    }
    Ok(())
}

/// Fails if the file is itself the source of the upload. Replacing it would destroy the source, and
/// appending to it would never end.
fn check_differs(file: &fs::Metadata, upload: &Upload<'_>) -> Result<()> {
    if upload.file == Some(FileId::of(file)) {
        let what = "the source and the target are the same file";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    Ok(())
}

/// Opens the file for appending. If the file is a FIFO, does not wait for a reader.
///
/// A link with the temporary name is not followed, because the user did not choose this name, and
/// another user may have created the link.
fn open(path: &Path, upload: &Upload<'_>) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.append(true).create(true);
    if upload.via_temporary {
        flags |= OFlags::NOFOLLOW;
        if !upload.resumes {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            options.create_new(true);
        }
    }
    let file = options
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    // If the partial file is a hard link, writing the body would also change a file with another
    // name.
    if upload.via_temporary && file.metadata()?.nlink() > 1 {
        return Err(io::Error::other(
            "the partial file has a second name (a hard link)",
        ));
    }
    Ok(file)
}
