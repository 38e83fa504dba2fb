//! The table of schemes in the code is generated from `spec/schemes.toml`.
//!
//! After editing the file, run `URIKIT_UPDATE=1 cargo test -p urikit --test facts` to write the
//! table.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;
use urikit::scheme::{all_known, default_port, known};

/// A row of `spec/schemes.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    title: String,
    status: String,
    port: Option<u16>,
    userinfo: Option<String>,
    #[serde(default)]
    hierarchical: bool,
    denotes: String,
    texts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scheme: Vec<Row>,
}

/// Returns the source code of the table.
fn source(rows: &[Row]) -> String {
    let mut out = format!(
        "//! Facts about all known schemes, sorted by name.\n\
         //!\n\
         //! Generated from `spec/schemes.toml`. Edit that file, and run\n\
         //! `URIKIT_UPDATE=1 cargo test -p urikit --test facts`.\n\n\
         use super::{{Denotes, Facts, Status, Userinfo}};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static TABLE: [Facts<'static>; {}] = [\n",
        rows.len()
    );
    for row in rows {
        let mut calls = vec![
            format!("Facts::new({:?})", row.name),
            format!(".title({:?})", row.title),
            format!(".status(Status::{})", camel_case(&row.status)),
        ];
        calls.extend(row.port.map(|port| format!(".port({port})")));
        let userinfo = row.userinfo.as_deref().map(camel_case);
        calls.extend(userinfo.map(|name| format!(".userinfo(Userinfo::{name})")));
        calls.extend(row.hierarchical.then(|| ".hierarchical()".to_owned()));
        calls.push(format!(".denotes(Denotes::{})", camel_case(&row.denotes)));
        let texts = format!("{:?}", row.texts).replace("\", \"", "\",\n\"");
        let specifications = format!(".specifications(&{texts}),");
        calls.extend(specifications.split('\n').map(str::to_owned));
        fill(&mut out, &calls);
    }
    out + "];\n"
}

/// Appends a chain of calls in lines of at most 100 characters.
fn fill(out: &mut String, calls: &[String]) {
    let mut line = "   ".to_owned();
    for call in calls {
        let gap = if call.starts_with('.') { "" } else { " " };
        if line.len() + gap.len() + call.len() > 100 {
            let _ = writeln!(out, "{line}");
            line = format!("        {call}");
        } else {
            line.extend([gap, call]);
        }
    }
    let _ = writeln!(out, "{line}");
}

/// Returns the name of an enum's value: `UserAndPassword` for `user-and-password`.
fn camel_case(name: &str) -> String {
    let mut starts_word = true;
    let mut out = String::new();
    for c in name.chars() {
        if c == '-' {
            starts_word = true;
        } else if std::mem::take(&mut starts_word) {
            out.push(c.to_ascii_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

#[test]
fn the_table_is_generated_from_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(folder.join("../../spec/schemes.toml")).unwrap();
    let rows: File = toml::from_str(&file).unwrap();
    assert!(rows.scheme.is_sorted_by(|a, b| a.name < b.name));
    let expected = source(&rows.scheme);
    let table = folder.join("src/scheme/table.rs");
    if std::env::var_os("URIKIT_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&table, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&table).unwrap();
    assert!(
        found == expected,
        "src/scheme/table.rs is not what spec/schemes.toml generates; \
         run `URIKIT_UPDATE=1 cargo test -p urikit --test facts`"
    );
}

#[test]
fn all_known_schemes_are_found_by_name() {
    assert!(all_known().is_sorted_by(|a, b| a.name < b.name));
    for facts in all_known() {
        let name = facts.name.to_ascii_uppercase();
        assert_eq!(known(&name).unwrap().name, facts.name);
        assert_eq!(default_port(&name), facts.port);
    }
}
