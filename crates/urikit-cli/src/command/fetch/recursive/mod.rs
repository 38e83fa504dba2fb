//! `--recursive`: copies what listings and pages lead to, below the URL, into a folder.
//!
//! ```text
//! copy → queue of URLs → client → store (a file, or the entries of a listing)
//!   scope: which URLs are below the first, and the names of their files
//!   landing: where redirects lead      layout: the files      links: of HTML
//! ```

mod landing;
mod layout;
mod links;
mod scope;
mod store;
mod urls;

use landing::Landing;
use layout::{FileId, Layout};
use links::Page;
use scope::Scope;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io;
use std::path::PathBuf;
use store::Store;
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};
use urikit_access::policy::Refusal;
use urikit_access::{Client, Credentials, Error, ErrorKind, Prompt, Request, Response};
use urls::{key, without_fragment};

/// What is copied where.
#[derive(Debug)]
pub(super) struct Tree {
    /// The folder below which everything is written.
    pub(super) folder: PathBuf,
    /// How many links are followed from the first URL to another.
    pub(super) level: usize,
    /// Whether links in HTML lead to the copies.
    pub(super) converts: bool,
    /// The most URLs.
    pub(super) max: u64,
}

/// What became of a URL.
pub(super) struct Copied<'a> {
    pub(super) url: &'a str,
    pub(super) response: &'a Result<Response, Error>,
    /// What the user should know. It is no error, also if there is no response.
    pub(super) note: Option<String>,
}

type Report<'a> = dyn FnMut(Copied<'_>) -> io::Result<()> + 'a;

/// Copies what the reference of a request leads to.
pub(super) fn copy(
    tree: &Tree,
    request: &Request<'_>,
    client: &mut Client,
    prompt: &mut dyn Prompt,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let first = without_fragment(request.reference.as_str());
    let Some(mut scope) = Scope::of(request.reference) else {
        let what = "only ftp, ftps, gopher, http and https have trees to copy";
        return failed(first, Error::new(ErrorKind::Unsupported(what)), report);
    };
    // The URLs of entries have the user of the first URL, but not its password.
    let own = password_of(request.reference);
    let mut request = *request;
    request.credentials = request.credentials.or(own.as_ref());
    let mut queue = VecDeque::from([(first.to_owned(), 0)]);
    let mut seen = HashSet::from([key(first)]);
    let mut layout = Layout::new(&tree.folder);
    // The URLs of the pages with links.
    let mut pages = BTreeMap::new();
    while let Some((url, depth)) = queue.pop_front() {
        // A redirect may have led there already.
        if layout.of(&url).is_some() {
            continue;
        }
        let standard = if depth == 0 {
            request.reference.standard()
        } else {
            Standard::Rfc3986
        };
        let Ok(reference) = standard.parse(&url) else {
            continue;
        };
        let landing = Landing::within((depth > 0).then_some(&scope));
        let mut asked = request.redirects(&landing);
        asked.reference = reference;
        let Fetched {
            response,
            found,
            stored,
        } = fetch(tree.max, &mut layout, &landing, &asked, client, prompt);
        // The server chose the URL.
        let response = if depth == 0 {
            response
        } else {
            response.map_err(Error::with_network_source)
        };
        let mut note = None;
        match &response {
            Ok(response) if depth == 0 => {
                if let Some(moved) = scope.moved(&response.final_uri) {
                    // Without a redirect, it is the same host as the DNS has it.
                    if landing.is_redirected() {
                        note = note_of_move(&scope, &moved, &response.final_uri);
                        if !moved.has_origin_of(&scope) {
                            // They are for the first server.
                            request.credentials = None;
                            request = request.foreign();
                        }
                    }
                    scope = moved;
                }
            }
            Err(error) => {
                if let ErrorKind::Refused(Refusal::Target { to }) = error.kind() {
                    note = Some(format!("not copied: a redirect leads to {to}"));
                }
            }
            Ok(_) => {}
        }
        report(Copied {
            url: &url,
            response: &response,
            note,
        })?;
        if let (Some((file, is_page)), Ok(response)) = (stored, response) {
            layout.complete([&url, &response.final_uri], file);
            if is_page {
                pages.insert(file, response.final_uri);
            }
        }
        if depth >= tree.level {
            continue;
        }
        for link in found {
            let parsed = Standard::Rfc3986.parse(&link);
            if !parsed.is_ok_and(|link| scope.path(link).is_some()) {
                continue;
            }
            if u64::try_from(seen.len()).unwrap_or(u64::MAX) >= tree.max {
                let error = io::Error::other("more URLs than --max-items allows");
                failed(&url, Error::new(ErrorKind::Local(error)), report)?;
                queue.clear();
                break;
            }
            if seen.insert(key(&link)) {
                queue.push_back((link, depth + 1));
            }
        }
    }
    if tree.converts {
        for (file, base) in pages {
            let page = Page::new(layout.path(file).to_owned(), base);
            if let Err(error) = page.convert(&layout) {
                let error = Error::new(ErrorKind::Local(error)).with_step("converting links");
                failed(&page.base, error, report)?;
            }
        }
    }
    Ok(())
}

/// Reports an error.
fn failed(url: &str, error: Error, report: &mut Report<'_>) -> io::Result<()> {
    report(Copied {
        url,
        response: &Err(error),
        note: None,
    })
}

/// Says that what is copied is not below the URL that the user gave.
fn note_of_move(from: &Scope, to: &Scope, url: &str) -> Option<String> {
    let url = Standard::Rfc3986.parse(url).ok()?;
    let is_below = from.path(url).is_some() && to.has_origin_of(from);
    (!is_below).then(|| {
        let url = url.redact();
        format!("a redirect leads to {url}: what is below that is copied")
    })
}

/// The login in a URL.
fn password_of(reference: AnyRef<'_>) -> Option<Credentials> {
    let text = |part: Encoded<'_>| Some(part.to_utf8().ok()?.into_owned());
    Some(Credentials {
        user: text(reference.user()?)?,
        password: text(reference.password()?)?,
    })
}

struct Fetched {
    response: Result<Response, Error>,
    /// The URLs that it leads to.
    found: Vec<String>,
    /// The file, and whether it is a page with links.
    stored: Option<(FileId, bool)>,
}

/// Fetches one URL.
fn fetch(
    max: u64,
    layout: &mut Layout<'_>,
    landing: &Landing<'_>,
    request: &Request<'_>,
    client: &mut Client,
    prompt: &mut dyn Prompt,
) -> Fetched {
    let mut store = Store::new(layout, landing, request.reference, max);
    let mut fetched = Fetched {
        response: client.fetch(request, prompt, &mut store),
        found: Vec::new(),
        stored: None,
    };
    let local = |error| Error::new(ErrorKind::Local(error));
    let ended = store.end(fetched.response.is_ok());
    let (entries, file) = match (ended, &fetched.response) {
        (Ok(ended), Ok(_)) => ended,
        (Err(error), Ok(_)) => {
            fetched.response = Err(local(error));
            return fetched;
        }
        _ => return fetched,
    };
    fetched.found = entries;
    if let (Some(file), Ok(response)) = (file, &fetched.response) {
        let media_type = response.metadata.media_type.as_deref().unwrap_or_default();
        let is_page = links::is_html(media_type);
        if is_page {
            let path = layout.path(file).to_owned();
            match Page::new(path, response.final_uri.clone()).links() {
                Ok(links) => fetched.found = links,
                Err(error) => fetched.response = Err(local(error)),
            }
        }
        fetched.stored = Some((file, is_page));
    }
    fetched
}
