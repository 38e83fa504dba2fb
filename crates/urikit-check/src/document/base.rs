//! The base URI of a document, and the folders that its links must stay within.

use crate::site::{Sites, push_path};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::Bound::{Included, Unbounded};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use urikit_extract::document::Format;

/// The base of the documents in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// The URL of the folder, with a trailing slash: `file:///…`, or a URL of a site.
    pub(crate) folder: String,
    /// The folder that the user named, as a URL with a trailing slash.
    named: Option<String>,
    /// The root of the repository, as a URL with a trailing slash.
    repository: Option<String>,
}

impl Base {
    /// Returns true if the documents are part of a site.
    pub(crate) fn is_site(&self) -> bool {
        !self.folder.starts_with("file:")
    }

    /// Returns the folder to which a reference such as `/a` is relative. For HTML pages, it is the
    /// folder that the user named, as on a server. For other documents, it is the root of the
    /// repository, as on a forge.
    pub(crate) fn root_url(&self, format: Option<Format>) -> &str {
        let (first, second) = match format {
            Some(Format::Html | Format::Css | Format::Xml) => (&self.named, &self.repository),
            _ => (&self.repository, &self.named),
        };
        first
            .as_ref()
            .or(second.as_ref())
            .map_or("file:///", |url| url)
    }

    /// Returns the URL of the folder that links must stay within.
    pub(crate) fn bound_url(&self) -> Option<&str> {
        self.repository
            .as_ref()
            .or(self.named.as_ref())
            .map(String::as_str)
    }
}

/// A folder with documents, and the folder that the user named.
type Key = (PathBuf, Option<PathBuf>);

/// The bases of all folders.
#[derive(Default, Debug)]
pub(crate) struct Bases {
    folders: Mutex<HashMap<Key, Option<Arc<Base>>>>,
    /// Folders that are known to exist, as written, except those inside another folder of the set.
    /// When paths are sorted, a folder is followed by its contents.
    starts: RwLock<BTreeSet<PathBuf>>,
}

impl Bases {
    /// Returns the base of a document. `named` is the folder that the user named. Returns `None` if
    /// the folder does not exist or has no URL.
    pub(crate) fn of(&self, path: &Path, named: Option<&Path>, sites: &Sites) -> Option<Arc<Base>> {
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => path,
        };
        let key = (folder.to_owned(), named.map(Path::to_owned));
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(base) = folders.get(&key) {
            return base.clone();
        }
        let base = self.base(folder, named, sites).map(Arc::new);
        folders.insert(key, base.clone());
        base
    }

    /// Returns the outermost folder that contains a path and is known to exist.
    pub(crate) fn start_of(&self, path: &Path) -> Option<PathBuf> {
        let starts = self.starts.read().unwrap_or_else(PoisonError::into_inner);
        start_in(&starts, path).map(Path::to_owned)
    }

    fn base(&self, folder: &Path, named: Option<&Path>, sites: &Sites) -> Option<Base> {
        let folder = fs::canonicalize(folder).ok()?;
        let named = named.and_then(|named| fs::canonicalize(named).ok());
        let repository = folder
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        let mut starts = self.starts.write().unwrap_or_else(PoisonError::into_inner);
        let known = [Some(&*folder), named.as_deref(), repository];
        for known in known.into_iter().flatten() {
            add_start(&mut starts, known);
        }
        drop(starts);
        Some(Base {
            folder: sites.url_of(&folder).or_else(|| file_url(&folder))?,
            named: named.as_deref().and_then(file_url),
            repository: repository.and_then(file_url),
        })
    }
}

/// Returns the folder that contains a path. No folder in the set contains another, so only the last
/// folder that sorts before the path can contain it.
fn start_in<'s>(starts: &'s BTreeSet<PathBuf>, path: &Path) -> Option<&'s Path> {
    let before = starts
        .range::<Path, _>((Unbounded, Included(path)))
        .next_back()?;
    path.starts_with(before).then_some(before)
}

/// Adds a folder, and removes those inside it.
fn add_start(starts: &mut BTreeSet<PathBuf>, folder: &Path) {
    if start_in(starts, folder).is_some() {
        return;
    }
    let inner = starts.range::<Path, _>((Included(folder), Unbounded));
    let inner = inner.take_while(|other| other.starts_with(folder)).cloned();
    for inner in inner.collect::<Vec<_>>() {
        starts.remove(&inner);
    }
    starts.insert(folder.to_owned());
}

/// Returns the `file` URL of a folder, with a trailing slash.
pub(crate) fn file_url(folder: &Path) -> Option<String> {
    let mut url = "file:///".to_owned();
    push_path(&mut url, folder.strip_prefix("/").ok()?)?;
    if !url.ends_with('/') {
        url.push('/');
    }
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::{add_start, start_in};
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_outermost_folder_contains_a_path() {
        let mut starts = BTreeSet::new();
        for folder in ["/a/b/c", "/a-b", "/a/b", "/a/b/d", "/x"] {
            add_start(&mut starts, Path::new(folder));
        }
        assert_eq!(starts.len(), 3);
        let find = |path| start_in(&starts, Path::new(path));
        assert_eq!(find("/a/b/c/e"), Some(Path::new("/a/b")));
        assert_eq!(find("/a/b"), Some(Path::new("/a/b")));
        assert_eq!(find("/a-b/e"), Some(Path::new("/a-b")));
        assert_eq!((find("/a"), find("/a/bc"), find("/y")), (None, None, None));
    }
}
