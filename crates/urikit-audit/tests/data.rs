//! Compares the audit with the rows of `testdata/audit/` and `testdata/cve/`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod inputs;

use std::collections::BTreeSet;
use urikit::Uri;
use urikit_audit::{
    Code, Curl, Gate, JavaNetUri, Outcome, Part, Reader, Severity, Urllib, Whatwg, audit,
};
use urikit_testkit::assert_linear;
use urikit_testkit::rows::{Answer, Recorded, audited, classes, recorded};

/// Returns the names of the disputed parts, and the codes of all findings.
fn verdict(input: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let report = audit(input);
    let disputed = report.agreement().disputed().iter();
    let codes = report.findings().iter();
    (
        disputed.map(|part| part.as_str()).collect(),
        codes.map(|finding| finding.code.as_str()).collect(),
    )
}

#[test]
fn disputes_and_findings_are_those_of_the_rows() {
    let rows = audited();
    assert!(rows.len() >= 150, "{}", rows.len());
    for (file, row) in &rows {
        let (disputed, findings) = verdict(&row.input);
        assert_eq!(disputed, row.disputed, "{file}: {:?}", row.input);
        assert_eq!(findings, row.findings, "{file}: {:?}", row.input);
        let is_ordinary = file == "ordinary";
        assert!(!is_ordinary || row.disputed.is_empty(), "{:?}", row.input);
    }
    println!("{} strings as the rows say", rows.len());
}

#[test]
fn every_code_has_a_row() {
    let rows = audited().into_iter().flat_map(|(_, row)| row.findings);
    let attacks = classes().into_iter().flat_map(|(_, class)| class.row);
    let found: BTreeSet<_> = rows.chain(attacks.flat_map(|row| row.findings)).collect();
    // Other tests cover the codes of the gate and of `same_site`.
    let others = [
        Code::LeavesSite,
        Code::Downgrade,
        Code::NotAbsolute,
        Code::SchemeNotAllowed,
        Code::HostNotAllowed,
        Code::PortNotAllowed,
    ];
    for code in Code::ALL.iter().filter(|code| !others.contains(code)) {
        assert!(found.contains(code.as_str()), "no row has {code}");
    }
}

#[test]
fn codes_have_names_sentences_and_sources() {
    for code in Code::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
        assert!(code.sentence().ends_with('.'), "{code}");
        assert!(!code.source().is_empty(), "{code}");
    }
    for severity in Severity::ALL {
        assert_eq!(severity.as_str().parse(), Ok(severity));
    }
}

/// Offsets are character boundaries of the input, in ascending order, and codes are unique.
#[test]
fn findings_of_any_input_are_in_order() {
    let rows = audited().into_iter().map(|(_, row)| row.input);
    for input in rows.chain(inputs::inputs(60_000, 5)) {
        let report = audit(&input);
        let findings: Vec<_> = report.findings().iter().collect();
        assert!(findings.is_sorted(), "{input:?}");
        let codes: BTreeSet<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes.len(), findings.len(), "{input:?}");
        for finding in findings {
            assert!(
                input.is_char_boundary(finding.offset),
                "{finding}: {input:?}"
            );
            assert!(
                !report.message(finding).contains(char::is_control),
                "{input:?}"
            );
        }
        assert_eq!(report.readings().count(), 13);
        let _ = Gate::strict().check(&input);
    }
}

fn recording(parser: &str) -> Recorded {
    let mut files = recorded().into_iter();
    files.find(|file| file.parser == parser).unwrap()
}

/// Returns the components of an outcome, without the path if `path` is false.
fn components(outcome: &Outcome<'_>, path: bool) -> Option<[Option<String>; 5]> {
    let reading = outcome.as_ref().ok()?;
    let own = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    Some([
        own(reading.scheme.as_deref()),
        own(reading.userinfo.as_deref()),
        own(reading.host.as_deref()),
        own(reading.port.as_deref()),
        own(path.then_some(&*reading.path)),
    ])
}

/// Returns the components in a recorded answer.
fn answered(answer: &Answer, path: bool) -> Option<[Option<String>; 5]> {
    let own = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    (!answer.rejected).then(|| {
        [
            own(&answer.scheme),
            own(&answer.userinfo),
            own(&answer.host),
            own(&answer.port),
            own(&answer.path).filter(|_| path),
        ]
    })
}

/// Strings that Node reads differently from the `url` crate.
const NODE_DIFFERS: [&str; 1] = [
    // Node accepts Punycode that decodes to US-ASCII.
    "http://xn--example-.org/",
];

