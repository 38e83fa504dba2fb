//! Recursion: also reads the linked pages within a scope, and checks their links.

use crate::{Finding, Rule};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use urikit::IriRef;
use urikit_domains::List;

/// The pages that a recursion reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Pages with the scheme, host and port of the page at which the recursion begins.
    Origin,
    /// Pages of the same registrable domain as the page at which the recursion begins.
    Domain,
    /// Pages whose URL begins with this text.
    Prefix(String),
}

/// The options of a recursion.
///
/// ```
/// use urikit_check::{Check, Recursion, Scope};
/// let recursion = Recursion::new().scope(Scope::Domain).depth(3);
/// let check = Check::new().recursion(Some(recursion));
/// ```
#[derive(Clone, Debug)]
pub struct Recursion {
    scopes: Vec<Scope>,
    depth: usize,
    max_similar: u32,
}

impl Default for Recursion {
    fn default() -> Self {
        Self::new()
    }
}

impl Recursion {
    /// Reads all pages of the origin.
    pub const fn new() -> Self {
        Self {
            scopes: Vec::new(),
            depth: usize::MAX,
            max_similar: 1000,
        }
    }

    /// Adds a scope. If no scope is added, the scope is the [origin](Scope::Origin).
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scopes.push(scope);
        self
    }

    /// Sets the maximum number of links between the first page and a page that is read.
    #[must_use]
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the maximum number of pages to read whose URLs differ only in numbers: 1000 by default.
    #[must_use]
    pub const fn max_similar(mut self, max: u32) -> Self {
        self.max_similar = max;
        self
    }

    pub(super) const fn most_similar(&self) -> u32 {
        self.max_similar
    }

    /// Returns true if pages beyond some depth are not read.
    pub(super) const fn has_depth_limit(&self) -> bool {
        self.depth != usize::MAX
    }

    /// Returns true if the links on a page at this depth are followed.
    pub(super) const fn goes_on(&self, depth: usize) -> bool {
        depth < self.depth
    }

    /// Returns true if the page `url` is in the scope of a recursion that began at `start`.
    pub(super) fn covers(&self, start: &str, url: &str) -> bool {
        let is_in = |scope: &Scope| match scope {
            Scope::Origin => origin(start).is_some_and(|it| Some(it) == origin(url)),
            Scope::Domain => domain(start).is_some_and(|it| Some(it) == domain(url)),
            Scope::Prefix(prefix) => url.starts_with(prefix),
        };
        if self.scopes.is_empty() {
            is_in(&Scope::Origin)
        } else {
            self.scopes.iter().any(is_in)
        }
    }
}

fn origin(url: &str) -> Option<(String, String, Option<u16>)> {
    let url = IriRef::parse(url).ok()?;
    let scheme = url.scheme()?.to_ascii_lowercase();
    let default = urikit::scheme::known(&scheme).and_then(|known| known.port);
    let authority = url.authority()?;
    let port = authority.port_number().or(default);
    Some((scheme, authority.host().as_str().to_ascii_lowercase(), port))
}

fn domain(url: &str) -> Option<String> {
    let url = IriRef::parse(url).ok()?;
    let host = url.host()?.as_str().to_ascii_lowercase();
    let list = List::builtin().with_private(true);
    let domain = list.domain(&host)?;
    Some(domain.registrable()?.to_owned())
}

/// The position of the first page that the recursion finds, which is after all sources.
pub(super) const FOUND: usize = usize::MAX / 2;

/// A page to read.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// The position of this page's document. The positions of found pages depend on which server
    /// answers first, so a report sorts these pages by name.
    pub(super) order: usize,
    /// The URL as the user gave it, or the final URL of a page that was found.
    pub(super) name: String,
    /// The page at which the recursion began; `None` for that page itself.
    pub(super) start: Option<Arc<str>>,
    /// The number of links from the first page.
    pub(super) depth: usize,
}

/// The pages waiting for their content, and what is known about all pages.
#[derive(Default, Debug)]
pub(super) struct Pages {
    /// The sources that are pages, each with its index in the list of sources.
    pub(super) sources: Vec<(usize, String)>,
    /// The pages, indexed by the numbers of their targets.
    pub(super) waiting: HashMap<u32, Page>,
    /// The hashes of the URLs whose content was read. Two URLs may redirect to one page.
    read: HashSet<u64>,
    /// The number of pages with each shape, by the hash of the shape.
    shapes: HashMap<u64, u32>,
    /// For each rule, the number of pages that were not read because of it, and the first of these
    /// pages in order.
    cut: BTreeMap<Trap, (usize, String)>,
    /// The targets that a rule excluded, each of which counts once.
    cut_targets: HashSet<u32>,
    found: usize,
    /// The depth up to which pages are currently requested.
    level: usize,
}

/// The rules that stop the recursion on sites that seem to have no end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trap {
    /// The path has more than [`MAX_SEGMENTS`] segments.
    Deep,
    /// A segment occurs more than [`MAX_REPEATED`] times.
    Repeated,
    /// Too many URLs differ only in numbers.
    Similar,
}

