//! Passes targets to the prober and records its answers.

use super::{Run, lock};
use crate::fragment::{Anchors, Profile, Sought};
use crate::probe::{Content, Probed, Prober, Request, RequestId};
use crate::run::recursion::{Page, Recursion};
use crate::table::{
    Answer, Answered, LinkRecord, LinkState, StringId, Table, Target, split_fragment,
};
use crate::{Outcome, Reason};
use std::sync::Arc;

/// The prefixes of the URLs whose documents a recursion reads.
const PAGES: [&str; 4] = ["http://", "https://", "gemini://", "spartan://"];

/// The reason why the links of a page cannot be checked although its server answered.
const NO_CONTENT: &str = "the page has no content, or is longer than 16 MiB";

/// The number of bytes up to which several pages are searched for fragments at the same time.
const SMALL_PAGE: usize = 64 << 10;

impl Run {
    /// Requests all targets that have no answer. Returns true if the links on pages added targets.
    pub(super) fn check_network(&mut self, prober: &dyn Prober) -> bool {
        {
            let (mut table, mut pages) = (lock(&self.table), lock(&self.pages));
            for (order, url) in std::mem::take(&mut pages.sources) {
                let page = Page {
                    order,
                    name: url.clone(),
                    start: None,
                    depth: 0,
                };
                pages.waiting.insert(table.target(&url), page);
            }
            let recursion = self.check.recursion.as_ref();
            pages.begin_level(recursion.is_some_and(Recursion::has_depth_limit));
        }
        let requests = self.requests(0, |number, target| {
            target.is_wanted && !self.redirects.contains_key(&number)
        });
        if requests.is_empty() || self.is_stopped() {
            return false;
        }
        prober.probe(requests, &|id, probed| self.done(id, probed));
        true
    }

    /// Records an answer. If the answer is a page, returns the requests for the page's links.
    fn done(&self, id: RequestId, probed: Probed) -> Vec<Request> {
        let number = u32::try_from(id.0).unwrap_or(u32::MAX);
        let Probed {
            outcome,
            findings,
            redirected,
            content,
            fragments_found,
            fragments_not_stored,
            ..
        } = probed;
        let outcome = self.judged(outcome, redirected.as_deref());
        let is_ok = outcome == Outcome::Ok;
        let reason = outcome.reason().map(ToString::to_string);
        // The fragment of a redirect takes the place of those in links (RFC 9110, 10.2.2).
        let (final_url, redirect_fragment) = match redirected.as_deref().map(split_fragment) {
            Some((url, fragment)) => (Some(url.to_owned()), fragment.map(str::to_owned)),
            None => (None, None),
        };
        if let Some(target) = lock(&self.table).targets.get_mut(id.0) {
            target.answer = match outcome {
                Outcome::Ok if findings.is_empty() && redirected.is_none() => Answer::Ok,
                outcome => Answer::Other(Box::new(Answered {
                    outcome,
                    findings,
                    redirected,
                    right_case: None,
                })),
            };
        }
        if fragments_found {
            let mut table = lock(&self.table);
            let Table {
                strings, fragments, ..
            } = &mut *table;
            let range = (number, StringId::FIRST)..=(number, StringId::NONE);
            for ((_, id), sought) in fragments.range_mut(range) {
                let text = strings.get(*id);
                let is_stored = fragments_not_stored.iter().all(|missing| missing != text);
                *sought = Some(if is_stored {
                    Sought::Found
                } else {
                    Sought::NotStored
                });
            }
        } else if let (Some(content), true) = (&content, is_ok) {
            self.seek_in(number, content, redirect_fragment.as_deref());
        }
        if content.is_none() {
            self.end_search(number);
        }
        let Some(page) = lock(&self.pages).waiting.remove(&number) else {
            return Vec::new();
        };
        match (content, reason) {
            (Some(content), None) => {
                let url = || lock(&self.table).url(number).to_owned();
                self.follow(&page, &final_url.unwrap_or_else(url), &content)
            }
            // For a page that the recursion found, the link to it already reports the outcome.
            _ if page.start.is_some() => Vec::new(),
            (_, reason) => {
                let reason = reason.unwrap_or_else(|| NO_CONTENT.to_owned());
                self.fail(page.order, page.name, reason);
                Vec::new()
            }
        }
    }

    /// Gives up on the fragments of a page whose content cannot be read.
    fn end_search(&self, number: u32) {
        let mut table = lock(&self.table);
        if table.get(number).is_none_or(|target| !target.is_sought) {
            return;
        }
        let range = (number, StringId::FIRST)..=(number, StringId::NONE);
        for (_, sought) in table.fragments.range_mut(range) {
            sought.get_or_insert(Sought::Unknown);
        }
    }

    /// Applies `--accept` and `--exclude` to an outcome.
    fn judged(&self, outcome: Outcome, redirected: Option<&str>) -> Outcome {
        let selection = &self.check.selection;
        if let Some(exclusion) = redirected.and_then(|url| selection.exclusion(url)) {
            selection.count(exclusion);
            return Outcome::NotChecked(Reason::Excluded);
        }
        match outcome {
            Outcome::Broken(Reason::Status(status))
            | Outcome::Unverifiable(Reason::Status(status))
                if selection.accepts(status) =>
            {
                Outcome::Ok
            }
            outcome => outcome,
        }
    }

