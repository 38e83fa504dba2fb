//! The interface to the network, tested with a prober that has a fixed table of answers.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use regex::Regex;
use std::collections::BTreeMap;
use std::sync::Mutex;
use urikit_check::{
    Check, Checked, Content, Finding, Outcome, OutcomeKind, Probed, Prober, Reason, Report,
    Request, RequestId, Rule, Selection, Source,
};
use urikit_extract::document::Format;

/// Answers from a table, and counts requests.
#[derive(Default)]
struct Table {
    answers: BTreeMap<&'static str, Probed>,
    requests: Mutex<Vec<Request>>,
}

impl Table {
    fn page(mut self, url: &'static str, page: &str) -> Self {
        let content = Content {
            format: Some(Format::Html),
            charset: None,
            bytes: page.as_bytes().to_vec(),
        };
        let probed = Probed {
            content: Some(content),
            ..Probed::from(Outcome::Ok)
        };
        self.answers.insert(url, probed);
        self
    }

    fn answer(mut self, url: &'static str, probed: Probed) -> Self {
        self.answers.insert(url, probed);
        self
    }

    fn urls(&self) -> Vec<String> {
        let mut urls: Vec<_> = self
            .requests
            .lock()
            .unwrap()
            .iter()
            .map(|request| request.url.clone())
            .collect();
        urls.sort();
        urls
    }
}

impl Prober for Table {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        let mut waiting = requests;
        while let Some(request) = waiting.pop() {
            let missing = || Probed::from(Outcome::Broken(Reason::Status(404)));
            let mut probed = self
                .answers
                .get(&*request.url)
                .cloned()
                .unwrap_or_else(missing);
            if !request.needs_content {
                probed.content = None;
            }
            let id = request.id;
            self.requests.lock().unwrap().push(request);
            waiting.extend(done(id, probed));
        }
    }
}

fn links(report: &Report) -> Vec<Checked> {
    report
        .documents()
        .flat_map(|document| document.links().collect::<Vec<_>>())
        .collect()
}

fn rules(checked: &Checked) -> Vec<Rule> {
    checked
        .findings
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn each_distinct_request_is_made_once() {
    let prober = Table::default().page("https://a.example/", "<p id=x>text");
    let text = "https://a.example/#x https://a.example/#y https://a.example/ https://b.example/";
    let report = Check::new().run([Source::text("a.txt", text)], &prober);
    assert_eq!(prober.urls(), ["https://a.example/", "https://b.example/"]);
    let requests = prober.requests.into_inner().unwrap();
    let first = requests
        .iter()
        .find(|request| request.url.contains("//a."))
        .unwrap();
    assert_eq!(
        (first.needs_content, &first.fragments[..]),
        (true, &["x".to_owned(), "y".to_owned()][..])
    );
    let checked = links(&report);
    let kinds: Vec<_> = checked
        .iter()
        .map(|checked| checked.outcome.kind())
        .collect();
    let (ok, broken) = (OutcomeKind::Ok, OutcomeKind::Broken);
    assert_eq!(kinds, [ok, ok, ok, broken]);
    assert_eq!(rules(&checked[0]), []);
    assert_eq!(rules(&checked[1]), [Rule::FragmentMissing]);
    assert_eq!(report.summary().outcomes.values().sum::<usize>(), 4);
}

#[test]
fn pages_are_read_and_their_links_requested() {
    let page = "<a href=b#here>1</a> <a href=b#absent>2</a> <a href=#top>3</a> <a href=#no>4</a> \
                <a href=mailto:x@a.example>5</a> <a href='data:,x'>6</a>";
    let prober = Table::default()
        .page("https://a.example/d/a", page)
        .page("https://a.example/d/b", "<p id=here>");
    let report = Check::new().run([Source::url("https://a.example/d/a")], &prober);
    assert_eq!(
        prober.urls(),
        ["https://a.example/d/a", "https://a.example/d/b"]
    );
    let found: Vec<_> = links(&report)
        .iter()
        .map(|link| (link.outcome.kind(), rules(link)))
        .collect();
    let missing = vec![Rule::FragmentMissing];
    assert_eq!(
        found,
        [
            (OutcomeKind::Ok, vec![]),
            (OutcomeKind::Ok, missing.clone()),
            (OutcomeKind::Ok, vec![]),
            (OutcomeKind::Ok, missing),
            (OutcomeKind::NotChecked, vec![]),
            (OutcomeKind::Ok, vec![]),
        ]
    );
    let absent = Check::new().run([Source::url("https://c.example/")], &prober);
    assert_eq!(absent.failures()[0].reason, "404 Not Found");
}

#[test]
fn findings_of_a_target_are_those_of_each_link() {
    let moved = Probed {
        findings: vec![Finding {
            rule: Rule::RedirectPermanent,
            message: "moved".to_owned(),
            suggestion: None,
        }],
        redirected: Some("https://b.example/new".to_owned()),
        ..Probed::from(Outcome::Ok)
    };
    let prober = || Table::default().answer("https://a.example/old", moved.clone());
    let text = "[x](https://a.example/old#part) [y](https://a.example/old)";
    let report = Check::new().run([Source::text("a.md", text)], &prober());
    let suggestions: Vec<_> = links(&report)
        .into_iter()
        .map(|checked| checked.findings[0].suggestion.clone().unwrap().reference)
        .collect();
    assert_eq!(
        suggestions,
        ["https://b.example/new#part", "https://b.example/new"]
    );

    // Exclusions also apply to the URL at the end of the redirects.
    let mut selection = Selection::default();
    selection.exclude(Regex::new("b\\.example").unwrap());
    let report = Check::new()
        .selection(selection)
        .run([Source::text("a.md", text)], &prober());
    assert_eq!(
        links(&report)[0].outcome,
        Outcome::NotChecked(Reason::Excluded)
    );
    assert_eq!(report.findings(), []);
}

#[test]
fn options_change_requests_and_outcomes() {
    let forbidden = Probed::from(Outcome::Unverifiable(Reason::Status(403)));
    let prober = Table::default()
        .answer("https://a.example/x", forbidden)
        .answer("https://local.example/y", Probed::from(Outcome::Ok));
    let mut selection = Selection::default();
    selection.accept(403..=403);
    selection.remap(Regex::new("^https://b\\.").unwrap(), "https://local.");
    let text = "https://a.example/x https://b.example/y";
    let report = Check::new()
        .selection(selection)
        .run([Source::text("a", text)], &prober);
    assert!(
        links(&report)
            .iter()
            .all(|checked| checked.outcome == Outcome::Ok)
    );
}

/// Answers one request, and stops the run.
struct Stopping<'a>(&'a std::sync::atomic::AtomicBool);
impl Prober for Stopping<'_> {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        done(requests[0].id, Probed::from(Outcome::Ok));
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn a_run_that_was_stopped_reports_its_links() {
    let check = Check::new();
    let stop = check.stop();
    let text = "https://a.example/ https://b.example/";
    let report = check.run([Source::text("a", text)], &Stopping(&stop));
    let outcomes: Vec<_> = links(&report)
        .into_iter()
        .map(|checked| checked.outcome)
        .collect();
    assert_eq!(
        outcomes,
        [Outcome::Ok, Outcome::NotChecked(Reason::Interrupted)]
    );
}
