//! The files of a recursive copy, and their URLs.
//!
//! On http servers, a page and a folder often have the same name, as in `n` and `n/m`. The page
//! `n` is then stored as `n/index.html`, or moved to this name when the folder is created. If two
//! URLs have the same file name, a number is appended to the later name. Copying the same pages
//! again in the same order yields the same names.

use super::scope::{Names, key};
use crate::command::fetch::destination::Saved;
use crate::command::fetch::names::Taken;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file name for the page of a folder.
const INDEX: &str = "index.html";

/// Identifies a file even after it has been moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FileId(usize);

/// The files in the folder of a copy.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    folder: &'a Path,
    files: Vec<Saved>,
    /// The files of this copy, by path.
    taken: Taken<FileId>,
    /// The file chosen for each URL, by the URL's key.
    chosen: HashMap<String, FileId>,
    /// The complete files, by the keys of the URLs before and after redirects.
    complete: HashMap<String, FileId>,
    /// The files that have been moved since the last report.
    moved: Vec<Moved>,
}

/// A file that was moved because a folder needed its name.
#[derive(Debug)]
pub(in crate::command::fetch) struct Moved {
    pub(in crate::command::fetch) from: PathBuf,
    pub(in crate::command::fetch) to: PathBuf,
}

impl<'a> Layout<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            files: Vec::new(),
            taken: Taken::default(),
            chosen: HashMap::new(),
            complete: HashMap::new(),
            moved: Vec::new(),
        }
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, file: FileId) -> &Path {
        self.file(file).map_or(self.folder, |file| &file.path)
    }

    /// Returns a file.
    pub(super) fn file(&self, file: FileId) -> Option<&Saved> {
        self.files.get(file.0)
    }

    /// Removes and returns the files that have been moved since the last call.
    pub(super) fn take_moved(&mut self) -> Vec<Moved> {
        std::mem::take(&mut self.moved)
    }

    /// Returns the complete file for a URL.
    pub(super) fn of(&self, url: &str) -> Option<FileId> {
        self.complete.get(&key(url)).copied()
    }

    /// Marks the file of these URLs as complete.
    pub(super) fn complete(&mut self, urls: [&str; 2], file: FileId) {
        for url in urls {
            self.complete.insert(key(url), file);
        }
    }

    /// Chooses the file for a URL, and creates its folders.
    pub(super) fn choose(&mut self, url: &str, names: &Names) -> io::Result<FileId> {
        let url = key(url);
        if let Some(&file) = self.chosen.get(&url)
            && !is_folder(self.path(file))
        {
            return Ok(file);
        }
        let index = OsString::from(INDEX);
        let (last, folders) = names.names.split_last().unwrap_or((&index, &[]));
        let name = if last.is_empty() { &index } else { last };
        let in_url = self.folders(folders)?.join(name);
        let path = self.free(in_url.clone());
        let file = self.take(Saved {
            is_renamed: names.are_changed || path != in_url,
            path,
        });
        self.chosen.insert(url, file);
        Ok(file)
    }

    /// Creates folders with these names. Symbolic links are refused, because they could point
    /// outside the folder of the copy.
    pub(super) fn folders(&mut self, names: &[OsString]) -> io::Result<PathBuf> {
        fs::create_dir_all(self.folder)?;
        let mut path = self.folder.to_owned();
        for name in names {
            path.push(name);
            match fs::symlink_metadata(&path) {
                Ok(there) if there.is_dir() => {}
                Ok(there) if there.is_file() => self.move_into_folder(&path)?,
                Ok(_) => {
                    let what = format!("{}: not a folder", path.display());
                    return Err(io::Error::other(what));
                }
                Err(_) => fs::create_dir(&path)?,
            }
        }
        Ok(path)
    }

    /// Replaces a file with a folder, and stores the file there as the folder's page.
    fn move_into_folder(&mut self, path: &Path) -> io::Result<()> {
        // File names chosen from URLs never have this suffix.
        let mut aside = path.as_os_str().to_owned();
        aside.push(".part");
        let aside = PathBuf::from(aside);
        fs::rename(path, &aside)?;
        let to = self.free(path.join(INDEX));
        let moved = fs::create_dir(path).and_then(|()| fs::rename(&aside, &to));
        if let Err(error) = moved {
            // If the folder has been created, it is still empty.
            let _ = fs::remove_dir(path);
            let _ = fs::rename(&aside, path);
            return Err(error);
        }
        self.moved.push(Moved {
            from: path.to_owned(),
            to: to.clone(),
        });
        let saved = Saved {
            path: to,
            is_renamed: true,
        };
        match self.taken.remove(path.as_os_str()) {
            Some(file) => {
                self.taken.insert(saved.path.as_os_str(), file);
                if let Some(place) = self.files.get_mut(file.0) {
                    *place = saved;
                }
            }
            // The file is from an earlier copy.
            None => drop(self.take(saved)),
        }
        Ok(())
    }

    fn take(&mut self, saved: Saved) -> FileId {
        let file = FileId(self.files.len());
        self.taken.insert(saved.path.as_os_str(), file);
        self.files.push(saved);
        file
    }

    /// Returns this path, or the path of the folder's page if it is a folder. Appends a number if
    /// the path is taken.
    fn free(&mut self, mut path: PathBuf) -> PathBuf {
        while is_folder(&path) {
            path.push(INDEX);
        }
        let is_usable = |path: &OsStr| !is_folder(Path::new(path));
        self.taken.free(path.as_os_str(), is_usable).into()
    }
}

/// Returns true for folders, but not for links to folders.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}
