//! Reports: every format of the same results, with hostile text.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]
#![allow(clippy::similar_names)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use urikit_check::report::{ReportFormat, Results, Summary, Visit, write};
use urikit_check::{
    Baseline, Checked, Failure, Finding, Grades, HostSummary, Link, Outcome, OutcomeKind, Reason,
    Rule, Severities, Severity, Suggestion,
};
use urikit_testkit::servers::python_of;

#[derive(Default)]
struct Run {
    links: Vec<Checked>,
    findings: Vec<Finding>,
    failures: Vec<Failure>,
    hosts: Vec<HostSummary>,
}

impl Results for Run {
    fn links(&self, visit: &mut Visit<'_>) -> io::Result<()> {
        self.links.iter().try_for_each(visit)
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    fn failures(&self) -> Vec<Failure> {
        self.failures.clone()
    }

    fn hosts(&self) -> Vec<HostSummary> {
        self.hosts.clone()
    }
}

fn link(document: &str, line: usize, reference: &str, outcome: Outcome) -> Checked {
    Checked {
        link: Link {
            document: Arc::from(document),
            line,
            column: 5,
            range: None,
            reference: reference.to_owned(),
            target: Some(reference.to_owned()),
        },
        outcome,
        findings: Vec::new(),
        redirected: None,
    }
}

fn finding(rule: Rule, message: &str, suggestion: Option<&str>) -> Finding {
    let suggestion = suggestion.map(|reference| Suggestion {
        reference: reference.to_owned(),
        is_certain: true,
    });
    Finding {
        rule,
        message: message.to_owned(),
        suggestion,
    }
}

/// Text that breaks writers: syntax of each format, control characters, changes of direction.
const HOSTILE: &str = "x\0\u{1}\u{1B}[31m\r\n::error::y\u{202E}z\u{FFFF}'\"&<script>alert(1)</script>\
    ]]>`` `|*_[a](javascript:b)\\ %0A,:@me #1 \u{D7FF}\u{E000}\u{10FFFF}";

fn run() -> Run {
    let broken = || Outcome::Broken(Reason::Status(404));
    let moved = finding(
        Rule::RedirectPermanent,
        "moved permanently",
        Some("https://b.example/"),
    );
    let missing = finding(
        Rule::FragmentMissing,
        "no heading \"instal\"",
        Some("#install"),
    );
    let with = |mut link: Checked, finding| {
        link.findings.push(finding);
        link
    };
    let nearest = Some("guide.md".to_owned());
    let hostile_reason = Outcome::Broken(Reason::Failed(HOSTILE.to_owned()));
    let mut script = link(
        "docs/a.md",
        9,
        "javascript:alert(1)",
        Outcome::NotChecked(Reason::UnknownScheme("javascript".into())),
    );
    script.link.target = Some("javascript:alert(1)".to_owned());
    Run {
        links: vec![
            link("docs/a.md", 1, "https://ok.example/", Outcome::Ok),
            link("docs/a.md", 3, "https://a.example/x", broken()),
            link("docs/a.md", 4, "https://a.example/x", broken()),
            with(
                link("docs/a.md", 5, "http://b.example/", Outcome::Ok),
                moved,
            ),
            with(link("docs/a.md", 6, "#instal", Outcome::Ok), missing),
            link(
                "docs/a.md",
                7,
                "gide.md",
                Outcome::Broken(Reason::NoSuchFile { nearest }),
            ),
            script,
            link(
                "b c:1.html",
                2,
                "https://c.example/",
                Outcome::Unverifiable(Reason::Timeout),
            ),
            link("ok.md", 1, "https://ok.example/", Outcome::Ok),
            link(HOSTILE, 1, HOSTILE, hostile_reason),
            link(
                HOSTILE,
                2,
                &format!("http://a.example/{}", "é".repeat(500_000)),
                broken(),
            ),
            link("pdf", 0, "", broken()),
        ],
        findings: vec![
            finding(
                Rule::UnusedExclusion,
                "--exclude \"x\" matches no link",
                None,
            ),
            finding(Rule::BaselineStale, HOSTILE, None),
        ],
        failures: vec![Failure::new("c.md", HOSTILE)],
        hosts: vec![HostSummary {
            host: "a.example".into(),
            requests: 3,
            waited: Duration::from_millis(1_500),
            failures: 2,
        }],
    }
}

fn written(format: ReportFormat, run: &Run, grades: &Grades<'_>) -> String {
    let mut out = Vec::new();
    write(format, run, grades, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn default_report(format: ReportFormat, run: &Run) -> String {
    written(format, run, &Grades::new(&Severities::default(), None))
}

fn json(format: ReportFormat, run: &Run) -> Value {
    serde_json::from_str(&default_report(format, run)).unwrap()
}

/// Every format except JSON displays only visible characters, and cuts long text.
#[test]
fn untrusted_text_is_visible_and_short() {
    for format in ReportFormat::ALL {
        let report = default_report(format, &run());
        if matches!(format, ReportFormat::Json | ReportFormat::Jsonl) {
            assert!(
                report.len() > 1_000_000,
                "{format} contains references as they are"
            );
            continue;
        }
        // GitLab needs the exact path.
        let report = match format {
            ReportFormat::Gitlab => report.replace(&serde_json::to_string(HOSTILE).unwrap(), ""),
            _ => report,
        };
        let strange = |c: &char| *c != '\n' && !urikit::visible::is_visible(*c);
        assert_eq!(report.chars().find(strange), None, "{format}");
        assert!(report.contains("\u{2026} (1000017 bytes)"), "{format}");
        assert!(report.len() < 60_000, "{format}: {}", report.len());
        if matches!(format, ReportFormat::Html | ReportFormat::Junit) {
            assert!(!report.contains("<script"), "{format}");
        }
    }
}

/// If a writer fails after some bytes, the error is returned.
#[test]
fn a_full_disk() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let written = bytes.len().min(self.0);
            self.0 -= written;
            Ok(written)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let severities = Severities::default();
    for format in ReportFormat::ALL {
        for size in [0, 1, 100, 2_000] {
            let grades = Grades::new(&severities, None);
            let error = write(format, &run(), &grades, &mut Full(size)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format}, {size}");
        }
    }
}

#[test]
fn json_lines() {
    let report = default_report(ReportFormat::Jsonl, &run());
    let lines: Vec<Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), run().links.len() + 2 + 1);
    assert_eq!(
        report.lines().nth(3).unwrap(),
        "{\"file\":\"docs/a.md\",\"line\":5,\"column\":5,\"reference\":\"http://b.example/\",\
         \"target\":\"http://b.example/\",\"outcome\":\"ok\",\"reason\":null,\"severity\":\"note\",\
         \"redirected\":null,\"findings\":[{\"rule\":\"redirect-permanent\",\"severity\":\"note\",\
         \"message\":\"moved permanently\",\"suggestion\":\"https://b.example/\"}]}"
    );
    assert_eq!(lines[9]["reference"], HOSTILE);
    assert_eq!(lines[12]["rule"], "unused-exclusion");
    assert_eq!(lines[14]["file"], "c.md");
}

