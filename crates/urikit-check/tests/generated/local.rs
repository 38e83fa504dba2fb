//! A site in a folder, with every kind of local break.

use crate::truth::{Generated, Random, Row, Truth, truth};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use urikit_check::{OutcomeKind, Rule};

const TEXT: &str = "The quick brown fox jumps over the lazy dog, and runs away. ";

/// The links of pages in HTML to files: `{n}` is the number of an existing page.
pub(crate) const HTML: [Row; 32] = [
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
];

/// The links to servers in HTML pages, with their outcomes if no requests are made.
pub(crate) const OFFLINE: [Row; 3] = [
    ("https://host{n}.example/a", OutcomeKind::NotChecked, &[]),
    ("//host{n}.example/a", OutcomeKind::NotChecked, &[]),
    (
        "http://127.{n}/",
        OutcomeKind::NotChecked,
        &[Rule::Ambiguous],
    ),
];

/// The links of documents in Markdown.
const MARKDOWN: [Row; 12] = [
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

/// Writes `pages` pages in HTML, each with `links` of the rows, and as many documents in Markdown,
/// each with a fourth of the links. `place` is appended to the references of rows.
pub(crate) fn generate(
    name: &str,
    (pages, links): (usize, usize),
    rows: &[Row],
    place: &dyn Fn(&str) -> String,
) -> Generated {
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
            "<!DOCTYPE html>\n<h1 id=id{page}>x</h1><a name='name{page}'></a><p id=café>\
             <p id=here>{}\n",
            TEXT.repeat(8)
        );
        let mut truths = Vec::new();
        for _ in 0..links {
            let row = &rows[random.below(rows.len())];
            let mut found = truth(row, random.below(pages));
            found.reference = place(&found.reference);
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
