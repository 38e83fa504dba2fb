//! The shared strings of a spreadsheet, to which cells refer by their index.

use super::super::xml::{decode, place_in};
use super::local;
use crate::decode::{OffsetMap, as_text};
use crate::link::{Kind, Marks};
use crate::plain::Finder;
use quick_xml::events::Event;
use std::collections::HashMap;

/// The maximum memory for the links in shared strings, in bytes. Links in later strings are not
/// kept.
const MAX_LINKS: usize = 64 << 20;

/// An estimate of the memory used by a link, in addition to its text.
const LINK_SIZE: usize = 256;

/// A link in a shared string.
#[derive(Debug)]
pub(super) struct SharedLink {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) uri: String,
    pub(super) alternative: Option<String>,
    pub(super) marks: Marks,
}

/// The links in the shared strings, grouped by the index of the string.
#[derive(Debug, Default)]
pub(crate) struct SharedStrings {
    links: HashMap<u32, Vec<SharedLink>>,
    /// True if links were dropped because they exceeded the memory limit.
    pub(crate) is_partial: bool,
}

impl SharedStrings {
    pub(super) fn links(&self, index: u32) -> &[SharedLink] {
        self.links.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// Finds the links in the part that contains the shared strings.
pub(crate) fn shared_strings(document: &[u8], finder: &Finder) -> SharedStrings {
    let source = as_text(document);
    let mut reader = quick_xml::Reader::from_str(&source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut found = SharedStrings::default();
    let mut size = 0;
    let mut index = 0_u32;
    let mut is_text = false;
    // The phonetic reading of a word is not part of the string.
    let mut is_phonetic = false;
    let mut text = Vec::new();
    let mut map = OffsetMap::new(0);
    while let Ok(event) = reader.read_event() {
        let part: &str = match &event {
            Event::Eof => break,
            Event::Start(tag) => {
                match local(tag.name().as_ref()) {
                    "t" => is_text = !is_phonetic,
                    "rPh" => is_phonetic = true,
                    _ => {}
                }
                continue;
            }
            Event::Empty(tag) if local(tag.name().as_ref()) == "si" => {
                index = index.saturating_add(1);
                continue;
            }
            Event::End(tag) => {
                match local(tag.name().as_ref()) {
                    "t" => is_text = false,
                    "rPh" => is_phonetic = false,
                    "si" => {
                        for link in finder.links(&text) {
                            size += LINK_SIZE + 2 * link.range().len();
                            if size > MAX_LINKS {
                                found.is_partial = true;
                                return found;
                            }
                            let written = text.get(link.range()).unwrap_or_default();
                            found.links.entry(index).or_default().push(SharedLink {
                                kind: link.kind(),
                                text: String::from_utf8_lossy(written).into_owned(),
                                marks: link.marks,
                                alternative: link.alternative,
                                uri: link.uri.into_owned(),
                            });
                        }
                        text.clear();
                        map.clear();
                        index = index.saturating_add(1);
                    }
                    _ => {}
                }
                continue;
            }
            Event::Text(part) => part,
            Event::CData(part) => part,
            Event::GeneralRef(name) => name,
            _ => continue,
        };
        if !is_text {
            continue;
        }
        let Some(range) = place_in(&source, part) else {
            continue;
        };
        let range = match event {
            Event::GeneralRef(_) => range.start.saturating_sub(1)..range.end + 1,
            _ => range,
        };
        let part = source.as_bytes().get(range).unwrap_or_default();
        decode(part, &mut text, &mut map);
    }
    found
}
