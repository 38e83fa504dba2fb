//! Stores: histories and damaged lines in `testdata/check/store.toml`, and files.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]
#![allow(clippy::naive_bytecount)]

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};
use urikit_check::store::{Ages, Date, Store, StoredProber, parse_days};
use urikit_check::{
    Check, Checked, Finding, Link, Outcome, Probed, Prober, Reason, Request, Rule, Source,
    Validators,
};

const URL: &str = "http://a.example/";
const LIMIT: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    history: Vec<History>,
    damaged: Vec<Damaged>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    name: String,
    max_age: Option<String>,
    fail_after: Option<String>,
    step: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    day: String,
    result: String,
    report: String,
    line: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Damaged {
    line: String,
    problem: String,
}

fn rows() -> Rows {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/check/store.toml");
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A path in an empty folder.
fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder.join("links.jsonl")
}

fn remove(path: &Path) {
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn read(path: &Path, today: &str) -> Store {
    let (store, damaged) = Store::read(path, Ages::default(), day(today)).unwrap();
    assert_eq!(damaged.count, 0, "{damaged:?}");
    store
}

fn shown(outcome: &Outcome) -> String {
    let name = outcome.kind().name();
    outcome
        .reason()
        .map_or(name.to_owned(), |reason| format!("{name}: {reason}"))
}

#[test]
fn histories() {
    let path = file("histories");
    for history in rows().history {
        let mut ages = Ages::default();
        if let Some(max_age) = history.max_age {
            ages.max_age = parse_days(&max_age).unwrap();
        }
        if let Some(fail_after) = history.fail_after {
            ages.fail_after = fail_after.parse().unwrap();
        }
        let _ = fs::remove_file(&path);
        for step in history.step {
            let row = format!("{}, {}", history.name, step.day);
            let (mut store, damaged) = Store::read(&path, ages, day(&step.day)).unwrap();
            assert_eq!(damaged.count, 0, "{row}: {damaged:?}");
            let fresh = store.fresh(URL, &[]);
            assert_eq!(fresh.is_some(), step.result == "not requested", "{row}");
            let outcome = match &*step.result {
                "not requested" => fresh.unwrap().outcome,
                result => {
                    let outcome = match result {
                        "ok" => Outcome::Ok,
                        "timeout" => Outcome::Unverifiable(Reason::Timeout),
                        "excluded" => Outcome::NotChecked(Reason::Excluded),
                        status => Outcome::Broken(Reason::Status(status.parse().unwrap())),
                    };
                    store.record(URL, &Probed::from(outcome))
                }
            };
            assert_eq!(shown(&outcome), step.report, "{row}");
            let before = fs::read_to_string(&path).unwrap_or_default();
            let is_changed = store.write(&path, true, LIMIT).unwrap();
            let after = fs::read_to_string(&path).unwrap();
            assert_eq!(is_changed, step.line != "=", "{row}");
            if step.line == "=" {
                assert_eq!(after, before, "{row}");
            } else {
                assert_eq!(
                    after,
                    format!("{{\"url\":\"{URL}\",{}}}\n", step.line),
                    "{row}"
                );
            }
        }
    }
    remove(&path);
}

#[test]
fn damaged_lines_are_reported_and_skipped() {
    let path = file("damaged");
    let good =
        r#"{"url":"http://b.example/","outcome":"ok","first":"2026-11-02","last":"2026-11-02"}"#;
    for row in rows().damaged {
        fs::write(&path, format!("{}\n{good}\n", row.line)).unwrap();
        let (mut store, damaged) = Store::read(&path, Ages::default(), day("2026-11-03")).unwrap();
        assert_eq!(damaged.count, 1, "{}", row.line);
        let (line, problem) = &damaged.first[0];
        assert_eq!(*line, 1, "{}", row.line);
        assert!(problem.contains(&row.problem), "{}: {problem}", row.line);
        assert!(
            store.fresh("http://b.example/", &[]).is_some(),
            "{}",
            row.line
        );
        // The next run that writes the file removes the line.
        assert!(store.write(&path, false, LIMIT).unwrap(), "{}", row.line);
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("{good}\n"),
            "{}",
            row.line
        );
    }
    remove(&path);
}

