//! A list of known differences, such as `testdata/suites/known.toml`.

use crate::shared;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toml::Table;

/// The rows that differ, and which of them have been run.
pub(crate) struct Known {
    rows: BTreeMap<(String, String), bool>,
}

impl Known {
    /// Reads a list in `testdata/suites/`.
    pub(crate) fn load(list: &str) -> Self {
        let path = shared::root().join("testdata/suites").join(list);
        let text = fs::read_to_string(&path).expect("the list of known differences can be read");
        let table: Table = text.parse().expect("the list of known differences is TOML");
        let mut rows = BTreeMap::new();
        for row in table
            .get("row")
            .and_then(|rows| rows.as_array())
            .expect("a list of rows")
        {
            let field = |name: &str| {
                let field = row
                    .get(name)
                    .and_then(|field| field.as_str())
                    .unwrap_or_default();
                assert!(!field.is_empty(), "{name} is missing: {row:?}");
                field.to_owned()
            };
            field("reason");
            assert!(
                field("section").starts_with("RFC "),
                "a section names its RFC: {row:?}"
            );
            let unlisted = rows.insert((field("file"), field("id")), false).is_none();
            assert!(unlisted, "listed twice: {row:?}");
        }
        Self { rows }
    }

    /// Whether a row is listed, now that it is run.
    pub(crate) fn lists(&mut self, file: &str, id: &str) -> bool {
        let row = self.rows.get_mut(&(file.to_owned(), id.to_owned()));
        row.map(|run| *run = true).is_some()
    }

    /// Listed rows that no suite has, or that are not run.
    pub(crate) fn never_run(&self) -> BTreeSet<String> {
        let rows = self.rows.iter().filter(|(_, run)| !**run);
        rows.map(|((file, id), _)| format!("{file} {id}: listed as known, and not run"))
            .collect()
    }
}
