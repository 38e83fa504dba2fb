//! Where bodies go: standard output, a file, or files in a folder.

use super::name::name;
use super::partial::{Name, Partial, Resume, shown};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use urikit::AnyRef;

/// An opened place.
pub(super) enum Opened {
    /// Nothing is written.
    Nothing,
    Output,
    File(Box<Partial>),
}

impl Opened {
    /// The byte to resume at, and the version of what there is before it.
    pub(super) fn resumed(&self, resume: Option<Resume>) -> (u64, Option<String>) {
        match (self, resume) {
            (Self::File(partial), _) => partial.resumed().map_or((0, None), |(offset, version)| {
                (offset, Some(version.to_owned()))
            }),
            (Self::Output, Some(Resume::At(offset))) => (offset, None),
            _ => (0, None),
        }
    }

    /// Why what is there cannot be resumed.
    pub(super) const fn note(&self) -> Option<&'static str> {
        match self {
            Self::File(partial) => partial.note(),
            Self::Nothing | Self::Output => None,
        }
    }
}

/// Where bodies go.
pub(super) enum Places {
    Output,
    File(PathBuf),
    /// In a folder, under the names in the URLs; with the names used so far.
    Folder(PathBuf, Mutex<HashSet<OsString>>),
}

impl Places {
    pub(super) fn new(output: Option<PathBuf>, by_name: bool) -> Self {
        let folder = |path| Self::Folder(path, Mutex::default());
        match output {
            Some(path) if path.as_os_str() == "-" => Self::Output,
            Some(path) if path.as_os_str().to_string_lossy().ends_with('/') || path.is_dir() => {
                folder(path)
            }
            Some(path) => Self::File(path),
            None if by_name => folder(PathBuf::from(".")),
            None => Self::Output,
        }
    }

    pub(super) const fn has_files(&self) -> bool {
        !matches!(self, Self::Output)
    }

    pub(super) const fn takes_several(&self) -> bool {
        matches!(self, Self::Folder(..))
    }

    /// Chooses the place for one reference.
    ///
    /// # Errors
    ///
    /// With the path that cannot be used.
    pub(super) fn choose(&self, reference: AnyRef<'_>) -> Result<Place, (String, io::Error)> {
        Ok(match self {
            Self::Output => Place::Output,
            Self::File(path) => Place::File(Name::OfUser(path.clone())),
            Self::Folder(folder, given) => {
                let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
                if given.is_empty() {
                    fs::create_dir_all(folder).map_err(|error| (shown(folder), error))?;
                }
                let name = distinct(&name(reference), &mut given);
                Place::File(Name::OfUrl(folder.join(name)))
            }
        })
    }
}

/// The place for one reference.
pub(super) enum Place {
    Output,
    File(Name),
}

impl Place {
    /// Opens it, also for another attempt.
    ///
    /// # Errors
    ///
    /// With the path that cannot be used.
    pub(super) fn open(
        &self,
        reference: AnyRef<'_>,
        resume: Option<Resume>,
    ) -> Result<Opened, (String, io::Error)> {
        match self {
            Self::Output => Ok(Opened::Output),
            Self::File(name) => {
                let partial = Partial::of(name.clone(), url_of(reference), resume)?;
                Ok(Opened::File(Box::new(partial)))
            }
        }
    }
}

/// The URL that a partial file is of: without its password and its fragment.
fn url_of(reference: AnyRef<'_>) -> String {
    let text = reference.redact().to_string();
    match (reference.fragment(), text.split_once('#')) {
        (Some(_), Some((url, _))) => url.to_owned(),
        _ => text,
    }
}

/// A name that is not yet used in this run, so that no reference overwrites another's file.
fn distinct(name: &OsString, given: &mut HashSet<OsString>) -> OsString {
    let mut chosen = name.clone();
    let mut count = 2;
    loop {
        let mut partial = chosen.clone();
        partial.push(".part");
        if !given.contains(&chosen) && !given.contains(&partial) {
            given.extend([chosen.clone(), partial]);
            return chosen;
        }
        chosen.clone_from(name);
        chosen.push(format!(".{count}"));
        count += 1;
    }
}
