//! Runs a check: collects links, checks each distinct target once, and then checks the fragments.
//!
//! ```text
//! sources → collect: links of each document → local: files, sites, forge pages
//!                                           → network: the prober
//!                                           → fragments: each file once → Report
//! ```

mod collect;
mod fragments;
mod local;
mod mark;
mod moved;
mod network;
mod recursion;

pub use recursion::{Recursion, Scope};

use crate::document::{Bases, Source, message};
use crate::files::Files;
use crate::forge::Forges;
use crate::fragment::{Profile, Profiles};
use crate::probe::{Offline, Prober};
use crate::results::{DocumentRecord, Failure, Report};
use crate::select::Selection;
use crate::since::Since;
use crate::site::{Site, Sites};
use crate::table::Table;
use local::Memory;
use mark::Marks;
use recursion::Pages;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use urikit_extract::document::{Extractor, Format};

/// The options of a run.
///
/// ```
/// use urikit_check::{Check, Offline, OutcomeKind, Source};
/// let page = "<a href=#a>1</a> <a href=#b>2</a> <p id=a>";
/// let report = Check::new().folder("/tmp").run([Source::text("page.html", page)], &Offline);
/// let document = report.documents().next().unwrap();
/// let checked: Vec<_> = document.links().collect();
/// assert_eq!(checked[0].outcome.kind(), OutcomeKind::Ok);
/// assert_eq!(checked[0].findings, []);
/// assert_eq!(checked[1].findings[0].message, "the page has no element with this id");
/// ```
#[derive(Debug)]
pub struct Check {
    extractor: Extractor,
    sites: Sites,
    selection: Selection,
    profile: Option<Profile>,
    format: Option<Format>,
    folder: Option<PathBuf>,
    since: Option<Since>,
    has_forges: bool,
    has_fragments: bool,
    seeks_moved: bool,
    jobs: usize,
    recursion: Option<Recursion>,
    stop: Arc<AtomicBool>,
}

impl Default for Check {
    fn default() -> Self {
        Self::new()
    }
}

impl Check {
    /// Creates the default options: all links are checked, with one thread per processor.
    pub fn new() -> Self {
        Self {
            extractor: Extractor::new(),
            sites: Sites::default(),
            selection: Selection::default(),
            profile: None,
            format: None,
            folder: None,
            since: None,
            has_forges: false,
            has_fragments: true,
            seeks_moved: false,
            jobs: 0,
            recursion: None,
            stop: Arc::default(),
        }
    }

    /// Sets the extractor that finds the links. Positions are always computed, whatever the
    /// extractor's options are.
    #[must_use]
    pub fn extractor(mut self, extractor: Extractor) -> Self {
        self.extractor = extractor;
        self
    }

    /// Adds a site.
    #[must_use]
    pub fn site(mut self, site: Site) -> Self {
        self.sites.push(site);
        self
    }

    /// Sets which links are checked.
    #[must_use]
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Checks only the links that a change can break. All other links have the outcome "not
    /// checked".
    #[must_use]
    pub fn since(mut self, since: Since) -> Self {
        self.since = Some(since);
        self
    }

    /// Sets the tool that turns headings into ids. By default, the files of each site decide.
    #[must_use]
    pub const fn profile(mut self, profile: Option<Profile>) -> Self {
        self.profile = profile;
        self
    }

    /// Sets the format of the sources. By default, the name and content of each source decide.
    #[must_use]
    pub const fn format(mut self, format: Option<Format>) -> Self {
        self.format = format;
        self
    }

    /// Sets the folder of documents in memory. Without a folder, relative references in these
    /// documents have no base.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets whether links to the project's pages on its forge are looked up in the checkout that
    /// contains the [folder](Self::folder). The default is false, because looking them up runs Git.
    #[must_use]
    pub const fn forges(mut self, yes: bool) -> Self {
        self.has_forges = yes;
        self
    }

    /// Sets whether fragments are checked. The default is true.
    #[must_use]
    pub const fn fragments(mut self, yes: bool) -> Self {
        self.has_fragments = yes;
        self
    }

    /// Sets whether to search for missing files that have moved, first in Git's history, then by
    /// name if exactly one file has that name. The default is false, because the search runs Git.
    #[must_use]
    pub const fn moved(mut self, yes: bool) -> Self {
        self.seeks_moved = yes;
        self
    }

    /// Sets the number of threads; 0 means one per processor.
    #[must_use]
    pub const fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// Sets whether pages to which the sources link are also read, and in turn the pages to which
    /// those pages link. By default, only the sources are read.
    #[must_use]
    pub fn recursion(mut self, recursion: Option<Recursion>) -> Self {
        self.recursion = recursion;
        self
    }

