//! Sites: URLs with certain prefixes are looked up in folders instead of on the network.
//!
//! The precedence is: forced redirects, the exact file, `_redirects` and `netlify.toml`, the index
//! and extension rules of the [`Preset`], then 404.

mod preset;
mod redirects;

pub use preset::Preset;

use crate::files::{Files, Found, Lookup};
pub(crate) use redirects::{redirect_applies, redirect_sources};

use redirects::Redirects;
use std::path::{Path, PathBuf};
use urikit::percent::{self, Place};
use urikit::{Standard, Uri};

/// A site: URLs with a prefix, and the folder with their files.
#[derive(Clone, Debug)]
pub struct Site {
    /// The prefix in normal form, with a trailing slash.
    prefix: String,
    /// The canonical folder.
    folder: PathBuf,
    /// The folder as the user wrote it.
    written: PathBuf,
    preset: Preset,
    redirects: Redirects,
}

/// The reason why a site cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SiteError {
    /// The prefix is not an absolute http(s) URL, or has a query or fragment.
    Prefix,
    /// The folder does not exist.
    NoFolder(PathBuf),
    /// A file with redirects cannot be read. The message contains its path and the reason.
    Redirects(String),
}

impl std::fmt::Display for SiteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Prefix => {
                f.write_str("expected an http or https URL without a query or fragment")
            }
            Self::NoFolder(folder) => write!(f, "{} is not a folder", folder.display()),
            Self::Redirects(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SiteError {}

impl Site {
    /// Creates a site. `prefix` is an http(s) URL such as `https://x.example/docs/`.
    ///
    /// # Errors
    ///
    /// Fails if the prefix is not an http(s) URL or has a query or a fragment, if the folder does
    /// not exist, or if its redirects cannot be read.
    pub fn new(prefix: &str, folder: &Path, preset: Preset) -> Result<Self, SiteError> {
        let url = Uri::parse(prefix).map_err(|_| SiteError::Prefix)?;
        let is_web = matches!(url.scheme().to_ascii_lowercase().as_str(), "http" | "https");
        let has_host = url.host().is_some_and(|host| !host.as_str().is_empty());
        if !is_web || !has_host || url.query().is_some() || url.fragment().is_some() {
            return Err(SiteError::Prefix);
        }
        let written = folder.to_owned();
        let folder = match std::fs::canonicalize(folder) {
            Ok(path) if path.is_dir() => path,
            _ => return Err(SiteError::NoFolder(written)),
        };
        let mut prefix = url.normalize().to_string();
        if !prefix.ends_with('/') {
            prefix.push('/');
        }
        Ok(Self {
            prefix,
            redirects: Redirects::read(&folder, preset).map_err(SiteError::Redirects)?,
            preset,
            folder,
            written,
        })
    }

    /// Returns the prefix in normal form.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The result of mapping a URL to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mapped {
    File(PathBuf),
    /// A redirect to another URL, which may be outside all sites.
    Redirect {
        status: u16,
        to: String,
    },
    /// A rule answers with this status.
    Status(u16),
    Missing {
        nearest: Option<String>,
    },
}

/// A mapping, and the path in its correct case if the given case is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    pub(crate) mapped: Mapped,
    pub(crate) right_case: Option<String>,
}

/// The sites of a run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sites(Vec<Site>);

