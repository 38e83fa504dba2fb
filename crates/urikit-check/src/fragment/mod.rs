//! Fragments: the ids in a document, headings, lines and text.

mod html;
mod markdown;
mod profile;
mod rst;
mod slug;
mod text;

pub use profile::Profile;

pub(crate) use profile::Profiles;

use crate::near::{Budget, Names};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use text::{TextFragment, comparable};
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_extract::document::{Format, decoded};

/// The result of looking for a fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sought {
    Found,
    Missing {
        nearest: Option<String>,
    },
    /// A script creates the content.
    Script,
    /// The store contains the page, but not the fragment.
    NotStored,
    /// Fragments in documents of this format cannot be checked.
    Unknown,
}

/// The parts of a document to which fragments can refer.
#[derive(Default, Debug)]
pub(crate) struct Anchors {
    /// The ids, in order.
    ids: Vec<Arc<str>>,
    /// The ids of all headings, including repeated ids, if the caller wants them.
    headings: Option<Vec<String>>,
    set: HashSet<Arc<str>>,
    /// The text, if the caller wants it.
    text: String,
    /// The text in the form in which text fragments are compared.
    comparable: OnceLock<String>,
    /// The number of bytes that searches for text fragments may still read.
    searches: Budget,
    lines: usize,
    comparisons: Budget,
    /// The index that finds ids similar to a missing one.
    similar: OnceLock<Names>,
    kind: Kind,
    /// True if the tool ignores case when it looks for a heading.
    ignores_case: bool,
    has_script: bool,
    is_scripted: bool,
}

/// The number of bytes that all searches for text fragments in a document may read: about a second
/// of work. Without a limit, a page with many text fragments would take quadratic time.
const MAX_SEARCHED: usize = 256 << 20;

/// The kinds of fragments that a document has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Kind {
    /// Ids, as in HTML.
    #[default]
    Ids,
    /// Line numbers, as in the source code that forges show.
    Lines,
    Unknown,
}

impl Anchors {
    /// Reads a document.
    pub(crate) fn read(format: Option<Format>, document: &[u8], profile: Profile) -> Self {
        let mut anchors = Self {
            searches: Budget::new(MAX_SEARCHED),
            lines: memchr::memchr_iter(b'\n', document).count()
                + usize::from(document.last().is_some_and(|byte| *byte != b'\n')),
            ..Self::default()
        };
        match format {
            Some(Format::Html) => html::read(document, &mut anchors),
            // Ids in SVG and other XML are also attributes.
            Some(Format::Xml) => html::ids(document, &mut anchors),
            Some(Format::Markdown) => {
                let document = decoded(document, None);
                anchors.ignores_case = profile == Profile::Github;
                markdown::read(&document, profile, &mut anchors);
            }
            Some(Format::Rst) => rst::read(&decoded(document, None), &mut anchors),
            Some(Format::Text | Format::Css | Format::Csv | Format::Tsv | Format::Latex) => {
                anchors.kind = Kind::Lines;
            }
            _ => anchors.kind = Kind::Unknown,
        }
        anchors
    }

    /// Reads a page for which a server specified this charset.
    pub(crate) fn read_page(
        format: Option<Format>,
        charset: Option<&str>,
        page: &[u8],
        profile: Profile,
    ) -> Self {
        if charset.is_none() {
            return Self::read(format, page, profile);
        }
        // The charset that the server specifies takes precedence over the one that the page
        // declares (HTML living standard, 13.2.3.2). So does a byte order mark.
        let text = format!("\u{feff}{}", decoded(page, charset));
        Self::read(format, text.as_bytes(), profile)
    }

    fn add_heading(&mut self, id: String) {
        if let Some(headings) = &mut self.headings {
            headings.push(id.clone());
        }
        self.add(id);
    }

    fn add(&mut self, id: String) {
        let id = Arc::from(id);
        if !str::is_empty(&id) && self.set.insert(Arc::clone(&id)) {
            self.ids.push(id);
        }
    }

    /// Returns the ids, in order.
    pub(crate) fn ids(&self) -> &[Arc<str>] {
        &self.ids
    }

