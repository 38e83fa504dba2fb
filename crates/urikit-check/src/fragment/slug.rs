//! Turns the text of headings into ids, by the rules of each [`Profile`].
//!
//! The rules are taken from the tools' sources, and `testdata/slugs/` has the ids that the tools
//! make.

use super::Profile;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;

/// Generates unique ids for the headings of one document.
#[derive(Debug)]
pub struct Slugger {
    profile: Profile,
    /// The number of times that each id has been used.
    counts: HashMap<String, usize>,
    used: HashSet<String>,
    /// The number of ids that Sphinx has numbered.
    numbered: usize,
}

impl Slugger {
    /// Creates a slugger for an empty document.
    pub fn new(profile: Profile) -> Self {
        let mut slugger = Self {
            profile,
            counts: HashMap::new(),
            used: HashSet::new(),
            numbered: 0,
        };
        if profile == Profile::Rustdoc {
            for id in RUSTDOC {
                slugger.counts.insert(id.to_owned(), 1);
            }
        }
        slugger
    }

    /// Returns the id of the next heading.
    pub fn id(&mut self, heading: &str) -> String {
        let slug = slug(self.profile, heading);
        match self.profile {
            Profile::Github | Profile::Docusaurus => self.github(&slug),
            Profile::Mkdocs => self.mkdocs(slug),
            Profile::Sphinx => self.sphinx(slug),
            Profile::Hugo | Profile::Mdbook | Profile::Pandoc | Profile::Vitepress => {
                self.first_free(&slug)
            }
            Profile::Gitlab => self.counted(slug),
            Profile::Rustdoc => self.rustdoc(slug),
        }
    }

    /// Reserves an id that a heading sets explicitly. mdBook does not do this.
    pub(crate) fn declare(&mut self, id: &str) {
        if self.profile != Profile::Mdbook {
            self.used.insert(id.to_owned());
            self.counts.entry(id.to_owned()).or_insert(1);
        }
    }

    /// `github-slugger`: appends the first free number, counting separately for each slug.
    fn github(&mut self, slug: &str) -> String {
        let mut id = slug.to_owned();
        while self.counts.contains_key(&id) {
            let count = self.counts.entry(slug.to_owned()).or_default();
            *count += 1;
            id = format!("{slug}-{count}");
        }
        self.counts.insert(id.clone(), 0);
        id
    }

    /// GitLab: appends the number of earlier headings with the same slug.
    fn counted(&mut self, slug: String) -> String {
        let count = self.counts.entry(slug.clone()).or_default();
        *count += 1;
        match *count {
            1 => slug,
            count => format!("{slug}-{}", count - 1),
        }
    }

    /// `IdMap::derive` in rustdoc: each numbered id also gets a separate count.
    fn rustdoc(&mut self, slug: String) -> String {
        let id = match self.counts.get_mut(&slug) {
            None => slug,
            Some(count) => {
                let id = format!("{slug}-{count}");
                *count += 1;
                id
            }
        };
        self.counts.insert(id.clone(), 1);
        id
    }

    /// Pandoc, mdBook, Hugo and VitePress: appends the first number that makes the id unique.
    fn first_free(&mut self, slug: &str) -> String {
        let mut id = slug.to_owned();
        // Searching from 1 each time would take quadratic time for many equal headings.
        let count = self.counts.entry(slug.to_owned()).or_default();
        while !self.used.insert(id.clone()) {
            *count += 1;
            id = format!("{slug}-{count}");
        }
        id
    }

