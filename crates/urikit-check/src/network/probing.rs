//! `--probe`: one request to each host, for a page that does not exist. The answer shows whether
//! the domain is parked, and whether the server answers 200 for missing pages.
//!
//! A page is a soft 404 if the server answers the probe with 200, and the page has the same title
//! and nearly the same words as that answer. A site that a script builds in the browser sends the
//! same page for every path, so all its pages are soft 404s: no request can tell whether they
//! exist.

use super::attempt::Want;
use super::permission::Permission;
use super::{Network, parking, redirects};
use crate::probe::Content;
use crate::{Finding, Rule};
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use urikit::IriRef;
use urikit_extract::document::{Format, HtmlPart, html_parts};
use xxhash_rust::xxh3::xxh3_64;

/// The maximum number of bytes to read from a page for a comparison. Longer pages are not compared.
pub(super) const MAX_COMPARED: usize = 1 << 20;

/// The percentage of words that two pages must have in common.
const MIN_COMMON: usize = 90;

/// A host's answer to the probe.
#[derive(Default, Debug)]
pub(super) struct HostProbe {
    /// The parking service.
    parked: Option<&'static str>,
    /// The page that the server sends with status 200.
    missing: Option<Words>,
}

impl HostProbe {
    /// Returns true if pages have to be compared with the answer.
    pub(super) const fn has_page(&self) -> bool {
        self.missing.is_some()
    }
}

impl Network {
    /// Returns the finding about a page that is ok. `content` is the content of the page, if it was
    /// requested. `is_foreign` is true if redirects from another host led to the page.
    pub(super) fn doubt(
        &self,
        url: &str,
        final_url: &str,
        content: Option<&Content>,
        is_foreign: bool,
    ) -> Option<Finding> {
        // A redirect may have led to another host, which must not receive the header fields for the
        // first host.
        let host = &*super::host_of(final_url);
        let cell = self.hosts.change(host, |host| host.probe(is_foreign));
        let probe = cell.get_or_init(|| self.probe_host(host, final_url, is_foreign));
        let from = super::host_of(url);
        let service = probe
            .parked
            .or_else(|| parking::by_address(&from, final_url));
        if let Some(service) = service {
            return Some(Finding {
                rule: Rule::Parked,
                message: format!("the domain is parked: {service}"),
                suggestion: None,
            });
        }
        // A home page exists, and may be what a server sends for missing pages.
        let missing = probe
            .missing
            .as_ref()
            .filter(|_| !redirects::is_home(url))?;
        let read;
        let content = if let Some(content) = content {
            content
        } else {
            read = self.read_page(host, final_url, is_foreign)?;
            &read
        };
        let words = Words::read(content, final_url)?;
        words.is_like(missing).then(|| Finding {
            rule: Rule::Soft404,
            message: "the server sends this page with status 200 for paths that do not exist"
                .to_owned(),
            suggestion: None,
        })
    }

    /// Asks a host for a page that does not exist.
    fn probe_host(&self, host: &str, url: &str, is_foreign: bool) -> HostProbe {
        let Some(origin) = super::permission::origin(url) else {
            return HostProbe::default();
        };
        let random = RandomState::new().hash_one(host);
        let url = format!("{origin}/urikit-probe-{random:016x}");
        let is_own = self.own_hosts.iter().any(|own| own == host);
        let may_ask = !self.has_robots
            || is_own
            || matches!(self.permission(host, &url, is_foreign), Permission::Granted);
        let Some(reference) = IriRef::parse(&url).ok().filter(|_| may_ask) else {
            return HostProbe::default();
        };
        let same_host = self.same_host(host, &url);
        let want = Want {
            limit: Some(MAX_COMPARED),
            redirects: Some(&same_host),
            ..Want::new(is_foreign)
        };
        let fetched = self.fetch(host, reference.into(), &want);
        if let Some(to) = fetched.elsewhere() {
            return HostProbe {
                parked: parking::by_address(host, to),
                missing: None,
            };
        }
        let final_url = redirects::target(fetched.hops()).unwrap_or_else(|| url.clone());
        let content = fetched
            .is_ok()
            .then(|| fetched.page.content(&final_url))
            .flatten();
        let Some(content) = content else {
            return HostProbe::default();
        };
        HostProbe {
            parked: parking::by_content(host, &content),
            missing: Words::read(&content, &url),
        }
    }

