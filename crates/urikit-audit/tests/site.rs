//! Tests `same_site` with the rows of `testdata/redirects/` and with generated targets.
//!
//! The resolutions of `whatwg`, `curl`, `urllib` and `java-net-uri` are compared with Node,
//! libcurl, CPython and a JDK. A comparison is skipped if the version that was modelled is not
//! installed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod programs;
mod targets;

use programs::{Program, escaped};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::Command;
use urikit_audit::{
    BaseError, Code, Keep, Outcome, Rejection, Resolved, SameSite, Severity, VOTERS, same_site,
};
use urikit_testkit::assert_linear;
use urikit_testkit::redirects::redirects;

/// The number of generated targets.
const COUNT: usize = 100_000;

/// Returns the destination of each reader, without readers that reject the target.
fn targets_of(answer: &SameSite<'_>) -> BTreeMap<String, String> {
    let readings = answer.readings();
    let of = |resolved: &Resolved| {
        let destination = resolved.outcome.as_ref().ok()?;
        Some((resolved.reader.to_owned(), destination.target.clone()))
    };
    readings.iter().filter_map(of).collect()
}

#[test]
fn readers_resolve_as_the_rows_say() {
    let rows = redirects();
    assert!(rows.len() > 60, "{}", rows.len());
    let mut wrong = Vec::new();
    for (file, row) in &rows {
        let origin = same_site(&row.base, &row.target, Keep::Origin).unwrap();
        let domain = same_site(&row.base, &row.target, Keep::Domain).unwrap();
        let ours = (origin.passes(), domain.passes(), targets_of(&origin));
        if ours != (row.origin, row.domain, row.readings.clone()) {
            wrong.push(format!(
                "{file}: {:?} + {:?}: {ours:#?}",
                row.base, row.target
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the bases and targets of the rows, and then generated ones.
fn pairs() -> Vec<(String, String)> {
    let rows = redirects()
        .into_iter()
        .map(|(_, row)| (row.base, row.target));
    rows.chain(targets::targets(COUNT, 34)).collect()
}

/// Compares a reader's outcome with a program's answer. The arguments are the target, the outcome
/// and the answer.
type Same = fn(&str, &Outcome<'_>, &str) -> bool;

/// Compares the destination of a reader with that of a program.
fn compare(reader: &str, program: Option<Program>, version: &str, same: Same) {
    let installed = program.as_ref().map(Program::version);
    let (Some(program), Some(installed)) = (program, installed) else {
        println!("SKIPPED {reader}: the parser is not installed");
        return;
    };
    compare_with(reader, &program, (&installed, version), same);
}

fn compare_with(reader: &str, program: &Program, versions: (&str, &str), same: Same) {
    let (installed, version) = versions;
    if !installed.starts_with(version) {
        println!("SKIPPED {reader}: {version} was measured, {installed} is installed");
        return;
    }
    let pairs = pairs();
    let line =
        |(base, target): &(String, String)| format!("{}\t{}", escaped(base), escaped(target));
    let answers = program.answers(&pairs.iter().map(line).collect::<Vec<_>>());
    assert_eq!(pairs.len(), answers.len());
    let (mut accepted, mut different) = (0, Vec::new());
    for ((base, target), answer) in pairs.iter().zip(&answers) {
        let ours = same_site(base, target, Keep::Origin).unwrap();
        let readings = ours.readings();
        let resolved = readings.iter().find(|resolved| resolved.reader == reader);
        let outcome = match &resolved.unwrap().outcome {
            Ok(destination) => Ok(destination.reading.clone()),
            Err(rejection) => Err(*rejection),
        };
        accepted += usize::from(!["rejected", "refused"].contains(&&**answer));
        if !same(target, &outcome, answer) {
            let ours = programs::answer(&outcome);
            different.push(format!(
                "{base:?} + {target:?}\n  {reader}: {answer}\n  here: {ours}"
            ));
        }
    }
    let shown: Vec<_> = different.iter().take(30).map(String::as_str).collect();
    let (differ, count) = (different.len(), pairs.len());
    assert!(differ == 0, "{differ} differ:\n{}", shown.join("\n"));
    assert!(accepted > count / 20 && accepted < count);
    println!("{reader} {installed}: {accepted} of {count} accepted; all targets agree");
}

#[test]
fn curl_goes_where_the_model_goes() {
    compare("curl", Program::curl(), "7.88.1", |_, outcome, answer| {
        programs::answer(outcome) == answer
    });
}

#[test]
fn urllib_goes_where_the_model_goes() {
    compare(
        "urllib",
        Program::python(),
        "3.13.0",
        |_, outcome, answer| programs::answer(outcome) == answer,
    );
}

#[test]
fn node_goes_where_the_crate_url_goes() {
    compare(
        "whatwg",
        Program::node(),
        "20.",
        |target, outcome, answer| {
            // Node 20 accepts names that IDNA rejects: it does not apply the rules of RFC 5893.
            let is_idna = *outcome == Err(Rejection::Whatwg(url::ParseError::IdnaError));
            // The crate drops slashes and hosts of `file` URLs. Both the crate and Node handle the
            // paths of unknown schemes, and dot segments after colons, incorrectly (`models.rs`).
            let is_file = answer.starts_with("file\t");
            let is_path = target.contains(['^', ' '])
                || !answer.starts_with("http")
                || ["/.", "..", "%2e", "%2E"]
                    .iter()
                    .any(|dots| target.contains(dots));
            let ours = programs::answer(outcome);
            let is_same =
                without_path(&ours) == without_path(answer) && (is_path || ours == answer);
            is_idna || is_file || is_same
        },
    );
}

/// Removes the path of an answer, and the distinction between absent and empty components, which
/// Node's class does not make.
fn without_path(answer: &str) -> String {
    let before = answer
        .rsplit_once('\t')
        .map_or(answer, |(before, _)| before);
    before.replace("\\0", "")
}

#[test]
fn java_goes_where_the_model_goes() {
    let version = Command::new("java").arg("--version").output();
    let version = version.map(|output| String::from_utf8(output.stdout).unwrap());
    let Ok(version) = version else {
        println!("SKIPPED java-net-uri: a JDK is not installed; ./test --install installs it");
        return;
    };
    let version = version.lines().next().unwrap_or_default();
    let program = Program {
        interpreter: "java",
        script: "Components.java",
    };
    compare_with(
        "java-net-uri",
        &program,
        (version, ""),
        |_, outcome, answer| programs::answer(outcome) == java_components(answer),
    );
}

/// Returns five components from a line that `Components.java` printed.
fn java_components(line: &str) -> String {
    let parts: Vec<_> = line.split('\t').collect();
    let [
        kind,
        scheme,
        rest,
        _,
        _,
        _,
        userinfo,
        _,
        host,
        port,
        path,
        ..,
    ] = parts[..]
    else {
        return "rejected".to_owned();
    };
    let port = if port == "-1" { "\\0" } else { port };
    let is_opaque = kind == "opaque";
    let path = if is_opaque {
        rest.split('?').next().unwrap()
    } else {
        path
    };
    [scheme, userinfo, host, port, path].join("\t")
}

/// For plain targets, the decision is the same as that of all readers together, and the findings
/// agree with this decision.
#[test]
fn the_decision_is_that_of_all_readers() {
    let mut plain = 0;
    for (base, target) in pairs().into_iter().chain(targets::plain(COUNT, 35)) {
        for keep in [Keep::Origin, Keep::Domain] {
            let answer = same_site(&base, &target, keep).unwrap();
            let readings = answer.readings();
            assert_eq!(readings.len(), VOTERS.len());
            let accepts = |reader: &str| {
                readings
                    .iter()
                    .any(|one| one.reader == reader && one.outcome.is_ok())
            };
            let mut destinations = readings.iter().filter_map(|one| one.outcome.as_ref().ok());
            let keeps = destinations.all(|destination| destination.keeps());
            let passes = accepts("rfc3986") && accepts("whatwg") && keeps;
            assert_eq!(answer.passes(), passes, "{base:?} + {target:?} {keep}");
            plain += usize::from(matches!(readings, std::borrow::Cow::Owned(_)));
            let worst = answer.findings().worst();
            assert!(
                passes || worst >= Some(Severity::Medium),
                "{base:?} + {target:?} {keep}"
            );
            let leaves = [Code::LeavesSite, Code::Downgrade];
            let is_found = leaves.iter().any(|code| answer.findings().contains(*code));
            assert_eq!(is_found, !keeps, "{base:?} + {target:?} {keep}");
        }
    }
    println!("{plain} decisions without asking each reader");
    assert!(plain > COUNT / 2);
}

#[test]
fn a_base_is_an_http_url_on_which_readers_agree() {
    for base in [
        "https://good.example",
        "http://127.0.0.1:8080/a",
        "http://[::1]/",
        "HTTP://A.b/",
    ] {
        assert!(
            same_site(base, "/", Keep::Origin).unwrap().passes(),
            "{base}"
        );
    }
    for (base, error) in [
        ("", BaseError::NotWeb),
        ("/a", BaseError::NotWeb),
        ("//good.example/", BaseError::NotWeb),
        ("ftp://good.example/", BaseError::NotWeb),
        ("https:", BaseError::Disputed),
        ("https:good.example", BaseError::Disputed),
        ("https:///good.example", BaseError::Disputed),
        ("https://a@good.example/", BaseError::Userinfo),
        ("https://@good.example/", BaseError::Userinfo),
        ("https://127.1/", BaseError::Disputed),
        ("https://a_b/", BaseError::Disputed),
        ("https://good%2Eexample/", BaseError::Disputed),
        ("https://good.example:99999/", BaseError::Disputed),
        (" https://good.example/", BaseError::Disputed),
        ("https://good.example/ ", BaseError::Disputed),
        ("https://good.example\\", BaseError::Disputed),
        ("https://é.example/", BaseError::Disputed),
    ] {
        assert_eq!(
            same_site(base, "/", Keep::Origin).unwrap_err(),
            error,
            "{base:?}"
        );
    }
}

#[test]
fn long_targets_take_linear_time() {
    let base = "https://good.example/a/b";
    for piece in [
        "/", "\\", "../", "a@", "[", "%2e", "/\t", ";", "://", "a/b", "é",
    ] {
        assert_linear(piece, 1, |factor| {
            let target = piece.repeat(factor * 4_000);
            move || {
                let _ = black_box(same_site(base, &target, Keep::Domain).unwrap().findings());
            }
        });
    }
}
