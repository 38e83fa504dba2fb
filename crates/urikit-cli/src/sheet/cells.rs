//! A record taken apart into cells.
//!
//! Text is written as it is, and `null` is absent. An `error` is its message, and what was
//! `repaired` is its text; other objects and lists are JSON.

use super::column::Column;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Error, Value};
use std::fmt;

/// The cells of a record that is written as JSON.
pub(super) fn of(line: &[u8], columns: &[Column]) -> Result<Vec<Option<String>>, Error> {
    serde_json::Deserializer::from_slice(line).deserialize_map(Cells { columns })
}

struct Cells<'c> {
    columns: &'c [Column],
}

impl<'de> Visitor<'de> for Cells<'_> {
    type Value = Vec<Option<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut record: A) -> Result<Self::Value, A::Error> {
        let mut cells = vec![None; self.columns.len()];
        while let Some((key, value)) = record.next_entry::<&str, &RawValue>()? {
            let place = self.columns.iter().position(|column| column.name == key);
            if let Some(cell) = place.and_then(|place| cells.get_mut(place)) {
                *cell = text(key, value.get());
            }
        }
        Ok(cells)
    }
}

fn text(key: &str, value: &str) -> Option<String> {
    let part = match (key, value.as_bytes().first()?) {
        (_, b'n') => return None,
        (_, b'"') => return serde_json::from_str(value).ok(),
        ("error", b'{') => "message",
        ("repaired", b'{') => "text",
        _ => return Some(value.to_owned()),
    };
    let object: Value = serde_json::from_str(value).ok()?;
    object.get(part)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::sheet::Column;

    #[test]
    fn values_by_key() {
        let line = br#"{"a":"x\ny","b":null,"valid":true,"error":{"class":"c","message":"m"},
            "n":12,"list":[{"k":1}],"repaired":{"text":"t","changes":[]}}"#;
        let names = [
            "valid", "error", "a", "b", "missing", "n", "list", "repaired",
        ];
        let columns = names.map(Column::text);
        let cells = of(line, &columns).unwrap();
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| cell.as_deref().unwrap_or("-"))
            .collect();
        assert_eq!(
            cells,
            ["true", "m", "x\ny", "-", "-", "12", r#"[{"k":1}]"#, "t"]
        );
    }
}
