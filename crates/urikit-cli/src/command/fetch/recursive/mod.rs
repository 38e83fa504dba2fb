//! `--recursive`: copies the files under a URL, and the pages that they link to, into a folder.
//!
//! ```text
//! copy → queue of URLs → client → store (a file, or the entries of a listing) → links of pages
//!   scope: the URLs under the first one, the names of their files, and redirects
//!   layout: the files in the folder
//! ```

mod layout;
mod links;
mod scope;
mod store;

use super::destination::Saved;
use indicatif::HumanBytes;
pub(super) use layout::Moved;
use layout::{FileId, Layout};
use links::{MAX_COUNTED, Page};
use scope::{RedirectScope, Scope, key, without_fragment};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;
use store::Store;
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::{
    Client, Credentials, Error, ErrorKind, Metadata, Prompt, Request, Response, Sink, Wanted,
};
use urikit_extract::document::{Collected, Format};

/// The options of a copy.
#[derive(Debug)]
pub(super) struct Tree {
    /// The destination folder. By default, it is named after the host.
    pub(super) folder: Option<PathBuf>,
    /// The maximum number of links from the first URL to any other URL.
    pub(super) depth: usize,
    /// `--convert-links`: makes links in HTML and CSS point to the copies.
    pub(super) converts: bool,
    /// `-N`: skips files that have not changed.
    pub(super) keeps_unchanged: bool,
    /// The maximum number of URLs.
    pub(super) max: u64,
}

/// The outcome of copying a URL.
pub(super) struct Copied<'a> {
    pub(super) url: &'a str,
    pub(super) response: &'a Result<Response, Error>,
    /// The file, or `None` for a listing.
    pub(super) file: Option<&'a Saved>,
    /// True if the file of an earlier copy was kept.
    pub(super) is_unchanged: bool,
    /// The files that were moved because this URL needed their names for folders.
    pub(super) moved: Vec<Moved>,
    /// A note instead of an error, for a URL that was left out on purpose.
    pub(super) note: Option<String>,
}

/// The number of files, and of URLs, in a copy.
#[derive(Default)]
pub(super) struct Summary {
    copied: u64,
    bytes: u64,
    /// The number of copied files that replaced existing ones.
    replaced: u64,
    unchanged: u64,
    left_out: u64,
    failed: u64,
}

impl Summary {
    fn count(&mut self, fetched: &Fetched, is_left_out: bool) {
        match &fetched.response {
            Err(_) if is_left_out => self.left_out += 1,
            Err(_) => self.failed += 1,
            Ok(_) if fetched.is_unchanged => self.unchanged += 1,
            Ok(response) if fetched.file.is_some() => {
                self.copied += 1;
                self.bytes = self.bytes.saturating_add(response.received);
                self.replaced += u64::from(fetched.is_replaced);
            }
            Ok(_) => {} // a list
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.copied == 1 { "" } else { "s" };
        write!(
            f,
            "copied {} file{plural} ({})",
            self.copied,
            HumanBytes(self.bytes)
        )?;
        for (number, what) in [
            (self.replaced, "replaced"),
            (self.unchanged, "unchanged"),
            (self.left_out, "left out"),
            (self.failed, "failed"),
        ] {
            if number > 0 {
                write!(f, ", {number} {what}")?;
            }
        }
        Ok(())
    }
}

type Report<'a> = dyn FnMut(Copied<'_>) -> io::Result<()> + 'a;

