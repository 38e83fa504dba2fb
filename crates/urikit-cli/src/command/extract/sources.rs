//! The files to read: the given paths, and all files in the folders among them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A file to read, or the reason why it cannot be read.
#[derive(Debug)]
pub(super) enum Source {
    /// Standard input, named `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A path that cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl Source {
    /// The name to print.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) | Self::Unreadable(path, _) => path.to_string_lossy().into_owned(),
        }
    }

    /// Opens it.
    pub(super) fn open(self) -> io::Result<Opened> {
        match self {
            Self::Stdin => Ok(Opened::Stdin),
            Self::File(path) => File::open(path).map(Opened::File),
            Self::Unreadable(_, error) => Err(error),
        }
    }
}

/// An open source.
pub(super) enum Opened {
    Stdin,
    File(File),
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stdin => io::stdin().lock().read(buffer),
            Self::File(file) => file.read(buffer),
        }
    }
}

/// The files that the paths name, in order. Folders are walked in order of names, without
/// following symbolic links, and without hidden entries unless `hidden` is set. A path that is
/// given explicitly is read even if it is hidden.
pub(super) fn sources(paths: Vec<PathBuf>, hidden: bool) -> impl Iterator<Item = Source> + Send {
    paths.into_iter().flat_map(move |path| {
        let sources: Box<dyn Iterator<Item = Source> + Send> = if path.as_os_str() == "-" {
            Box::new(std::iter::once(Source::Stdin))
        } else if path.is_dir() {
            Box::new(walk(&path, hidden))
        } else {
            Box::new(std::iter::once(Source::File(path)))
        };
        sources
    })
}

fn walk(folder: &Path, hidden: bool) -> impl Iterator<Item = Source> + Send + use<> {
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(move |entry| hidden || entry.depth() == 0 || !is_hidden(entry.file_name()));
    let folder = folder.to_owned();
    entries.filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_file() => Some(Source::File(entry.into_path())),
        Ok(_) => None,
        Err(error) => {
            let path = error.path().unwrap_or(&folder).to_owned();
            // The path is reported once.
            let error = match error.into_io_error() {
                Some(error) => error,
                None => io::Error::other("a loop of symbolic links"),
            };
            Some(Source::Unreadable(path, error))
        }
    })
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