#[test]
fn json_object() {
    let report = json(ReportFormat::Json, &run());
    assert_eq!(report["links"].as_array().unwrap().len(), 12);
    assert_eq!(report["hosts"][0]["waited_seconds"], 1.5);
    let summary = &report["summary"];
    assert_eq!(
        summary["outcomes"].to_string(),
        r#"{"broken":6,"not-checked":1,"ok":4,"unverifiable":1}"#
    );
    assert_eq!(
        summary["severities"].to_string(),
        r#"{"error":8,"note":3,"warning":1}"#
    );
    assert_eq!(summary["rules"]["broken"], 6);
}

#[test]
fn outcomes_add_up() {
    let severities = Severities::default();
    let summary = Summary::of(&run(), &Grades::new(&severities, None)).unwrap();
    let sum: u64 = OutcomeKind::ALL
        .into_iter()
        .map(|kind| summary.outcome(kind))
        .sum();
    assert_eq!(sum, summary.links);
    assert_eq!(summary.links, run().links.len() as u64);
    let rules: u64 = summary.rules.values().sum();
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let reported: u64 = severities
        .into_iter()
        .map(|severity| summary.severity(severity))
        .sum();
    assert_eq!(rules, reported);
}

#[test]
fn empty_reports() {
    for format in ReportFormat::ALL {
        let report = default_report(format, &Run::default());
        match format {
            ReportFormat::Jsonl => assert_eq!(report, ""),
            ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Gitlab => {
                serde_json::from_str::<Value>(&report).unwrap();
            }
            _ => assert!(report.ends_with('\n'), "{format}"),
        }
    }
}

