//! The facts of the schemes are those of `spec/schemes.toml`.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;
use urikit::scheme::{Facts, Userinfo, all_known, known};

/// A row of `spec/schemes.toml`.
#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    title: String,
    status: String,
    port: Option<u16>,
    #[serde(default = "none")]
    userinfo: String,
    #[serde(default)]
    hierarchical: bool,
    denotes: String,
    texts: Vec<String>,
}

fn none() -> String {
    String::from("none")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scheme: Vec<Row>,
}

impl From<Facts<'_>> for Row {
    fn from(facts: Facts<'_>) -> Self {
        Self {
            name: facts.name.into(),
            title: facts.title.into(),
            status: facts.status.as_str().into(),
            port: facts.port,
            userinfo: facts.userinfo.as_str().into(),
            hierarchical: facts.is_hierarchical,
            denotes: facts.denotes.as_str().into(),
            texts: facts
                .specifications
                .iter()
                .map(|text| String::from(*text))
                .collect(),
        }
    }
}

/// What to write into the file for these facts.
fn toml(facts: Facts<'_>) -> String {
    let Facts {
        name,
        title,
        status,
        denotes,
        specifications,
        ..
    } = facts;
    let mut row =
        format!("\n[[scheme]]\nname = {name:?}\ntitle = {title:?}\nstatus = \"{status}\"\n");
    if let Some(port) = facts.port {
        let _ = writeln!(row, "port = {port}");
    }
    if facts.userinfo != Userinfo::None {
        let _ = writeln!(row, "userinfo = \"{}\"", facts.userinfo);
    }
    if facts.is_hierarchical {
        row.push_str("hierarchical = true\n");
    }
    row + &format!("denotes = \"{denotes}\"\ntexts = {specifications:?}\n")
}

#[test]
fn all_known_names_are_those_of_the_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/schemes.toml");
    let rows: File = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut wrong = String::new();
    for facts in all_known() {
        let row = rows.scheme.iter().find(|row| row.name == facts.name);
        if row != Some(&Row::from(facts)) {
            wrong += &toml(facts);
        }
    }
    assert!(wrong.is_empty(), "the code says otherwise:{wrong}");
    let names: Vec<&str> = all_known().map(|facts| facts.name).collect();
    for row in &rows.scheme {
        assert!(
            names.contains(&row.name.as_str()),
            "{} is in the file alone",
            row.name
        );
    }
    assert!(names.is_sorted());
    assert!(rows.scheme.is_sorted_by(|a, b| a.name < b.name));
    for name in &names {
        // Each scheme has one row.
        let count = names.iter().filter(|other| *other == name).count();
        assert_eq!(count, 1, "{name}");
        assert_eq!(known(&name.to_ascii_uppercase()).unwrap().name, *name);
    }
}
