//! Decides which links are checked, and which references are ambiguous. Examines each distinct
//! reference and URL only once.

use super::{Run, lock};
use crate::results::DocumentRecord;
use crate::scheme::with_ascii_host;
use crate::since::{Since, file_of};
use crate::table::{LinkRecord, LinkState, StringId, Table};
use std::collections::HashSet;
use urikit_audit::{Part, agree};

/// The decisions about strings, indexed by the numbers of the strings.
#[derive(Default, Debug)]
pub(super) struct Marks {
    exclusions: Vec<u32>,
    audits: Vec<u8>,
    /// Beginnings of URLs, such as `https://a.example`, that all parsers read in the same way.
    clear: HashSet<Box<str>>,
}

/// The decision about a string has not been made yet.
const UNKNOWN: u32 = 0;
const CHECKED: u32 = 1;
const NOT_INCLUDED: u32 = 2;
/// The decision for the first exclusion; later exclusions have higher numbers.
const EXCLUDED: u32 = 3;

impl Run {
    /// Marks the links in all documents.
    pub(super) fn mark(&self) {
        let mut documents = lock(&self.documents);
        for document in documents.iter_mut() {
            if let Some(since) = &self.check.since {
                self.exclude_unchanged(since, document);
            }
            self.mark_links(&mut document.links);
        }
    }

    /// Excludes the links in a document that `--since` does not choose.
    fn exclude_unchanged(&self, since: &Since, document: &mut DocumentRecord) {
        let table = lock(&self.table);
        let sites = &self.check.sites;
        let path = document.path.as_deref().and_then(|path| since.inner(path));
        for link in &mut document.links {
            if link.state != LinkState::Requested {
                continue;
            }
            let url = table.url(link.request);
            let fragment =
                (link.fragment != StringId::NONE).then(|| table.strings.get(link.fragment));
            let page = self.forges.page(url).map(|page| page.root.join(page.path));
            let file = page.or_else(|| file_of(url, sites));
            let (file, line) = (file.as_deref(), link.line as usize);
            if !since.keeps(path.as_deref(), line, url, fragment, file, sites) {
                link.state = LinkState::Excluded;
            }
        }
    }

    /// Marks the links in one document.
    pub(super) fn mark_links(&self, links: &mut [LinkRecord]) {
        let (mut table, mut marks) = (lock(&self.table), lock(&self.marks));
        let Marks {
            exclusions,
            audits,
            clear,
        } = &mut *marks;
        exclusions.resize(table.strings.len(), UNKNOWN);
        audits.resize(table.strings.len(), 0);
        for link in links {
            if link.state == LinkState::Requested && !self.check.selection.is_empty() {
                self.select(link, &table, exclusions);
            }
            if is_ambiguous(link.reference, &table, audits, clear) {
                link.flags |= LinkRecord::AMBIGUOUS;
            }
            if link.state != LinkState::Requested {
                continue;
            }
            let Some(target) = table.targets.get_mut(link.request as usize) else {
                continue;
            };
            target.is_wanted = true;
            if link.fragment != StringId::NONE && self.check.has_fragments {
                target.has_fragments = true;
                table
                    .fragments
                    .entry((link.request, link.fragment))
                    .or_default();
            }
        }
    }

    /// Excludes a link if an option excludes its reference or its target.
    fn select(&self, link: &mut LinkRecord, table: &Table, exclusions: &mut [u32]) {
        let url = table
            .get(link.request)
            .map_or(StringId::NONE, |target| target.url);
        let mut decide = |id: StringId| {
            let Some(known) = exclusions.get_mut(id.index()) else {
                return CHECKED;
            };
            if *known == UNKNOWN {
                let (text, selection) = (table.strings.get(id), &self.check.selection);
                *known = match selection.exclusion(text) {
                    Some(nth) => EXCLUDED + u32::try_from(nth).unwrap_or(0),
                    None if !selection.includes(text) => NOT_INCLUDED,
                    None => CHECKED,
                };
            }
            *known
        };
        let (written, target) = (decide(link.reference), decide(url));
        let excluded = written.max(target);
        if excluded >= EXCLUDED {
            link.state = LinkState::Excluded;
            self.check.selection.count((excluded - EXCLUDED) as usize);
        } else if written == NOT_INCLUDED && target == NOT_INCLUDED {
            link.state = LinkState::Excluded;
        }
    }
}

