//! Collects the links in all sources.

use super::{Run, lock};
use crate::document::{Base, DocumentKind, Links, Source, SourceKind, read, read_file, with_base};
use crate::probe::Content;
use crate::results::{DocumentRecord, Failure};
use crate::run::local::Memory;
use crate::run::recursion::Page;
use crate::scheme::scheme_of;
use crate::table::{LinkRecord, LinkState, StringId, Table, split_fragment};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use urikit_extract::document::{Format, Found};

/// The number of links that are collected before the table is locked.
const BATCH: usize = 4096;

impl Run {
    /// Reads all sources on several threads.
    pub(super) fn collect(&self, sources: impl Iterator<Item = Source> + Send) {
        let sources = Mutex::new(sources.enumerate());
        thread::scope(|scope| {
            for _ in 0..self.check.threads() {
                scope.spawn(|| {
                    while !self.is_stopped() {
                        let next = lock(&sources).next();
                        let Some((order, source)) = next else {
                            return;
                        };
                        self.read(order, source);
                    }
                });
            }
        });
    }

    fn read(&self, order: usize, source: Source) {
        match source.kind {
            SourceKind::Unreadable(reason) => self.fail(order, source.name, reason),
            SourceKind::Url(url) => lock(&self.pages).sources.push((order, url)),
            SourceKind::Bytes(bytes) => {
                let base =
                    self.check.folder.as_ref().and_then(|folder| {
                        self.bases.of(&folder.join("-"), None, &self.check.sites)
                    });
                self.read_bytes(order, &source.name, bytes, base);
            }
            SourceKind::File { path, folder } => {
                let base = self.bases.of(&path, folder.as_deref(), &self.check.sites);
                let url = base.as_ref().and_then(|base| url_in(base, &path));
                let extractor = match &url {
                    Some(url) => with_base(&self.extractor, url),
                    None => self.extractor.clone(),
                };
                let name = source.name;
                let format = self.check.format.or_else(|| Format::guess(&name, b""));
                let mut collected = Collector::new(self, order, &name, Some(path.clone()), base);
                collected.format = format;
                let given = self.check.format;
                let outcome = read_file(&path, &name, given, &extractor, &mut collected);
                // Folders usually contain pictures and other files that are not documents.
                let is_document = folder.is_none() || format != Some(Format::Text);
                self.end(collected, outcome, order, name, is_document);
            }
        }
    }

    /// Reads a document in memory, and keeps it for links to its own fragments.
    fn read_bytes(&self, order: usize, name: &str, bytes: Vec<u8>, base: Option<Arc<Base>>) {
        let url = base
            .as_ref()
            .map(|base| format!("{}{}", base.folder, order));
        let extractor = match &url {
            Some(url) => with_base(&self.extractor, url),
            None => self.extractor.clone(),
        };
        let given = self.check.format;
        let format = given.or_else(|| Format::guess(name, &bytes));
        let mut collected = Collector::new(self, order, name, None, base);
        collected.format = format;
        let outcome = read(&bytes, name, given, &extractor, &mut collected);
        if let Some(url) = url {
            let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
            memory.insert(url, Arc::new(Memory { format, bytes }));
        }
        self.end(collected, outcome, order, name.to_owned(), true);
    }

    /// Reads a page from the network. The page's links are resolved against its URL.
    pub(super) fn read_page(&self, page: &Page, name: &str, url: &str, content: &Content) {
        let extractor = with_base(&self.extractor, url);
        let charset = content.charset.as_deref();
        let decoding = charset.and_then(|label| extractor.clone().charset(label));
        let extractor = decoding.unwrap_or(extractor);
        let mut collected = Collector::new(self, page.order, name, None, None);
        collected.format = content.format;
        let (format, bytes) = (content.format, &content.bytes);
        let outcome = read(bytes, name, format, &extractor, &mut collected);
        let is_source = page.start.is_none();
        self.end(collected, outcome, page.order, name.to_owned(), is_source);
    }

