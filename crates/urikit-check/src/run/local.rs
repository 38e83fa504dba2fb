//! Checks targets that are files: `file` URLs, sites, and the project's pages on its forge.

use super::{Run, lock};
use crate::files::{Found, Lookup};
use crate::fragment::Sought;
use crate::results::redirect_fragment_missing;
use crate::scheme::scheme_of;
use crate::site::{Mapped, Mapping, decode_path};
use crate::table::{Answer, Answered, StringId, Target, split_fragment};
use crate::{Finding, Outcome, Reason, Rule};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;
use urikit::Iri;
use urikit_extract::document::Format;

/// A document that is not in a file.
pub(super) struct Memory {
    pub(super) format: Option<Format>,
    pub(super) bytes: Vec<u8>,
}

/// The file to which a target leads, and in which fragments are looked up.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// True if a forge shows the file with numbered lines.
    pub(super) has_lines: bool,
}

/// The result of looking up a target.
enum Looked {
    /// The prober must check the target.
    Network,
    Memory,
    Answer(Answer, Option<Place>),
    /// A redirect that a site defines.
    Redirect {
        status: u16,
        to: String,
    },
}

/// A redirect of a site to another target.
#[derive(Debug)]
pub(super) struct SiteRedirect {
    status: u16,
    to: u32,
    fragment: Option<String>,
}

/// The schemes that probers request.
const NETWORK: [&str; 14] = [
    "http", "https", "ftp", "ftps", "gopher", "news", "nntp", "wais", "prospero", "gemini",
    "spartan", "nex", "finger", "mid",
];

/// The maximum number of site redirects to follow one after another.
const MAX_REDIRECTS: usize = 10;

/// The number of targets that a thread takes at a time.
const CHUNK: usize = 256;

impl Run {
    /// Finds the answers for all targets that do not need the network. Redirects of sites may add
    /// targets.
    pub(super) fn check_local(&mut self) {
        for _ in 0..MAX_REDIRECTS {
            let until = lock(&self.table).targets.len();
            if self.looked_up == until {
                break;
            }
            self.look_up(self.looked_up, until);
            self.looked_up = until;
        }
    }

    /// Returns true if the prober must check a URL, which `--remap` has already changed.
    pub(super) fn is_network(&self, url: &str) -> bool {
        let scheme = scheme_of(url).unwrap_or_default();
        if !NETWORK.iter().any(|name| scheme.eq_ignore_ascii_case(name)) {
            return false;
        }
        if self.check.sites.is_empty() && self.forges.is_empty() {
            return true;
        }
        let Ok(url) = Iri::parse(url) else {
            return true;
        };
        let url = url.normalize().to_string();
        self.check.sites.of(&url).is_none() && self.forges.page(&url).is_none()
    }

    fn look_up(&mut self, from: usize, until: usize) {
        let next = AtomicUsize::new(from);
        let table = std::mem::take(&mut *lock(&self.table));
        let run = &*self;
        let looked = thread::scope(|scope| {
            let work = || {
                let mut done = Vec::new();
                while !run.is_stopped() {
                    let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if start >= until {
                        break;
                    }
                    let chunk = table
                        .targets
                        .get(start..until.min(start + CHUNK))
                        .unwrap_or_default();
                    for (nth, target) in chunk.iter().enumerate() {
                        if target.is_wanted {
                            let looked = run.look(table.strings.get(target.url), target);
                            if !matches!(looked, Looked::Network) {
                                done.push((start + nth, looked));
                            }
                        }
                    }
                }
                done
            };
            let workers: Vec<_> = (0..run.check.threads())
                .map(|_| scope.spawn(work))
                .collect();
            let done = workers.into_iter().filter_map(|worker| worker.join().ok());
            done.flatten().collect::<Vec<_>>()
        });
        *lock(&self.table) = table;
        for (number, looked) in looked {
            self.keep(number, looked);
        }
    }

