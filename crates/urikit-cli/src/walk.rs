//! Finds the files to read: paths, lists of paths (`--files-from`), and folders. The `ignore` crate
//! walks folders by ripgrep's rules.

use crate::closed::stdin;
use crate::exit::Stop;
use crate::files::{OutputFile, open_input, stdin_input};
use clap::ValueHint;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{Walk, WalkBuilder};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use urikit::Standard;
use urikit::percent::{self, Place};

/// A file to read, or the reason why it cannot be read.
#[derive(Debug)]
pub(crate) enum Source {
    /// Standard input, named `-`.
    Stdin,
    /// A file named in an argument or a list.
    File(PathBuf),
    /// A file found in a folder, and the length of the folder's path in components.
    Found(PathBuf, usize),
    /// A path that cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl Source {
    /// Returns the name for messages and JSON. U+FFFD replaces bytes that are not UTF-8.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) | Self::Found(path, _) | Self::Unreadable(path, _) => {
                path.to_string_lossy().into_owned()
            }
        }
    }

    /// Returns the bytes of the name, which need not be UTF-8 on Unix. Other systems store names as
    /// text.
    pub(crate) fn name_bytes(&self) -> Vec<u8> {
        match self {
            #[cfg(unix)]
            Self::File(path) | Self::Found(path, _) | Self::Unreadable(path, _) => {
                path.as_os_str().as_encoded_bytes().to_vec()
            }
            _ => self.name().into_bytes(),
        }
    }

    /// Returns the segments of the path within the folder given as an argument, with escapes where
    /// necessary; `None` for other sources.
    pub(crate) fn path_in_folder(&self) -> Option<Vec<String>> {
        let Self::Found(path, folder) = self else {
            return None;
        };
        let names = path.components().skip(*folder).map(|name| {
            let name = name.as_os_str().as_encoded_bytes();
            percent::encode(name, Place::Segment, Standard::Rfc3986).map(|name| name.to_string())
        });
        let names: Result<Vec<_>, _> = names.collect();
        names.ok()
    }

    /// Opens the file. Fails if the file cannot be read.
    pub(crate) fn open(self, output: OutputFile) -> io::Result<Opened> {
        match self {
            Self::Stdin => stdin_input(output).map(Opened::Stdin),
            Self::File(path) | Self::Found(path, _) => {
                let (file, metadata) = open_input(&path, output)?;
                Ok(Opened::File(file, metadata))
            }
            Self::Unreadable(_, error) => Err(error),
        }
    }
}

/// An open source.
pub(crate) enum Opened {
    Stdin(io::Stdin),
    /// A file, and its metadata when it was opened.
    File(File, Metadata),
}

impl Opened {
    /// Returns the length that a regular file had when it was opened.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::File(_, metadata) if metadata.is_file() => Some(metadata.len()),
            _ => None,
        }
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stdin(stdin) => stdin.read(buffer),
            Self::File(file, _) => file.read(buffer),
        }
    }
}

/// Returns the files of `paths`, then those of `lists`, in order. Names in the lists end with the
/// byte `end`. The rules for folders do not exclude a path given explicitly.
pub(crate) fn sources(
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

/// Returns the files in a folder.
fn in_folder(walker: &Walker, folder: &Path) -> impl Iterator<Item = Source> + Send + use<> {
    let length = folder.components().count();
    walker.files(folder).map(move |entry| match entry {
        Entry::File(path) => Source::Found(path, length),
        Entry::Unreadable(path, error) => Source::Unreadable(path, error),
    })
}

/// The names in a list of `--files-from`, read on demand.
struct List {
    path: PathBuf,
    end: u8,
    state: ListState,
}

/// The state of a list while it is being read.
enum ListState {
    Unopened,
    Open(Box<dyn io::BufRead + Send>),
    Ended,
}

/// The maximum length of a name in a list, in bytes. No system allows longer paths.
const MAX_NAME: u64 = 64 << 10;

impl List {
    const fn new(path: PathBuf, end: u8) -> Self {
        let state = ListState::Unopened;
        Self { path, end, state }
    }

    /// Reads the next name. Returns `None` at the end.
    fn read(&mut self) -> io::Result<Option<PathBuf>> {
        if matches!(self.state, ListState::Unopened) {
            self.state = ListState::Open(if self.path.as_os_str() == "-" {
                Box::new(BufReader::new(stdin()?))
            } else {
                Box::new(BufReader::new(File::open(&self.path)?))
            });
        }
        let ListState::Open(reader) = &mut self.state else {
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
            self.state = ListState::Ended;
        }
        read.map_err(|error| (self.path.clone(), error)).transpose()
    }
}

/// Converts a name to a path.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // on other systems, it can fail
fn path(name: Vec<u8>) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(name).into())
}

