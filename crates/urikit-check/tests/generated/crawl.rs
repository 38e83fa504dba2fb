//! A site that is read by recursion: pages, redirects, loops, and parts without an end.

use crate::server::{Asked, network, start};
use crate::truth::{Random, Row, Truth, assert_listed, truth};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use urikit_check::{Check, OutcomeKind, Recursion, Rule, Source};
use urikit_testkit::servers::Conversation;

use OutcomeKind::{Broken, Ok, Unverifiable};

/// The number of days of the calendar that are read.
const DAYS: u32 = 60;
/// The rules against sites without an end, as the documentation states them.
const SEGMENTS: usize = 32;
const REPEATED: usize = 3;

/// The kinds of links on a page: `{page}` is the name of a page, in which no number occurs.
const LINKS: [Row; 16] = [
    ("{page}", Ok, &[]),
    ("/pages/{page}", Ok, &[]),
    ("{page}#id", Ok, &[]),
    ("{page}#absent", Ok, &[Rule::FragmentMissing]),
    ("#id", Ok, &[]),
    ("../pages/./{page}?", Ok, &[]),
    ("/gone/{page}", Broken, &[]),
    ("/failing/{page}", Unverifiable, &[]),
    ("/moved/{page}", Ok, &[Rule::RedirectPermanent]),
    ("/loop/{page}", Broken, &[]),
    ("/leaf/{page}", Ok, &[]),
    ("/calendar/1", Ok, &[]),
    ("/deep", Ok, &[]),
    ("/again", Ok, &[]),
    ("//other.test:{port}/{page}", Ok, &[]),
    ("http://missing.test/{page}", Broken, &[]),
];

/// Returns the name of a page: its number in letters.
fn name(mut page: usize) -> String {
    let mut name = String::new();
    while page > 0 || name.is_empty() {
        let letter = u8::try_from(page % 26).unwrap();
        name.push(char::from(b'a' + letter));
        page /= 26;
    }
    name
}

/// The links of the pages of a site, by path.
type Pages = BTreeMap<String, Vec<Truth>>;

fn ok(reference: String) -> Truth {
    Truth {
        reference,
        outcome: Ok,
        rules: Vec::new(),
    }
}

/// Makes a site. Each page links to two other pages, and all pages link to page 0.
fn generate(pages: usize, links: usize, port: u16) -> Pages {
    let mut site = Pages::new();
    let mut random = Random(38);
    for page in 0..pages {
        let children = [2 * page + 1, 2 * page + 2];
        let children = children.into_iter().filter(|child| *child < pages);
        let mut truths: Vec<Truth> = children.map(|child| ok(name(child))).collect();
        while truths.len() < links {
            let row = &LINKS[random.below(LINKS.len())];
            let mut link = truth(row, 0);
            let other = name(random.below(pages));
            let reference = link.reference.replace("{page}", &other);
            link.reference = reference.replace("{port}", &port.to_string());
            truths.push(link);
        }
        site.insert(format!("/pages/{}", name(page)), truths);
    }
    for day in 1..=DAYS {
        site.insert(format!("/calendar/{day}"), vec![ok((day + 1).to_string())]);
    }
    // Each of these pages links to a page whose path has one more segment.
    let mut path = "/deep".to_owned();
    for depth in 1..=SEGMENTS {
        let next = format!("{path}/{}", name(depth));
        site.insert(path, vec![ok(next.clone())]);
        path = next;
    }
    for times in 1..=REPEATED {
        let next = "/again".repeat(times + 1);
        site.insert("/again".repeat(times), vec![ok(next)]);
    }
    site
}

fn answer(pages: &Pages, asked: &Asked, _: &mut Conversation) -> Option<String> {
    if let Some(links) = pages.get(&asked.path) {
        let mut page = "<!DOCTYPE html>\n<p id=id>\n".to_owned();
        for link in links {
            writeln!(page, "<a href=\"{}\">x</a>", link.reference).unwrap();
        }
        return Some(asked.html(&page));
    }
    let kind = asked.path.split('/').nth(1)?;
    Some(match kind {
        "robots.txt" | "gone" => asked.response("404 Not Found", "", ""),
        "failing" => asked.response("500 Internal Server Error", "", ""),
        "moved" => {
            let to = asked.path.replacen("moved", "leaf", 1);
            asked.redirect("301 Moved Permanently", &to)
        }
        "loop" => asked.redirect("302 Found", &asked.path),
        // Pages without links: leaves, and the pages after the last pages that are read.
        _ => asked.html("<!DOCTYPE html>"),
    })
}

#[test]
fn recursion_finds_all_pages_and_the_truth() {
    let (pages, links) = crate::size();
    let (pages, links) = (2 * pages, links / 8 * 5);
    let listed = Arc::new(std::sync::OnceLock::<Pages>::new());
    let to_serve = Arc::clone(&listed);
    let server = start(move |asked, client| answer(to_serve.get()?, asked, client));
    let site = listed.get_or_init(|| generate(pages, links, server.port));
    let prefix = format!("http://crawled.test:{}", server.port);
    let check = Check::new().recursion(Some(Recursion::new().max_similar(DAYS)));
    let start = Source::url(format!("{prefix}/pages/{}", name(0)));
    let report = check.run([start], &network(60).per_host(32));
    assert_eq!(report.failures(), []);
    let mut found = Pages::new();
    for document in report.documents() {
        let path = document.name().strip_prefix(&*prefix).unwrap();
        let links = crate::truth::links(&document);
        if links.is_empty() {
            continue; // a leaf
        }
        assert!(
            found.insert(path.to_owned(), links).is_none(),
            "{path} was read twice"
        );
    }
    assert_listed(&found, site);
    // One finding for each rule: the calendar, the deep paths and the repeated segments.
    let rules: Vec<Rule> = report.findings().iter().map(|it| it.rule).collect();
    assert_eq!(rules, [Rule::NotFollowed; 3]);
}
