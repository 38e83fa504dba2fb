//! The list of known differences, `testdata/suites/trurl.toml`.

use crate::row::{Row, root};
use std::collections::BTreeMap;
use std::fs;
use toml::Table;

/// The rows that differ, and whether each has been seen.
pub(crate) struct Known {
    rows: BTreeMap<(usize, String), (String, bool)>,
}

impl Known {
    pub(crate) fn load() -> Self {
        let path = root().join("testdata/suites/trurl.toml");
        let text = fs::read_to_string(path).expect("the list of known differences can be read");
        let table: Table = text.parse().expect("the list of known differences is TOML");
        let categories = table["category"].as_table().expect("the categories");
        let mut rows = BTreeMap::new();
        for row in table["row"].as_array().expect("a list of rows") {
            let field = |name: &str| {
                let text = row.get(name).and_then(|field| field.as_str());
                let text = text.filter(|text| !text.is_empty());
                text.unwrap_or_else(|| panic!("{name} is missing: {row:?}"))
                    .to_owned()
            };
            field("reason");
            let category = field("category");
            assert!(
                categories.contains_key(&category),
                "no such category: {row:?}"
            );
            let number = row["number"].as_integer().expect("a number");
            let key = (usize::try_from(number).unwrap(), field("hash"));
            assert!(
                rows.insert(key, (category, false)).is_none(),
                "listed twice: {row:?}"
            );
        }
        let is_used = |name: &String| rows.values().any(|(category, _)| category == name);
        assert!(categories.keys().all(is_used), "a category has no row");
        Self { rows }
    }

    /// The category of a row, if it is listed; marks it as seen.
    pub(crate) fn category(&mut self, row: &Row) -> Option<String> {
        let (category, is_seen) = self.rows.get_mut(&(row.number, row.hash.clone()))?;
        *is_seen = true;
        Some(category.clone())
    }

    /// The listed rows that the suite does not contain.
    pub(crate) fn never_run(&self) -> impl Iterator<Item = String> {
        let rows = self.rows.iter().filter(|(_, (_, is_seen))| !is_seen);
        rows.map(|((number, hash), _)| format!("{number} {hash}: listed as known, but missing"))
    }
}
