//! Where a defanged indicator begins and ends: as the link that it would be without its marks.

use super::defang::Refanged;
use super::finder::Finder;
use super::input::Input;
use super::outcome::Outcome;
use super::scan::char_start;
use crate::link::{Kind, Link};
use std::borrow::Cow;
use std::ops::Range;

/// How far before and after a mark an indicator's authority may reach, in bytes.
const MAX_BEFORE: usize = 256;
const MAX_AFTER: usize = 768;

impl Finder {
    /// The indicator around the mark or the scheme's colon at `at`.
    pub(super) fn indicator<'t>(&self, text: &Input<'t>, at: usize, floor: usize) -> Outcome<'t> {
        let is_word = |byte: u8| byte > b' ' && !b"<>\"'`|,;".contains(&byte) && byte != 0x7F;
        let lowest = floor.max(at.saturating_sub(MAX_BEFORE));
        let before = text.slice(lowest, at);
        let start = before.iter().rposition(|byte| !is_word(*byte));
        let start = lowest + start.map_or(0, |before| before + 1);
        let limit = start.saturating_add(self.max_length);
        let mut reach = MAX_AFTER;
        loop {
            let last = at.saturating_add(reach).min(limit);
            let run = text.run(at, last, is_word);
            let end = char_start(text, run.min(last));
            let Some(mut link) = self.indicator_in(text, at, start..end) else {
                return Outcome::NoLink;
            };
            // Punctuation ends a link only if no more of it follows.
            let rest = text.slice(link.range.end, end);
            if run <= last || rest.iter().any(u8::is_ascii_alphanumeric) {
                return Outcome::Link(link);
            }
            if last == limit {
                link.marks.is_cut = true;
                return Outcome::Link(link);
            }
            reach = reach.saturating_mul(2);
        }
    }

    /// The indicator with this mark in this word.
    fn indicator_in<'t>(
        &self,
        text: &Input<'t>,
        at: usize,
        word: Range<usize>,
    ) -> Option<Link<'t>> {
        let start = word.start;
        let refanged = Refanged::new(text.string(start, word.end)?);
        let finder = Finder::new()
            .max_length(self.max_length)
            .abbreviated(true)
            .addresses(true)
            .any_domain();
        let links = finder.links(&refanged.text);
        // An indicator has a mark in its scheme or host, and not only after it.
        let mark = refanged.refanged(at - start);
        let found = links
            .filter(|link| link.kind != Kind::Defanged)
            .find(|link| link.range.start <= mark && mark < authority_end(link, &refanged.text));
        let link = found?;
        let range =
            start + refanged.written(link.range.start)..start + refanged.written(link.range.end);
        Some(Link {
            range,
            uri: Cow::Owned(link.uri.into_owned()),
            kind: Kind::Defanged,
            alternative: None,
            marks: link.marks,
        })
    }
}

/// Where the authority of a link ends, or an address.
fn authority_end(link: &Link<'_>, text: &str) -> usize {
    let written = text.get(link.range.clone()).unwrap_or_default();
    let start = written.find("://").map_or(0, |at| at + 3);
    let rest = written.get(start..).unwrap_or_default();
    let length = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    link.range.start + start + length
}