    /// Returns a flag that ends the run early once it is true. Links that have not been checked by
    /// then have the outcome "not checked".
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Checks all links in the sources.
    pub fn run<S>(self, sources: S, prober: &dyn Prober) -> Report
    where
        S: IntoIterator<Item = Source>,
        S::IntoIter: Send,
    {
        let mut run = Run::new(self);
        run.collect(sources.into_iter());
        run.mark();
        loop {
            run.check_local();
            if !run.check_network(prober) {
                break;
            }
        }
        if run.check.seeks_moved {
            run.find_moved();
        }
        run.end_redirects();
        run.check_fragments();
        run.finish(prober)
    }

    /// Collects the links without checking them. The outcome of each link is "excluded" or "not
    /// checked".
    pub fn list<S>(self, sources: S) -> Report
    where
        S: IntoIterator<Item = Source>,
        S::IntoIter: Send,
    {
        let run = Run::new(self);
        run.collect(sources.into_iter());
        run.mark();
        run.finish(&Offline)
    }

    /// Explains how a URL is mapped: one sentence for each step.
    pub fn explain(self, url: &str) -> Vec<String> {
        Run::new(self).explain(url)
    }

    fn threads(&self) -> usize {
        match self.jobs {
            0 => thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

/// The state of a run.
struct Run {
    check: Check,
    extractor: Extractor,
    files: Files,
    profiles: Profiles,
    bases: Bases,
    forges: Forges,
    memory: RwLock<HashMap<String, Arc<Memory>>>,
    table: Mutex<Table>,
    documents: Mutex<Vec<DocumentRecord>>,
    /// Locked while fragments are looked up in a large page, whose ids can take ten times the
    /// memory of the page.
    large_page: Mutex<()>,
    failures: Mutex<Vec<Failure>>,
    /// The documents that were not read because they are binary, each with its position.
    skipped: Mutex<Vec<(usize, String)>>,
    marks: Mutex<Marks>,
    /// The remote pages whose links are checked.
    pages: Mutex<Pages>,
    /// The number of targets that were looked up as files.
    looked_up: usize,
    places: HashMap<u32, local::Place>,
    /// The redirects of sites, indexed by the number of the redirected target.
    redirects: HashMap<u32, local::SiteRedirect>,
}

impl Run {
    fn new(check: Check) -> Self {
        let forges = match &check.folder {
            Some(folder) if check.has_forges => Forges::of(folder),
            _ => Forges::default(),
        };
        Self {
            extractor: check.extractor.clone().positions(true),
            profiles: Profiles::chosen(check.profile),
            files: Files::default(),
            bases: Bases::default(),
            forges,
            memory: RwLock::default(),
            table: Mutex::default(),
            documents: Mutex::default(),
            large_page: Mutex::default(),
            failures: Mutex::default(),
            skipped: Mutex::default(),
            marks: Mutex::default(),
            pages: Mutex::default(),
            looked_up: 0,
            places: HashMap::new(),
            redirects: HashMap::new(),
            check,
        }
    }

    fn is_stopped(&self) -> bool {
        self.check.stop.load(Ordering::Relaxed)
    }

    fn finish(self, prober: &dyn Prober) -> Report {
        let mut documents = into_inner(self.documents);
        documents.sort_by_key(|document| document.order);
        sort_found(&mut documents);
        let mut failures = into_inner(self.failures);
        failures.sort_by(|one, other| {
            let order = |failure: &Failure| failure.order.min(recursion::FOUND);
            let names = || one.name.cmp(&other.name);
            order(one).cmp(&order(other)).then_with(names)
        });
        let mut skipped = into_inner(self.skipped);
        skipped.sort();
        let profiles = self.profiles.found();
        let excluded = self.check.selection.excluded();
        let mut report = Report::new(
            into_inner(self.table),
            documents,
            failures,
            excluded,
            profiles,
            prober.hosts(),
        );
        report.set_skipped(skipped.into_iter().map(|(_, name)| name).collect());
        if let Some(recursion) = &self.check.recursion {
            for finding in into_inner(self.pages).findings(recursion.most_similar()) {
                report.add_finding(finding);
            }
        }
        report
    }
}

/// Puts the pages that the recursion found in order of their names, and keeps the entries of each
/// archive together.
fn sort_found(documents: &mut [DocumentRecord]) {
    let first = documents.partition_point(|document| document.order < recursion::FOUND);
    let Some(found) = documents.get_mut(first..) else {
        return;
    };
    let mut names = HashMap::new();
    for document in &*found {
        let name = || Arc::clone(&document.name);
        names.entry(document.order).or_insert_with(name);
    }
    found.sort_by(|one, other| {
        let order = || one.order.cmp(&other.order);
        let names = names.get(&one.order).cmp(&names.get(&other.order));
        names.then_with(order)
    });
}

/// Locks a mutex, even if another thread panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the content of a mutex.
fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a file of at most `max` bytes.
fn read_limited(path: &Path, max: u64) -> Result<Vec<u8>, String> {
    let length = std::fs::metadata(path).map_err(message)?.len();
    if length > max {
        return Err(format!("the file is larger than {} MiB", max >> 20));
    }
    std::fs::read(path).map_err(message)
}