    /// Reads a page of which only the metadata has been requested so far.
    fn read_page(&self, host: &str, url: &str, is_foreign: bool) -> Option<Content> {
        let same_host = self.same_host(host, url);
        let want = Want {
            limit: Some(MAX_COMPARED),
            redirects: Some(&same_host),
            ..Want::new(is_foreign)
        };
        let fetched = self.fetch(host, IriRef::parse(url).ok()?.into(), &want);
        let is_ok = fetched.is_ok();
        is_ok.then(|| fetched.page.content(url)).flatten()
    }
}

/// The words of a page.
#[derive(PartialEq, Eq, Debug)]
struct Words {
    title: Vec<u64>,
    /// The number of times that each word occurs, by its hash.
    counts: HashMap<u64, usize>,
    count: usize,
}

impl Words {
    /// Reads the visible words. Words in the URL are ignored because the page may repeat it, and
    /// words with digits because they may be times or identifiers. Returns `None` for formats
    /// without text.
    fn read(content: &Content, url: &str) -> Option<Self> {
        let in_url: Vec<u64> = words(url).map(|word| xxh3_64(word.as_bytes())).collect();
        let mut words_of_page = Self {
            title: Vec::new(),
            counts: HashMap::new(),
            count: 0,
        };
        let mut add = |text: &str, is_title: bool| {
            for word in words(text) {
                let word = xxh3_64(word.as_bytes());
                if in_url.contains(&word) {
                    continue;
                }
                if is_title {
                    words_of_page.title.push(word);
                } else {
                    *words_of_page.counts.entry(word).or_default() += 1;
                    words_of_page.count += 1;
                }
            }
        };
        match content.format? {
            Format::Html => {
                let mut is_title = false;
                html_parts(&content.bytes, &[], &mut |part| match part {
                    HtmlPart::Element(element) => is_title = element.is("title"),
                    HtmlPart::Text(text) => add(&text, is_title),
                    _ => {}
                });
            }
            _ => add(&String::from_utf8_lossy(&content.bytes), false),
        }
        Some(words_of_page)
    }

    /// Returns true if the pages have the same title, and nearly the same words.
    fn is_like(&self, other: &Self) -> bool {
        let common = self.counts.iter().map(|(word, count)| {
            let other = other.counts.get(word).copied().unwrap_or(0);
            other.min(*count)
        });
        let common: usize = common.sum();
        self.title == other.title && 200 * common >= MIN_COMMON * (self.count + other.count)
    }
}

/// Returns the words in a text without those that contain a digit, all in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !word.contains(char::is_numeric));
    words.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::probe::Content;
    use urikit_extract::document::Format;

    fn is_like(one: &str, other: &str) -> bool {
        let words = |page: &str, url: &str| {
            let content = Content {
                format: Some(Format::Html),
                charset: None,
                bytes: page.as_bytes().to_vec(),
            };
            Words::read(&content, url).unwrap()
        };
        words(one, "http://a.example/lost/page").is_like(&words(other, "http://a.example/probe"))
    }

    #[test]
    fn similar_pages() {
        let page = |title: &str, text: &str| format!("<title>{title}</title><p>{text}");
        let menu = "home products about contact imprint search login basket help news ";
        // The page repeats the path, and has an identifier.
        assert!(is_like(
            &page("Not found", &format!("{menu} no /lost/page 6f3a")),
            &page("Not found", &format!("{menu} no /probe 99ee1"))
        ));
        // A page that scripts build.
        assert!(is_like(&page("App", ""), &page("App", "")));
        // Pages of one site have a menu in common.
        assert!(!is_like(&page("Shoes", menu), &page("Not found", menu)));
        assert!(!is_like(
            &page("Shop", &format!("{menu} red shoes of leather for children")),
            &page("Shop", &format!("{menu} sorry this page is not here"))
        ));
    }
}