/// The schema needs formats and references that only a validator checks: Python's, if installed.
/// Without it, the test checks the structure that code scanning requires.
#[test]
fn sarif() {
    let log = json(ReportFormat::Sarif, &run());
    assert_eq!(log["version"], "2.1.0");
    let run_object = &log["runs"][0];
    let rules = run_object["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run_object["results"].as_array().unwrap();
    assert_eq!(results.len(), 12);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        for location in result["locations"].as_array().into_iter().flatten() {
            let uri = location["physicalLocation"]["artifactLocation"]["uri"]
                .as_str()
                .unwrap();
            assert!(urikit::UriRef::parse(uri).is_ok(), "{uri}");
        }
    }
    let at = |index: usize| &results[index]["locations"][0]["physicalLocation"];
    assert_eq!(at(0)["artifactLocation"]["uri"], "docs/a.md");
    assert_eq!(at(0)["region"]["startLine"], 3);
    assert_eq!(at(6)["artifactLocation"]["uri"], "./b%20c:1.html");
    assert_eq!(at(9)["region"], Value::Null, "a document without lines");
    assert_eq!(
        results[2]["message"]["text"],
        "http://b.example/: moved permanently; write https://b.example/ instead"
    );
    assert_eq!(
        results[4]["message"]["text"],
        "gide.md: no such file; did you mean guide.md?"
    );
    assert_eq!(run_object["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn sarif_is_valid_by_its_schema() {
    let path = std::env::var_os("URIKIT_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        Into::into,
    );
    let path = path.join("vectors/reports/sarif-schema-2.1.0.json");
    let Ok(text) = fs::read_to_string(&path) else {
        println!(
            "SKIPPED sarif: {} is missing; set URIKIT_SHARED",
            path.display()
        );
        return;
    };
    let mut compiler = boon::Compiler::new();
    let mut schemas = boon::Schemas::new();
    compiler.set_default_draft(boon::Draft::V4);
    compiler.enable_format_assertions();
    let schema: Value = serde_json::from_str(&text).unwrap();
    compiler
        .add_resource("http://schema/sarif.json", schema)
        .unwrap();
    let index = compiler
        .compile("http://schema/sarif.json", &mut schemas)
        .unwrap();
    let mut severities = Severities::default();
    severities.set(Rule::Broken, Severity::Off);
    let mut baseline = Baseline::default();
    baseline.add(Rule::Broken, "docs/a.md", "https://a.example/x");
    let default = Severities::default();
    let grades = [
        Grades::new(&default, None),
        Grades::new(&default, Some(&baseline)),
        Grades::new(&severities, None),
    ];
    for run in [run(), Run::default()] {
        for grades in &grades {
            let log: Value =
                serde_json::from_str(&written(ReportFormat::Sarif, &run, grades)).unwrap();
            if let Err(error) = schemas.validate(&log, index) {
                panic!("{error:#}");
            }
        }
    }
    // The validator rejects a document that is not SARIF.
    assert!(
        schemas
            .validate(&serde_json::json!({ "version": "2.1.0" }), index)
            .is_err()
    );
}

/// Returns the fingerprints of a report by rule, document and reference.
fn fingerprints(run: &Run) -> Vec<String> {
    let log = json(ReportFormat::Sarif, run);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let fingerprint = |result: &Value| result["partialFingerprints"]["uriCheckLink/v1"].to_string();
    results.iter().map(fingerprint).collect()
}

#[test]
fn fingerprints_survive_a_moved_line() {
    let before = fingerprints(&run());
    let mut distinct = before.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), before.len());
    // Fingerprints must be the same in every run and in every version, because other programs store
    // them.
    assert_eq!(before[0], "\"c6dc23e1b4ee30531853673c41e2103a\"");

    let mut moved = run();
    for link in &mut moved.links {
        link.link.line += 10;
        link.link.column += 3;
    }
    assert_eq!(fingerprints(&moved), before);

    // A link that is added elsewhere changes no other fingerprint.
    let mut added = run();
    added.links.insert(
        0,
        link(
            "a.md",
            1,
            "http://new/",
            Outcome::Broken(Reason::NoSuchHost),
        ),
    );
    assert_eq!(fingerprints(&added)[1..], before);

    let log = json(ReportFormat::Gitlab, &run());
    let issues = log.as_array().unwrap();
    let of: Vec<String> = issues
        .iter()
        .map(|issue| issue["fingerprint"].to_string())
        .collect();
    assert_eq!(of, before);
}

