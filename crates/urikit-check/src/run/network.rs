//! Passes targets to the prober, and takes its answers.

use super::{Run, lock};
use crate::fragment::{Anchors, Profile, Sought};
use crate::probe::{Content, Probed, Prober, Request, RequestId};
use crate::table::{Answer, Answered, StringId, Table, Target};
use crate::{Outcome, Reason};
use std::collections::HashMap;

impl Run {
    /// Requests all targets that have no answer. Returns true if pages added targets.
    pub(super) fn check_network(&mut self, prober: &dyn Prober) -> bool {
        let pages = std::mem::take(&mut *lock(&self.pages));
        let pages: HashMap<u32, (usize, String)> = {
            let mut table = lock(&self.table);
            let number = |(order, url): (usize, String)| (table.target(&url), (order, url));
            pages.into_iter().map(number).collect()
        };
        let mut requests = self.requests(0, |number, target| {
            pages.contains_key(&number) || target.is_wanted && !self.redirects.contains_key(&number)
        });
        for request in &mut requests {
            let number = u32::try_from(request.id.0).unwrap_or(u32::MAX);
            request.is_page = pages.contains_key(&number);
            request.needs_content |= request.is_page;
        }
        if requests.is_empty() || self.is_stopped() {
            return false;
        }
        prober.probe(requests, &|id, probed| self.done(id, probed, &pages));
        true
    }

    /// Takes an answer. Returns the requests for the links of a page.
    fn done(
        &self,
        id: RequestId,
        probed: Probed,
        pages: &HashMap<u32, (usize, String)>,
    ) -> Vec<Request> {
        let number = u32::try_from(id.0).unwrap_or(u32::MAX);
        let Probed {
            outcome,
            findings,
            redirected,
            content,
            fragments_found,
            ..
        } = probed;
        let outcome = self.judged(outcome, redirected.as_deref());
        let is_ok = outcome == Outcome::Ok;
        let reason = outcome.reason().map(ToString::to_string);
        let final_url = {
            let mut table = lock(&self.table);
            let url = redirected
                .clone()
                .unwrap_or_else(|| table.url(number).to_owned());
            if let Some(target) = table.targets.get_mut(id.0) {
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
            url
        };
        if fragments_found {
            let mut table = lock(&self.table);
            let range = (number, StringId::FIRST)..=(number, StringId::NONE);
            for (_, sought) in table.fragments.range_mut(range) {
                *sought = Some(Sought::Found);
            }
        } else if let (Some(content), true) = (&content, is_ok) {
            self.seek_in(number, content);
        }
        let Some((order, name)) = pages.get(&number) else {
            return Vec::new();
        };
        match (content, reason) {
            (Some(content), None) => self.follow(*order, name, &final_url, &content),
            (_, reason) => {
                let reason = reason.unwrap_or_else(|| "the page has no content".to_owned());
                self.fail(*order, name.clone(), reason);
                Vec::new()
            }
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

    /// Looks for the fragments of all links to a page.
    fn seek_in(&self, number: u32, content: &Content) {
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
        let anchors = Anchors::read(content.format, &content.bytes, profile);
        let found: Vec<_> = fragments
            .into_iter()
            .map(|(id, text)| (id, anchors.find(&text)))
            .collect();
        let mut table = lock(&self.table);
        for (id, sought) in found {
            table.fragments.insert((number, id), Some(sought));
        }
    }

    /// Reads a page. Returns the requests for the targets of its links.
    fn follow(&self, order: usize, name: &str, url: &str, content: &Content) -> Vec<Request> {
        let before = lock(&self.table).targets.len();
        self.read_page(order, name, url, content.format, &content.bytes);
        let mut documents = lock(&self.documents);
        for document in documents
            .iter_mut()
            .filter(|document| document.order == order)
        {
            self.mark_links(&mut document.links);
        }
        drop(documents);
        let own = lock(&self.table).target(url);
        self.seek_in(own, content);
        self.requests(before, |_, target| target.is_wanted)
    }

    /// Returns requests for targets that have no answer yet and need the network, from the number
    /// `from` on.
    fn requests(&self, from: usize, is_wanted: impl Fn(u32, &Target) -> bool) -> Vec<Request> {
        let mut table = lock(&self.table);
        let Table {
            strings,
            targets,
            fragments,
            ..
        } = &mut *table;
        let mut requests = Vec::new();
        for (number, target) in (0_u32..).zip(targets).skip(from) {
            let is_pending = matches!(target.answer, Answer::Pending) && !target.is_requested;
            if !is_pending || !is_wanted(number, target) {
                continue;
            }
            let url = strings.get(target.url);
            if self.is_network(url) {
                target.is_requested = true;
                let remapped = self.check.selection.remapped(url);
                let range = (number, StringId::FIRST)..=(number, StringId::NONE);
                let fragments = fragments.range(range);
                let fragments = fragments.map(|((_, id), _)| strings.get(*id).to_owned());
                requests.push(Request {
                    id: RequestId(number as usize),
                    url: remapped.unwrap_or_else(|| url.to_owned()),
                    needs_content: target.has_fragments,
                    is_page: false,
                    fragments: fragments.collect(),
                    validators: None,
                });
            }
        }
        requests
    }
}
