//! The files to read: the given paths, those that lists name, and all files in the folders among
//! them.

use super::walk::{Entry, Walker};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

/// A file to read, or the reason why it cannot be read.
#[derive(Debug)]
pub(super) enum Source {
    /// Standard input, named `-`.
    Stdin,
    /// A file that was named.
    File(PathBuf),
    /// A file in a folder.
    Found(PathBuf),
    /// A path that cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl Source {
    /// The name to print.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) | Self::Found(path) | Self::Unreadable(path, _) => {
                path.to_string_lossy().into_owned()
            }
        }
    }

    /// Opens it.
    pub(super) fn open(self) -> io::Result<Opened> {
        match self {
            Self::Stdin => Ok(Opened::Stdin),
            Self::File(path) | Self::Found(path) => File::open(path).map(Opened::File),
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

/// The files that the paths name, in order, then those that the lists name, whose names end in
/// `end`. A path that is given explicitly is read even if a walk would leave it out.
pub(super) fn sources(
    paths: Vec<PathBuf>,
    lists: Vec<PathBuf>,
    end: u8,
    walker: Walker,
) -> impl Iterator<Item = Source> + Send {
    let paths = paths.into_iter().map(|path| {
        if path.as_os_str() == "-" {
            Source::Stdin
        } else {
            Source::File(path)
        }
    });
    let listed = lists
        .into_iter()
        .flat_map(move |list| List::new(list, end))
        .map(|name| match name {
            Ok(path) => Source::File(path),
            Err((list, error)) => Source::Unreadable(list, error),
        });
    paths.chain(listed).flat_map(move |source| {
        let sources: Box<dyn Iterator<Item = Source> + Send> = match source {
            Source::File(path) if path.is_dir() => Box::new(in_folder(&walker, &path)),
            source => Box::new(std::iter::once(source)),
        };
        sources
    })
}

fn in_folder(walker: &Walker, folder: &Path) -> impl Iterator<Item = Source> + Send + use<> {
    walker.files(folder).map(|entry| match entry {
        Entry::File(path) => Source::Found(path),
        Entry::Unreadable(path, error) => Source::Unreadable(path, error),
    })
}

/// The names in a list of `--files-from`, read as they are needed.
struct List {
    path: PathBuf,
    end: u8,
    state: State,
}

enum State {
    Unopened,
    Open(Box<dyn io::BufRead + Send>),
    Ended,
}

/// The longest name in a list, in bytes. No system has longer ones.
const MAX_NAME: u64 = 64 << 10;

impl List {
    const fn new(path: PathBuf, end: u8) -> Self {
        let state = State::Unopened;
        Self { path, end, state }
    }

    fn read(&mut self) -> io::Result<Option<PathBuf>> {
        if matches!(self.state, State::Unopened) {
            self.state = State::Open(if self.path.as_os_str() == "-" {
                Box::new(BufReader::new(io::stdin()))
            } else {
                Box::new(BufReader::new(File::open(&self.path)?))
            });
        }
        let State::Open(reader) = &mut self.state else {
            return Ok(None);
        };
        loop {
            let mut name = Vec::new();
            if reader.take(MAX_NAME).read_until(self.end, &mut name)? == 0 {
                return Ok(None);
            }
            match name.pop() {
                Some(last) if last != self.end => name.push(last),
                _ => {}
            }
            if name.len() as u64 >= MAX_NAME {
                return Err(io::Error::other("a name in this list is too long"));
            }
            if self.end == b'\n' && name.last() == Some(&b'\r') {
                name.pop();
            }
            if !name.is_empty() {
                return path(name).map(Some);
            }
        }
    }
}

impl Iterator for List {
    type Item = Result<PathBuf, (PathBuf, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        if !matches!(read, Ok(Some(_))) {
            self.state = State::Ended;
        }
        read.map_err(|error| (self.path.clone(), error)).transpose()
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // elsewhere, names are text
fn path(name: Vec<u8>) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(name).into())
}

#[cfg(not(unix))]
fn path(name: Vec<u8>) -> io::Result<PathBuf> {
    let name = String::from_utf8(name).map_err(|_| io::Error::other("a name is not UTF-8"))?;
    Ok(name.into())
}
