//! Checks the rows of `testdata/extract/`.

#![allow(clippy::string_slice)] // a test fails by panicking

use urikit_extract::{Finder, Link};
use urikit_testkit::rows::{Case, extract};

fn finder(case: &Case) -> Finder {
    Finder::new()
        .abbreviated(case.abbreviated)
        .addresses(case.addresses)
        .refang(case.refang)
        .templates(case.templates)
}

/// Returns the link that a row expects: its kind, the text in its range, the reference, the
/// alternative reading, the repaired reference (empty for an invalid one that cannot be repaired),
/// and whether it is cut or a template.
fn expected(case: &Case) -> Vec<String> {
    let links = case.links.iter();
    links
        .map(|link| {
            format!(
                "{} {:?} {:?} {:?} {:?} {} {}",
                link.kind,
                link.matched,
                link.uri,
                link.alternative,
                link.repaired,
                link.cut,
                link.template
            )
        })
        .collect()
}

fn found(text: &str, link: &Link<'_>) -> String {
    let repaired = || {
        link.repaired()
            .map_or_else(String::new, |r| r.reference.to_string())
    };
    format!(
        "{} {:?} {:?} {:?} {:?} {} {}",
        link.kind(),
        &text[link.range()],
        link.as_str(),
        link.alternative(),
        (!link.is_valid() && !link.is_template()).then(repaired),
        link.is_cut(),
        link.is_template()
    )
}

#[test]
fn every_row() {
    let rows = extract();
    let mut wrong = String::new();
    for (file, case) in &rows {
        let links: Vec<Link<'_>> = finder(case).links(&case.text).collect();
        let is_ordered = links
            .windows(2)
            .all(|pair| pair[0].range().end <= pair[1].range().start);
        assert!(is_ordered, "{file}: {:?}", case.text);
        let found: Vec<String> = links.iter().map(|link| found(&case.text, link)).collect();
        let expected = expected(case);
        if found != expected {
            use std::fmt::Write as _;
            let _ = writeln!(
                wrong,
                "{file}: {:?} ({})\n  expected {}\n  found    {}",
                case.text,
                case.source,
                expected.join("\n           "),
                found.join("\n           ")
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    let links: usize = rows.iter().map(|(_, case)| case.links.len()).sum();
    println!("{} texts, {links} links, as expected", rows.len());
}

/// Fails if few rows are found.
#[test]
fn there_are_enough_rows() {
    assert!(extract().len() >= 200);
}