    /// Looks for the fragments of all links to a page, or for the fragment of the redirect that led
    /// to it.
    fn seek_in(&self, number: u32, content: &Content, redirect_fragment: Option<&str>) {
        let fragments: Vec<(StringId, String)> = {
            let table = lock(&self.table);
            let all = table
                .fragments
                .range((number, StringId::FIRST)..=(number, StringId::NONE));
            all.map(|((_, id), _)| (*id, table.strings.get(*id).to_owned()))
                .collect()
        };
        if fragments.is_empty() {
            return;
        }
        let profile = self.check.profile.unwrap_or(Profile::Github);
        let charset = content.charset.as_deref();
        let _turn = (content.bytes.len() > SMALL_PAGE).then(|| lock(&self.large_page));
        let anchors = Anchors::read_page(content.format, charset, &content.bytes, profile);
        let found: Vec<_> = fragments
            .into_iter()
            .map(|(id, text)| (id, anchors.find(redirect_fragment.unwrap_or(&text))))
            .collect();
        let mut table = lock(&self.table);
        for (id, sought) in found {
            table.fragments.insert((number, id), Some(sought));
        }
    }

    /// Reads a page. Returns the requests for the targets of the page's links.
    fn follow(&self, page: &Page, url: &str, content: &Content) -> Vec<Request> {
        let start = page.start.clone().unwrap_or_else(|| Arc::from(url));
        let recursion = self.check.recursion.as_ref();
        let is_outside =
            page.start.is_some() && recursion.is_some_and(|it| !it.covers(&start, url));
        if is_outside || !lock(&self.pages).begin(url) {
            return Vec::new();
        }
        let before = lock(&self.table).targets.len();
        let first = lock(&self.documents).len();
        // Several links may redirect to one page, and any of them may be the first.
        let name = if page.start.is_some() {
            url
        } else {
            &page.name
        };
        self.read_page(page, name, url, content);
        let mut documents = lock(&self.documents);
        for document in documents
            .iter_mut()
            .skip(first)
            .filter(|document| document.order == page.order)
        {
            self.mark_links(&mut document.links);
            if let Some(recursion) = recursion.filter(|it| it.goes_on(page.depth)) {
                self.find_pages(&document.links, page, &start, recursion);
            }
        }
        // Up to this point, no other thread may request these targets, because it would not know
        // that they are pages to read.
        let requests = self.requests(before, |_, target| target.is_wanted);
        drop(documents);
        let own = lock(&self.table).target(url);
        self.seek_in(own, content, None);
        requests
    }

    /// Adds the linked pages that are in the scope of the recursion to the pages to read.
    fn find_pages(&self, links: &[LinkRecord], page: &Page, start: &Arc<str>, how: &Recursion) {
        let (table, mut pages) = (lock(&self.table), lock(&self.pages));
        for link in links
            .iter()
            .filter(|link| link.state == LinkState::Requested)
        {
            let Some(target) = table.get(link.request).filter(|it| !it.is_requested) else {
                continue;
            };
            let url = table.strings.get(target.url);
            let has_pages = PAGES.iter().any(|prefix| url.starts_with(prefix));
            if has_pages && how.covers(start, url) {
                pages.add(link.request, url, page, start, how.most_similar());
            }
        }
    }

    /// Returns requests for targets that need the network and have no answer yet, starting with
    /// target number `from`.
    fn requests(&self, from: usize, is_wanted: impl Fn(u32, &Target) -> bool) -> Vec<Request> {
        let (mut table, pages) = (lock(&self.table), lock(&self.pages));
        let Table {
            strings,
            targets,
            fragments,
            ..
        } = &mut *table;
        let mut requests = Vec::new();
        // Skipping takes constant time here. In a `zip`, it would not, and many pages would take
        // quadratic time.
        for (number, target) in targets.iter_mut().enumerate().skip(from) {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            if pages.is_later(number) {
                continue;
            }
            let page = pages.waiting.get(&number);
            let (is_page, is_source) = (page.is_some(), page.is_some_and(|it| it.start.is_none()));
            let range = (number, StringId::FIRST)..=(number, StringId::NONE);
            let is_due = if target.is_requested {
                // A link has a fragment that was not known when the page was first requested.
                target.has_fragments
                    && target.answer.is_ok()
                    && fragments
                        .range(range.clone())
                        .any(|(_, sought)| sought.is_none())
            } else {
                matches!(target.answer, Answer::Pending) && (is_page || is_wanted(number, target))
            };
            if !is_due {
                continue;
            }
            let url = strings.get(target.url);
            let remapped = self.check.selection.remapped(url);
            if self.is_network(remapped.as_deref().unwrap_or(url)) {
                target.is_requested = true;
                target.is_sought = is_page || target.has_fragments;
                let fragments = fragments.range(range);
                let fragments = fragments.map(|((_, id), _)| strings.get(*id).to_owned());
                requests.push(Request {
                    id: RequestId(number as usize),
                    url: remapped.unwrap_or_else(|| url.to_owned()),
                    needs_content: target.is_sought,
                    is_page,
                    is_source,
                    fragments: fragments.collect(),
                    validators: None,
                });
            }
        }
        requests
    }
}