    /// Ends a document. If it is binary and the user expects it to be read, it is reported as
    /// skipped.
    fn end(
        &self,
        mut collected: Collector<'_>,
        outcome: Result<DocumentKind, String>,
        order: usize,
        name: String,
        is_expected: bool,
    ) {
        // Links that were found before an error are valid results.
        match outcome {
            Ok(DocumentKind::Text(format)) => collected.document.format = Some(format),
            Ok(DocumentKind::Binary) if is_expected => lock(&self.skipped).push((order, name)),
            Ok(_) => {}
            Err(reason) => self.fail(order, name, reason),
        }
        collected.end_document();
    }

    pub(super) fn fail(&self, order: usize, name: String, reason: String) {
        lock(&self.failures).push(Failure {
            order,
            name,
            reason,
        });
    }
}

/// Returns the URL of a file, given the base of its folder.
fn url_in(base: &Base, path: &std::path::Path) -> Option<String> {
    let mut url = base.folder.clone();
    crate::site::push_path(&mut url, path.file_name()?.as_ref())?;
    Some(url)
}

/// Collects the links in one document and in its entries.
struct Collector<'r> {
    run: &'r Run,
    base: Option<Arc<Base>>,
    format: Option<Format>,
    order: usize,
    document: DocumentRecord,
    batch: Vec<NewLink>,
    /// The name of the document, without the name of an entry.
    name: String,
    declared: DeclaredBase,
}

/// The `<base href>` of an HTML document, as far as it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DeclaredBase {
    None,
    /// The base begins with `/`, so it is relative to the root of the site.
    Root,
    Other,
}

/// A link before its strings are interned.
struct NewLink {
    record: LinkRecord,
    reference: String,
    target: Option<String>,
}

impl<'r> Collector<'r> {
    fn new(
        run: &'r Run,
        order: usize,
        name: &str,
        path: Option<PathBuf>,
        base: Option<Arc<Base>>,
    ) -> Self {
        Self {
            run,
            base,
            format: None,
            order,
            document: DocumentRecord {
                order,
                name: Arc::from(name),
                path,
                format: None,
                links: Vec::new(),
            },
            batch: Vec::new(),
            name: name.to_owned(),
            declared: DeclaredBase::None,
        }
    }

    /// Adds the collected links to the table.
    fn flush(&mut self) {
        let mut table = lock(&self.run.table);
        for link in self.batch.drain(..) {
            let mut record = link.record;
            record.reference = table.strings.intern(&link.reference);
            if let Some(target) = &link.target {
                add_target(&mut table, &mut record, target);
            }
            self.document.links.push(record);
        }
    }

    /// Ends the document, and adds it to the run.
    fn end_document(&mut self) {
        self.flush();
        let next = DocumentRecord {
            order: self.order,
            name: Arc::from(&*self.name),
            path: None,
            format: None,
            links: Vec::new(),
        };
        let mut document = std::mem::replace(&mut self.document, next);
        document.links.shrink_to_fit();
        lock(&self.run.documents).push(document);
    }

    /// Returns the target of a reference.
    fn target(&self, found: &Found<'_>) -> Option<String> {
        let target = found.target().or_else(|| absolute(found))?;
        let Some(base) = self.base.as_ref().filter(|base| !base.is_site()) else {
            return Some(target);
        };
        let reference = found.uri().trim_start();
        let is_below_root = is_root_relative(reference)
            || self.declared == DeclaredBase::Root
                && scheme_of(reference).is_none()
                && !reference.starts_with("//");
        match target.strip_prefix("file:///") {
            // A reference such as `/a` is relative to the root of the site, not of the file system,
            // and so is every reference on a page whose base is such a reference.
            Some(path) if is_below_root => Some([base.root_url(self.format), path].concat()),
            // A reference such as `//host/a` has the scheme of the server.
            None if reference.starts_with("//") => {
                Some(["https:", target.strip_prefix("file:").unwrap_or(&target)].concat())
            }
            _ => Some(target),
        }
    }

    /// Returns true if a reference points outside the site.
    fn is_outside(&self, reference: &str, target: &str) -> bool {
        let Some(base) = &self.base else {
            return false;
        };
        if base.is_site() {
            let url = base.folder.splitn(4, '/').nth(3).unwrap_or_default();
            return leaves_root(reference, url.matches('/').count());
        }
        let is_file = target.starts_with("file:");
        is_file
            && base.bound_url().is_some_and(|bound| {
                !target.starts_with(bound) && Some(target) != bound.strip_suffix('/')
            })
    }
}

