//! A generated site with every kind of local break. The generator writes down the truth about each
//! link, and every outcome and finding must equal it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use urikit_check::{Check, Offline, OutcomeKind, Preset, Report, Rule, Selection, Site, Source};

/// A link and the truth about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Truth {
    reference: String,
    outcome: OutcomeKind,
    rules: Vec<Rule>,
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }
}

/// A generated site in a temporary folder, which is removed at the end.
struct Generated {
    root: PathBuf,
    documents: BTreeMap<PathBuf, Vec<Truth>>,
}

impl Drop for Generated {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

const TEXT: &str = "The quick brown fox jumps over the lazy dog, and runs away. ";

/// The links of pages in HTML: `{n}` is the number of an existing page.
const HTML: [(&str, OutcomeKind, &[Rule]); 35] = [
    ("page{n}.html", OutcomeKind::Ok, &[]),
    ("./page{n}.html?query=1", OutcomeKind::Ok, &[]),
    ("../site/page{n}.html", OutcomeKind::Ok, &[]),
    ("/page{n}.html", OutcomeKind::Ok, &[]),
    ("page{n}.html#id{n}", OutcomeKind::Ok, &[]),
    ("page{n}.html#name{n}", OutcomeKind::Ok, &[]),
    ("page{n}.html#caf%C3%A9", OutcomeKind::Ok, &[]),
    ("page{n}.html#top", OutcomeKind::Ok, &[]),
    ("page{n}.html#:~:text=quick%20brown", OutcomeKind::Ok, &[]),
    (
        "page{n}.html#:~:text=purple",
        OutcomeKind::Ok,
        &[Rule::FragmentMissing],
    ),
    (
        "page{n}.html#ID{n}",
        OutcomeKind::Ok,
        &[Rule::FragmentMissing],
    ),
    (
        "page{n}.html#absent{n}",
        OutcomeKind::Ok,
        &[Rule::FragmentMissing],
    ),
    ("#absent", OutcomeKind::Ok, &[Rule::FragmentMissing]),
    ("#here", OutcomeKind::Ok, &[]),
    ("PAGE{n}.html", OutcomeKind::Ok, &[Rule::WrongCase]),
    ("Folder/Deep%20Name.html", OutcomeKind::Ok, &[]),
    (
        "folder/deep%20name.html",
        OutcomeKind::Ok,
        &[Rule::WrongCase],
    ),
    ("Folder/", OutcomeKind::Ok, &[]),
    ("Folder", OutcomeKind::Ok, &[]),
    ("page{n}.html/", OutcomeKind::Broken, &[]),
    ("page{n}.htm", OutcomeKind::Broken, &[]),
    ("absent{n}/page{n}.html", OutcomeKind::Broken, &[]),
    ("absent{n}.html#id", OutcomeKind::Broken, &[]),
    ("Folder%2FDeep%20Name.html", OutcomeKind::Broken, &[]),
    ("../outside.html", OutcomeKind::Ok, &[Rule::OutsideSite]),
    (
        "../absent{n}.html",
        OutcomeKind::Broken,
        &[Rule::OutsideSite],
    ),
    ("app.html#root", OutcomeKind::Ok, &[]),
    ("app.html#route{n}", OutcomeKind::Unverifiable, &[]),
    ("code.rs#L2", OutcomeKind::Ok, &[]),
    ("code.rs#L2-L9", OutcomeKind::Ok, &[Rule::FragmentMissing]),
    ("data:text/plain,{n}", OutcomeKind::Ok, &[]),
    ("mailto:user{n}@a.example", OutcomeKind::NotChecked, &[]),
    ("https://host{n}.example/a", OutcomeKind::NotChecked, &[]),
    ("//host{n}.example/a", OutcomeKind::NotChecked, &[]),
    (
        "http://127.{n}/",
        OutcomeKind::NotChecked,
        &[Rule::Ambiguous],
    ),
];

/// The links of documents in Markdown.
const MARKDOWN: [(&str, OutcomeKind, &[Rule]); 12] = [
    ("note{n}.md#section-one", OutcomeKind::Ok, &[]),
    ("note{n}.md#section-one-1", OutcomeKind::Ok, &[]),
    (
        "note{n}.md#section-one-2",
        OutcomeKind::Ok,
        &[Rule::FragmentMissing],
    ),
    ("note{n}.md#with-code", OutcomeKind::Ok, &[]),
    ("note{n}.md#anchor", OutcomeKind::Ok, &[]),
    (
        "note{n}.md#not-a-heading",
        OutcomeKind::Ok,
        &[Rule::FragmentMissing],
    ),
    ("Note{n}.md", OutcomeKind::Ok, &[Rule::WrongCase]),
    ("note{n}.markdown", OutcomeKind::Broken, &[]),
    ("#section-one", OutcomeKind::Ok, &[]),
    ("tel:+1-{n}", OutcomeKind::NotChecked, &[]),
    ("page{n}.html#id{n}", OutcomeKind::Ok, &[]),
    ("ignored-{n}.md", OutcomeKind::NotChecked, &[]),
];

fn truth((pattern, outcome, rules): &(&str, OutcomeKind, &[Rule]), n: usize) -> Truth {
    Truth {
        reference: pattern.replace("{n}", &n.to_string()),
        outcome: *outcome,
        rules: rules.to_vec(),
    }
}

fn generate(name: &str, pages: usize, links: usize) -> Generated {
    let root = std::env::temp_dir().join(format!("urikit-check-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let site = root.join("site");
    fs::create_dir_all(site.join("Folder")).unwrap();
    fs::write(root.join("outside.html"), "outside").unwrap();
    fs::write(site.join("Folder/Deep Name.html"), "deep").unwrap();
    fs::write(
        site.join("code.rs"),
        "fn one() {}\nfn two() {}\nfn three() {}\n",
    )
    .unwrap();
    let app = "<div id=root></div><script src=\"data:text/javascript,0\"></script>";
    fs::write(site.join("app.html"), app).unwrap();
    let mut documents = BTreeMap::new();
    let script = Truth {
        reference: "data:text/javascript,0".to_owned(),
        outcome: OutcomeKind::Ok,
        rules: Vec::new(),
    };
    documents.insert(site.join("app.html"), vec![script]);
    let mut random = Random(37);
    for page in 0..pages {
        let mut text = format!(
            "<!DOCTYPE html>\n<h1 id=id{page}>x</h1><a name='name{page}'></a><p id=café><p id=here>{}\n",
            TEXT.repeat(8)
        );
        let mut truths = Vec::new();
        for _ in 0..links {
            let found = truth(&HTML[random.below(HTML.len())], random.below(pages));
            writeln!(
                text,
                "<a href=\"{}\">x</a>",
                found.reference.replace('&', "&amp;")
            )
            .unwrap();
            truths.push(found);
        }
        fs::write(site.join(format!("page{page}.html")), text).unwrap();
        documents.insert(site.join(format!("page{page}.html")), truths);

        let mut text =
            "# Section one\n\n## Section one\n\n### With `code`\n\n<a id=\"anchor\"></a>\n\n\
                        ```\n# Not a heading\n```\n\n"
                .to_owned();
        let mut truths = Vec::new();
        for _ in 0..links / 4 {
            let found = truth(&MARKDOWN[random.below(MARKDOWN.len())], random.below(pages));
            let is_ignored = found.reference.starts_with("ignored");
            let (before, after) = match random.below(2) {
                0 if is_ignored => ("<!-- uri-check: ignore-next-line -->\n", ""),
                _ if is_ignored => ("", " <!-- uri-check: ignore -->"),
                _ => ("", ""),
            };
            write!(text, "{before}[x]({}){after}\n\n", found.reference).unwrap();
            truths.push(found);
        }
        fs::write(site.join(format!("note{page}.md")), text).unwrap();
        documents.insert(site.join(format!("note{page}.md")), truths);
    }
    Generated { root, documents }
}

/// The results in the form of the truth.
fn found(report: &Report) -> BTreeMap<PathBuf, Vec<Truth>> {
    let mut all = BTreeMap::new();
    for document in report.documents() {
        let links = document.links().map(|checked| Truth {
            reference: checked.link.reference,
            outcome: checked.outcome.kind(),
            rules: checked
                .findings
                .iter()
                .map(|finding| finding.rule)
                .collect(),
        });
        let links: Vec<Truth> = links.collect();
        if !links.is_empty() {
            all.insert(document.path().unwrap().to_owned(), links);
        }
    }
    all
}

fn sources(folder: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| Source::found(path, folder))
        .collect()
}

fn assert_equal(found: &BTreeMap<PathBuf, Vec<Truth>>, expected: &BTreeMap<PathBuf, Vec<Truth>>) {
    let documents: Vec<_> = found.keys().collect();
    let expected_documents: Vec<_> = expected
        .iter()
        .filter(|(_, links)| !links.is_empty())
        .map(|(path, _)| path)
        .collect();
    assert_eq!(documents, expected_documents);
    for (path, links) in found {
        for (found, expected) in links.iter().zip(&expected[path]) {
            assert_eq!(found, expected, "{}", path.display());
        }
        assert_eq!(links.len(), expected[path].len(), "{}", path.display());
    }
}

#[test]
fn every_outcome_equals_the_truth() {
    let is_long = std::env::var_os("URIKIT_LONG").is_some();
    let (pages, links) = if is_long { (5_000, 16) } else { (120, 16) };
    let generated = generate("site", pages, links);
    let folder = generated.root.join("site");
    let report = Check::new().run(sources(&folder), &Offline);
    assert!(report.failures().is_empty());
    for document in report.documents() {
        for c in document.links() {
            if c.link.reference.starts_with("note12.md") {
                println!("{c:?}");
            }
        }
    }
    assert_equal(&found(&report), &generated.documents);

    let summary = report.summary();
    let all: Vec<&Truth> = generated.documents.values().flatten().collect();
    assert_eq!(summary.links, all.len());
    assert_eq!(summary.outcomes.values().sum::<usize>(), all.len());
    for kind in OutcomeKind::ALL {
        let expected = all.iter().filter(|truth| truth.outcome == kind).count();
        assert_eq!(summary.outcomes[&kind], expected, "{}", kind.name());
    }
    for rule in Rule::ALL {
        let expected = all
            .iter()
            .filter(|truth| truth.rules.contains(&rule))
            .count();
        let found = summary.findings.get(&rule).copied().unwrap_or(0);
        assert_eq!(found, expected, "{}", rule.id());
    }
}

#[test]
fn exclusions_are_counted() {
    let generated = generate("excluded", 10, 30);
    let mut selection = Selection::default();
    selection.exclude(Regex::new("^page").unwrap());
    selection.exclude(Regex::new("no such link").unwrap());
    let check = Check::new().selection(selection);
    let report = check.run(sources(&generated.root.join("site")), &Offline);
    let expected = generated.documents.values().flatten();
    let expected = expected
        .filter(|truth| truth.reference.starts_with("page"))
        .count();
    let excluded = report.excluded();
    assert_eq!((excluded[0].links, excluded[1].links), (expected, 0));
    assert_eq!(report.findings().len(), 1);
    assert_eq!(report.findings()[0].rule, Rule::UnusedExclusion);
    for document in report.documents() {
        for checked in document.links() {
            if checked.link.reference.starts_with("page") {
                assert_eq!(checked.outcome.kind(), OutcomeKind::NotChecked);
            }
        }
    }
}

/// The links of a site with a prefix, redirects, and the rules of a host.
const SITE: [(&str, OutcomeKind, &[Rule]); 18] = [
    ("https://x.example/docs/a.html", OutcomeKind::Ok, &[]),
    ("HTTPS://X.example:443/docs/a.html", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/a", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/a/", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/sub/", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/empty/", OutcomeKind::Broken, &[]),
    ("https://x.example/docs", OutcomeKind::Ok, &[]),
    ("https://x.example/other", OutcomeKind::NotChecked, &[]),
    (
        "https://x.example/docs/old",
        OutcomeKind::Ok,
        &[Rule::RedirectPermanent],
    ),
    (
        "https://x.example/docs/now",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary],
    ),
    (
        "https://x.example/docs/away",
        OutcomeKind::NotChecked,
        &[Rule::RedirectPermanent],
    ),
    (
        "https://x.example/docs/lost",
        OutcomeKind::Broken,
        &[Rule::RedirectPermanent],
    ),
    ("https://x.example/docs/gone", OutcomeKind::Broken, &[]),
    ("old#here", OutcomeKind::Ok, &[Rule::RedirectPermanent]),
    (
        "now#absent",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary, Rule::FragmentMissing],
    ),
    ("a#here", OutcomeKind::Ok, &[]),
    ("a#absent", OutcomeKind::Ok, &[Rule::FragmentMissing]),
    (
        "../../../a.html",
        OutcomeKind::NotChecked,
        &[Rule::OutsideSite],
    ),
];

