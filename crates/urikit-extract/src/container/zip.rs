//! Zip archives, and the documents that are zip archives: EPUB, Office Open XML, OpenDocument.

use super::event::Problem;
use super::input::ReadSeek;
use super::limits::Unpacked;
use super::walk::{Entry, Flow, Walk};
use core::ops::ControlFlow;
use std::io;
use zip::ZipArchive;
use zip::result::ZipError;

/// Reads the files of an archive, in the order of its directory.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn ReadSeek) -> Flow {
    let mut archive = match ZipArchive::new(input) {
        Ok(archive) => archive,
        Err(error) => return walk.failed(path, &problem(error)),
    };
    for index in 0..archive.len() {
        let file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                walk.failed(&format!("{path}!/{}", index + 1), &problem(error))?;
                continue;
            }
        };
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        if name.ends_with('/') {
            continue;
        }
        let inner = format!("{path}!/{name}");
        let mut file = Unpacked {
            inner: file,
            budget: walk.budget,
        };
        walk.entry(Entry::new(&inner, &name), &mut file)?;
    }
    ControlFlow::Continue(())
}

fn problem(error: ZipError) -> Problem {
    match error {
        ZipError::Io(error) => Problem::Io(error),
        ZipError::UnsupportedArchive(what) => Problem::Unsupported(what.to_string()),
        error => Problem::Io(io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}