    /// Python-Markdown: `_1`, `_2`.
    fn mkdocs(&mut self, slug: String) -> String {
        static NUMBERED: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new("^(.*)_([0-9]+)$").ok());
        let mut id = slug;
        while id.is_empty() || self.used.contains(&id) {
            let parts = NUMBERED
                .as_ref()
                .and_then(|numbered| numbered.captures(&id));
            let parts = parts.and_then(|parts| {
                let number: u64 = parts.get(2)?.as_str().parse().ok()?;
                Some((parts.get(1)?.as_str().to_owned(), number))
            });
            let (stem, number) = parts.unwrap_or((id, 0));
            // Equal headings continue the numbering.
            let count = self.counts.entry(stem.clone()).or_default();
            let number = number.max(u64::try_from(*count).unwrap_or_default()) + 1;
            *count = usize::try_from(number).unwrap_or(usize::MAX);
            id = format!("{stem}_{number}");
        }
        self.used.insert(id.clone());
        id
    }

    /// docutils: an id that is empty or repeated becomes `id1`, `id2` and so on.
    fn sphinx(&mut self, slug: String) -> String {
        let mut id = slug;
        while id.is_empty() || self.used.contains(&id) {
            self.numbered += 1;
            id = format!("id{}", self.numbered);
        }
        self.used.insert(id.clone());
        id
    }
}

/// The ids of rustdoc's own elements (`init_id_map` in rustdoc's source).
const RUSTDOC: [&str; 12] = [
    "fields",
    "variants",
    "implementors-list",
    "synthetic-implementors-list",
    "foreign-impls",
    "implementations",
    "trait-implementations",
    "synthetic-implementations",
    "blanket-implementations",
    "required-methods",
    "provided-methods",
    "implementors",
];

/// Returns the id of a heading, before it is made unique.
pub(crate) fn slug(profile: Profile, heading: &str) -> String {
    match profile {
        Profile::Github | Profile::Docusaurus => github(heading),
        Profile::Mdbook => mdbook(heading),
        Profile::Mkdocs => mkdocs(heading),
        Profile::Sphinx => sphinx(heading),
        Profile::Pandoc => pandoc(heading),
        Profile::Rustdoc => rustdoc(heading),
        Profile::Gitlab => gitlab(heading),
        Profile::Vitepress => vitepress(heading),
        Profile::Hugo => hugo(heading),
    }
}

/// Removes everything that matches a pattern.
fn without(pattern: &LazyLock<Option<Regex>>, text: &str) -> String {
    match pattern.as_ref() {
        Some(pattern) => pattern.replace_all(text, "").into_owned(),
        None => text.to_owned(),
    }
}

/// The expression from which `github-slugger` generates its `regex.js`, limited to the characters
/// in that file's version of Unicode.
fn github(heading: &str) -> String {
    static REMOVED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc} -]&&\p{Age=13.0}]").ok());
    without(&REMOVED, &heading.to_lowercase()).replace(' ', "-")
}

/// `id_from_content` in mdBook's `mdbook-html`.
fn mdbook(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}

/// `slugify` in Python-Markdown's `toc`.
fn mkdocs(heading: &str) -> String {
    let kept = heading.nfkd().filter(char::is_ascii);
    let kept =
        kept.filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || is_python_space(*c));
    let kept: String = kept.collect();
    let kept = kept.trim_matches(is_python_space).to_ascii_lowercase();
    let mut id = String::new();
    for c in kept.chars() {
        let c = if is_python_space(c) { '-' } else { c };
        if c != '-' || !id.ends_with('-') {
            id.push(c);
        }
    }
    id
}

/// Returns true for ASCII characters that Python counts as white space.
const fn is_python_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\x1C'..='\x1F' | ' ')
}

/// `make_id` in docutils' `nodes`.
fn sphinx(heading: &str) -> String {
    let mut ascii = String::new();
    for c in heading.to_lowercase().chars() {
        match DOCUTILS.binary_search_by_key(&c, |(c, _)| *c) {
            Ok(at) => ascii.push_str(DOCUTILS.get(at).map_or("", |(_, text)| text)),
            Err(_) => ascii.extend(std::iter::once(c).nfkd().filter(char::is_ascii)),
        }
    }
    let words = ascii.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    let id = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    id.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit())
        .to_owned()
}

