//! Chooses the links that a change can break.

use super::{Changes, FileAnchors, GitError, Removed};
use crate::fragment::{self, Profile, Profiles};
use crate::site::{Sites, decode_path, redirect_applies, redirect_sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use urikit_extract::document::Format;

/// The endings that a server may add to a path to find a file.
const ENDINGS: [&str; 6] = ["", ".html", ".md", "/index.html", "/index.md", "/README.md"];

/// The links that a change can break: those on added lines, and those to a file, an id or a
/// redirect that the change removed.
#[derive(Debug)]
pub struct Since {
    changes: Changes,
    removed: Removed,
}

impl Since {
    /// Finds the anchors and redirects that the changes removed. `profile` is the tool that makes
    /// ids from headings; by default, the site's own files decide.
    ///
    /// # Errors
    ///
    /// Fails if git fails or a file in the work tree cannot be read.
    pub fn new(changes: Changes, profile: Option<Profile>) -> Result<Self, GitError> {
        let profiles = Profiles::chosen(profile);
        let root = changes.root().to_owned();
        let removed =
            changes.removed(&|file, content| anchors(&root.join(file), content, &profiles))?;
        Ok(Self { changes, removed })
    }

    /// Returns the path of a document relative to the root of the work tree.
    pub(crate) fn inner(&self, document: &Path) -> Option<PathBuf> {
        let folder = fs::canonicalize(
            document
                .parent()
                .filter(|folder| *folder != Path::new(""))
                .unwrap_or(Path::new(".")),
        )
        .ok()?;
        let path = folder.join(document.file_name()?);
        Some(path.strip_prefix(self.changes.root()).ok()?.to_owned())
    }

    /// Returns true if the change can break a link. `document` is the path that
    /// [`inner`](Self::inner) returns, and `file` is the file to which the link leads.
    pub(crate) fn keeps(
        &self,
        document: Option<&Path>,
        line: usize,
        url: &str,
        fragment: Option<&str>,
        file: Option<&Path>,
        sites: &Sites,
    ) -> bool {
        // A document outside the work tree counts as added, because Git knows nothing about it.
        let is_added = document.is_none_or(|document| self.changes.is_added(document, line));
        is_added
            || file.is_some_and(|file| self.removes_file(file, fragment))
            || self.removes_redirect(url, sites)
    }

    fn removes_file(&self, file: &Path, fragment: Option<&str>) -> bool {
        let Ok(file) = file.strip_prefix(self.changes.root()) else {
            return false;
        };
        let decoded = fragment.and_then(decode_path);
        let lower = decoded.as_deref().map(str::to_lowercase);
        let name = file.to_string_lossy();
        let name = name.trim_end_matches('/');
        ENDINGS.iter().any(|ending| {
            let file = PathBuf::from(format!("{name}{ending}"));
            let fragments = [fragment, decoded.as_deref(), lower.as_deref()];
            fragments
                .into_iter()
                .any(|fragment| self.removed.contains(&file, fragment))
        })
    }

    fn removes_redirect(&self, url: &str, sites: &Sites) -> bool {
        if self.removed.redirects.is_empty() || sites.of(url).is_none() {
            return false;
        }
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let path = path.splitn(4, '/').nth(3).unwrap_or_default();
        let mut sources = self.removed.redirects.iter();
        sources.any(|source| redirect_applies(source, path))
    }
}

/// Returns the file that a URL names, if the URL is a file URL or belongs to a site.
pub(crate) fn file_of(url: &str, sites: &Sites) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?;
    if let Some(site) = sites.of(url) {
        let inner = path.strip_prefix(site.prefix()).unwrap_or_default();
        return Some(site.folder().join(&*decode_path(inner)?));
    }
    let path = path.strip_prefix("file://")?;
    Some(PathBuf::from(&*decode_path(
        path.strip_prefix("localhost").unwrap_or(path),
    )?))
}

/// Returns the ids in a document, and the sources of its redirects.
fn anchors(file: &Path, content: &[u8], profiles: &Profiles) -> FileAnchors {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let redirects = redirect_sources(&name, &String::from_utf8_lossy(content));
    let format = Format::guess(&file.to_string_lossy(), content);
    let profile = match format {
        Some(Format::Markdown) => profiles.of(file),
        _ => Profile::default(),
    };
    let read = fragment::Anchors::read(format, content, profile);
    let fragments = read
        .ids()
        .iter()
        .map(|id| id.to_string())
        .collect::<BTreeSet<_>>();
    FileAnchors {
        fragments,
        redirects: redirects.into_iter().collect(),
    }
}