/// Copies the reference of a request and the URLs under it. Calls `report` for each URL.
pub(super) fn copy(
    tree: &Tree,
    request: &Request<'_>,
    client: &Client,
    prompt: &mut dyn Prompt,
    report: &mut Report<'_>,
) -> io::Result<Summary> {
    let first = without_fragment(request.reference.as_str());
    let Some(scope) = Scope::of(request.reference) else {
        let why = "only ftp, ftps, gopher, http and https URLs can be copied recursively";
        failed(first, Error::new(ErrorKind::Unsupported(why)), report)?;
        return Ok(Summary::default());
    };
    // The URLs of entries repeat the user of the first URL, but not its password.
    let login = login_of(request.reference);
    let folder = tree.folder.clone();
    let folder = folder.unwrap_or_else(|| scope.folder().into());
    let mut request = *request;
    request.credentials = request.credentials.or(login.as_ref());
    let mut copier = Copier {
        tree,
        client,
        prompt,
        scope,
        layout: Layout::new(&folder),
        queue: VecDeque::from([(first.to_owned(), 0)]),
        seen: Seen::new(first),
        pages: BTreeMap::new(),
        summary: Summary::default(),
    };
    while let Some((url, depth)) = copier.queue.pop_front() {
        copier.copy_url(&url, depth, &mut request, report)?;
    }
    if tree.converts {
        copier.convert_links(report)?;
    }
    Ok(copier.summary)
}

/// A copy in progress.
struct Copier<'a> {
    tree: &'a Tree,
    client: &'a Client,
    prompt: &'a mut dyn Prompt,
    scope: Scope,
    layout: Layout<'a>,
    /// The URLs to copy, with their depths.
    queue: VecDeque<(String, usize)>,
    seen: Seen,
    /// The pages with links, and their formats and URLs.
    pages: BTreeMap<FileId, (Format, String)>,
    summary: Summary,
}

/// The URLs that have ever been in the queue.
struct Seen {
    /// The keys of the URLs.
    keys: HashSet<String>,
    collected: Collected,
}

impl Seen {
    fn new(first: &str) -> Self {
        Self {
            keys: HashSet::from([key(first)]),
            collected: Collected::new(MAX_COUNTED),
        }
    }

    /// Adds a URL. Returns false if it has already been added. Fails if `max` URLs have been added,
    /// or if together they are too long.
    fn insert(&mut self, url: &str, max: u64) -> io::Result<bool> {
        if u64::try_from(self.keys.len()).unwrap_or(u64::MAX) >= max {
            return Err(too_many());
        }
        let key = key(url);
        if self.keys.contains(&key) {
            return Ok(false);
        }
        if !self.collected.take(key.len()) {
            return Err(too_long());
        }
        self.keys.insert(key);
        Ok(true)
    }
}

/// The outcome of fetching one URL.
struct Fetched {
    response: Result<Response, Error>,
    /// The URLs that the listing or page contains.
    links: Vec<String>,
    /// The file, or `None` for a listing.
    file: Option<FileId>,
    /// The format of a page with links.
    format: Option<Format>,
    /// True if the file of an earlier copy was kept.
    is_unchanged: bool,
    /// True if the file replaced an existing file.
    is_replaced: bool,
}

