//! The data: generated strings, and lists of real ones if they are available.

use crate::generate;
use std::path::PathBuf;

/// The maximum length of a list. With this length, a round is short, and the list fits into the
/// cache.
const MAX_LENGTH: usize = 4_000;

/// Strings that are adjacent in memory, like the lines of a file.
pub type Texts = &'static [&'static str];

/// A list of strings, which is never freed.
pub struct List {
    pub name: &'static str,
    pub texts: Texts,
}

pub struct Data {
    /// Absolute URLs.
    pub urls: Vec<List>,
    /// The URLs that every standard accepts.
    pub common: Vec<List>,
    /// Absolute URLs of fewer than twenty bytes, used only for parsing.
    pub short: Vec<List>,
    /// URLs with ports, userinfo, addresses and long queries, used only for parsing and pairs.
    pub authorities: Vec<List>,
    /// Relative references, each with a base.
    pub relative: Vec<(List, &'static str)>,
    /// Percent-encoded queries.
    pub encoded: Vec<List>,
    /// Passages of text to search for links.
    pub texts: Vec<List>,
}

impl List {
    fn new(name: &'static str, texts: &[String]) -> Self {
        let mut rest: &str = texts.concat().leak();
        let mut list = Vec::new();
        for text in texts {
            let (first, remainder) = rest.split_at(text.len());
            list.push(first);
            rest = remainder;
        }
        let texts = list.leak();
        Self { name, texts }
    }

    /// Creates an evenly spaced sample of the strings that all URI parsers accept.
    fn of_valid(name: &'static str, texts: &[String]) -> Self {
        let valid = |text: &&String| {
            urikit::UriRef::parse(text).is_ok() && fluent_uri::UriRef::parse(text.as_str()).is_ok()
        };
        let step = texts.len().div_ceil(MAX_LENGTH).max(1);
        let texts: Vec<String> = texts.iter().step_by(step).filter(valid).cloned().collect();
        Self::new(name, &texts)
    }
}

impl Data {
    pub fn load() -> Self {
        let mut urls = vec![("generated", generate::urls())];
        for (name, file) in [
            ("brave", "brave_top500.txt"),
            ("kasztp", "kasztp.txt"),
            ("mined_md", "mined_md.txt"),
        ] {
            urls.extend(lines(file).map(|lines| (name, lines)));
        }
        let web = urls.iter().skip(1).map(|(_, texts)| texts.as_slice());
        let web = web.collect::<Vec<_>>().concat();
        if !web.is_empty() {
            urls.push(("web", web));
        }
        let short = urls.iter().map(|(name, texts)| {
            let short = texts.iter().filter(|text| text.len() < 20).cloned();
            List::of_valid(name, &short.collect::<Vec<_>>())
        });
        let short = short.filter(|list| list.texts.len() > 50).collect();
        let common = urls.iter().map(|(name, texts)| {
            let is_common = |text: &&String| {
                let mut standards = urikit::Standard::ALL.into_iter();
                standards.all(|standard| standard.parse(text).is_ok())
            };
            let common = texts.iter().filter(is_common).cloned();
            List::of_valid(name, &common.collect::<Vec<_>>())
        });
        let common = common.collect();
        let urls = urls.iter().map(|(name, texts)| List::of_valid(name, texts));

        let generated = List::of_valid("generated", &generate::relative());
        let mut relative = vec![(generated, "http://a.example/b/c/d;p?q")];
        let rust = "https://doc.rust-lang.org/stable/book/ch01-02-hello-world.html";
        relative
            .extend(lines("relrefs.txt").map(|lines| (List::of_valid("relrefs", &lines), rust)));

        let authorities = generate::authorities();
        let authorities = authorities
            .iter()
            .map(|(name, texts)| List::of_valid(name, texts));

        let mut encoded = vec![List::new("generated", &generate::queries())];
        encoded.extend(lines("queries_pct.txt").map(|lines| List::of_valid("queries_pct", &lines)));

        let texts = [("text_md", "text_md.txt"), ("text_html", "text_html.txt")];
        let texts = texts
            .into_iter()
            .filter_map(|(name, file)| Some(List::new(name, &[read(file)?])));
        let logs = generate::logs();
        let logs = logs
            .iter()
            .map(|(name, lines)| List::new(name, &[lines.concat()]));
        let records = List::new("json", &[generate::records().concat()]);
        let mail = List::new("mail", &[generate::mailbox()]);
        let texts = texts.chain(logs).chain([records, mail]);
        Self {
            urls: urls.collect(),
            common,
            short,
            authorities: authorities.collect(),
            relative,
            encoded,
            texts: texts.collect(),
        }
    }
}

fn lines(file: &str) -> Option<Vec<String>> {
    Some(read(file)?.lines().map(str::to_owned).collect())
}

fn read(file: &str) -> Option<String> {
    let sibling = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let folder = std::env::var_os("URIKIT_SHARED").map_or(PathBuf::from(sibling), PathBuf::from);
    let bytes = std::fs::read(folder.join("bench-data").join(file)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
