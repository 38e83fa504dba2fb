//! `--recursive`: copies the files below a URL, and the pages that they link to, into a folder.
//!
//! ```text
//! copy → queue of URLs → client → store (a file, or the entries of a listing) → links of pages
//!   scope: the URLs below the first one, the names of their files, and redirects
//!   layout: the files in the folder
//! ```

mod layout;
mod links;
mod scope;
mod store;

use layout::{FileId, Layout};
use links::Page;
use scope::{RedirectScope, Scope, key, without_fragment};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io;
use std::path::PathBuf;
use store::Store;
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};
use urikit_access::policy::Refusal;
use urikit_access::{Client, Credentials, Error, ErrorKind, Prompt, Request, Response};

/// The options of a copy.
#[derive(Debug)]
pub(super) struct Tree {
    /// The folder to write into.
    pub(super) folder: PathBuf,
    /// The maximum number of links between the first URL and another.
    pub(super) level: usize,
    /// `--convert-links`: links in HTML point to the copies.
    pub(super) converts: bool,
    /// The maximum number of URLs.
    pub(super) max: u64,
}

/// The outcome for a URL.
pub(super) struct Copied<'a> {
    pub(super) url: &'a str,
    pub(super) response: &'a Result<Response, Error>,
    /// A note that replaces the error, if any: a URL may be left out on purpose.
    pub(super) note: Option<String>,
}

type Report<'a> = dyn FnMut(Copied<'_>) -> io::Result<()> + 'a;

/// Copies the reference of a request and the URLs below it. Calls `report` for each URL.
pub(super) fn copy(
    tree: &Tree,
    request: &Request<'_>,
    client: &mut Client,
    prompt: &mut dyn Prompt,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let first = without_fragment(request.reference.as_str());
    let Some(scope) = Scope::of(request.reference) else {
        let why = "only ftp, ftps, gopher, http and https URLs can be copied recursively";
        return failed(first, Error::new(ErrorKind::Unsupported(why)), report);
    };
    // The URLs of entries repeat the user of the first URL, but not its password.
    let login = login_of(request.reference);
    let mut request = *request;
    request.credentials = request.credentials.or(login.as_ref());
    let mut copier = Copier {
        tree,
        client,
        prompt,
        scope,
        layout: Layout::new(&tree.folder),
        queue: VecDeque::from([(first.to_owned(), 0)]),
        seen: HashSet::from([key(first)]),
        pages: BTreeMap::new(),
    };
    while let Some((url, depth)) = copier.queue.pop_front() {
        copier.copy_url(&url, depth, &mut request, report)?;
    }
    if tree.converts {
        copier.convert_links(report)?;
    }
    Ok(())
}

/// A copy in progress.
struct Copier<'a> {
    tree: &'a Tree,
    client: &'a mut Client,
    prompt: &'a mut dyn Prompt,
    scope: Scope,
    layout: Layout<'a>,
    /// The URLs to copy, with their depths.
    queue: VecDeque<(String, usize)>,
    /// The keys of all URLs that were ever in the queue.
    seen: HashSet<String>,
    /// The pages with links, and their URLs.
    pages: BTreeMap<FileId, String>,
}

/// The outcome of fetching one URL.
struct Fetched {
    response: Result<Response, Error>,
    /// The URLs in the listing or page.
    links: Vec<String>,
    /// The file, unless it is a listing.
    file: Option<FileId>,
    /// True if the file is a page with links.
    is_page: bool,
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
        // A redirect from an earlier URL may have copied it already.
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
        let Fetched {
            mut response,
            links,
            file,
            is_page,
        } = self.fetch(&asked, &redirects);
        let mut note = None;
        if !is_first {
            // The server chose this URL, so an error in it is not the user's.
            response = response.map_err(Error::with_network_source);
        }
        match &response {
            Ok(response) if is_first => {
                if let Some(moved) = self.scope.moved(&response.final_uri) {
                    // Without a redirect, only the spelling of the host differs.
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
        report(Copied {
            url,
            response: &response,
            note,
        })?;
        if let (Some(file), Ok(response)) = (file, response) {
            self.layout.complete([url, &response.final_uri], file);
            if is_page {
                self.pages.insert(file, response.final_uri);
            }
        }
        if depth < self.tree.level {
            self.follow(url, depth, links, report)?;
        }
        Ok(())
    }

    /// Fetches one URL into a file, or collects the entries of a listing.
    fn fetch(&mut self, request: &Request<'_>, redirects: &RedirectScope<'_>) -> Fetched {
        let max = self.tree.max;
        let mut store = Store::new(&mut self.layout, redirects, request.reference, max);
        let response = self.client.fetch(request, &mut *self.prompt, &mut store);
        let ended = store.end(response.is_ok());
        let mut fetched = Fetched {
            response,
            links: Vec::new(),
            file: None,
            is_page: false,
        };
        let Ok(response) = &fetched.response else {
            return fetched;
        };
        let local = |error| Error::new(ErrorKind::Local(error));
        match ended {
            Ok((entries, file)) => (fetched.links, fetched.file) = (entries, file),
            Err(error) => {
                fetched.response = Err(local(error));
                return fetched;
            }
        }
        let media_type = response.metadata.media_type.as_deref().unwrap_or_default();
        if let Some(file) = fetched.file
            && links::is_html(media_type)
        {
            fetched.is_page = true;
            let path = self.layout.path(file).to_owned();
            match Page::new(path, response.final_uri.clone()).links() {
                Ok(links) => fetched.links = links,
                Err(error) => fetched.response = Err(local(error)),
            }
        }
        fetched
    }

    /// Adds the links of a URL that are in scope to the queue.
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
            if u64::try_from(self.seen.len()).unwrap_or(u64::MAX) >= self.tree.max {
                self.queue.clear();
                return failed(url, Error::new(ErrorKind::Local(too_many())), report);
            }
            if self.seen.insert(key(&link)) {
                self.queue.push_back((link, depth + 1));
            }
        }
        Ok(())
    }

    /// Converts the links of all pages.
    fn convert_links(&self, report: &mut Report<'_>) -> io::Result<()> {
        for (file, base) in &self.pages {
            let page = Page::new(self.layout.path(*file).to_owned(), base.clone());
            if let Err(error) = page.convert(&self.layout) {
                let error = Error::new(ErrorKind::Local(error)).with_step("converting links");
                failed(base, error, report)?;
            }
        }
        Ok(())
    }
}

/// The message for a copy that exceeds `--max-items`.
fn too_many() -> io::Error {
    io::Error::other("more URLs than --max-items allows")
}

/// Reports an error.
fn failed(url: &str, error: Error, report: &mut Report<'_>) -> io::Result<()> {
    report(Copied {
        url,
        response: &Err(error),
        note: None,
    })
}

/// Returns a note if the copy is not below the URL that the user gave.
fn note_of_move(from: &Scope, to: &Scope, url: &str) -> Option<String> {
    let url = Standard::Rfc3986.parse(url).ok()?;
    let is_below = from.path(url).is_some() && to.has_origin_of(from);
    (!is_below).then(|| {
        let url = url.display_redacted();
        format!("redirected to {url}: copying the files below that URL")
    })
}

/// Returns the login in a URL.
fn login_of(reference: AnyRef<'_>) -> Option<Credentials> {
    let text = |part: Encoded<'_>| Some(part.decode_utf8().ok()?.into_owned());
    Some(Credentials {
        user: text(reference.user()?)?,
        password: text(reference.password()?)?,
    })
}