#[test]
fn gitlab() {
    let issues = json(ReportFormat::Gitlab, &run());
    assert_eq!(issues[0]["location"]["path"], "docs/a.md");
    assert_eq!(issues[0]["location"]["lines"]["begin"], 3);
    assert_eq!(issues[0]["severity"], "major");
    assert_eq!(issues[2]["severity"], "info");
    assert_eq!(
        issues[9]["location"]["lines"]["begin"], 1,
        "a document without lines"
    );
}

#[test]
fn github() {
    let report = default_report(ReportFormat::Github, &run());
    let mut lines = report.lines();
    assert_eq!(
        lines.next().unwrap(),
        "::error file=docs/a.md,line=3,col=5,title=broken::https://a.example/x: 404 Not Found"
    );
    assert!(report.contains("::notice file=b c%3A1.html,line=2,col=5,title=unverifiable::"));
    assert_eq!(
        lines.next_back().unwrap(),
        "12 links: 4 ok, 6 broken, 1 unverifiable, 1 not-checked"
    );
    // Each problem yields exactly one command, however hostile its text is.
    assert_eq!(
        report.lines().filter(|line| line.starts_with("::")).count(),
        13
    );
    assert!(report.contains("%250A%2C%3A@me"), "in a file name");
}

#[test]
fn markdown() {
    let mut plain = run();
    plain.links.truncate(9);
    plain.findings.truncate(1);
    plain.failures.clear();
    assert_eq!(
        default_report(ReportFormat::Markdown, &plain),
        "# Link check\n\n\
         | links | ok | broken | unverifiable | not-checked |\n\
         |--:|--:|--:|--:|--:|\n\
         | 9 | 4 | 3 | 1 | 1 |\n\n\
         ## `docs/a.md`\n\n\
         - **error** 3:5 `https://a.example/x` broken: 404 Not Found\n\
         - **error** 4:5 `https://a.example/x` broken: 404 Not Found\n\
         - **note** 5:5 `http://b.example/` redirect-permanent: moved permanently; \
         write `https://b.example/` instead\n\
         - **error** 6:5 `#instal` fragment-missing: no heading \"instal\"; write `#install` instead\n\
         - **error** 7:5 `gide.md` broken: no such file; did you mean `guide.md`?\n\
         - **note** 9:5 `javascript:alert(1)` not-checked: javascript: URLs cannot be checked\n\n\
         ## `b c:1.html`\n\n\
         - **note** 2:5 `https://c.example/` unverifiable: the request timed out\n\n\
         ## Options\n\n\
         - **warning** unused-exclusion: --exclude \"x\" matches no link\n"
    );
}

/// A Markdown parser finds neither links nor HTML in hostile text.
#[test]
fn markdown_of_hostile_text() {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let report = default_report(ReportFormat::Markdown, &run());
    let events = Parser::new_ext(
        &report,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
    );
    let mut items = 0;
    for event in events {
        match event {
            Event::Start(Tag::Item) => items += 1,
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::Link { .. } | Tag::Emphasis) => {
                panic!("{event:?}")
            }
            _ => {}
        }
    }
    assert_eq!(items, 10 + 2 + 1);
}

/// Counts elements and their attributes, using a parser that is independent of the writer.
fn elements(xml: &str) -> BTreeMap<String, usize> {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut counts = BTreeMap::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    quick_xml::escape::unescape(&attribute.unwrap().value).unwrap();
                }
                let name = tag.name().0.to_owned();
                *counts.entry(name).or_default() += 1;
            }
            quick_xml::events::Event::Eof => return counts,
            _ => {}
        }
    }
}