    /// Looks for a fragment as it is written in a URL, without the `#`.
    pub(crate) fn find(&self, fragment: &str) -> Sought {
        if self.kind == Kind::Unknown {
            return Sought::Unknown;
        }
        let (id, directive) = fragment
            .split_once(":~:")
            .map_or((fragment, None), |(id, directive)| (id, Some(directive)));
        if let Some(directive) = directive {
            if self.is_scripted {
                return Sought::Script;
            }
            let text = self.comparable.get_or_init(|| comparable(&self.text));
            for fragment in directive.split('&').filter_map(TextFragment::parse) {
                if !self.searches.spend(text.len()) {
                    return Sought::Unknown;
                }
                if !fragment.is_in(text) {
                    return Sought::Missing { nearest: None };
                }
            }
        }
        if id.is_empty() {
            return Sought::Found;
        }
        if let Some(lines) = line_range(id) {
            let exists =
                (1..=self.lines).contains(&lines.0) && (lines.0..=self.lines).contains(&lines.1);
            match self.kind {
                _ if exists && self.kind == Kind::Lines => return Sought::Found,
                Kind::Lines => {
                    return Sought::Missing {
                        nearest: Some(format!("L{}", self.lines)).filter(|_| self.lines > 0),
                    };
                }
                _ => {}
            }
        }
        if self.kind == Kind::Lines {
            return Sought::Unknown;
        }
        match self.find_id(id) {
            // Forges show source code on pages whose scripts create the lines.
            Sought::Missing { .. }
                if self.has_script && line_range(id).is_some() && !self.set.contains("L1") =>
            {
                Sought::Script
            }
            sought => sought,
        }
    }

    /// Looks for an id (HTML living standard, 7.4.6.4): as written, then decoded, then `top`.
    fn find_id(&self, id: &str) -> Sought {
        let decoded = decode(id);
        let has = |id: &str| self.set.contains(id);
        if has(id) || has(&decoded) || decoded.eq_ignore_ascii_case("top") {
            return Sought::Found;
        }
        if self.ignores_case {
            // GitHub's ids have a prefix, and GitHub's script also looks for the name in lower
            // case.
            let name = decoded.strip_prefix("user-content-").unwrap_or(&decoded);
            if has(name) || has(&name.to_lowercase()) {
                return Sought::Found;
            }
        }
        // Forges put this prefix before the ids of a document, and their scripts look for it.
        let has_prefixed = |id: &str| has(&format!("user-content-{id}"));
        if has_prefixed(&decoded) || has_prefixed(&decoded.to_lowercase()) {
            return Sought::Found;
        }
        if self.is_scripted {
            return Sought::Script;
        }
        let ids = || Names::new(self.ids.iter().map(|id| &**id));
        let similar = self.similar.get_or_init(ids);
        let nearest = self.comparisons.nearest(&decoded, similar);
        Sought::Missing {
            nearest: nearest.map(str::to_owned),
        }
    }

    /// Looks up a fragment with line numbers, in the form that forges use.
    pub(crate) fn find_lines(&self, fragment: &str) -> Option<Sought> {
        let (first, last) = line_range(fragment)?;
        Some(if first >= 1 && first <= last && last <= self.lines {
            Sought::Found
        } else {
            Sought::Missing {
                nearest: (self.lines > 0).then(|| format!("L{}", self.lines)),
            }
        })
    }
}

/// Decodes escapes; invalid ones stay as they are.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    match percent::decode(text, Place::Fragment, Standard::Rfc3987) {
        Ok(decoded) => Cow::Owned(decoded.decode_utf8_lossy().into_owned()),
        Err(_) => Cow::Borrowed(text),
    }
}

/// Reads `L10`, `L10-L20`, `L10-20` and `L10C1-L20C5`. Returns the numbers of the first and last
/// line.
fn line_range(fragment: &str) -> Option<(usize, usize)> {
    let line = |text: &str| -> Option<usize> {
        let digits = text.split('C').next()?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().unwrap_or(usize::MAX))
    };
    let rest = fragment.strip_prefix('L')?;
    match rest.split_once('-') {
        None => line(rest).map(|number| (number, number)),
        Some((first, last)) => Some((line(first)?, line(last.strip_prefix('L').unwrap_or(last))?)),
    }
}

/// Items for the project's tests, not covered by semantic versioning.
pub mod internal {
    use super::{Anchors, Profile, markdown, rst};

    pub use super::slug::Slugger;

    /// Returns the ids of all headings in Markdown.
    pub fn headings_of_markdown(document: &str, profile: Profile) -> Vec<String> {
        let mut anchors = Anchors {
            headings: Some(Vec::new()),
            ..Anchors::default()
        };
        markdown::read(document, profile, &mut anchors);
        anchors.headings.unwrap_or_default()
    }

    /// Returns the ids of all titles in reStructuredText.
    pub fn headings_of_rst(document: &str) -> Vec<String> {
        let mut anchors = Anchors {
            headings: Some(Vec::new()),
            ..Anchors::default()
        };
        rst::read(document, &mut anchors);
        anchors.headings.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