/// The parts that determine to which server a reference leads.
const PLACES: [Part; 3] = [Part::Scheme, Part::Host, Part::Port];

/// Returns true if parsers find different hosts in an absolute reference.
fn is_ambiguous(
    reference: StringId,
    table: &Table,
    audits: &mut [u8],
    clear: &mut HashSet<Box<str>>,
) -> bool {
    let Some(known) = audits.get_mut(reference.index()) else {
        return false;
    };
    if *known == 0 {
        let text = table.strings.get(reference);
        // Only references with an authority can lead different parsers to different hosts.
        let is_clear = !text.contains("//") && !text.contains('\\') || is_unanimous(text, clear);
        *known = if is_clear { 1 } else { 2 };
    }
    *known == 2
}

/// Returns true if all parsers that accept a reference find the same scheme, host and port. If only
/// some parsers accept the reference, none of them is led to another host.
fn finds_one_host(text: &str) -> bool {
    let text = with_ascii_host(text);
    let disputed = agree(&text).disputed();
    !PLACES.into_iter().any(|part| disputed.contains(part))
}

/// Returns true if all parsers find the same host in a reference. Links to one host are audited
/// once if their paths are plain: such a path has no character at which a parser could end the
/// authority.
fn is_unanimous(text: &str, clear: &mut HashSet<Box<str>>) -> bool {
    let is_plain =
        |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_' | b'~' | b'/');
    let start = text.find("://").map(|at| at + 3);
    let slash = start.and_then(|start| Some(start + text.get(start..)?.find('/')?));
    let Some((authority, path)) = slash.and_then(|at| text.split_at_checked(at)) else {
        return finds_one_host(text);
    };
    // Some parsers find the host of `http:///a` in the path.
    if authority.ends_with('/') || !path.bytes().all(is_plain) {
        return finds_one_host(text);
    }
    if clear.contains(authority) {
        return true;
    }
    let is_clear = finds_one_host(text);
    if is_clear {
        clear.insert(authority.into());
    }
    is_clear
}

#[cfg(test)]
mod tests {
    use super::{finds_one_host, is_unanimous};
    use std::collections::HashSet;

    #[test]
    fn plain_paths_do_not_change_the_verdict() {
        let mut clear = HashSet::new();
        let authorities = [
            "http://a.example",
            "http://127.0.0.1:80",
            "http://127.1",
            "http://a@b@c",
            "http://a?b",
            "http://",
            "mailto://a",
            "x/y://a",
        ];
        let paths = [
            "/",
            "/a/b.html",
            "/../..",
            "//b/c",
            "/\\b",
            "/@b",
            "/%2f",
            "",
            "/\u{ff0f}",
        ];
        for text in authorities
            .iter()
            .flat_map(|a| paths.map(|path| format!("{a}{path}")))
        {
            for _ in 0..2 {
                let expected = finds_one_host(&text);
                assert_eq!(is_unanimous(&text, &mut clear), expected, "{text}");
            }
        }
        assert!(clear.contains("http://a.example") && clear.contains("http://127.0.0.1:80"));
    }
    #[test]
    fn only_disputes_about_the_place_count() {
        let mut clear = HashSet::new();
        for text in [
            "https://a.example/\u{d6}sterreich",
            "https://a.example/#\u{fc}ber",
            "https://a.example/?q=\u{fc}",
            "https://a.example/a|b",
            "https://a.example/[x]",
            "https://a.example/{x}",
            "https://a.example/x^y",
            "https://a.example/?a[]=1",
            "https://m\u{fc}nchen.example/",
            "https://m\u{fc}nchen.example/\u{fc}",
            "//m\u{fc}nchen.example/",
        ] {
            assert!(is_unanimous(text, &mut clear), "{text}");
        }
        for text in [
            "http://127.1/",
            "http:///a/b",
            "http://a.example\\@b.example/",
            "http://\u{ff41}.example/",
        ] {
            assert!(!is_unanimous(text, &mut clear), "{text}");
        }
    }
}
