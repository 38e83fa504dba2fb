//! Tables of names.

use std::sync::LazyLock;
use urikit::internal::octets;

/// Names of parameters; a `*` at the end matches anything.
pub(super) struct Table {
    names: Vec<&'static str>,
    any_case: bool,
}

pub(super) static TRACKING: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("tracking.tsv"), false));

pub(super) static SESSIONS: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("sessions.tsv"), true));

impl Table {
    /// Reads a table: each line is a comment, or a name and its source, separated by a tab.
    fn new(text: &'static str, any_case: bool) -> Self {
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        let names = rows.filter_map(|row| Some(row.split_once('\t')?.0));
        Self {
            names: names.collect(),
            any_case,
        }
    }

    /// Whether a name is in the table. It is compared decoded.
    pub(super) fn contains(&self, name: &str) -> bool {
        // No name of the table is as long as this.
        let mut buffer = [0; 64];
        let name = if name.contains('%') {
            decode(name, &mut buffer)
        } else {
            name.as_bytes()
        };
        self.names
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => name
                    .get(..start.len())
                    .is_some_and(|begin| self.is_same(begin, start)),
                None => self.is_same(name, pattern),
            })
    }

    fn is_same(&self, name: &[u8], pattern: &str) -> bool {
        if self.any_case {
            name.eq_ignore_ascii_case(pattern.as_bytes())
        } else {
            name == pattern.as_bytes()
        }
    }
}

/// As many of the octets that a name encodes as fit into the buffer.
fn decode<'a>(name: &str, buffer: &'a mut [u8; 64]) -> &'a [u8] {
    let mut length = 0;
    for (place, octet) in buffer.iter_mut().zip(octets(name.as_bytes())) {
        *place = octet.value;
        length += 1;
    }
    buffer.get(..length).unwrap_or_default()
}

/// The names of query parameters that only track people, from a table with a source for each; a `*`
/// at the end of a name matches anything.
///
/// ```
/// assert!(urikit_keys::tracking_parameters().any(|name| name == "utm_*"));
/// ```
pub fn tracking_parameters() -> impl Iterator<Item = &'static str> {
    TRACKING.names.iter().copied()
}

/// The names of parameters that hold the identifier of a session, from a table with a source for
/// each; they are compared in any case, and a `*` at the end of a name matches anything.
///
/// ```
/// assert!(urikit_keys::session_parameters().any(|name| name == "jsessionid"));
/// ```
pub fn session_parameters() -> impl Iterator<Item = &'static str> {
    SESSIONS.names.iter().copied()
}
