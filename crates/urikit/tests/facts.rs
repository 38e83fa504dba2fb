//! The table of schemes in the code is generated from `spec/schemes.toml`.
//!
//! After a change of the file, `URIKIT_UPDATE=1 cargo test -p urikit --test facts` writes the
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
        "//! The facts of all known schemes, sorted by name.\n\
         //!\n\
         //! Generated from `spec/schemes.toml`. Edit that file, and run\n\
         //! `URIKIT_UPDATE=1 cargo test -p urikit --test facts`.\n\n\
         use super::{{Denotes, Facts, Status, Userinfo}};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static TABLE: [Facts<'static>; {}] = [\n",
        rows.len()
    );
    for row in rows {
        let _ = writeln!(out, "    Facts::new({:?})", row.name);
        let _ = writeln!(out, "        .title({:?})", row.title);
        let _ = writeln!(out, "        .status(Status::{})", camel_case(&row.status));
        if let Some(port) = row.port {
            let _ = writeln!(out, "        .port({port})");
        }
        if let Some(userinfo) = &row.userinfo {
            let _ = writeln!(out, "        .userinfo(Userinfo::{})", camel_case(userinfo));
        }
        if row.hierarchical {
            out.push_str("        .hierarchical()\n");
        }
        let _ = writeln!(
            out,
            "        .denotes(Denotes::{})",
            camel_case(&row.denotes)
        );
        let line = format!("        .specifications(&{:?}),\n", row.texts);
        if line.len() <= 100 {
            out.push_str(&line);
        } else {
            out.push_str("        .specifications(&[\n");
            for text in &row.texts {
                let _ = writeln!(out, "            {text:?},");
            }
            out.push_str("        ]),\n");
        }
    }
    out + "];\n"
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