impl Copier<'_> {
    /// Copies one URL, and adds its links to the queue.
    fn copy_url(
        &mut self,
        url: &str,
        depth: usize,
        request: &mut Request<'_>,
        report: &mut Report<'_>,
    ) -> io::Result<()> {
        // This URL may already have been copied through a redirect from an earlier URL.
        if self.layout.of(url).is_some() {
            return Ok(());
        }
        let is_first = depth == 0;
        let standard = if is_first {
            request.reference.standard()
        } else {
            Standard::Rfc3986
        };
        let Ok(reference) = standard.parse(url) else {
            return Ok(());
        };
        let scope = self.scope.clone();
        let redirects = RedirectScope::new((!is_first).then_some(&scope));
        let mut asked = request.redirects(&redirects);
        asked.reference = reference;
        let mut fetched = match self.unchanged(&asked, &redirects) {
            Some(fetched) => fetched,
            None => self.fetch(&asked, &redirects),
        };
        let mut note = None;
        if !is_first {
            // The server chose this URL, so an error in it does not count as invalid input.
            fetched.response = fetched.response.map_err(Error::with_network_source);
        }
        match &fetched.response {
            Ok(response) if is_first => {
                if let Some(moved) = self.scope.moved(&response.final_uri) {
                    // If no redirect was followed, only the spelling of the host differs.
                    if redirects.is_redirected() {
                        note = note_of_move(&self.scope, &moved, &response.final_uri);
                        if !moved.has_origin_of(&self.scope) {
                            // Only the first server may receive the login.
                            request.credentials = None;
                            *request = request.foreign();
                        }
                    }
                    self.scope = moved;
                }
            }
            Err(error) => {
                if let ErrorKind::Refused(Refusal::Target { to }) = error.kind() {
                    note = Some(format!("not copied: redirected to {to}"));
                }
            }
            Ok(_) => {}
        }
        self.summary.count(&fetched, note.is_some());
        let file = fetched.file.filter(|_| fetched.response.is_ok());
        let moved = self.layout.take_moved();
        report(Copied {
            url,
            response: &fetched.response,
            file: file.and_then(|file| self.layout.file(file)),
            is_unchanged: fetched.is_unchanged,
            moved,
            note,
        })?;
        let links = fetched.links;
        if let (Some(file), Ok(response)) = (fetched.file, fetched.response) {
            if response.final_uri != url && !self.seen.collected.take(response.final_uri.len()) {
                return self.stop(url, too_long(), report);
            }
            self.layout.complete([url, &response.final_uri], file);
            // A kept file still has the server's links, because converting them would have changed
            // its date.
            if let Some(format) = fetched.format {
                self.pages.insert(file, (format, response.final_uri));
            }
        }
        if depth < self.tree.depth {
            self.follow(url, depth, links, report)?;
        }
        Ok(())
    }

    /// Ends the copy with an error.
    fn stop(&mut self, url: &str, error: io::Error, report: &mut Report<'_>) -> io::Result<()> {
        self.queue.clear();
        failed(url, Error::new(ErrorKind::Local(error)), report)
    }

    /// Fetches one URL into a file, or collects the entries of a listing.
    fn fetch(&mut self, request: &Request<'_>, redirects: &RedirectScope<'_>) -> Fetched {
        let max = self.tree.max;
        let mut store = Store::new(&mut self.layout, redirects, request.reference, max);
        let response = self.client.fetch(request, &mut *self.prompt, &mut store);
        let mut fetched = Fetched {
            response,
            links: Vec::new(),
            file: None,
            format: None,
            is_unchanged: false,
            is_replaced: store.is_replaced(),
        };
        let ended = store.end(fetched.response.is_ok());
        if fetched.response.is_err() {
            return fetched;
        }
        let local = |error| Error::new(ErrorKind::Local(error));
        match ended {
            Ok((entries, file)) => (fetched.links, fetched.file) = (entries, file),
            Err(error) => {
                fetched.response = Err(local(error));
                return fetched;
            }
        }
        self.read_links(&mut fetched);
        fetched
    }

    /// Adds the links on a page.
    fn read_links(&self, fetched: &mut Fetched) {
        let (Ok(response), Some(file)) = (&fetched.response, fetched.file) else {
            return;
        };
        let media_type = response.metadata.media_type.as_deref().unwrap_or_default();
        fetched.format = links::format_of(media_type);
        if let Some(format) = fetched.format {
            let path = self.layout.path(file).to_owned();
            match Page::new(path, format, response.final_uri.clone()).links() {
                Ok(links) => fetched.links = links,
                Err(error) => fetched.response = Err(Error::new(ErrorKind::Local(error))),
            }
        }
    }

    /// With `-N`, asks the server for the size and date of a file. Returns the file of an earlier
    /// copy if it has the same size and date.
    fn unchanged(
        &mut self,
        request: &Request<'_>,
        redirects: &RedirectScope<'_>,
    ) -> Option<Fetched> {
        let is_list = request.reference.path().as_str().ends_with('/')
            && !request.reference.scheme()?.starts_with("http");
        if !self.tree.keeps_unchanged || is_list {
            return None;
        }
        let question = request.wanted(Wanted::Metadata);
        let answered = self
            .client
            .fetch(&question, &mut *self.prompt, &mut Nothing);
        let response = answered.ok()?;
        let metadata = &response.metadata;
        let modified = SystemTime::from(metadata.modified.filter(|_| !metadata.is_listing)?);
        let (url, names) = redirects.names(request.reference)?;
        let file = self.layout.choose(&url, &names).ok()?;
        let there = std::fs::symlink_metadata(self.layout.path(file)).ok()?;
        let is_same = there.is_file()
            && metadata.size.is_none_or(|size| size == there.len())
            && there.modified().is_ok_and(|date| date == modified);
        let mut fetched = Fetched {
            response: Ok(response),
            links: Vec::new(),
            file: Some(file),
            format: None,
            is_unchanged: true,
            is_replaced: false,
        };
        self.read_links(&mut fetched);
        (is_same && fetched.response.is_ok()).then_some(fetched)
    }

    /// Adds the links found at a URL to the queue if they are in scope.
    fn follow(
        &mut self,
        url: &str,
        depth: usize,
        links: Vec<String>,
        report: &mut Report<'_>,
    ) -> io::Result<()> {
        for link in links {
            let parsed = Standard::Rfc3986.parse(&link);
            if !parsed.is_ok_and(|link| self.scope.path(link).is_some()) {
                continue;
            }
            match self.seen.insert(&link, self.tree.max) {
                Ok(true) => self.queue.push_back((link, depth + 1)),
                Ok(false) => {}
                Err(error) => return self.stop(url, error, report),
            }
        }
        Ok(())
    }

    /// Converts the links on all pages.
    fn convert_links(&self, report: &mut Report<'_>) -> io::Result<()> {
        for (file, (format, base)) in &self.pages {
            let page = Page::new(self.layout.path(*file).to_owned(), *format, base.clone());
            if let Err(error) = page.convert(&self.layout) {
                let error = Error::new(ErrorKind::Local(error)).with_step("converting links");
                failed(base, error, report)?;
            }
        }
        Ok(())
    }
}