/// A store cut anywhere has at most one damaged line, and the lines before it are used.
#[test]
fn a_store_cut_anywhere() {
    let path = file("cut");
    let today = day("2026-11-02");
    let mut store = Store::new(Ages::default(), today);
    for letter in ["a", "b", "c"] {
        let url = format!("http://{letter}.example/?\u{e9}=\"\\");
        let redirected = Some("http://z.example/".to_owned());
        let observed = Probed {
            redirected,
            ..Probed::from(Outcome::Ok)
        };
        store.record(&url, &observed);
    }
    store.write(&path, true, LIMIT).unwrap();
    let complete = fs::read(&path).unwrap();
    for end in 0..complete.len() {
        fs::write(&path, &complete[..end]).unwrap();
        let (store, damaged) = Store::read(&path, Ages::default(), today).unwrap();
        let mut lines = Vec::new();
        store.write_to(&mut lines).unwrap();
        let ends = complete[..end]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let kept = lines.iter().filter(|byte| **byte == b'\n').count();
        assert!(complete.starts_with(&lines), "{end}");
        assert!(
            kept == ends && damaged.count <= 1 || kept == ends + 1,
            "{end}"
        );
    }
    remove(&path);
}

#[test]
fn lines_are_sorted_and_unused_ones_removed() {
    let path = file("unused");
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    for url in ["http://b/", "http://a/z", "http://c/", "http://a/"] {
        store.record(url, &Probed::from(Outcome::Ok));
    }
    store.write(&path, true, LIMIT).unwrap();
    let urls = |path: &Path| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| line.split('"').nth(3).unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        urls(&path),
        ["http://a/", "http://a/z", "http://b/", "http://c/"]
    );

    let mut store = read(&path, "2026-11-03");
    assert!(store.fresh("http://b/", &[]).is_some());
    assert!(
        !store.write(&path, false, LIMIT).unwrap(),
        "an incomplete run removes nothing"
    );
    assert!(store.write(&path, true, LIMIT).unwrap());
    assert_eq!(urls(&path), ["http://b/"]);
    remove(&path);
}

/// If two runs write the store at the same time, each adds its line without losing the other's
/// line.
#[test]
fn runs_at_the_same_time() {
    let path = file("concurrent");
    let stores = ["http://a/", "http://b/", "http://c/", "http://d/"].map(|url| {
        let mut store = read(&path, "2026-11-02");
        store.record(url, &Probed::from(Outcome::Ok));
        store
    });
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| store.write(&path, false, LIMIT).unwrap());
        }
    });
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 4);
    assert_eq!(
        fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1,
        "no lock is left"
    );
    remove(&path);
}

#[test]
fn a_lock_that_is_held() {
    let path = file("held");
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    store.record(URL, &Probed::from(Outcome::Ok));
    let lock = fs::File::create(path.with_file_name(".links.jsonl.lock")).unwrap();
    lock.lock().unwrap();
    let error = store
        .write(&path, true, Duration::from_millis(100))
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    assert!(!path.exists());
    // The process ends, which releases the lock but leaves the file.
    drop(lock);
    assert!(store.write(&path, true, LIMIT).unwrap());
    remove(&path);
}

