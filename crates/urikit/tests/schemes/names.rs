//! Names: those without a syntax, and those that begin with `x-`.

use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;
use urikit::Standard;
use urikit::scheme::{self, Edition, Experimental, Facts, ReadError, Status, Userinfo};

#[test]
fn afs_is_known_and_nothing_is_a_url_of_it() {
    let afs = scheme::find("AFS").unwrap();
    assert_eq!(afs.facts().status, Status::Historical);
    for standard in Standard::ALL {
        let text = "afs://cellname/path"; // RFC 1630, BNF for specific URL schemes
        let reference = standard.parse(text).unwrap();
        for edition in [Edition::Original, Edition::Successor] {
            assert_eq!(afs.check(reference, edition), Err(ReadError::NoSyntax));
            assert!(afs.details(reference, edition).is_err());
        }
        let other = standard.parse("urn:a").unwrap();
        assert_eq!(
            afs.check(other, Edition::Original),
            Err(ReadError::OtherScheme)
        );
    }
}

#[test]
fn experimental_names_begin_with_x_and_a_hyphen() {
    for name in ["x-", "X-a", "x-finger", "x-*"] {
        assert_eq!(
            scheme::find(name).unwrap().facts().status,
            Status::Experimental
        );
    }
    for name in ["x", "xa", "x+a", "ax-"] {
        assert!(scheme::find(name).is_none(), "{name}");
    }
    // RFC 1630 compares by the letter.
    let read =
        |standard: Standard, text| Experimental::read(standard.parse(text).unwrap()).map(drop);
    assert_eq!(
        read(Standard::Rfc1630, "X-a:b"),
        Err(ReadError::OtherScheme)
    );
    assert_eq!(read(Standard::Rfc1630, "x-a:b"), Ok(()));
    assert_eq!(read(Standard::Rfc1738, "X-a:b"), Ok(()));
    assert_eq!(
        read(Standard::Rfc3986, "x/a:b"),
        Err(ReadError::OtherScheme)
    );
}

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
            texts: facts.texts.iter().map(|text| String::from(*text)).collect(),
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
        texts,
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
    row + &format!("denotes = \"{denotes}\"\ntexts = {texts:?}\n")
}

#[test]
fn all_known_names_are_those_of_the_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/schemes.toml");
    let rows: File = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut wrong = String::new();
    for facts in scheme::all_known() {
        let row = rows.scheme.iter().find(|row| row.name == facts.name);
        if row != Some(&Row::from(facts)) {
            wrong += &toml(facts);
        }
    }
    assert!(wrong.is_empty(), "the code says otherwise:{wrong}");
    let names: Vec<&str> = scheme::all_known().map(|facts| facts.name).collect();
    for row in &rows.scheme {
        assert!(
            names.contains(&row.name.as_str()),
            "{} is in the file alone",
            row.name
        );
    }
    assert!(rows.scheme.is_sorted_by(|a, b| a.name < b.name));
    for name in &names {
        // A scheme that is read has its facts beside its reading, and no row among the names.
        let count = names.iter().filter(|other| *other == name).count();
        assert_eq!(count, 1, "{name}");
        assert_eq!(
            scheme::known(&name.to_ascii_uppercase()).unwrap().name,
            *name
        );
    }
    for scheme in scheme::all() {
        assert_eq!(scheme::known(scheme.facts().name), Some(scheme.facts()));
    }
}