    /// Records the result for a target.
    fn keep(&mut self, number: usize, looked: Looked) {
        let mut table = lock(&self.table);
        let id = u32::try_from(number).unwrap_or(u32::MAX);
        match looked {
            Looked::Network => {}
            Looked::Memory => {
                if let Some(target) = table.targets.get_mut(number) {
                    target.answer = Answer::Ok;
                }
            }
            Looked::Answer(answer, place) => {
                if let Some(target) = table.targets.get_mut(number) {
                    target.answer = answer;
                }
                if let Some(place) = place {
                    self.places.insert(id, place);
                }
            }
            Looked::Redirect { status, to } => {
                let (url, fragment) = split_fragment(&to);
                let other = table.target(url);
                let has_fragments =
                    fragment.is_some() || table.get(id).is_some_and(|from| from.has_fragments);
                if let Some(target) = table.targets.get_mut(other as usize) {
                    target.is_wanted = true;
                    target.has_fragments |= has_fragments;
                }
                let fragment = fragment.map(str::to_owned);
                let redirect = SiteRedirect {
                    status,
                    to: other,
                    fragment,
                };
                self.redirects.insert(id, redirect);
            }
        }
    }

    /// Returns the document in memory with this URL.
    pub(super) fn in_memory(&self, url: &str) -> Option<Arc<Memory>> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        memory.get(url).cloned()
    }

    /// Looks up one target.
    fn look(&self, url: &str, target: &Target) -> Looked {
        if self.in_memory(url).is_some() {
            return Looked::Memory;
        }
        let remapped = self.check.selection.remapped(url);
        let url = remapped.as_deref().unwrap_or(url);
        let scheme = scheme_of(url).unwrap_or_default();
        let is = |name: &str| scheme.eq_ignore_ascii_case(name);
        if is("file") {
            return self.look_in_files(url, target);
        }
        if is("http") || is("https") {
            return self.look_in_sites(url, target);
        }
        let outcome = match () {
            () if NETWORK.iter().any(|name| is(name)) => return Looked::Network,
            () if is("mailto") => Outcome::NotChecked(Reason::MailAddress),
            () if is("data") => data(url),
            () if is("cid") => {
                let reason = "no part of the message has this identifier";
                Outcome::Broken(Reason::NotFound(reason.to_owned()))
            }
            () => Outcome::NotChecked(Reason::UnknownScheme(scheme.to_ascii_lowercase())),
        };
        Looked::Answer(outcome.into(), None)
    }

    /// Looks up a `file` URL.
    fn look_in_files(&self, url: &str, target: &Target) -> Looked {
        let path = url.split('?').next().unwrap_or_default();
        let path = path.get("file:".len()..).unwrap_or_default();
        let path = path.strip_prefix("//localhost").unwrap_or(path);
        let path = path.strip_prefix("//").unwrap_or(path);
        let decoded =
            decode_path(path).filter(|path| path.starts_with('/') && !path.contains('\0'));
        let Some(decoded) = decoded else {
            return missing(None);
        };
        let full = Path::new(&*decoded);
        if self.files.is_known_file(&decoded) {
            return self.found(full, target, None);
        }
        let Some(start) = self.bases.start_of(full) else {
            // If the file is outside all folders, only its existence is checked.
            return match fs::metadata(full) {
                Ok(_) => self.found(full, target, None),
                Err(_) => missing(None),
            };
        };
        let inner = full.strip_prefix(&start).unwrap_or(full);
        let inner = inner.to_str().unwrap_or_default();
        let segments: Vec<&str> = inner
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let lookup = self.files.find(&start, &segments);
        let is_folder = decoded.ends_with('/');
        self.answer(lookup, target, is_folder, |right| {
            let start = start.to_string_lossy();
            format!("{}/{right}", start.trim_end_matches('/'))
        })
    }

    /// Turns the result of a lookup into the answer for a target. `right_path` returns the path of
    /// the URL in its correct case.
    fn answer(
        &self,
        lookup: Lookup,
        target: &Target,
        is_folder: bool,
        right_path: impl Fn(&str) -> String,
    ) -> Looked {
        let right = lookup.right_case.as_deref().map(right_path);
        match lookup.found {
            Found::File(_) if is_folder => missing(None),
            Found::File(path) | Found::Folder(path) => self.found(&path, target, right),
            Found::Missing { nearest } => missing(nearest),
        }
    }

    #[allow(clippy::unused_self)]
    fn found(&self, path: &Path, target: &Target, right_case: Option<String>) -> Looked {
        let place = target.has_fragments.then(|| Place {
            path: path.to_owned(),
            has_lines: false,
        });
        Looked::Answer(ok(right_case), place)
    }

    /// Looks up an http(s) URL in the sites and among the forge pages.
    fn look_in_sites(&self, url: &str, target: &Target) -> Looked {
        if self.check.sites.is_empty() && self.forges.is_empty() {
            return Looked::Network;
        }
        let url = match Iri::parse(url) {
            Ok(url) => url.normalize().to_string(),
            Err(_) => return Looked::Network,
        };
        if let Some(mapping) = self.map(&url, &mut |_| {}) {
            return match mapping.mapped {
                Mapped::File(path) => self.found(&path, target, mapping.right_case),
                Mapped::Missing { nearest } => missing(nearest),
                Mapped::Status(status) if (200..300).contains(&status) => {
                    Looked::Answer(Answer::Ok, None)
                }
                Mapped::Status(status) => {
                    Looked::Answer(Outcome::Broken(Reason::Status(status)).into(), None)
                }
                Mapped::Redirect { status, to } => Looked::Redirect { status, to },
            };
        }
        let Some(page) = self.forges.page(&url) else {
            return Looked::Network;
        };
        let decoded = decode_path(&page.path);
        let decoded = decoded.as_deref().unwrap_or("\0");
        let segments: Vec<&str> = decoded
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let lookup = self.files.find(&page.root, &segments);
        match self.answer(lookup, target, false, ToOwned::to_owned) {
            Looked::Answer(answer, Some(place)) => {
                let has_lines = page.has_lines;
                Looked::Answer(answer, Some(Place { has_lines, ..place }))
            }
            looked => looked,
        }
    }

    /// Maps a URL in normal form to a file of the site with the longest matching prefix.
    fn map(&self, url: &str, note: &mut dyn FnMut(String)) -> Option<Mapping> {
        let site = self.check.sites.of(url)?;
        Some(site.map(url, &self.files, note))
    }

    /// Explains how a URL is mapped.
    pub(super) fn explain(&self, url: &str) -> Vec<String> {
        let mut steps = Vec::new();
        let mut url = self.check.selection.remapped(url).map_or_else(
            || url.to_owned(),
            |to| {
                steps.push(format!("remapped: {to}"));
                to
            },
        );
        for _ in 0..MAX_REDIRECTS {
            if let Ok(parsed) = Iri::parse(&url) {
                url = parsed.normalize().to_string();
            }
            let mapping = self.map(&url, &mut |step| steps.push(step));
            match mapping.map(|mapping| mapping.mapped) {
                Some(Mapped::Redirect { to, .. }) => url = to,
                Some(_) => return steps,
                None if url.starts_with("file:") => {
                    steps.push("a file, not a URL of a site".to_owned());
                    return steps;
                }
                None => {
                    steps.push(match self.forges.page(&url) {
                        Some(page) => format!("forge page: {}/{}", page.root.display(), page.path),
                        None => "outside all sites: requested from the network".to_owned(),
                    });
                    return steps;
                }
            }
        }
        steps.push("the redirects form a loop".to_owned());
        steps
    }

    /// Copies the answers of targets to which site redirects lead.
    pub(super) fn end_redirects(&mut self) {
        let mut table = lock(&self.table);
        // Redirects to the same page follow each other, so each page is read once.
        let mut all: Vec<_> = self.redirects.keys().collect();
        all.sort_by_cached_key(|from| {
            let place = self.places.get(&end_of(&self.redirects, **from).to);
            place.map(|place| place.path.clone())
        });
        let mut page = None;
        for from in all {
            let End {
                status,
                to,
                hops,
                fragment,
            } = end_of(&self.redirects, *from);
            let mut url = table.url(to).to_owned();
            let mut is_missing = false;
            match (self.places.get(&to).cloned(), fragment) {
                (Some(place), None) => {
                    self.places.insert(*from, place);
                }
                // The fragment of the redirect takes the place of those in links (RFC 9110,
                // 10.2.2).
                (Some(place), Some(fragment)) if self.check.has_fragments => {
                    let sought = self.sought_in(&place, fragment, &mut page);
                    is_missing = matches!(sought, Sought::Missing { .. });
                    let known = if is_missing { Sought::Found } else { sought };
                    let range = (*from, StringId::FIRST)..=(*from, StringId::NONE);
                    for (_, sought) in table.fragments.range_mut(range) {
                        *sought = Some(known.clone());
                    }
                }
                _ => {}
            }
            if let Some(fragment) = fragment {
                url = format!("{url}#{fragment}");
            }
            let (outcome, mut findings) = match table.get(to).map(|target| &target.answer) {
                _ if hops == MAX_REDIRECTS => (Outcome::Broken(Reason::RedirectLoop), Vec::new()),
                Some(Answer::Ok) => (Outcome::Ok, Vec::new()),
                Some(Answer::Other(other)) => (other.outcome.clone(), other.findings.clone()),
                _ => continue,
            };
            findings.extend(redirect_finding(status, &url));
            if let Some(fragment) = fragment.filter(|_| is_missing) {
                findings.push(redirect_fragment_missing(fragment));
            }
            let answered = Answered {
                outcome,
                findings,
                redirected: Some(url),
                right_case: None,
            };
            if let Some(target) = table.targets.get_mut(*from as usize) {
                target.answer = Answer::Other(Box::new(answered));
            }
        }
    }
}