/// A writer that accepts only this number of bytes, like a full disk.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        if written == 0 {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(written)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk() {
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    store.record(URL, &Probed::from(Outcome::Ok));
    for size in [0, 1, 50] {
        let error = store.write_to(&mut Full(size)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}

fn link(target: &str, outcome: Outcome, findings: Vec<Finding>) -> Checked {
    Checked {
        link: Link {
            document: Arc::from("a.md"),
            line: 1,
            column: 1,
            range: None,
            reference: target.to_owned(),
            target: Some(target.to_owned()),
        },
        outcome,
        findings,
        redirected: None,
    }
}

#[test]
fn fragments_that_were_found_are_not_requested_again() {
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    let etag = Some("\"1\"".to_owned());
    let validators = Validators {
        etag,
        modified: None,
    };
    let observed = Probed {
        validators: Some(validators.clone()),
        ..Probed::from(Outcome::Ok)
    };
    store.record(URL, &observed);
    let missing = Finding {
        rule: Rule::FragmentMissing,
        message: String::new(),
        suggestion: None,
    };
    store.learn(&link("http://a.example/#a", Outcome::Ok, vec![]));
    store.learn(&link("http://a.example/#b", Outcome::Ok, vec![missing]));
    store.learn(&link("http://a.example/#", Outcome::Ok, vec![]));
    store.learn(&link("http://b.example/#a", Outcome::Ok, vec![]));

    let of = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert!(store.fresh(URL, &of(&["a"])).is_some());
    assert!(store.fresh(URL, &of(&["a", "b"])).is_none());
    assert_eq!(store.validators(URL, &of(&["a"])), Some(validators));
    assert_eq!(
        store.validators(URL, &of(&["b"])),
        None,
        "304 would not show the fragment"
    );

    // A 304 response confirms the fragments, but a new body does not.
    let path = file("fragments");
    store.write(&path, true, LIMIT).unwrap();
    let mut store = read(&path, "2026-11-20");
    let unchanged = Probed {
        not_modified: true,
        ..Probed::from(Outcome::Ok)
    };
    store.record(URL, &unchanged);
    assert!(store.fresh(URL, &of(&["a"])).is_some());
    let mut store = read(&path, "2026-11-20");
    store.record(URL, &Probed::from(Outcome::Ok));
    assert!(store.fresh(URL, &of(&["a"])).is_none());
    assert!(store.fresh(URL, &[]).is_some());
    remove(&path);
}

#[test]
fn findings_and_redirects_are_part_of_a_result() {
    let path = file("findings");
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    let finding = Finding {
        rule: Rule::RedirectPermanent,
        message: "moved permanently to http://b.example/".to_owned(),
        suggestion: None,
    };
    let redirected = Some("http://b.example/".to_owned());
    let observed = Probed {
        findings: vec![finding.clone()],
        redirected: redirected.clone(),
        ..Probed::from(Outcome::Ok)
    };
    store.record(URL, &observed);
    store.write(&path, true, LIMIT).unwrap();
    let stored = read(&path, "2026-11-03").fresh(URL, &[]).unwrap();
    assert_eq!(
        (stored.findings, stored.redirected),
        (vec![finding], redirected)
    );
    remove(&path);
}

#[test]
fn check_store() {
    let mut store = Store::new(Ages::default(), day("2026-11-02"));
    store.record("http://ok/", &Probed::from(Outcome::Ok));
    store.record(
        "http://404/",
        &Probed::from(Outcome::Broken(Reason::Status(404))),
    );
    store.record(
        "http://slow/",
        &Probed::from(Outcome::Unverifiable(Reason::Timeout)),
    );
    let path = file("check");
    store.write(&path, true, LIMIT).unwrap();

    let mut store = read(&path, "2026-11-08");
    let verdict = store.verdict("http://ok/", &["a".to_owned()]);
    assert_eq!(shown(&verdict.outcome), "ok");
    assert_eq!(verdict.missing_fragments, ["a"]);
    let rows: [(&str, &[String], &str, Option<&str>); 4] = [
        ("http://ok/", &[], "ok", None),
        ("http://404/", &[], "broken: 404 Not Found", None),
        (
            "http://slow/",
            &[],
            "unverifiable: the request timed out",
            None,
        ),
        (
            "http://new/",
            &[],
            "not-checked",
            Some("the store does not contain this URL"),
        ),
    ];
    for (url, fragments, outcome, message) in rows {
        let verdict = store.verdict(url, fragments);
        assert!(
            shown(&verdict.outcome).starts_with(outcome),
            "{url}: {verdict:?}"
        );
        let found = verdict.findings.first();
        assert_eq!(found.map(|finding| &*finding.message), message, "{url}");
        assert!(
            found.is_none_or(|finding| finding.rule == Rule::NotInStore),
            "{url}"
        );
    }
    let verdict = read(&path, "2026-11-09").verdict("http://ok/", &[]);
    assert_eq!(
        verdict.findings[0].message,
        "the stored result is from 2026-11-02"
    );
    remove(&path);
}

/// After a merge of two branches, a URL may have two lines.
#[test]
fn the_newer_of_two_lines_counts() {
    let path = file("merged");
    let line = |day: &str| {
        format!(
            "{{\"url\":\"{URL}\",\"outcome\":\"ok\",\"first\":\"2026-10-01\",\"last\":\"{day}\"}}\n"
        )
    };
    for days in [["2026-11-01", "2026-11-05"], ["2026-11-05", "2026-11-01"]] {
        fs::write(&path, days.map(line).concat()).unwrap();
        assert!(read(&path, "2026-11-11").fresh(URL, &[]).is_some());
    }
    remove(&path);
}

/// A network in which `http://a.example/` has the ids `a` and `b`, and `http://b.example/` is gone.
/// It counts its requests.
#[derive(Default)]
struct Network {
    requested: std::sync::Mutex<Vec<String>>,
    unchanged: bool,
}

impl Prober for Network {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(urikit_check::RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        for request in requests {
            let mut probed = Probed::from(match &*request.url {
                "http://b.example/" => Outcome::Broken(Reason::Status(404)),
                _ => Outcome::Ok,
            });
            let etag = Some("\"1\"".to_owned());
            probed.validators = Some(Validators {
                etag,
                modified: None,
            });
            probed.not_modified = self.unchanged && request.validators == probed.validators;
            if request.needs_content && !probed.not_modified {
                let bytes = b"<p id=a><p id=b>".to_vec();
                let format = Some(urikit_extract::document::Format::Html);
                probed.content = Some(urikit_check::Content {
                    format,
                    charset: None,
                    bytes,
                });
            }
            self.requested.lock().unwrap().push(request.url.clone());
            assert!(done(request.id, probed).is_empty());
        }
    }
}

/// Checks a text with a store. Returns the outcomes and rules, and the requested URLs.
fn checked(path: &Path, today: &str, text: &str, network: &Network) -> (Vec<String>, Vec<String>) {
    let prober = StoredProber::new(read(path, today), Some(network));
    let report = Check::new()
        .folder("/tmp")
        .run([Source::text("a.txt", text)], &prober);
    let mut store = prober.into_store();
    let mut results = Vec::new();
    for link in report.documents().flat_map(|document| document.links()) {
        store.learn(&link);
        let rules: Vec<_> = link
            .findings
            .iter()
            .map(|finding| finding.rule.id())
            .collect();
        results.push([vec![link.outcome.kind().name()], rules].concat().join(" "));
    }
    store.write(path, true, LIMIT).unwrap();
    (
        results,
        std::mem::take(&mut *network.requested.lock().unwrap()),
    )
}

#[test]
fn a_run_with_a_store() {
    let path = file("run");
    let network = Network::default();
    let text = "http://a.example/#a http://a.example/#c http://b.example/ http://c.example/";
    let results = ["ok", "ok fragment-missing", "broken", "ok"];
    let all = [
        "http://a.example/",
        "http://b.example/",
        "http://c.example/",
    ];
    let (found, requested) = checked(&path, "2026-11-02", text, &network);
    assert_eq!(
        (&found[..], &requested[..]),
        (&results.map(String::from)[..], &all.map(String::from)[..])
    );
    // The first page lacks a fragment, and the second link is broken. Both are failures, so both
    // URLs are requested again.
    let (found, requested) = checked(&path, "2026-11-03", text, &network);
    assert_eq!(found, results);
    assert_eq!(requested, all[..2]);
    // If no link has the missing fragment, only the broken link is requested again.
    let text = "http://a.example/#a http://a.example/ http://b.example/ http://c.example/";
    let (found, requested) = checked(&path, "2026-11-03", text, &network);
    assert_eq!(
        (found, requested),
        (
            vec!["ok".into(), "ok".into(), "broken".into(), "ok".into()],
            vec![all[1].into()]
        )
    );
    // After the age limit, a 304 response confirms the fragment, which stays in the line of the
    // store.
    let network = Network {
        unchanged: true,
        ..Network::default()
    };
    let (found, requested) = checked(&path, "2026-11-20", "http://a.example/#a", &network);
    assert_eq!(
        (found, requested),
        (vec!["ok".to_owned()], vec![all[0].to_owned()])
    );
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"url\":\"http://a.example/\",\"outcome\":\"ok\",\"first\":\"2026-11-02\",\
         \"last\":\"2026-11-20\",\"etag\":\"\\\"1\\\"\",\"fragments\":[\"a\"]}\n"
    );
    let (_, requested) = checked(&path, "2026-11-21", "http://a.example/#a", &network);
    assert_eq!(requested, [""; 0]);
    remove(&path);
}

/// If the links of a page are checked, the page is requested for its content, however recent its
/// result is.
#[test]
fn a_page_is_requested_again() {
    let path = file("page");
    let network = Network::default();
    for _ in 0..2 {
        let prober = StoredProber::new(read(&path, "2026-11-02"), Some(&network));
        let report = Check::new().run([Source::url("http://a.example/")], &prober);
        assert_eq!(report.failures(), []);
        prober.into_store().write(&path, true, LIMIT).unwrap();
    }
    assert_eq!(*network.requested.lock().unwrap(), ["http://a.example/"; 2]);
    remove(&path);
}

#[test]
fn an_accepted_status_is_a_success() {
    let network = Network::default();
    let ages = Ages {
        fail_after: "3".parse().unwrap(),
        ..Ages::default()
    };
    let store = Store::new(ages, day("2026-11-02"));
    let prober = StoredProber::new(store, Some(&network)).accept(&|status| status == 404);
    Check::new()
        .folder("/tmp")
        .run([Source::text("a.txt", "http://b.example/")], &prober);
    assert!(
        prober
            .into_store()
            .fresh("http://b.example/", &[])
            .is_some()
    );
}