/// Converts a name to a path. Fails if the name is not UTF-8.
#[cfg(not(unix))]
fn path(name: Vec<u8>) -> io::Result<PathBuf> {
    let name = String::from_utf8(name).map_err(|_| io::Error::other("a name is not UTF-8"))?;
    Ok(name.into())
}

/// The options for folders. These options have the same names as in ripgrep.
#[derive(clap::Args, Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Walking {
    /// Also search hidden files and folders
    #[arg(long)]
    hidden: bool,

    /// Also search files that .gitignore and .ignore exclude
    #[arg(long)]
    no_ignore: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long)]
    follow: bool,

    /// Search only files in folders that match GLOB, or do not match `!GLOB`; may be repeated
    #[arg(short = 'g', long = "glob", value_name = "GLOB")]
    globs: Vec<String>,

    /// Search only files of this type in folders, for example `html` or `md`; may be repeated
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    types: Vec<String>,

    /// Skip files of this type in folders; may be repeated
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    types_not: Vec<String>,

    /// Print the types for -t with their globs
    #[arg(long)]
    pub(crate) type_list: bool,

    /// Search the files and folders listed in FILE, one per line; `-` is standard input
    ///
    /// With -0, the names end with NUL, as in the output of `find -print0`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Vec<PathBuf>,
}

/// Walks folders.
pub(crate) struct Walker {
    options: Walking,
    globs: Override,
    types: Types,
}

/// A path found while walking a folder.
pub(crate) enum Entry {
    File(PathBuf),
    Unreadable(PathBuf, io::Error),
}

impl Walking {
    /// Prepares to walk the folders for a subcommand.
    ///
    /// # Errors
    ///
    /// Returns a usage error for an invalid glob or an unknown type.
    pub(crate) fn walker(&self, subcommand: &'static str) -> Result<Walker, Stop> {
        let usage = |error: ignore::Error| Stop::usage(subcommand, advice(&error));
        // As in ripgrep, globs with a slash are relative to the current folder.
        let here = std::env::current_dir().unwrap_or_default();
        let mut globs = OverrideBuilder::new(here);
        for glob in &self.globs {
            globs.add(glob).map_err(usage)?;
        }
        let mut types = TypesBuilder::new();
        types.add_defaults();
        for name in &self.types {
            types.select(name);
        }
        for name in &self.types_not {
            types.negate(name);
        }
        Ok(Walker {
            globs: globs.build().map_err(usage)?,
            types: types.build().map_err(usage)?,
            options: self.clone(),
        })
    }
}

/// Formats the types of `-t`, one per line.
pub(crate) fn type_list() -> String {
    let mut list = String::new();
    for it in TypesBuilder::new().add_defaults().definitions() {
        let _ = writeln!(list, "{}: {}", it.name(), it.globs().join(", "));
    }
    list
}

/// Describes an invalid glob or type.
fn advice(error: &ignore::Error) -> String {
    match error {
        ignore::Error::UnrecognizedFileType(name) => {
            format!("unknown type `{name}`: `uri extract --type-list` prints the types")
        }
        other => other.to_string(),
    }
}

impl Walker {
    /// Returns the files in a folder, sorted by name.
    pub(crate) fn files(&self, folder: &Path) -> impl Iterator<Item = Entry> + Send + use<> {
        let folder = folder.to_owned();
        self.entries(&folder).filter_map(move |entry| match entry {
            // An entry may also come with errors in ignore files. These errors are not reported,
            // because Git reports them.
            Ok(entry) if entry.file_type().is_some_and(|it| it.is_file()) => {
                Some(Entry::File(entry.into_path()))
            }
            Ok(_) => None,
            Err(error) => {
                let (path, error) = reason(error);
                let path = path.unwrap_or_else(|| folder.clone());
                Some(Entry::Unreadable(path, error))
            }
        })
    }

    /// Starts a walk.
    fn entries(&self, folder: &Path) -> Walk {
        let excludes = !self.options.no_ignore;
        WalkBuilder::new(folder)
            .hidden(!self.options.hidden)
            .follow_links(self.options.follow)
            .ignore(excludes)
            .parents(excludes)
            .git_ignore(excludes)
            .git_global(excludes)
            .git_exclude(excludes)
            .overrides(self.globs.clone())
            .types(self.types.clone())
            .skip_stdout(true)
            .sort_by_file_name(OsStr::cmp)
            .build()
    }
}

/// Returns the path that cannot be read, and the reason.
fn reason(error: ignore::Error) -> (Option<PathBuf>, io::Error) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), reason(*err).1),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            reason(*err)
        }
        ignore::Error::Loop { child, .. } => {
            let message = "a loop of symbolic links";
            (Some(child), io::Error::other(message))
        }
        ignore::Error::Io(error) => (None, error),
        other => (None, io::Error::other(other.to_string())),
    }
}
