//! Looks for the fragments of links to files. Each file is read once.

use super::local::{Memory, Place};
use super::{Run, lock, read_limited};
use crate::fragment::{Anchors, Profile, Sought};
use crate::table::{Answer, StringId};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use urikit_extract::document::Format;

/// The maximum size of a file whose fragments are checked, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// A file and the fragments to look for.
struct Search<'r> {
    target: u32,
    content: SearchIn<'r>,
    fragments: Vec<(StringId, String)>,
}

enum SearchIn<'r> {
    File(&'r Place),
    Memory(Arc<Memory>),
}

impl Run {
    /// Looks for all fragments that no earlier call has looked for.
    pub(super) fn check_fragments(&self) {
        let searches = self.searches();
        let next = AtomicUsize::new(0);
        let found: Vec<_> = thread::scope(|scope| {
            let work = || {
                let mut found = Vec::new();
                while !self.is_stopped() {
                    let Some(search) = searches.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    self.search(search, &mut found);
                }
                found
            };
            let workers: Vec<_> = (0..self.check.threads())
                .map(|_| scope.spawn(work))
                .collect();
            let found = workers.into_iter().filter_map(|worker| worker.join().ok());
            found.flatten().collect()
        });
        let mut table = lock(&self.table);
        for (key, sought) in found {
            table.fragments.insert(key, Some(sought));
        }
    }

    /// Returns the files with fragments to look for.
    fn searches(&self) -> Vec<Search<'_>> {
        let table = lock(&self.table);
        let mut searches: Vec<Search<'_>> = Vec::new();
        for ((target, fragment), sought) in &table.fragments {
            if sought.is_some() {
                continue;
            }
            let text = (*fragment, table.strings.get(*fragment).to_owned());
            if let Some(last) = searches.last_mut().filter(|last| last.target == *target) {
                last.fragments.push(text);
                continue;
            }
            let content = match (self.places.get(target), table.get(*target)) {
                (Some(place), _) => SearchIn::File(place),
                (None, Some(known)) if matches!(known.answer, Answer::Ok) => {
                    match self.in_memory(table.url(*target)) {
                        Some(memory) => SearchIn::Memory(memory),
                        None => continue,
                    }
                }
                _ => continue,
            };
            searches.push(Search {
                target: *target,
                content,
                fragments: vec![text],
            });
        }
        searches
    }

    fn search(&self, search: &Search<'_>, found: &mut Vec<((u32, StringId), Sought)>) {
        let (anchors, has_lines) = match &search.content {
            SearchIn::Memory(memory) => {
                let profile = self.check.profile.unwrap_or(Profile::Github);
                (
                    Some(Anchors::read(memory.format, &memory.bytes, profile)),
                    false,
                )
            }
            SearchIn::File(place) => (self.anchors(&place.path), place.has_lines),
        };
        for (id, text) in &search.fragments {
            let sought = sought(anchors.as_ref(), text, has_lines);
            found.push(((search.target, *id), sought));
        }
    }

    /// Looks for one fragment in a file. `read` contains the last file that was read.
    pub(super) fn sought_in(
        &self,
        place: &Place,
        fragment: &str,
        read: &mut Option<(PathBuf, Option<Anchors>)>,
    ) -> Sought {
        if read.as_ref().is_none_or(|(path, _)| *path != place.path) {
            *read = Some((place.path.clone(), self.anchors(&place.path)));
        }
        let anchors = read.as_ref().and_then(|(_, anchors)| anchors.as_ref());
        sought(anchors, fragment, place.has_lines)
    }

    /// Reads the anchors of a file, or of the page that is shown for a folder.
    fn anchors(&self, path: &Path) -> Option<Anchors> {
        let path = if path.is_dir() {
            index_of(path)?
        } else {
            path.to_owned()
        };
        let content = read_limited(&path, MAX_FILE).ok()?;
        let format = Format::guess(&path.to_string_lossy(), &content);
        let profile = match format {
            Some(Format::Markdown) => self.profiles.of(&path),
            _ => Profile::default(),
        };
        Some(Anchors::read(format, &content, profile))
    }
}

/// Looks for a fragment in a document; `None` is a document that cannot be read.
fn sought(anchors: Option<&Anchors>, fragment: &str, has_lines: bool) -> Sought {
    let Some(anchors) = anchors else {
        return Sought::Unknown;
    };
    let lines = has_lines.then(|| anchors.find_lines(fragment)).flatten();
    lines.unwrap_or_else(|| anchors.find(fragment))
}

/// Returns the page that servers or forges show for a folder.
fn index_of(folder: &Path) -> Option<PathBuf> {
    let names = [
        "index.html",
        "README.md",
        "readme.md",
        "README.rst",
        "index.md",
    ];
    { names }
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_file())
}