/// Returns true for a reference such as `/a`.
fn is_root_relative(reference: &str) -> bool {
    reference.starts_with('/') && !reference.starts_with("//")
}

/// Returns the target of a reference in a document without a base, if it is absolute.
fn absolute(found: &Found<'_>) -> Option<String> {
    let text = match found.repaired() {
        Some(repaired) => repaired.reference.to_string(),
        None if found.is_valid() => found.uri().to_owned(),
        None => return None,
    };
    scheme_of(&text).is_some().then_some(text)
}

/// Returns true if the `..` segments of a relative reference lead above the root.
fn leaves_root(reference: &str, depth: usize) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    if scheme_of(path).is_some() || path.starts_with("//") {
        return false;
    }
    let mut depth = if path.starts_with('/') { 0 } else { depth };
    let mut segments = path.trim_start_matches('/').split('/').peekable();
    while let Some(segment) = segments.next() {
        match segment {
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            "." | "" => {}
            _ if segments.peek().is_some() => depth += 1,
            _ => {}
        }
    }
    false
}

/// Sets the target and the fragment of a link.
fn add_target(table: &mut Table, record: &mut LinkRecord, target: &str) {
    let (url, fragment) = split_fragment(target);
    record.request = table.target(url);
    if let Some(fragment) = fragment {
        record.fragment = table.strings.intern(fragment);
    }
}

impl Links for Collector<'_> {
    fn take(&mut self, entry: Option<&str>, found: &Found<'_>, is_ignored: bool) {
        if let Some(entry) = entry.filter(|entry| **entry != *self.document.name) {
            self.end_document();
            self.document.name = Arc::from(entry);
            // In archives too, HTML pages have a different root from other documents.
            self.format = Format::guess(entry, b"");
            self.declared = DeclaredBase::None;
        }
        let place = found.place();
        // Browsers resolve other references against the first base, but do not request it.
        let is_base = self.format == Some(Format::Html)
            && place.element() == Some("base")
            && self.declared == DeclaredBase::None;
        if is_base {
            self.declared = if is_root_relative(found.uri().trim_start()) {
                DeclaredBase::Root
            } else {
                DeclaredBase::Other
            };
        }
        // Links with these relations only name hosts to connect to early.
        let is_hint = place.has_rel("preconnect") || place.has_rel("dns-prefetch");
        let target = self.target(found);
        let state = match &target {
            _ if is_ignored || is_hint || is_base => LinkState::Excluded,
            _ if found.part().is_some() => LinkState::Part,
            Some(_) => LinkState::Requested,
            None if !found.is_valid() && found.repaired().is_none() => LinkState::Invalid,
            None => LinkState::NoBase,
        };
        let is_outside = target.as_ref().is_some_and(|target| {
            let remapped = self.run.check.selection.remapped(target);
            self.is_outside(found.uri(), remapped.as_ref().unwrap_or(target))
        });
        let position = found.position();
        let range = found.range();
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        let number = |number: Option<usize>| u32::try_from(number.unwrap_or(0)).unwrap_or(u32::MAX);
        self.batch.push(NewLink {
            record: LinkRecord {
                line: number(position.map(|at| at.line)),
                column: number(position.map(|at| at.column)),
                // Ranges in entries are offsets in the entry, not in the file.
                start: if entry.is_some() { u32::MAX } else { start },
                length: u32::try_from(range.len()).unwrap_or(u32::MAX),
                reference: StringId::NONE,
                request: u32::MAX,
                fragment: StringId::NONE,
                state,
                flags: if is_outside { LinkRecord::OUTSIDE } else { 0 },
            },
            reference: found.uri().to_owned(),
            target,
        });
        if self.batch.len() >= BATCH {
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::leaves_root;

    #[test]
    fn paths_above_the_root() {
        assert!(!leaves_root("../a", 1));
        assert!(leaves_root("../../a", 1));
        assert!(!leaves_root("x/../../a", 1));
        assert!(leaves_root("/../a", 1));
        assert!(!leaves_root("a?../../..", 0));
        assert!(!leaves_root("http://a/../../b", 0));
        assert!(leaves_root("..", 0));
    }
}