const MAX_SEGMENTS: usize = 32;
const MAX_REPEATED: usize = 3;

impl Pages {
    /// Begins the next level. If the depth is limited, all pages at one depth are read before pages
    /// at the next depth. Otherwise a page could be found by a longer path first, and the limit
    /// would cut off its links, depending on which server answers first. Without a limit, waiting
    /// for the slowest page at each depth would only cost time.
    pub(super) fn begin_level(&mut self, is_depth_limited: bool) {
        let first = self.waiting.values().map(|page| page.depth).min();
        self.level = first.filter(|_| is_depth_limited).unwrap_or(usize::MAX);
    }

    /// Returns true if this target is a page at a deeper level.
    pub(super) fn is_later(&self, target: u32) -> bool {
        let page = self.waiting.get(&target);
        page.is_some_and(|page| page.depth > self.level)
    }

    /// Marks a page as read. Returns false if the page has already been read.
    pub(super) fn begin(&mut self, url: &str) -> bool {
        self.read.insert(hash(url))
    }

    /// Adds a page to which another page links, unless a rule forbids it.
    pub(super) fn add(&mut self, target: u32, url: &str, from: &Page, start: &Arc<str>, max: u32) {
        if self.waiting.contains_key(&target) || self.cut_targets.contains(&target) {
            return;
        }
        if let Some(trap) = self.trap(url, max) {
            let (count, first) = self.cut.entry(trap).or_insert_with(|| (0, url.to_owned()));
            *count += 1;
            if url < first.as_str() {
                url.clone_into(first);
            }
            self.cut_targets.insert(target);
            return;
        }
        self.found += 1;
        let page = Page {
            order: FOUND.saturating_add(self.found),
            name: String::new(),
            start: Some(Arc::clone(start)),
            depth: from.depth + 1,
        };
        self.waiting.insert(target, page);
    }

    fn trap(&mut self, url: &str, max: u32) -> Option<Trap> {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let mut segments: Vec<&str> = path.split('/').skip(3).collect();
        if segments.len() > MAX_SEGMENTS {
            return Some(Trap::Deep);
        }
        segments.retain(|segment| !segment.is_empty());
        segments.sort_unstable();
        let mut equal = segments.chunk_by(|one, other| one == other);
        if equal.any(|equal| equal.len() > MAX_REPEATED) {
            return Some(Trap::Repeated);
        }
        if url.bytes().any(|byte| byte.is_ascii_digit()) {
            let count = self.shapes.entry(hash(&shape(url))).or_default();
            *count = count.saturating_add(1);
            if *count > max {
                return Some(Trap::Similar);
            }
        }
        None
    }

    /// Returns the findings about pages that were not read.
    pub(super) fn findings(&self, max: u32) -> Vec<Finding> {
        let finding = |(trap, (count, url)): (&Trap, &(usize, String))| {
            let why = match trap {
                Trap::Deep => format!("their paths have more than {MAX_SEGMENTS} segments"),
                Trap::Repeated => {
                    format!("a segment of their paths occurs more than {MAX_REPEATED} times")
                }
                Trap::Similar => format!("more than {max} URLs differ only in numbers"),
            };
            Finding {
                rule: Rule::NotFollowed,
                message: format!("pages not read: {count}, such as {url}: {why}"),
                suggestion: None,
            }
        };
        self.cut.iter().map(finding).collect()
    }
}

/// Replaces each number with a zero.
fn shape(url: &str) -> String {
    let mut shape = String::with_capacity(url.len());
    for c in url.chars() {
        if !c.is_ascii_digit() {
            shape.push(c);
        } else if !shape.ends_with('0') {
            shape.push('0');
        }
    }
    shape
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Pages, Recursion, Scope, Trap};

    #[test]
    fn scopes() {
        let start = "https://www.a.example/docs/";
        let origin = Recursion::new();
        assert!(origin.covers(start, "https://www.a.example:443/other"));
        assert!(!origin.covers(start, "http://www.a.example/docs/"));
        let domain = Recursion::new().scope(Scope::Domain);
        assert!(domain.covers(start, "http://a.example/"));
        assert!(!domain.covers(start, "http://b.example/"));
        let prefix = Recursion::new().scope(Scope::Prefix(start.to_owned()));
        assert!(prefix.covers(start, "https://www.a.example/docs/x"));
        assert!(!prefix.covers(start, "https://www.a.example/blog/"));
    }

    #[test]
    fn traps() {
        let mut pages = Pages::default();
        let mut trap = |path: &str| pages.trap(&format!("http://a.example/{path}"), 2);
        assert_eq!(trap(&"a/b/".repeat(3)), None);
        assert_eq!(trap(&"a/b/".repeat(4)), Some(Trap::Repeated));
        assert_eq!(trap(&"//".repeat(20)), Some(Trap::Deep));
        assert_eq!(trap("?year=2026&month=1"), None);
        assert_eq!(trap("?year=2026&month=12"), None);
        assert_eq!(trap("?year=2027&month=1"), Some(Trap::Similar));
        assert_eq!(trap("?page=3"), None);
    }
}
