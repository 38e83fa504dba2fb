//! `--recursive`: copies what listings and pages lead to, below the URL, into a folder.
//!
//! ```text
//! copy → queue of URLs → client → store (a file, or the entries of a listing)
//!   scope: which URLs are below the first, and the names of their files      links: of HTML
//! ```

mod links;
mod scope;
mod store;
mod urls;

use links::Page;
use scope::Scope;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::path::PathBuf;
use store::Store;
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};
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

/// Says what became of a URL.
type Report<'a> = dyn FnMut(&str, &Result<Response, Error>) -> io::Result<()> + 'a;

/// Copies what the reference of a request leads to.
pub(super) fn copy(
    tree: &Tree,
    request: &Request<'_>,
    client: &mut Client,
    prompt: &mut dyn Prompt,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let first = without_fragment(request.reference.as_str());
    let Some(scope) = Scope::of(request.reference) else {
        let what = "only ftp, ftps, gopher, http and https have trees to copy";
        let error = Error::new(ErrorKind::Unsupported(what));
        return report(first, &Err(error));
    };
    // The URLs of entries have the user of the first URL, but not its password.
    let own = password_of(request.reference);
    let mut request = *request;
    request.credentials = request.credentials.or(own.as_ref());
    let request = &request;
    let mut queue = VecDeque::from([(first.to_owned(), 0)]);
    let mut seen = HashSet::from([key(first)]);
    let mut copies = Copies::default();
    while let Some((url, depth)) = queue.pop_front() {
        let standard = if depth == 0 {
            request.reference.standard()
        } else {
            Standard::Rfc3986
        };
        let Ok(reference) = standard.parse(&url) else {
            continue;
        };
        let follows = depth < tree.level;
        let Fetched {
            response,
            found,
            stored,
        } = fetch(tree, &scope, request, reference, follows, client, prompt);
        report(&url, &response)?;
        if let Some((path, page)) = stored {
            copies.files.insert(key(&url), path);
            copies.pages.extend(page);
        }
        for link in found {
            if u64::try_from(seen.len()).unwrap_or(u64::MAX) >= tree.max {
                let error = io::Error::other("more URLs than --max-items allows");
                report(&url, &Err(Error::new(ErrorKind::Local(error))))?;
                queue.clear();
                break;
            }
            if seen.insert(key(&link)) {
                queue.push_back((link, depth + 1));
            }
        }
    }
    if tree.converts {
        for page in &copies.pages {
            if let Err(error) = page.convert(&copies.files) {
                let error = Error::new(ErrorKind::Local(error)).at("converting links");
                report(&page.base, &Err(error))?;
            }
        }
    }
    Ok(())
}

/// The login in a URL.
fn password_of(reference: AnyRef<'_>) -> Option<Credentials> {
    let text = |part: Encoded<'_>| Some(part.to_utf8().ok()?.into_owned());
    Some(Credentials {
        user: text(reference.user()?)?,
        password: text(reference.password()?)?,
    })
}

/// What was copied.
#[derive(Default)]
struct Copies {
    files: HashMap<String, PathBuf>,
    pages: Vec<Page>,
}

struct Fetched {
    response: Result<Response, Error>,
    /// The URLs in scope that it leads to.
    found: Vec<String>,
    /// The file, and whether it is a page with links.
    stored: Option<(PathBuf, Option<Page>)>,
}

/// Fetches one URL.
fn fetch(
    tree: &Tree,
    scope: &Scope,
    request: &Request<'_>,
    reference: AnyRef<'_>,
    follows: bool,
    client: &mut Client,
    prompt: &mut dyn Prompt,
) -> Fetched {
    let mut fetched = Fetched {
        response: Err(Error::new(ErrorKind::Relative)),
        found: Vec::new(),
        stored: None,
    };
    let Some(path) = scope.path(reference) else {
        return fetched;
    };
    let mut store = Store::new(&tree.folder, &path, reference, tree.max);
    let mut request = *request;
    request.reference = reference;
    fetched.response = client.fetch(&request, prompt, &mut store);
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
    fetched.found.retain(|link| {
        let parsed = Standard::Rfc3986.parse(link);
        follows && parsed.is_ok_and(|link| scope.path(link).is_some())
    });
    fetched
}
