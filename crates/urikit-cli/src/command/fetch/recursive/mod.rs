//! `--recursive`: copies what listings and pages lead to, below the URL, into a folder.
//!
//! ```text
//! copy → queue of URLs → client → store (a file, or the entries of a listing)
//!   scope: which URLs are below the first, and the names of their files
//!   landing: where redirects lead      links: of HTML
//! ```

mod landing;
mod links;
mod scope;
mod store;
mod urls;

use landing::Landing;
use links::Page;
use scope::Scope;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
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
    let failed = |report: &mut Report<'_>, url: &str, error| {
        let (response, note) = (&Err(error), None);
        report(Copied {
            url,
            response,
            note,
        })
    };
    let Some(mut scope) = Scope::of(request.reference) else {
        let what = "only ftp, ftps, gopher, http and https have trees to copy";
        return failed(report, first, Error::new(ErrorKind::Unsupported(what)));
    };
    // The URLs of entries have the user of the first URL, but not its password.
    let own = password_of(request.reference);
    let mut request = *request;
    request.credentials = request.credentials.or(own.as_ref());
    let mut queue = VecDeque::from([(first.to_owned(), 0)]);
    let mut seen = HashSet::from([key(first)]);
    let mut copies = Copies::default();
    while let Some((url, depth)) = queue.pop_front() {
        // A redirect may have led there already.
        if copies.has(&url) {
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
        } = fetch(tree, &landing, &asked, client, prompt);
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
        if let (Some((path, page)), Ok(response)) = (stored, &response) {
            copies.add([&url, &response.final_uri], path, page);
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
                failed(report, &url, Error::new(ErrorKind::Local(error)))?;
                queue.clear();
                break;
            }
            if seen.insert(key(&link)) {
                queue.push_back((link, depth + 1));
            }
        }
    }
    if tree.converts {
        for page in copies.pages.values() {
            if let Err(error) = page.convert(&copies.files) {
                let error = Error::new(ErrorKind::Local(error)).at("converting links");
                failed(report, &page.base, error)?;
            }
        }
    }
    Ok(())
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

/// What was copied. The URLs are normal forms.
#[derive(Default)]
struct Copies {
    files: HashMap<String, PathBuf>,
    pages: BTreeMap<PathBuf, Page>,
}

impl Copies {
    fn has(&self, url: &str) -> bool {
        self.files.contains_key(&key(url))
    }

    fn add(&mut self, urls: [&str; 2], path: PathBuf, page: Option<Page>) {
        for url in urls {
            self.files.insert(key(url), path.clone());
        }
        if let Some(page) = page {
            self.pages.insert(path, page);
        }
    }
}

struct Fetched {
    response: Result<Response, Error>,
    /// The URLs that it leads to.
    found: Vec<String>,
    /// The file, and whether it is a page with links.
    stored: Option<(PathBuf, Option<Page>)>,
}

/// Fetches one URL.
fn fetch(
    tree: &Tree,
    landing: &Landing<'_>,
    request: &Request<'_>,
    client: &mut Client,
    prompt: &mut dyn Prompt,
) -> Fetched {
    let mut store = Store::new(&tree.folder, landing, request.reference, tree.max);
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
    if let (Some(path), Ok(response)) = (file, &fetched.response) {
        let media_type = response.metadata.media_type.as_deref().unwrap_or_default();
        let mut page = None;
        if links::is_html(media_type) {
            let found = Page::new(path.clone(), response.final_uri.clone());
            match found.links() {
                Ok(links) => fetched.found = links,
                Err(error) => fetched.response = Err(local(error)),
            }
            page = Some(found);
        }
        fetched.stored = Some((path, page));
    }
    fetched
}
