//! The files of a copy: where they are, and of which URLs they are.
//!
//! Over http, one name is often that of a page and of a folder, such as `n` and `n/m`. The page is
//! `n/index.html` then: it is moved there when the folder is made, or stored there if the folder is
//! there. If another URL has that file, or any other, `.1` and so on is appended. The same pages in
//! the same order have the same files, also if they were copied before.

use super::urls::key;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file of a directory's page, and of a page whose name is that of a folder.
const INDEX: &str = "index.html";

/// A file, wherever it is moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FileId(usize);

/// The files below a folder.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    folder: &'a Path,
    paths: Vec<PathBuf>,
    /// The files of this copy by their paths.
    taken: HashMap<PathBuf, FileId>,
    /// The files by the normal forms of the URLs for which they were chosen.
    chosen: HashMap<String, FileId>,
    /// The complete ones, also by the URLs that were redirected to them.
    complete: HashMap<String, FileId>,
    /// The last numbers that were appended to names.
    numbers: HashMap<PathBuf, u64>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            paths: Vec::new(),
            taken: HashMap::new(),
            chosen: HashMap::new(),
            complete: HashMap::new(),
            numbers: HashMap::new(),
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: FileId) -> &Path {
        self.paths.get(file.0).map_or(self.folder, PathBuf::as_path)
    }

    /// The complete file of a URL.
    pub(super) fn of(&self, url: &str) -> Option<FileId> {
        self.complete.get(&key(url)).copied()
    }

    /// Says that a file is complete, which is that of these URLs.
    pub(super) fn complete(&mut self, urls: [&str; 2], file: FileId) {
        for url in urls {
            self.complete.insert(key(url), file);
        }
    }

    /// Chooses the file of a URL with these names, the last of which is empty for a directory, and
    /// makes its folders.
    pub(super) fn choose(&mut self, url: &str, names: &[OsString]) -> io::Result<FileId> {
        let url = key(url);
        if let Some(&file) = self.chosen.get(&url)
            && !is_folder(self.path(file))
        {
            return Ok(file);
        }
        let index = OsString::from(INDEX);
        let (last, names) = names.split_last().unwrap_or((&index, &[]));
        let name = if last.is_empty() { &index } else { last };
        let path = self.folders(names)?.join(name);
        let path = self.free(path);
        let file = self.take(path);
        self.chosen.insert(url, file);
        Ok(file)
    }

    /// Makes the folders of these names. None of them is a link, which could lead elsewhere.
    pub(super) fn folders(&mut self, names: &[OsString]) -> io::Result<PathBuf> {
        fs::create_dir_all(self.folder)?;
        let mut path = self.folder.to_owned();
        for name in names {
            path.push(name);
            match fs::symlink_metadata(&path) {
                Ok(there) if there.is_dir() => {}
                Ok(there) if there.is_file() => self.move_into_folder(&path)?,
                Ok(_) => {
                    let what = format!("{}: this is not a folder", path.display());
                    return Err(io::Error::other(what));
                }
                Err(_) => fs::create_dir(&path)?,
            }
        }
        Ok(path)
    }

    /// Makes a folder in place of a file, which becomes its page.
    fn move_into_folder(&mut self, path: &Path) -> io::Result<()> {
        // No URL has a file of this name.
        let mut aside = path.as_os_str().to_owned();
        aside.push(".part");
        let aside = PathBuf::from(aside);
        fs::rename(path, &aside)?;
        let to = self.free(path.join(INDEX));
        let moved = fs::create_dir(path).and_then(|()| fs::rename(&aside, &to));
        if let Err(error) = moved {
            // The folder is empty, if it is there.
            let _ = fs::remove_dir(path);
            let _ = fs::rename(&aside, path);
            return Err(error);
        }
        match self.taken.remove(path) {
            Some(file) => {
                if let Some(place) = self.paths.get_mut(file.0) {
                    place.clone_from(&to);
                }
                self.taken.insert(to, file);
            }
            // It is of an earlier copy.
            None => drop(self.take(to)),
        }
        Ok(())
    }

    fn take(&mut self, path: PathBuf) -> FileId {
        let file = FileId(self.paths.len());
        self.paths.push(path.clone());
        self.taken.insert(path, file);
        file
    }

    /// This path, or that of the page in the folder that has it; if that is taken, with a number.
    fn free(&mut self, mut path: PathBuf) -> PathBuf {
        while is_folder(&path) {
            path.push(INDEX);
        }
        if !self.taken.contains_key(&path) {
            return path;
        }
        let number = self.numbers.entry(path.clone()).or_default();
        loop {
            *number += 1;
            let mut numbered = path.as_os_str().to_owned();
            numbered.push(format!(".{number}"));
            let numbered = PathBuf::from(numbered);
            if !self.taken.contains_key(&numbered) && !is_folder(&numbered) {
                return numbered;
            }
        }
    }
}

/// Whether there is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}
