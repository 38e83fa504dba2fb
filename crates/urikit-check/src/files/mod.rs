//! Looks up files by their exact names. Each folder is listed once, so a lookup rarely needs a
//! system call, and its result is the same on file systems that ignore case.

use crate::near::{Budget, Names};
use crate::seed::Seed;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The result of a lookup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    File(PathBuf),
    Folder(PathBuf),
    /// No such file. `nearest` is a similar name in the folder, if the folder exists.
    Missing {
        nearest: Option<String>,
    },
}

/// A lookup of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lookup {
    pub(crate) found: Found,
    /// The correct path relative to the folder where the lookup starts, if the case is wrong.
    pub(crate) right_case: Option<String>,
}

/// The listings of folders.
#[derive(Default, Debug)]
pub(crate) struct Files {
    /// By path. The keys are strings because hashing a path splits it into its components.
    folders: RwLock<HashMap<OsString, Option<Arc<Listing>>>>,
    comparisons: Budget,
}

/// The names in a folder.
#[derive(Debug)]
struct Listing {
    names: Entries,
    /// Maps lower-case names to the names as written; built the first time that a name is not
    /// found.
    lower: OnceLock<HashMap<String, String>>,
    /// The index that finds names similar to a missing one.
    similar: OnceLock<Names>,
}

/// The names in a folder, each with its type if the system reports it.
#[derive(Debug)]
struct Entries {
    all: HashTable<(OsString, Option<FileType>)>,
    seed: Seed,
}

impl Entries {
    fn new(names: Vec<(OsString, Option<FileType>)>) -> Self {
        let seed = Seed::default();
        let hash = |name: &OsStr| seed.hash(name.as_encoded_bytes());
        let mut all = HashTable::with_capacity(names.len());
        for entry in names {
            all.insert_unique(hash(&entry.0), entry, |(name, _)| hash(name));
        }
        Self { all, seed }
    }

    fn get(&self, name: &str) -> Option<&(OsString, Option<FileType>)> {
        let hash = self.seed.hash(name.as_bytes());
        self.all.find(hash, |(other, _)| other == name)
    }

    fn iter(&self) -> impl Iterator<Item = &OsStr> {
        self.all.iter().map(|(name, _)| name.as_os_str())
    }
}

impl Listing {
    fn read(folder: &Path) -> Option<Self> {
        let entries = fs::read_dir(folder).ok()?;
        let names = entries.filter_map(Result::ok);
        let names = names.map(|entry| (entry.file_name(), entry.file_type().ok()));
        Some(Self {
            names: Entries::new(names.collect()),
            lower: OnceLock::new(),
            similar: OnceLock::new(),
        })
    }

    /// Returns the index for finding names similar to a missing one.
    fn similar(&self) -> &Names {
        self.similar.get_or_init(|| {
            let names = self.names.iter();
            Names::new(names.filter_map(|name| name.to_str()))
        })
    }

    /// Returns the name that equals `name` except for case.
    fn ignoring_case(&self, name: &str) -> Option<&str> {
        let lower = self.lower.get_or_init(|| {
            let mut names: Vec<&str> = self.names.iter().filter_map(|name| name.to_str()).collect();
            // If several names differ only in case, the first in order is kept.
            names.sort_unstable_by(|a, b| b.cmp(a));
            let pairs = names.into_iter();
            let pairs = pairs.map(|name| (name.to_lowercase(), name.to_owned()));
            pairs.collect()
        });
        lower.get(&name.to_lowercase()).map(String::as_str)
    }
}