/// Follows the redirects of a site from a target.
fn end_of(redirects: &HashMap<u32, SiteRedirect>, from: u32) -> End<'_> {
    let mut end = End {
        status: 0,
        to: from,
        hops: 0,
        fragment: None,
    };
    while let Some(next) = redirects.get(&end.to)
        && end.hops < MAX_REDIRECTS
    {
        if end.hops == 0 {
            end.status = next.status;
        }
        end.fragment = next.fragment.as_deref().or(end.fragment);
        (end.to, end.hops) = (next.to, end.hops + 1);
    }
    end
}

/// The end of a chain of redirects.
struct End<'r> {
    /// The status of the first redirect.
    status: u16,
    to: u32,
    hops: usize,
    /// The last fragment that a redirect specifies.
    fragment: Option<&'r str>,
}

/// Returns the finding about a redirect of a site.
fn redirect_finding(status: u16, to: &str) -> Option<Finding> {
    let (rule, message) = match status {
        301 | 308 => (
            Rule::RedirectPermanent,
            format!("permanently moved to {to}"),
        ),
        300..=399 => (
            Rule::RedirectTemporary,
            format!("temporarily redirected to {to}"),
        ),
        _ => return None,
    };
    Some(Finding {
        rule,
        message,
        suggestion: None,
    })
}

fn missing(nearest: Option<String>) -> Looked {
    Looked::Answer(Outcome::Broken(Reason::NoSuchFile { nearest }).into(), None)
}

fn ok(right_case: Option<String>) -> Answer {
    match right_case {
        None => Answer::Ok,
        Some(_) => Answer::Other(Box::new(Answered {
            outcome: Outcome::Ok,
            findings: Vec::new(),
            redirected: None,
            right_case,
        })),
    }
}

/// Checks the syntax of a `data` URL (RFC 2397).
fn data(url: &str) -> Outcome {
    let has_comma = url.contains(',');
    if has_comma && Iri::parse(url).is_ok() {
        Outcome::Ok
    } else {
        Outcome::Broken(Reason::Invalid(
            "a data URL has a comma before its data".to_owned(),
        ))
    }
}