#[test]
fn junit() {
    let report = default_report(ReportFormat::Junit, &run());
    let counts = elements(&report);
    let of = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert_eq!((of("testsuite"), of("testcase")), (6, 12 + 1 + 1));
    assert_eq!(
        (of("failure"), of("skipped"), of("error"), of("system-out")),
        (8, 2, 1, 1)
    );
    assert!(report.contains(
        "<testsuites name=\"uri check\" tests=\"14\" failures=\"8\" errors=\"1\" skipped=\"2\">"
    ));
    assert!(report.contains(
        "<testsuite name=\"docs/a.md\" tests=\"7\" failures=\"4\" errors=\"0\" skipped=\"1\">"
    ));

    // With --fail-on note, everything that is reported fails.
    let severities = Severities::default();
    let strict = Grades::new(&severities, None).fail_on(Severity::Note);
    let counts = elements(&written(ReportFormat::Junit, &run(), &strict));
    assert_eq!(counts.get("failure"), Some(&12));
    assert_eq!(counts.get("skipped"), None);
}

/// PyPI's `junitparser` reads the report.
#[test]
fn junitparser_reads_the_report() {
    let Some(python) = python_of("junitparser", "reports") else {
        return;
    };
    let path = std::env::temp_dir().join(format!("urikit-junit-{}.xml", std::process::id()));
    fs::write(&path, default_report(ReportFormat::Junit, &run())).unwrap();
    let script = "import sys, junitparser\n\
        xml = junitparser.JUnitXml.fromfile(sys.argv[1])\n\
        print(xml.tests, xml.failures, xml.errors, xml.skipped)\n\
        print(sum(len(list(s)) for s in xml))\n\
        xml.update_statistics()\n\
        print(xml.tests, xml.failures, xml.errors, xml.skipped)\n";
    let output = Command::new(&python)
        .args(["-c", script])
        .arg(&path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        text.replace("\r\n", "\n"),
        "14 8 1 2\n14\n14 8 1 2\n",
        "{output:?}"
    );
    fs::remove_file(path).unwrap();
}

#[test]
fn html() {
    let report = default_report(ReportFormat::Html, &run());
    assert!(report.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    assert!(report.contains("<title>8 errors in 12 links</title>"));
    // The report links to web pages, but contains no link that runs a script.
    assert!(report.contains("<a href=\"https://a.example/x\" rel=\"nofollow noreferrer\">"));
    assert!(!report.contains("href=\"javascript:"));
    for absent in [
        "<script", "<img", "<link", " style=", " onclick", "url(", "@import", "src=",
    ] {
        assert!(!report.contains(absent), "{absent}");
    }
    // The policy and the style sheet are in the page itself, which loads no other resources.
    let style = report
        .split_once("<style>")
        .unwrap()
        .1
        .split_once("</style>")
        .unwrap()
        .0;
    let hash = sha256_base64(style.as_bytes());
    assert!(
        report.contains(&format!("style-src 'sha256-{hash}'")),
        "{hash}"
    );
    // Every element that must be closed has an end tag.
    for element in [
        "section", "ul", "li", "p", "code", "a", "span", "table", "main", "fieldset",
    ] {
        let opened = report.matches(&format!("<{element}>")).count()
            + report.matches(&format!("<{element} ")).count();
        let closed = report.matches(&format!("</{element}>")).count();
        assert_eq!(opened, closed, "{element}");
    }
}

fn sha256_base64(bytes: &[u8]) -> String {
    use sha2::Digest;
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in sha2::Sha256::digest(bytes).chunks(3) {
        let mut bits = [0; 4];
        bits[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(bits);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index <= group.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[test]
fn known_failures_are_notes() {
    let mut baseline = Baseline::default();
    baseline.add(Rule::Broken, "docs/a.md", "https://a.example/x");
    let severities = Severities::default();
    let grades = Grades::new(&severities, Some(&baseline));
    let report = written(ReportFormat::Github, &run(), &grades);
    let first = report.lines().next().unwrap();
    assert_eq!(
        first,
        "::notice file=docs/a.md,line=3,col=5,title=broken::https://a.example/x: 404 Not Found \
         (in the baseline)"
    );
    let log: Value = serde_json::from_str(&written(ReportFormat::Sarif, &run(), &grades)).unwrap();
    let suppressions = &log["runs"][0]["results"][0]["suppressions"];
    assert_eq!(suppressions[0]["kind"], "external");
    let failures = elements(&written(ReportFormat::Junit, &run(), &grades));
    assert_eq!(failures["failure"], 6);
}