#[test]
fn readers_read_what_was_recorded() {
    let readers: [(&str, &dyn Reader); 4] = [
        ("curl", &Curl),
        ("urllib", &Urllib),
        ("java-net-uri", &JavaNetUri),
        ("node", &Whatwg),
    ];
    let mut wrong = Vec::new();
    for (parser, reader) in readers {
        let file = recording(parser);
        assert!(file.readings.len() > 300, "{parser}");
        for answer in &file.readings {
            let outcome = reader.read(&answer.input);
            // The `url` crate returns other paths of `file` URLs
            // (`testdata/suites/urltestdata.toml`).
            let path = parser != "node" || answer.scheme.as_deref() != Some("file");
            let ours = components(&outcome, path);
            if ours != answered(answer, path) && !NODE_DIFFERS.contains(&&*answer.input) {
                wrong.push(format!(
                    "{parser} {}: {answer:?}, not {ours:?}",
                    file.version
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The host of `http://ex%61mple.com/` is decoded (curl, Node, Perl), kept (`urllib`, PHP) or null
/// (Java). The readers return the same results.
#[test]
fn an_escape_in_a_host_is_decoded_kept_or_has_no_host() {
    let input = "http://ex%61mple.com/";
    let hosts: BTreeSet<_> = recorded()
        .into_iter()
        .flat_map(|file| file.readings)
        .filter(|answer| answer.input == input && !answer.rejected)
        .map(|answer| answer.host)
        .collect();
    let all = [None, Some("ex%61mple.com"), Some("example.com")];
    assert!(hosts.iter().map(Option::as_deref).eq(all), "{hosts:?}");
    let report = audit(input);
    let sides = report.agreement().sides(Part::Host);
    let names: Vec<_> = sides.iter().map(|side| &*side.value).collect();
    assert_eq!(names, ["ex%61mple.com", "example.com"]);
    assert!(report.findings().contains(Code::NullHost));
}

/// For most of these strings, widely used parsers return different hosts.
#[test]
fn real_parsers_disagree() {
    let files = recorded();
    let (mut several, mut all) = (0, 0);
    for (_, row) in audited().iter().filter(|(file, _)| file != "ordinary") {
        let hosts: BTreeSet<_> = files
            .iter()
            .filter_map(|file| {
                file.readings
                    .iter()
                    .find(|answer| answer.input == row.input)
            })
            .filter(|answer| !answer.rejected)
            .map(|answer| answer.host.as_deref().unwrap_or_default().to_lowercase())
            .collect();
        several += usize::from(hosts.len() > 1);
        all += 1;
    }
    println!(
        "{} parsers give several hosts for {several} of {all} strings",
        files.len()
    );
    assert!(several > all / 4);
}

#[test]
fn attacks_are_found() {
    let classes = classes();
    assert!(classes.len() >= 18);
    for (file, class) in &classes {
        assert!(
            class.cve.iter().all(|cve| cve.starts_with("CVE-")),
            "{file}"
        );
        for row in &class.row {
            let input = row.text(1);
            let (disputed, findings) = verdict(&input);
            assert_eq!(disputed, row.disputed, "{file}: {input:.99?}");
            assert_eq!(findings, row.findings, "{file}: {input:.99?}");
            let passes = Gate::strict().check(&input).is_ok();
            assert_eq!(passes, row.passes, "{file}: {input:.99?}");
            if let Some(join) = &row.join {
                let target = Uri::parse(&input).unwrap().join(&join.reference).unwrap();
                assert_eq!(target, join.target.as_str(), "{file}");
            }
        }
    }
}

#[test]
fn long_attacks_take_linear_time() {
    for (file, class) in classes() {
        for row in class.row.iter().filter(|row| !row.pieces.is_empty()) {
            assert_linear(&format!("{file}: {}", row.note), 1, |factor| {
                let text = row.text(factor);
                move || {
                    let _ = std::hint::black_box(Gate::strict().check(&text));
                }
            });
        }
    }
}

#[test]
fn many_backslashes_take_linear_time() {
    for piece in ["\\", "/\\", "a\\"] {
        assert_linear(piece, 1, |factor| {
            let text = piece.repeat(factor * 10_000);
            move || {
                std::hint::black_box(audit(&text));
            }
        });
    }
}

/// Only the innermost URL is audited, even if an input has many prefixes.
#[test]
fn nested_urls_take_linear_time() {
    for prefix in ["url:", "jar:", "blob: ", "<"] {
        assert_linear(prefix, 1, |factor| {
            let text = prefix.repeat(factor * 20_000);
            let text = format!("{text}http://127.1/a!/b{}", ">".repeat(factor * 20_000));
            assert!(
                audit(&text).findings().contains(Code::UnusualIpv4),
                "{prefix}"
            );
            move || {
                std::hint::black_box(audit(&text));
            }
        });
    }
}

#[test]
fn messages_name_the_hosts_of_the_url_inside() {
    let report = audit("view-source:http://127.1/");
    let finding = report
        .findings()
        .iter()
        .find(|it| it.code == Code::HostDisagreement);
    let message = report.message(finding.unwrap());
    assert!(
        message.starts_with("Readers find different hosts: `127.1` (rfc3986"),
        "{message}"
    );
}

#[test]
fn only_a_blob_of_a_public_host_is_harmless() {
    for (input, severity) in [
        ("blob:https://example.com/a", Severity::Info),
        ("blob:https://[2001:4860:4860::8888]/a", Severity::Info),
        ("blob:https://10.0.0.1/a", Severity::Medium),
        ("blob:https://0x7f.1/a", Severity::Medium),
        ("blob:https://localhost/a", Severity::Medium),
        ("blob:null/a", Severity::Medium),
        ("blob:file:///a", Severity::Medium),
        ("blob:view-source:https://example.com/a", Severity::Medium),
    ] {
        let report = audit(input);
        let finding = report
            .findings()
            .iter()
            .find(|it| it.code == Code::NestedUrl);
        assert_eq!(finding.unwrap().severity(), severity, "{input}");
    }
}
