//! Fixes: the rows of `testdata/check/fix.toml`, patches that `git apply` accepts, and files.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]
#![allow(clippy::similar_names)]

use serde::Deserialize;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use urikit_check::fix::{
    Edit, Fixes, Replacement, Unfixed, WriteError, fix, write_file, write_patch,
};
use urikit_check::{Checked, Finding, Link, Outcome, Reason, Rule, Suggestion};
use urikit_extract::document::{Extractor, Format};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    fix: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    format: String,
    before: String,
    old: String,
    new: String,
    after: Option<String>,
    unfixed: Option<String>,
}

/// Removes the marks, and returns the range between them.
fn unmarked(text: &str) -> (String, Range<usize>) {
    let start = text.find('«').unwrap();
    let end = text.find('»').unwrap() - '«'.len_utf8();
    (text.replace(['«', '»'], ""), start..end)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

#[test]
fn rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/check/fix.toml");
    let rows: Rows = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for row in rows.fix {
        let format: Format = row.format.parse().unwrap();
        let (before, range) = unmarked(&row.before);
        let replacement = Replacement {
            range,
            old: row.old,
            new: row.new,
        };
        let fixes = fix(before.as_bytes(), format, &Extractor::new(), &[replacement]).unwrap();
        let after = String::from_utf8(fixes.apply(before.as_bytes())).unwrap();
        let unfixed = fixes.unfixed.first().map(|(_, reason)| reason.to_string());
        let expected = row.after.unwrap_or_else(|| before.clone());
        if after != expected || unfixed != row.unfixed {
            wrong.push(format!(
                "{}:\n  {after}\n  {expected}\n  {unfixed:?}",
                row.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the replacements of `http` by `https` in all references of a document.
fn secured(document: &str, format: Format) -> Vec<Replacement> {
    let mut found = Vec::new();
    let extractor = Extractor::new();
    extractor
        .extract(format, document.as_bytes(), &mut |reference| {
            if let Some(rest) = reference.uri().strip_prefix("http:") {
                found.push(Replacement {
                    range: reference.range(),
                    old: reference.uri().to_owned(),
                    new: format!("https:{rest}"),
                });
            }
        })
        .unwrap();
    found
}

#[test]
fn several_fixes_in_a_document() {
    let page = "<a href='http://a/?b&amp;c'> http://d/ <img srcset='http://e/ 1x, http://f/ 2x'>";
    let replacements = secured(page, Format::Html);
    assert_eq!(replacements.len(), 4);
    let fixes = fix(
        page.as_bytes(),
        Format::Html,
        &Extractor::new(),
        &replacements,
    )
    .unwrap();
    assert_eq!(fixes.unfixed, []);
    let after = String::from_utf8(fixes.apply(page.as_bytes())).unwrap();
    assert_eq!(after, page.replace("http:", "https:"));
}

/// One fix that cannot be made does not prevent the others.
#[test]
fn one_of_several_fixes_is_impossible() {
    let text = "http://a.example/ http://b.example/ http://c.example/";
    let mut replacements = secured(text, Format::Text);
    replacements[1].new.push('.');
    let fixes = fix(
        text.as_bytes(),
        Format::Text,
        &Extractor::new(),
        &replacements,
    )
    .unwrap();
    assert_eq!(fixes.unfixed, [(1, Unfixed::Syntax)]);
    let after = String::from_utf8(fixes.apply(text.as_bytes())).unwrap();
    assert_eq!(
        after,
        "https://a.example/ http://b.example/ https://c.example/"
    );
}

#[test]
fn the_same_reference_twice() {
    let text = "http://a.example/";
    let mut replacements = secured(text, Format::Text);
    replacements.push(replacements[0].clone());
    let fixes = fix(
        text.as_bytes(),
        Format::Text,
        &Extractor::new(),
        &replacements,
    )
    .unwrap();
    assert_eq!(
        (fixes.edits.len(), fixes.unfixed),
        (1, vec![(1, Unfixed::Conflict)])
    );
}

#[test]
fn the_suggestion_that_is_applied() {
    let suggestion = |reference: &str, is_certain| {
        let reference = reference.to_owned();
        Some(Suggestion {
            reference,
            is_certain,
        })
    };
    let finding = |suggestion| Finding {
        rule: Rule::Insecure,
        message: String::new(),
        suggestion,
    };
    let mut checked = Checked {
        link: Link {
            document: Arc::from("a.md"),
            line: 1,
            column: 1,
            range: Some(3..4),
            reference: "a".to_owned(),
            target: None,
        },
        outcome: Outcome::Ok,
        findings: vec![
            finding(None),
            finding(suggestion("uncertain", false)),
            finding(suggestion("a", true)), // no change
            finding(suggestion("b", true)),
            finding(suggestion("c", true)),
        ],
        redirected: None,
    };
    let replacement = Replacement {
        range: 3..4,
        old: "a".to_owned(),
        new: "b".to_owned(),
    };
    assert_eq!(Replacement::of(&checked), Some(replacement));
    checked.link.range = None;
    assert_eq!(Replacement::of(&checked), None, "in a compressed document");
    checked.link.range = Some(3..4);
    checked.outcome = Outcome::NotChecked(Reason::Excluded);
    assert_eq!(Replacement::of(&checked), None);
}

/// Documents with links in many lines, as (name, content).
fn documents() -> Vec<(&'static str, String)> {
    let lines = |numbers: Range<u32>, end: &str| -> String {
        let line = |n| match n % 7 {
            0 => format!("line {n}: http://a.example/{n}{end}"),
            3 if n > 30 => format!("http://b.example/ and http://c.example/{n}{end}"),
            _ => format!("line {n}{end}"),
        };
        numbers.map(line).collect()
    };
    vec![
        ("one.txt", "http://a.example/".to_owned()),
        ("one line.txt", "http://a.example/\n".to_owned()),
        ("first.txt", lines(0..6, "\n")),
        ("many.txt", lines(1..80, "\n")),
        ("dir/crlf.txt", lines(1..80, "\r\n")),
        (
            "no final newline.txt",
            lines(1..50, "\n").trim_end().to_owned(),
        ),
        ("last.txt", "\n\n\n\n\nhttp://a.example/".to_owned()),
        ("wrapped.txt", "a\n<http://a.example/\nb>\nc\n".to_owned()),
        ("\"tab\\\té.txt", lines(5..9, "\n")),
    ]
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn git_applies_the_patch() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("SKIPPED patch: git is missing");
        return;
    }
    let folder = folder("patch");
    let mut patch = Vec::new();
    for (name, text) in documents() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
        let replacements = secured(&text, Format::Text);
        let fixes = fix(
            text.as_bytes(),
            Format::Text,
            &Extractor::new(),
            &replacements,
        )
        .unwrap();
        assert!(
            fixes.unfixed.is_empty() && !fixes.edits.is_empty(),
            "{name}: {fixes:?}"
        );
        write_patch(name, text.as_bytes(), &fixes, &mut patch).unwrap();
    }
    let file = folder.join("fix.patch");
    fs::write(&file, &patch).unwrap();
    git(&folder, &["init", "-q", "."]);
    git(&folder, &["apply", "--check", "fix.patch"]);
    git(&folder, &["apply", "fix.patch"]);
    for (name, text) in documents() {
        let expected = text.replace("http:", "https:");
        assert_eq!(
            fs::read_to_string(folder.join(name)).unwrap(),
            expected,
            "{name}"
        );
    }
    // The patch is undone, so nothing but the references differs.
    git(&folder, &["apply", "-R", "fix.patch"]);
    for (name, text) in documents() {
        assert_eq!(
            fs::read_to_string(folder.join(name)).unwrap(),
            text,
            "{name}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_fixes_make_no_patch() {
    let mut patch = Vec::new();
    write_patch("a", b"b", &Fixes::default(), &mut patch).unwrap();
    assert_eq!(patch, b"");
}

fn some_fixes() -> Fixes {
    Fixes {
        edits: vec![Edit {
            range: 0..4,
            bytes: b"https".to_vec(),
        }],
        unfixed: vec![],
    }
}

#[test]
fn a_file_that_changes_between_reading_and_writing() {
    let folder = folder("changed");
    let path = folder.join("a.txt");
    fs::write(&path, "http://b.example/").unwrap();
    let error = write_file(&path, b"http://a.example/", &some_fixes()).unwrap_err();
    assert!(matches!(error, WriteError::Changed), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"http://b.example/");
    write_file(&path, b"http://b.example/", &some_fixes()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"https://b.example/");
    fs::remove_file(&path).unwrap();
    let error = write_file(&path, b"http://b.example/", &some_fixes()).unwrap_err();
    assert!(matches!(error, WriteError::Io(_)), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left");
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_read_only_files_are_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("read-only");
    let path = folder.join("a.sh");
    let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    fs::write(&path, "http://a.example/").unwrap();
    mode(0o444);
    let error = write_file(&path, b"http://a.example/", &some_fixes()).unwrap_err();
    assert!(matches!(error, WriteError::ReadOnly), "{error}");
    mode(0o755);
    write_file(&path, b"http://a.example/", &some_fixes()).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    fs::remove_dir_all(folder).unwrap();
}

/// Returns the number of references.
fn count(document: &str, format: Format) -> usize {
    let mut count = 0;
    Extractor::new()
        .extract(format, document.as_bytes(), &mut |_| count += 1)
        .unwrap();
    count
}

/// Random documents and replacements: the result is always verified, and nothing panics.
#[test]
fn any_document() {
    let mut seed = 1_u64;
    let mut random = |limit: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % limit
    };
    let pieces = [
        "http://a/",
        "&amp;",
        "&",
        "\\",
        "\"",
        "'",
        "(",
        ")",
        "<",
        ">",
        "\n",
        "\r\n",
        " ",
        "é",
        "[b](",
        "]: ",
        "<a href=",
        "url(",
        ",",
        "=3D",
        "\u{FFFD}",
        "{\"",
        "\0",
    ];
    let formats = [
        Format::Html,
        Format::Markdown,
        Format::Text,
        Format::Xml,
        Format::Csv,
        Format::Latex,
        Format::Mail,
        Format::Css,
        Format::Rst,
    ];
    let mut fixed = 0;
    for _ in 0..3_000 {
        let mut document = String::new();
        for _ in 0..random(12) {
            document.push_str(pieces[random(pieces.len())]);
            document.push_str(if random(3) == 0 { pieces[0] } else { "" });
        }
        let format = formats[random(formats.len())];
        let mut replacements = secured(&document, format);
        for replacement in &mut replacements {
            replacement.new.push_str(pieces[random(pieces.len())]);
        }
        replacements.push(Replacement {
            range: random(20)..random(40),
            old: "http://a/".to_owned(),
            new: "b".to_owned(),
        });
        let extractor = Extractor::new();
        let fixes = fix(document.as_bytes(), format, &extractor, &replacements).unwrap();
        assert!(
            fixes.edits.len() + fixes.unfixed.len() == replacements.len(),
            "{document:?}"
        );
        fixed += fixes.edits.len();
        let changed = String::from_utf8(fixes.apply(document.as_bytes())).unwrap();
        assert_eq!(
            count(&changed, format),
            count(&document, format),
            "{document:?}"
        );
        let mut patch = Vec::new();
        write_patch("a", document.as_bytes(), &fixes, &mut patch).unwrap();
    }
    assert!(fixed > 500, "{fixed}");
}
