//! The differences between two references, component by component, and between their queries, pair
//! by pair.

use crate::reading::Reading;
use std::collections::HashMap;
use urikit::op::Level;

/// A component with different values.
#[derive(PartialEq, Eq, Debug, serde::Serialize)]
pub struct Difference {
    /// The name of the component; `query:NAME` for the value of a pair.
    component: String,
    a: Option<String>,
    b: Option<String>,
}

impl Difference {
    fn new(component: impl Into<String>, a: Option<&str>, b: Option<&str>) -> Self {
        Self {
            component: component.into(),
            a: a.map(str::to_owned),
            b: b.map(str::to_owned),
        }
    }

    /// Returns the cells of the line for this difference, each with the byte that follows it.
    pub fn cells(&self) -> [(&str, u8); 3] {
        // No reference contains `<`.
        let a = self.a.as_deref().unwrap_or("<absent>");
        let b = self.b.as_deref().unwrap_or("<absent>");
        [(&self.component, b'\t'), (a, b'\t'), (b, b'\n')]
    }
}

/// The components that consist of other components.
const COMPOSED: [&str; 4] = ["form", "authority", "userinfo", "host_kind"];

/// Returns the differences between the normal forms of two valid references.
pub(super) fn differences(readings: &[Reading<'_>; 2]) -> Vec<Difference> {
    let texts = readings.each_ref().map(normal);
    let [Some(a), Some(b)] = texts else {
        return Vec::new();
    };
    let [a, b] = [(&readings[0], &a), (&readings[1], &b)]
        .map(|(reading, text)| reading.reader().read(text.as_str()));
    let (Some(a), Some(b)) = (a.components(), b.components()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for ((key, a), (_, b)) in a.texts().into_iter().zip(b.texts()) {
        if a == b || COMPOSED.contains(&key) {
            continue;
        }
        if key == "query" {
            found.extend(pairs(a, b));
        } else {
            found.push(Difference::new(key, a, b));
        }
    }
    found
}

/// Returns the normal form of a valid reference.
fn normal(reading: &Reading<'_>) -> Option<String> {
    match reading.reference() {
        Some(reference) => {
            let mut text = String::new();
            reference.normalize_into(Level::Scheme, &mut text);
            Some(text)
        }
        None => reading.href().map(str::to_owned),
    }
}

/// Returns the differences between two queries that are not equal. Pairs with the same name are
/// compared in order. If only the order of the names differs, the complete queries are reported as
/// the difference.
fn pairs(a: Option<&str>, b: Option<&str>) -> Vec<Difference> {
    let mut names: Vec<&str> = Vec::new();
    let mut by_name: HashMap<&str, [Vec<&str>; 2]> = HashMap::new();
    for (side, query) in [a, b].into_iter().enumerate() {
        let query = query.filter(|query| !query.is_empty());
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let name = pair.split_once('=').map_or(pair, |(name, _)| name);
            let sides = by_name.entry(name).or_insert_with(|| {
                names.push(name);
                [Vec::new(), Vec::new()]
            });
            if let Some(pairs) = sides.get_mut(side) {
                pairs.push(pair);
            }
        }
    }
    let mut found = Vec::new();
    for name in names {
        let Some([a, b]) = by_name.get(name) else {
            continue;
        };
        for index in 0..a.len().max(b.len()) {
            let [a, b] = [a, b].map(|pairs| pairs.get(index).copied());
            if a == b {
                continue;
            }
            found.push(pair(name, a, b));
        }
    }
    if found.is_empty() {
        found.push(Difference::new("query", a, b));
    }
    found
}

/// Returns the difference between two pairs with the same name. A pair without `=` has no value, so
/// the pairs are then shown as written.
fn pair(name: &str, a: Option<&str>, b: Option<&str>) -> Difference {
    if [a, b].into_iter().flatten().any(|pair| pair == name) {
        return Difference::new("query", a, b);
    }
    let [a, b] = [a, b].map(|pair| pair?.get(name.len() + 1..));
    Difference::new(format!("query:{name}"), a, b)
}