/// Discards the content that a request for metadata returns.
struct Nothing;

impl Sink for Nothing {
    fn begin(&mut self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }
}

/// The message for a copy that exceeds `--max-items`.
fn too_many() -> io::Error {
    io::Error::other("more URLs than --max-items allows")
}

/// The message for URLs that would take too much memory.
fn too_long() -> io::Error {
    io::Error::other("together, the URLs are longer than 257 MiB")
}

/// Reports an error.
fn failed(url: &str, error: Error, report: &mut Report<'_>) -> io::Result<()> {
    report(Copied {
        url,
        response: &Err(error),
        file: None,
        is_unchanged: false,
        moved: Vec::new(),
        note: None,
    })
}

/// Returns a note if the scope of the copy is not under the URL that the user gave.
fn note_of_move(from: &Scope, to: &Scope, url: &str) -> Option<String> {
    let url = Standard::Rfc3986.parse(url).ok()?;
    let is_below = from.path(url).is_some() && to.has_origin_of(from);
    (!is_below).then(|| {
        let url = url.display_redacted();
        format!("redirected to {url}: copying the files under that URL")
    })
}

/// Returns the user and password in a URL.
fn login_of(reference: AnyRef<'_>) -> Option<Credentials> {
    let text = |part: Encoded<'_>| Some(part.decode_utf8().ok()?.into_owned());
    Some(Credentials {
        user: text(reference.user()?)?,
        password: text(reference.password()?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use urikit_extract::document::Collected;

    #[test]
    fn the_urls_of_a_copy_are_limited() {
        let mut seen = Seen::new("http://a.example/");
        seen.collected = Collected::default();
        assert!(!seen.insert("http://A.example/#top", 9).unwrap());
        assert!(seen.insert("http://a.example/b", 9).unwrap());
        let long = format!("http://a.example/{}", "x".repeat(1 << 19));
        assert!(seen.insert(&long, 9).unwrap());
        assert!(!seen.insert(&long, 9).unwrap());
        let error = seen.insert(&format!("{long}y"), 9).unwrap_err();
        assert!(error.to_string().contains("257 MiB"), "{error}");
        let error = seen.insert("http://a.example/c", 3).unwrap_err();
        assert!(error.to_string().contains("--max-items"), "{error}");
    }
}