impl Files {
    /// Looks up the decoded `segments` of a path in `start`, a folder that is known to exist.
    pub(crate) fn find(&self, start: &Path, segments: &[&str]) -> Lookup {
        let (mut path, mut right_case) = (start.to_owned(), false);
        let missing = |nearest| Lookup {
            found: Found::Missing { nearest },
            right_case: None,
        };
        // The fast path: nearly always, the folder has been listed under exactly these names.
        let (mut rest, mut known) = (segments, None);
        if let [folders @ .., name] = segments {
            let mut folder = start.to_owned();
            folder.extend(folders);
            known = folders
                .iter()
                .all(|name| is_name(name))
                .then(|| self.listed(&folder))
                .flatten();
            if known.is_some() {
                (path, rest) = (folder, std::slice::from_ref(name));
            }
        }
        let mut kind = None;
        for (nth, name) in rest.iter().enumerate() {
            if !is_name(name) {
                return missing(None);
            }
            let Some(listing) = known.take().or_else(|| self.listing(&path)) else {
                return missing(None);
            };
            if let Some((_, found)) = listing.names.get(name) {
                kind = *found;
                path.push(name);
            } else if let Some(other) = listing.ignoring_case(name) {
                right_case = true;
                kind = listing.names.get(other).and_then(|(_, kind)| *kind);
                path.push(other);
            } else {
                let is_last = nth + 1 == rest.len();
                let near = is_last.then(|| self.comparisons.nearest(name, listing.similar()));
                let near = near.flatten();
                return missing(near.map(str::to_owned));
            }
        }
        let right_case = right_case.then(|| {
            let inner = path.strip_prefix(start).unwrap_or(&path);
            inner.to_string_lossy().into_owned()
        });
        let is_folder = match kind {
            Some(kind) if kind.is_dir() => true,
            Some(kind) if kind.is_file() => false,
            None if segments.is_empty() => true,
            // A symbolic link, or a file system that does not report the type.
            _ => match fs::metadata(&path) {
                Ok(metadata) => metadata.is_dir(),
                Err(_) => return missing(None),
            },
        };
        let found = if is_folder {
            Found::Folder(path)
        } else {
            Found::File(path)
        };
        Lookup { found, right_case }
    }

    /// Returns true if a folder that has already been listed contains this file. `path` consists of
    /// the folder's path as it was looked up, a slash, and the name of the file. Returns false for
    /// symbolic links and for files in other folders, which [`find`](Self::find) handles. For
    /// 100,000 links to files, `uri check` takes a third less processor time with this function.
    pub(crate) fn is_known_file(&self, path: &str) -> bool {
        let Some((folder, name)) = path.rsplit_once('/') else {
            return false;
        };
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let Some(Some(listing)) = folders.get(OsStr::new(folder)) else {
            return false;
        };
        let entry = listing.names.get(name);
        entry.is_some_and(|(_, kind)| kind.is_some_and(|kind| kind.is_file()))
    }

    /// Returns the listing of a folder that has already been listed.
    fn listed(&self, folder: &Path) -> Option<Arc<Listing>> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        folders.get(folder.as_os_str())?.clone()
    }

    fn listing(&self, folder: &Path) -> Option<Arc<Listing>> {
        {
            let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(listing) = folders.get(folder.as_os_str()) {
                return listing.clone();
            }
        }
        let listing = Listing::read(folder).map(Arc::new);
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        folders.insert(folder.as_os_str().to_owned(), listing.clone());
        listing
    }
}

/// Returns true if a decoded segment can be the name of a file.
fn is_name(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..") && !segment.contains(['/', '\0'])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::{Files, Found};
    use std::fs;

    #[test]
    fn exact_case_and_near_names() {
        let root = std::env::temp_dir().join(format!("urikit-check-files-{}", std::process::id()));
        fs::create_dir_all(root.join("Docs")).unwrap();
        fs::write(root.join("Docs/Guide.md"), "").unwrap();
        let files = Files::default();
        for _ in 0..2 {
            let exact = files.find(&root, &["Docs", "Guide.md"]);
            assert_eq!(exact.found, Found::File(root.join("Docs/Guide.md")));
            assert_eq!(exact.right_case, None);
            let path = |name: &str| format!("{}/{name}", root.display());
            assert!(files.is_known_file(&path("Docs/Guide.md")));
            for other in [
                "docs/guide.md",
                "Docs",
                "Docs/",
                "Docs/Other.md",
                "Docs/../Docs/Guide.md",
            ] {
                assert!(!files.is_known_file(&path(other)), "{other}");
            }
            let wrong = files.find(&root, &["docs", "guide.md"]);
            assert_eq!(wrong.found, Found::File(root.join("Docs/Guide.md")));
            assert_eq!(wrong.right_case.as_deref(), Some("Docs/Guide.md"));
            let near = files.find(&root, &["Docs", "Guides.md"]).found;
            assert_eq!(
                near,
                Found::Missing {
                    nearest: Some("Guide.md".to_owned())
                }
            );
            for missing in [
                &["Doc", "Guide.md"][..],
                &["..", "x"],
                &["Docs", "a\0"],
                &["Docs", ""],
            ] {
                assert!(matches!(
                    files.find(&root, missing).found,
                    Found::Missing { .. }
                ));
            }
            assert_eq!(files.find(&root, &[]).found, Found::Folder(root.clone()));
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
