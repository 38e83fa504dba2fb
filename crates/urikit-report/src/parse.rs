//! The components of references.

use crate::Reader;
use crate::input::Given;
use crate::reading::{Components, Failure, Reading};
use crate::record::{AMPERSAND, DomainKeys, ReadRecord, ReadingKeys};
use std::fmt::Write as _;
use urikit_domains::List;

/// An input with its components.
#[derive(serde::Serialize)]
pub struct ParsedRecord<'a> {
    #[serde(flatten)]
    read: ReadRecord<'a>,
    #[serde(flatten)]
    domain: DomainKeys<'a>,
}

impl<'a> ParsedRecord<'a> {
    /// Describes a result. The list `domains` determines the registrable domain of the host.
    pub fn new(input: Given<'a>, reading: &'a Reading<'_>, domains: &List) -> Self {
        let host = reading.components().and_then(|components| components.host);
        Self {
            read: ReadRecord {
                input: input.into(),
                reading: ReadingKeys::new(reading, AMPERSAND),
            },
            domain: DomainKeys::new(host, domains),
        }
    }

    /// Describes an input that has no result.
    pub fn unread(input: Given<'a>, reader: Reader, why: &Failure) -> Self {
        Self {
            read: ReadRecord {
                input: input.into(),
                reading: ReadingKeys::unread(reader, why),
            },
            domain: DomainKeys::default(),
        }
    }
}

/// Returns the lines that `uri parse` prints without `--json`: `key<TAB>value`.
pub fn plain(components: &Components<'_>) -> String {
    let mut lines = String::new();
    for (key, text) in components.texts() {
        if let Some(text) = text {
            let _ = writeln!(lines, "{key}\t{text}");
        }
    }
    if components.opaque {
        lines.push_str("opaque\ttrue\n");
    }
    lines.pop();
    lines
}
