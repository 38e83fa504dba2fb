//! The base URI of a document, and the folders that bound its links.

use crate::site::{Sites, push_path};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use urikit_extract::document::Format;

/// The base of the documents in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// The URL of the folder, with a slash at the end: `file:///…`, or a URL of a site.
    pub(crate) folder: String,
    /// The folder that the user named, as a URL with a slash at the end.
    named: Option<String>,
    /// The root of the repository, as a URL with a slash at the end.
    repository: Option<String>,
}

impl Base {
    /// Returns true if the documents are part of a site.
    pub(crate) fn is_site(&self) -> bool {
        !self.folder.starts_with("file:")
    }

    /// Returns the folder to which a reference such as `/a` is relative. HTML pages are served from
    /// the folder that the user named, and forges show other documents from the root of the
    /// repository.
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
    /// Folders that are known to exist, as they are written.
    starts: RwLock<HashSet<PathBuf>>,
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
        let known = path.ancestors().filter(|folder| starts.contains(*folder));
        known.last().map(Path::to_owned)
    }

    fn base(&self, folder: &Path, named: Option<&Path>, sites: &Sites) -> Option<Base> {
        let folder = fs::canonicalize(folder).ok()?;
        let named = named.and_then(|named| fs::canonicalize(named).ok());
        let repository = folder
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        let mut starts = self.starts.write().unwrap_or_else(PoisonError::into_inner);
        let known = [Some(&*folder), named.as_deref(), repository];
        starts.extend(known.into_iter().flatten().map(Path::to_owned));
        drop(starts);
        Some(Base {
            folder: sites.url_of(&folder).or_else(|| file_url(&folder))?,
            named: named.as_deref().and_then(file_url),
            repository: repository.and_then(file_url),
        })
    }
}

/// Returns the `file` URL of a folder, with a slash at the end.
pub(crate) fn file_url(folder: &Path) -> Option<String> {
    let mut url = "file:///".to_owned();
    push_path(&mut url, folder.strip_prefix("/").ok()?)?;
    if !url.ends_with('/') {
        url.push('/');
    }
    Some(url)
}