impl Sites {
    pub(crate) fn push(&mut self, site: Site) {
        self.0.push(site);
        // Put the longest prefix first, so that it takes precedence.
        self.0
            .sort_by_key(|site| std::cmp::Reverse(site.prefix.len()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the site of a URL in normal form.
    pub(crate) fn of(&self, url: &str) -> Option<&Site> {
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let path = url.get(..end).unwrap_or_default();
        self.0.iter().find(|site| {
            let bare = site.prefix.strip_suffix('/').unwrap_or_default();
            path.starts_with(&*site.prefix) || path == bare
        })
    }

    /// Returns the URL of a folder in one of the sites' folders, with a trailing slash. The path is
    /// canonical.
    pub(crate) fn url_of(&self, path: &Path) -> Option<String> {
        let inner = |site: &Site| path.strip_prefix(&site.folder).ok().map(Path::to_owned);
        let sites = self.0.iter().filter_map(|site| Some((site, inner(site)?)));
        let (site, inner) = sites.max_by_key(|(site, _)| site.folder.components().count())?;
        let mut url = site.prefix.clone();
        push_path(&mut url, &inner)?;
        if !url.ends_with('/') {
            url.push('/');
        }
        Some(url)
    }
}

/// Appends a relative path with the escapes that it needs. Returns `None` if the path cannot be
/// part of a URL.
pub(crate) fn push_path(url: &mut String, path: &Path) -> Option<()> {
    for name in path.components() {
        if !url.ends_with('/') {
            url.push('/');
        }
        let name = name.as_os_str().as_encoded_bytes();
        let name = percent::encode(name, Place::Segment, Standard::Rfc3986).ok()?;
        url.push_str(&name.to_string());
    }
    Some(())
}

impl Site {
    /// Finds the file for a URL in normal form. Calls `note` with a sentence for each step.
    pub(crate) fn map(&self, url: &str, files: &Files, note: &mut dyn FnMut(String)) -> Mapping {
        let url = url.split('#').next().unwrap_or_default();
        let (path, query) = url
            .split_once('?')
            .map_or((url, None), |(path, query)| (path, Some(query)));
        note(format!("site: {}={}", self.prefix, self.written.display()));
        let from_host = path
            .splitn(4, '/')
            .nth(3)
            .map_or_else(|| "/".to_owned(), |path| format!("/{path}"));
        if let Some(mapping) = self.redirect(&from_host, query, true, files, note) {
            return mapping;
        }
        let inner = path.strip_prefix(&*self.prefix).unwrap_or_default();
        let exact = self.lookup(inner, files);
        if let (Found::File(file), false) = (&exact.found, inner.ends_with('/')) {
            note(format!("exact file: {}", self.shown(file)));
            return Mapping {
                mapped: Mapped::File(file.clone()),
                right_case: exact.right_case,
            };
        }
        if let Some(mapping) = self.redirect(&from_host, query, false, files, note) {
            return mapping;
        }
        self.index(inner, exact, files, note)
    }

    /// Returns the path of a file, with the site's folder spelled as the user wrote it.
    fn shown(&self, file: &Path) -> String {
        let inner = file.strip_prefix(&self.folder).unwrap_or(file);
        self.written.join(inner).display().to_string()
    }

    fn lookup(&self, inner: &str, files: &Files) -> Lookup {
        let decoded = decode_path(inner);
        let decoded = decoded.as_deref().unwrap_or("\0");
        let segments: Vec<&str> = decoded
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        files.find(&self.folder, &segments)
    }

    /// Applies the redirects.
    fn redirect(
        &self,
        path: &str,
        query: Option<&str>,
        is_forced: bool,
        files: &Files,
        note: &mut dyn FnMut(String),
    ) -> Option<Mapping> {
        let found = self.redirects.find(path, query, is_forced)?;
        note(format!("{}: {} {}", found.place, found.status, found.to));
        let host = self
            .prefix
            .splitn(4, '/')
            .take(3)
            .collect::<Vec<_>>()
            .join("/");
        let to = if found.to.starts_with('/') {
            format!("{host}{}", found.to)
        } else {
            found.to
        };
        let mapped = match found.status {
            // A rewrite: the server answers with another file.
            200 => match to.strip_prefix(&*self.prefix) {
                Some(inner) => {
                    // The query of the target does not choose the file.
                    let inner = inner.split(['?', '#']).next().unwrap_or_default();
                    let exact = self.lookup(inner, files);
                    return Some(self.index(inner, exact, files, note));
                }
                None => Mapped::Redirect { status: 200, to },
            },
            300..=399 => Mapped::Redirect {
                status: found.status,
                to,
            },
            status => Mapped::Status(status),
        };
        Some(Mapping {
            mapped,
            right_case: None,
        })
    }

    /// Applies the rules for index files and extensions.
    fn index(
        &self,
        inner: &str,
        exact: Lookup,
        files: &Files,
        note: &mut dyn FnMut(String),
    ) -> Mapping {
        let has_slash = inner.is_empty() || inner.ends_with('/');
        let (trimmed, preset) = (inner.trim_end_matches('/'), self.preset);
        let mut candidates = Vec::new();
        if !has_slash && preset.adds_extension() {
            candidates.push(format!("{trimmed}.html"));
        }
        if matches!(exact.found, Found::Folder(_)) {
            candidates.push(format!("{trimmed}/index.html"));
        }
        if has_slash && preset.ignores_slash() && !trimmed.is_empty() {
            candidates.push(format!("{trimmed}.html"));
        }
        if let (Found::File(_), false) = (&exact.found, has_slash) {
            candidates.insert(0, trimmed.to_owned());
        }
        for candidate in candidates {
            let lookup = self.lookup(&candidate, files);
            if let Found::File(file) = lookup.found {
                note(format!("preset {preset}: {}", self.shown(&file)));
                return Mapping {
                    mapped: Mapped::File(file),
                    right_case: exact.right_case,
                };
            }
        }
        note("no file: 404".to_owned());
        let nearest = match exact.found {
            Found::Missing { nearest } => nearest,
            _ => None,
        };
        Mapping {
            mapped: Mapped::Missing { nearest },
            right_case: None,
        }
    }
}

/// Decodes a path. Returns `None` if a segment contains an escaped slash, or is not UTF-8.
pub(crate) fn decode_path(path: &str) -> Option<std::borrow::Cow<'_, str>> {
    if !path.contains('%') {
        return Some(path.into());
    }
    let has_slash = path
        .as_bytes()
        .windows(3)
        .any(|escape| escape.eq_ignore_ascii_case(b"%2f"));
    if has_slash {
        return None;
    }
    let decoded = percent::decode(path, Place::Path, Standard::Rfc3987).ok()?;
    decoded.decode_utf8().ok()
}