#[test]
fn sites_map_their_prefix_to_a_folder() {
    let root = std::env::temp_dir().join(format!("urikit-check-prefix-{}", std::process::id()));
    let generated = Generated {
        root: root.clone(),
        documents: BTreeMap::new(),
    };
    for folder in ["sub", "empty"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let redirects = "/docs/old /docs/a 301\n/docs/now /docs/a 302\n/docs/away https://y.example/\n\
                     /docs/lost /docs/nowhere\n/docs/gone /docs/a 410\n/docs/loop1 /docs/loop2\n\
                     /docs/loop2 /docs/loop1\n";
    fs::write(root.join("_redirects"), redirects).unwrap();
    fs::write(root.join("a.html"), "<p id=here>").unwrap();
    fs::write(root.join("sub/index.html"), "").unwrap();
    let mut page = String::new();
    let mut truths: Vec<Truth> = SITE.iter().map(|row| truth(row, 0)).collect();
    truths.push(Truth {
        reference: "loop1".to_owned(),
        outcome: OutcomeKind::Broken,
        rules: vec![Rule::RedirectPermanent],
    });
    for truth in &truths {
        writeln!(page, "<a href=\"{}\">x</a>", truth.reference).unwrap();
    }
    fs::write(root.join("index.html"), page).unwrap();
    let site = || Site::new("https://x.example/docs/", &root, Preset::CloudflarePages).unwrap();
    let report = Check::new()
        .site(site())
        .run([Source::found(root.join("index.html"), &root)], &Offline);
    assert_equal(
        &found(&report),
        &BTreeMap::from([(root.join("index.html"), truths)]),
    );
    let steps = Check::new()
        .site(site())
        .explain("https://x.example/docs/old");
    let folder = &root;
    assert_eq!(
        steps,
        [
            format!("site: https://x.example/docs/={}", folder.display()),
            "_redirects:1: 301 /docs/a".to_owned(),
            format!("site: https://x.example/docs/={}", folder.display()),
            format!(
                "preset cloudflare-pages: {}",
                folder.join("a.html").display()
            ),
        ]
    );
    drop(generated);
}
