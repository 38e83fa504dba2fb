//! Finds the new paths of files from Git's history, or else from the only file with the same name.

use crate::since::{Renames, files_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of files whose names are compared.
const MAX_FILES: usize = 1_000_000;

/// File names that occur in so many folders that an equal name proves nothing.
const COMMON: [&str; 4] = ["index", "readme", "_index", "default"];

/// The new paths of missing files in a folder. All paths are relative to the folder.
#[derive(Default)]
pub(crate) struct Places {
    new: BTreeMap<PathBuf, PathBuf>,
}

impl Places {
    /// Looks for missing files.
    pub(crate) fn find(folder: &Path, missing: &[&Path]) -> Self {
        let mut new = renamed(folder, missing);
        let rest: Vec<_> = missing
            .iter()
            .filter(|path| !new.contains_key(**path))
            .collect();
        if !rest.is_empty() {
            let names = Names::of(folder);
            for path in rest {
                if let Some(only) = names.only(path) {
                    new.insert((*path).to_owned(), only.to_owned());
                }
            }
        }
        Self { new }
    }

    /// Returns the new path of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&Path> {
        self.new.get(path).map(PathBuf::as_path)
    }
}

/// Returns the files that were renamed within the folder.
fn renamed(folder: &Path, missing: &[&Path]) -> BTreeMap<PathBuf, PathBuf> {
    let Ok(folder) = fs::canonicalize(folder) else {
        return BTreeMap::new();
    };
    let wanted = |root: &Path| -> BTreeSet<PathBuf> {
        let inner = folder.strip_prefix(root).unwrap_or(Path::new(""));
        missing.iter().map(|path| inner.join(path)).collect()
    };
    let Ok(renames) = Renames::of(&folder, &wanted) else {
        return BTreeMap::new(); // not a work tree
    };
    let inner = folder.strip_prefix(renames.root()).unwrap_or(Path::new(""));
    let new_place = |path: &&Path| {
        let old = inner.join(path);
        let new = renames.new_name(&old)?;
        Some(((*path).to_owned(), new.strip_prefix(inner).ok()?.to_owned()))
    };
    missing.iter().filter_map(new_place).collect()
}

/// The files in a folder, indexed by name; `None` for names that several files share.
struct Names(BTreeMap<OsString, Option<PathBuf>>);

impl Names {
    fn of(folder: &Path) -> Self {
        // Git does not list files in an ignored folder, such as that of a generated site.
        let listed = files_of(folder).ok().filter(|files| !files.is_empty());
        let files = listed.unwrap_or_else(|| walk(folder));
        let mut names: BTreeMap<OsString, Option<PathBuf>> = BTreeMap::new();
        for file in files {
            // Git also lists files that were deleted.
            if let Some(name) = file.file_name().map(OsStr::to_owned)
                && folder.join(&file).is_file()
            {
                let several = names.contains_key(&name);
                names.insert(name, (!several).then_some(file));
            }
        }
        Self(names)
    }

    /// Returns the only file that has the same name as a missing one.
    fn only(&self, missing: &Path) -> Option<&Path> {
        let stem = missing.file_stem()?.to_string_lossy().to_lowercase();
        if COMMON.contains(&&*stem) {
            return None;
        }
        self.0.get(missing.file_name()?)?.as_deref()
    }
}

/// Returns the files in a folder and its subfolders, except hidden files.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&inner)) else {
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") || files.len() >= MAX_FILES {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(inner.join(name)),
                Ok(kind) if kind.is_file() => files.push(inner.join(name)),
                _ => {}
            }
        }
    }
    files
}