/// The letters that docutils replaces before it normalizes, in order
/// (`_non_id_translate` and `_non_id_translate_digraphs`).
const DOCUTILS: [(char, &str); 38] = [
    ('\u{df}', "sz"),
    ('\u{e6}', "ae"),
    ('\u{f8}', "o"),
    ('\u{111}', "d"),
    ('\u{127}', "h"),
    ('\u{131}', "i"),
    ('\u{142}', "l"),
    ('\u{153}', "oe"),
    ('\u{167}', "t"),
    ('\u{180}', "b"),
    ('\u{183}', "b"),
    ('\u{188}', "c"),
    ('\u{18c}', "d"),
    ('\u{192}', "f"),
    ('\u{199}', "k"),
    ('\u{19a}', "l"),
    ('\u{19e}', "n"),
    ('\u{1a5}', "p"),
    ('\u{1ab}', "t"),
    ('\u{1ad}', "t"),
    ('\u{1b4}', "y"),
    ('\u{1b6}', "z"),
    ('\u{1e5}', "g"),
    ('\u{225}', "z"),
    ('\u{234}', "l"),
    ('\u{235}', "n"),
    ('\u{236}', "t"),
    ('\u{237}', "j"),
    ('\u{238}', "db"),
    ('\u{239}', "qp"),
    ('\u{23c}', "c"),
    ('\u{23f}', "s"),
    ('\u{240}', "z"),
    ('\u{247}', "e"),
    ('\u{249}', "j"),
    ('\u{24b}', "q"),
    ('\u{24d}', "r"),
    ('\u{24f}', "y"),
];

/// `textToIdentifier` in pandoc's `Text.Pandoc.Shared`. Pandoc first applies the `smart` extension.
fn pandoc(heading: &str) -> String {
    static REMOVED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[^\p{L}]+|[^\p{L}\p{N}_.\s-]").ok());
    // Each character is converted separately, so a final sigma is not special.
    let lower: String = heading.chars().flat_map(char::to_lowercase).collect();
    let text = without(&REMOVED, &lower);
    let id = text.split_whitespace().collect::<Vec<_>>().join("-");
    if id.is_empty() {
        "section".to_owned()
    } else {
        id
    }
}

/// `slugify` in rustdoc's `html::markdown`.
fn rustdoc(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
            c if c.is_whitespace() && c.is_ascii() => Some('-'),
            _ => None,
        })
        .collect()
}

/// `string_to_anchor` in GitLab's `Gitlab::Utils::Markdown`.
fn gitlab(heading: &str) -> String {
    static REMOVED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]").ok());
    let text = without(&REMOVED, &heading.trim().to_lowercase()).replace(' ', "-");
    let id = squeezed(&text);
    if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("anchor-{id}");
    }
    id
}

/// Replaces each run of hyphens with one.
fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '-' || !out.ends_with('-') {
            out.push(c);
        }
    }
    out
}

/// `slugify` in `@mdit-vue/shared`.
fn vitepress(heading: &str) -> String {
    const REPLACED: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'\u{201c}\u{201d}\u{2018}\u{2019}<>,.?/";
    let text = heading.nfkd();
    let text =
        text.filter(|c| !('\u{300}'..='\u{36f}').contains(c) && !('\0'..='\x1f').contains(c));
    let text: String = text
        .map(|c| {
            if c.is_whitespace() || REPLACED.contains(c) {
                '-'
            } else {
                c
            }
        })
        .collect();
    let id = squeezed(&text);
    let id = id.trim_matches('-');
    let id = if id.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{id}")
    } else {
        id.to_owned()
    };
    id.to_lowercase()
}

/// `sanitizeAnchorName` in Hugo's `goldmark` package, for the type `github`. Hugo applies the
/// typographer first, and omits automatic links from the id.
fn hugo(heading: &str) -> String {
    static LINKS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\S+@\S+\.\w+|(https?://|www\.)\S+").ok());
    static REMOVED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[^\p{L}\p{Nd}_ -]").ok());
    let text = without(&LINKS, heading.trim());
    if text.is_empty() {
        // A heading that consists only of a link has no id.
        return text;
    }
    let text = without(&REMOVED, &text).replace(' ', "-");
    // Go maps each letter to a single lower-case letter.
    let lower = text.chars().filter_map(|c| c.to_lowercase().next());
    let id: String = lower.collect();
    if id.is_empty() {
        "heading".to_owned()
    } else {
        id
    }
}
